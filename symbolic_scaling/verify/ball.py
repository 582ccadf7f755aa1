"""Expressions in ball arithmetic (python-flint ``arb``): an enclosure that is certain, or a refusal, never a guess.

A SymPy expression becomes a :class:`Tape`, one operation a row, shared subexpressions once. A row's value is an exact
rational (``fmpq``) as long as that stays small, else a ball. Where a real value certainly does not exist (logarithm of
a negative number, division by zero, 0**0, a negative base under a fractional exponent) evaluation raises
:class:`Undefined`; where the ball is too wide to tell, :class:`Unclear` — more bits or a smaller box may help.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any, TypeAlias

import sympy as sp
from flint import arb, ctx, fmpq, fmpz

from .. import nodes
from ..errors import ClaimError

__all__ = [
    "LADDER",
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

Value: TypeAlias = "fmpq | arb"

LADDER = (64, 128, 256, 512, 1024, 2000)
"""Working precisions in bits, tried in this order."""

_EXACT_BITS = 4096


class Undefined(ArithmeticError):
    """The expression certainly has no real value here; the message says why."""


class Unclear(ArithmeticError):
    """The balls are too wide to tell."""


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
    plain = expression.doit() if expression.has(sp.Derivative) else expression
    return plain.replace(lambda node: isinstance(node, own), lambda node: node.rewrite(sp.exp))


@lru_cache(maxsize=512)
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
    3/2 [1.41421356237309505 +/- 1.00e-18]
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
                value = _OPERATIONS[name](*[values[i] for i in arguments])
            if isinstance(value, arb) and not value.is_finite():
                raise Unclear(name)
            values.append(value)
    return values[-1]


def gap(left: Tape, right: Tape, point: Mapping[sp.Symbol, Value]) -> tuple[int | None, Value, Value]:
    """The certified sign of ``left - right`` at an exact point, and both values.

    The precision rises along :data:`LADDER` until the sign is certain; None when it is not at the last.

    Raises
    ------
    Undefined, Unclear
        If a side has no value, or none that the last precision can show.
    """
    both: tuple[Value, Value] | None = None
    for bits in LADDER:
        try:
            both = evaluate(left, point, bits), evaluate(right, point, bits)
        except Unclear:
            if bits == LADDER[-1]:
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
        difference = _ball(left) - _ball(right)
        return 1 if difference > 0 else -1 if difference < 0 else None


def rational(number: sp.Rational) -> fmpq:
    """A SymPy rational as ``fmpq``."""
    return fmpq(int(number.p), int(number.q))


def show(value: Value, digits: int = 12) -> str:
    """A value in a few digits, its radius with it."""
    if isinstance(value, fmpq) and len(str(value)) <= 2 * digits:
        return str(value)
    return str(_ball(value).str(digits))


def _ball(value: Value) -> arb:
    return value if isinstance(value, arb) else arb(value)


def _add(*values: Value) -> Value:
    return reduce(lambda total, value: total + value, values)


def _mul(*values: Value) -> Value:
    return reduce(lambda total, value: _bounded(total * value), values)


def _bounded(value: Value) -> Value:
    """Exact numbers only while they stay small."""
    if isinstance(value, fmpq) and max(value.p.bit_length(), value.q.bit_length()) > _EXACT_BITS:
        return arb(value)
    return value


def _pow(base: Value, exponent: Value) -> Value:
    """``base**exponent`` over the reals; 0**0 has no value."""
    if isinstance(base, fmpq) and base == 0:
        if exponent > 0:
            return base
        raise (Undefined if exponent <= 0 else Unclear)("a power of zero with exponent not above zero")
    if isinstance(exponent, fmpq) and exponent.q == 1:
        return _integer_power(base, int(exponent.p))
    if base > 0:
        return _positive_power(base, exponent)
    if base < 0:
        fractional = isinstance(exponent, fmpq) or not exponent.contains_integer()
        raise (Undefined if fractional else Unclear)("a negative number under a fractional exponent")
    if base >= 0 and exponent > 0:
        return arb(0).union(_ball(base).upper() ** _ball(exponent))
    raise Unclear("a base that may be negative or zero")


def _integer_power(base: Value, exponent: int) -> Value:
    if isinstance(base, fmpq):
        size = max(abs(base.p).bit_length(), base.q.bit_length()) * abs(exponent)
        return base**exponent if size <= _EXACT_BITS else arb(base) ** fmpz(exponent)
    if exponent <= 0 and base.contains(0):
        raise Unclear("division by a ball that contains zero")
    if exponent % 2 == 0 and exponent > 0 and base.contains(0):
        return arb(0).union(arb(base.abs_upper()) ** fmpz(exponent))
    return base ** fmpz(exponent)


def _positive_power(base: Value, exponent: Value) -> Value:
    """An exact root if there is one, else a ball."""
    if isinstance(base, fmpq) and isinstance(exponent, fmpq) and exponent.q <= 64 and abs(exponent.p) <= 64:
        top, bottom = (part.root(int(exponent.q)) for part in (base.p, base.q))
        if top ** int(exponent.q) == base.p and bottom ** int(exponent.q) == base.q:
            return _integer_power(fmpq(top, bottom), int(exponent.p))
    return _ball(base) ** _ball(exponent)


def _exp(value: Value) -> Value:
    return fmpq(1) if isinstance(value, fmpq) and value == 0 else _ball(value).exp()


def _log(value: Value) -> Value:
    if value > 0:
        return fmpq(0) if isinstance(value, fmpq) and value == 1 else _ball(value).log()
    raise (Undefined if value <= 0 else Unclear)("the logarithm of a number that is not positive")


def _abs(value: Value) -> Value:
    return value if value >= 0 else -value if value <= 0 else abs(_ball(value))


def _sign(value: Value) -> Value:
    if value > 0 or value < 0:
        return fmpq(1 if value > 0 else -1)
    raise (Undefined if isinstance(value, fmpq) else Unclear)("the derivative of Abs, Min or Max at its kink")


def _step(value: Value, *_at_zero: Value) -> Value:
    return (_sign(value) + 1) / 2


def _max(*values: Value) -> Value:
    if all(isinstance(value, fmpq) for value in values):
        return max(values)
    return reduce(lambda top, value: top.max(value), map(_ball, values))


def _min(*values: Value) -> Value:
    return -_max(*[-value for value in values])


def _undefined() -> Value:
    raise Undefined("an infinite or complex constant")


_CONSTANTS = {sp.pi: "pi", sp.E: "e"}

_NAMES = {
    "Add": "add",
    "Mul": "mul",
    "Pow": "pow",
    "exp": "exp",
    "log": "log",
    "Abs": "abs",
    "sign": "sign",
    "Heaviside": "step",
    "Max": "max",
    "Min": "min",
}

_OPERATIONS: dict[str, Callable[..., Value]] = {
    "add": _add,
    "mul": _mul,
    "pow": _pow,
    "exp": _exp,
    "log": _log,
    "abs": _abs,
    "sign": _sign,
    "step": _step,
    "max": _max,
    "min": _min,
    "pi": arb.pi,
    "e": lambda: arb(1).exp(),
    "undefined": _undefined,
}
