"""What printed inputs can give when their last digits move: a witness, a proof that there is none, what matters most.

Inputs with values on both sides of the target are joined by a segment; halving it finds a point that hits the target.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
from flint import arb, ctx, fmpq

from .. import budget
from ..domain import Domain
from .ball import LADDER, Unclear, Undefined, Value, evaluate, rational
from .boxes import Box, Field, cover
from .points import inside, show_point

__all__ = ["Question", "Target", "matters_most", "never", "witness"]

MOST_BOXES = 3000
MOST_CORNERS = 256
MOST_RANDOM = 40
MOST_BISECTIONS = 80
MOST_BESIDE = 4


@dataclass(frozen=True)
class Target:
    """What the expression must hit: a closed interval; an end that is None does not bound.

    ``strict`` leaves the ends out.
    """

    lo: Fraction | None
    hi: Fraction | None
    strict: bool = False

    def place(self, value: Value) -> int | None:
        """-1 certainly below, 1 certainly above, 0 certainly inside, None not known."""
        with ctx.workprec(LADDER[-1]):
            over = self.lo is None or _past(value - _end(self.lo), self.strict)
            under = self.hi is None or _past(_end(self.hi) - value, self.strict)
        if over is False or under is False:
            return -1 if over is False else 1
        return 0 if over and under else None


def _end(end: Fraction) -> fmpq:
    return fmpq(end.numerator, end.denominator)


def _past(distance: Value, strict: bool) -> bool | None:
    """Whether a signed distance is positive, or not negative where the end counts; None if the ball does not tell."""
    if distance > 0 or (distance >= 0 and not strict):
        return True
    return False if distance < 0 or (distance <= 0 and strict) else None


@dataclass(frozen=True)
class Question:
    """The expression, the target, the printed inputs as a point and as a box, and where they must stay."""

    field: Field
    target: Target
    printed: dict[sp.Symbol, sp.Rational]
    box: Box
    domain: Domain

    def place(self, point: dict[sp.Symbol, sp.Rational]) -> int | None:
        """Where the value at an exact point lies; None if that is not known or there is no value."""
        return self.look(point)[0]

    def look(self, point: dict[sp.Symbol, sp.Rational]) -> tuple[int | None, Value | None]:
        """Place and value at an exact point, at the first precision that tells."""
        balls = {symbol: rational(value) for symbol, value in point.items()}
        value: Value | None = None
        for bits in LADDER:
            try:
                value = evaluate(self.field.value, balls, bits)
            except Undefined:
                return None, None
            except Unclear:
                continue
            found = self.target.place(value)
            if found is not None:
                return found, value
        return None, value


def witness(question: Question) -> str | None:
    """Inputs within their last digits that hit the target; None if none was found."""
    beside: dict[int, list[dict[sp.Symbol, sp.Rational]]] = {-1: [], 1: []}
    for point in _candidates(question):
        budget.check("look for inputs that give the printed result")
        place = question.place(point)
        if place == 0:
            return show_point(point)
        if place is None or len(beside[place]) == MOST_BESIDE:
            continue
        for other in beside[-place]:
            low, high = (point, other) if place < 0 else (other, point)
            if found := _between(question, low, high):
                return found
        beside[place].append(point)
    return None


def _candidates(question: Question) -> Iterator[dict[sp.Symbol, sp.Rational]]:
    """The printed inputs, corners of the box, then random points inside, all within the domain."""
    names = list(question.box)
    ends = [tuple(sp.Rational(int(end.p), int(end.q)) for end in question.box[symbol]) for symbol in names]
    rng = random.Random(0)
    corners = itertools.product(*ends) if 2 ** len(names) <= MOST_CORNERS else _drawn_corners(ends, rng)
    inner = (
        tuple(lo + (hi - lo) * sp.Rational(rng.randint(1, 999), 1000) for lo, hi in ends) for _ in range(MOST_RANDOM)
    )
    for values in itertools.chain([tuple(question.printed[symbol] for symbol in names)], corners, inner):
        point = dict(zip(names, values, strict=True))
        if inside(question.domain, point):
            yield point


def _drawn_corners(ends: list[tuple[sp.Rational, ...]], rng: random.Random) -> Iterator[tuple[sp.Rational, ...]]:
    for _ in range(MOST_CORNERS):
        yield tuple(rng.choice(pair) for pair in ends)


def _between(
    question: Question, below: dict[sp.Symbol, sp.Rational], above: dict[sp.Symbol, sp.Rational]
) -> str | None:
    """A point on the segment from a value below the target to one above that hits it, or the crossing itself."""
    low, high = below, above
    for _ in range(MOST_BISECTIONS):
        middle = {symbol: (low[symbol] + high[symbol]) / 2 for symbol in low}
        place = question.place(middle)
        if place == 0:
            return show_point(middle)
        if place is None:
            break
        low, high = (middle, high) if place < 0 else (low, middle)
    continuous = cover(question.field, question.box, lambda low, high: True, MOST_BOXES, everywhere=True)
    return f"a crossing between {show_point(below)} and {show_point(above)}" if continuous else None


def never(question: Question) -> int | None:
    """The number of boxes that prove that no inputs within their last digits hit the target."""
    if not question.box:
        return 1 if question.place({}) in (1, -1) else None
    place = question.target.place
    return cover(question.field, question.box, lambda low, high: place(low) == 1 or place(high) == -1, MOST_BOXES)


def matters_most(question: Question) -> str:
    """The input whose last digit moves the value most, the others as printed."""
    moves: list[tuple[float, str]] = []
    for symbol, ends in question.box.items():
        points = [{**question.printed, symbol: sp.Rational(int(end.p), int(end.q))} for end in ends]
        low, high = (question.look(point)[1] for point in points)
        if low is not None and high is not None:
            moves.append((abs(float(arb(high).mid()) - float(arb(low).mid())), str(symbol.name)))
    if not moves:
        return ""
    most, name = max(moves)
    return f"{name}, whose last digit moves the value by {most:.3g}"
