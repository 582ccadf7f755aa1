"""Where a curve turns: local extrema that stand out from its range and from its noise.

The noise is seen in second differences, which hardly see a smooth curve. A run of n values of nothing but noise spans
about ``2 sqrt(2 log n)`` of its deviations; a turn must be higher than that, in the values and in their logarithms,
since the noise of losses is relative.
"""

from __future__ import annotations

import numpy as np

from .table import Floats

__all__ = ["mean_curve", "turns"]

_MARGIN = 1.4


def mean_curve(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Distinct x in order, and the mean of y at each."""
    if (np.diff(x) > 0).all():
        return x, y
    at, place = np.unique(x, return_inverse=True)
    return at, np.bincount(place.reshape(-1), y) / np.bincount(place.reshape(-1))


def turns(x: Floats, y: Floats, prominence: float) -> list[tuple[float, str]]:
    """Interior turning points of a curve: x, and ``minimum`` or ``maximum``.

    Parameters
    ----------
    x, y : array (n,)
        In any order; equal x are one point.
    prominence : float
        How far a curve moves on both sides of a turn, at least, as a share of its range.

    Examples
    --------
    >>> x = np.arange(1.0, 13.0)
    >>> turns(x, np.array([9.0, 8, 7, 6, 5, 4, 5, 6, 7, 6, 5, 4]), 0.2)
    [(6.0, 'minimum'), (9.0, 'maximum')]
    >>> turns(x, np.array([9.0, 4, 9, 4, 9, 4, 9, 4, 9, 4, 9, 4]), 0.2)
    []
    """
    at, values = mean_curve(x, y)
    if not len(at):
        return []
    with np.errstate(over="ignore"):
        least = prominence * float(np.ptp(values))
        found = _turns(values, least)
        found = found and _turns(values, max(least, _least(values)))
    if not found or (values.min() > 0 and not _turns(logs := np.log(values), _least(logs))):
        return []
    return [(float(at[place]), kind) for place, kind in found]


def _least(y: Floats) -> float:
    """What noise alone may move a curve by."""
    if len(y) < 3:
        return 0.0
    deviation = float(np.median(np.abs(np.diff(y, 2)))) / (0.6745 * 6**0.5)
    return _MARGIN * 2 * float(np.sqrt(2 * np.log(len(y)))) * deviation


def _turns(y: Floats, least: float) -> list[tuple[int, str]]:
    """Places after which a curve moves by more than ``least`` the other way."""
    found: list[tuple[int, str]] = []
    values, best, direction = y.tolist(), 0, 0
    low = high = 0
    for place, value in enumerate(values):
        if direction == 0:
            low, high = (place if value < values[low] else low), (place if value > values[high] else high)
            if value - values[low] > least or values[high] - value > least:
                direction, best = (1 if value - values[low] > least else -1), place
            continue
        change = direction * (value - values[best])
        if change >= 0:
            best = place
        elif -change > least:
            found.append((best, "maximum" if direction > 0 else "minimum"))
            direction, best = -direction, place
    return found
