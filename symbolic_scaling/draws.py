"""Numbers drawn from intervals, and a quick look in floats at whether an expression is positive there.

Rejection sampling draws many points for each that it keeps: the look drops most of them before exact arithmetic.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from fractions import Fraction

import sympy as sp

__all__ = ["draw", "floating", "quick"]

Floats = Callable[[Mapping[sp.Symbol, float]], float]

_OPERATIONS: dict[str, Callable[..., float]] = {
    "Add": lambda *terms: sum(terms),
    "Mul": lambda *factors: math.prod(factors),
    "Pow": math.pow,
    "exp": math.exp,
    "log": math.log,
    "Abs": abs,
    "Max": max,
    "Min": min,
}


def quick(expression: sp.Expr) -> Callable[[Mapping[sp.Symbol, float]], bool]:
    """Whether the expression may be positive at a point of floats; True where floats do not tell.

    Examples
    --------
    >>> x = sp.Symbol("x", real=True)
    >>> [quick(sp.log(x) - 1)({x: value}) for value in (1.0, 3.0, -1.0)]
    [False, True, True]
    """
    value = floating(expression)

    def may(point: Mapping[sp.Symbol, float]) -> bool:
        try:
            return not value(point) <= 0
        except (ArithmeticError, ValueError):
            return True

    return may


def floating(expression: sp.Expr) -> Floats:
    """The expression as nested calls; not a number where it holds another function.

    The calls raise ``ArithmeticError`` or ``ValueError`` where a float has no value.

    Examples
    --------
    >>> x = sp.Symbol("x", real=True)
    >>> floating(x**2 - 1)({x: 3.0})
    8.0
    """
    if isinstance(expression, sp.Symbol):
        return lambda point: point[expression]
    if expression.is_number:
        number = float(expression) if expression.is_real else math.nan
        return lambda point: number
    operation = _OPERATIONS.get(expression.func.__name__)
    if operation is None:
        return lambda point: math.nan
    arguments = [floating(argument) for argument in expression.args]
    return lambda point: operation(*[argument(point) for argument in arguments])


def draw(lo: sp.Expr, hi: sp.Expr, rng: random.Random, integer: bool) -> Fraction:
    """One rational between two ends; log-uniform near 1 where an end is infinite.

    Examples
    --------
    >>> 2 <= draw(sp.Integer(2), sp.Integer(3), random.Random(0), False) <= 3
    True
    """
    if integer:
        start = int(sp.ceiling(lo)) if lo.is_finite else -20
        stop = int(sp.floor(hi)) if hi.is_finite else max(start, 0) + 20
        return Fraction(rng.randint(start, max(start, stop)))
    unit = Fraction(rng.randint(1, 9999), 10000)
    away = Fraction(10 ** rng.uniform(-1.0, 1.0)).limit_denominator(1000)
    if lo.is_finite and hi.is_finite:
        return _fraction(lo) + (_fraction(hi) - _fraction(lo)) * unit
    if lo.is_finite:
        return _fraction(lo) + away
    if hi.is_finite:
        return _fraction(hi) - away
    return away * rng.choice((-1, 1))


def _fraction(end: sp.Expr) -> Fraction:
    rational = sp.Rational(end)
    return Fraction(int(rational.p), int(rational.q))
