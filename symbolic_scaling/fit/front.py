"""``fit.curve``: one call from a law and a table to its optimum, with no start values."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version

import numpy as np
from numpy.typing import ArrayLike

from ..errors import FitError
from ..law import Law
from . import box, notes, require, rows, search, spread, twins
from .frame import Frame
from .objective import Objective
from .prepare import prepare
from .result import Certificate, FitProblem, FitResult, Minimum, Outcome
from .rows import Rows
from .search import Minima
from .solve import Floats

__all__ = ["curve"]


def curve(
    law: Law,
    x: Mapping[str, ArrayLike] | ArrayLike,
    y: ArrayLike,
    *,
    residual: str = "response",
    fix: Mapping[str, float] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    seed: int = 0,
    on_bad: str = "drop",
) -> FitResult:
    """Fit a law to a table: the lowest mean squared log residual in a declared box.

    Parameters
    ----------
    law : Law
        Of ``laws`` or the user's own.
    x : array (n,) or mapping of name to array (n,)
        Inputs, in any unit.
    y : array (n,)
        Response.
    residual : {"response", "equation"}
        ``log y - log y_hat``, or ``log left - log right`` of the law's form (arXiv 2209.06640 for M1 to M4).
    fix : mapping of name to value
        Constants that are not fitted.
    bounds : mapping of name to (lo, hi)
        Replaces the default box of a constant (:mod:`symbolic_scaling.fit.box`).
    seed : int
        The same seed gives the same result.
    on_bad : {"drop", "raise"}
        What to do with rows that are missing, not finite or not positive.

    Returns
    -------
    FitResult

    Raises
    ------
    FitError
        If there are fewer distinct inputs than constants to fit, or a name or bound is wrong.
    DataError
        If the arrays cannot be read as a table.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = curve(laws.get("m2"), x=[1e6, 1e7, 1e8], y=[3.0, 2.5, 2.25])
    >>> {name: round(value, 6) for name, value in found.estimate.items()}
    {'beta': 64.0, 'c': -0.30103, 'eps_inf': 2.0}
    >>> found.notes
    ('0 degrees of freedom: the curve passes through every row, so there are no standard errors',)
    """
    if residual not in ("response", "equation"):
        raise FitError(f"fit {law.name}", f"residual {residual!r}", 'give "response" or "equation"')
    fixed, given = require.fixed(law, fix or {}), require.named(law, bounds or {})
    read = rows.read(law, x, y, on_bad)
    require.distinct(law, read, len(law.constants) - len(fixed))
    require.sides(law, read, fixed)
    problem = FitProblem(
        law=law,
        residual=residual,
        x=tuple((symbol.name, values) for symbol, values in zip(law.inputs, read.x, strict=True)),
        y=read.y,
        counts=read.counts.astype(np.float64),
        fix=tuple((symbol.name, float(value)) for symbol, value in fixed.items()),
        bounds=tuple((symbol.name, (float(lo), float(hi))) for symbol, (lo, hi) in given.items()),
        seed=seed,
        rows_used=read.used,
        rows_dropped=read.dropped,
        digest=read.digest,
        versions=_versions(),
    )
    with np.errstate(all="ignore"):  # far out in the box terms saturate to 0 or infinity; none of those is kept
        ready = prepare(problem)
        objective = ready.objective
        found = search.find(objective, seed) if objective.coordinates else search.nothing_free(objective)
        found = twins.add(objective, found)
        if not len(found.u):
            raise FitError(f"fit {law.name}", "the residual is finite nowhere in the box", "widen the bounds")
        return _result(problem, read, ready.frame, objective, found)


def _result(problem: FitProblem, read: Rows, frame: Frame, objective: Objective, found: Minima) -> FitResult:
    law, coordinates = problem.law, objective.coordinates
    outside = frame.outside(objective.constants(found.u))
    require.finite(law, outside[:, 0])
    minima = tuple(_minimum(law, objective, found, outside[:, i], i) for i in range(len(found.u)))
    missing, said = notes.identified(law, coordinates, found.r[0], found.jacobian[0], found.at[0])
    alike = twins.alike(found)
    swapped = twins.differ(law, outside[:, alike])
    missing += [name for name in swapped if name not in missing]
    sure = [c.symbol.name for c in coordinates if c.symbol.name not in missing]
    said += notes.equivalent(law, read, outside[:, alike], swapped, sure)
    said += notes.constant_terms(law, read, outside[:, 0], missing, sure)
    inner = [c.symbol for c, side in zip(coordinates, found.at[0], strict=True) if not side]
    free, lost = ([s for s in inner if (s.name in missing) is known] for known in (False, True))
    freedom = len(read.y) - len(coordinates)
    turned = notes.wrong_shape(law, read, outside[:, 0])
    edges = notes.edges(law, coordinates, found.u[0])
    outcome = _outcome(found, minima, missing, turned, edges)
    errors: tuple[tuple[str, float], ...] = ()
    if outcome.success:
        errors = spread.standard_errors(
            law, problem.residual, read, outside[:, 0], free=free, freedom=freedom, lost=lost
        )
    said = [*notes.of_rows(read, law), *minima[0].walls, *edges, *said, *turned]
    if "scattered" in found.method:
        said.append(
            f"{found.reached[0]} of {found.starts} starts end in the best minimum; a lower one is not ruled out"
        )
    if freedom == 0:
        said.append("0 degrees of freedom: the curve passes through every row, so there are no standard errors")
    pure = spread.pure_error(read)
    if pure is not None:
        said.append(f"pure-error variance {pure[0]:.6g} (of {law.response.symbol}) on {pure[1]} degrees of freedom")
    return FitResult(
        problem=problem,
        outcome=outcome,
        minima=minima,
        box=tuple(_wall(frame, c) for c in coordinates),
        certificate=Certificate(found.kind, int(found.reached[0]), found.starts, found.method),
        degrees_of_freedom=freedom,
        standard_errors=errors,
        intervals=spread.intervals(errors, dict(zip(law.constants, outside[:, 0], strict=True)), freedom),
        notes=tuple(said),
        pure_error=pure,
    )


def _minimum(law: Law, objective: Objective, found: Minima, outside: Floats, i: int) -> Minimum:
    values = dict(zip(law.constants, (float(value) for value in outside), strict=True))
    return Minimum(
        objective=float(found.cost[i]),
        constants=tuple((symbol.name, value) for symbol, value in values.items()),
        reached=int(found.reached[i]),
        converged=bool(found.converged[i]),
        walls=tuple(notes.walls(law, objective.coordinates, found.at[i] * objective.directions, values)),
    )


def _outcome(
    found: Minima, minima: tuple[Minimum, ...], missing: list[str], turned: list[str], edges: list[str]
) -> Outcome:
    if not found.converged[0]:
        return Outcome.INFIMUM if edges else Outcome.NOT_CONVERGED
    if missing:
        return Outcome.NOT_IDENTIFIED
    if turned:
        return Outcome.WRONG_SHAPE
    return Outcome.OPTIMUM_ON_BOUND if minima[0].walls else Outcome.OPTIMUM_REACHED


def _wall(frame: Frame, c: box.Coordinate) -> tuple[str, float, float]:
    """One line of the declared box in the user's units."""
    text, factor = frame.bounded(c.symbol)
    if c.base is not None:
        text = f"{c.symbol.name} - {c.base.name}"
    return text, c.lo * factor, c.hi * factor


@cache
def _versions() -> tuple[tuple[str, str], ...]:
    packages = ("symbolic-scaling", "numpy", "sympy")
    return (("python", platform.python_version()), *((name, version(name)) for name in packages))
