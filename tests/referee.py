"""Minima that judge the engine's: no search is believed alone, whatever status it ends with.

SciPy's searches start in several places by several methods. The lowest end counts where another method came to it too.
Nothing here knows a law; :mod:`minimise` minimises raw laws with many digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product

import numpy as np
from scipy.optimize import least_squares, minimize

__all__ = ["agreed", "bounded_by_faces", "least_sum_of_squares", "lowest"]

METHODS = {
    "Nelder-Mead": {"xatol": 1e-10, "fatol": 1e-16, "maxfev": 5000},
    "Powell": {"xtol": 1e-10, "ftol": 1e-16, "maxfev": 5000},
    "BFGS": {"gtol": 1e-12},
}
End = tuple[str, float, np.ndarray]


def agreed(ends: Iterable[End], gap: float = 1e-9, apart: float = 1e-5) -> tuple[np.ndarray, float]:
    """The place and the height of the lowest end, which a second method must have reached."""
    known = sorted((end for end in ends if np.isfinite(end[1])), key=lambda end: end[1])
    method, least, place = known[0]
    assert any(
        other != method and height - least <= gap * max(1, abs(least)) and np.allclose(there, place, rtol=0, atol=apart)
        for other, height, there in known[1:]
    ), known
    return place, least


def lowest(function: Callable[[np.ndarray], float], *starts: Sequence[float]) -> tuple[np.ndarray, float]:
    """The lowest point of a function of a few logarithms; the starts are its places, or one and those beside it."""
    places = starts if len(starts) > 1 else [np.add(starts[0], step) for step in (0.0, -1.0, 2.0)]

    def ends() -> Iterable[End]:
        for start, (method, options) in product(places, METHODS.items()):
            found = minimize(function, start, method=method, options=options)
            yield method, float(found.fun), found.x

    return agreed(ends())


def least_sum_of_squares(
    rows: Callable[[np.ndarray], np.ndarray], *starts: Sequence[float]
) -> tuple[np.ndarray, float]:
    """The place and half the least sum of squares of rows."""

    def ends() -> Iterable[End]:
        for start, method in product(starts, ("trf", "dogbox", "lm")):
            found = least_squares(rows, start, method=method, x_scale="jac", xtol=1e-15, ftol=1e-15, gtol=1e-15)
            yield method, float(found.cost), found.x

    return agreed(ends())


def bounded_by_faces(A: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, float]:
    """The bounded linear least squares by every face of the box: its point and the sum of squares."""
    best, least = np.empty(0), np.inf
    for face in product((None, low, high), repeat=A.shape[1]):
        held = np.array([0.0 if end is None else end[i] for i, end in enumerate(face)])
        free = [i for i, end in enumerate(face) if end is None]
        if not np.isfinite(held).all():
            continue
        if free:
            held[free] = np.linalg.lstsq(A[:, free], b - A @ held, rcond=None)[0]
        total = float(np.sum((A @ held - b) ** 2))
        if total < least and (low <= held).all() and (held <= high).all():
            best, least = held, total
    assert len(best)
    return best, least
