"""Minima of a raw law in the logarithms of its inputs, with and without a cost; nothing of the engine is used.

The law's own form is evaluated by mpmath. One input is what the raw cost leaves, by the zero of the logarithm of the
cost; the others are found by golden sections, one coordinate inside another. Digits are doubled until a move of 1e-8
beside the minimum shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import sympy as sp

from symbolic_scaling import Law

__all__ = ["REACH", "Raw", "minimised", "zero"]

REACH = 1e5
FAR = 1e9


class Raw:
    """The loss as a function of the logarithms of the free inputs, at constants of its own."""

    def __init__(
        self, law: Law, chosen: list[sp.Symbol], point: dict[sp.Symbol, Any], spent: sp.Expr | None, money: Any
    ) -> None:
        assert law.explicit is not None
        self.y, self.point, self.money, self.spent = law.response.symbol, point, money, spent
        # what every term of the cost holds can be solved for at any value of the others
        parts = [] if spent is None else sp.Add.make_args(sp.expand(spent))
        self.last = max(chosen, key=lambda s: sum(part.has(s) for part in parts)) if parts else None
        self.free = [s for s in chosen if s != self.last]
        self.names = sorted(law.explicit.free_symbols, key=lambda s: s.name)
        self.law = sp.lambdify(self.names, law.explicit, "mpmath")
        if spent is not None:
            self.paid_names = sorted(spent.free_symbols, key=lambda s: s.name)
            self.paid = sp.lambdify(self.paid_names, spent, "mpmath")

    def loss(self, logs: dict[sp.Symbol, Any]) -> Any:
        here = {**self.point, **{s: mpmath.exp(u) for s, u in logs.items()}}
        return self.law(*(here[s] for s in self.names))

    def cost(self, logs: dict[sp.Symbol, Any]) -> Any:
        here = {**self.point, **{s: mpmath.exp(u) for s, u in logs.items()}}
        if self.y in self.paid_names:
            here[self.y] = self.loss(logs)
        return mpmath.log(self.paid(*(here[s] for s in self.paid_names)) / self.money)

    def left(self, logs: dict[sp.Symbol, Any]) -> Any:
        """The logarithm of what the cost leaves to the last input; None where nothing is left."""

        def over(u: Any) -> Any:
            return self.cost({**logs, self.last: u})

        at_zero, at_one = over(mpmath.mpf(0)), over(mpmath.mpf(1))
        straight = at_zero / (at_zero - at_one) if at_zero != at_one else mpmath.mpf(0)
        if abs(over(straight)) < mpmath.mpf(10) ** (15 - mpmath.mp.dps):
            return straight  # one monomial
        return zero(over, -FAR, FAR)

    def along(self, logs: dict[sp.Symbol, Any]) -> Any:
        """The loss with the budget spent; beyond all losses where it does not reach."""
        if self.last is None:
            return self.loss(logs)
        rest = self.left(logs)
        if rest is None:
            return mpmath.exp(mpmath.mpf(10) ** 12 + sum(logs.values()))
        return self.loss({**logs, self.last: rest})

    def least(self, reach: float, step: float = 0) -> dict[sp.Symbol, Any]:
        """The logarithms of all chosen inputs at the least loss."""
        logs: dict[sp.Symbol, Any] = {}
        if self.last is None or not self.paid_alone():
            logs = self._within(self.free, {}, reach, step)[1]
            return logs if self.last is None else {**logs, self.last: self.left(logs)}
        fixed = {self.last: self.left({})}
        for s in self.free:  # no cost and, beside it, no other input: one after the other, twice
            fixed[s] = mpmath.mpf(0)
        for s in (*self.free, *self.free):
            others = {other: u for other, u in fixed.items() if other != s}
            fixed[s] = golden(lambda u: self.loss({**others, s: u}), -reach, reach)  # noqa: B023
        return fixed

    def paid_alone(self) -> bool:
        """Whether the last input is all that costs."""
        return not set(self.free) & set(self.paid_names) and self.y not in self.paid_names

    def _within(
        self, free: list[sp.Symbol], logs: dict[sp.Symbol, Any], reach: float, step: float
    ) -> tuple[Any, dict[sp.Symbol, Any]]:
        if not free:
            return self.along(logs), logs
        s, rest = free[0], free[1:]

        def at(u: Any) -> Any:
            return self._within(rest, {**logs, s: u}, reach, step)[0]

        low, high = (-reach, reach) if not step else best_cell(at, reach, step)
        return self._within(rest, {**logs, s: golden(at, low, high)}, reach, step)


def zero(rising: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """The zero of a rising function: halving, then Ridder's rule; None where it does not change its sign."""
    low, high = mpmath.mpf(low), mpmath.mpf(high)
    if not rising(low) < 0 < rising(high):
        return None
    while high - low > 1:
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    settings = {"solver": "ridder", "tol": mpmath.mpf(10) ** (20 - mpmath.mp.dps), "maxsteps": 200, "verify": False}
    return mpmath.findroot(rising, (low, high), **settings)


def best_cell(function: Callable[[Any], Any], reach: float, step: float) -> tuple[float, float]:
    """Where a function that is flat far out is least on a grid."""
    count = math.ceil(reach / step)
    places = [k * step for k in range(-count, count + 1)]
    best = min(places, key=function)
    return best - step, best + step


def golden(function: Callable[[Any], Any], low: float, high: float) -> Any:
    """The minimum of a quasiconvex function by golden sections, to 1e-11."""
    ratio = (mpmath.sqrt(5) - 1) / 2
    low, high = mpmath.mpf(low), mpmath.mpf(high)
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = function(left), function(right)
    while high - low > mpmath.mpf(10) ** -11:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = function(right)
    return (low + high) / 2


def minimised(raw: Raw, reach: float, step: float) -> dict[sp.Symbol, Any]:
    """The minimum with as many digits as it takes to see a move of 1e-8 in any direction."""
    digits = 60
    while digits < 4000:
        with mpmath.workdps(digits):
            found = raw.least(reach, step)
            free = {s: found[s] for s in raw.free}
            here = raw.along(free)
            moves = [{**free, s: u + sign * mpmath.mpf(10) ** -8} for s, u in free.items() for sign in (1, -1)]
            if all(raw.along(move) > here * (1 + mpmath.mpf(10) ** (20 - digits)) for move in moves):
                return found
        digits *= 2
    raise AssertionError("no minimum shows")
