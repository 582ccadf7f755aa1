"""Many small bounded linear least-squares problems at once, from their Gram matrices.

``min |r0 + A u|^2`` over ``lo <= u <= hi``. Each coordinate is free or on one of its bounds; the pattern whose solution
is feasible and whose gradient points outward on the bounds is the optimum (the problem is convex). Patterns are tried
from "all free" on; the members they solve drop out, and nearly all drop out at once.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from .solve import Floats

__all__ = ["bounded"]

_RIDGE = 1e-13


def bounded(gram: Floats, lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
    """Solve a batch.

    Parameters
    ----------
    gram : array (m, q + 1, q + 1)
        Products of the columns ``A`` (first q) and ``r0`` (last).
    lo, hi : array (q,)
        Bounds; infinite where there is none.

    Returns
    -------
    u : array (m, q)
    cost : array (m,)
        Sums of squares.

    Examples
    --------
    >>> columns = np.array([[1.0, 1.0, 1.0], [0.0, 1.0, 2.0], [-1.0, -3.0, -5.0]])
    >>> u, cost = bounded((columns @ columns.T)[None], np.array([-np.inf, 0.0]), np.array([np.inf, 1.5]))
    >>> u.round(9), cost.round(9)
    (array([[1.5, 1.5]]), array([0.5]))
    """
    q = gram.shape[-1] - 1
    normal, slope, rest = gram[:, :q, :q], gram[:, :q, q], gram[:, q, q]
    u = np.zeros_like(slope)
    cost = np.full(len(gram), np.inf)
    todo = np.flatnonzero(np.isfinite(gram).all(axis=(1, 2)))
    for pattern in _patterns(lo, hi):
        if not todo.size:
            break
        tried, gradient = _solve(normal[todo], slope[todo], pattern, lo, hi)
        free = pattern == 0
        feasible = ((tried >= lo) & (tried <= hi))[:, free].all(axis=1)
        outward = (gradient * pattern <= 0)[:, ~free].all(axis=1)
        found = todo[feasible & outward]
        u[found] = tried[feasible & outward]
        todo = todo[~(feasible & outward)]
    solved = np.isfinite(rest)
    cost[solved] = (rest + np.einsum("mq,mq->m", u, 2 * slope + np.einsum("mqr,mr->mq", normal, u)))[solved]
    cost[todo] = np.inf
    return u, np.maximum(cost, 0.0)


def _patterns(lo: Floats, hi: Floats) -> list[NDArray[np.int_]]:
    """Which coordinates are on a bound (-1 lower, +1 upper), fewest first."""
    choices = [[0] + [-1] * bool(np.isfinite(a)) + [1] * bool(np.isfinite(b)) for a, b in zip(lo, hi, strict=True)]
    return sorted((np.array(p) for p in product(*choices)), key=lambda p: (np.abs(p).sum(), (p > 0).sum()))


def _solve(normal: Floats, slope: Floats, pattern: NDArray[np.int_], lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
    """The solution with a pattern's coordinates held on their bounds, and the gradient there."""
    free = np.flatnonzero(pattern == 0)
    u = np.where(pattern < 0, lo, np.where(pattern > 0, hi, 0.0)) * np.ones((len(slope), 1))
    right = slope + np.einsum("mqr,mr->mq", normal, u) if (pattern != 0).any() else slope
    if free.size:
        u[:, free] = -_eliminate(normal[:, free[:, None], free], right[:, free])
    return u, slope + np.einsum("mqr,mr->mq", normal, u)


def _eliminate(normal: Floats, right: Floats) -> Floats:
    """Solve symmetric positive systems by elimination along the batch; columns are scaled to one first."""
    q = right.shape[1]
    scale = np.sqrt(np.maximum(np.einsum("mqq->mq", normal), 1e-300))
    rows = [[normal[:, i, j] / (scale[:, i] * scale[:, j]) for j in range(q)] for i in range(q)]
    known = [right[:, i] / scale[:, i] for i in range(q)]
    for i in range(q):
        pivot = rows[i][i] + _RIDGE
        for j in range(i + 1, q):
            factor = rows[j][i] / pivot
            for k in range(i + 1, q):
                rows[j][k] = rows[j][k] - factor * rows[i][k]
            known[j] = known[j] - factor * known[i]
        rows[i][i] = pivot
    found: list[Floats] = [known[0]] * q
    for i in reversed(range(q)):
        total = known[i]
        for j in range(i + 1, q):
            total = total - rows[i][j] * found[j]
        found[i] = total / rows[i][i]
    return np.stack(found, axis=1) / scale
