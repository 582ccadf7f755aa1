"""Points at which an inequality all but fails, made worse by small moves: random ones may just miss what is false.

The relative margin, ``greater - lesser`` over the sum of the sizes of its terms, is lowered in floats, one symbol after
the other, by steps in ratio that shrink. What comes out are exact points; whether the claim fails there, balls say.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import sympy as sp

from .. import budget
from ..domain import Domain
from ..draws import floating
from .points import Point, inside

__all__ = ["closer"]

STARTS = 3
FIRST_STEP, LAST_STEP = 0.5, 1e-5
MOST_MOVES = 400
DENOMINATORS = (10, 1000, 10**6, 10**12)
_Place = dict[sp.Symbol, float]


def closer(lesser: sp.Expr, greater: sp.Expr, points: Sequence[Point], domain: Domain) -> Iterator[Point]:
    """Points inside the domain where floats find the relative margin below zero, in few digits first.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> start = Point(((x, sp.Integer(1)),))
    >>> str(next(closer(x, x**3 + sp.Rational(384, 1000), [start], Domain())).exact[x])
    '4/7'
    """
    parts = [floating(term) for term in sp.Add.make_args(greater - lesser)]

    def margin(place: _Place) -> float:
        try:
            terms = [part(place) for part in parts]
            return math.fsum(terms) / math.fsum(map(abs, terms))
        except (ArithmeticError, ValueError, TypeError):
            return math.nan

    places = [{symbol: float(value) for symbol, value in point.values} for point in points]
    known = [(margin(place), number) for number, place in enumerate(places)]
    for _, number in sorted(pair for pair in known if pair[0] == pair[0])[:STARTS]:
        place = _lowered(margin, places[number], domain)
        if margin(place) < 0:
            yield from _rounded(place, domain)


def _lowered(margin: Callable[[_Place], float], place: _Place, domain: Domain) -> _Place:
    """Where the margin is below zero, or no step lowers it."""
    lowest, step, moves = margin(place), FIRST_STEP, 0
    known = {symbol: domain.interval(symbol) for symbol in place}
    ends = {symbol: (float(interval.lo), float(interval.hi)) for symbol, interval in known.items()}
    while step > LAST_STEP and moves < MOST_MOVES and lowest >= 0:
        budget.check("look for a counterexample")
        before = lowest
        for symbol in place:
            for factor in (1 + step, 1 / (1 + step), -1.0):
                moved = place | {symbol: place[symbol] * factor}
                moves += 1
                if ends[symbol][0] < moved[symbol] < ends[symbol][1] and margin(moved) < lowest:
                    place, lowest = moved, margin(moved)
        step = step if lowest < before else step / 2
    return place


def _rounded(place: _Place, domain: Domain) -> Iterator[Point]:
    """The place as exact points of the domain, in ever more digits."""
    for most in DENOMINATORS:
        parts = {symbol: Fraction(value).limit_denominator(most) for symbol, value in place.items()}
        exact = {symbol: sp.Rational(part.numerator, part.denominator) for symbol, part in parts.items()}
        if inside(domain, exact):
            yield Point(tuple(exact.items()))
