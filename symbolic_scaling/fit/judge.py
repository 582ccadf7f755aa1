"""How each of many fits ended: the outcome, notes and standard errors that one fit has, for a stack of them.

Nearly all curves have nothing to say. What can be seen of all at once (a Jacobian of full rank, a response that does
not turn, no constant on a wall) is; the others are judged one by one by the functions of :mod:`.notes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..law import Law
from . import chi_square, doubt, notes, outliers, rank, residual_runs, spread
from .batch import Found
from .box import Coordinate
from .result import Outcome
from .rows import Rows
from .solve import Floats
from .stack import Stack

__all__ = ["Judged", "judge"]

Mask = NDArray[np.bool_]

_SURE = 1e-9  # ratio of the eigenvalues of a Gram matrix above which every constant is determined
_TURN = 0.2  # of the range of the response, as in the notes
_NOTHING = 1e-9
_EDGE = 1e-6


@dataclass(frozen=True)
class Judged:
    """Outcome, notes, standard errors and intervals of one curve."""

    outcome: Outcome
    notes: tuple[str, ...]
    errors: tuple[tuple[str, float], ...]
    intervals: tuple[tuple[str, float, float], ...]


def judge(
    stack: Stack,
    found: Found,
    outside: Floats,
    *,
    rows: Callable[[int], Rows],
    counts: NDArray[np.int_],
    odd: Mask,
    weighed: tuple[Floats, bool] | None = None,
    squares: Floats | None = None,
) -> list[Judged | None]:
    """The judgement of every curve of a stack; None where only the curve alone can tell.

    Parameters
    ----------
    outside : array (c, k)
        The constants in the user's units.
    rows : callable
        The rows of curve i.
    counts, odd : array (k,)
        How many distinct rows each has, and whether there is more to say of them.
    weighed : (array (k, n), bool), optional
        What rows of given weights or sigma count in the standard errors, and whether that is one over their variance.
    squares : array (k,), optional
        Means of the squares of residuals over a given sigma.
    """
    law, ends, freedom = stack.law, found.ends, counts - len(stack.coordinates)
    doubtful, turning = _doubtful(ends.jacobian), _turning(stack)
    touching, odd = ends.at.any(axis=1) | _edges(stack, ends.u), odd | (freedom == 0) | _rising(stack)
    told = [_SILENT] * len(stack)
    for i in np.flatnonzero(doubtful | turning | touching).tolist():
        told[i] = _tell(stack, found, outside[:, i], rows(i), i, doubtful=doubtful[i], turning=turning[i])
    outcomes = [_outcome(ok or each.settled, each) for ok, each in zip(ends.converged.tolist(), told, strict=True)]
    clear = np.array([not each.missing and out.success for each, out in zip(told, outcomes, strict=True)])
    free = np.where(ends.at[:, None] == 0, ends.jacobian, 0.0)
    far = [bool(places.size) for places in outliers.candidates(ends.r, free, ends.r.shape[1])]
    running = np.zeros(len(stack), dtype=bool)
    if len(law.inputs) == 1:
        running = residual_runs.suspect(stack.table.x[0], ends.r, counts)
    precision, known = weighed or ((stack.root > 0).astype(np.float64), False)
    errors = _errors(stack, ends.at, outside, freedom, clear, precision=precision, known=known)
    made: list[Judged | None] = []
    for i, (each, outcome, left) in enumerate(zip(told, outcomes, freedom.tolist(), strict=True)):
        doubted = (doubtful[i] or touching[i]) and doubt.of_end(law, _of_one(stack, i), ends.jacobian[i], ends.at[i])
        if far[i] or doubted or (each.missing and not (stack.measure.plain and weighed is None)):
            made.append(None)
            continue
        if each.missing and outcome.success:
            errors[i] = _alone(stack, ends.at[i], outside[:, i], rows(i), each)
        between = spread.intervals(law, errors[i], outside[:, i].tolist(), 0 if known else left)
        told_of = replace(each, said=[*each.said, *notes.hardly(between)])
        said = _notes(law, rows(i) if odd[i] else None, told_of, left, known)
        if squares is not None:
            said += tuple(chi_square.refused(float(squares[i]), int(counts[i]), left))
        if running[i]:
            said += tuple(residual_runs.note(stack.table.x[0, i, : counts[i]], ends.r[i, : counts[i]]))
        made.append(Judged(outcome, said, errors[i], between))
    return made


@dataclass(frozen=True)
class _Told:
    """What the notes say of one curve."""

    missing: Sequence[str] = ()
    said: Sequence[str] = ()
    turned: Sequence[str] = ()
    walls: Sequence[str] = ()
    edges: Sequence[str] = ()
    settled: bool = False


_SILENT = _Told()


def _tell(stack: Stack, found: Found, constants: Floats, rows: Rows, i: int, *, doubtful: bool, turning: bool) -> _Told:
    law, ends, coordinates = stack.law, found.ends, _of_one(stack, i)
    missing: list[str] = []
    said: list[str] = []
    if doubtful:
        missing, said = rank.identified(law, coordinates, ends.r[i], ends.jacobian[i], ends.at[i])
    sure = [c.symbol.name for c in coordinates if c.symbol.name not in missing]
    said += notes.constant_terms(law, rows, constants, missing, sure)
    values = dict(zip(law.constants, constants.tolist(), strict=True))
    return _Told(
        missing=missing,
        said=said,
        turned=notes.wrong_shape(law, rows, constants) if turning else [],
        walls=notes.walls(law, coordinates, (ends.at[i] * stack.directions).astype(np.int_), values),
        edges=notes.edges(law, coordinates, ends.u[i]),
        settled=bool(missing) and rank.settled(ends.r[i], ends.jacobian[i], ends.at[i]),
    )


def _outcome(converged: bool, told: _Told) -> Outcome:
    if not converged:
        return Outcome.INFIMUM if told.edges else Outcome.NOT_CONVERGED
    if told.missing:
        return Outcome.NOT_IDENTIFIED
    if told.turned:
        return Outcome.WRONG_SHAPE
    return Outcome.OPTIMUM_ON_BOUND if told.walls else Outcome.OPTIMUM_REACHED


def _notes(law: Law, rows: Rows | None, told: _Told, freedom: int, known: bool) -> tuple[str, ...]:
    """What the notes say in all; rows of which there is nothing to say are not given."""
    said = [*told.walls, *told.edges, *told.said, *told.turned]
    if rows is None:
        return tuple(said)
    pure = spread.pure_error(rows)
    return (*notes.of_rows(rows, law), *said, *notes.of_freedom(law, freedom, known, pure))


def _of_one(stack: Stack, i: int) -> tuple[Coordinate, ...]:
    def end(value: Any) -> float:
        return float(value[i] if np.ndim(value) else value)

    return tuple(replace(c, lo=end(c.lo), hi=end(c.hi)) for c in stack.coordinates)


def _doubtful(jacobian: Floats) -> Mask:
    """Whose constants are perhaps not all determined (k,)."""
    norms = np.sqrt(np.einsum("knp,knp->kp", jacobian, jacobian))
    small = norms.min(axis=1, initial=np.inf) < _NOTHING
    unit = jacobian / np.where(norms > 0, norms, 1.0)[:, None, :]
    sizes = np.linalg.eigvalsh(np.einsum("kni,knj->kij", unit, unit))
    doubtful: Mask = small | ~(sizes[:, 0] > _SURE * sizes[:, -1])
    return doubtful


def _turning(stack: Stack) -> Mask:
    """Whose response both rises and falls enough to turn (k,)."""
    y = stack.table.y
    if len(stack.law.inputs) != 1:
        return np.zeros(len(y), dtype=bool)
    height = _TURN * np.ptp(y, axis=1)
    up = (y - np.minimum.accumulate(y, axis=1)).max(axis=1)
    down = (np.maximum.accumulate(y, axis=1) - y).max(axis=1)
    turning: Mask = (np.minimum(up, down) >= height) & (height > 0)
    return turning


def _rising(stack: Stack) -> Mask:
    """Whose response may be an accuracy: it stays below 100 and its ranks rise along the rows (k,)."""
    y = stack.table.y * stack.sizes[-1][:, None]
    ranks = np.argsort(np.argsort(y, axis=1, kind="stable"), axis=1, kind="stable") - (y.shape[1] - 1) / 2
    rising: Mask = (y.max(axis=1) <= 100) & (ranks @ np.arange(y.shape[1]) > 0)
    return rising


def _edges(stack: Stack, u: Floats) -> Mask:
    """Who has a constant close to 0, where the law at 0 is another one (k,)."""
    closed = [j for j, c in enumerate(stack.coordinates) if np.all(c.lo == 0)]
    return np.asarray(np.any((u[:, closed] > 0) & (u[:, closed] < _EDGE), axis=1))


def _alone(
    stack: Stack, at: NDArray[np.int_], constants: Floats, rows: Rows, told: _Told
) -> tuple[tuple[str, float], ...]:
    """The standard errors of a curve with constants that are not identified."""
    inner = [c.symbol for c, side in zip(stack.coordinates, at, strict=True) if not side]
    free, lost = ([s for s in inner if (s.name in told.missing) is known] for known in (False, True))
    freedom = len(rows.y) - len(stack.coordinates)
    return spread.standard_errors(stack.law, stack.measure.kind, rows, constants, free=free, freedom=freedom, lost=lost)


def _errors(
    stack: Stack,
    at: NDArray[np.int_],
    outside: Floats,
    freedom: NDArray[np.int_],
    clear: Mask,
    *,
    precision: Floats,
    known: bool,
) -> list[tuple[tuple[str, float], ...]]:
    """The standard errors of the curves that are ``clear``: ``s`` times the norms of the rows of ``R^-1``.

    ``precision`` (k, n) is what each row counts; where it is ``known`` to be one over the variance, s is 1.
    """
    made: list[tuple[tuple[str, float], ...]] = [()] * len(clear)
    wanted = np.flatnonzero(clear & ((freedom > 0) | known))
    if not wanted.size or not stack.coordinates:
        return made
    part, root = stack.only(wanted), np.sqrt(precision[wanted])
    x, y = part.table.x * part.sizes[:-1, :, None], part.table.y * part.sizes[-1, :, None]
    r, slopes = stack.rows((*x, y), outside[:, wanted])
    s = np.ones(len(wanted)) if known else np.sqrt(np.sum((r * root) ** 2, axis=1) / freedom[wanted])
    order = [stack.law.places[c.symbol] for c in stack.coordinates]
    jacobian = np.moveaxis(slopes[order] * root, 0, 2)
    patterns, which = np.unique(at[wanted] != 0, axis=0, return_inverse=True)
    for number, held in enumerate(patterns):
        free, mine = np.flatnonzero(~held), np.flatnonzero(which.ravel() == number)
        names = [stack.coordinates[j].symbol.name for j in free]
        for i, sizes in zip(mine, _norms(jacobian[mine][:, :, free]) * s[mine, None], strict=True):
            if names and np.isfinite(sizes).all():
                made[wanted[i]] = tuple(zip(names, sizes.tolist(), strict=True))
    return made


def _norms(jacobian: Floats) -> Floats:
    """Square roots of the diagonal of ``(J^T J)^-1``, (k, f); NaN where J has no full rank."""
    largest = np.abs(jacobian).max(axis=1)
    with np.errstate(all="ignore"):
        norms = largest * np.linalg.norm(jacobian / largest[:, None], axis=1)
        unit = jacobian / norms[:, None]
        fine = np.isfinite(unit).all(axis=(1, 2))
        triangle = np.linalg.qr(np.where(fine[:, None, None], unit, 0.0), mode="r")
        fine &= np.abs(np.diagonal(triangle, axis1=1, axis2=2)).min(axis=1, initial=np.inf) > 0
        eye = np.eye(jacobian.shape[2])
        inverse = np.linalg.inv(np.where(fine[:, None, None], triangle, eye))
        found: Floats = np.where(fine[:, None], np.linalg.norm(inverse, axis=2) / norms, np.nan)
    return found
