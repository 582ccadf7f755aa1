"""Powers, logarithms and exponentials of sums: the rules that make the normal form.

A product of positive factors to a power is a product of powers; a sum to a power is factored first; ``log`` of a
product is a sum; ``exp`` of a logarithm is a power; integers split into primes. A base whose sign the domain does not
decide stays one factor.

Worked example: ``(6*N/(L**(1/a)*C))**s`` becomes the exponents ``{2: s, 3: s, N: s, L: -s/a, C: -s}``.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from flint import fmpz
from sympy import QQ

from .. import budget
from ..errors import DomainError
from .fraction import expand, factor
from .monomial import ONE, Exponent, Monomial, Space, Sum, add, constant, integer, join, multiply, raised, scale
from .signs import exponent_sign, log_sign, polynomial, sum_atom, sum_sign

__all__ = ["absolute", "exponential", "from_field", "in_field", "logarithm", "power"]

EASY_BITS = 100
"""Integers that are factored at once."""
SMALL_PRIMES = 3500
"""How many primes are tried as factors of larger ones; the last is 32609."""


def power(space: Space, terms: Sum, exponent: Exponent) -> Sum:
    """A sum to a power of the exponent field."""
    budget.check("raise to a power")
    if not exponent:
        return constant(1)
    if not terms:
        if exponent_sign(space, exponent) == 1:
            return {}
        raise DomainError(
            "raise to a power", f"0 to the power {exponent.as_expr()}", "exclude this point from the domain"
        )
    whole = integer(exponent)
    coefficient, monomial, pieces = factor(space, terms)
    for piece, count in pieces:
        number, flip = sum_atom(space, piece)
        coefficient *= flip**count
        monomial = join(monomial, ((number, space.exponent(count)),))
    if whole is not None:
        return {raised(monomial, exponent): QQ(coefficient) ** whole}
    return _fractional(space, coefficient, monomial, exponent)


def _fractional(space: Space, coefficient: Any, monomial: Monomial, exponent: Exponent) -> Sum:
    """A product to a power that is no integer: positive factors apart, the rest as one opaque base."""
    clear: Monomial = join(primes(space, abs(coefficient)), ONE)
    rest: list[tuple[int, Exponent]] = []
    for number, inner in monomial:
        known, whole = space.atoms[number].sign, integer(inner)
        if known in (0, 1):
            clear = join(clear, ((number, inner),))
        elif whole is not None and (whole % 2 == 0 or exponent.as_expr().is_even):
            clear = join(clear, ((space.atom("abs", number, 0), inner),))
        else:
            rest.append((number, inner))
    outside: Sum = {raised(clear, exponent): QQ(1)}
    if coefficient > 0 and not rest:
        return outside
    base: Sum = {tuple(rest): QQ(1 if coefficient > 0 else -1)}
    sign = 1 if sum_sign(space, base) == 1 else None
    return multiply(outside, space.monomial("sum", tuple(base.items()), sign, exponent))


def primes(space: Space, value: Any) -> Monomial:
    """A positive rational as powers of primes."""
    powers: dict[int, int] = {}
    for part, sign in ((int(value.numerator), 1), (int(value.denominator), -1)):
        for prime, count in _factors(part):
            powers[prime] = powers.get(prime, 0) + sign * count
    numbers = ((space.atom("prime", prime, 1), space.exponent(count)) for prime, count in sorted(powers.items()))
    return tuple(sorted(numbers, key=lambda pair: pair[0]))


def _factors(number: int) -> list[tuple[int, int]]:
    """The prime factors of a positive integer; what is left of a large one without small factors counts as one.

    Examples
    --------
    >>> _factors(360), _factors(2**3 * (10**30 + 57)**2)
    ([(2, 3), (3, 2), (5, 1)], [(2, 3), (1000000000000000000000000000057, 2)])
    """
    if number.bit_length() <= EASY_BITS:
        return [(int(prime), int(count)) for prime, count in fmpz(number).factor()]
    powers: list[tuple[int, int]] = []
    for part, count in fmpz(number).factor(trial_limit=SMALL_PRIMES):
        base, times = _root(int(part))
        inside = _factors(base) if base.bit_length() <= EASY_BITS else [(base, 1)]
        powers += [(prime, inner * times * int(count)) for prime, inner in inside]
    return powers


def _root(number: int) -> tuple[int, int]:
    """The number, whose prime factors are not below 2**14, as a power with the largest exponent."""
    for exponent in range(number.bit_length() // 14, 1, -1):
        root = int(fmpz(number).root(exponent))
        if root**exponent == number:
            return root, exponent
    return number, 1


def logarithm(space: Space, terms: Sum) -> Sum:
    """The logarithm of a sum: a sum of logarithms of atoms where every factor is positive."""
    if not terms:
        raise DomainError("take a logarithm", "the argument is zero", "exclude this point from the domain")
    whole = power(space, terms, space.K.one)
    total: Sum = {}
    if len(whole) == 1:
        ((monomial, coefficient),) = whole.items()
        if coefficient > 0 and all(space.atoms[number].sign in (0, 1) for number, _ in monomial):
            for number, exponent in join(monomial, primes(space, coefficient)):
                total = add(total, multiply(from_field(space, exponent), _atom_log(space, number)))
            return total
    return space.monomial("opaque", sp.log(space.write(expand(space, terms))), None)


def _atom_log(space: Space, number: int) -> Sum:
    atom = space.atoms[number]
    if atom.kind == "exp":
        return {atom.payload: QQ(1)}
    if atom.payload is sp.E:
        return constant(1)
    sign, strict = log_sign(space, number)
    return space.monomial("log", number, sign if strict else None)


def exponential(space: Space, terms: Sum) -> Sum:
    """``exp`` of a sum: a logarithm gives back a power, a rational function a power of e."""
    total: Monomial = ONE
    for monomial, coefficient in terms.items():
        inside = tuple(pair for pair in monomial if _field_atom(space, *pair))
        outside = tuple(pair for pair in monomial if pair not in inside)
        element = in_field(space, {inside: coefficient})
        if len(outside) == 1 and space.atoms[outside[0][0]].kind == "log" and integer(outside[0][1]) == 1:
            base = space.atoms[outside[0][0]].payload
        elif outside:
            base = space.atom("exp", outside, 1)
        else:
            base = space.atom("constant", sp.E, 1)
        total = join(total, ((base, element),))
    return {total: QQ(1)}


def _field_atom(space: Space, number: int, exponent: Exponent) -> bool:
    """Whether a power of an atom is a rational function of the space's symbols."""
    atom = space.atoms[number]
    if integer(exponent) is None:
        return False
    if atom.kind == "sum":
        return all(_field_atom(space, *pair) for monomial, _ in atom.payload for pair in monomial)
    return atom.kind == "symbol" and atom.payload in space.symbols


def in_field(space: Space, terms: Sum) -> Exponent | None:
    """The sum as an element of the exponent field, or None where it is no rational function."""
    total = space.K.zero
    for monomial, coefficient in expand(space, terms).items():
        product = space.K.one * coefficient
        for number, exponent in monomial:
            if not _field_atom(space, number, exponent):
                return None
            atom, whole = space.atoms[number], integer(exponent)
            gens = dict(zip(space.symbols, space.K.gens, strict=False))
            value: Any = in_field(space, dict(atom.payload)) if atom.kind == "sum" else gens[atom.payload]
            product *= value**whole
        total += product
    return total


def from_field(space: Space, exponent: Exponent) -> Sum:
    """An element of the exponent field as a sum."""
    below = power(space, polynomial(space, exponent.denom), -space.K.one)
    return multiply(polynomial(space, exponent.numer), below)


def absolute(space: Space, terms: Sum) -> Sum:
    """The absolute value: by the sign where the domain decides it."""
    sign = sum_sign(space, terms)
    if sign is not None:
        return scale(terms, QQ(sign))
    return space.monomial("opaque", sp.Abs(space.write(expand(space, terms))), 0)
