"""Exact values and derivatives of a law at a generic point: arithmetic in a prime field in place of real numbers.

A rank that holds for nearly all constants is found without rounding. Constants and inputs become random elements of a
field of 2^61 - 1 numbers; what is transcendental in the law becomes what its rules ask for and nothing more:

* ``g**e`` is a homomorphism in e: for each base g and each term m of the exponent one random element h, and
  ``g**(sum r m)`` is the product of ``h**r`` over the terms with rational coefficients r;
* ``log`` of a product is the sum of the logarithms of its bases, each a random element;
* ``exp(e)`` is a power of a base whose logarithm is 1.

Derivatives follow by the chain rule beside the values. Sums stand as bases under their value. Inputs that are the same
number are one element, and an input that is a constant times powers of others on all rows is that product. A rank found
so is never too low but for a chance of about 1e-17 (Schwartz and Zippel), and too high only where the numbers of the
table stand in another relation.

Worked example: on runs with ``D = 20*N``, ``A/N**a + B/D**a`` has rank 2 in (A, B, a): ``D**(-a)`` is
``20**(-a) * N**(-a)``, so that the columns of A and B are one column twice.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

import sympy as sp

from ..errors import ScalingError

__all__ = ["PRIME", "Base", "Field", "Number", "Row"]

PRIME = (1 << 61) - 1
_ROOTS = 27720 * 10**6  # exponents with denominators that divide this are powers of one element
#: what a base is known by: a symbol's class, or the value of a sum
Base: TypeAlias = tuple[str, int, int]
#: what is no constant on one row of the table, as products of bases
Row: TypeAlias = Mapping[sp.Symbol, tuple[tuple[Base, Fraction], ...]]


@dataclass(frozen=True)
class Number:
    """A value and its derivatives by the constants, in the field."""

    value: int
    slopes: tuple[int, ...]


@dataclass
class Field:
    """A generic point: the elements drawn so far.

    Parameters
    ----------
    constants : tuple of Symbol
    seed : int
    at : mapping of Symbol to Rational
        Constants that stand at a number and not at a generic one.
    """

    constants: tuple[sp.Symbol, ...]
    seed: int = 0
    at: Mapping[sp.Symbol, sp.Rational] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._drawn: dict[tuple[object, ...], int] = {}
        self._zero = (0,) * len(self.constants)

    def draw(self, *key: object) -> int:
        """The random element of a key, the same each time."""
        return self._drawn.setdefault(key, self._random.randrange(2, PRIME))

    def evaluate(self, expression: sp.Expr, row: Row) -> Number:
        """An expression's value and derivatives on one row.

        Parameters
        ----------
        expression : Expr
            Of sums, products, powers, ``exp`` and ``log``.
        row : mapping of Symbol to tuple of (base, exponent)
            What is no constant, as products of bases.

        Raises
        ------
        ScalingError
            For another function.
        """
        if expression.is_Symbol:
            return self._symbol(expression, row)
        if expression.is_Rational:
            return Number(_ratio(Fraction(int(expression.p), int(expression.q))), self._zero)
        if expression.is_Add:
            parts = [self.evaluate(part, row) for part in expression.args]
            return Number(sum(p.value for p in parts) % PRIME, _added(*(p.slopes for p in parts)))
        if expression.is_Mul:
            return self._product([self.evaluate(part, row) for part in expression.args])
        if isinstance(expression, sp.log):
            return self._log(expression.args[0], row)
        if isinstance(expression, (sp.Pow, sp.exp)):
            base, exponent = expression.as_base_exp()
            return self._power(base, exponent, row)
        raise ScalingError(
            f"evaluate {expression} exactly", f"the function {expression.func}", "use powers, exp and log"
        )

    def _symbol(self, symbol: sp.Symbol, row: Row) -> Number:
        if symbol in row:
            value = 1
            for base, power in row[symbol]:
                value = value * self._raised(base, 1, power) % PRIME
            return Number(value, self._zero)
        place = self.constants.index(symbol)
        slopes = tuple(int(i == place) for i in range(len(self.constants)))
        if symbol in self.at:
            return Number(_ratio(Fraction(int(self.at[symbol].p), int(self.at[symbol].q))), slopes)
        return Number(self._raised(("constant", place, 0), 1, Fraction(1)), slopes)

    def _product(self, parts: list[Number]) -> Number:
        made = parts[0]
        for part in parts[1:]:
            slopes = ((a * part.value + b * made.value) % PRIME for a, b in zip(made.slopes, part.slopes, strict=True))
            made = Number(made.value * part.value % PRIME, tuple(slopes))
        return made

    def _bases(self, base: sp.Expr, row: Row) -> list[tuple[Base, Fraction]]:
        """A positive expression as a product of bases with rational exponents."""
        if base.is_Mul:
            return [pair for part in base.args for pair in self._bases(part, row)]
        if base.is_Pow and base.exp.is_Rational:
            power = Fraction(int(base.exp.p), int(base.exp.q))
            return [(inner, power * own) for inner, own in self._bases(base.base, row)]
        if base is sp.E:
            return [(("e", 0, 0), Fraction(1))]
        if base in row:
            return list(row[base])
        if base.is_Symbol and base not in self.at:
            return [(("constant", self.constants.index(base), 0), Fraction(1))]
        return [(("value", self.evaluate(base, row).value, 0), Fraction(1))]

    def _log(self, of: sp.Expr, row: Row) -> Number:
        total = sum(_ratio(power) * self._log_of(base) for base, power in self._bases(of, row)) % PRIME
        inner = self.evaluate(of, row)
        inverse = pow(inner.value, -1, PRIME)
        return Number(total, tuple(slope * inverse % PRIME for slope in inner.slopes))

    def _log_of(self, base: Base) -> int:
        return 1 if base[0] == "e" else self.draw("log", base)

    def _power(self, base: sp.Expr, exponent: sp.Expr, row: Row) -> Number:
        if exponent.is_Integer and base is not sp.E:
            inner = self.evaluate(base, row)
            value = pow(inner.value, int(exponent), PRIME)
            factor = int(exponent) * value * pow(inner.value, -1, PRIME)
            return Number(value, tuple(factor * slope % PRIME for slope in inner.slopes))
        power = self.evaluate(exponent, row)
        terms, value = self._terms(exponent, row), 1
        log = self._log(base, row) if base is not sp.E else Number(1, self._zero)
        for one, own in self._bases(base, row):
            for key, share in terms:
                value = value * self._raised(one, key, own * share) % PRIME
        slopes = (
            value * (up * log.value + power.value * inner) % PRIME
            for up, inner in zip(power.slopes, log.slopes, strict=True)
        )
        return Number(value, tuple(slopes))

    def _terms(self, exponent: sp.Expr, row: Row) -> list[tuple[int, Fraction]]:
        """The exponent as a sum: for each term what it is known by, and its rational coefficient."""
        found = []
        for term in sp.Add.make_args(sp.expand(exponent.xreplace(dict(self.at)))):
            share, rest = term.as_coeff_Mul(rational=True)
            found.append((self.evaluate(rest, row).value, Fraction(int(share.p), int(share.q))))
        return found

    def _raised(self, base: Base, key: int, power: Fraction) -> int:
        """``base**(power * key)``; the base itself is that with key 1 and power 1."""
        if base[0] == "value" and key == 1 and power.denominator == 1:
            return pow(base[1], int(power), PRIME)
        whole = power * _ROOTS
        if whole.denominator == 1:
            return pow(self.draw("power", base, key), int(whole), PRIME)
        return self.draw("power", base, key, power)


def _ratio(number: Fraction) -> int:
    return number.numerator * pow(number.denominator, -1, PRIME) % PRIME


def _added(*slopes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sum(column) % PRIME for column in zip(*slopes, strict=True))
