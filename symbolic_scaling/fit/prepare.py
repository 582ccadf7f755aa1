"""A problem made ready to be minimised: its rows, the units of the fit and the objective, from the record alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..errors import FitError
from . import box, require
from .box import Coordinate, Table
from .frame import Frame
from .loss import Measure
from .objective import Objective
from .priors import Priors
from .result import FitProblem
from .rows import Rows
from .solve import Floats
from .sparsity import bends

__all__ = ["SMALLEST", "Ready", "noise", "prepare", "whole"]

SMALLEST = 1e-140  # unit of the residuals
_LARGEST = 1e307  # of a constant
_SMALL = 1e-60  # a unit from which constants may leave the range of numbers
_LEAST = 1e-6  # noise of rows that a curve passes through exactly


@dataclass(frozen=True, eq=False)
class Ready:
    """The rows, the units in which they are of order 1, the objective in those units, and its residuals' own unit."""

    rows: Rows
    frame: Frame
    objective: Objective
    size: float = 1.0


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
    x = np.array([values for _, values in problem.x]).reshape(len(problem.x), len(problem.y))
    counts = problem.counts.astype(np.int_)
    told = (problem.rows_used, problem.rows_dropped, problem.digest, problem.weights, problem.sigma)
    rows = Rows(x, problem.y, counts, *told)
    frame = Frame.choose(law, rows, fixed, frozenset(given))
    require.range_of(law, rows, frame)
    table = frame.table(rows)
    inside = frame.inside(fixed, fixed)
    lower = frame.inside({symbol: lo for symbol, (lo, _) in given.items()}, fixed)
    upper = frame.inside({symbol: hi for symbol, (_, hi) in given.items()}, fixed)
    pairs = {symbol: (lower[symbol], upper[symbol]) for symbol in given}
    coordinates = box.declare(law, problem.residual, table, inside, pairs)
    if max(frame.sizes) > 1 / _SMALL or min(frame.sizes) < _SMALL:
        coordinates = tuple(_numbers(frame, c) for c in coordinates)
    loads = problem.loads / problem.loads.max()
    total = float(loads.sum()) * float(problem.loads.max())
    measure, inverse, size = _scaled(problem, frame, table)
    printed = measure.share * size**2 * (total if problem.reduce == "sum" else 1.0)
    priors = Priors(law, problem.priors, frame.sizes, problem.noise / (size * total**0.5)) if problem.priors else None
    shares, target = loads / loads.sum(), problem.target
    objective = Objective(
        law, measure.kind, table, shares, coordinates, inside, measure, inverse, priors, printed, target
    )
    return Ready(rows, frame, objective, size)


def _numbers(frame: Frame, c: Coordinate) -> Coordinate:
    """The coordinate, its upper end where the constant is still a number in the units of the user."""
    text, factor = frame.bounded(c.symbol)
    hi = min(c.hi, _LARGEST / factor) if factor > 1 else c.hi
    if text != c.symbol.name or c.base is not None or c.given or not c.lo < hi:
        return c
    return replace(c, hi=hi)


def whole(problem: FitProblem, ready: Ready, objective: Objective) -> Objective:
    """The objective of some rows of a problem, in their units, on all of its rows."""
    x = np.array([values for _, values in problem.x]).reshape(len(problem.x), len(problem.y))
    table = ready.frame.table(replace(ready.rows, x=x, y=problem.y))
    measure, inverse, _ = _scaled(problem, ready.frame, table)
    loads = problem.loads / problem.loads.sum()
    return replace(objective, table=table, weights=loads, measure=measure, inverse=inverse)


def noise(problem: FitProblem, ready: Ready, u: Floats) -> float:
    """The spread of a row about an optimum (p,), as priors are weighed: ``sqrt(sum w psi^2/(n - p)/mean psi')``.

    With ``psi`` the slope of the loss; for squares it is the residual standard deviation. Never below rounding.
    """
    objective = ready.objective
    psi, z = objective.scores(u[None])[0], objective.raw(u[None])[0][0]
    freedom = len(problem.y) - len(objective.coordinates)
    total = float(problem.loads.sum() * np.sum(objective.weights * psi[0] ** 2))
    bent = bends(objective.measure, objective.weights, z, freedom) / objective.measure.share / 2
    mean = float(np.sum(objective.weights * bent))
    return ready.size * max((total / max(freedom, 1) / max(mean, 1e-12)) ** 0.5 if freedom > 0 else 0.0, _LEAST)


def _scaled(problem: FitProblem, frame: Frame, table: Table) -> tuple[Measure, Floats | None, float]:
    """The measure and the rows' factors in units in which the largest factor is 1, and that unit."""
    measure, inverse = replace(problem.measure, one=1 / frame.sizes[-1]), None
    if problem.sigma is not None:
        inverse = 1 / problem.sigma
    if measure.residual == "absolute":
        inverse = frame.sizes[-1] * (np.ones_like(problem.y) if inverse is None else inverse)
    if inverse is None:
        return measure, None, 1.0
    size = float(np.max(measure.factor(table.y, inverse)))
    if not SMALLEST < size < 1 / SMALLEST:
        found = f"residuals over sigma would be of order {size:.3g}, and their squares no numbers"
        raise FitError(f"fit {problem.law.name}", found, "measure sigma or the response in other units")
    return replace(measure, delta=measure.delta / size), inverse / size, size
