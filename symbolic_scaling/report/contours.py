"""Lines of equal response over two inputs, the runs, and the frontier: where a budget is spent best.

The law is solved for the second input at each level; where it has no closed form there is no picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import codegen
from ..algebra.isolate import isolate
from .plot import Curve, Points
from .slices import budgets, frontier_of

if TYPE_CHECKING:
    from ..fit import FitResult

__all__ = ["drawn"]

_LEVELS = (0.1, 0.5, 0.9)  # which part of the runs lies below a line
_WIDER = 3.0


def drawn(fit: FitResult) -> tuple[tuple[Points, ...], tuple[Curve, ...]] | None:
    """Runs and lines in the plane of two inputs; None for a law of another number, or that is not solved for one.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> drawn(fit.curve(laws.get("m1"), x=[1.0, 10.0, 100.0], y=[2.0, 1.0, 0.5])) is None
    True
    """
    law, constants = fit.law, fit.law.constants
    if len(law.inputs) != 2:
        return None
    first, second = law.inputs
    solved = isolate(law.form, second, law.domain)
    if solved is None:
        return None
    columns = dict(fit.problem.x)
    x, z = columns[first.name], columns[second.name]
    other = codegen.compile(solved.value, (first, law.response.symbol, *constants))
    at = [fit.estimate[symbol.name] for symbol in constants]
    grid = np.geomspace(x.min() / _WIDER, x.max() * _WIDER, 160)
    lines = []
    for level in np.quantile(fit.problem.y, _LEVELS):
        with np.errstate(all="ignore"):
            height = np.asarray(other(grid, level, *at))
        inside = np.isfinite(height) & (height > z.min() / _WIDER) & (height < z.max() * _WIDER)
        if inside.sum() > 1:
            lines.append(Curve(f"{law.response.symbol} = {level:.4g}", grid[inside], height[inside]))
    spent = budgets(fit)
    best = frontier_of(fit, *spent) if spent is not None else None
    if best is not None:
        lines.append(Curve("frontier", best[first.name], best[second.name]))
    return ((Points("runs", x, z),), tuple(lines)) if lines else None
