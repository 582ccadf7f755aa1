"""Sums of generalised monomials ``q * prod(atom**exponent)``: the ring in which everything is decided.

Definitions
-----------
A *space* fixes the symbols of one question. Its *exponents* are elements of the field K of rational functions of those
symbols. Its *atoms* are symbols, primes, the number e, logarithms of atoms, irreducible sums and opaque functions. A
*monomial* is a sorted tuple of (atom index, exponent). A *sum* is a dict from monomials to non-zero rationals; an empty
one is zero.

Nothing is divided by what the domain lets vanish: a monomial is taken out of a sum, a leading coefficient inverted or
put under a logarithm, only where it is zero nowhere (:meth:`Space.safe`, ``truncated.Scale.leads``); a question else.

A sum that ``fraction.expand`` empties is zero. The converse holds as far as the atoms are independent; nothing here
relies on it.

Worked example: ``2*x**(a + 1)/y`` is the coefficient 2 with the exponents ``{x: a + 1, y: -1}``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cmp_to_key
from typing import Any, TypeAlias

import sympy as sp
from sympy import QQ
from sympy.polys.fields import FracField
from sympy.polys.orderings import lex

from .. import budget
from ..domain import Domain

__all__ = ["Atom", "Exponent", "Monomial", "Space", "Sum", "add", "leading", "multiply", "scale", "shift"]

Exponent: TypeAlias = Any  # an element of the field K
Rational: TypeAlias = Any  # an element of QQ
Monomial: TypeAlias = tuple[tuple[int, Exponent], ...]
Sum: TypeAlias = dict[Monomial, Rational]

ONE: Monomial = ()


@dataclass(frozen=True)
class Atom:
    """One generator.

    ``kind`` is symbol, prime, constant, sum, log, exp, abs or opaque; ``sign`` is +1, -1, 0 (not negative) or None.
    """

    kind: str
    payload: Any
    sign: int | None


@dataclass
class Space:
    """The atoms and the exponent field of one question, and the domain facts that were used.

    Parameters
    ----------
    symbols : tuple of Symbol
        Generators of the exponent field, sorted by name; none of them negative by assumption.
    domain : Domain
        Where the question is asked.
    substitutions, corners
        How bounded symbols are written through a positive one, and which ends belong to the domain.
    weak : bool
        Whether a sign may also be zero at some points.
    small : Symbol, optional
        A symbol that goes to 0: signs need hold only where it is small enough.
    mirror
        Negative symbol -> minus the positive one that stands for it.
    """

    symbols: tuple[sp.Symbol, ...]
    domain: Domain
    atoms: list[Atom] = field(default_factory=list)
    index: dict[tuple[str, Any], int] = field(default_factory=dict)
    facts: dict[str, None] = field(default_factory=dict)
    signs: dict[Any, int | None] = field(default_factory=dict)
    substitutions: list[tuple[int, Sum, Sum, int]] = field(default_factory=list)
    corners: dict[int, tuple[bool, bool, int]] = field(default_factory=dict)
    weak: bool = False
    small: sp.Symbol | None = None
    mirror: dict[sp.Symbol, sp.Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.K: Any = FracField(self.symbols or (sp.Dummy("unused"),), QQ, lex)

    def atom(self, kind: str, payload: Any, sign: int | None) -> int:
        """The index of an atom, registered on first use.

        Sums that differ in the order of their terms only are one atom. It keeps the order of the first: a set of terms
        would have none, since the hash of a field's element changes from process to process, whatever the hash seed.
        """
        key = (kind, frozenset(payload) if kind == "sum" else payload)
        if key not in self.index:
            self.index[key] = len(self.atoms)
            self.atoms.append(Atom(kind, payload, sign))
            if not sign:
                self.corners[self.index[key]] = (True, False, 0)
        return self.index[key]

    def symbol(self, symbol: sp.Symbol) -> int:
        """The atom of a symbol; its sign is +1, -1, 0 (not negative) or None by its interval."""
        interval = self.domain.interval(symbol)
        if interval.lo > 0 or (interval.lo == 0 and interval.lo_open):
            return self.atom("symbol", symbol, 1)
        if interval.hi < 0 or (interval.hi == 0 and interval.hi_open):
            return self.atom("symbol", symbol, -1)
        return self.atom("symbol", symbol, 0 if interval.lo == 0 else None)

    def safe(self, monomial: Monomial) -> Monomial:
        """The part of a monomial that is zero nowhere on the domain: only that may be divided by."""
        return tuple(pair for pair in monomial if self.atoms[pair[0]].sign in (1, -1))

    def exponent(self, value: Any) -> Exponent:
        """A rational number as an element of the exponent field."""
        return self.K.one * QQ(value.p, value.q) if isinstance(value, sp.Rational) else self.K.one * QQ(value)

    def monomial(self, kind: str, payload: Any, sign: int | None, exponent: Exponent | None = None) -> Sum:
        """An atom to a power as a sum of one term."""
        power = self.K.one if exponent is None else exponent
        return {((self.atom(kind, payload, sign), power),): QQ(1)} if power else constant(1)

    def write(self, terms: Sum) -> sp.Expr:
        """The sum as a SymPy expression."""
        return sp.Add(*(self._term(monomial, q) for monomial, q in terms.items()))

    def _term(self, monomial: Monomial, coefficient: Rational) -> sp.Expr:
        factors = [self.write_atom(number) ** exponent.as_expr() for number, exponent in monomial]
        return sp.Mul(sp.Rational(int(coefficient.numerator), int(coefficient.denominator)), *factors)

    def write_atom(self, number: int) -> sp.Expr:
        """One atom as a SymPy expression."""
        atom = self.atoms[number]
        if atom.kind == "log":
            return sp.log(self.write_atom(atom.payload))
        if atom.kind == "exp":
            return sp.exp(self._term(atom.payload, QQ(1)))
        if atom.kind == "abs":
            return sp.Abs(self.write_atom(atom.payload))
        if atom.kind == "sum":
            return self.write(dict(atom.payload))
        if atom.kind == "prime":
            return sp.Integer(atom.payload)
        payload: sp.Expr = atom.payload
        return payload


def constant(value: Any) -> Sum:
    """A rational number as a sum."""
    number = QQ(value.p, value.q) if isinstance(value, sp.Rational) else QQ(value)
    return {ONE: number} if number else {}


def add(*sums: Sum) -> Sum:
    """The sum of sums."""
    total: Sum = {}
    for terms in sums:
        for monomial, coefficient in terms.items():
            value = total.get(monomial, QQ(0)) + coefficient
            if value:
                total[monomial] = value
            else:
                del total[monomial]
    return total


def scale(terms: Sum, factor: Any) -> Sum:
    """A sum times a rational number."""
    return {monomial: coefficient * factor for monomial, coefficient in terms.items()} if factor else {}


def join(left: Monomial, right: Monomial) -> Monomial:
    """The product of two monomials."""
    merged = dict(left)
    for number, exponent in right:
        total = merged[number] + exponent if number in merged else exponent
        if total:
            merged[number] = total
        else:
            del merged[number]
    return tuple(sorted(merged.items(), key=lambda pair: pair[0]))


def raised(monomial: Monomial, exponent: Exponent) -> Monomial:
    """A monomial to a power of the exponent field."""
    return tuple((number, power * exponent) for number, power in monomial) if exponent else ONE


def shift(terms: Sum, monomial: Monomial) -> Sum:
    """A sum times a monomial."""
    return {join(known, monomial): coefficient for known, coefficient in terms.items()}


def multiply(left: Sum, right: Sum) -> Sum:
    """The product of two sums, expanded."""
    total: Sum = {}
    for one, a in left.items():
        if len(left) + len(right) > 20:
            budget.check("expand a product")
        for other, b in right.items():
            key = join(one, other)
            value = total.get(key, QQ(0)) + a * b
            if value:
                total[key] = value
            else:
                del total[key]
    return total


def leading(monomials: Iterable[Monomial]) -> Monomial:
    """The largest monomial in an order that multiplication keeps, so a shifted sum has the same leading term.

    The lowest power of the space's first atom leads, so a sum in a small symbol is led by its largest term.
    """
    return max(monomials, key=cmp_to_key(_compare))


def _compare(left: Monomial, right: Monomial) -> int:
    quotient = join(left, tuple((number, -power) for number, power in right))
    return -infinite_sign(quotient[0][1]) if quotient else 0


def infinite_sign(exponent: Exponent) -> int:
    """The sign of a rational function where its first symbol is infinitely larger than the next: orders the field."""
    sign = exponent.numer.LC * exponent.denom.LC
    return (sign > 0) - (sign < 0)


def integer(exponent: Exponent) -> int | None:
    """The exponent as an integer, or None."""
    number = rational(exponent)
    return int(number.numerator) if number is not None and number.denominator == 1 else None


def rational(exponent: Exponent) -> Any | None:
    """The exponent as a rational number, or None."""
    if not exponent:
        return QQ(0)
    if exponent.numer.is_ground and exponent.denom.is_ground:
        return QQ(exponent.numer.LC) / QQ(exponent.denom.LC)
    return None
