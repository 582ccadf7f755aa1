"""The columns of a separated residual over cells: values and slopes at reference points, second derivatives as ranges.

Rows are weighted by the roots of their weights; the last of the vectors is the offset.

Where one column is constant and free, all vectors may be shifted along it. So the range of a second derivative ``e`` is
taken relative to one row: ``e_i - e_r`` is the integral of ``de/dx`` from ``x_r`` to ``x_i``, and rises or falls with a
searched constant where ``d2e/dx dtheta`` is proved to have one sign. There the ends of its range are its values at two
corners, and what all rows have in common, ``-log theta`` far outside the data, drops out.
"""

from __future__ import annotations

import numpy as np

from ..solve import Floats
from .intervals import Interval, enclose, point
from .problem import Problem
from .quadratic import pairs
from .taylor import Vectors

__all__ = ["expand"]

_ROUNDING = 2.0**-50


def expand(problem: Problem, lo: Floats, hi: Floats, at: Floats, unit: Floats) -> Vectors:
    """Columns over cells ``lo`` to ``hi`` about ``at``, derivatives by constants over ``unit``, each (m, d)."""
    terms, (m, d) = problem.terms, lo.shape
    root, given = np.sqrt(problem.objective.pull), problem.given()
    n, count, p = len(root), len(terms.parts), len(pairs(d))
    first, slip = np.zeros((m, count, 1 + d, n)), np.zeros((m, count, 1 + d))
    second, radius = np.zeros((m, count, p, n)), np.zeros((m, count, p, n))
    here = given | {s: (at[:, k, None], at[:, k, None]) for k, s in enumerate(terms.rest)}
    cell = given | {s: (lo[:, k, None], hi[:, k, None]) for k, s in enumerate(terms.rest)}
    for i, part in enumerate(terms.parts):
        for k, expression in enumerate((part, *terms.slopes[i])):
            if expression != 0:
                size = np.ones((m, 1)) if k == 0 else unit[:, k - 1, None]
                first[:, i, k], half = _middle(enclose(expression, here), root, size)
                slip[:, i, k] = np.linalg.norm(half, axis=-1)
        for k, (one, two) in enumerate(pairs(d)):
            if terms.seconds[i][k] != 0:
                ends = enclose(terms.seconds[i][k], cell)
                if terms.constant is not None:
                    ends = _relative(problem, (i, k), ends, (lo, hi))
                size = (unit[:, one] * unit[:, two])[:, None]
                second[:, i, k], radius[:, i, k] = _middle(ends, root, size)
    return Vectors(first, slip, second, radius, np.zeros((m, count, p)))


def _middle(interval: Interval, root: Floats, size: Floats) -> tuple[Floats, Floats]:
    """Middle and half width, scaled and weighted; not finite where the range is not."""
    lo, hi = interval[0] * size, interval[1] * size
    middle = (lo + hi) / 2
    half = np.maximum(hi - middle, middle - lo) * (1 + _ROUNDING)
    return middle * root, (half + np.abs(middle) * _ROUNDING) * root


def _relative(problem: Problem, which: tuple[int, int], ends: Interval, cells: tuple[Floats, Floats]) -> Interval:
    """The ranges relative to the middle row, where it is proved that such differences rise or fall; else ``ends``."""
    terms, given = problem.terms, problem.given()
    part, pair = which
    signs = terms.rises[part][pair]
    if signs is None:
        return ends
    row, found = len(problem.objective.table.y) // 2, []
    for side in (1, -1):
        corner = [cells[int(side * sign > 0)][:, k, None] for k, sign in enumerate(signs)]
        at = enclose(terms.seconds[part][pair], given | dict(zip(terms.rest, map(point, corner), strict=True)))
        found.append((at[0] - at[1][:, row, None], at[1] - at[0][:, row, None]))
    low, high = np.minimum(found[0][0], found[1][0]), np.maximum(found[0][1], found[1][1])
    defined = np.isfinite(ends[0] + ends[1]).all(axis=-1, keepdims=True)  # nowhere in the cell does the law end
    return np.where(defined, low, ends[0]), np.where(defined, high, ends[1])
