"""How sure a fit is: Gauss-Newton standard errors and intervals, and the error among replicates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import sympy as sp

from .. import codegen
from ..law import Law
from .rows import Rows
from .solve import Floats

__all__ = ["LEVEL", "covariance_root", "intervals", "pure_error", "reach_of", "standard_errors"]

LEVEL = 0.95


def standard_errors(
    law: Law,
    residual: str,
    rows: Rows,
    constants: Floats,
    *,
    free: Sequence[sp.Symbol],
    freedom: int,
    lost: Sequence[sp.Symbol] = (),
) -> tuple[tuple[str, float], ...]:
    """Square roots of the diagonal of ``s^2 (J^T J)^-1`` over distinct rows, in the user's units.

    Parameters
    ----------
    constants : array (c,)
        The estimate.
    free : sequence of Symbol
        Constants that are fitted, identified and off the walls.
    lost : sequence of Symbol
        Constants that are fitted and not identified: the rows serve them first. All others are taken as known.
    freedom : int
        Distinct rows less fitted constants; none are given without any.
    """
    root = covariance_root(law, residual, (*rows.x, rows.y), constants, free=free, freedom=freedom, lost=lost)
    if root is None:
        return ()
    return tuple((s.name, float(e)) for s, e in zip(free, np.linalg.norm(root, axis=0), strict=True))


def covariance_root(
    law: Law,
    residual: str,
    columns: Sequence[Floats],
    constants: Sequence[float] | Floats,
    *,
    free: Sequence[sp.Symbol],
    freedom: int,
    lost: Sequence[sp.Symbol] = (),
) -> Floats | None:
    """A matrix R (f, f) with ``R^T R = s^2 (J^T J)^-1`` over the ``f`` free constants, in the user's units.

    Parameters
    ----------
    columns : sequence of array (n,)
        The inputs in the law's order, then the response; distinct rows.
    constants, free, freedom, lost
        As for :func:`standard_errors`.

    Returns
    -------
    array (f, f) or None
        None without degrees of freedom, or where J has no full rank.
    """
    if freedom <= 0 or not free:
        return None
    with np.errstate(all="ignore"):
        r, by_constant = codegen.residual(law, residual).value_and_gradient(*columns, *constants)
    jacobian = by_constant[[law.constants.index(symbol) for symbol in free]].T
    largest = np.abs(jacobian).max(axis=0)
    if not (np.isfinite(jacobian).all() and largest.all()):
        return None
    norms = largest * np.linalg.norm(jacobian / largest, axis=0)
    unit = jacobian / norms
    if lost:
        unit = _beside(unit, by_constant[[law.constants.index(symbol) for symbol in lost]].T)
    _, sizes, right = np.linalg.svd(unit, full_matrices=False)
    if sizes[-1] <= 1e-13 * sizes[0]:
        return None
    root: Floats = np.sqrt(float(r @ r) / freedom) * right / sizes[:, None] / norms
    return root


def _beside(unit: Floats, other: Floats) -> Floats:
    """The part of the columns that is orthogonal to the span of ``other``."""
    norms = np.linalg.norm(other, axis=0)
    other = other[:, np.isfinite(norms) & (norms > 0)]
    left, sizes, _ = np.linalg.svd(other / np.linalg.norm(other, axis=0), full_matrices=False)
    span = left[:, sizes > 1e-10 * sizes.max(initial=0.0)]
    part: Floats = unit - span @ (span.T @ unit)
    return part


def intervals(
    errors: tuple[tuple[str, float], ...], estimate: Mapping[sp.Symbol, float], freedom: int
) -> tuple[tuple[str, float, float], ...]:
    """Nominal 95 % intervals: of the logarithm for positive amplitudes, of the constant itself otherwise."""
    if not errors:
        return ()
    reach = reach_of(freedom, LEVEL)
    by_name = {symbol.name: (symbol, value) for symbol, value in estimate.items()}
    found = []
    for name, error in errors:
        symbol, value = by_name[name][0], float(by_name[name][1])
        if symbol.is_positive and 0 < value < 2 * reach * error:
            ratio = float(np.exp(min(reach * error / value, 600.0)))
            found.append((name, value / ratio, value * ratio))
        else:
            found.append((name, value - reach * error, value + reach * error))
    return tuple(found)


def reach_of(freedom: int, level: float) -> float:
    """Student's two-sided quantile; the normal one where the scale is known and no degree of freedom counts."""
    from scipy.special import ndtri, stdtrit

    return float(stdtrit(freedom, (1 + level) / 2) if freedom > 0 else ndtri((1 + level) / 2))


def pure_error(rows: Rows) -> tuple[float, int] | None:
    """The variance of the response among rows of equal inputs, and its degrees of freedom; None without replicates.

    Exact duplicates are one row and say nothing about it.
    """
    group = rows.groups
    freedom = len(rows.y) - rows.distinct_inputs
    if freedom <= 0:
        return None
    means = np.bincount(group, rows.y) / np.bincount(group)
    return float(np.sum((rows.y - means[group]) ** 2)) / freedom, freedom
