"""The root of an implicit law for a block of points: Newton from the nearer asymptote, bisection where it fails.

The equation is ``G(u) = level`` with monotone G (``codegen.root``); generated functions give the level, two starts, G
and its derivative. The last step is known to be quadratic: a step below 1e-8 leaves an error below 1e-16.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import Array, aligned
from .blocks import Call, Functions, pairs

__all__ = ["BISECTIONS", "SMALL", "STEPS", "WIDEST", "Newton"]

STEPS = 12
SMALL = 1e-8
WIDEST = 1e9
BISECTIONS = 90


class Newton:
    """Solver for the blocks of one call."""

    def __init__(self, functions: Functions, call: Call) -> None:
        self._starts = pairs(functions, "start")
        self._step = pairs(functions, "step")
        self._known = [[first(call.parameters) for first, _ in some] for some in (self._starts, self._step)]
        self._rows = [aligned(*call.sets, call.width) for _ in range(7)]
        self.steps = 0

    def solve(self, call: Call, block: list[Array]) -> Array:
        """The coordinate u of every point of a block, shape (w,) or (k, w)."""
        level, left, right, bend, u, value, slope = (row[..., : call.width] for row in self._rows)
        call.block(self._starts, self._known[0], block, [level, left, right, bend])
        np.minimum(left, right, out=u)
        np.copyto(u, np.maximum(left, right, out=right), where=bend < 0)
        for self.steps in range(1, STEPS + 1):
            self._evaluate(call, block, u, value, slope)
            np.subtract(value, level, out=value)
            np.divide(value, slope, out=value)
            np.subtract(u, value, out=u)
            np.absolute(value, out=value)
            if np.max(value) <= SMALL or np.all(value <= np.multiply(SMALL, np.absolute(u, out=slope), out=slope)):
                return u
        failed = ~(value <= SMALL * (1 + np.abs(u))) & np.isfinite(level)
        if np.any(failed):
            np.copyto(u, self._bisect(call, block, level), where=failed)
        return u

    def _evaluate(self, call: Call, block: list[Array], u: Array, value: Array, slope: Array) -> None:
        call.block(self._step, self._known[1], [*block, u], [value, slope])

    def _bisect(self, call: Call, block: list[Array], level: Array) -> Array:
        """Halve a bracket that holds every double logarithm until it is one."""
        value, slope, lo = (np.empty(level.shape) for _ in range(3))
        hi = np.full(level.shape, WIDEST)
        self._evaluate(call, block, hi, value, slope)
        rising: Any = value >= level
        lo[...] = -WIDEST
        for _ in range(BISECTIONS):
            middle = (lo + hi) / 2
            self._evaluate(call, block, middle, value, slope)
            above = (value > level) == rising
            hi, lo = np.where(above, middle, hi), np.where(above, lo, middle)
        return (lo + hi) / 2
