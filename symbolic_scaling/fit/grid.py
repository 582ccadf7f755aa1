"""Search over the constants that do not separate: the rest is solved in closed form at every point of a grid.

The grid is placed by the data: a floor approaches the smallest response, and a ceiling the largest, in equal steps of
the logarithm of the distance; exponents and scales run in equal ratios over what the range of the inputs can show. On
the grid only the Gram matrices of the residual's columns are needed, and a column that depends on one of two searched
constants is evaluated on that axis alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from .. import codegen
from ..codegen import Compiled
from ..law import Law
from .axes import axis
from .linear import bounded
from .objective import Objective
from .separate import Separation
from .solve import Floats

__all__ = ["starts"]

_SIZES = {0: (), 1: (160,), 2: (40, 32), 3: (12, 12, 12)}
_SCATTER = 2048
_PLATEAU = 1e-10  # grid points of equal cost lie on one plateau: a constant that does not matter there


def starts(objective: Objective, separation: Separation, most: int, seed: int = 0, reweight: int = 0) -> Floats:
    """The coordinates (k, p) of the grid's local minima, best first.

    Parameters
    ----------
    objective : Objective
        Its table, weights and box.
    separation : Separation
        Of a residual that equals or approximates the objective's.
    most : int
        At most so many.
    seed : int
        For the scattered points that replace a grid over more than three constants.
    reweight : int
        How often the rows are divided by ``d residual/d log response``, which turns the residual of an implicit law
        into that of its response, to first order.
    """
    points = _points(objective, separation, seed)
    u, cost = _solve(objective, separation, points, reweight)
    chosen = _lowest(cost.reshape(points.shape), most, points.tensor)
    order = {symbol: i for i, symbol in enumerate(objective.law.constants)}
    constants = np.empty((len(order), len(chosen)))
    for symbol, value in objective.fixed.items():
        constants[order[symbol]] = value
    for symbol, values in zip(separation.rest, points.flat, strict=True):
        constants[order[symbol]] = values[chosen]
    for j, symbol in enumerate(separation.linear):
        constants[order[symbol]] = np.exp(u[chosen, j]) if separation.logs[j] else u[chosen, j]
    return objective.locate(constants)


@dataclass(frozen=True, eq=False)
class _Points:
    """The points searched: one array for each searched constant, a tensor grid or scattered."""

    axes: tuple[Floats, ...]
    shape: tuple[int, ...]
    tensor: bool

    @property
    def flat(self) -> list[Floats]:
        """Each constant at every point."""
        if not self.tensor:
            return list(self.axes)
        return [grid.ravel() for grid in np.meshgrid(*self.axes, indexing="ij")]


def _points(objective: Objective, separation: Separation, seed: int) -> _Points:
    by_symbol = {c.symbol: c for c in objective.coordinates}
    search = [by_symbol[symbol] for symbol in separation.rest]
    sizes = _SIZES.get(len(search), (64,) * len(search))
    axes = [axis(objective.law, c, objective.table, size) for c, size in zip(search, sizes, strict=True)]
    if len(search) in _SIZES:
        return _Points(tuple(axes), tuple(map(len, axes)), True)
    share = np.random.default_rng(seed).random((len(axes), _SCATTER))
    scattered = [np.interp(s, np.linspace(0, 1, len(a)), a) for s, a in zip(share, axes, strict=True)]
    return _Points(tuple(scattered), (_SCATTER,), False)


def _solve(objective: Objective, separation: Separation, points: _Points, reweight: int) -> tuple[Floats, Floats]:
    """The linear constants (m, q) and the cost (m,) at every point."""
    by_symbol = {c.symbol: c for c in objective.coordinates}
    pairs = list(zip(separation.linear, separation.logs, strict=True))
    lo = np.array([_end(by_symbol[symbol].lo, log) for symbol, log in pairs])
    hi = np.array([_end(by_symbol[symbol].hi, log) for symbol, log in pairs])
    columns = [_column(objective, separation, points, e) for e in (*separation.columns, separation.offset)]
    u, cost = bounded(_gram(columns, objective.weights, points.shape), lo, hi)
    if reweight:
        y = objective.law.response.symbol
        slopes = [_column(objective, separation, points, y * sp.diff(e, y)) for e in separation.columns]
        slopes.append(_column(objective, separation, points, y * sp.diff(separation.offset, y)))
    for _ in range(reweight):
        slope = slopes[-1] + sum(u[:, j].reshape(*points.shape, 1) * slopes[j] for j in range(u.shape[1]))
        u, cost = bounded(_gram(columns, objective.weights / slope**2, points.shape), lo, hi)
    return u, cost


@cache
def _compiled(expression: sp.Expr, law: Law, scalars: tuple[sp.Symbol, ...]) -> Compiled:
    return codegen.compile(expression, (*law.inputs, law.response.symbol, *scalars), scalars=scalars, domain=law.domain)


def _column(objective: Objective, separation: Separation, points: _Points, expression: sp.Expr) -> Floats:
    """One column on the axes it depends on, rows last."""
    law, table = objective.law, objective.table
    rest = [s for s in separation.rest if expression.has(s)]
    fixed = tuple(s for s in law.constants if s in objective.fixed and expression.has(s))
    index = [separation.rest.index(s) for s in rest]
    if points.tensor:
        flat = [grid.reshape(-1, 1) for grid in np.meshgrid(*(points.axes[i] for i in index), indexing="ij")]
        shape = tuple(n if i in index else 1 for i, n in enumerate(points.shape))
    else:
        flat = [points.axes[i][:, None] for i in index]
        shape = points.shape if index else (1,)
    with np.errstate(all="ignore"):
        value = _compiled(expression, law, (*rest, *fixed))(
            *table.x, table.y, *flat, *(objective.fixed[s] for s in fixed)
        )
    return value.reshape(*shape, len(table.y))


def _gram(columns: list[Floats], weight: Floats, shape: tuple[int, ...]) -> Floats:
    """Gram matrices (m, q + 1, q + 1), the offset last."""
    size = len(columns)
    gram = np.empty((*shape, size, size))
    for i, left in enumerate(columns):
        weighted = left * weight
        for j, right in enumerate(columns[: i + 1]):
            gram[..., i, j] = gram[..., j, i] = np.einsum("...n,...n->...", weighted, right)
    return gram.reshape(-1, size, size)


def _end(value: float, log: bool) -> float:
    return float(np.log(value)) if log else value


def _lowest(cost: Floats, most: int, grid: bool) -> NDArray[np.int_]:
    """Flat indices of the lowest points; on a grid only those not above any neighbour, and one of each plateau."""
    flat = cost.ravel()
    candidates = np.isfinite(flat)
    if grid and cost.ndim:
        padded = np.pad(cost, 1, constant_values=np.inf)
        for shift in np.ndindex(*(3,) * cost.ndim):
            window = padded[tuple(slice(s, s + n) for s, n in zip(shift, cost.shape, strict=True))]
            candidates &= (cost <= window).ravel()
    found = np.flatnonzero(candidates)
    found = found[np.argsort(flat[found], kind="stable")]
    level = flat[found]
    fresh = np.ones(len(found), dtype=bool)
    fresh[1:] = level[1:] > level[:-1] * (1 + _PLATEAU)
    return found[fresh][:most]
