"""Where a curve turns: local extrema that stand out from its range and from its noise.

The noise is seen in second differences, which hardly see a smooth curve; where third or fourth ones are far smaller,
the points are few and the second ones see the curve. A run of n values of nothing but noise spans about
``2 sqrt(2 log n)`` of its deviations; a turn must be higher than that, in the values and in their logarithms, since the
noise of losses is relative.
"""

from __future__ import annotations

import math

import numpy as np

from .table import Floats

__all__ = ["mean_curve", "turns"]

_MARGIN = 1.4
_ENOUGH = 5  # differences whose median says something
_BENT = 1 / 4  # of the second differences: what is left of them is the curve


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
        How far a curve moves on both sides of a turn, at least, as a share of its range, in values or in logarithms.

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
    scales = [values, *([np.log(values)] if values.min() > 0 else [])]
    with np.errstate(over="ignore"):
        noise = [_least(scale) for scale in scales]
        if not all(_turns(scale, least) for scale, least in zip(scales, noise, strict=True)):
            return []
        wide = (
            _turns(scale, max(least, prominence * float(np.ptp(scale))))
            for scale, least in zip(scales, noise, strict=True)
        )
        return next(([(float(at[place]), kind) for place, kind in found] for found in wide if found), [])


def _least(y: Floats) -> float:
    """What noise alone may move a curve by."""
    if len(y) < 3:
        return 0.0
    orders = [2, *(order for order in (3, 4) if len(y) - order >= _ENOUGH)]
    spread = [np.median(np.abs(np.diff(y, order))) / math.sqrt(math.comb(2 * order, order)) for order in orders]
    deviation = float(min(spread) if min(spread) < _BENT * spread[0] else spread[0]) / 0.6745
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
