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
    from ..law import Cost, Law
    from .plot import Array

__all__ = ["drawn"]

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
    law = fit.law
    cost = next((one for one in law.costs if one.expression.free_symbols == set(law.inputs)), None)
    if len(law.inputs) != 2 or cost is None or (cost.expression / law.inputs[1]).has(law.inputs[1]):
        return None
    first, second = law.inputs
    columns = dict(fit.problem.x)
    x = columns[first.name]
    spent = np.asarray(codegen.compile(cost.expression, law.inputs)(x, columns[second.name]))
    budgets = np.geomspace(spent.min(), spent.max(), _SLICES)
    grid = np.geomspace(x.min() / _WIDER, x.max() * _WIDER, 120)
    other = codegen.compile(cost.symbol * second / cost.expression, (cost.symbol, first))
    slices = [
        Curve(f"{cost.symbol} = {budget:.3g}", grid, fit.predict({first.name: grid, second.name: other(budget, grid)}))
        for budget in budgets
    ]
    return (Points("runs", x, fit.problem.y),), (*slices, *_frontier(fit, law, cost, spent))


def _frontier(fit: FitResult, law: Law, cost: Cost, spent: Array) -> list[Curve]:
    """The least response for each budget against the first input that attains it; none without an optimum."""
    along = np.geomspace(spent.min(), spent.max(), _ALONG)
    names = {symbol.name for symbol in law.constants}
    try:
        found = derive.frontier(law, cost)
        at: dict[str, Any] = {name: value for name, value in fit.estimate.items() if name in names}
        best = codegen.evaluate(found, {**at, cost.symbol.name: along})
    except ScalingError:
        return []
    return [Curve("frontier", best[law.inputs[0].name], best[law.response.symbol.name])]
