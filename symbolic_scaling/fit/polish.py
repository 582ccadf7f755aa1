"""The last step to an optimum: Newton's, with the whole Hessian, from a point where the gradient has all but vanished.

A search stops where what is left of the gradient no longer matters to a fit; two ways to one optimum then end a
millionth of a standard error apart, or more in a flat valley. One step of Newton's from there is exact to rounding, so
that the same problem has the same constants whatever way led to them.
"""

from __future__ import annotations

from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from .solve import Floats, Residual, Solutions

__all__ = ["LEVEL", "ROUNDING", "polish"]

_BESIDE, _LEAST = 1e-6, 1e-3  # differences of the Jacobian, relative to a coordinate or to this size
_ROOM = 1 << 20  # numbers of a Jacobian that are differenced for all coordinates at once
LEVEL = 1 + 1e-9
ROUNDING = 1e-10  # an offset as small as rounding makes it


def polish(residual: Residual, solved: Solutions, lo: Floats, hi: Floats, *, each: bool = False) -> Solutions:
    """Newton's step from each end that converged, taken where it makes the gradient smaller.

    Parameters
    ----------
    residual, lo, hi, each
        As for :func:`~.solve.minimise`.
    solved : Solutions
        Where it ended.

    Examples
    --------
    >>> from .solve import minimise
    >>> def bowl(u):
    ...     return np.hstack([u**2 + 1, u - 1]), np.stack([2 * u, np.ones_like(u)], axis=1)
    >>> ends = np.full(1, -3.0), np.full(1, 3.0)
    >>> solved = polish(bowl, minimise(bowl, np.array([[2.0]]), *ends), *ends)
    >>> u = float(solved.u[0, 0])
    >>> abs(2 * u * (u * u + 1) + u - 1) < 1e-12
    True
    """
    who = np.flatnonzero(solved.converged & (solved.offset > ROUNDING))
    if not who.size or not solved.u.shape[1]:
        return solved
    at = residual if each else lambda u, of: residual(u)
    u, r, jacobian, free = solved.u[who], solved.r[who], solved.jacobian[who], solved.at[who] == 0
    lo, hi = (np.broadcast_to(end, solved.u.shape)[who] for end in (lo, hi))
    norms = np.sqrt(np.einsum("knp,knp->kp", jacobian, jacobian))
    scale = np.where(free & (norms > 0), norms, 1.0)
    left = np.einsum("knp,kn->kp", jacobian, r) * free / scale
    own = _curvature(at, u, r, jacobian, who=who, hi=hi) * (free[:, :, None] & free[:, None])
    hessian = (np.einsum("kni,knj->kij", jacobian, jacobian) + own) * (free[:, :, None] & free[:, None])
    hessian = hessian / (scale[:, :, None] * scale[:, None]) + ~free[:, :, None] * np.eye(u.shape[1])
    sizes, axes = np.linalg.eigh(np.where(np.isfinite(hessian), hessian, 0.0))
    along = np.einsum("kij,ki->kj", axes, left) / np.where(sizes > 0, sizes, np.inf)
    tried = np.where(free, np.clip(u - np.einsum("kij,kj->ki", axes, along) / scale, lo, hi), u)
    new_r, new_jacobian = at(tried, who)
    cost = np.einsum("kn,kn->k", new_r, new_r)
    again = np.einsum("knp,kn->kp", new_jacobian, new_r) * free / scale
    better = (np.linalg.norm(again, axis=1) < np.linalg.norm(left, axis=1)) & (cost <= LEVEL * solved.cost[who])
    new = {"u": tried, "r": new_r, "jacobian": new_jacobian, "cost": cost}
    places = who[better]
    made = {f.name: np.array(getattr(solved, f.name)) for f in fields(Solutions)}
    for name, values in new.items():
        made[name][places] = values[better]
    made["offset"][places] = np.linalg.norm(again, axis=1)[better] / np.maximum(np.sqrt(cost[better]), 1e-300)
    return Solutions(**made)


def _curvature(at: Residual, u: Floats, r: Floats, jacobian: Floats, *, who: NDArray[np.int_], hi: Floats) -> Floats:
    """``sum r * second derivatives of r`` (k, p, p), by differences of the Jacobian."""
    k, p = u.shape
    h = _BESIDE * np.maximum(np.abs(u), _LEAST)
    h = np.where(u + h > hi, -h, h)
    together = p if jacobian.size * p <= _ROOM else 1
    found = np.empty((k, p, p))
    for first in range(0, p, together):
        some = np.arange(first, min(first + together, p))
        around = (u[:, None] + h[:, some, None] * np.eye(p)[some]).reshape(-1, p)
        _, beside = at(around, np.repeat(who, len(some)))
        change = beside.reshape(k, len(some), *jacobian.shape[1:]) - jacobian[:, None]
        found[:, some] = np.einsum("kjnp,kn->kjp", change, r) / h[:, some, None]
    symmetric: Floats = np.nan_to_num(found + np.swapaxes(found, 1, 2)) / 2
    return symmetric
