"""Slices of a fitted law at equal cost, the runs, and the compute frontier that touches every slice.

A cost that is linear in the second input gives it: ``C = 6*N*D`` is ``D = C/(6*N)``. The frontier is what
``derive.frontier`` finds, at the fit's constants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import codegen, derive
from ..errors import ScalingError
from .plot import Curve, Points

if TYPE_CHECKING:
    from ..fit import FitResult
    from ..law import Cost
    from .plot import Array

__all__ = ["budgets", "drawn", "frontier_of"]

_SLICES = 4
_ALONG = 25
_WIDER = 3.0


def drawn(fit: FitResult) -> tuple[tuple[Points, ...], tuple[Curve, ...]] | None:
    """Runs and curves against the first input; None unless the law has two inputs and a cost linear in the second.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> drawn(fit.curve(laws.get("m1"), x=[1.0, 10.0, 100.0], y=[2.0, 1.0, 0.5])) is None
    True
    """
    found = budgets(fit)
    if found is None:
        return None
    cost, spent = found
    first, second = fit.law.inputs
    x = dict(fit.problem.x)[first.name]
    grid = np.geomspace(x.min() / _WIDER, x.max() * _WIDER, 120)
    other = codegen.compile(cost.symbol * second / cost.expression, (cost.symbol, first))
    slices = [
        Curve(f"{cost.symbol} = {budget:.3g}", grid, fit.predict({first.name: grid, second.name: other(budget, grid)}))
        for budget in np.geomspace(spent.min(), spent.max(), _SLICES)
    ]
    best = frontier_of(fit, cost, spent)
    line = [] if best is None else [Curve("frontier", best[first.name], best[fit.law.response.symbol.name])]
    return (Points("runs", x, fit.problem.y),), (*slices, *line)


def budgets(fit: FitResult) -> tuple[Cost, Array] | None:
    """A cost of two inputs that is linear in the second, and what each run spent; None where there is none."""
    law = fit.law
    cost = next((one for one in law.costs if one.expression.free_symbols == set(law.inputs)), None)
    if len(law.inputs) != 2 or cost is None or (cost.expression / law.inputs[1]).has(law.inputs[1]):
        return None
    columns = dict(fit.problem.x)
    return cost, np.asarray(codegen.compile(cost.expression, law.inputs)(*(columns[s.name] for s in law.inputs)))


def frontier_of(fit: FitResult, cost: Cost, spent: Array) -> dict[str, Any] | None:
    """The best inputs and response for budgets over the range of the runs; None without an optimum."""
    along = np.geomspace(spent.min(), spent.max(), _ALONG)
    names = {symbol.name for symbol in fit.law.constants}
    at: dict[str, Any] = {name: value for name, value in fit.estimate.items() if name in names}
    try:
        return dict(codegen.evaluate(derive.frontier(fit.law, cost), {**at, cost.symbol.name: along}))
    except ScalingError:
        return None
