"""Starts for a floor under a product of factors: each factor's constants are searched in a dictionary of their own.

``log(y - floor)`` of a broken power law is linear in the logarithm of its amplitude and in its exponents, and each
break has its place and width in one column only:

    log(y - a) = log b - c0 log x - sum_i c_i * f_i log(1 + (x/d_i)**(1/f_i))

So each column is evaluated once at every point of a small grid of its own constants (its atoms), Gram matrices between
all atoms are taken for every floor of a grid, and sets of atoms, one a column, are compared by small linear problems:
all sets of two, and of more by extending the best sets (a beam). Rows count as the response sees them, divided by
``d log(y - a)/d log y``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from .. import codegen
from ..budget import cached
from ..law import Law
from .axes import axis
from .box import Coordinate
from .linear import bounded
from .objective import Objective
from .separate import Separation, of_excess_residual
from .solve import Floats
from .units import weights

__all__ = ["separation", "starts"]

_FLOORS = 12
_NEAREST = 1e-3  # of the smallest response: how close the highest floor comes to it
_SIZES = {1: (48,), 2: (32, 4), 3: (16, 4, 3)}
_SETS = 40_000  # that are all compared
_BEAM = 600
_SWEEPS = 2
_APART = 1.0  # steps of an axis: where two sets of atoms are starts of their own


@cached
def separation(law: Law, fixed: frozenset[sp.Symbol]) -> Separation | None:
    """The residual ``log(y - floor)``, where each other searched constant stands in one column alone; None otherwise.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = separation(laws.get("bnsl", n=2), frozenset())
    >>> found.linear, found.rest
    ((b, c0, c1, c2), (a, d1, f1, d2, f2))
    >>> separation(laws.get("chinchilla"), frozenset()) is None
    True
    """
    found = of_excess_residual(law, fixed)
    if found is None or any(column.has(found.response) for column in found.columns):
        return None
    shared = found.offset.free_symbols & set(found.rest)
    own = [column.free_symbols & set(found.rest) for column in found.columns]
    alone = all(sum(symbol in one for one in own) == 1 for symbol in set(found.rest) - shared)
    apart = not any(one & shared for one in own) and all(len(one) <= max(_SIZES) for one in own)
    return found if alone and apart and len(shared) <= 1 and any(own) else None


@dataclass(frozen=True, eq=False)
class _Column:
    """One column's atoms: its own constants (r, m), and its values (m, n)."""

    symbols: tuple[sp.Symbol, ...]
    constants: Floats
    values: Floats


def starts(objective: Objective, separation: Separation, most: int) -> Floats:
    """The coordinates (k, p) of the best sets of atoms, the best first."""
    columns = [_column(objective, separation, expression) for expression in separation.columns]
    floors = _floors(objective, separation)
    sets, where, u, cost = _search(objective, separation, columns, floors)
    chosen = _apart(sets, cost, columns, most)
    order = objective.law.places
    constants = np.empty((len(order), len(chosen)))
    for symbol, value in objective.fixed.items():
        constants[order[symbol]] = value
    for symbol in set(separation.rest) & separation.offset.free_symbols:
        constants[order[symbol]] = floors[where[chosen]]
    for column, atoms in zip(columns, sets, strict=True):
        for symbol, values in zip(column.symbols, column.constants, strict=True):
            constants[order[symbol]] = values[atoms[chosen]]
    for j, symbol in enumerate(separation.linear):
        constants[order[symbol]] = np.exp(u[j, chosen]) if separation.logs[j] else u[j, chosen]
    return objective.locate(constants)


def _column(objective: Objective, separation: Separation, expression: sp.Expr) -> _Column:
    law, table = objective.law, objective.table
    symbols = tuple(s for s in separation.rest if expression.has(s))
    by_symbol = {c.symbol: c for c in objective.coordinates}
    sizes = _SIZES.get(len(symbols), ())
    axes = [_axis(objective, expression, by_symbol[s], n) for s, n in zip(symbols, sizes, strict=True)]
    constants = np.stack([grid.ravel() for grid in np.meshgrid(*axes, indexing="ij")]) if axes else np.empty((0, 1))
    held = tuple(s for s in law.constants if s in objective.fixed)
    compiled = codegen.compile(expression, (*law.inputs, *symbols, *held), scalars=(*symbols, *held), domain=law.domain)
    values = compiled(*table.x, *constants[:, :, None], *(objective.fixed[s] for s in held))
    return _Column(symbols, constants, np.broadcast_to(values, (constants.shape[1], len(table.y))))


def _axis(objective: Objective, expression: sp.Expr, c: Coordinate, count: int) -> Floats:
    """Values of one constant: a place among the rows lies between them, a width of a step in log x between their
    distance and their range."""
    for unit, values in zip(objective.law.inputs, objective.table.x, strict=True):
        powers = weights(objective.law, unit)
        if powers is not None and powers[objective.law.places[c.symbol]] == 1:
            return np.clip(np.geomspace(values.min(), values.max(), count), c.lo, c.hi)
    if not any(power.exp.has(1 / c.symbol) for power in expression.atoms(sp.Pow)):
        return axis(objective.law, c, objective.table, count)
    logs = np.log(objective.table.x)
    between = float(np.ptp(logs, axis=1).max()) / max(logs.shape[1] - 1, 1)
    return np.clip(np.geomspace(between / 2, between * logs.shape[1] / 8, count), c.lo, c.hi)


def _floors(objective: Objective, separation: Separation) -> Floats:
    """Floors from the lowest admissible one up to the smallest response, ever closer."""
    shared = set(separation.rest) & separation.offset.free_symbols
    if not shared:
        return np.zeros(1)
    (c,) = (c for c in objective.coordinates if c.symbol in shared)
    least = float(objective.table.y.min())
    low, high = max(c.lo, 0.0), min(c.hi, least * (1 - _NEAREST))
    return least - np.geomspace(least - low, least - high, _FLOORS) if low < high else np.array([low])


def _search(
    objective: Objective, separation: Separation, columns: list[_Column], floors: Floats
) -> tuple[NDArray[np.int_], NDArray[np.int_], Floats, Floats]:
    """Sets of atoms (q, m), the floor of each (m,), the linear constants (q, m) and the cost (m,)."""
    grams = _grams(objective, separation, columns, floors)
    first = np.cumsum([0, *(len(column.values) for column in columns)])
    sets = np.zeros((0, 1), dtype=np.int_)
    where, beam = np.arange(len(floors)), False
    sets = np.repeat(sets, len(floors), axis=1)
    for j, column in enumerate(columns):
        count = len(column.values)
        sets = np.vstack([np.repeat(sets, count, axis=1), np.tile(np.arange(count), sets.shape[1])])
        where = np.repeat(where, count)
        kept = _ordered(objective.law, columns, sets)
        sets, where = sets[:, kept], where[kept]
        last = j + 1 == len(columns)
        if count == 1 and not last:
            continue
        u, cost = _solve(grams, first, sets, where)
        if last and beam:
            return _exchanged(objective, columns, grams, first, (sets, where, cost))
        if not last and sets.shape[1] * len(columns[j + 1].values) > _SETS * len(floors):
            order = np.argsort(cost, kind="stable")
            _, once = np.unique(sets[:, order], axis=1, return_index=True)  # each set at its best floor
            best, beam = order[np.sort(once)[:_BEAM]], True
            sets, where = sets[:, best], where[best]
    return sets, where, u, cost


def _exchanged(
    objective: Objective,
    columns: list[_Column],
    grams: Floats,
    first: NDArray[np.int_],
    found: tuple[NDArray[np.int_], NDArray[np.int_], Floats],
) -> tuple[NDArray[np.int_], NDArray[np.int_], Floats, Floats]:
    """The best sets with each atom and the floor exchanged in turn for all others, twice over."""
    sets, where, cost = found
    for _ in range(_SWEEPS):
        for j in [j for j, column in enumerate(columns) if len(column.values) > 1] + [-1]:
            _, once = np.unique(sets[:, (order := np.argsort(cost, kind="stable"))], axis=1, return_index=True)
            best = order[np.sort(once)[: _BEAM // 4]]
            count = len(grams) if j < 0 else len(columns[j].values)
            sets, where = np.repeat(sets[:, best], count, axis=1), np.repeat(where[best], count)
            if j < 0:
                where = np.tile(np.arange(count), len(best))
            else:
                sets[j] = np.tile(np.arange(count), len(best))
            kept = _ordered(objective.law, columns, sets)
            sets, where = sets[:, kept], where[kept]
            u, cost = _solve(grams, first, sets, where)
    return sets, where, u, cost


def _grams(objective: Objective, separation: Separation, columns: list[_Column], floors: Floats) -> Floats:
    """Products of all atoms and the offset, (floors, atoms + 1, atoms + 1), the offset last."""
    law, table = objective.law, objective.table
    shared = tuple(s for s in separation.rest if separation.offset.has(s))
    held = tuple(s for s in law.constants if s in objective.fixed)
    names = (*law.inputs, law.response.symbol, *shared, *held)
    compiled = codegen.compile(
        (separation.offset, separation.slopes[-1]), names, scalars=(*shared, *held), domain=law.domain
    )
    given = [floors[:, None]] if shared else []
    made = compiled(*table.x, table.y, *given, *(objective.fixed[s] for s in held))
    offset, slope = (np.broadcast_to(part, (len(floors), len(table.y))) for part in made)
    atoms = np.concatenate([column.values for column in columns])
    root = np.sqrt(objective.pull) / slope
    whole = np.concatenate([atoms * root[:, None], (offset * root)[:, None]], axis=1)
    products: Floats = whole @ whole.transpose(0, 2, 1)
    return products


def _ordered(law: Law, columns: list[_Column], sets: NDArray[np.int_]) -> NDArray[np.bool_]:
    """Where constants that lie above others do so (m,)."""
    place = {s: (j, i) for j, column in enumerate(columns[: len(sets)]) for i, s in enumerate(column.symbols)}
    kept = np.ones(sets.shape[1], dtype=bool)
    for parameter in law.parameters:
        if parameter.symbol in place and parameter.above in place:
            (j, i), (k, o) = place[parameter.symbol], place[parameter.above]
            kept &= columns[j].constants[i][sets[j]] > columns[k].constants[o][sets[k]]
    return kept


def _solve(
    grams: Floats, first: NDArray[np.int_], sets: NDArray[np.int_], where: NDArray[np.int_]
) -> tuple[Floats, Floats]:
    """The linear constants (q, m) and the cost (m,) of every set."""
    at = [first[j] + atoms for j, atoms in enumerate(sets)] + [np.full(sets.shape[1], grams.shape[1] - 1)]
    q = len(sets)
    gram = np.empty((q + 1, q + 1, sets.shape[1]))
    for i, left in enumerate(at):
        for j, right in enumerate(at[: i + 1]):
            gram[i, j] = gram[j, i] = grams[where, left, right]
    return bounded(gram, np.full(q, -np.inf), np.full(q, np.inf))


def _apart(sets: NDArray[np.int_], cost: Floats, columns: list[_Column], most: int) -> NDArray[np.int_]:
    """The best sets whose atoms lie apart in some constant."""
    steps = [_steps(column) for column in columns if len(column.symbols)]
    places = np.concatenate(
        [s[:, sets[j]] for s, j in zip(steps, (j for j, c in enumerate(columns) if len(c.symbols)), strict=True)]
    )
    left = np.argsort(cost, kind="stable")
    left = left[np.isfinite(cost[left])]
    chosen: list[int] = []
    while left.size and len(chosen) < most:
        chosen.append(int(left[0]))
        left = left[np.abs(places[:, left] - places[:, left[:1]]).max(axis=0) > _APART]
    return np.array(chosen, dtype=np.int_)


def _steps(column: _Column) -> Floats:
    """The numbers of an atom's constants along their axes (r, m)."""
    return np.stack([np.unique(values, return_inverse=True)[1] for values in column.constants]).astype(np.float64)
