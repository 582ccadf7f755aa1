"""What is to be said of the minima of a problem: outcome, constants in the user's units, errors and notes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..law import Law
from . import box, notes, rank, require, spread, twins
from . import priors as known_priors
from . import tie as ties
from .frame import Frame
from .minima import Minima
from .objective import Objective
from .result import Certificate, FitProblem, FitResult, Minimum, Outcome
from .rows import Rows
from .solve import Floats

__all__ = ["result_of"]


def result_of(problem: FitProblem, read: Rows, frame: Frame, objective: Objective, found: Minima) -> FitResult:
    """The fit of a problem.

    Parameters
    ----------
    problem : FitProblem
    read : Rows
        What it was read from.
    frame : Frame
        The units of the objective.
    objective : Objective
    found : Minima
        At least one.

    Raises
    ------
    FitError
        If a constant of the lowest minimum is no number in the user's units.
    """
    law, coordinates = problem.law, objective.coordinates
    outside, found = _numbers(law, frame, objective, found)
    minima = tuple(_minimum(law, objective, found, outside[:, i], i) for i in range(len(found.u)))
    missing, said = _determined(problem, read, objective, found, outside)
    turned = notes.wrong_shape(law, read, outside[:, 0])
    edges = notes.edges(law, coordinates, found.u[0])
    arrived = bool(found.converged[0] or found.loose)
    arrived = arrived or (bool(missing) and rank.settled(found.r[0], found.jacobian[0], found.at[0]))
    if not arrived:
        edges += notes.corners(law, coordinates, found)
    outcome = _outcome(arrived, minima, missing, turned, edges)
    freedom = len(read.y) + len(problem.priors) - len(coordinates)
    errors: tuple[tuple[str, float], ...] = ()
    if outcome.success:
        inner = [c.symbol for c, side in zip(coordinates, found.at[0], strict=True) if not side]
        free, lost = ([s for s in inner if (s.name in missing) is known] for known in (False, True))
        errors = spread.standard_errors(
            law, objective.kind, read, outside[:, 0], free=free, freedom=freedom, lost=lost, problem=problem
        )
    pure = spread.pure_error(read)
    between = spread.intervals(law, errors, outside[:, 0], 0 if problem.known else freedom)
    said = [*notes.of_rows(read, law), *minima[0].walls, *edges, *said, *turned, *_searched(problem, found)]
    said += known_priors.notes(law, problem.priors, outside[:, 0])
    said += ties.notes(law, problem.tie, dict(minima[0].constants))
    said += [*notes.hardly(between), *notes.of_freedom(law, freedom, problem.known, pure)]
    return FitResult(
        problem=problem,
        outcome=outcome,
        minima=minima,
        box=tuple(_wall(frame, c) for c in coordinates),
        certificate=Certificate(found.kind, int(found.reached[0]), found.starts, found.method),
        degrees_of_freedom=freedom,
        standard_errors=errors,
        intervals=between,
        notes=tuple(said),
        pure_error=pure,
    )


def _numbers(law: Law, frame: Frame, objective: Objective, found: Minima) -> tuple[Floats, Minima]:
    """The constants (c, k) in the user's units, and the minima where these are numbers."""
    inside = objective.constants(found.u)
    factors = frame.factors(inside)
    outside = inside * factors
    require.finite(law, outside[:, 0], factors[:, 0])
    numbers = np.asarray((np.isfinite(outside) & (factors > 0)).all(axis=0))
    if numbers.all():
        return outside, found
    return outside[:, numbers], replace(found, **vars(found.only(numbers)), reached=found.reached[numbers])


def _determined(
    problem: FitProblem, read: Rows, objective: Objective, found: Minima, outside: Floats
) -> tuple[list[str], list[str]]:
    """Which constants the rows leave open at the lowest minimum, and what there is to say of it."""
    law, coordinates = problem.law, objective.coordinates
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
    return missing, said


def _searched(problem: FitProblem, found: Minima) -> list[str]:
    """How far a search that is no grid is to be trusted."""
    if not ("scattered" in found.method or "one by one" in found.method or problem.measure.robust):
        return []
    return [f"{found.reached[0]} of {found.starts} starts end in the best minimum; a lower one is not ruled out"]


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
    text, factor = frame.walled(c)
    return text, c.lo * factor, c.hi * factor
