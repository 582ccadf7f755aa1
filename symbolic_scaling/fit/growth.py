"""Staged starts: the core of a law first, then one part after the other, each grown out of the optimum before it.

A law of sums of products (:mod:`.parts`) without its parts is a sum of power laws, which the grids of
:mod:`.begin` fit. Then, as long as parts are left:

1. For every part that may be put on, random constants are compared by what they leave of the present residual
   (:mod:`.scatter`); the part that leaves least is next.
2. The best of them that differ in their effect, put on the present optimum, are minimised together on some of the rows,
   all constants that are there free; the best few ends are kept.

A part that is not there yet has its switch so far out that it adds nothing: the law is compiled once. At last each part
is taken off again and put on anew, where that lowers the sum of squares.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from ..budget import check
from ..law import Law
from .box import Coordinate, Table
from .objective import Objective
from .parts import Part, core, parts
from .scatter import draw, residuals, scores, widths
from .solve import Floats, Solutions, minimise
from .units import exponents

__all__ = ["Grown", "core_of", "embedded", "grow", "put_on", "some_rows"]

FAR = float(np.exp(92.0))  # where a switch is off
_ROWS, _SCORED = 600, 240  # that stages are fitted to, and that draws are compared on
_DRAWS, _STARTS, _KEPT = 768, 12, 3
_SHORT, _LONG = 30, 80
_SAME = 1e-4
_LOWER = 2e-3  # of the sum of squares: a gain that is worth another sweep
_STEEPEST = 25.0  # what an exponent times the range of log x is at most, in stages
_SWEEPS = 3
_SETTLE = 6


@dataclass(frozen=True, eq=False)
class Grown:
    """Points (c, k), all constants of the law in the units of the fit, best first, and the parts that are on."""

    constants: Floats
    cost: Floats
    on: tuple[Part, ...]


def some_rows(objective: Objective, count: int, rng: np.random.Generator) -> Objective:
    """The objective on at most so many of its rows, drawn by their weight."""
    n = len(objective.table.y)
    if n <= count:
        return objective
    some = np.sort(rng.permutation(n)[:count])
    inverse = None if objective.inverse is None else objective.inverse[some]
    weights = objective.weights[some] / objective.weights[some].sum()
    table = Table(objective.table.x[:, some], objective.table.y[some])
    return replace(objective, table=table, weights=weights, inverse=inverse)


def off_values(law: Law, part: Part) -> dict[sp.Symbol, float]:
    """Constants at which a part adds nothing."""
    slopes = exponents(law)
    found = {s: (-1.0 if s.is_negative else 1.0) if s.is_nonzero or s not in slopes else 0.0 for s in part.constants}
    return {**found, part.switch: FAR}


def restricted(objective: Objective, off: tuple[Part, ...]) -> Objective:
    """The objective with the constants of these parts held where the parts add nothing."""
    held = {s: value for part in off for s, value in off_values(objective.law, part).items()}
    held = {s: value for s, value in held.items() if s not in objective.fixed}
    free = tuple(c for c in objective.coordinates if c.symbol not in held)
    return replace(objective, coordinates=free, fixed={**objective.fixed, **held})


def tamed(objective: Objective) -> Objective:
    """The objective in a box without breaks that are wider or steeper than the rows can show."""
    law = objective.law
    spread = float(np.ptp(np.log(objective.table.x), axis=1).max())
    inside = {s for part in parts(law) for s in part.constants}
    narrow, slopes = widths(law), exponents(law)
    start = {p.symbol: p.start for p in law.parameters}

    def tame(c: Coordinate) -> Coordinate:
        if c.symbol not in slopes or c.symbol not in inside or c.given:
            return c
        far = max(map(abs, start[c.symbol])) if c.symbol in narrow else _STEEPEST / spread
        return replace(c, lo=max(c.lo, -far), hi=min(c.hi, far))

    return replace(objective, coordinates=tuple(tame(c) for c in objective.coordinates))


def core_of(objective: Objective) -> Objective:
    """The objective of the law's core on the same rows."""
    small = core(objective.law)
    rows = [i for i, symbol in enumerate(objective.law.inputs) if symbol in small.inputs]
    kept = set(small.constants)
    return replace(
        objective,
        law=small,
        table=Table(objective.table.x[rows], objective.table.y),
        coordinates=tuple(c for c in objective.coordinates if c.symbol in kept),
        fixed={s: value for s, value in objective.fixed.items() if s in kept},
        priors=None,
    )


def embedded(objective: Objective, constants: Floats) -> Floats:
    """Constants of the core (c, k) as constants of the law with all parts off."""
    law = objective.law
    values = {s: value for part in parts(law) for s, value in off_values(law, part).items()}
    values = {**values, **objective.fixed}
    made = dict(zip(core(law).constants, constants, strict=True))
    return np.array([np.broadcast_to(made.get(s, values.get(s, 1.0)), constants.shape[1:]) for s in law.constants])


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
        here = put_on(few, here, part, left, seed)
    for sweep in range(_SWEEPS if len(whole) > 1 else 0):
        before, here = here, _again(few, here, whole, seed + sweep)
        if here is before:
            break
    return here


def _next(objective: Objective, here: Grown, left: tuple[Part, ...], seed: int) -> Part:
    """The part that may lower the sum of squares most; of equal ones the first."""
    able = available(left)
    if len(able) == 1:
        return able[0]
    lowest = [_scored(objective, here, part, left, seed)[1].min() for part in able]
    return able[int(np.argmin(lowest))]


def _scored(
    objective: Objective, here: Grown, part: Part, left: tuple[Part, ...], seed: int
) -> tuple[Floats, Floats, NDArray[np.int_]]:
    """Candidates (c, k) that put a part on the best point, their scores, and which of them are starts."""
    rng = np.random.default_rng([seed, len(left)])
    law = objective.law
    present = restricted(some_rows(objective, _SCORED, rng), left)
    candidates = np.repeat(here.constants[:, :1], _DRAWS, axis=1)
    for symbol, values in draw(objective, part, _DRAWS, rng).items():
        if symbol not in objective.fixed:
            candidates[law.constants.index(symbol)] = values
    candidates = objective.constants(objective.locate(candidates))
    costs, order = scores(present, present.locate(here.constants[:, :1])[0], candidates)
    return candidates, costs, order


def put_on(objective: Objective, here: Grown, part: Part, left: tuple[Part, ...], seed: int) -> Grown:
    """A part put on the points, all constants that are there free."""
    check("fit")
    candidates, _, order = _scored(objective, here, part, left, seed)
    now = restricted(objective, left)
    chosen = _settled(restricted(objective, left), candidates[:, order[:_STARTS]])
    begun = np.concatenate([chosen, here.constants[:, :1]], axis=1)
    constants, cost = _fitted(now, begun, _SHORT)
    keep = _distinct(now, constants, cost, 2 * _KEPT)
    constants, cost = _fitted(now, constants[:, keep], _LONG)
    keep = _distinct(now, constants, cost, _KEPT)
    return Grown(constants[:, keep], cost[keep], (*here.on, part))


def _settled(objective: Objective, candidates: Floats) -> Floats:
    """Candidates (c, k) with the core's constants at their optimum beside the new part."""
    inside = {s for part in parts(objective.law) for s in part.constants}
    order = [c.symbol for c in objective.coordinates]
    u = objective.locate(candidates)
    free = np.array([s not in inside for s in order])
    lo, hi = np.where(free, objective.lo, u), np.where(free, objective.hi, u)
    return objective.constants(minimise(objective, u, lo, hi, steps=_SETTLE).u)


def _again(objective: Objective, here: Grown, whole: tuple[Part, ...], seed: int) -> Grown:
    """Each part that nothing stands inside of taken off and put on anew."""
    for i, part in enumerate(whole):
        if any(part.switch in other.within for other in whole):
            continue
        off = off_values(objective.law, part)
        without = here.constants[:, :1].copy()
        for symbol, value in off.items():
            if symbol not in objective.fixed:
                without[objective.law.constants.index(symbol)] = value
        base = Grown(*_fitted(restricted(objective, (part,)), without, _SHORT), here.on)
        tried = put_on(objective, base, part, (), seed + i + 1)
        if tried.cost[0] < here.cost[0] * (1 - _LOWER):
            here = replace(tried, on=here.on)
    return here


def _fitted(objective: Objective, begun: Floats, steps: int) -> tuple[Floats, Floats]:
    """All constants (c, k) and sums of squares (k,) where starts (c, k) end, the best first."""
    solved: Solutions = minimise(objective, objective.locate(begun), objective.lo, objective.hi, steps=steps, bend=True)
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
