"""How sure a fit is: Gauss-Newton standard errors and intervals, and the error among replicates."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import sympy as sp

from .. import codegen
from ..budget import cached
from ..law import Law
from .priors import Priors
from .result import FitProblem
from .rows import Rows
from .solve import Floats
from .sparsity import bends

__all__ = [
    "LEVEL",
    "covariance_root",
    "ends",
    "intervals",
    "lengths",
    "pure_error",
    "reach_of",
    "scale_of",
    "standard_errors",
]

LEVEL = 0.95
_FLAT = 1e-150  # mean curvature of a loss that is straight at every row


def standard_errors(
    law: Law,
    residual: str,
    rows: Rows,
    constants: Floats,
    *,
    free: Sequence[sp.Symbol],
    freedom: int,
    lost: Sequence[sp.Symbol] = (),
    problem: FitProblem | None = None,
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
    problem : FitProblem, optional
        Where more than squares of the residual are added: its loss, weights, sigma and priors.
    """
    columns = (*rows.x, rows.y)
    root = covariance_root(law, residual, columns, constants, free=free, freedom=freedom, lost=lost, problem=problem)
    if root is None:
        return ()
    return tuple((s.name, float(e)) for s, e in zip(free, lengths(root), strict=True))


def lengths(columns: Floats) -> Floats:
    """Euclidean norms of the columns of a matrix, of any size that a number can have.

    Examples
    --------
    >>> lengths(np.array([[3e300, 3e-300], [4e300, 4e-300]])).tolist()
    [5e+300, 5e-300]
    """
    largest = np.abs(columns).max(axis=0, initial=0.0)
    found: Floats = largest * np.linalg.norm(columns / np.where(largest > 0, largest, 1.0), axis=0)
    return found


def covariance_root(
    law: Law,
    residual: str,
    columns: Sequence[Floats],
    constants: Sequence[float] | Floats,
    *,
    free: Sequence[sp.Symbol],
    freedom: int,
    lost: Sequence[sp.Symbol] = (),
    problem: FitProblem | None = None,
) -> Floats | None:
    """A matrix R (f, f) with ``R^T R = s^2 (J^T J)^-1`` over the ``f`` free constants, in the user's units.

    Parameters
    ----------
    columns : sequence of array (n,)
        The inputs in the law's order, then the response; distinct rows.
    constants, free, freedom, lost, problem
        As for :func:`standard_errors`.

    Returns
    -------
    array (f, f) or None
        None without degrees of freedom, or where J has no full rank.
    """
    if not free or (freedom <= 0 and not (problem and problem.known)):
        return None
    target = problem.target if problem else "numpy"
    with np.errstate(all="ignore"):
        r, by_constant = codegen.residual(law, residual, target).value_and_gradient(*columns, *constants)
        if problem is None or problem.plain:
            scale = float(r @ r) / freedom
        else:
            by_constant, scale = _measured(problem, r, by_constant, np.asarray(constants), freedom)
    jacobian = by_constant[[law.places[symbol] for symbol in free]].T
    largest = np.abs(jacobian).max(axis=0)
    if not (np.isfinite(jacobian).all() and largest.all()):
        return None
    norms = largest * np.linalg.norm(jacobian / largest, axis=0)
    unit = jacobian / norms
    if lost:
        unit = _beside(unit, by_constant[[law.places[symbol] for symbol in lost]].T)
    _, sizes, right = np.linalg.svd(unit, full_matrices=False)
    if sizes[-1] <= 1e-13 * sizes[0]:
        return None
    if not np.isfinite(scale):
        return None
    root: Floats = np.sqrt(scale) * right / sizes[:, None] / norms
    return root


def _measured(
    problem: FitProblem, r: Floats, by_constant: Floats, constants: Floats, freedom: int
) -> tuple[Floats, float]:
    """The rows M (c, n) and the scale k of a covariance ``k (M M^T)^-1``, priors among the rows.

    It is :func:`scale_of`, and one over the sum of the weights where sigma is known.
    """
    measure, y = problem.measure, problem.y
    inverse = None if problem.sigma is None else 1 / problem.sigma
    share = np.ones_like(y) / len(y) if problem.weights is None else problem.weights / problem.weights.sum()
    z = measure.residuals(r, y, inverse)
    scale = scale_of(share, measure.parts(z)[1], bends(measure, share, z, freedom), freedom)
    if problem.known:
        scale = 1 / (len(y) if problem.weights is None else float(problem.weights.sum()))
    rows = by_constant * measure.slopes(r, y, inverse) * np.sqrt(share)
    if problem.priors:
        ones = (1.0,) * (len(problem.x) + 1)
        _, behind = Priors(problem.law, problem.priors, ones, scale**0.5)(constants[:, None])
        rows = np.hstack([rows, behind[:, 0]])
    return rows, scale


def scale_of(share: Floats, slope: Floats, bend: Floats, freedom: int) -> float:
    """``sum w rho'^2/freedom/(sum w rho'')^2`` with weights w that add to one; ``s^2/n`` for squares.

    ``bend`` is rho'' of :mod:`.sparsity`.
    Infinite where the loss is straight at every row.
    Huber 1964, doi 10.1214/aoms/1177703732.
    """
    bent = float(share @ bend)
    return float(share @ slope**2) / bent**2 / max(freedom, 1) if bent > _FLAT else math.inf


def _beside(unit: Floats, other: Floats) -> Floats:
    """The part of the columns that is orthogonal to the span of ``other``."""
    norms = np.linalg.norm(other, axis=0)
    other = other[:, np.isfinite(norms) & (norms > 0)]
    left, sizes, _ = np.linalg.svd(other / np.linalg.norm(other, axis=0), full_matrices=False)
    span = left[:, sizes > 1e-10 * sizes.max(initial=0.0)]
    part: Floats = unit - span @ (span.T @ unit)
    return part


def intervals(
    law: Law, errors: tuple[tuple[str, float], ...], constants: Sequence[float] | Floats, freedom: int
) -> tuple[tuple[str, float, float], ...]:
    """Nominal 95 % intervals, cut at the ends of each constant's domain.

    Of the logarithm of its size where a constant has a sign and may not be 0, of itself otherwise.
    """
    if not errors:
        return ()
    reach = reach_of(freedom, LEVEL)
    known = {s.name: float(value) for s, value in zip(law.constants, constants, strict=True)}
    found = []
    for name, error in errors:
        value = known[name]
        signed, least, most = ends(law)[name]
        if signed:
            ratio = float(np.exp(min(reach * error / abs(value), 600.0)))
            lo, hi = sorted((value / ratio, value * ratio))
        else:
            lo, hi = value - reach * error, value + reach * error
        found.append((name, max(lo, least), min(hi, most)))
    return tuple(found)


@cached
def ends(law: Law) -> dict[str, tuple[bool, float, float]]:
    """Of each constant whether it has a sign and may not be 0, and the ends of its domain.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> ends(laws.get("m2"))
    {'beta': (True, 0.0, inf), 'c': (True, -inf, 0.0), 'eps_inf': (False, 0.0, inf)}
    """
    made = {}
    for parameter in law.parameters:
        symbol, within = parameter.symbol, law.domain.interval(parameter.symbol)
        signed = (symbol.is_positive or symbol.is_negative) is True and not parameter.closed
        made[symbol.name] = (signed, float(within.lo), float(within.hi))
    return made


def reach_of(freedom: int, level: float) -> float:
    """Student's two-sided quantile; the normal one where the scale is known and no degree of freedom counts."""
    from scipy.special import ndtri, stdtrit

    return float(stdtrit(freedom, (1 + level) / 2) if freedom > 0 else ndtri((1 + level) / 2))


def pure_error(rows: Rows) -> tuple[float, int] | None:
    """The variance of the response among rows of equal inputs, and its degrees of freedom; None without replicates.

    Exact duplicates are one row and say nothing about it. None too where the variance is too large or small a number.
    """
    group = rows.groups
    freedom = len(rows.y) - rows.distinct_inputs
    if freedom <= 0:
        return None
    size = float(rows.y.max())
    y = rows.y / size
    means = np.bincount(group, y) / np.bincount(group)
    spread = float(np.linalg.norm(y - means[group])) * size
    variance = spread * spread / freedom
    return (variance, freedom) if math.isfinite(variance) and (variance > 0 or spread == 0) else None
