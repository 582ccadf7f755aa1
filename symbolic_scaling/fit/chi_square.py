"""Whether a given sigma can be that of the rows: chi square about the fit."""

from __future__ import annotations

import math

__all__ = ["refused"]

_LEVEL, _OFF = 1e-3, 1.5  # of the test, and the factor that is worth saying


def refused(mean: float, rows: int, freedom: int, effective: float = 1.0) -> list[str]:
    """Test a given sigma by chi square: the note of one refused at 1 in 1000 that is off by half of itself.

    Parameters
    ----------
    mean : float
        Of the squares of residuals over sigma.
    effective : float
        The share of the degrees of freedom that the mean is worth.

    Examples
    --------
    >>> refused(26.0, 20, 17)
    ['sigma is too small by a factor of 5.53: chi square is 30.6 a degree of freedom, unless the law does not fit']
    >>> refused(0.01, 20, 17), refused(0.8, 20, 17)
    (['sigma is too large by a factor of 9.22: chi square is 0.0118 a degree of freedom'], [])
    """
    from scipy.special import gammainc, gammaincc

    if freedom < 1 or not mean > 0:
        return []
    each, half = mean * rows / freedom, effective * freedom / 2
    factor = math.sqrt(each)
    tail = gammaincc(half, half * each) if factor > 1 else gammainc(half, half * each)
    if tail > _LEVEL or 1 / _OFF < factor < _OFF:
        return []
    said = f"chi square is {each:.3g} a degree of freedom"
    if factor > 1:
        return [f"sigma is too small by a factor of {factor:.3g}: {said}, unless the law does not fit"]
    return [f"sigma is too large by a factor of {1 / factor:.3g}: {said}"]
