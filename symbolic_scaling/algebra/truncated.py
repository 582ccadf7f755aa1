"""Arithmetic of expansions in one small symbol: sums, products, powers, logarithms and exponentials with a remainder.

An expansion is ``sum(c_i * s**m_i) + O(s**r)``: the exponents m_i belong to the exponent field and ascend on the
domain, the coefficients are sums without s (``log(s)`` may stand in them). Products and sums merge terms and keep the
smaller remainder; ``A**e`` takes the leading term out and expands ``(1 + u)**e`` by the binomial series; logarithms and
exponentials likewise. Each order of exponents is decided on the domain or raised as a question. No step keeps more than
``order`` terms; when terms cancel, the caller asks again with a larger order.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import sympy as sp
from sympy import QQ

from ..errors import Undecided
from . import logform
from .fraction import expand as multiplied_out
from .monomial import Exponent, Monomial, Space, Sum, add, constant, integer, multiply, scale
from .signs import exponent_sign, polynomial, sum_sign

__all__ = [
    "Cancelled",
    "Expansion",
    "Scale",
    "atom_depends",
    "depends",
    "exponential",
    "logarithm",
    "product",
    "raised",
    "total",
]


MOST_WHOLE = 24


class Cancelled(Exception):
    """All terms kept have cancelled: a larger order is needed."""


@dataclass(frozen=True)
class Expansion:
    """Terms (exponent, coefficient) in ascending order.

    ``remainder`` holds the exponents of what is left out; empty where nothing is. ``question`` is the difference of
    exponents whose sign the domain left open, where one kept a term from being known to lead.
    """

    terms: tuple[tuple[Exponent, Sum], ...]
    remainder: tuple[Exponent, ...] = ()
    question: sp.Expr | None = None

    @property
    def lead(self) -> tuple[Exponent, Sum]:
        """The first term; it leads where its coefficient is not zero."""
        if not self.terms and self.question is not None:
            raise Undecided("order powers of a small symbol", f"{self.question} > 0", opens=self.question)
        if not self.terms:
            raise Cancelled
        return self.terms[0]

    @property
    def lowest(self) -> tuple[Exponent, ...]:
        """The exponents of which one is the smallest."""
        return (self.terms[0][0],) if self.terms else self.remainder


@dataclass(frozen=True)
class Scale:
    """The small symbol and how many terms are kept.

    Where the small symbol stands for an expression, ``log`` is its logarithm, ``fold`` writes a monomial with it, and
    ``near`` is the sign that a coefficient keeps on the way.
    """

    space: Space
    small: sp.Symbol
    order: int
    log: Sum | None = None
    fold: Callable[[Monomial], Sum] | None = None
    near: Callable[[Sum], int | None] | None = None

    @property
    def slow(self) -> Sum:
        """The logarithm of the small symbol."""
        return self.log or logform.logarithm(self.space, {((self.space.symbol(self.small), self.space.K.one),): QQ(1)})

    def leads(self, value: Sum) -> None:
        """Ask whether a coefficient is zero nowhere, the small symbol small enough: what may be divided by.

        Raises
        ------
        Undecided
            If the domain lets it vanish.
        """
        slow = self.space.index.get(("log", self.space.symbol(self.small)), -1)
        powers = {monomial: integer(dict(monomial).get(slow, self.space.K.zero)) for monomial in value}
        known = [power for power in powers.values() if power is not None]
        if len(known) == len(powers):  # the highest power of log(s) decides near s = 0
            value = {
                tuple(pair for pair in monomial if pair[0] != slow): value[monomial]
                for monomial, power in powers.items()
                if power == max(known)
            }
        sign = self.near(value) if self.near else sum_sign(self.space, value)
        if sign not in (1, -1):
            open_ = self.space.write(multiplied_out(self.space, value))
            raise Undecided(f"divide by {open_}", f"{open_} > 0", opens=open_)

    def less(self, left: Exponent, right: Exponent) -> bool | None:
        """Whether ``left < right`` on the whole domain; None where the domain does not say."""
        sign = exponent_sign(self.space, left - right)
        return None if sign is None else sign < 0

    def collect(self, terms: list[tuple[Exponent, Sum]], remainder: tuple[Exponent, ...]) -> Expansion:
        """Merge equal exponents and take the smallest out, one after the other; the rest goes to the remainder.

        What the remainder covers, and what the domain does not put in order, goes there too.
        """
        merged: dict[Exponent, Sum] = {}
        for power, value in terms:
            merged[power] = add(merged[power], value) if power in merged else value
        left = {power: value for power, term in merged.items() if (value := multiplied_out(self.space, term))}
        kept: list[tuple[Exponent, Sum]] = []
        question = None
        while left and len(kept) < self.order:
            least = self._least(left, remainder)
            if least is None:
                question = self._question(left, remainder)
                break
            kept.append((least, left.pop(least)))
        return Expansion(tuple(kept), tuple(dict.fromkeys((*remainder, *left))), question)

    def _least(self, powers: Iterable[Exponent], remainder: tuple[Exponent, ...]) -> Exponent | None:
        """The exponent that is below all others and below the remainder."""
        others = list(dict.fromkeys((*powers, *remainder)))
        for power in powers:
            if all(other == power or self.less(power, other) for other in others) and power not in remainder:
                return power
        return None

    def _question(self, powers: Iterable[Exponent], remainder: tuple[Exponent, ...]) -> sp.Expr | None:
        """A difference of exponents whose sign the domain leaves open; None where the remainder covers them all."""
        others = list(dict.fromkeys((*powers, *remainder)))
        for power in powers:
            for other in others:
                if other != power and self.less(power, other) is None:
                    return self.space.write(polynomial(self.space, (power - other).numer))
        return None


def depends(scale_: Scale, power: Exponent) -> bool:
    """Whether an exponent contains the small symbol."""
    if scale_.small not in scale_.space.symbols:
        return False
    place = scale_.space.symbols.index(scale_.small)
    return any(powers[place] for part in (power.numer, power.denom) for powers in part)


def atom_depends(scale_: Scale, number: int) -> bool:
    """Whether an atom contains the small symbol."""
    return scale_.small in scale_.space.write_atom(number).free_symbols


def total(scale_: Scale, left: Expansion, right: Expansion) -> Expansion:
    """The sum of two expansions."""
    return scale_.collect([*left.terms, *right.terms], (*left.remainder, *right.remainder))


def product(scale_: Scale, left: Expansion, right: Expansion) -> Expansion:
    """The product of two expansions."""
    if not (left.terms or left.remainder) or not (right.terms or right.remainder):
        return Expansion(())
    remainder = [a + b for one, other in ((left, right), (right, left)) for a in one.remainder for b in other.lowest]
    pairs = [(a + b, multiply(x, y)) for a, x in left.terms for b, y in right.terms]
    return scale_.collect(pairs, tuple(remainder))


def _split(scale_: Scale, base: Expansion) -> tuple[Exponent, Sum, Expansion]:
    """``base = c * s**m * (1 + u)``, where c is zero nowhere."""
    power, value = base.lead
    scale_.leads(value)
    inverse = logform.power(scale_.space, value, -scale_.space.K.one)
    rest = [(m - power, multiply(c, inverse)) for m, c in base.terms[1:]]
    return power, value, scale_.collect(rest, tuple(r - power for r in base.remainder))


def raised(scale_: Scale, base: Expansion, exponent: Exponent) -> Expansion:
    """``base**exponent``: whole powers multiplied out, others by the binomial series."""
    space = scale_.space
    whole = integer(exponent)
    if whole is not None and 0 < whole <= MOST_WHOLE:
        return functools.reduce(functools.partial(product, scale_), [base] * whole)
    power, value, small = _split(scale_, base)
    outer = Expansion(((power * exponent, logform.power(space, value, exponent)),))
    element = logform.from_field(space, exponent)
    factor, coefficients = constant(1), [constant(1)]
    for k in range(1, scale_.order + 1):
        factor = scale(multiply(factor, add(element, constant(1 - k))), QQ(1, k))
        coefficients.append(factor)
    return product(scale_, outer, _compose(scale_, coefficients, small))


def _compose(scale_: Scale, coefficients: list[Sum], small: Expansion) -> Expansion:
    """``sum(coefficients[k] * small**k)`` with its remainder."""
    zero = scale_.space.K.zero
    series, power = Expansion(((zero, coefficients[0]),) if coefficients[0] else ()), Expansion(((zero, constant(1)),))
    if not small.lowest:
        return series
    for value in coefficients[1:]:
        power = product(scale_, power, small)
        series = total(scale_, series, product(scale_, power, Expansion(((zero, value),) if value else ())))
    return total(scale_, series, Expansion((), tuple(first * QQ(len(coefficients)) for first in small.lowest)))


def logarithm(scale_: Scale, base: Expansion) -> Expansion:
    """``log(c) + m*log(s) + log(1 + u)``."""
    space = scale_.space
    power, value, small = _split(scale_, base)
    head = add(logform.logarithm(space, value), multiply(logform.from_field(space, power), scale_.slow))
    series = [constant(sp.Rational((-1) ** (k + 1), k) if k else 0) for k in range(scale_.order + 1)]
    return total(scale_, Expansion(((space.K.zero, head),) if head else ()), _compose(scale_, series, small))


def exponential(scale_: Scale, inner: Expansion) -> Expansion:
    """``exp`` of an expansion without negative powers."""
    space = scale_.space
    at_zero = [value for power, value in inner.terms if not power]
    rest = tuple((power, value) for power, value in inner.terms if power)
    if rest and not scale_.less(space.K.zero, rest[0][0]):
        raise Undecided(f"expand an exponential in {scale_.small}", f"its exponent stays finite as {scale_.small} -> 0")
    if not all(scale_.less(space.K.zero, power) for power in inner.remainder):
        raise Cancelled
    head = logform.exponential(space, at_zero[0]) if at_zero else constant(1)
    series = [constant(sp.Rational(1, sp.factorial(k))) for k in range(scale_.order + 1)]
    tail = _compose(scale_, series, Expansion(rest, inner.remainder))
    if scale_.fold is not None:
        ((monomial, coefficient),) = head.items()
        head = scale(scale_.fold(monomial), coefficient)
    moved = [_absorb(scale_, monomial, coefficient) for monomial, coefficient in head.items()]
    return product(scale_, scale_.collect(moved, ()), tail)


def _absorb(scale_: Scale, monomial: Monomial, coefficient: object) -> tuple[Exponent, Sum]:
    """A power of the small symbol that came out of ``exp(m*log(s))`` belongs to the exponent."""
    number = scale_.space.symbol(scale_.small)
    rest = tuple(pair for pair in monomial if pair[0] != number)
    for other, _ in rest:
        if scale_.space.atoms[other].kind == "exp" and atom_depends(scale_, other):
            written = scale_.space.write_atom(other)
            raise Undecided(f"expand in {scale_.small}", f"{written} is a power of {scale_.small} whose sign is known")
    return dict(monomial).get(number, scale_.space.K.zero), {rest: coefficient}
