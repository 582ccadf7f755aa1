"""Printed numbers: is the printed result what the printed inputs give, could their last digits give it, or neither?

The value at the printed inputs decides CONSISTENT. Otherwise every input may move within half of its last printed
digit: a point of that box that gives the printed result decides ROUNDING, balls over the whole box that never meet it
decide REFUTED.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb

from ..algebra.zero import prove_zero
from ..domain import Domain
from ..errors import ClaimError, Undecided
from ..records import Number, Status
from .ball import Value, elementary, rational
from .boxes import Box, Field, span
from .finding import Finding
from .limit import replace_limits
from .printed import Printed, read_printed
from .rounding import Question, Target, matters_most, never, witness
from .support import placed

__all__ = ["check", "verify"]

SPAN_HALVINGS = 64


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
    there = placed(sides[0] - sides[1], exact)
    if there is None or prove_zero(there) is None:
        return None
    if statement.relation == "=":
        return Finding(Status.PROVED, "exact equality at the printed inputs")
    if statement.relation in ("<=", ">="):
        return Finding(Status.CONSISTENT, "both sides are equal at the printed inputs")
    return None if exact else Finding(Status.REFUTED, "both sides are equal")


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
        ("matters most", matters_most(question) if inputs else ""),
    )
    if place == 0:
        finding = Finding(Status.CONSISTENT, "value at the printed inputs")
    elif inputs and (found := witness(question)):
        finding = Finding(Status.ROUNDING, "within the last digits of the inputs", (("with", found),))
    elif count := never(question):
        finding = Finding(Status.REFUTED, "balls over the inputs' last digits", (("boxes", str(count)),))
    else:
        finding = Finding(Status.UNDECIDED, "balls over the inputs' last digits do not settle it")
    return finding.with_evidence(*evidence)


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
