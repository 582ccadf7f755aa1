"""The last stage of a law with parts whose search has not ended at an optimum: a tame box, and valleys that go nowhere.

Far out in the box a break may become a cliff between two rows, where a sum of squares has corners and no search ends.
The search is then made once more in a box in which breaks are neither steeper nor wider nor sharper than rows can show
(:func:`.stages.tamed`). Its optimum is taken unless the first search has got lower by more than chance, which is the
mean square of a row for each constant; then the walls that it pushes against are moved out.

A part that is not there leaves valleys without end: its constants run away together while nothing changes. A search
that no longer lowers the sum of squares by what rows can tell, and has arrived in every other direction, has found
which constants the rows do not determine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from ..law import Law
from .box import Coordinate
from .objective import Objective
from .parts import gathered, parts
from .scatter import widths
from .solve import Floats, Solutions, minimise
from .stages import tamed, unsigned, walled

__all__ = ["Finished", "corners", "finished", "large", "loose"]

_FIRST, _STEPS, _LAST, _ROUNDS = 60, 100, 20, 8
_WIDER, _FURTHER = 4, 3.0  # boxes, each with walls further out than the one before
_MANY = 4  # parts
_SLOW = 0.1  # of the mean square of a row: a gain in one round that is none
_WEAK = 1e-3  # singular value of a valley, relative to the largest
_ARRIVED = 1e-4  # what may be left of the residual in each other direction
_INVOLVED = 0.05
_NOTHING = 1e-9  # norm of a column that changes no row
_SHARP = 0.005  # the least width
_CORNER = 1e-3  # a width that no two rows lie within


@dataclass(frozen=True, eq=False)
class Finished:
    """Where the search ended, the objective in whose box that is, and which coordinates drift along a valley."""

    ends: Solutions
    objective: Objective
    loose: tuple[int, ...] = ()


def large(objective: Objective) -> bool:
    """Whether a law has so many parts that a search of the whole box may well end in a bad minimum.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> from symbolic_scaling.fit.prepare import prepare
    >>> x = np.geomspace(1.0, 1e4, 20)
    >>> large(prepare(fit.curve(laws.get("bnsl"), x, 0.1 + 2 * x**-0.5).problem).objective)
    False
    """
    return len(gathered(objective.law)) > _MANY


def finished(objective: Objective, ended: Solutions, begun: Floats) -> Finished:
    """An optimum where the search of the whole box found none, a lower one where it did, or what it found.

    Parameters
    ----------
    objective : Objective
    ended : Solutions
        One alone, of the whole box.
    begun : array (k, p)
        Coordinates at which the search began.
    """
    rows = len(objective.table.y)
    sure = bool(ended.converged[0])
    enough = (1 if sure else 1 + len(objective.coordinates) / rows) * float(ended.cost[0])
    box, start = _blunt(tamed(objective)), np.concatenate([begun, ended.u])
    for _ in range(_WIDER):
        tame, within, still = _descended(box, objective.constants(start))
        if (tame.converged[0] or still) and tame.cost[0] <= enough:
            return Finished(tame, within, still)
        wider = None if sure else _released(within, objective, tame)
        if wider is None:
            break
        box, start = wider, np.concatenate([tame.u, ended.u])
    if sure:
        return Finished(ended, objective)
    again = minimise(objective, ended.u, objective.lo, objective.hi, steps=_STEPS, bend=True)
    adrift = loose(again, ended, rows)
    return Finished(again if again.converged[0] or adrift else _cornered(objective, again), objective, adrift)


def corners(law: Law, coordinates: tuple[Coordinate, ...], u: Floats) -> tuple[frozenset[sp.Symbol], NDArray[np.bool_]]:
    """Widths that run into 0 at coordinates (p,), and which coordinates belong to their breaks (p,).

    A break is then a corner between rows, and the sum of squares has corners as well.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> law = laws.get("unsl", signs=0)
    >>> box = tuple(Coordinate(s, -9.0, 9.0) for s in law.constants)
    >>> sharp, held = corners(law, box, np.array([0.1, 0.3, 0.2, 1.0, 1e-5, 2.0]))
    >>> sharp, held.astype(int)
    (frozenset({f_1_7}), array([0, 0, 1, 1, 1, 0]))
    """
    pairs = [(c, v) for c, v in zip(coordinates, u, strict=True) if c.symbol in widths(law)]
    sharp = frozenset(c.symbol for c, v in pairs if (abs(v) if c.lo < 0 < c.hi else np.exp(v)) < _CORNER)
    inside = {s for part in parts(law) if sharp & set(part.constants) for s in part.constants}
    return sharp, np.array([c.symbol in inside for c in coordinates], dtype=bool)


def _cornered(objective: Objective, ended: Solutions) -> Solutions:
    """The end with all else at its optimum beside the breaks that are corners."""
    _, held = corners(objective.law, objective.coordinates, ended.u[0])
    if not held.any():
        return ended
    box = np.where(held, ended.u[0], objective.lo), np.where(held, ended.u[0], objective.hi)
    solved = minimise(objective, ended.u, *box, steps=_STEPS, bend=True)
    return replace(solved, at=np.where(held, 0, solved.at), converged=np.zeros(1, dtype=bool))


def _descended(objective: Objective, begun: Floats) -> tuple[Solutions, Objective, tuple[int, ...]]:
    """The best end from constants (c, k), the objective with widths of one sign, and which coordinates drift."""
    u, lo, hi = walled(objective, begun, _SHARP)
    solved = minimise(objective, u, lo, hi, steps=_FIRST, bend=True)
    best = np.argsort(solved.cost, kind="stable")[:1]
    solved, lo, hi = solved.only(best), lo[best], hi[best]
    still: tuple[int, ...] = ()
    for _ in range(_ROUNDS):
        if solved.converged[0] or still:
            break
        before = solved
        solved = minimise(objective, before.u, lo, hi, steps=_STEPS, bend=True)
        if not solved.converged[0]:
            solved = minimise(objective, solved.u, lo, hi, steps=_LAST)
        still = () if solved.converged[0] else loose(solved, before, len(objective.table.y))
    narrow = widths(objective.law)
    ends = zip(objective.coordinates, lo[0], hi[0], strict=True)
    made = tuple(replace(c, lo=a, hi=b) if c.symbol in narrow and unsigned(c.symbol) else c for c, a, b in ends)
    return solved, replace(objective, coordinates=made), still


def _released(tame: Objective, whole: Objective, ended: Solutions) -> Objective | None:
    """The objective with the walls that an end pushes against further out, where the whole box allows it."""
    sides = ended.at[0] * tame.directions

    def released(c: Coordinate, far: Coordinate, side: float) -> Coordinate:
        if side > 0 and 0 < c.hi < far.hi:
            return replace(c, hi=min(_FURTHER * c.hi, far.hi))
        if side < 0 and far.lo < c.lo < 0:
            return replace(c, lo=max(_FURTHER * c.lo, far.lo))
        return c

    made = tuple(map(released, tame.coordinates, whole.coordinates, sides))
    return None if made == tame.coordinates else replace(tame, coordinates=made)


def _blunt(objective: Objective) -> Objective:
    """The objective with widths of one sign no sharper than rows can show."""
    narrow = widths(objective.law)

    def blunt(c: Coordinate) -> Coordinate:
        if c.symbol not in narrow or c.given or unsigned(c.symbol) or c.base is not None:
            return c
        return replace(c, lo=max(c.lo, _SHARP)) if c.symbol.is_positive else replace(c, hi=min(c.hi, -_SHARP))

    return replace(objective, coordinates=tuple(map(blunt, objective.coordinates)))


def loose(now: Solutions, before: Solutions, rows: int) -> tuple[int, ...]:
    """Which coordinates drift along valleys that the rows do not see; none where the search may go on.

    Parameters
    ----------
    now, before : Solutions
        One end each, a round of the search apart.
    rows : int

    Examples
    --------
    >>> J = np.array([[1.0, 1.0], [1.0, 1.00001], [1.0, 1.0]])
    >>> r = np.array([1e-6, 1.0, -1.0])
    >>> free = np.zeros((1, 2), dtype=int)
    >>> end = Solutions(free + 0.0, r[None], J[None], r[None] @ r, np.ones(1), np.zeros(1, dtype=bool), free)
    >>> loose(end, end, 3)
    (0, 1)
    """
    if before.cost[0] - now.cost[0] > _SLOW * now.cost[0] / rows:
        return ()
    norms = np.linalg.norm(now.jacobian[0], axis=0)
    live = np.flatnonzero((now.at[0] == 0) & (norms > _NOTHING))
    left, sizes, right = np.linalg.svd(now.jacobian[0][:, live] / norms[live], full_matrices=False)
    part = np.abs(left.T @ now.r[0]) / np.sqrt(now.cost[0])
    weak = sizes <= _WEAK * sizes[:1]
    if np.any(part[~weak] > _ARRIVED):
        return ()
    moved = np.abs(right[weak & (part > _ARRIVED)]) > _INVOLVED
    return tuple(int(place) for place in live[moved.any(axis=0)])
