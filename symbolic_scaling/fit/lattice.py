"""The grid search of :mod:`.grid` for many tables at once: the tables are the last axis of every grid.

Each table has axes of its own. A column is evaluated point by point of the axes it depends on, for all tables; its
products with the others make the Gram matrices, and the linear constants are solved at every point of every table.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .axes import axis
from .box import Coordinate, Table
from .gram import gram
from .grid import NEAR, SIZES, groups
from .linear import bounded
from .separate import Separation
from .solve import Floats
from .stack import Index, Stack

__all__ = ["starts"]

_FAR = 100.0
_PLATEAU = 1e-10  # grid points of equal cost lie on one plateau: a constant that does not matter there
_ROWS = 4096
_ROOM = 1 << 21  # numbers in a column on the whole grid


def starts(
    stack: Stack, separation: Separation, most: int, *, exact: bool = False, reweight: int = 0
) -> tuple[Floats, Index]:
    """The local minima of each table's grid.

    Parameters
    ----------
    stack : Stack
    separation : Separation
        With at most as many constants to search as :data:`~.grid.WIDEST`.
    most : int
        At most so many a table.
    exact : bool
        Whether the residual is the objective's, so that the grid's minima are its own.
    reweight : int
        As for :func:`.grid.starts`.

    Returns
    -------
    u : array (s, p)
        Coordinates, table by table, the lowest of each first.
    of : array (s,)
        Whose they are.
    """
    shape = (SIZES if exact else NEAR)[len(separation.rest)]
    stack = _thinned(stack)
    points = int(np.prod(shape)) if reweight else max(shape, default=1)
    size = max(1, _ROOM // (points * stack.table.y.shape[-1]))
    parts = [
        _part(stack, slice(i, i + size), separation, shape, most=most, reweight=reweight)
        for i in range(0, len(stack), size)
    ]
    u, of = (np.concatenate(each) for each in zip(*parts, strict=True))
    return u, of


def _thinned(stack: Stack) -> Stack:
    """The stack on at most so many of its rows, evenly spread: starts need no more."""
    step = -(-stack.table.y.shape[-1] // _ROWS)
    if step == 1:
        return stack
    table = Table(stack.table.x[..., ::step], stack.table.y[:, ::step])
    return replace(stack, table=table, root=stack.root[:, ::step])


def _part(
    stack: Stack, where: slice, separation: Separation, shape: tuple[int, ...], *, most: int, reweight: int
) -> tuple[Floats, Index]:
    part = stack.only(where)
    by_symbol = {c.symbol: c for c in part.coordinates}
    axes = [
        axis(part.law, by_symbol[s], part.table, n).reshape(n, -1) for s, n in zip(separation.rest, shape, strict=True)
    ]
    axes = [np.broadcast_to(values, (n, len(part))) for values, n in zip(axes, shape, strict=True)]
    linear, cost = _solve(part, separation, axes, reweight)
    chosen, of = _lowest(cost.reshape(*shape, -1), most)
    order = part.law.places
    constants = np.empty((len(order), len(of)))
    for i, symbol in enumerate(part.fixed):
        constants[order[symbol]] = part.held[i, of]
    for symbol, values, place in zip(separation.rest, axes, np.unravel_index(chosen, shape or (1,)), strict=False):
        constants[order[symbol]] = values[place, of]
    for j, symbol in enumerate(separation.linear):
        value = linear[j].reshape(-1, len(part))[chosen, of]
        constants[order[symbol]] = np.exp(value) if separation.logs[j] else value
    return part.only(of).locate(constants), of + where.start


def _solve(part: Stack, separation: Separation, axes: list[Floats], reweight: int) -> tuple[Floats, Floats]:
    """The linear constants (q, m k) and the cost (m k,) at every point of every table."""
    by_symbol = {c.symbol: c for c in part.coordinates}
    pairs = list(zip(separation.linear, separation.logs, strict=True))
    shape = (*map(len, axes), len(part))
    count = int(np.prod(shape[:-1]))
    size = count * len(part)
    lo, hi = (
        np.array([np.tile(_ends(by_symbol[s], end, log, len(part)), count) for s, log in pairs]).reshape(-1, size)
        for end in ("lo", "hi")
    )
    columns, weight = _columns(part, separation, axes, separation.parts), part.root**2
    u, cost = bounded(gram(columns, weight, shape), lo, hi)
    if reweight:
        slopes = _columns(part, separation, axes, separation.slopes)
    for _ in range(reweight):
        slope = slopes[-1] + sum(u[j].reshape(*shape, 1) * slopes[j] for j in range(len(u)))
        u, cost = bounded(gram(columns, weight / slope**2, shape), lo, hi)
    return u, cost


def _columns(part: Stack, separation: Separation, axes: list[Floats], expressions: tuple[object, ...]) -> list[Floats]:
    """Each expression on the axes it depends on, then tables, then rows."""
    found: list[Floats] = [part.table.y] * len(expressions)
    held = part.held[:, :, None]
    for group in groups(part.law, separation.rest, expressions, part.fixed):
        chosen = [axes[i] for i in group.rest]
        inner = tuple(map(len, chosen))
        values = np.empty((len(group.which), *inner, *part.table.y.shape))
        for point in np.ndindex(*inner):
            at = (values[i, None] for i, values in zip(point, chosen, strict=True))
            with np.errstate(all="ignore"):
                value = group.compiled(*part.table.x, part.table.y, *(a.reshape(-1, 1) for a in at), *held)
            values[(slice(None), *point)] = value
        shape = [len(values) if i in group.rest else 1 for i, values in enumerate(axes)]
        for i, value in zip(group.which, values, strict=True):
            found[i] = value.reshape(*shape, *part.table.y.shape)
    return found


def _ends(c: Coordinate, end: str, log: bool, count: int) -> Floats:
    """The bounds (k,) of a linear coordinate; those of an amplitude are too far away to matter."""
    value = np.broadcast_to(np.asarray(getattr(c, end), dtype=np.float64), count)
    if not log:
        return value
    with np.errstate(divide="ignore"):
        logs = np.log(np.maximum(value, 0.0))
    return np.where(np.abs(logs) < _FAR, logs, np.copysign(np.inf, logs))


def _lowest(cost: Floats, most: int) -> tuple[Index, Index]:
    """Flat indices of the lowest points above no neighbour, of a plateau the middle, by table; and whose they are."""
    *shape, count = cost.shape
    padded = np.full([*(n + 2 for n in shape), count], np.inf)
    padded[(slice(1, -1),) * len(shape)] = np.where(np.isfinite(cost), cost, np.inf)
    candidates: NDArray[np.bool_] = np.isfinite(cost)
    for shift in np.ndindex(*(3,) * len(shape)):
        candidates &= cost <= padded[tuple(slice(s, s + n) for s, n in zip(shift, shape, strict=True))]
    left = np.where(candidates, cost, np.inf).reshape(-1, count)
    tables = np.arange(count)
    chosen, owners = [], []
    for _ in range(most):
        best = left.argmin(axis=0)
        level = left[best, tables]
        there = np.isfinite(level)
        if not there.any():
            break
        plateau = left <= level * (1 + _PLATEAU)
        rank = plateau.cumsum(axis=0)
        middle = (rank > (rank[-1] - 1) // 2).argmax(axis=0)
        chosen.append(middle[there])
        owners.append(tables[there])
        left[plateau] = np.inf
    flat, of = np.concatenate([[], *chosen]).astype(np.int_), np.concatenate([[], *owners]).astype(np.int_)
    order = np.argsort(of, kind="stable")
    return flat[order], of[order]
