"""A problem made ready to be minimised: its rows, the units of the fit and the objective, from the record alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import box, require
from .frame import Frame
from .objective import Objective
from .result import FitProblem
from .rows import Rows

__all__ = ["Ready", "prepare"]


@dataclass(frozen=True, eq=False)
class Ready:
    """The rows, the units in which they are of order 1, and the objective in those units."""

    rows: Rows
    frame: Frame
    objective: Objective


def prepare(problem: FitProblem) -> Ready:
    """What ``fit.curve`` minimises for a problem.

    Raises
    ------
    FitError
        If the rows run over more than floating point can compare.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> found = fit.curve(laws.get("m1"), [1.0, 2.0, 4.0], [4.0, 2.0, 1.0])
    >>> ready = prepare(found.problem)
    >>> ready.objective.lo.shape, [round(size, 9) for size in ready.frame.sizes]
    ((2,), [2.0, 4.0])
    """
    law = problem.law
    by_name = {symbol.name: symbol for symbol in law.constants}
    fixed = {by_name[name]: value for name, value in problem.fix}
    given = {by_name[name]: pair for name, pair in problem.bounds}
    x = np.stack([values for _, values in problem.x])
    counts = problem.counts.astype(np.int_)
    rows = Rows(x, problem.y, counts, problem.rows_used, problem.rows_dropped, problem.digest)
    frame = Frame.choose(law, rows, fixed, frozenset(given))
    require.range_of(law, rows, frame)
    table = frame.table(rows)
    inside = frame.inside(fixed, fixed)
    lower = frame.inside({symbol: lo for symbol, (lo, _) in given.items()}, fixed)
    upper = frame.inside({symbol: hi for symbol, (_, hi) in given.items()}, fixed)
    pairs = {symbol: (lower[symbol], upper[symbol]) for symbol in given}
    coordinates = box.declare(law, problem.residual, table, inside, pairs)
    weights = problem.counts / problem.counts.sum()
    return Ready(rows, frame, Objective(law, problem.residual, table, weights, coordinates, inside))
