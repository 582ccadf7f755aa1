"""Rows far from what the other rows say, with no law: least trimmed squares of a quadratic surface in the logarithms.

The surface that leaves a few rows out is searched from many elemental subsets (Rousseeuw and Van Driessen 1999, doi
10.1007/s10618-005-0024-4), so that two or three diverged runs do not hide each other. A row left out is named if its
deleted residual passes Bonferroni's bound over all sets of so many rows. No curve is a quadratic, so it must also lie
as far off as a good part of what all others span.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from .table import Floats

__all__ = ["MOST", "beyond", "outlying", "quantile"]

MOST = 3  # rows, and a quarter of them
LEVEL = 0.01  # that a clean table is named for
EXACT = 1e-9  # the least spread of a row, relative: rounding
_PROMINENT = 0.4  # of what the other rows span
_SUBSETS, _FEWEST, _STEPS = 300, 8, 3
_NUMBERS = 2_000_000  # of all subsets together
_SPARE = 2  # rows for each column of the surface


def outlying(x: Mapping[str, Floats], y: Floats) -> NDArray[np.int_]:
    """Find up to three rows, and a quarter of all, that lie far from a smooth surface through the others.

    Parameters
    ----------
    x : mapping of name to array (n,)
    y : array (n,)

    Examples
    --------
    >>> at = np.geomspace(1e6, 1e9, 12)
    >>> losses = 1.7 + 400 * at**-0.4
    >>> losses[[4, 9]] = 9.81
    >>> outlying({"x": at}, losses).tolist()
    [4, 9]
    """
    table, place = np.unique(np.column_stack([*x.values(), y]), axis=0, return_inverse=True)
    columns, u = _surface([_logs(values) for values in table[:, :-1].T], len(table)), _logs(table[:, -1])
    most = min(MOST, len(u) // 4)
    if not most or len(u) - most < _SPARE * columns.shape[1]:
        return np.zeros(0, dtype=np.int_)
    rows = _trimmed(columns, u, most)
    while rows.size:
        stay = np.setdiff1d(np.arange(len(u)), rows)
        surface = np.linalg.lstsq(columns[stay], u[stay], rcond=None)[0]
        off = u - columns @ surface
        far = beyond(off[rows], columns[rows], off[stay], columns[stay])
        far &= np.abs(off[rows]) > _PROMINENT * np.ptp(u[stay])
        if far.all():
            break
        rows = rows[far]
    named: NDArray[np.int_] = np.flatnonzero(np.isin(place.reshape(-1), rows))
    return named


def beyond(at: Floats, slopes: Floats, r: Floats, jacobian: Floats) -> NDArray[np.bool_]:
    """Find which rows left out lie beyond Bonferroni's bound of a least-squares fit to the others.

    Parameters
    ----------
    at, slopes : array (q,), array (q, p)
        Residuals of the rows left out, and their Jacobian at that fit; one that is no number lies beyond.
    r, jacobian : array (n,), array (n, p)
        Those of the rows that stay, weighted likewise.
    """
    norms = np.linalg.norm(jacobian, axis=0)
    free = norms > 0
    _, sizes, right = np.linalg.svd(jacobian[:, free] / norms[free], full_matrices=False)
    kept = sizes > EXACT * sizes.max(initial=0.0)
    freedom = len(r) - int(kept.sum())
    if freedom < 1:
        return np.zeros(len(at), dtype=bool)
    moved = np.where(np.isfinite(at)[:, None], slopes, 0.0)
    moved = (moved[:, free] / norms[free]) @ right[kept].T / sizes[kept]
    deviation = np.sqrt(max(float(r @ r) / freedom, EXACT**2 / len(r)) * (1 + np.sum(moved**2, axis=1)))
    sets = math.comb(len(r) + len(at), len(at))
    far: NDArray[np.bool_] = ~(np.abs(at) <= quantile(LEVEL / sets, freedom) * deviation)
    return far


def quantile(level: Floats | float, freedom: Floats | float) -> Floats:
    """Student's two-sided quantile; infinite without degrees of freedom."""
    from scipy.special import stdtrit

    degrees = np.asarray(freedom, dtype=np.float64)
    found: Floats = np.where(degrees > 0, stdtrit(np.maximum(degrees, 1), 1 - np.asarray(level) / 2), np.inf)
    return found


def _logs(values: Floats) -> Floats:
    return np.log(values) if (values > 0).all() else values


def _surface(inputs: list[Floats], rows: int) -> Floats:
    """Columns 1, z, z^2 and products of standardised inputs; the straight ones alone where there are few rows."""
    z = [(v - v.mean()) / v.std() for v in inputs if v.std() > EXACT * np.abs(v).max()]
    straight = np.column_stack([np.ones(rows), *z])
    bent = np.column_stack([straight, *(a * b for a, b in combinations_with_replacement(z, 2))])
    return bent if rows - MOST >= _SPARE * bent.shape[1] else straight


def _trimmed(columns: Floats, u: Floats, most: int) -> NDArray[np.int_]:
    """The rows that least trimmed squares leaves out."""
    rng = np.random.default_rng(0)
    n, p = columns.shape
    subsets = max(_FEWEST, min(_SUBSETS, _NUMBERS // n))
    chosen = np.argsort(rng.random((subsets, n)), axis=1)[:, :p]
    kept = n - most
    for _ in range(_STEPS + 1):
        surfaces = (np.linalg.pinv(columns[chosen]) @ u[chosen][:, :, None])[:, :, 0]
        square = (u - surfaces @ columns.T) ** 2
        chosen = np.argpartition(square, kept - 1, axis=1)[:, :kept]
    best = np.take_along_axis(square, chosen, axis=1).sum(axis=1).argmin()
    return np.setdiff1d(np.arange(n), chosen[best])
