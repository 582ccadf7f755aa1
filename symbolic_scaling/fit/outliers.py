"""Rows far from the curve: externally studentised residuals, several at a time, against Bonferroni's bound.

One diverged run drags a curve towards it, and two hide each other. So rows are taken out one after the other, the one
of the largest deleted residual first, and as many count as the last of these that is too large for its rows (the
generalised extreme studentised deviate test: Rosner 1983, doi 10.1080/00401706.1983.10487848; deleted residuals and
leverages: Cook and Weisberg 1982). That is to first order about the optimum, and only finds candidates. The law is then
fitted without them, where that is cheap, and a candidate is named if it lies beyond the bound of that fit
(:mod:`symbolic_scaling.data.outlying`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..data.outlying import EXACT, MOST, quantile
from .result import FitProblem
from .solve import Floats

__all__ = ["SAID", "candidates", "cheap", "named", "note", "without"]

SAID = "far from the curve"
_SCREEN, _SURE, _SIX = 0.05, 1e-3, 6.0  # levels of no look and of a sure one; deviations that are worth one between
_ROWS, _CONSTANTS = 5000, 8  # of a fit that is cheap
_SMALL = 1e-12  # of the eigenvalues of a Gram matrix: directions that are none
_LOST = 1e-9  # of a row's variance that its own leverage leaves


def candidates(r: Floats, jacobian: Floats, rows: int) -> list[NDArray[np.int_]]:
    """Find the rows that may lie far from each of several curves, the farthest first.

    Parameters
    ----------
    r : array (k, m)
        Residuals at an optimum times the roots of weights that add to 1; 0 in a row that is none. What follows the
        first ``rows`` of them, such as priors, is no candidate.
    jacobian : array (k, m, p)
        By the coordinates that are free; a column of zeros stands for one that is not.
    rows : int

    Returns
    -------
    list of array
        Empty ones where nothing stands out.

    Examples
    --------
    >>> x = np.arange(9.0)
    >>> y = x + 0.01 * np.cos(9 * x)
    >>> y[[3, 4]] += 5
    >>> line = np.column_stack([np.ones(9), x])
    >>> e = y - line @ np.linalg.lstsq(line, y, rcond=None)[0]
    >>> [sorted(found.tolist()) for found in candidates(e[None] / 3, line[None] / 3, 9)]
    [[3, 4]]
    """
    span, e, real = _projected(r, jacobian)
    leverage, able = np.einsum("kmp,kmp->km", span, span), real & (np.arange(r.shape[1]) < rows)
    here, taken = np.arange(len(r)), real.sum(axis=1)
    freedom = (taken - np.einsum("kmp,kmp->k", span, span).round()).astype(np.float64)
    floor = EXACT**2 / np.maximum(taken, 1)
    order: list[NDArray[np.int_]] = []
    columns: list[Floats] = []
    last = np.zeros(len(r), dtype=np.int_)
    for step in range(min(MOST, rows // 4)):
        able = able & (1 - leverage > _LOST)
        left = np.where(able, 1 - leverage, 1.0)
        square = np.where(able, e**2 / left, 0.0)
        worst = square.argmax(axis=1)
        at, freedom = (here, worst), freedom - 1
        rest = np.maximum((np.sum(e**2, axis=1) - square[at]) / np.maximum(freedom, 1), floor)
        bound = _bound(able.sum(axis=1), freedom)
        last = np.where((square[at] > bound**2 * rest) & (4 * (step + 1) <= taken), step + 1, last)
        order.append(worst)
        column = np.einsum("kmp,kp->km", span, span[at]) + sum(c * c[at][:, None] for c in columns)
        columns.append(column / np.sqrt(left[at])[:, None])
        e = e + column * (e[at] / left[at])[:, None]
        leverage = leverage + columns[-1] ** 2
        e[at], able[at] = 0.0, False
    return [np.array([worst[i] for worst in order[:count]], dtype=np.int_) for i, count in enumerate(last.tolist())]


def _bound(rows: NDArray[np.int_], freedom: Floats) -> Floats:
    """The deleted residual from which a table is fitted again: that takes the time of many clean ones."""
    low, high = (quantile(level / np.maximum(rows, 1), freedom) for level in (_SCREEN, _SURE))
    return np.asarray(np.minimum(high, np.maximum(low, _SIX)))


def _projected(r: Floats, jacobian: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """An orthonormal span of each Jacobian, the residuals off it, and which rows there are; no NaN."""
    fine = np.asarray(np.isfinite(r).all(axis=1) & np.isfinite(jacobian).all(axis=(1, 2)))
    r, jacobian = np.where(fine[:, None], r, 0.0), np.where(fine[:, None, None], jacobian, 0.0)
    largest = np.abs(jacobian).max(axis=1, initial=0.0)
    unit = jacobian / np.where(largest > 0, largest, 1.0)[:, None]
    norms = np.linalg.norm(unit, axis=1)
    unit = unit / np.where(norms > 0, norms, 1.0)[:, None]
    sizes, axes = np.linalg.eigh(unit.transpose(0, 2, 1) @ unit)
    kept = sizes > _SMALL * sizes.max(axis=1, initial=0.0)[:, None]
    span = unit @ (axes * np.where(kept, 1 / np.sqrt(np.where(kept, sizes, 1.0)), 0.0)[:, None, :])
    e = r - np.einsum("kmp,kp->km", span, np.einsum("kmp,km->kp", span, r))
    return span, e, (r != 0) | jacobian.any(axis=2)


def cheap(rows: int, constants: int) -> bool:
    """Whether a fit without some rows is."""
    return rows <= _ROWS and constants <= _CONSTANTS


def without(problem: FitProblem, rows: Sequence[int]) -> FitProblem:
    """The problem without some distinct rows."""
    keep = np.setdiff1d(np.arange(len(problem.y)), rows)
    weights, sigma = (None if each is None else each[keep] for each in (problem.weights, problem.sigma))
    x = tuple((name, values[keep]) for name, values in problem.x)
    y, counts = problem.y[keep], problem.counts[keep]
    return replace(problem, x=x, y=y, counts=counts, weights=weights, sigma=sigma, places=())


def named(problem: FitProblem, rows: Sequence[int]) -> list[str]:
    """Some distinct rows by their values."""
    label = problem.law.response.symbol.name
    return [
        " ".join([*(f"{name} = {values[row]:.6g}," for name, values in problem.x), f"{label} = {problem.y[row]:.6g}"])
        for row in rows
    ]


def note(problem: FitProblem, rows: Sequence[int], estimate: Sequence[tuple[str, float]] = ()) -> str:
    """The rows in words, with the estimate without them where there is one."""
    said = f"{SAID}: {'; '.join(named(problem, rows))}"
    if not estimate:
        return said
    found = ", ".join(f"{name} = {value:.6g}" for name, value in estimate)
    return f"{said}; without {'it' if len(rows) == 1 else 'them'}: {found}"
