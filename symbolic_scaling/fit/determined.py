"""Whether the rows determine a quantity at the optimum of a fit, and why not.

A quantity is determined where its gradient leaves the flat directions of the Jacobian alone; this judges combinations
that are identified though their constants are not. Optima as good as the best must agree on it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .derived import Quantity
from .local import NOTHING, PRACTICAL, Local
from .solve import Floats

__all__ = ["not_identified", "why_not"]

_PART = 1e-3  # of a gradient that may lie in directions that the rows do not determine
_AWAY = 200.0  # logarithms of amplitudes that stand for 0 and infinity
_APART, _LEVEL = 1e-4, 1e-8
_ROUNDING = 1e-9
_IDLE = "{} is not identified: no row changes with {}"
_HUGE, _STEP, _ROUGH = 1e100, 1e-6, 1e-2


def why_not(local: Local, quantity: Quantity, walls: bool = True) -> str:
    """Why the rows do not determine a quantity to first order; empty where they do.

    Parameters
    ----------
    walls : bool
        Whether a constant on its wall is a reason.
    """
    slopes = _slopes(local, quantity)
    if slopes is None:
        return f"{quantity.name} is not finite at the estimate, or its slopes are not in these units"
    held = _which(local, (np.abs(slopes) > _PART) & ~local.free)
    wall = f"{held} is on a wall of its box, where errors are one-sided" if walls and held else ""
    return _moves(local, quantity, slopes) or wall or _twins(local, quantity)


def not_identified(local: Local, quantity: Quantity) -> str:
    """Why the rows leave a quantity open, walls and numbers that are no floats apart; empty where they do not."""
    slopes = _slopes(local, quantity)
    if slopes is None:  # then a constant that moves no row is reason enough
        slopes = np.array([float(c.symbol.name in quantity.constants) for c in local.ready.objective.coordinates])
        idle = _which(local, (slopes > 0) & (local.norms < NOTHING))
        return _IDLE.format(quantity.name, idle) if idle else ""
    return _moves(local, quantity, slopes) or _twins(local, quantity)


def _slopes(local: Local, quantity: Quantity) -> Floats | None:
    """The gradient of a quantity, the largest slope 1; None where it is no gradient."""
    _, slopes = local.gradient(quantity)
    if not (np.isfinite(slopes).all() and np.isfinite(local.jacobian).all()) or _broken(local, quantity, slopes):
        return None
    return slopes / (np.abs(slopes).max(initial=0.0) or 1.0)


def _moves(local: Local, quantity: Quantity, slopes: Floats) -> str:
    """What leaves every row unchanged and moves the quantity."""
    near = local.free | (np.abs(local.u[0]) < _AWAY)
    idle = _which(local, (np.abs(slopes) > _ROUNDING) & (local.norms < NOTHING) & near)
    if idle:
        return _IDLE.format(quantity.name, idle)
    live = local.free & (local.norms >= NOTHING)
    scaled = slopes[live] / local.norms[live]
    singular, right = local.factors
    flat = right[singular <= PRACTICAL * singular.max(initial=0.0)] @ scaled
    if np.linalg.norm(flat) > _PART * np.linalg.norm(scaled):
        return f"{quantity.name} is not identified: it moves along a flat direction of the Jacobian"
    return ""


def _broken(local: Local, quantity: Quantity, slopes: Floats) -> bool:
    """Whether slopes have passed through numbers that are too large or small, which differences show."""
    sizes = [abs(value) for name, value in local.result.estimate.items() if name in quantity.constants]
    if all(1 / _HUGE < size < _HUGE for size in sizes if size):
        return False
    u, near = local.u[0], _STEP * np.maximum(np.abs(local.u[0]), 1e-2)
    low, high = np.maximum(u - near, local.family.lo), np.minimum(u + near, local.family.hi)
    ends = np.concatenate([np.where(np.eye(len(u), dtype=bool), end, u) for end in (low, high)])
    values, gaps = local.values(quantity, ends)[0], np.where(high > low, high - low, np.inf)
    found = (values[len(u) :] - values[: len(u)]) / gaps
    return bool(np.abs(found - slopes).max(initial=0.0) > _ROUGH * np.abs(slopes).max(initial=0.0))


def _which(local: Local, mask: NDArray[np.bool_]) -> str:
    """The names of some coordinates."""
    pairs = zip(local.ready.objective.coordinates, mask, strict=True)
    return ", ".join(c.symbol.name for c, on in pairs if on)


def _twins(local: Local, quantity: Quantity) -> str:
    """Another optimum as good as the best in which the quantity is another."""
    best = local.result.minima[0]
    alike = [m for m in local.result.minima if m.objective <= best.objective * (1 + _LEVEL) + 1e-24]
    shown = quantity.shown(quantity(np.array([list(m.estimate.values()) for m in alike]).T)[0])
    if np.ptp(shown) <= _APART * np.abs(shown).max():
        return ""
    listed = " and ".join(f"{value:.6g}" for value in shown)
    return f"{quantity.name} is not identified: {len(alike)} equivalent optima give {listed}"
