"""Many small bounded linear least-squares problems at once, from their Gram matrices.

``min |r0 + A u|^2`` over ``lo <= u <= hi``. Each coordinate is free or on one of its bounds; the pattern whose solution
is feasible and whose gradient points outward on the bounds is the optimum (the problem is convex). Patterns are tried
from "all free" on; the members they solve drop out, and nearly all drop out at once. The batch is the last axis.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from ..budget import cached
from .solve import Floats

__all__ = ["RIDGE", "bounded", "patterns"]

RIDGE = 1e-13


def bounded(gram: Floats, lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
    """Solve a batch.

    Parameters
    ----------
    gram : array (q + 1, q + 1, m)
        Products of the columns ``A`` (first q) and ``r0`` (last).
    lo, hi : array (q,) or (q, m)
        Bounds; infinite where there is none.

    Returns
    -------
    u : array (q, m)
    cost : array (m,)
        Sums of squares.

    Examples
    --------
    >>> columns = np.array([[1.0, 1.0, 1.0], [0.0, 1.0, 2.0], [-1.0, -3.0, -5.0]])
    >>> u, cost = bounded((columns @ columns.T)[..., None], np.array([-np.inf, 0.0]), np.array([np.inf, 1.5]))
    >>> u[:, 0].round(9), cost.round(9)
    (array([1.5, 1.5]), array([0.5]))
    """
    m = gram.shape[-1]
    u, cost = np.zeros((len(gram) - 1, m)), np.full(m, np.inf)
    with np.errstate(all="ignore"):
        _fill(gram, lo if lo.ndim == 2 else lo[:, None], hi if hi.ndim == 2 else hi[:, None], u, cost)
    return u, cost


def _fill(gram: Floats, lo: Floats, hi: Floats, u: Floats, cost: Floats) -> None:
    """Solutions and costs into ``u`` and ``cost``; what overflows keeps an infinite cost."""
    q, m = u.shape
    todo = np.flatnonzero(np.isfinite(gram.sum(axis=(0, 1))))
    bounds = (tuple(bool(row.any()) for row in np.isfinite(ends)) for ends in (lo, hi))
    waiting = list(patterns(*bounds))
    while waiting:
        pattern = waiting.pop(0)
        part = gram if todo.size == m else gram[..., todo]
        below, above = (ends if ends.shape[1] == 1 else ends[:, todo] for ends in (lo, hi))
        tried, gradient = _solve(part, pattern, below, above)
        right = np.ones(len(todo), dtype=bool)
        for j, side in enumerate(pattern):
            right &= (tried[j] >= below[j]) & (tried[j] <= above[j]) if side == 0 else gradient[j] * side <= 0
        found = todo[right]
        u[:, found] = tried[:, right]
        total = part[q, q] + sum(tried[j] * (part[j, q] + gradient[j]) for j in range(q))
        cost[found] = np.maximum(total, 0.0)[right]
        todo = todo[~right]
        if not todo.size:
            break
        if not any(pattern):  # the bounds that the free solutions cross are held first
            ends = zip(tried, below, above, strict=True)
            crossed = [{0, -int((t < a).any()), int((t > b).any())} for t, a, b in ends]
            waiting.sort(key=lambda p: any(side not in sides for side, sides in zip(p, crossed, strict=True)))


@cached
def patterns(below: tuple[bool, ...], above: tuple[bool, ...]) -> tuple[tuple[int, ...], ...]:
    """Which coordinates are on a bound (-1 lower, +1 upper), fewest first."""
    choices = [[0] + [-1] * bool(a) + [1] * bool(b) for a, b in zip(below, above, strict=True)]
    return tuple(sorted(product(*choices), key=lambda p: (sum(map(abs, p)), p.count(1))))


def _solve(gram: Floats, pattern: tuple[int, ...], lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
    """The solution (q, m) with a pattern's coordinates held on their bounds, and the gradient there."""
    q = len(pattern)
    free = [j for j in range(q) if pattern[j] == 0]
    held = [j for j in range(q) if pattern[j] != 0]
    u, gradient = np.empty((q, gram.shape[-1])), np.zeros((q, gram.shape[-1]))
    for j in held:
        u[j] = lo[j] if pattern[j] < 0 else hi[j]
    known = [gram[j, q] + sum(gram[j, h] * u[h] for h in held) for j in free]
    for j, value in zip(free, _eliminate([[gram[i, j] for j in free] for i in free], known), strict=True):
        u[j] = -value
    for h in held:
        gradient[h] = gram[h, q] + sum(gram[h, j] * u[j] for j in range(q))
    return u, gradient


def _eliminate(rows: list[list[Floats]], known: list[Floats]) -> list[Floats]:
    """Solve symmetric positive systems by elimination along the batch."""
    q = len(rows)
    for i in range(q):
        pivot = rows[i][i] * (1 + RIDGE) + 1e-300
        for j in range(i + 1, q):
            factor = rows[j][i] / pivot
            for k in range(i + 1, q):
                rows[j][k] = rows[j][k] - factor * rows[i][k]
            known[j] = known[j] - factor * known[i]
        rows[i][i] = pivot
    for i in reversed(range(q)):
        total = known[i]
        for j in range(i + 1, q):
            total = total - rows[i][j] * known[j]
        known[i] = total / rows[i][i]
    return known
