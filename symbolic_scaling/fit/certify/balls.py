"""What a recheck does in ball arithmetic: the objective of the estimate, and the lower bound of every leaf."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np
from flint import ctx

from ...budget import check
from ..result import FitResult
from ..solve import Floats
from .cells import halves
from .issue import FLOOR, claim
from .leaf import Leaf, Quadratic
from .problem import Problem
from .quadratic import least
from .raw import BITS, Raw, raw

__all__ = ["proved"]

_ROUNDING = 1e-9  # of the objective that is claimed
_DEEPER = 4


def proved(problem: Problem, result: FitResult, cells: tuple[Floats, Floats], gap: float) -> bool:
    """Whether the estimate stands and no point of the cells, ends (m, d) each, is lower by more than ``gap``."""
    value, near = claim(problem, result)
    target = value - gap * max(value, FLOOR)
    with ctx.workprec(BITS):
        source = raw(problem)
        return _stands(problem, source, result, value) and _closed(problem, source, near, cells, target)


def _stands(problem: Problem, source: Raw, result: FitResult, value: float) -> bool:
    """Whether the estimate is in the box and has the objective ``value``."""
    theta, u = problem.located(problem.constants(result.estimate))
    for values, lo, hi in ((theta, problem.lo, problem.hi), (u, *problem.ends)):
        slack = _ROUNDING * (1 + np.maximum(np.abs(lo), np.abs(hi)))
        if not ((values >= lo - slack) & (values <= hi + slack)).all():
            return False
    at = [(float(t), float(t)) for t in np.clip(theta, problem.lo, problem.hi)]
    columns = [source.vector(part, 0, at)[0] for part in range(1 + len(u))]
    total = sum(
        sum((w * b for w, b in zip([1.0, *u.tolist()], row, strict=True)), row[0] * 0) ** 2
        for row in zip(*columns, strict=True)
    )
    return bool(abs(float(total.mid()) - value) <= _ROUNDING * max(value, FLOOR))


def _closed(problem: Problem, source: Raw, near: Floats, cells: tuple[Floats, Floats], target: float) -> bool:
    """Whether every cell has a lower bound of ``target``, after some halvings."""
    lo, hi = cells
    for _ in range(_DEEPER):
        still = np.array([not _reaches(problem, source, near, cell, target) for cell in zip(lo, hi, strict=True)])
        if not still.any():
            return True
        lo, hi = halves(lo[still], hi[still])
        if not lo.shape[1]:
            return False
    return False


def _reaches(problem: Problem, source: Raw, near: Floats, cell: tuple[Floats, Floats], target: float) -> bool:
    """Whether one of the attempts at a cell reaches the target; a sum of squares is at least 0."""
    if target <= 0:
        return True
    check("recheck a certificate")
    lo, hi = cell
    leaf = Leaf(
        source, problem.terms, problem.ends, (lo, hi, np.where((lo <= near) & (near <= hi), near, (lo + hi) / 2))
    )
    for q in _attempts(leaf):
        g, h, reach = (values.T[:, :, None] for values in (q.g, q.h, q.reach))
        if q.low + float(least((g[0], g[1]), (h[0], h[1]), reach[0], reach[1])[0]) >= target:
            return True
    return False


def _attempts(leaf: Leaf) -> Iterator[Quadratic]:
    """Bounds with what the minimiser at the reference point has on an end held, what presses of it freed, and with all
    columns that move held."""
    held = leaf.held()
    tried = [held]
    with suppress(ArithmeticError, np.linalg.LinAlgError):
        first = leaf.bound(held)
        yield first
        tried.append(np.where(np.isin(np.arange(len(held)), first.pressed), 0, held))
    tried.append(np.where(np.array(leaf.terms.moving, dtype=bool) & (held == 0), -1, held))
    for other in tried[1:]:
        if (other != held).any():
            with suppress(ArithmeticError, np.linalg.LinAlgError):
                yield leaf.bound(other)
