"""The objectives of the stages in which a law with parts is fitted: some rows, parts off, a box without extremes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import sympy as sp

from ..law import Law
from .box import Coordinate, Table
from .objective import Objective
from .parts import Part, core, parts
from .scatter import widths
from .solve import Floats
from .units import exponents

__all__ = ["FAR", "core_of", "embedded", "held", "off_values", "restricted", "some_rows", "tamed", "unsigned", "walled"]

FAR = float(np.exp(92.0))  # where a switch is off
_STEEPEST, _SOFTEST = 12.0, 1.0  # what an exponent times the range of log x is at most, and a width
_SHARP = 2e-3  # the least width


def some_rows(objective: Objective, count: int, rng: np.random.Generator) -> Objective:
    """The objective on at most so many of its rows, drawn at random."""
    n = len(objective.table.y)
    if n <= count:
        return objective
    return objective.on(np.sort(rng.permutation(n)[:count]))


def off_values(law: Law, part: Part) -> dict[sp.Symbol, float]:
    """Constants at which a part adds nothing."""
    slopes = exponents(law)
    found = {s: (-1.0 if s.is_negative else 1.0) if s.is_nonzero or s not in slopes else 0.0 for s in part.constants}
    return {**found, part.switch: FAR if part.end == sp.oo else 1 / FAR}


def restricted(objective: Objective, off: tuple[Part, ...]) -> Objective:
    """The objective with the constants of these parts held where the parts add nothing."""
    held = {s: value for part in off for s, value in off_values(objective.law, part).items()}
    held = {s: value for s, value in held.items() if s not in objective.fixed}
    free = tuple(c for c in objective.coordinates if c.symbol not in held)
    return replace(objective, coordinates=free, fixed={**objective.fixed, **held})


def tamed(objective: Objective, wide: float = 1.0) -> Objective:
    """The objective in a box without breaks that are wider, or so many times steeper, than the rows can show."""
    law = objective.law
    spread = float(np.ptp(np.log(objective.table.x), axis=1).max()) or 1.0
    inside = {s for part in parts(law) for s in part.constants}
    narrow, slopes = widths(law), exponents(law)
    start = {p.symbol: p.start for p in law.parameters}

    def tame(c: Coordinate) -> Coordinate:
        if c.symbol not in slopes or c.symbol not in inside or c.given:
            return c
        far = min(max(map(abs, start[c.symbol])), _SOFTEST) if c.symbol in narrow else wide * _STEEPEST / spread
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


def held(objective: Objective, symbols: tuple[sp.Symbol, ...], at: Floats) -> Objective:
    """The objective with these constants held where they are in ``at`` (c, 1)."""
    free, places = tuple(c for c in objective.coordinates if c.symbol not in symbols), objective.law.places
    fixed = {**objective.fixed, **{s: float(at[places[s], 0]) for s in symbols}}
    return replace(objective, coordinates=free, fixed=fixed)


def unsigned(symbol: sp.Symbol) -> bool:
    """Whether a law leaves a constant's sign open."""
    return not (symbol.is_positive or symbol.is_negative)


def walled(objective: Objective, begun: Floats, sharp: float = _SHARP) -> tuple[Floats, Floats, Floats]:
    """Coordinates (k, p) of starts (c, k), and the box of each: widths of open sign keep theirs and are never sharp."""
    u = objective.locate(begun)
    lo, hi = np.tile(objective.lo, (len(u), 1)), np.tile(objective.hi, (len(u), 1))
    narrow = widths(objective.law)
    for j, c in enumerate(objective.coordinates):
        if c.symbol in narrow and unsigned(c.symbol):
            lo[:, j] = np.where(u[:, j] > 0, np.clip(sharp, lo[:, j], hi[:, j]), lo[:, j])
            hi[:, j] = np.where(u[:, j] > 0, hi[:, j], np.clip(-sharp, lo[:, j], hi[:, j]))
    return u, lo, hi
