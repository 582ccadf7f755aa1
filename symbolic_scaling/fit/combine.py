"""The combinations of constants that rows identify where they do not identify the constants themselves.

A direction in the null space of the Jacobian leaves every response unchanged. What no such direction moves is
identified; the null space is exact (:mod:`.generic`), so this is decided, not estimated. Candidates come from the law's
own terms: those that have one value on all rows, and those that are one function of the inputs on these rows; then
products, ratios, sums and differences of two constants.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations

import sympy as sp
from flint import nmod_mat

from .. import notation
from ..law import Law
from .design import Design
from .generic import PRIME, Field, Number, Row

__all__ = ["combinations_of"]

_ROWS = 600  # so many rows say what all say, but for tables made to deceive
_FIRST = 4  # times the constants: rows looked at first


def combinations_of(
    law: Law, design: Design, free: tuple[sp.Symbol, ...], at: Mapping[sp.Symbol, float], seed: int = 0
) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    """The rank on the rows, the constants that are identified, and combinations of the others that are.

    Parameters
    ----------
    free : tuple of Symbol
        Constants that are not fixed.
    at : mapping of Symbol to number
        Constants that stand at a number.

    Raises
    ------
    ScalingError
        If the law holds a function that has no exact arithmetic.
    """
    exact = {symbol: sp.Rational(repr(float(value))) for symbol, value in at.items()}
    point = _Point(law, Field(law.constants, seed, exact), free)
    rows = list(design.rows)
    random.Random(seed).shuffle(rows)
    taken = 0
    for upto in (_FIRST * len(free), _ROWS):
        while taken < min(upto, len(rows)):
            point.add(rows[taken])
            taken += 1
        if point.rank == len(free):
            return len(free), tuple(s.name for s in free), ()
    null = point.null
    sure = [s for s, moves in zip(free, null, strict=True) if not any(moves)]
    found: list[str] = []
    known = [point.unit(symbol) for symbol in sure]
    for text, number in _candidates(law, design, point, [s for s in free if s not in sure]):
        slopes = point.of_free(number)
        moved = any(sum(a * b for a, b in zip(slopes, way, strict=True)) % PRIME for way in zip(*null, strict=True))
        if not moved and any(slopes) and _rank([*known, slopes]) > len(known):
            known.append(slopes)
            found.append(text)
        if len(known) == point.rank:
            break
    return point.rank, tuple(s.name for s in sure), tuple(found)


class _Point:
    """The Jacobian of the response at a generic point, row by row."""

    def __init__(self, law: Law, field: Field, free: tuple[sp.Symbol, ...]) -> None:
        self.law, self.field = law, field
        self.places = [law.places[symbol] for symbol in free]
        self.jacobian: list[list[int]] = []

    def of_free(self, number: Number) -> list[int]:
        """The derivatives by the free constants."""
        return [number.slopes[place] for place in self.places]

    def unit(self, symbol: sp.Symbol) -> list[int]:
        """The gradient of a constant."""
        return [int(self.law.constants[place] == symbol) for place in self.places]

    def add(self, row: Row) -> None:
        """One more row; of an implicit law it is up to a factor, which changes no rank."""
        if self.law.explicit is not None:
            self.jacobian.append(self.of_free(self.field.evaluate(self.law.explicit, row)))
            return
        y = self.law.response.symbol
        whole = {**row, y: ((("response", len(self.jacobian), 0), Fraction(1)),)}
        left, right = (self.field.evaluate(side, whole) for side in self.law.form.args)
        sides = zip(self.of_free(left), self.of_free(right), strict=True)
        self.jacobian.append([(a * right.value - b * left.value) % PRIME for a, b in sides])

    @property
    def rank(self) -> int:
        """The rank of the rows so far."""
        return _rank(self.jacobian)

    @property
    def null(self) -> list[list[int]]:
        """For each free constant how it moves along each direction of the null space."""
        basis, nullity = _matrix(self.jacobian).nullspace()
        return [[int(basis[i, j]) for j in range(nullity)] for i in range(len(self.places))]


def _matrix(rows: list[list[int]]) -> nmod_mat:
    return nmod_mat(len(rows), len(rows[0]), [entry for row in rows for entry in row], PRIME)


def _rank(rows: list[list[int]]) -> int:
    return int(_matrix(rows).rank()) if rows else 0


def _candidates(law: Law, design: Design, point: _Point, lost: list[sp.Symbol]) -> Iterator[tuple[str, Number]]:
    """Expressions that may be identified, and their values and derivatives."""
    rows, field = design.rows, point.field
    if law.explicit is not None:
        written = sp.expand_power_base(law.explicit.xreplace(dict(design.follows)))
        terms = [t for t in sp.Add.make_args(written) if t.free_symbols & set(lost)]
        some = rows[: min(len(rows), 12)]
        values = {t: [field.evaluate(t, row).value for row in some] for t in terms}
        still = [t for t in terms if len(set(values[t])) == 1]
        if still:
            whole = sp.Add(*still)
            yield notation.text(whole) + design.where(whole), field.evaluate(whole, rows[0])
        for group in _alike([t for t in terms if t not in still], values):
            whole = sp.Add(*(term / _shape(term, law) for term in group))
            yield notation.text(whole) + design.where(whole), field.evaluate(whole, rows[0])
    for a, b in combinations(lost, 2):
        for pair in (a * b, a / b, a + b, a - b):
            yield notation.text(pair), field.evaluate(pair, rows[0])


def _alike(terms: list[sp.Expr], values: Mapping[sp.Expr, list[int]]) -> list[list[sp.Expr]]:
    """Groups of terms whose ratio is one number on all rows."""
    groups: list[list[sp.Expr]] = []
    for term in terms:
        for group in groups:
            pairs = zip(values[term], values[group[0]], strict=True)
            if len({a * pow(b, -1, PRIME) % PRIME for a, b in pairs}) == 1:
                group.append(term)
                break
        else:
            groups.append([term])
    return [group for group in groups if len(group) > 1]


def _shape(term: sp.Expr, law: Law) -> sp.Expr:
    """The factor of a term that holds the inputs."""
    return sp.Mul(*(factor for factor in sp.Mul.make_args(term) if factor.free_symbols & set(law.inputs)))
