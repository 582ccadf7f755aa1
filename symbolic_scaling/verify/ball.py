"""Expressions in ball arithmetic (python-flint ``arb``): an enclosure that is certain, or a refusal, never a guess.

A SymPy expression becomes a :class:`Tape`, one operation a row, shared subexpressions once. A row's value is an exact
rational (``fmpq``) as long as that stays small, else a ball. Where a real value certainly does not exist (logarithm of
a negative number, division by zero, 0**0, a negative base under a fractional exponent) evaluation raises
:class:`Undefined`; where the ball is too wide to tell, :class:`Unclear` — more bits or a smaller box may help.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq

from .. import budget, nodes
from ..algebra.differentiate import carried_out
from ..budget import cached
from ..errors import ClaimError
from .arithmetic import OPERATIONS, Unclear, Undefined, Value, as_ball

__all__ = [
    "LADDER",
    "QUICK",
    "Tape",
    "Unclear",
    "Undefined",
    "Value",
    "elementary",
    "evaluate",
    "gap",
    "rational",
    "show",
    "tape",
]

LADDER = (64, 128, 256, 512, 1024, 2000)
"""Working precisions in bits, tried in this order."""

QUICK = LADDER[:1]
"""Where a proof stands beside it, or is tried first."""


@dataclass(frozen=True)
class Tape:
    """Rows ``(operation, argument rows, constant or symbol)``; the last row is the expression."""

    rows: tuple[tuple[str, tuple[int, ...], object], ...]


def elementary(expression: sp.Expr) -> sp.Expr:
    """The expression with its derivatives carried out, exactly, and the package's own functions written out.

    Examples
    --------
    >>> u = sp.Symbol("u", real=True)
    >>> elementary(sp.Derivative(nodes.softplus(u), u, evaluate=False))
    1/(1 + exp(-u))
    """
    own = tuple(getattr(nodes, name) for name in nodes.__all__)
    plain = carried_out(expression) if expression.has(sp.Derivative) else expression
    return plain.replace(lambda node: isinstance(node, own), lambda node: node.rewrite(sp.exp))


@cached
def tape(expression: sp.Expr) -> Tape:
    """The rows of ``expression``; derivatives are carried out first, exactly.

    Raises
    ------
    ClaimError
        For a function outside the grammar.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> [row[0] for row in tape(sp.log(x) + 1).rows]
    ['number', 'symbol', 'log', 'add']
    """
    rows: list[tuple[str, tuple[int, ...], object]] = []
    known: dict[sp.Basic, int] = {}
    for node in sp.postorder_traversal(elementary(expression)):
        if node not in known:
            budget.check("write an expression as operations")
            rows.append(_row(node, known))
            known[node] = len(rows) - 1
    return Tape(tuple(rows))


def _row(node: sp.Basic, known: dict[sp.Basic, int]) -> tuple[str, tuple[int, ...], object]:
    """One node as a row whose arguments are earlier rows."""
    if isinstance(node, sp.Symbol):
        return "symbol", (), node
    if isinstance(node, sp.Rational | sp.Float):
        return "number", (), rational(sp.Rational(node))
    if isinstance(node, sp.NumberSymbol | sp.core.numbers.Infinity | sp.core.numbers.NegativeInfinity):
        return _CONSTANTS.get(node, "undefined"), (), None
    if node in (sp.zoo, sp.nan, sp.I):
        return "undefined", (), None
    name = _NAMES.get(node.func.__name__)
    if name is None:
        raise ClaimError("evaluate an expression", f"{node.func.__name__} is not in the grammar", "rewrite it")
    return name, tuple(known[argument] for argument in node.args), None


def evaluate(rows: Tape, point: Mapping[sp.Symbol, Value], bits: int) -> Value:
    """The value at ``point`` (symbol -> exact rational or ball) with ``bits`` of working precision.

    Raises
    ------
    Undefined, Unclear
        As the module says.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> print(evaluate(tape(sp.sqrt(x)), {x: fmpq(9, 4)}, 64), evaluate(tape(sp.sqrt(x)), {x: fmpq(2)}, 64))
    3/2 [1.41421356237310 +/- ...]
    """
    values: list[Value] = []
    value: Any
    with ctx.workprec(bits):
        for name, arguments, data in rows.rows:
            if name == "symbol":
                value = point[data]
            elif name == "number":
                value = data
            else:
                value = OPERATIONS[name](*[values[i] for i in arguments])
            if isinstance(value, arb) and not value.is_finite():
                raise Unclear(name)
            values.append(value)
    return values[-1]


def gap(
    left: Tape, right: Tape, point: Mapping[sp.Symbol, Value], ladder: Sequence[int] = LADDER
) -> tuple[int | None, Value, Value]:
    """The certified sign of ``left - right`` at an exact point, and both values.

    The precision rises along ``ladder`` until the sign is certain; None when it is not at the last.

    Raises
    ------
    Undefined, Unclear
        If a side has no value, or none that the last precision can show.
    """
    both: tuple[Value, Value] | None = None
    for bits in ladder:
        try:
            both = evaluate(left, point, bits), evaluate(right, point, bits)
        except Unclear:
            if bits == ladder[-1]:
                raise
            continue
        sign = order(*both, bits)
        if sign is not None:
            return sign, *both
    assert both is not None
    return None, *both


def order(left: Value, right: Value, bits: int) -> int | None:
    """The sign of ``left - right`` if the two values fix it; 0 only for equal exact numbers."""
    if isinstance(left, fmpq) and isinstance(right, fmpq):
        return (left > right) - (left < right)
    with ctx.workprec(bits):
        difference = as_ball(left) - as_ball(right)
        return 1 if difference > 0 else -1 if difference < 0 else None


def rational(number: sp.Rational) -> fmpq:
    """A SymPy rational as ``fmpq``."""
    return fmpq(int(number.p), int(number.q))


def show(value: Value, digits: int = 12) -> str:
    """A value in a few digits, its radius with it."""
    if isinstance(value, fmpq) and len(str(value)) <= 2 * digits:
        return str(value)
    return str(as_ball(value).str(digits))


_CONSTANTS = {sp.pi: "pi", sp.E: "e"}

_NAMES = {
    "Add": "add",
    "Mul": "mul",
    "Pow": "pow",
    "LargePower": "pow",
    "exp": "exp",
    "log": "log",
    "Abs": "abs",
    "sign": "sign",
    "Heaviside": "step",
    "Max": "max",
    "Min": "min",
}
