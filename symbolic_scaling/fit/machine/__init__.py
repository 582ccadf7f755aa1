"""The search's loops as machine code (extra ``numba``), for fits in great number.

The loops are translated once a machine and kept on disk; the kernel of a law's residual is translated once a process,
in a few seconds. Objectives that are more than a mean of squares are left to :mod:`..solve`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ... import codegen
from ...budget import check
from ...codegen.jit import eager, require, types
from ...law import Law
from ..objective import Objective
from ..solve import Floats, Solutions
from .descent import descend, kernel_type, task_type
from .squares import squares

__all__ = ["minimise", "squares"]

_KINDS = {"closed": 0, "linear": 0, "positive": 1, "ordered": 1, "negative": -1, "bounded": 3}


def minimise(objective: Objective, start: Floats, *, steps: int = 200, bend: bool = False) -> Solutions:
    """As :func:`..solve.minimise`, for one objective that is a mean of squares.

    Parameters
    ----------
    objective : Objective
    start : array (k, p)
    steps, bend
        As there.
    """
    require()
    check("fit")
    k, p = start.shape
    n = len(objective.table.y)
    lo, hi = np.ascontiguousarray(objective.lo), np.ascontiguousarray(objective.hi)
    made = Solutions(
        np.empty((k, p)),
        np.empty((k, n)),
        np.empty((k, n, p)),
        np.empty(k),
        np.full(k, np.inf),
        np.zeros(k, dtype=bool),
        np.zeros((k, p), dtype=np.int_),
    )
    data = np.empty((1, n, len(objective.table.x) + 1 + objective.compiled.implicit))
    data[0, :, : len(objective.table.x) + 1] = np.column_stack([*objective.table.x, objective.table.y])
    _descent(objective.law, objective.kind)(
        (data, np.sqrt(objective.weights), *_layout(objective)),
        (np.ascontiguousarray(start), lo, hi),
        (steps, bend),
        (made.u, made.r, made.cost, made.offset),
        (made.jacobian, made.converged, made.at),
    )
    return made


def _layout(objective: Objective) -> tuple[Any, ...]:
    """Of each coordinate the kind, the places of its constant and the lesser one, the span; then the constants."""
    chart, constants = objective.chart, objective.law.constants
    axes = [(j, axis) for j, axis in enumerate(chart.axes) if axis.kind != "fixed"]
    return (
        np.array([_KINDS[axis.kind] for _, axis in axes], dtype=np.int64),
        np.array([j for j, _ in axes], dtype=np.int64),
        np.array([axis.base if axis.kind == "ordered" else -1 for _, axis in axes], dtype=np.int64),
        np.array([axis.span for _, axis in axes], dtype=np.float64).reshape(-1, 2),
        np.array([float(objective.fixed.get(symbol, 0.0)) for symbol in constants]),
    )


@cache
def _descent(law: Law, kind: str) -> Callable[..., None]:
    """The descent on a law's own kernels."""
    compiled = codegen.residual(law, kind, "numba")
    kernels = compiled.kernels
    names = ("both", "both_explicit" if compiled.switch else "both")
    both, explicit = (eager(kernel_type)(kernels[name].py_func) for name in names)
    parameters = [name for name in compiled.inputs if name not in compiled.data]
    switch = parameters.index(compiled.switch) if compiled.switch else -1

    @eager(lambda: types.void(*task_type()))
    def run(problem, box, options, points, ends):
        descend(both, explicit, switch, problem, box, options, points, ends)

    return run
