"""How an extrapolation is judged: the error, and who wins, as arXiv 2209.06640 counts it.

The error is the root mean square of ``log y_hat - log y`` over held-out rows. On one curve the lowest error, truncated
to three decimals, wins; winners that tie share the win, and a law without an error loses. The strict count takes the
errors as they are, and a tie has no winner.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_DOWN, Decimal

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError
from .solve import Floats

__all__ = ["local_slopes", "rmse", "share_wins", "strict_wins", "truncate"]

_EQUAL = 1e-6  # relative; M2 with its floor at 0 is M1, up to the rounding of two fits


def rmse(predicted: ArrayLike, measured: ArrayLike) -> float:
    """Root mean square difference of logarithms.

    Parameters
    ----------
    predicted, measured : array (n,)
        In one unit.

    Returns
    -------
    float
        NaN if a prediction is not positive or not finite.

    Raises
    ------
    DataError
        If there is nothing to compare, or a measured value is not positive.

    Examples
    --------
    >>> round(rmse([1.0, 2.0], [1.1, 1.8]), 6)
    0.100461
    """
    guess, truth = np.asarray(predicted, dtype=np.float64), np.asarray(measured, dtype=np.float64)
    if truth.size == 0 or not (truth > 0).all():
        raise DataError("score an extrapolation", "no held-out rows, or some are not positive", "check the split")
    if not ((guess > 0) & np.isfinite(guess)).all():
        return math.nan
    return float(np.sqrt(np.mean((np.log(guess) - np.log(truth)) ** 2)))


def truncate(value: float, decimals: int = 3) -> float:
    """A number cut, not rounded, after some decimals of its shortest decimal form.

    Examples
    --------
    >>> truncate(0.0299), truncate(0.029)
    (0.029, 0.029)
    """
    return float(Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-decimals), ROUND_DOWN))


def share_wins(errors: Sequence[float], decimals: int = 3) -> tuple[float, ...]:
    """Each law's share of the win on one curve: ties of truncated errors split it, NaN loses.

    Examples
    --------
    >>> share_wins([0.0104, 0.0109, 0.02, float("nan")])
    (0.5, 0.5, 0.0, 0.0)
    """
    cut = [truncate(error, decimals) if math.isfinite(error) else math.inf for error in errors]
    best = min(cut, default=math.inf)
    if best == math.inf:
        return (0.0,) * len(cut)
    return tuple(float(value == best) / cut.count(best) for value in cut)


def strict_wins(errors: Sequence[float]) -> tuple[float, ...]:
    """1 for a law whose error lies below every other's, by more than the rounding of fits; NaN loses.

    Examples
    --------
    >>> strict_wins([0.0104, 0.0109]), strict_wins([0.02, 0.02])
    ((1.0, 0.0), (0.0, 0.0))
    """
    known = [error if math.isfinite(error) else math.inf for error in errors]
    return tuple(
        float(error * (1 + _EQUAL) < min([*known[:i], *known[i + 1 :]], default=math.inf))
        for i, error in enumerate(known)
    )


def local_slopes(x: ArrayLike, excess: ArrayLike) -> Floats:
    """The slope of log excess against log x between neighbours; NaN where an excess is not positive.

    Parameters
    ----------
    x : array (n,)
        Increasing.
    excess : array (n,)
        Response over a floor, in the response's unit.

    Returns
    -------
    array (n - 1,)
        Equal numbers where the curve is a power law above that floor.

    Examples
    --------
    >>> local_slopes([1.0, 10.0, 100.0], [8.0, 4.0, 2.0]).round(6)
    array([-0.30103, -0.30103])
    """
    with np.errstate(all="ignore"):
        heights = np.log(np.where(np.asarray(excess) > 0, excess, np.nan))
    slopes: Floats = np.diff(heights) / np.diff(np.log(np.asarray(x, dtype=np.float64)))
    return slopes
