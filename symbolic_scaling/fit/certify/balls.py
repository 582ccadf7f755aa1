"""What a recheck does in ball arithmetic: the objective of the estimate, and the lower bound of every leaf."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from flint import ctx

from ...verify.ball import Unclear
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
        found = _bounds(problem, source, near, (lo, hi))
        still = ~(found >= target)
        if not still.any():
            return True
        lo, hi = halves(lo[still], hi[still])
        if not lo.shape[1]:
            return False
    return False


def _bounds(problem: Problem, source: Raw, near: Floats, cells: tuple[Floats, Floats]) -> Floats:
    """The lower bounds of cells (m,), at least 0."""
    found: list[Quadratic] = []
    owner = []
    for i, (lo, hi) in enumerate(zip(*cells, strict=True)):
        at = np.where((lo <= near) & (near <= hi), near, (lo + hi) / 2)
        leaf = Leaf(source, problem.terms.moving, problem.ends, (lo, hi, at))
        for one in _alternatives(leaf):
            found.append(one)
            owner.append(i)
    bounds = np.zeros(len(cells[0]))
    if found:
        g, h, reach = (np.stack([getattr(q, name) for q in found]).T for name in ("g", "h", "reach"))
        low = np.array([q.low for q in found])
        low = low + least((g[0], g[1]), (h[0], h[1]), reach[0], reach[1]) - 1e-14 * np.abs(low)
        np.maximum.at(bounds, owner, np.nan_to_num(low, nan=0.0, posinf=0.0))
    return bounds


def _alternatives(leaf: Leaf) -> Iterable[Quadratic]:
    """The bound with the held coordinates that the reference point suggests, and with those freed that press."""
    try:
        held = leaf.held()
        first = leaf.bound(held)
        yield first
        if first.pressed:
            yield leaf.bound(np.where(np.isin(np.arange(len(held)), first.pressed), 0, held))
    except (Unclear, ZeroDivisionError, np.linalg.LinAlgError):
        return
