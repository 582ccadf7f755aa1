"""The search of :mod:`.search` for many tables at once: the same starts and solver, each table its own lowest end.

All starts of all tables are polished together; those near their table's best go on, and a restart from beside the best
looks for a lower one. What is done is that of one table; that it is done for many at once is what makes it cheap.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from ..errors import FitError
from ..law import Law
from . import doubt, lattice
from .begin import SEARCHED, cut_off, exact_separation, inward, separation_of
from .grid import WIDEST
from .loss import Measure
from .polish import polish
from .separate import Separation, of_log_residual, of_relative_residual
from .solve import Floats, Solutions, minimise
from .stack import Index, Stack

__all__ = ["Found", "Plan", "find", "plan"]

_SAME, _LEVEL, _HOPELESS = 1e-4, 1 + 1e-9, 4.0
_NUDGE = 0.05
_SCREEN, _LEADERS, _STEPS, _PATIENCE = 24, 4, 60, 1500


@dataclass(frozen=True)
class Plan:
    """The separation that gives the starts: of the residual itself (``exact``), or of one near it."""

    separation: Separation
    exact: bool
    relative: bool


@dataclass(frozen=True, eq=False)
class Found:
    """The lowest end of each table; ``agree`` (k,) of its ``starts`` (k,) ended there."""

    ends: Solutions
    agree: Index
    starts: Index


def plan(law: Law, measure: Measure, fixed: frozenset[sp.Symbol]) -> Plan | None:
    """How a law is searched; None where it takes scattered starts, which each table chooses for itself."""
    if doubt.of_law(law, separation_of(law, fixed).rest):
        return None
    exact, relative = exact_separation(law, measure, fixed), of_relative_residual(law, fixed)
    if exact is not None and len(exact.rest) <= SEARCHED:
        return Plan(exact, exact=True, relative=False)
    found = relative or of_log_residual(law, "equation", fixed)
    return Plan(found, exact=False, relative=relative is not None) if len(found.rest) <= WIDEST else None


def find(stack: Stack, how: Plan, seed: int = 0) -> Found:
    """The lowest minimum of each table that the search meets.

    A table without any finite start keeps a cost of infinity.

    Raises
    ------
    FitError
        If no table has one.
    """
    begun, of = _starts(stack, how)
    part = stack.only(of)
    solved = _run(part, begun, 200 if how.exact else _SCREEN)
    if not how.exact:
        rank = _ranks(solved, of)
        best = _lowest(solved, of, len(stack))
        near = solved.cost <= _HOPELESS * np.append(solved.cost, np.inf)[best][of]
        solved = _go_on(part, solved, ~solved.converged & near & (rank < _LEADERS), _STEPS)
    best = _lowest(solved, of, len(stack))
    last = best[best < len(of)]
    solved = _go_on(part, solved, np.isin(np.arange(len(of)), last[~solved.converged[last]]), _PATIENCE)
    if not how.exact:
        solved, of = _restart(stack, solved, of, seed)
    found = _gather(solved, of, len(stack))
    return replace(found, ends=polish(stack, found.ends, stack.lo, stack.hi, each=True))


def _starts(stack: Stack, how: Plan) -> tuple[Floats, Index]:
    if how.exact or how.relative:
        begun, of = lattice.starts(stack, how.separation, most=8, exact=how.exact)
    else:
        weighted, whose = lattice.starts(stack, how.separation, most=4, reweight=2)
        plain, others = lattice.starts(stack, how.separation, most=2)
        first = np.flatnonzero(np.diff(whose, prepend=-1))
        cut = cut_off(stack.only(whose[first]), weighted[first]) if len(first) else weighted
        begun, of = np.concatenate([weighted, plain, cut]), np.concatenate([whose, others, whose[first]])
        joined = np.unique(np.column_stack([of, begun]), axis=0)
        begun, of = np.ascontiguousarray(joined[:, 1:]), joined[:, 0].astype(np.int_)
    if not len(of):
        raise FitError(f"fit {stack.law.name}", "the residual is finite at no start", "widen the bounds")
    return (begun if how.exact else inward(stack.only(of), begun)), of


def _run(part: Stack, begun: Floats, steps: int, bend: bool = False) -> Solutions:
    return minimise(part, begun, part.lo, part.hi, steps=steps, bend=bend, each=True)


def _go_on(part: Stack, solved: Solutions, which: NDArray[np.bool_], steps: int) -> Solutions:
    """The starts ``which`` followed further along their valleys."""
    if not which.any():
        return solved
    return _put(solved, np.flatnonzero(which), _run(part.only(which), solved.u[which], steps, bend=True))


def _put(solved: Solutions, at: Index, new: Solutions) -> Solutions:
    """``new`` in the places ``at``."""
    for f in fields(Solutions):
        getattr(solved, f.name)[at] = getattr(new, f.name)
    return solved


def _restart(stack: Stack, solved: Solutions, of: Index, seed: int) -> tuple[Solutions, Index]:
    """One more start a table, from beside its best; where it ends lower it is followed to its minimum."""
    best = _lowest(solved, of, len(stack))
    tables = np.flatnonzero(best < len(of))
    best = best[tables]
    u, part = solved.u[best], stack.only(tables)
    signs = np.random.default_rng(seed).choice((-1.0, 1.0), u.shape[1])
    again = _run(part, u + _NUDGE * np.maximum(np.abs(u), 0.1) * signs, _STEPS)
    lower = again.cost < solved.cost[best] / _LEVEL
    again = _go_on(part, again, lower & ~again.converged, _PATIENCE)
    kept = lower | again.converged
    merged = (np.concatenate([getattr(solved, f.name), getattr(again, f.name)[kept]]) for f in fields(Solutions))
    return Solutions(*merged), np.append(of, tables[kept])


def _ranks(solved: Solutions, of: Index) -> Index:
    """The place of each start among those of its table, by cost."""
    order = np.lexsort((solved.cost, of))
    ranks = np.empty(len(of), dtype=np.int_)
    sorted_of = of[order]
    ranks[order] = np.arange(len(of)) - np.searchsorted(sorted_of, sorted_of)
    return ranks


def _lowest(solved: Solutions, of: Index, count: int) -> Index:
    """The best start of each table (count,), of equal ones one that converged; ``len(of)`` where none is finite."""
    least = np.full(count, np.inf)
    np.minimum.at(least, of, solved.cost)
    level = solved.cost <= _LEVEL * least[of] + 1e-28
    order = np.lexsort((solved.cost, ~(level & solved.converged), of))
    order = order[np.isfinite(solved.cost[order])]
    found = np.full(count, len(of))
    first = np.flatnonzero(np.diff(of[order], prepend=-1))
    found[of[order[first]]] = order[first]
    return found


def _gather(solved: Solutions, of: Index, count: int) -> Found:
    """The best of each table, and how many starts agree with it."""
    best = _lowest(solved, of, count)
    none = best == len(of)
    best = np.where(none, 0, best)
    apart = np.sum((solved.r - solved.r[best[of]]) ** 2, axis=1)
    same = (apart <= _SAME**2 * solved.cost + 1e-24) & np.isfinite(solved.cost)
    ends = Solutions(*(getattr(solved, f.name)[best] for f in fields(Solutions)))
    ends.cost[none], ends.converged[none] = np.inf, False
    return Found(ends, np.bincount(of[same], minlength=count), np.bincount(of, minlength=count))
