"""Staged starts: the core of a law first, then one part after the other, each grown out of the optimum before it.

A law of sums of products (:mod:`.parts`) without its parts is a sum of power laws, which the grids of
:mod:`.begin` fit. Then, as long as parts are left:

1. For every part that may be put on, random constants are compared by what they leave of the present residual
   (:mod:`.scatter`); the part that leaves least is next.
2. The best of them that differ in their effect, put on the present optimum, are minimised together on some of the rows,
   all constants that are there free; the best few ends are kept.

A part that is not there yet has its switch so far out that it adds nothing: the law is compiled once. At last parts
are taken off again and put on anew (:mod:`.exchange`), where that lowers the sum of squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from ..budget import check
from ..law import Law
from .exchange import exchanged, singles
from .objective import Objective
from .parts import Part, parts, terms
from .scatter import draw, residuals, scores, widths
from .solve import Floats, Solutions, minimise
from .stages import FAR, held, off_values, restricted, some_rows, tamed, walled
from .units import exponents

__all__ = ["Grown", "available", "grow", "put_on", "swept"]

_ROWS, _MORE, _SCORED = 600, 2400, 400  # that stages and sweeps are fitted to, and that draws are compared on
_DRAWS, _STARTS, _KEPT = 768, 12, 3
_SHORT, _LONG = 30, 80
_SAME = 1e-4
_LOWER = 4.0  # times the mean square: a gain that is worth another sweep
_EXACT = 1e-24  # a sum of squares that is rounding
_SWEEPS, _PATIENCE = 5, 2  # rounds of parts put on anew, and of those that change nothing
_WIDE, _WALL = 2.0, 1e-6  # times steeper, where a break leans on the wall
_MANY = 4  # parts: beyond, on fewer rows
_SETTLE = 6
_LOW = 0.02  # of the least response: a floor that bends nothing


@dataclass(frozen=True, eq=False)
class Grown:
    """Points (c, k), all constants of the law in the units of the fit, best first, and the parts that are on."""

    constants: Floats
    cost: Floats
    on: tuple[Part, ...]


def available(left: tuple[Part, ...]) -> list[Part]:
    """Which parts may be put on: those not inside of one that is off."""
    switches = {part.switch for part in left}
    return [part for part in left if not switches & set(part.within)]


def grow(objective: Objective, begun: Floats, on: tuple[Part, ...], left: tuple[Part, ...], seed: int) -> Grown:
    """Put on all parts that are left, one after the other.

    Parameters
    ----------
    objective : Objective
        Of the whole law.
    begun : array (c, k)
        All constants at starts with only the parts ``on``.
    """
    rng = np.random.default_rng(seed)
    few = tamed(some_rows(objective, _ROWS, rng))
    here = Grown(*_fitted(restricted(few, left), begun, _LONG), on)
    whole = on + left
    while left:
        part = _next(few, here, left, seed)
        left = tuple(one for one in left if one != part)
        here = put_on(few, here, part, left, [seed])
    if len(whole) <= _MANY:
        here = _again(few, here, exchanged(objective.law, whole), seed)
    return swept(objective, here, whole, seed)


def swept(objective: Objective, here: Grown, whole: tuple[Part, ...], seed: int, *, once: bool = False) -> Grown:
    """The parts, and the terms beside each other, taken off and put on anew until nothing is lower, on more rows.

    Of many parts, or in one round if only ``once`` is asked for, on fewer rows.
    """
    many = once or len(whole) > _MANY
    some = some_rows(objective, _ROWS if many else _MORE, np.random.default_rng(seed))
    few = tamed(some)
    here = _sweeps(few, here, whole, seed, 1 if once else _SWEEPS)
    if many or not _pressed(few, here):
        return here
    wide = _sweeps(tamed(some, _WIDE), here, whole, seed, _SWEEPS)
    return wide if wide.cost[0] < here.cost[0] * (1 - _LOWER / len(some.table.y)) else here


def _sweeps(objective: Objective, here: Grown, whole: tuple[Part, ...], seed: int, most: int) -> Grown:
    here = Grown(*_fitted(objective, here.constants, _SHORT), whole)
    orders = singles(objective.law, whole)
    idle = 0 if len(whole) + len(terms(objective.law)) > 2 else _PATIENCE
    for sweep in range(most):
        if idle == _PATIENCE or here.cost[0] <= _EXACT:
            break
        before, here = here, _again(objective, here, orders, seed + sweep)
        idle = idle + 1 if here is before else 0
    return here


def _pressed(tame: Objective, here: Grown) -> bool:
    """Whether the best point leans on a wall behind which breaks are steeper."""
    u, slopes = tame.locate(here.constants[:, :1])[0], exponents(tame.law) - widths(tame.law)
    on_wall = (u <= tame.lo + _WALL * np.abs(tame.lo)) | (u >= tame.hi - _WALL * np.abs(tame.hi))
    inside = {s for part in parts(tame.law) for s in part.constants}
    return any(on and c.symbol in slopes & inside for on, c in zip(on_wall, tame.coordinates, strict=True))


def _next(objective: Objective, here: Grown, left: tuple[Part, ...], seed: int) -> Part:
    """The part that may lower the sum of squares most; of equal ones the first."""
    able = available(left)
    if len(able) == 1:
        return able[0]
    lowest = [_scored(objective, here, part, left, [seed])[1].min() for part in able]
    return able[int(np.argmin(lowest))]


def _scored(
    objective: Objective, here: Grown, part: Part, left: tuple[Part, ...], seed: Sequence[int]
) -> tuple[Floats, Floats, NDArray[np.int_]]:
    """Candidates (c, k) that put a part on the best point, their scores, and which of them are starts."""
    rng = np.random.default_rng([*seed, len(left)])
    law = objective.law
    present = restricted(some_rows(objective, _SCORED, rng), left)
    candidates = np.repeat(here.constants[:, :1], _DRAWS, axis=1)
    for symbol, values in draw(objective, part, _DRAWS, rng).items():
        if symbol not in objective.fixed:
            candidates[law.places[symbol]] = values
    candidates = objective.constants(objective.locate(candidates))
    costs, order = scores(present, present.locate(here.constants[:, :1])[0], candidates)
    return candidates, costs, order


def put_on(objective: Objective, here: Grown, part: Part, left: tuple[Part, ...], seed: Sequence[int]) -> Grown:
    """A part put on the points, all constants that are there free; also without the floor that may stand for it."""
    check("fit")
    few = some_rows(objective, _ROWS, np.random.default_rng([*seed, len(left)]))
    now, soon = restricted(objective, left), restricted(few, left)
    begun = [here.constants[:, :1]]
    for base, how in ((here, few), *_floorless(few, here, left)):
        candidates, _, order = _scored(how, base, part, left, seed)
        begun.append(_settled(restricted(how, left), candidates[:, order[:_STARTS]]))
    constants, cost = _fitted(soon, np.concatenate(begun, axis=1), _SHORT)
    keep = _distinct(soon, constants, cost, 2 * _KEPT)
    constants, cost = _fitted(now, constants[:, keep], _LONG)
    keep = _distinct(now, constants, cost, _KEPT)
    return Grown(constants[:, keep], cost[keep], (*here.on, part))


def _floorless(objective: Objective, here: Grown, left: tuple[Part, ...]) -> list[tuple[Grown, Objective]]:
    """The best point with its floor held at the lower wall, where it stands off it, and the objective so held."""
    law = objective.law
    floors = [c for c in objective.coordinates if _floor(law, c.symbol)]
    point = here.constants[:, :1].copy()
    for c in floors:
        point[law.places[c.symbol]] = c.lo
    share = np.abs(point - here.constants[:, :1]).max() / float(objective.table.y.min())
    if not floors or share < _LOW:
        return []
    low = held(objective, tuple(c.symbol for c in floors), point)
    return [(Grown(*_fitted(restricted(low, left), point, _SETTLE), here.on), low)]


def _floor(law: Law, symbol: sp.Symbol) -> bool:
    return any(p.symbol == symbol and p.below == law.response.symbol for p in law.parameters)


def _settled(objective: Objective, candidates: Floats) -> Floats:
    """Candidates (c, k) with the core's constants at their optimum beside the new part."""
    if not candidates.shape[1]:  # where no score is finite
        return candidates
    inside = {s for part in parts(objective.law) for s in part.constants}
    order = [c.symbol for c in objective.coordinates]
    u, low, high = walled(objective, candidates)
    free = np.array([s not in inside for s in order])
    lo, hi = np.where(free, low, u), np.where(free, high, u)
    return objective.constants(minimise(objective, u, lo, hi, steps=_SETTLE).u)


def _again(objective: Objective, here: Grown, orders: Sequence[tuple[Part, ...]], seed: int) -> Grown:
    """Parts taken off and put on anew, those of one order one after the other, where that is lower."""
    for i, order in enumerate(orders):
        tried = _anew(objective, here, order, [seed, i + 1])
        if tried.cost[0] < here.cost[0] * (1 - _LOWER / len(objective.table.y)):
            here = replace(tried, on=here.on)
    return here


def _anew(objective: Objective, here: Grown, order: tuple[Part, ...], seed: Sequence[int]) -> Grown:
    law = objective.law
    off = [off_values(law, part) if part.end == sp.oo else {part.switch: 1 / FAR} for part in order]
    together = {s: value for values in off for s, value in values.items()}
    if set(together) & set(objective.fixed):
        return here
    without = here.constants[:, :1].copy()
    for symbol, value in together.items():
        without[law.places[symbol]] = value
    rest = held(objective, tuple(together), without)
    base = Grown(*_fitted(rest, _settled(rest, without), _SHORT), here.on)
    for j, part in enumerate(order):
        still = held(objective, tuple(s for values in off[j + 1 :] for s in values), without)
        base = put_on(still, base, part, (), [*seed, j] if len(order) > 1 else seed)
    return base


def _fitted(objective: Objective, begun: Floats, steps: int) -> tuple[Floats, Floats]:
    """All constants (c, k) and sums of squares (k,) where starts (c, k) end, the best first."""
    u, lo, hi = walled(objective, begun)
    solved: Solutions = minimise(objective, u, lo, hi, steps=steps, bend=True)
    order = np.argsort(solved.cost, kind="stable")
    order = order[np.isfinite(solved.cost[order])]
    if not order.size:
        order = np.zeros(1, dtype=np.int_)
    return objective.constants(solved.u[order]), solved.cost[order]


def _distinct(objective: Objective, constants: Floats, cost: Floats, most: int) -> list[int]:
    """The first of the points whose residuals differ."""
    r = residuals(objective, constants)
    kept: list[int] = []
    for i in range(constants.shape[1]):
        if len(kept) < most and all(np.sum((r[i] - r[j]) ** 2) > _SAME * cost[i] + 1e-24 for j in kept):
            kept.append(i)
    return kept
