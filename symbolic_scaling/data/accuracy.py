"""Whether a response is an accuracy, a share or in percent: it rises with the only input and stays below a limit."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from .table import Floats
from .turns import mean_curve

__all__ = ["LARGEST_LOSS", "inside", "limit", "rises"]

LARGEST_LOSS = 12.0  # a response that reaches more is in percent, if it stays below 100
_RANKS = 0.5  # correlation of the ranks


def rises(x: Sequence[Floats], y: Floats) -> bool:
    """Whether the response rises with the only input, noise aside."""
    return len(x) == 1 and _rank_correlation(*mean_curve(x[0], y)) > _RANKS


def limit(x: Sequence[Floats], y: Floats) -> float:
    """The limit of an accuracy: 1, 100 in percent, and infinity for a response that is none.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 4.0])
    >>> limit([x], np.array([0.5, 0.6, 0.7])), limit([x], np.array([50.0, 60.0, 70.0])), limit([x], 1 / x)
    (1.0, 100.0, inf)
    """
    if not len(y) or y.min() < 0 or y.max() > 100 or 1 < y.max() <= LARGEST_LOSS or not rises(x, y):
        return math.inf
    return 1.0 if y.max() <= 1 else 100.0


def inside(values: ArrayLike, most: float) -> Floats:
    """Values cut just below a limit, which no accuracy that is extrapolated attains.

    Examples
    --------
    >>> bool(inside([0.5, 1.2], 1.0)[1] < 1), inside([0.5, 1.2], math.inf).tolist()
    (True, [0.5, 1.2])
    """
    return np.minimum(values, np.nextafter(most, 0.0))


def _rank_correlation(x: Floats, y: Floats) -> float:
    """Spearman's; x is sorted already."""
    if len(x) < 3 or np.ptp(y) == 0:
        return 0.0
    ranks = np.argsort(np.argsort(y, kind="stable"), kind="stable")
    return float(np.corrcoef(np.arange(len(x)), ranks)[0, 1])
