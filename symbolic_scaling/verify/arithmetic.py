"""Real arithmetic on exact rationals and balls: every operation encloses the truth, or says why it cannot.

A value is an exact ``fmpq`` as long as that stays small, else an ``arb`` ball. Operations work at the precision of the
context that :func:`.ball.evaluate` sets.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TypeAlias

from flint import arb, fmpq, fmpz

__all__ = ["OPERATIONS", "Unclear", "Undefined", "Value", "as_ball"]

Value: TypeAlias = "fmpq | arb"

_EXACT_BITS = 4096


class Undefined(ArithmeticError):
    """The expression certainly has no real value here; the message says why."""


class Unclear(ArithmeticError):
    """The balls are too wide to tell."""


def as_ball(value: Value) -> arb:
    """The value as a ball."""
    return value if isinstance(value, arb) else arb(value)


def _add(*values: Value) -> Value:
    return reduce(lambda total, value: _bounded(total + value), values)


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
        raise (Undefined if exponent <= 0 else Unclear)("division by zero" if exponent < 0 else "0**0")
    if isinstance(exponent, fmpq) and exponent.q == 1:
        return _integer_power(base, int(exponent.p))
    if base > 0:
        return _positive_power(base, exponent)
    if base < 0:
        fractional = isinstance(exponent, fmpq) or not exponent.contains_integer()
        raise (Undefined if fractional else Unclear)("a negative number under a fractional exponent")
    if base >= 0 and exponent > 0:
        return arb(0).union(as_ball(base).upper() ** as_ball(exponent))
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
    return as_ball(base) ** as_ball(exponent)


def _exp(value: Value) -> Value:
    return fmpq(1) if isinstance(value, fmpq) and value == 0 else as_ball(value).exp()


def _log(value: Value) -> Value:
    if value > 0:
        return fmpq(0) if isinstance(value, fmpq) and value == 1 else as_ball(value).log()
    raise (Undefined if value <= 0 else Unclear)("the logarithm of a number that is not positive")


def _abs(value: Value) -> Value:
    return value if value >= 0 else -value if value <= 0 else abs(as_ball(value))


def _sign(value: Value) -> Value:
    if value > 0 or value < 0:
        return fmpq(1 if value > 0 else -1)
    raise (Undefined if isinstance(value, fmpq) else Unclear)("the derivative of Abs, Min or Max at its kink")


def _step(value: Value, *_at_zero: Value) -> Value:
    return (_sign(value) + 1) / 2


def _max(*values: Value) -> Value:
    if all(isinstance(value, fmpq) for value in values):
        return max(values)
    return reduce(lambda top, value: top.max(value), map(as_ball, values))


def _min(*values: Value) -> Value:
    return -_max(*[-value for value in values])


def _undefined() -> Value:
    raise Undefined("an infinite or complex constant")


OPERATIONS: dict[str, Callable[..., Value]] = {
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
