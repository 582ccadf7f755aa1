"""Whether the rows determine a quantity at the optimum of a fit, and why not.

A quantity is determined where its gradient leaves the flat directions of the Jacobian alone; this judges combinations
that are identified though their constants are not. Optima as good as the best must agree on it.
"""

from __future__ import annotations

import numpy as np

from .derived import Quantity
from .local import NOTHING, PRACTICAL, Local

__all__ = ["why_not"]

_PART = 1e-3  # of a gradient that may lie in directions that the rows do not determine
_AWAY = 200.0  # logarithms of amplitudes that stand for 0 and infinity
_APART, _LEVEL = 1e-4, 1e-8


def why_not(local: Local, quantity: Quantity, walls: bool = True) -> str:
    """Why the rows do not determine a quantity to first order; empty where they do.

    Parameters
    ----------
    walls : bool
        Whether a constant on its wall is a reason.
    """
    _, slopes = local.gradient(quantity)
    named = [c.symbol.name for c in local.ready.objective.coordinates]
    if not np.isfinite(slopes).all():
        return f"{quantity.name} is not finite at the estimate"
    near = local.free | (np.abs(local.u[0]) < _AWAY)
    idle = [
        n for n, s, size, here in zip(named, slopes, local.norms, near, strict=True) if s and size < NOTHING and here
    ]
    if idle:
        return f"{quantity.name} is not identified: no row changes with {', '.join(idle)}"
    scaled = slopes / np.where(local.norms > 0, local.norms, 1.0)
    total = float(np.linalg.norm(scaled))
    sizes, right = local.factors
    flat = right[sizes <= PRACTICAL * sizes.max(initial=0.0)] @ scaled[local.free & (local.norms >= NOTHING)]
    if np.linalg.norm(flat) > _PART * total:
        return f"{quantity.name} is not identified: it moves along a flat direction of the Jacobian"
    held = np.abs(np.where(local.free, 0.0, scaled)) > _PART * total
    if walls and held.any():
        names = ", ".join(name for name, on in zip(named, held, strict=True) if on)
        return f"{names} is on a wall of its box, where errors are one-sided"
    return _twins(local, quantity)


def _twins(local: Local, quantity: Quantity) -> str:
    """Another optimum as good as the best in which the quantity is another."""
    best = local.result.minima[0]
    alike = [m for m in local.result.minima if m.objective <= best.objective * (1 + _LEVEL) + 1e-24]
    shown = quantity.shown(quantity(np.array([list(m.estimate.values()) for m in alike]).T)[0])
    if np.ptp(shown) <= _APART * np.abs(shown).max():
        return ""
    listed = " and ".join(f"{value:.6g}" for value in shown)
    return f"{quantity.name} is not identified: {len(alike)} equivalent optima give {listed}"
