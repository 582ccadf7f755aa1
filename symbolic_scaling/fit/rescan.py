"""Where a search goes on: each term of a sum taken off a minimum and put on again with every shape in turn.

A term that a search has lost (its amplitude gone to 0, its exponent on a wall) no longer changes a row, and nothing
pulls it back. With the term off, to first order the residuals are ``r + J d + a q``: q the column of the term's
amplitude for a shape of its own, J those of all other constants. The lowest sum of squares over d and a >= 0 says which
shapes are worth a start, and with which amplitude.

Worked example: Chinchilla at ``A = 0``. For each alpha of an axis q is ``N**-alpha/y_hat`` without its part in the span
of the columns of E, B and beta.
"""

from __future__ import annotations

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from .axes import axis
from .objective import Objective
from .picks import picked
from .separate import Separation, of_relative_residual
from .solve import Floats

__all__ = ["starts"]

_SIZES = {0: (), 1: (24,), 2: (10, 8)}
_ROWS = 2000
_EACH, _MOST = 2, 4  # starts a term, and in all
_WORTH = 0.05  # of the cost: what a start must promise
_IDLE = 1e-3  # of the residuals: what a term that does nothing moves
_RIDGE = 1e-10


def starts(objective: Objective, best: Floats) -> Floats:
    """Starts (k, p) that promise less than the minimum ``best`` (p,), the best first; none for laws that are no sums.

    Of robust losses, whose squares are far from linear, only terms that do nothing are put on anew.
    """
    separation = of_relative_residual(objective.law, frozenset(objective.fixed))
    if separation is None or objective.priors is not None:
        return np.empty((0, len(best)))
    thin = objective.on(slice(None, None, -(-len(objective.table.y) // _ROWS)))
    r, jacobian = thin(best[None])
    cost, moves = float(np.sum(r**2)), np.linalg.norm(jacobian[0], axis=0)
    idle = {c.symbol for c, size in zip(objective.coordinates, moves, strict=True) if size <= _IDLE * cost**0.5}
    places = [i for i, s in enumerate(separation.linear) if s in idle or not objective.measure.robust]
    if not places:
        return np.empty((0, len(best)))
    found = [_of_term(thin, separation, place, best) for place in places]
    begun, promised = (np.concatenate([each[i] for each in found]) for i in (0, 1))
    order = [i for i in np.argsort(promised, kind="stable") if promised[i] < (1 - _WORTH) * cost]
    return np.asarray(begun[order[:_MOST]])


def _of_term(objective: Objective, separation: Separation, place: int, best: Floats) -> tuple[Floats, Floats]:
    """Starts with one term put on anew, and the sums of squares that they promise."""
    symbol, shapes = separation.linear[place], _own(separation, place)
    sizes = _SIZES.get(len(shapes))
    free = {c.symbol: j for j, c in enumerate(objective.coordinates)}
    if sizes is None:
        return np.empty((0, len(best))), np.empty(0)
    points = _points(objective, symbol, shapes, sizes, best)
    r, jacobian = objective(points)
    j, moved = free[symbol], [free[s] for s in (symbol, *shapes)]
    amplitude, promised = _amplitudes(r, jacobian[:, :, j], np.delete(jacobian, moved, axis=2))
    chosen = picked(promised, sizes or (1,), None, _EACH)
    begun = points[chosen].copy()
    logarithmic = objective.coordinates[j].lo > 0
    with np.errstate(all="ignore"):
        begun[:, j] += np.log(amplitude[chosen]) if logarithmic else amplitude[chosen]
    begun = np.clip(begun, objective.lo, objective.hi)
    return begun, np.where(np.isfinite(begun).all(axis=1), promised[chosen], np.inf)


def _own(separation: Separation, place: int) -> list[sp.Symbol]:
    """The searched constants of one column that stand in no other."""
    others = {s for i, part in enumerate(separation.parts) if i != place for s in part.free_symbols}
    return [s for s in separation.rest if s in separation.columns[place].free_symbols and s not in others]


def _points(
    objective: Objective, symbol: sp.Symbol, shapes: list[sp.Symbol], sizes: tuple[int, ...], best: Floats
) -> Floats:
    """The minimum with a term off, at every shape of its own, (k, p)."""
    law, order = objective.law, objective.law.places
    declared = {c.symbol: c for c in objective.coordinates}
    axes = [axis(law, declared[s], objective.table, size) for s, size in zip(shapes, sizes, strict=True)]
    grid = [values.ravel() for values in np.meshgrid(*axes, indexing="ij")] if axes else []
    count = len(grid[0]) if grid else 1
    constants = np.repeat(objective.constants(best[None]), count, axis=1)
    constants[order[symbol]] = max(declared[symbol].lo, 0.0)
    for shape, values in zip(shapes, grid, strict=True):
        constants[order[shape]] = values
    return objective.locate(constants)


def _amplitudes(r: Floats, column: Floats, others: Floats) -> tuple[Floats, Floats]:
    """The best multiple (k,) of each column (k, n) beside free multiples of the others (k, n, p), and the cost left."""
    with np.errstate(all="ignore"):
        size = np.linalg.norm(column, axis=1)
        unit = column / size[:, None]
        norms = np.linalg.norm(others, axis=1)
        basis = np.nan_to_num(others / np.where(norms > 0, norms, 1.0)[:, None])
        both = np.stack([r, unit], axis=2)
        gram = np.einsum("knp,knq->kpq", basis, basis) + _RIDGE * np.eye(basis.shape[2])
        fine = np.isfinite(both).all(axis=(1, 2))
        both = np.where(fine[:, None, None], both, 0.0)
        rest = both - basis @ np.linalg.solve(gram, np.einsum("knp,knc->kpc", basis, both))
        square = np.einsum("kn,kn->k", rest[:, :, 1], rest[:, :, 1])
        along = -np.einsum("kn,kn->k", rest[:, :, 0], rest[:, :, 1]) / square
        left = np.einsum("kn,kn->k", rest[:, :, 0], rest[:, :, 0]) - along**2 * square
        known: NDArray[np.bool_] = fine & (along > 0) & (square > _RIDGE)
        return along / size, np.where(known, left, np.inf)
