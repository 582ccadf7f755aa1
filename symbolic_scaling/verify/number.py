"""Printed numbers: is the printed result what the printed inputs give, could their last digits give it, or neither?

The value at the printed inputs decides CONSISTENT. Otherwise every input may move within half of its last printed
digit: a point of that box that gives the printed result decides ROUNDING, balls over the whole box that never meet it
decide REFUTED.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
from flint import arb, fmpq

from .. import budget
from ..algebra.zero import prove_zero
from ..domain import Domain
from ..errors import ClaimError, Undecided
from ..records import Number, Status
from .ball import LADDER, Unclear, Undefined, Value, elementary, evaluate, rational
from .boxes import Box, Field, cover, span
from .finding import Finding
from .limit import replace_limits
from .points import inside, show_point
from .printed import Printed, read_printed

__all__ = ["Target", "check", "read_printed", "verify"]

MOST_BOXES = 3000
MOST_CORNERS = 256
MOST_RANDOM = 40
MOST_BISECTIONS = 80
SPAN_HALVINGS = 64


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
        if self.lo is not None and (value <= self._end(self.lo) if self.strict else value < self._end(self.lo)):
            return -1
        if self.hi is not None and (value >= self._end(self.hi) if self.strict else value > self._end(self.hi)):
            return 1
        above = self.lo is None or (value > self._end(self.lo) if self.strict else value >= self._end(self.lo))
        below = self.hi is None or (value < self._end(self.hi) if self.strict else value <= self._end(self.hi))
        return 0 if above and below else None

    @staticmethod
    def _end(end: Fraction) -> fmpq:
        return fmpq(end.numerator, end.denominator)


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


def verify(statement: Number, domain: Domain) -> Finding:
    """The finding on a printed number or on a relation between numbers.

    Raises
    ------
    ClaimError
        If a symbol has no printed value, or one that contradicts its declared sign.

    Examples
    --------
    >>> a, b = sp.symbols("a b", positive=True)
    >>> printed = ((a, "0.34"), (b, "0.28"))
    >>> verify(Number(b/(a + b), printed="0.46", values=printed), Domain()).status.name
    'ROUNDING'
    """
    inputs = check(statement, domain)
    sides = [elementary(side) for side in _sides(statement)]
    try:
        sides = list(replace_limits(tuple(sides), domain)[0])
    except Undecided as gap:
        return Finding(Status.UNDECIDED, "a limit is not decided", (("tried", str(gap)),))
    exact = {symbol: _exact(one.value) for symbol, one in inputs.items()}
    if len(sides) == 2 and (equal := _equality(statement, sides, exact)):
        return equal
    expression, target = _aim(statement, sides)
    question = Question(Field.of(expression), target, exact, _box(inputs, domain), domain)
    return _judge(question, statement, inputs)


def check(statement: Number, domain: Domain) -> dict[sp.Symbol, Printed]:
    """The printed inputs of a statement that can be judged.

    Raises
    ------
    ClaimError
        If a printed number does not read, a symbol has none, or one contradicts the domain.

    Examples
    --------
    >>> a = sp.Symbol("a", positive=True)
    >>> [one.text for one in check(Number(a, printed="0.1", values=((a, "0.12"),)), Domain()).values()]
    ['0.12']
    """
    inputs = {symbol: read_printed(text, f"read the value of {symbol}") for symbol, text in statement.values}
    if statement.printed is not None:
        read_printed(statement.printed, "read the printed result")
    missing = {str(s.name) for side in _sides(statement) for s in side.free_symbols - set(inputs)}
    if missing:
        raise ClaimError("judge a number", f"no value for {', '.join(sorted(missing))}", "add it to values")
    for symbol, one in inputs.items():
        interval = domain.interval(symbol)
        if not interval.contains(_exact(one.value)) or (symbol.is_integer and one.value.denominator != 1):
            raise ClaimError("judge a number", f"{symbol} = {one.text} is not in {interval}", "correct the value")
    return inputs


def _sides(statement: Number) -> list[sp.Expr]:
    return [side for side in (statement.left, statement.right) if side is not None]


def _equality(statement: Number, sides: list[sp.Expr], exact: dict[sp.Symbol, sp.Rational]) -> Finding | None:
    """An exact equality of the two sides at the printed inputs."""
    if prove_zero((sides[0] - sides[1]).subs(exact)) is None:
        return None
    if statement.relation == "=":
        return Finding(Status.PROVED, "exact equality at the printed inputs")
    status = Status.CONSISTENT if statement.relation in ("<=", ">=") or statement.values else Status.REFUTED
    if status is Status.REFUTED or statement.relation in ("<=", ">="):
        return Finding(status, "both sides are equal", (("value", "left - right = 0"),))
    return None


def _aim(statement: Number, sides: list[sp.Expr]) -> tuple[sp.Expr, Target]:
    """The expression and the interval that it must hit."""
    slack = (
        Fraction(0) if statement.tolerance is None else Fraction(int(statement.tolerance.p), int(statement.tolerance.q))
    )
    if statement.printed is not None:
        result = read_printed(statement.printed, "read the printed result")
        width = max(result.half, slack * abs(result.value))
        return sides[0], Target(result.value - width, result.value + width)
    left, right = sides
    if statement.relation == "=":
        return (left, Target(Fraction(0), Fraction(0))) if right == 0 else (left / right, Target(1 - slack, 1 + slack))
    difference = right - left if statement.relation in ("<", "<=") else left - right
    return difference, Target(Fraction(0), None, strict=statement.relation in ("<", ">"))


def _box(inputs: dict[sp.Symbol, Printed], domain: Domain) -> Box:
    """The box of the inputs' last digits, cut to the domain."""
    box: Box = {}
    for symbol, one in inputs.items():
        interval = domain.interval(symbol)
        lo, hi = (_exact(end) for end in one.ends)
        lo, hi = max(lo, interval.lo), min(hi, interval.hi)
        if symbol.is_integer:
            lo = hi = _exact(one.value)
        box[symbol] = rational(lo), rational(hi)
    return dict(sorted(box.items(), key=lambda pair: str(pair[0].name)))


def _judge(question: Question, statement: Number, inputs: dict[sp.Symbol, Printed]) -> Finding:
    place, value = question.look(question.printed)
    reach = span(question.field, question.box, SPAN_HALVINGS)
    evidence = (
        ("value", "not defined at the printed inputs" if value is None else _decimal(value)),
        ("interval", _ends(reach) if inputs else ""),
        ("wanted", _wanted(statement, question.target)),
        ("matters most", _matters_most(question) if inputs else ""),
    )
    if place == 0:
        finding = Finding(Status.CONSISTENT, "value at the printed inputs")
    elif witness := _witness(question):
        finding = Finding(Status.ROUNDING, "within the last digits of the inputs", (("with", witness),))
    elif count := _never(question):
        finding = Finding(Status.REFUTED, "balls over the inputs' last digits", (("boxes", str(count)),))
    else:
        finding = Finding(Status.UNDECIDED, "balls over the inputs' last digits do not settle it")
    return finding.with_evidence(*evidence)


def _never(question: Question) -> int | None:
    """The number of boxes that prove that no inputs within their last digits hit the target."""
    if not question.box:
        return 1 if question.place({}) in (1, -1) else None
    return cover(question.field, question.box, lambda value: question.target.place(value) in (1, -1), MOST_BOXES)


def _witness(question: Question) -> str | None:
    """Inputs within their last digits that hit the target; None if none was found."""
    beside: dict[int, dict[sp.Symbol, sp.Rational]] = {}
    for point in _candidates(question):
        budget.check("look for inputs that give the printed result")
        place = question.place(point)
        if place == 0:
            return show_point(point)
        if place is not None:
            beside.setdefault(place, point)
        if len(beside) == 2:
            return _between(question, beside[-1], beside[1])
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
    continuous = cover(question.field, question.box, lambda value: True, MOST_BOXES, everywhere=True)
    return f"a crossing between {show_point(below)} and {show_point(above)}" if continuous else None


def _matters_most(question: Question) -> str:
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


def _wanted(statement: Number, target: Target) -> str:
    if statement.printed is not None:
        return f"{statement.printed}, that is {_plain(target.lo)} to {_plain(target.hi)}"
    if statement.relation == "=":
        return f"left/right between {_plain(target.lo)} and {_plain(target.hi)}"
    return f"left {statement.relation} right"


def _plain(end: Fraction | None) -> str:
    return "" if end is None else f"{float(end):.10g}"


def _decimal(value: Value) -> str:
    return str(arb(value).str(10, radius=False))


def _ends(reach: Value | None) -> str:
    if reach is None:
        return "unbounded"
    return f"{arb(arb(reach).lower()).str(6, radius=False)} to {arb(arb(reach).upper()).str(6, radius=False)}"


def _exact(number: Fraction) -> sp.Rational:
    return sp.Rational(number.numerator, number.denominator)
