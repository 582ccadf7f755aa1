"""The fewest digits of constants under which outcomes certainly hold: shares by slope, then enclosures of boxes."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import sympy as sp
from flint import arb, ctx, fmpq

from .. import budget
from ..errors import LawError
from ..verify.ball import Tape, evaluate
from ..verify.boxes import BITS, Box, Field, span

__all__ = ["Search", "as_range", "ratio"]

HALVINGS = 64
MOST_DIGITS = 30
PRECISION = 40


class Search:
    """The least digits found for outcomes (name -> expression) to hold to a part; ``money`` is exact."""

    def __init__(
        self,
        asked: str,
        outcomes: dict[str, sp.Expr],
        exact: dict[sp.Symbol, sp.Expr],
        money: sp.Symbol,
        part: Fraction,
    ):
        self.asked, self.part = asked, part
        self.point = {symbol: ratio(value) for symbol, value in exact.items()}
        self.values = {symbol: value for symbol, value in self.point.items() if symbol != money}
        self.fields = [Field.of(value) for value in outcomes.values()]
        self.middles = [self.at_point(field.value) for field in self.fields]
        self.slopes = {
            symbol: max(map(self._slope, self.fields, [symbol] * len(self.fields))) for symbol in self.values
        }

    def at_point(self, rows: Tape) -> arb:
        """A value at the published constants."""
        with ctx.workprec(BITS):
            return arb(evaluate(rows, {symbol: _exact(value) for symbol, value in self.point.items()}, BITS))

    def _slope(self, field: Field, symbol: sp.Symbol) -> float:
        """``|d log y/d p|``."""
        partial = dict(field.partial).get(symbol)
        return 0.0 if partial is None else abs(float((self.at_point(partial) / self.at_point(field.value)).mid()))

    def elasticity(self, symbol: sp.Symbol) -> float:
        """The largest ``|d log y/d log p|`` over the outcomes."""
        return self.slopes[symbol] * float(abs(self.values[symbol]))

    def run(self) -> dict[sp.Symbol, int]:
        """Equal shares of the allowed part, raised until the enclosures agree, then lowered one by one."""
        share = self.part / len(self.values)
        found = dict.fromkeys(self.values, 1)
        for symbol, value in self.values.items():
            while self.slopes[symbol] * float(_half(value, found[symbol])) > share and found[symbol] < MOST_DIGITS:
                found[symbol] += 1
        while not self.holds(found):
            budget.check(self.asked)
            most = max(found, key=lambda one: self.slopes[one] * float(_half(self.values[one], found[one])))
            found[most] += 1
            if found[most] > MOST_DIGITS:
                raise LawError(self.asked, f"{MOST_DIGITS} digits of {most} do not do", "allow more percent")
        spare = sorted(found, key=lambda one: (-found[one], str(one.name)))
        for symbol in spare:
            while found[symbol] > 1 and self.holds({**found, symbol: found[symbol] - 1}):
                found[symbol] -= 1
        return found

    def box(self, counts: dict[sp.Symbol, int]) -> Box:
        """All numbers within half a unit of the last digit."""
        halves = {symbol: _half(value, counts[symbol]) for symbol, value in self.values.items()}
        return self.with_money(
            {s: as_range(self.values[s] - half, self.values[s] + half) for s, half in halves.items()}
        )

    def with_money(self, box: Box) -> Box:
        """The box with what is spent, exactly."""
        return {**{symbol: as_range(value, value) for symbol, value in self.point.items() if symbol not in box}, **box}

    def holds(self, counts: dict[sp.Symbol, int]) -> bool:
        """Whether every outcome certainly stays within the part over the whole box."""
        box = self.box(counts)
        if any(lo <= 0 < self.values[symbol] for symbol, (lo, _) in box.items()):
            return False
        for field, middle in zip(self.fields, self.middles, strict=True):
            reach = span(field, _restricted(box, field), HALVINGS)
            if reach is None or not abs(arb(reach) / middle - 1) <= _exact(self.part):
                return False
        return True

    def looked_at(self, outcome: sp.Expr, boxes: tuple[Box, ...]) -> tuple[float, tuple[tuple[float, float], ...]]:
        """An outcome at the published constants, and its range over each box."""
        field = Field.of(outcome)
        ranges = tuple(_ends(field, self.with_money(box)) for box in boxes)
        return float(self.at_point(field.value).mid()), ranges


def _restricted(box: Box, field: Field) -> Box:
    """The part of the box that a field stands in."""
    return {symbol: box[symbol] for symbol, _ in field.partial}


def _ends(field: Field, box: Box) -> tuple[float, float]:
    reach = span(field, _restricted(box, field), HALVINGS)
    if reach is None:
        return float("-inf"), float("inf")
    return float(arb(arb(reach).lower())), float(arb(arb(reach).upper()))


def ratio(value: sp.Expr) -> Fraction:
    """A number as a rational, to 40 digits where it is none."""
    number = sp.Rational(value) if value.is_Rational else sp.Rational(str(sp.N(value, PRECISION)))
    return Fraction(int(number.p), int(number.q))


def _half(value: Fraction, count: int) -> Fraction:
    """Half a unit of the last of ``count`` significant digits."""
    lead = (Decimal(abs(value).numerator) / Decimal(value.denominator)).adjusted()
    return Fraction(10) ** (lead + 1 - count) / 2


def _exact(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def as_range(lo: Fraction, hi: Fraction) -> tuple[fmpq, fmpq]:
    """A side of a box."""
    return _exact(lo), _exact(hi)
