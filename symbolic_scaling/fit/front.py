"""``fit.curve``: one call from a law and a table to its optimum, with no start values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ..errors import FitError
from ..law import Law
from . import box, notes, outliers, rank, require, roles, search, spread, twins
from . import priors as known_priors
from . import tie as ties
from .ask import Asked
from .canonical import canonical
from .frame import Frame
from .loss import Measure
from .objective import Objective
from .prepare import Ready, noise, prepare
from .result import Certificate, FitProblem, FitResult, Minimum, Outcome
from .rows import Rows
from .search import Minima
from .solve import Floats

__all__ = ["curve", "result_of", "solved", "spread_of"]


def curve(
    law: Law,
    x: Mapping[str, ArrayLike] | ArrayLike,
    y: ArrayLike,
    *,
    residual: str = "response",
    loss: str = "squared",
    delta: float = 1e-3,
    reduce: str = "mean",
    sigma: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    priors: Mapping[str, tuple[float, float]] | None = None,
    tie: Mapping[str, str] | None = None,
    fix: Mapping[str, float] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    seed: int = 0,
    on_bad: str = "drop",
    target: str = "numpy",
) -> FitResult:
    """Fit a law to a table: the lowest loss in a declared box.

    Parameters
    ----------
    law : Law
        Of ``laws`` or the user's own.
    x : array (n,) or mapping of name to array (n,)
        Inputs, in any unit.
    y : array (n,)
        Response.
    residual : {"response", "equation", "relative", "absolute", "log1p"}
        ``log y - log y_hat``; ``log left - log right`` of the law's form (arXiv 2209.06640 for M1 to M4);
        ``(y - y_hat)/y`` (arXiv 2305.13035); ``y - y_hat``;
        ``log(1 + y) - log(1 + y_hat)``, whose root mean square is RMSLE.
    loss : {"squared", "huber", "soft-l1"}
        Of a residual, with ``delta`` in its unit (:mod:`symbolic_scaling.fit.loss`); ``huber`` is Chinchilla's.
    reduce : {"mean", "sum"}
        What is printed: the optimum is the same.
    sigma : array (n,) or number, optional
        Known spread of each residual, in its unit: of ``log y`` for log residuals, of y for ``absolute``.
    weights : array (n,) or number, optional
        How often each row counts.
    priors : mapping of name or expression to (value, deviation)
        ``{"alpha": (0.34, 0.05), "alpha - beta": (0, 0.02)}`` (:mod:`symbolic_scaling.fit.priors`).
    tie : mapping of name to expression
        Constants replaced by others: ``{"beta": "alpha"}``; the result's law no longer has them.
    fix : mapping of name to value
        Constants that are not fitted.
    bounds : mapping of name to (lo, hi)
        Replaces the default box of a constant (:mod:`symbolic_scaling.fit.box`).
    seed : int
        The same seed gives the same result.
    on_bad : {"drop", "raise"}
        What to do with rows that are missing, not finite or not positive.
    target : {"numpy", "numba"}
        What evaluates and searches; machine code (extra ``numba``) pays from some hundred fits of one law.

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
    measure = Measure(residual, loss, delta)
    held = (priors or {}, tie or {}, fix or {}, bounds or {})
    asked = Asked(measure, reduce, sigma, weights, *held, seed, on_bad, target)
    problem, read = asked.problem(law, x, y)
    if problem.priors and problem.sigma is None:
        problem = replace(problem, noise=spread_of(problem))
    return solved(problem, read)


def spread_of(problem: FitProblem) -> float:
    """What priors are weighed against where no sigma is given: the spread of a row about the fit without priors."""
    alone, _, found = _search(replace(problem, priors=()))
    return noise(problem, alone, found.u[0])


def solved(problem: FitProblem, read: Rows) -> FitResult:
    """The fit of a problem and the rows that it was read from."""
    ready, objective, found = _search(problem)
    with np.errstate(all="ignore"):
        made = result_of(problem, read, ready.frame, objective, found)
    more = _far(problem, ready, found) if problem.measure.robust else []
    return replace(made, notes=(*made.notes, *more, *roles.idle(made)))


def _far(problem: FitProblem, ready: Ready, found: Minima) -> list[str]:
    """What a robust fit says of the rows that it all but leaves out."""
    z, _ = ready.objective.raw(found.u[:1])
    rows = outliers.flagged(problem, ready.size * z[0])
    if not rows or len(problem.y) - len(rows) < len(ready.objective.coordinates):
        return []
    other, objective, least = _search(outliers.without(problem, rows))
    constants = other.frame.outside(objective.constants(least.u[:1]))[:, 0]
    estimate = [(s.name, float(value)) for s, value in zip(problem.law.constants, constants, strict=True)]
    return [outliers.note(problem, rows, estimate)]


def _search(problem: FitProblem) -> tuple[Ready, Objective, Minima]:
    """The problem made ready, and its minima."""
    with np.errstate(all="ignore"):  # far out in the box terms saturate to 0 or infinity; none of those is kept
        ready = prepare(problem)
        objective = ready.objective
        found = search.find(objective, problem.seed) if objective.coordinates else search.nothing_free(objective)
        objective, found = canonical(found.within or objective, found)
        found = twins.add(objective, found)
    if not len(found.u):
        raise FitError(f"fit {problem.law.name}", "the residual is finite nowhere in the box", "widen the bounds")
    return ready, objective, found


def result_of(problem: FitProblem, read: Rows, frame: Frame, objective: Objective, found: Minima) -> FitResult:
    """What is to be said of the minima of a problem whose rows were ``read``."""
    law, coordinates = problem.law, objective.coordinates
    inside = objective.constants(found.u)
    factors = frame.factors(inside)
    outside = inside * factors
    require.finite(law, outside[:, 0], factors[:, 0])
    numbers = np.asarray((np.isfinite(outside) & (factors > 0)).all(axis=0))
    outside, found = outside[:, numbers], replace(found, **vars(found.only(numbers)), reached=found.reached[numbers])
    minima = tuple(_minimum(law, objective, found, outside[:, i], i) for i in range(len(found.u)))
    bent = objective.bent(found.u[0]) if problem.loss == "huber" else None
    missing, said = rank.identified(law, coordinates, found.r[0], found.jacobian[0], found.at[0], bent=bent)
    if bent is not None and bent.sum() < len(coordinates):
        said.append(
            f"{bent.sum()} rows lie within delta of the curve: the loss is flat there, and a larger delta decides"
        )
    alike = twins.alike(found)
    swapped = twins.differ(law, outside[:, alike])
    adrift = [name for place in found.loose if (name := coordinates[place].symbol.name) not in missing]
    said += notes.adrift(adrift)
    missing += [name for name in dict.fromkeys([*swapped, *adrift]) if name not in missing]
    sure = [c.symbol.name for c in coordinates if c.symbol.name not in missing]
    said += notes.equivalent(law, read, outside[:, alike], swapped, sure)
    said += notes.constant_terms(law, read, outside[:, 0], missing, sure)
    inner = [c.symbol for c, side in zip(coordinates, found.at[0], strict=True) if not side]
    free, lost = ([s for s in inner if (s.name in missing) is known] for known in (False, True))
    freedom = len(read.y) + len(problem.priors) - len(coordinates)
    turned = notes.wrong_shape(law, read, outside[:, 0])
    edges = notes.edges(law, coordinates, found.u[0])
    arrived = bool(found.converged[0] or found.loose)
    arrived = arrived or (bool(missing) and rank.settled(found.r[0], found.jacobian[0], found.at[0]))
    outcome = _outcome(arrived, minima, missing, turned, edges)
    errors: tuple[tuple[str, float], ...] = ()
    if outcome.success:
        errors = spread.standard_errors(
            law, objective.kind, read, outside[:, 0], free=free, freedom=freedom, lost=lost, problem=problem
        )
    said = [*notes.of_rows(read, law), *minima[0].walls, *edges, *said, *turned]
    if "scattered" in found.method or "one by one" in found.method or problem.measure.robust:
        said.append(
            f"{found.reached[0]} of {found.starts} starts end in the best minimum; a lower one is not ruled out"
        )
    said += known_priors.notes(law, problem.priors, outside[:, 0])
    said += ties.notes(law, problem.tie, dict(minima[0].constants))
    if freedom == 0 and not problem.known:
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
        intervals=spread.intervals(law, errors, outside[:, 0], 0 if problem.known else freedom),
        notes=tuple(said),
        pure_error=pure,
    )


def _minimum(law: Law, objective: Objective, found: Minima, outside: Floats, i: int) -> Minimum:
    values = dict(zip(law.constants, (float(value) for value in outside), strict=True))
    return Minimum(
        objective=float(found.cost[i]) * objective.printed,
        constants=tuple((symbol.name, value) for symbol, value in values.items()),
        reached=int(found.reached[i]),
        converged=bool(found.converged[i]),
        walls=tuple(notes.walls(law, objective.coordinates, found.at[i] * objective.directions, values)),
    )


def _outcome(
    arrived: bool, minima: tuple[Minimum, ...], missing: list[str], turned: list[str], edges: list[str]
) -> Outcome:
    if not arrived:
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
