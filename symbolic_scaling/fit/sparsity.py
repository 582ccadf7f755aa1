"""The mean curvature of a robust loss at a fit's residuals, smoothed over a bandwidth.

Where the loss is straight beyond a delta far below the noise it is nearly ``|z|``: the curve passes through as many
rows as it has constants, these alone lie where the loss is curved, and the mean of rho'' over the rows counts them and
no density. So rho'' is replaced by ``(rho'(z + h) - rho'(z - h))/(2h)``, with h the spread of the residuals times
``n^(-1/5)``, and the rows that the curve passes through are taken out of the mean. This is the sparsity of quantile
regression (Koenker 2005, Quantile Regression, doi 10.1017/CBO9780511754098, section 3.4). Of squares it is rho''.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .loss import Measure
from .solve import Floats

__all__ = ["bends", "beside"]

_NORMAL = 1.4826  # standard deviation over the median size of a residual


def bends(measure: Measure, share: Floats, z: Floats, freedom: int) -> Floats:
    """The curvature of the loss at each row, as standard errors are to take it.

    Parameters
    ----------
    measure : Measure
    share : array (n,)
        Weights of the rows, which add to one.
    z : array (n,)
        Residuals before the loss.
    freedom : int
        Degrees of freedom: the curve passes through the other rows.

    Returns
    -------
    array (n,)
        Their mean by ``share`` is the mean curvature. Never below what one row within the bandwidth gives.

    Examples
    --------
    >>> z = np.random.default_rng(0).standard_normal(10000)  # of density 0.399 at 0
    >>> made = bends(Measure("response", "huber", 1e-6), np.full(10000, 1e-4), z, 9997)
    >>> round(float(made.mean() / 2e-6), 1)
    0.4
    """
    plain = measure.parts(z)[2]
    through = max(len(z) - freedom, 0)
    if not measure.robust or freedom <= 0 or through >= len(z):
        return plain
    h = _bandwidth(z, through)
    if not h > 0:
        return plain
    high, low, top = (measure.parts(at)[1] for at in (z + h, z - h, np.array([h])))
    smooth: Floats = np.maximum(high - low, 0) / (2 * h)
    one, mean = float(top[0]) / h, float(share @ smooth)
    if not mean > 0:
        return smooth
    rest = (len(z) * mean - through * one) / (len(z) - through)
    return smooth * (max(rest, one / len(z)) / mean)


def beside(measure: Measure, z: Floats, freedom: int) -> NDArray[np.int_]:
    """The rows that a curve does not pass through only because the loss is nearly ``|z|``, in order.

    Examples
    --------
    >>> beside(Measure("response", "huber", 1e-3), np.array([0.2, 0.0, -0.1, 0.3]), 3).tolist()
    [0, 2, 3]
    >>> beside(Measure("response", "huber", 1.0), np.array([0.2, 0.0, -0.1, 0.3]), 3).tolist()
    [0, 1, 2, 3]
    """
    through = min(max(len(z) - freedom, 0), len(z) - 1)
    if not measure.robust or measure.delta > _bandwidth(z, through):
        through = 0
    return np.sort(np.argsort(np.abs(z), kind="stable")[through:])


def _bandwidth(z: Floats, through: int) -> float:
    return _NORMAL * float(np.median(np.sort(np.abs(z))[through:])) * len(z) ** -0.2
