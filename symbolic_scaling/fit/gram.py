"""Weighted linear problems at many points at once: Gram matrices of a residual's columns, and rows weighted anew.

A robust loss is minimised over the linear constants by weights ``rho'(z)/z`` taken from the residuals before (Holland
and Welsch 1977, doi 10.1080/03610927708827533), the same few times at every point.
"""

from __future__ import annotations

import numpy as np

from .linear import bounded
from .objective import Objective
from .solve import Floats

__all__ = ["gram", "reweighted"]


def gram(columns: list[Floats], weight: Floats, shape: tuple[int, ...]) -> Floats:
    """Gram matrices (q + 1, q + 1, m), the offset last."""
    size = len(columns)
    gram = np.empty((size, size, *shape))
    for i, left in enumerate(columns):
        weighted = left * weight
        for j, right in enumerate(columns[: i + 1]):
            gram[i, j] = gram[j, i] = np.einsum("...n,...n->...", weighted, right)
    return gram.reshape(size, size, -1)


def reweighted(
    objective: Objective,
    columns: list[Floats],
    shape: tuple[int, ...],
    u: Floats,
    ends: tuple[Floats, Floats],
    *,
    times: int,
) -> list[tuple[Floats, Floats]]:
    """The same with rows weighted by their residuals, and the loss in place of the squares; nothing without times."""
    if not times:
        return []
    measure = objective.measure
    factor = measure.factor(objective.table.y, objective.inverse)
    for _ in range(times):
        weights = objective.pull * measure.weights(factor * _residuals(columns, u, shape))
        u, _ = bounded(gram(columns, weights, shape), *ends)
    roots, _ = measure.roots(factor * _residuals(columns, u, shape))
    cost = np.einsum("...n,n->...", roots**2, objective.weights).ravel()
    return [(u, np.where(np.isfinite(cost), cost, np.inf))]


def _residuals(columns: list[Floats], u: Floats, shape: tuple[int, ...]) -> Floats:
    """The separable residual at every point (*shape, n)."""
    total: Floats = columns[-1] + sum(u[j].reshape(*shape, 1) * columns[j] for j in range(len(u)))
    return total
