"""The columns of a separated residual over cells: values and slopes at reference points, second derivatives as ranges.

Rows are weighted by the roots of their weights; the last of the vectors is the offset.
"""

from __future__ import annotations

import numpy as np

from ..solve import Floats
from .intervals import Interval, enclose
from .problem import Problem
from .quadratic import pairs
from .taylor import Vectors

__all__ = ["expand"]

_ROUNDING = 2.0**-50


def expand(problem: Problem, lo: Floats, hi: Floats, at: Floats) -> Vectors:
    """Columns over cells ``lo`` to ``hi`` about ``at``, each (m, d)."""
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
                first[:, i, k], half = _middle(enclose(expression, here), root)
                slip[:, i, k] = np.linalg.norm(half, axis=-1)
        for k, expression in enumerate(terms.seconds[i]):
            if expression != 0:
                second[:, i, k], radius[:, i, k] = _middle(enclose(expression, cell), root)
    return Vectors(first, slip, second, radius, np.zeros((m, count, p)))


def _middle(interval: Interval, root: Floats) -> tuple[Floats, Floats]:
    """Middle and half width, weighted; not finite where the range is not."""
    lo, hi = interval
    middle = (lo + hi) / 2
    half = np.maximum(hi - middle, middle - lo) * (1 + _ROUNDING)
    return middle * root, (half + np.abs(middle) * _ROUNDING) * root
