"""Intervals to first order: a quantity's exact gradient carried through a covariance of the constants.

Of the logarithm of its size where the quantity is positive, or a constant that is negative; of itself otherwise, cut
(by :mod:`.interval`) at the ends of a constant's domain. Student's quantile on the degrees of freedom.
"""

from __future__ import annotations

import numpy as np

from ..errors import FitError
from .derived import Quantity
from .determined import why_not
from .local import Local

__all__ = ["ends", "error"]


def error(local: Local, quantity: Quantity, sandwich: bool = False) -> float:
    """The standard error of a quantity, of the logarithm of its size where it is positive or a negative constant.

    Raises
    ------
    FitError
        Where the rows do not determine it to first order, or without degrees of freedom.
    """
    why = why_not(local, quantity)
    if why:
        raise FitError(f"find the error of {quantity.name} to first order", why, 'take method="profile"')
    _, slopes = local.gradient(quantity)
    size = float(np.abs(slopes).max(initial=0.0)) or 1.0
    return size * float(np.linalg.norm(local.root(sandwich) @ (slopes / size)))


def ends(local: Local, quantity: Quantity, level: float, sandwich: bool = False) -> tuple[float, float]:
    """The ends of the interval, in the scale of :class:`Quantity`'s call."""
    half = local.reach(level) * error(local, quantity, sandwich)
    middle, _ = local.gradient(quantity)
    return middle - half, middle + half
