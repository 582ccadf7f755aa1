"""The search's loops as machine code (extra ``numba``), for fits in great number.

The loops are translated once a machine and kept on disk; the kernel of a law's residual is translated once a process,
in a few seconds. Objectives that are more than a mean of squares are left to :mod:`..solve`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import codegen
from ...budget import cached, check
from ...codegen.jit import eager, require, types
from ...law import Law
from ..solve import Floats, Solutions
from .descent import descend, kernel_type, task_type
from .last import refine
from .squares import squares

if TYPE_CHECKING:
    from ..objective import Objective

__all__ = ["Machine", "squares"]

_KINDS = {"closed": 0, "linear": 0, "positive": 1, "ordered": 1, "negative": -1, "bounded": 3}


class Machine:
    """The search of one objective that is a mean of squares.

    Parameters
    ----------
    objective : Objective

    Raises
    ------
    ScalingError
        Without numba.
    """

    def __init__(self, objective: Objective) -> None:
        require()
        table, implicit = objective.table, objective.compiled.implicit
        data = np.full((1, len(table.y), len(table.x) + 1 + implicit), np.nan)  # no root is known yet
        for j, values in enumerate((*table.x, table.y)):
            data[0, :, j] = values
        self._problem = (data, np.sqrt(objective.weights), *_layout(objective))
        self._box = (np.ascontiguousarray(objective.lo), np.ascontiguousarray(objective.hi))
        self._descent, self._last = _loops(objective.law, objective.kind)

    def minimise(self, start: Floats, *, steps: int = 200, bend: bool = False) -> Solutions:
        """As :func:`..solve.minimise`, from starts (k, p)."""
        check("fit")
        (k, p), n = start.shape, len(self._problem[1])
        made = Solutions(
            np.empty((k, p)),
            np.empty((k, n)),
            np.empty((k, n, p)),
            np.empty(k),
            np.full(k, np.inf),
            np.zeros(k, dtype=bool),
            np.zeros((k, p), dtype=np.int_),
        )
        self._descent(self._problem, (np.ascontiguousarray(start), *self._box), (steps, bend), *_parts(made))
        return made

    def polish(self, solved: Solutions) -> Solutions:
        """As :func:`..polish.polish`."""
        made = Solutions(*(np.array(getattr(solved, f.name), order="C") for f in fields(Solutions)))
        self._last(self._problem, self._box, *_parts(made))
        return made


def _parts(made: Solutions) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    return (made.u, made.r, made.cost, made.offset), (made.jacobian, made.converged, made.at)


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


@cached
def _loops(law: Law, kind: str) -> tuple[Callable[..., None], Callable[..., None]]:
    """The descent and the last step on a law's own kernels."""
    compiled = codegen.residual(law, kind, "numba")
    kernels = compiled.kernels
    names = ("both", "both_explicit" if compiled.switch else "both")
    both, explicit = (eager(kernel_type)(kernels[name].py_func) for name in names)
    parameters = [name for name in compiled.inputs if name not in compiled.data]
    switch = parameters.index(compiled.switch) if compiled.switch else -1
    problem, box, options, points, ends = task_type()

    @eager(lambda: types.void(problem, box, options, points, ends))
    def descent(problem, box, options, points, ends):
        descend(both, explicit, switch, problem, box, options, points, ends)

    @eager(lambda: types.void(problem, types.Tuple(box.types[1:]), points, ends))
    def last(problem, box, points, ends):
        refine(both, explicit, switch, problem, box, points, ends)

    return descent, last
