"""Which points of a search are starts: minima of a grid, and points that lie apart from the lower ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .solve import Floats

__all__ = ["picked"]

_SPREAD = 4  # times as many starts from scattered points as from a grid
_APART = 0.15  # of each axis: where two scattered points are starts of their own
_COARSE, _STEPS_APART = 3, 2  # searched constants whose grid may miss a minimum; where its points lie apart
_PLATEAU = 1e-10  # grid points of equal cost lie on one plateau: a constant that does not matter there


def picked(cost: Floats, shape: tuple[int, ...], share: Floats | None, most: int) -> NDArray[np.int_]:
    """The numbers of the points that are starts, the lowest first.

    Parameters
    ----------
    cost : array (m,)
    shape : tuple of int
        Of the grid whose points they are.
    share : array (r, m), optional
        Where scattered points lie between the ends of their axes; None for a grid.
    most : int
        At most so many; four times that of scattered points.

    Examples
    --------
    >>> picked(np.array([3.0, 1.0, 2.0, 0.5, 4.0]), (5,), None, 8)
    array([3, 1])
    """
    if share is not None:
        return _scattered(cost, share, _SPREAD * most)
    found = _lowest(cost.reshape(shape), most)
    return found if len(shape) < _COARSE else _filled(cost.reshape(shape), found, most)


def _scattered(cost: Floats, share: Floats, most: int) -> NDArray[np.int_]:
    """The lowest of the scattered points, each at least ``_APART`` from the lower ones."""
    chosen: list[int] = []
    left = np.argsort(cost, kind="stable")
    left = left[np.isfinite(cost[left])]
    while left.size and len(chosen) < most:
        chosen.append(int(left[0]))
        left = left[np.abs(share[:, left] - share[:, left[:1]]).max(axis=0) > _APART]
    return np.array(chosen, dtype=np.int_)


def _filled(cost: Floats, found: NDArray[np.int_], most: int) -> NDArray[np.int_]:
    """The minima of a coarse grid, and half as many as may be of its lowest points that lie apart from them."""
    places, flat = np.stack(np.unravel_index(np.arange(cost.size), cost.shape)), cost.ravel()
    chosen = found.tolist()
    apart = np.isfinite(flat)
    for place in chosen:
        apart &= np.abs(places - places[:, [place]]).max(axis=0) > _STEPS_APART
        apart &= np.abs(flat - flat[place]) > _PLATEAU * flat[place]
    left = np.flatnonzero(apart)
    left = left[np.argsort(flat[left], kind="stable")]
    while left.size and len(chosen) < most // 2:
        chosen.append(int(left[0]))
        higher = flat[left] > flat[left[0]] * (1 + _PLATEAU)
        left = left[higher & (np.abs(places[:, left] - places[:, left[:1]]).max(axis=0) > _STEPS_APART)]
    return np.array(chosen, dtype=np.int_)


def _lowest(cost: Floats, most: int) -> NDArray[np.int_]:
    """Flat indices of the lowest points that are not above any neighbour, and the middle of each plateau."""
    flat, around = cost.ravel(), np.full([n + 2 for n in cost.shape], np.inf)
    around[(slice(1, -1),) * cost.ndim] = np.where(np.isnan(cost), np.inf, cost)
    for axis in range(cost.ndim):
        lines = around.swapaxes(0, axis)
        around = np.minimum(np.minimum(lines[:-2], lines[1:-1]), lines[2:]).swapaxes(0, axis)
    found = np.flatnonzero(np.isfinite(flat) & (flat <= around.ravel()))
    if not found.size:
        return found
    found = found[np.argsort(flat[found], kind="stable")]
    level = flat[found]
    begins = np.flatnonzero(np.append(True, level[1:] > level[:-1] * (1 + _PLATEAU)))
    middles = (begins + np.append(begins[1:], len(level)) - 1) // 2
    return found[middles[:most]]
