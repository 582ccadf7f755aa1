"""Search over the constants that do not separate: the rest is solved in closed form at every point of a grid.

The grid is placed by the data: a floor approaches the smallest response, and a ceiling the largest, in equal steps of
the logarithm of the distance; exponents and scales run in equal ratios over what the range of the inputs can show. On
the grid only the Gram matrices of the residual's columns are needed, and a column that depends on one of two searched
constants is evaluated on that axis alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from .. import codegen
from ..budget import cached
from ..codegen import Compiled
from ..errors import FitError
from ..law import Law
from .axes import axis
from .gram import gram, reweighted
from .linear import bounded
from .objective import Objective
from .picks import picked
from .separate import Separation
from .solve import Floats

__all__ = ["NEAR", "SIZES", "WIDEST", "closed", "groups", "starts"]

SIZES = {0: (), 1: (160,), 2: (32, 24), 3: (12, 12, 12)}
NEAR = SIZES | {1: (48,), 2: (16, 12)}  # where minima of the grid are only near those of the objective
_ROBUST = {0: (), 1: (48,), 2: (12, 12), 3: (8, 8, 8)}
WIDEST = max(SIZES)  # constants that a grid can span; more are scattered
_SCATTER = 2048
_FAR = 100.0
_LARGEST = 2_000_000  # residuals at all points at once


def starts(
    objective: Objective, separation: Separation, most: int, *, seed: int = 0, reweight: int = 0, robust: int = 0
) -> Floats:
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
        into that of its response, to first order. Behind its minima come up to half as many others, of the rows as
        they are.
    robust : int
        How often the rows are weighted by their residuals, as the objective's loss asks. The grid is coarser, and its
        minima of that loss come before those of the squares.
    """
    points = _points(objective, separation, seed, _ROBUST if robust else NEAR if reweight else SIZES)
    stages = _solve(_thinned(objective, points), separation, points, reweight, robust)
    counts = (most, most // 2) if reweight else (most, most)
    ends = [picked(cost, points.shape, points.share, count) for (_, cost), count in zip(stages, counts, strict=False)]
    if reweight:
        ends[1] = ends[1][(ends[1][:, None] != ends[0]).all(axis=1)]  # one start a point
    u = np.concatenate([u[:, chosen] for (u, _), chosen in zip(stages, ends, strict=True)], axis=1)
    chosen = np.concatenate(ends)
    if not chosen.size:
        table = objective.table
        found = f"{objective.law.response.symbol} runs over a factor of {table.y.max() / table.y.min():.3g}"
        raise FitError(f"start a fit of {objective.law.name}", found, "drop the rows at one end")
    return _located(objective, separation, points.at(chosen), u)


def closed(objective: Objective, separation: Separation, values: list[Floats]) -> Floats:
    """The coordinates (k, p) of points (k,) of the searched constants, the others in closed form."""
    points = _Points(tuple(values), (len(values[0]),), np.empty((0, len(values[0]))))
    u, _ = _solve(_thinned(objective, points), separation, points, 0, 0)[-1]
    return _located(objective, separation, values, u)


def _located(objective: Objective, separation: Separation, values: list[Floats], u: Floats) -> Floats:
    """The coordinates (k, p) of the searched constants and of the linear ones (q, k)."""
    order = objective.law.places
    constants = np.empty((len(order), u.shape[1]))
    for symbol, value in objective.fixed.items():
        constants[order[symbol]] = value
    for symbol, each in zip(separation.rest, values, strict=True):
        constants[order[symbol]] = each
    for j, symbol in enumerate(separation.linear):
        constants[order[symbol]] = np.exp(u[j]) if separation.logs[j] else u[j]
    return objective.locate(constants)


@dataclass(frozen=True, eq=False)
class _Points:
    """The points searched: one array for each searched constant, a tensor grid or scattered.

    ``share`` (r, m) is where scattered points lie between the ends of their axes.
    """

    axes: tuple[Floats, ...]
    shape: tuple[int, ...]
    share: Floats | None = None

    @property
    def tensor(self) -> bool:
        """Whether the points are a grid."""
        return self.share is None

    def at(self, chosen: NDArray[np.int_]) -> list[Floats]:
        """Each constant at the points of these numbers."""
        places = np.unravel_index(chosen, self.shape or (1,)) if self.tensor else [chosen] * len(self.axes)
        return [values[place] for values, place in zip(self.axes, places, strict=False)]

    def spanned(self, which: Sequence[int]) -> list[Floats]:
        """Some constants at every point of the grid over their axes."""
        if len(which) == 1:
            return [self.axes[which[0]]]
        return [grid.ravel() for grid in np.meshgrid(*(self.axes[i] for i in which), indexing="ij")]


def _points(objective: Objective, separation: Separation, seed: int, known: Mapping[int, tuple[int, ...]]) -> _Points:
    by_symbol = {c.symbol: c for c in objective.coordinates}
    search = [by_symbol[symbol] for symbol in separation.rest]
    sizes = known.get(len(search), (64,) * len(search))
    axes = [axis(objective.law, c, objective.table, size) for c, size in zip(search, sizes, strict=True)]
    if len(search) in known:
        return _Points(tuple(axes), tuple(map(len, axes)))
    share = np.random.default_rng(seed).random((len(axes), _SCATTER))
    scattered = [np.interp(s, np.linspace(0, 1, len(a)), a) for s, a in zip(share, axes, strict=True)]
    return _Points(tuple(scattered), (_SCATTER,), share)


def _thinned(objective: Objective, points: _Points) -> Objective:
    """The objective on as many of its rows, evenly spread, as fit into memory at every point at once."""
    step = -(-len(objective.table.y) * int(np.prod(points.shape)) // _LARGEST)
    return objective if step == 1 else objective.on(slice(None, None, step))


def _solve(
    objective: Objective, separation: Separation, points: _Points, reweight: int, robust: int
) -> list[tuple[Floats, Floats]]:
    """The linear constants (q, m) and the cost (m,) at every point; rows weighted anew before those as they are."""
    by_symbol = {c.symbol: c for c in objective.coordinates}
    pairs = list(zip(separation.linear, separation.logs, strict=True))
    lo = np.array([_end(by_symbol[symbol].lo, log) for symbol, log in pairs])
    hi = np.array([_end(by_symbol[symbol].hi, log) for symbol, log in pairs])
    count = len(separation.parts)
    wanted = (*separation.parts, *separation.slopes) if reweight else separation.parts
    both = _columns(objective, separation, points, wanted)
    columns, slopes = both[:count], both[count:]
    if objective.by_machine:
        from .machine import squares

        *_, last = made = squares(columns, points.shape, objective.pull, (lo, hi), slopes, reweight)
        return [last, made[0]] if reweight else made
    plain = u, _ = bounded(gram(columns, objective.pull, points.shape), lo, hi)
    if not reweight:
        return [*reweighted(objective, columns, points.shape, u, (lo, hi), times=robust), plain]
    for _ in range(reweight):
        slope = slopes[-1] + sum(u[j].reshape(*points.shape, 1) * slopes[j] for j in range(len(u)))
        last = u, _ = bounded(gram(columns, objective.pull / slope**2, points.shape), lo, hi)
    return [last, plain]


@dataclass(frozen=True, eq=False)
class _Group:
    """Expressions that depend on the same searched constants, compiled together."""

    which: tuple[int, ...]
    rest: tuple[int, ...]
    fixed: tuple[sp.Symbol, ...]
    compiled: Compiled


@cached
def groups(
    law: Law, rest: tuple[sp.Symbol, ...], expressions: tuple[sp.Expr, ...], fixed: tuple[sp.Symbol, ...]
) -> tuple[_Group, ...]:
    """Expressions in data, searched constants ``rest`` and fixed ones, compiled by what of ``rest`` they hold."""
    keys = [tuple(i for i, symbol in enumerate(rest) if e.has(symbol)) for e in expressions]
    made = []
    for key in sorted(set(keys)):
        which = tuple(i for i, other in enumerate(keys) if other == key)
        chosen = [expressions[i] for i in which]
        scalars = (*(rest[i] for i in key), *fixed)
        arguments = (*law.inputs, law.response.symbol, *scalars)
        compiled = codegen.compile(chosen, arguments, scalars=scalars, domain=law.domain)
        made.append(_Group(which, key, fixed, compiled))
    return tuple(made)


def _columns(
    objective: Objective, separation: Separation, points: _Points, expressions: tuple[sp.Expr, ...]
) -> list[Floats]:
    """Each expression on the axes it depends on, rows last."""
    law, table = objective.law, objective.table
    fixed = tuple(symbol for symbol in law.constants if symbol in objective.fixed)
    found: list[Floats] = [table.y] * len(expressions)
    for group in groups(law, separation.rest, expressions, fixed):
        if points.tensor:
            flat = [values[:, None] for values in points.spanned(group.rest)]
            shape = tuple(n if i in group.rest else 1 for i, n in enumerate(points.shape))
        else:
            flat = [points.axes[i][:, None] for i in group.rest]
            shape = points.shape if group.rest else (1,)
        with np.errstate(all="ignore"):
            values = group.compiled(*table.x, table.y, *flat, *(objective.fixed[symbol] for symbol in fixed))
        for i, value in zip(group.which, values, strict=True):
            found[i] = value.reshape(*shape, len(table.y))
    return found


def _end(value: float, log: bool) -> float:
    """A bound of a linear coordinate; those of an amplitude are too far away to matter."""
    if not log:
        return value
    end = float(np.log(value)) if value > 0 else -np.inf
    return end if abs(end) < _FAR else np.copysign(np.inf, end)
