"""The linear constants at every point of a grid as machine code: Gram matrices, bounds, rows over their slope."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...codegen.jit import jit as translated
from ..linear import RIDGE, patterns
from ..solve import Floats
from .algebra import jit

__all__ = ["squares"]

_summed = translated(cache=True, fastmath={"reassoc", "contract"})


def squares(
    columns: list[Floats],
    shape: tuple[int, ...],
    pull: Floats,
    ends: tuple[Floats, Floats],
    slopes: list[Floats],
    times: int,
) -> list[tuple[Floats, Floats]]:
    """The linear constants (q, m) and the sum of squares (m,) at every point.

    Parameters
    ----------
    columns : list of array (..., n)
        Of the separable residual, the offset last, broadcast over ``shape``.
    pull : array (n,)
        Weights of the rows.
    ends : (array (q,), array (q,))
        Bounds.
    slopes : list of array (..., n)
        Of the columns by the logarithm of the response.
    times : int
        How often the rows are divided by the slope of the residual before; each time gives one more answer.

    Returns
    -------
    list
        The answers, the first one with the rows as they are.
    """
    size = math.prod(shape)
    tables, which = _stacked(columns, shape)
    held = patterns(*(tuple(bool(end) for end in np.isfinite(side)) for side in ends))
    order = np.array(held, dtype=np.int64).reshape(len(held), len(columns) - 1)
    u, cost = np.zeros((times + 1, len(columns) - 1, size)), np.full((times + 1, size), np.inf)
    bends = _stacked(slopes, shape) if times else (tables, which)
    _solve(tables, which, *bends, pull, *ends, order, u, cost)
    return list(zip(u, cost, strict=True))


def _stacked(columns: list[Floats], shape: tuple[int, ...]) -> tuple[Floats, Any]:
    """All different rows of the columns, and which one stands for each column at each point (q + 1, m)."""
    which = np.empty((len(columns), *shape), dtype=np.int64)
    tables, begun = [], 0
    for place, column in enumerate(columns):
        own = column.shape[:-1] or (1,) * len(shape)
        count = math.prod(own)
        tables.append(column.reshape(count, -1))
        which[place] = np.arange(begun, begun + count).reshape(own)
        begun += count
    return np.concatenate(tables), which.reshape(len(columns), -1)


@_summed
def _gram(tables, which, weight, point, gram):
    size, n = len(which), tables.shape[1]
    for i in range(size):
        left = tables[which[i, point]]
        for j in range(i + 1):
            right, total = tables[which[j, point]], 0.0
            for row in range(n):
                total += weight[row] * left[row] * right[row]
            gram[i, j] = gram[j, i] = total


@jit
def _divided(tables, which, u, point, pull, weight):
    """The weights of the rows over the squared slope of the residual at u (q,), into ``weight`` (n,)."""
    weight[:] = tables[which[len(u), point]]
    for j in range(len(u)):
        factor, column = u[j], tables[which[j, point]]
        for row in range(len(pull)):
            weight[row] += factor * column[row]
    for row in range(len(pull)):
        weight[row] = pull[row] / (weight[row] * weight[row])


@jit
def _solve(tables, which, bends, bend, pull, lo, hi, order, u, cost):
    """At every point, each time, the first pattern of held bounds that is optimal (:mod:`..linear`)."""
    times, q, m = u.shape
    gram, tried, a, weight = np.empty((q + 1, q + 1)), np.empty(q), np.empty((q, q)), pull.copy()
    for point in range(m):
        weight[:] = pull
        for time in range(times):
            if time:
                _divided(bends, bend, u[time - 1, :, point], point, pull, weight)
            _gram(tables, which, weight, point, gram)
            if not math.isfinite(np.sum(gram)):
                continue
            for pattern in order:
                total = _held(gram, pattern, lo, hi, tried, a)
                if math.isfinite(total):
                    u[time, :, point], cost[time, point] = tried, max(total, 0.0)
                    break


@jit
def _held(gram, pattern, lo, hi, u, a):
    """The cost with a pattern's coordinates on their bounds; not a number if that is not optimal."""
    q = len(pattern)
    for j in range(q):
        u[j] = lo[j] if pattern[j] < 0 else hi[j] if pattern[j] > 0 else -gram[j, q]
    for j in range(q):
        if pattern[j] == 0:
            for h in range(q):
                a[j, h] = gram[j, h]
                u[j] -= gram[j, h] * u[h] if pattern[h] != 0 else 0.0
    for i in range(q):
        if pattern[i] == 0:
            a[i, i] = a[i, i] * (1 + RIDGE) + 1e-300
            for j in range(i + 1, q):
                if pattern[j] == 0:
                    factor = a[j, i] / a[i, i]
                    for h in range(i + 1, q):
                        a[j, h] -= factor * a[i, h] if pattern[h] == 0 else 0.0
                    u[j] -= factor * u[i]
    for i in range(q - 1, -1, -1):
        if pattern[i] == 0:
            for j in range(i + 1, q):
                u[i] -= a[i, j] * u[j] if pattern[j] == 0 else 0.0
            u[i] /= a[i, i]
            if not lo[i] <= u[i] <= hi[i]:
                return math.nan
    total = gram[q, q]
    for j in range(q):
        slope = gram[j, q]
        for h in range(q):
            slope += gram[j, h] * u[h]
        if pattern[j] != 0 and slope * pattern[j] > 0:
            return math.nan
        total += u[j] * (gram[j, q] + (slope if pattern[j] != 0 else 0.0))
    return total
