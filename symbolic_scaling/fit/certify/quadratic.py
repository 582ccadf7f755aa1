"""The least value of a quadratic with uncertain coefficients over a rectangle, many at once.

``q(d) = sum g_k d_k + sum h_kl d_k d_l`` over ``lo <= d <= hi`` with ``lo <= 0 <= hi`` and every coefficient in an
interval. In one quadrant the signs of ``d_k`` and ``d_k d_l`` are fixed, so the worst coefficients are one end of each
interval; the least value of that quadratic on the quadrant's rectangle is at a corner, at the stationary point of an
edge, or at the stationary point inside.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from ..solve import Floats
from .intervals import Interval

__all__ = ["least", "pairs"]


def pairs(d: int) -> list[tuple[int, int]]:
    """The monomials ``d_k d_l`` with ``k <= l``."""
    return [(k, m) for k in range(d) for m in range(k, d)]


def least(g: Interval, h: Interval, lo: Floats, hi: Floats) -> Floats:
    """A lower bound of the quadratics, never above 0.

    Parameters
    ----------
    g : (lo, hi) of arrays (d, m)
        Slopes, ``d`` at most 2.
    h : (lo, hi) of arrays (p, m)
        Coefficients of :func:`pairs`.
    lo, hi : array (d, m)
        The rectangles; they hold 0.

    Returns
    -------
    array (m,)

    Examples
    --------
    >>> one = lambda *values: np.array(values)[:, None]
    >>> least((one(-2.0), one(-2.0)), (one(1.0), one(3.0)), one(-5.0), one(5.0))
    array([-1.])
    """
    d, m = lo.shape
    if d == 0:
        return np.zeros(m)
    worst = np.zeros(m)
    for side in product((0, 1), repeat=d):
        a = np.stack([(lo[k] if side[k] == 0 else np.zeros(m)) for k in range(d)])
        b = np.stack([(hi[k] if side[k] == 1 else np.zeros(m)) for k in range(d)])
        slope = [g[1 - side[k]][k] for k in range(d)]
        bend = [h[0][p] if side[k] == side[n] else h[1][p] for p, (k, n) in enumerate(pairs(d))]
        found = _line(slope[0], bend[0], a[0], b[0]) if d == 1 else _rectangle(slope, bend, a, b)
        worst = np.minimum(worst, found)
    return worst


def _line(g: Floats, h: Floats, a: Floats, b: Floats) -> Floats:
    """The least of ``g t + h t^2`` on [a, b]."""
    with np.errstate(all="ignore"):
        inside = np.clip(np.where(h > 0, -g / (2 * h), a), a, b)
    return np.minimum.reduce([t * (g + h * t) for t in (a, inside, b)])


def _rectangle(g: list[Floats], h: list[Floats], a: Floats, b: Floats) -> Floats:
    """The least on a rectangle: the four edges, and the stationary point where it is a minimum inside."""
    (g1, g2), (h11, h12, h22) = g, h
    edges = [s * (g1 + h11 * s) + _line(g2 + h12 * s, h22, a[1], b[1]) for s in (a[0], b[0])]
    edges += [t * (g2 + h22 * t) + _line(g1 + h12 * t, h11, a[0], b[0]) for t in (a[1], b[1])]
    with np.errstate(all="ignore"):
        bottom = 4 * h11 * h22 - h12**2
        s, t = (h12 * g2 - 2 * h22 * g1) / bottom, (h12 * g1 - 2 * h11 * g2) / bottom
        inside = (bottom > 0) & (h11 > 0) & (s > a[0]) & (s < b[0]) & (t > a[1]) & (t < b[1])
        value = np.where(inside, (g1 * s + g2 * t) / 2, np.inf)
    return np.minimum.reduce([*edges, value])
