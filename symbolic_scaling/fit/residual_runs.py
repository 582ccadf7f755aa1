"""Whether residuals run along the only input of a law: von Neumann's ratio, the mean square of steps over the variance.

Independent residuals have about 2. A curve that does not follow the rows leaves neighbours on one side, and the ratio
falls: von Neumann 1941, doi 10.1214/aoms/1177731677. Fitted constants only raise it, so the test errs on the quiet
side. Rows of one input count once, by their mean.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .solve import Floats

__all__ = ["note", "suspect"]

_FEWEST = 8  # different inputs
_BEYOND = 2.326  # normal deviations: a clean table in a hundred
_EXACT = 1e-9  # residuals below are rounding


def note(x: Floats, e: Floats) -> list[str]:
    """Say that residuals run, if they do.

    Parameters
    ----------
    x, e : array (n,)
        The input, ascending, and residuals times the roots of weights that add to 1.

    Examples
    --------
    >>> at = np.arange(20.0)
    >>> note(at, np.sin(at / 4)), note(at, np.cos(2 * at))
    (["lack of fit: residuals run along the input (von Neumann's ratio is 0.0648; independent ones have 2)"], [])
    """
    _, place = np.unique(x, return_inverse=True)
    means = np.bincount(place, e) / np.bincount(place)
    ratio, low = _ratio(means[None], np.array([len(means)]))
    if not low[0]:
        return []
    said = f"(von Neumann's ratio is {ratio[0]:.3g}; independent ones have 2)"
    return [f"lack of fit: residuals run along the input {said}"]


def suspect(x: Floats, e: Floats, counts: NDArray[np.int_]) -> NDArray[np.bool_]:
    """Find which of many curves :func:`note` may speak of: x, e (k, m), the first ``counts`` (k,) of each."""
    real = np.arange(x.shape[1]) < counts[:, None]
    tied: NDArray[np.bool_] = ((np.diff(x, axis=1) == 0) & real[:, 1:]).any(axis=1)
    return tied | _ratio(np.where(real, e, 0.0), counts)[1]


def _ratio(e: Floats, counts: NDArray[np.int_]) -> tuple[Floats, NDArray[np.bool_]]:
    """The ratios (k,), and whether each is too low for independent residuals."""
    n = np.maximum(counts, _FEWEST).astype(np.float64)
    real = np.arange(e.shape[1]) < counts[:, None]
    off = np.where(real, e - (e.sum(axis=1) / np.maximum(counts, 1))[:, None], 0.0)
    steps, squares = np.sum(np.where(real[:, 1:], np.diff(off, axis=1), 0.0) ** 2, axis=1), np.sum(off**2, axis=1)
    able = (counts >= _FEWEST) & (squares > _EXACT**2) & np.isfinite(steps)
    ratio = steps / np.where(able, squares, 1.0) * n / (n - 1)
    spread = 2 * n * np.sqrt((n - 2) / ((n + 1) * (n - 1) ** 3))
    low: NDArray[np.bool_] = able & (ratio < 2 * n / (n - 1) - _BEYOND * spread)
    return ratio, low
