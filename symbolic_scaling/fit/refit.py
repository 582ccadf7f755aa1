"""One fit's problem solved again for many weights or many responses: bootstraps, leave-out, windows.

Every member starts from the known optimum and from the fit's other minima (:mod:`.nearby`) and keeps the lowest end.
One that does not arrive is started again from beside where it stopped. Members are solved in blocks that fit the
cache, so that memory does not grow with their number beyond the answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import FitError
from . import nearby
from .family import Family, Index
from .kin import family
from .nearby import Found
from .prepare import Ready, prepare
from .result import FitProblem, FitResult
from .solve import Floats, minimise

__all__ = ["Refits", "again", "in_parts", "lowest", "refit", "starts"]

_POINTS = 16384  # rows times members of a block: what fits the cache
_NUDGE = 0.05  # how far a restart begins from where a member stopped, relative to each coordinate
_STEPS, _PATIENCE, _RESTARTS = 60, 400, 3


@dataclass(frozen=True, eq=False)
class Refits:
    """The optima of the members.

    Parameters
    ----------
    names : tuple of str
        The law's constants.
    constants : array (k, c)
        In the user's units.
    objective : array (k,)
        As the fit prints it.
    converged : array (k,)
        Whether the gradient vanishes on every free coordinate.
    restarted : array (k,)
        Whether the member had to be started again.
    """

    names: tuple[str, ...]
    constants: Floats
    objective: Floats
    converged: NDArray[np.bool_]
    restarted: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.constants)


def refit(
    result: FitResult,
    weights: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    seed: int = 0,
) -> Refits:
    """Solve a fit's problem for other weights of its rows or other responses.

    Parameters
    ----------
    result : FitResult
        Its problem's box stays as it is.
    weights : array (k, n), optional
        Not negative, one row a member and one column a row of the table that was fitted, in its order, repeated and
        dropped rows included (weights of dropped ones say nothing); they are divided by their sum. The fit's own where
        only ``y`` is given.
    y : array (k, n), optional
        Responses of the same rows, positive, in the user's unit; rows that repeat one another share theirs.
    seed : int
        For the restarts.

    Raises
    ------
    FitError
        If neither is given, a shape is wrong, a weight or response is not admitted, or the fit was saved before fits
        kept the order of their tables.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> found = fit.curve(laws.get("m1"), [1.0, 2.0, 4.0], [4.0, 2.1, 1.0])
    >>> again = refit(found, weights=[[1, 1, 1], [1, 0, 1]])
    >>> again.constants[1].round(6).tolist(), again.converged.tolist()
    ([4.0, -1.0], [True, True])
    """
    return in_parts(result, [_members(result.problem, weights, y)], seed=seed)


def in_parts(result: FitResult, parts: Iterable[tuple[ArrayLike | None, ArrayLike | None]], *, seed: int = 0) -> Refits:
    """The refits of one part of the members after another: weights and responses (k, n) of distinct rows."""
    ready = prepare(result.problem)
    objective, begun = ready.objective, starts(result, ready)
    bends = curvatures(family(objective), begun)
    made = []
    for weights, y in parts:
        given = None if y is None else np.asarray(y) / ready.frame.sizes[-1]
        share = objective.weights[None] if weights is None else np.asarray(weights)
        count = len(share) if given is None else len(given)
        share = np.broadcast_to(share / share.sum(axis=1, keepdims=True), (count, share.shape[1]))
        found, restarted = lowest(family(objective, share, given), count, begun, bends, seed=seed)
        outside = ready.frame.outside(objective.constants(found.u)).T
        made.append((outside, found.cost * objective.printed, found.converged, restarted))
    whole = (np.concatenate(column) for column in zip(*made, strict=True))
    return Refits(tuple(symbol.name for symbol in result.law.constants), *whole)


def starts(result: FitResult, ready: Ready) -> Floats:
    """The coordinates (s, p) of the fit's minima that are ones, the lowest first."""
    kept = [m for i, m in enumerate(result.minima) if i == 0 or m.converged]
    outside = np.array([[value for _, value in m.constants] for m in kept]).T
    return ready.objective.locate(ready.frame.within(outside))


def curvatures(family: Family, begun: Floats) -> Floats:
    """The curvature of the residuals (s, n, p, p) at starts (s, p)."""
    return np.stack([family.curvature(u) for u in begun])


def lowest(
    family: Family, count: int, begun: Floats, bends: Floats, *, seed: int = 0
) -> tuple[Found, NDArray[np.bool_]]:
    """The lowest end of each member from each start (s, p), and who had to be started again.

    Parameters
    ----------
    family : Family
    count : int
        Members.
    bends : array (s, n, p, p)
        Of :func:`curvatures`.
    """
    size = max(1, _POINTS // bends.shape[1])
    blocks = [np.arange(first, min(first + size, count)) for first in range(0, count, size)]

    def block(who: Index) -> tuple[Found, NDArray[np.bool_]]:
        ends = (
            nearby.descend(family, who, np.repeat(u[None], len(who), axis=0), bent, _STEPS)
            for u, bent in zip(begun, bends, strict=True)
        )
        found = reduce(Found.lower, ends)
        return again(family, who, found, seed)

    parts = [block(who) for who in blocks]
    return Found.joined([found for found, _ in parts]), np.concatenate([restarted for _, restarted in parts])


def again(family: Family, who: Index, found: Found, seed: int = 0) -> tuple[Found, NDArray[np.bool_]]:
    """Those that did not arrive go on by steps that bend with a valley, at last from beside where they stopped."""
    restarted = ~found.converged
    for attempt in range(_RESTARTS):
        left = np.flatnonzero(~found.converged)
        if not left.size:
            break
        u, members = found.u[left], who[left]
        if attempt:
            signs = [np.random.default_rng((seed, attempt, m)).choice((-1.0, 1.0), u.shape[1]) for m in members]
            u = u + _NUDGE * np.maximum(np.abs(u), 0.1) * np.array(signs)
        solved = minimise(partial(_roots, family, members), u, family.lo, family.hi, steps=_PATIENCE, each=True)
        found = found.lower(Found(solved.u, solved.cost, solved.converged), left)
    return found, restarted


def _roots(family: Family, members: Index, u: Floats, of: Index) -> tuple[Floats, Floats]:
    return family.roots(u, members[of])


def _members(
    problem: FitProblem, weights: ArrayLike | None, y: ArrayLike | None
) -> tuple[Floats | None, Floats | None]:
    """Weights and responses (k, n) of the distinct rows, of those of the user's rows."""
    asked, n = f"refit {problem.law.name}", len(problem.y)
    if weights is None and y is None:
        raise FitError(asked, "neither weights nor responses are given", "give weights=(k, n) or y=(k, n)")
    if not problem.places:
        raise FitError(asked, "this fit does not hold the order of its table", "fit the table again")
    share, given = (
        None if table is None else _table(problem, table, asked, name)
        for name, table in (("weights", weights), ("y", y))
    )
    if share is not None and not ((share >= 0).all() and (share.sum(axis=1) > 0).all()):
        raise FitError(asked, "a weight is negative or all of a member are 0", "give weights that are not negative")
    if given is not None and not (given > 0).all():
        raise FitError(asked, "a response is not positive", "give positive responses")
    if given is not None and share is not None and len(given) != len(share):
        raise FitError(asked, f"{len(share)} rows of weights and {len(given)} of y", "give one row a member in both")
    places = np.array(problem.places)
    first = np.unique(places, return_index=True)[1]
    if given is not None and (given != given[:, first[places]]).any():
        raise FitError(asked, "rows that repeat one another have different responses", "give them the same")
    whole = None if share is None else np.array([np.bincount(places, row, n) for row in share])
    return whole, None if given is None else given[:, first]


def _table(problem: FitProblem, values: ArrayLike, asked: str, name: str) -> Floats:
    """The columns of the rows used, of those of all rows of the user's table."""
    table, used = np.asarray(values, dtype=np.float64), problem.rows_used
    numbers = np.sort([*used, *(row for row, _ in problem.rows_dropped)])
    if table.ndim != 2 or table.shape[1] != len(numbers) or not len(table):
        remedy = f"give (k, {len(numbers)}): one column a row of the table, in its order"
        raise FitError(asked, f"{name} of shape {table.shape}", remedy)
    columns: Floats = table[:, np.searchsorted(numbers, used)]
    if not np.isfinite(columns).all():
        raise FitError(asked, f"{name} holds what is no number", "give finite numbers")
    return columns
