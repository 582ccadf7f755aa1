"""Where a search begins: the minima of problems near the objective's that can be solved in closed form on a grid."""

from __future__ import annotations

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from ..law import Law
from . import atoms, balance, grid
from .loss import Measure
from .objective import Objective
from .separate import Separation, of_log_residual, of_relative_residual
from .solve import Floats
from .stack import Stack
from .units import exponents

__all__ = ["SEARCHED", "approximate", "balanced", "cut_off", "exact_separation", "inward", "separation_of", "words"]

SEARCHED = 2  # constants that a grid searches exhaustively
_FAINT = 1e-4  # an exponent that bends nothing but the end of a curve
_ATOMS = 16  # starts from sets of columns
_REWEIGHTS = 3  # of the rows by their residuals, where the loss is robust
_DRAWS, _BALANCED = 1024, 16  # points drawn by dominant balance, and starts chosen among them
_ALIKE = 0.05  # of the cost: points whose residuals differ by less are one start
_LIFTED = 0.03  # what an amplitude that had vanished moves the residuals by
_NUDGE = 0.05  # how far a start is moved off a wall, relative to each coordinate


def exact_separation(law: Law, measure: Measure, fixed: frozenset[sp.Symbol]) -> Separation | None:
    """The separation of the residual that a fit itself squares; None where it is implicit."""
    if measure.residual == "log1p":
        return None
    if measure.residual != measure.kind:
        return of_relative_residual(law, fixed)
    if measure.kind == "response" and law.explicit is None:
        return None
    return of_log_residual(law, measure.kind, fixed)


def approximate(objective: Objective, fixed: frozenset[sp.Symbol], seed: int) -> tuple[Floats, str]:
    """Starts where the residual itself does not separate; on a constant response also the flat curve."""
    begun, method = _from_approximation(objective, fixed, seed)
    if objective.kind == "response" and np.ptp(objective.table.y) == 0:
        begun = np.concatenate([_flat(objective, begun[:1]), begun])
    return begun, method


def separation_of(law: Law, fixed: frozenset[sp.Symbol]) -> Separation:
    """What gives the linear constants of scattered points: the relative residual, or that of an implicit form."""
    return of_relative_residual(law, fixed) or of_log_residual(law, "equation", fixed)


def balanced(objective: Objective, seed: int) -> Floats:
    """Starts (k, p) drawn by dominant balance, the lowest whose residuals differ, off the walls.

    Each comes twice if a linear constant is on its wall: an amplitude of nothing never comes back by itself.
    """
    separation = separation_of(objective.law, frozenset(objective.fixed))
    begun = grid.closed(objective, separation, balance.drawn(objective, separation.rest, _DRAWS, seed))
    r = objective.values(begun)
    cost = np.einsum("kn,kn->k", r, r)
    chosen: list[int] = []
    left = np.argsort(cost, kind="stable")
    left = left[np.isfinite(cost[left])]
    while left.size and len(chosen) < _BALANCED:
        chosen.append(int(left[0]))
        far = np.einsum("kn,kn->k", r[left] - r[left[0]], r[left] - r[left[0]])
        left = left[far > _ALIKE * cost[left]]
    lowest = begun[chosen]
    lifted = _lifted(objective, lowest) if chosen else lowest
    return np.concatenate([lowest, lifted[(lifted != lowest).any(axis=1)]])


def _lifted(objective: Objective, begun: Floats) -> Floats:
    """Starts whose logarithms of vanished amplitudes are where a hundredth of the response is theirs."""
    _, jacobian = objective(begun)
    norms = np.linalg.norm(jacobian, axis=1)
    vanished = np.isfinite(objective.lo) & (begun <= objective.lo) & (norms > 0)
    vanished &= np.array([bool(c.lo > 0) for c in objective.coordinates])
    with np.errstate(all="ignore"):
        lifted = np.where(vanished, begun + np.log(_LIFTED / norms), begun)
    return np.asarray(np.clip(lifted, objective.lo, objective.hi))


def inward(objective: Objective | Stack, begun: Floats) -> Floats:
    """The starts, those where the residual is undefined moved off the walls they touch."""
    r, jacobian = objective(begun)
    undefined: NDArray[np.bool_] = ~np.isfinite(np.sum(r, axis=1) + np.sum(jacobian, axis=(1, 2)))
    off = begun + _NUDGE * ((begun <= objective.lo).astype(float) - (begun >= objective.hi))
    return np.where(undefined[:, None], off, begun)


def cut_off(objective: Objective | Stack, best: Floats) -> Floats:
    """The best start with its ceiling at the largest response and no constant on zero.

    Where an exponent of 0 makes the ceiling idle, a small one makes it cut the curve off: a corner of its own.
    """
    cut = best.copy()
    for j, c in enumerate(objective.coordinates):
        if c.base is not None:
            constants = objective.constants(best)
            base = objective.law.places[c.base]
            cut[:, j] = np.log(objective.table.y.max(axis=-1) - constants[base])
        elif np.all(c.lo == 0) and c.symbol in exponents(objective.law):
            cut[:, j] = np.maximum(cut[:, j], _FAINT)
    return cut


def _flat(objective: Objective, like: Floats) -> Floats:
    """A start with the floor at the response and all amplitudes on their lower walls, where the law has a floor."""
    flat = like.copy()
    response = objective.law.response.symbol
    floors = {p.symbol for p in objective.law.parameters if p.below == response}
    for j, c in enumerate(objective.coordinates):
        if c.symbol in floors:
            flat[:, j] = objective.table.y[0]
        elif c.symbol.is_positive and not exponents(objective.law) & {c.symbol} and c.base is None:
            flat[:, j] = objective.lo[j]
    return flat if floors else like


def _from_approximation(objective: Objective, fixed: frozenset[sp.Symbol], seed: int) -> tuple[Floats, str]:
    """The local minima on the grid of a residual near the objective's that does separate."""
    exact, relative = (
        exact_separation(objective.law, objective.measure, fixed),
        of_relative_residual(objective.law, fixed),
    )
    if objective.measure.robust:
        separation = exact if exact is not None and len(exact.rest) <= SEARCHED else relative
        return _reweighted(objective, separation or of_log_residual(objective.law, "equation", fixed), seed)
    if relative is None:
        separation = of_log_residual(objective.law, "equation", fixed)
        found = grid.starts(objective, separation, most=4, seed=seed, reweight=2)
        cut = cut_off(objective, found[:1])
        begun = found if np.abs(cut - found[:1]).max() <= _NUDGE else np.concatenate([found, cut])
        return begun, words("equation", separation)
    excess = atoms.separation(objective.law, fixed) if len(relative.rest) > grid.WIDEST else None
    if excess is not None:
        both = [atoms.starts(objective, excess, most=_ATOMS), grid.starts(objective, relative, most=2, seed=seed)]
        return np.concatenate(both), f"{words('weighted linear', relative)}; and from sets of columns of log(y - floor)"
    return grid.starts(objective, relative, most=8, seed=seed), words("weighted linear", relative)


def _reweighted(objective: Objective, separation: Separation, seed: int) -> tuple[Floats, str]:
    """Starts for a robust loss: the grid's minima as they are, and with the rows weighted by their residuals."""
    begun = grid.starts(objective, separation, most=4, seed=seed, robust=_REWEIGHTS)
    _, first = np.unique(begun, axis=0, return_index=True)
    return begun[np.sort(first)], words("reweighted linear", separation)


def words(kind: str, separation: Separation) -> str:
    """How the starts were found, for the certificate."""
    rest = ", ".join(symbol.name for symbol in separation.rest) or "nothing"
    rest = f"scattered {rest}" if len(separation.rest) > grid.WIDEST else rest
    linear = ", ".join(symbol.name for symbol in separation.linear)
    if kind == "grid":
        return f"{linear} in closed form, {rest} searched on a grid, then all polished together"
    inside = f" in {linear}" if linear else ""
    return f"starts from the {kind} problem{inside} over {rest}, then all polished together"
