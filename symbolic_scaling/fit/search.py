"""From starts to minima: what is searched, what is polished, which minima are distinct, and how sure the best is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from . import grid
from .objective import Objective
from .separate import Separation, of_log_residual, of_relative_residual
from .solve import Floats, Solutions, minimise

__all__ = ["Minima", "find", "nothing_free"]

_SEARCHED = 2  # constants that a grid searches exhaustively
_SAME = 1e-4  # two minima are one if their residuals differ by less, relative to their size
_LEVEL = 1 + 1e-9  # costs that a sum of squares cannot tell apart, for all that a fit is used for
_SCREEN = 12


@dataclass(frozen=True, eq=False)
class Minima:
    """Distinct local minima, lowest first.

    ``u`` (k, p), ``r`` (k, n), ``jacobian`` (k, n, p), ``cost`` (k,), ``converged`` (k,) and ``at`` (k, p) as in
    :class:`~.solve.Solutions`; ``reached`` (k,) starts that ended in each, of ``starts``; ``kind`` is ``grid`` or
    ``starts``, ``method`` says it in words.
    """

    u: Floats
    r: Floats
    jacobian: Floats
    cost: Floats
    converged: NDArray[np.bool_]
    at: NDArray[np.int_]
    reached: NDArray[np.int_]
    starts: int
    kind: str
    method: str


def find(objective: Objective, seed: int = 0) -> Minima:
    """All distinct local minima that the search meets.

    Where at most two constants remain after elimination, a grid over them meets every minimum wider than its
    spacing. Elsewhere the starts come from an approximate residual that does separate.
    """
    fixed = frozenset(objective.fixed)
    exact = _exact(objective, fixed)
    if exact is not None and len(exact.rest) <= _SEARCHED:
        begun = grid.starts(objective, exact, most=8, seed=seed)
        solved = minimise(objective, begun, objective.lo, objective.hi)
        return _distinct(solved, np.ones(len(begun), dtype=int), "grid", _words("grid", exact))
    begun, method = _approximate(objective, fixed, seed)
    screened = minimise(objective, begun, objective.lo, objective.hi, steps=_SCREEN)
    kept = _distinct(screened, np.ones(len(begun), dtype=int), "starts", method)
    solved = minimise(objective, kept.u, objective.lo, objective.hi)
    found = _distinct(solved, kept.reached, "starts", method)
    return _restart(objective, found, seed)


def nothing_free(objective: Objective) -> Minima:
    """The one point there is where every constant is fixed."""
    r, jacobian = objective(np.zeros((1, 0)))
    cost = np.einsum("kn,kn->k", r, r)
    none = np.zeros((1, 0))
    one = np.ones(1, dtype=int)
    return Minima(
        none, r, jacobian, cost, np.ones(1, dtype=bool), none.astype(int), one, 1, "grid", "every constant is fixed"
    )


def _exact(objective: Objective, fixed: frozenset[sp.Symbol]) -> Separation | None:
    if objective.kind == "response" and objective.law.explicit is None:
        return None
    return of_log_residual(objective.law, objective.kind, fixed)


def _approximate(objective: Objective, fixed: frozenset[sp.Symbol], seed: int) -> tuple[Floats, str]:
    """Starts where the residual itself does not separate."""
    relative = of_relative_residual(objective.law, fixed)
    if relative is None:
        separation = of_log_residual(objective.law, "equation", fixed)
        begun = grid.starts(objective, separation, most=6, seed=seed, reweight=2)
        plain = grid.starts(objective, separation, most=2, seed=seed)
        return np.concatenate([begun, plain]), _words("equation", separation)
    return grid.starts(objective, relative, most=8, seed=seed), _words("weighted linear", relative)


def _words(kind: str, separation: Separation) -> str:
    rest = ", ".join(symbol.name for symbol in separation.rest) or "nothing"
    linear = ", ".join(symbol.name for symbol in separation.linear)
    if kind == "grid":
        return f"{linear} in closed form, {rest} searched on a grid, then all polished together"
    return f"starts from the {kind} problem in {linear} over {rest}, then all polished together"


def _distinct(solved: Solutions, reached: NDArray[np.int_], kind: str, method: str) -> Minima:
    """Keep the lowest of the solutions whose residuals agree."""
    order = [i for i in np.argsort(solved.cost, kind="stable") if np.isfinite(solved.cost[i])]
    kept: list[int] = []
    count: list[int] = []
    for i in order:
        for place, j in enumerate(kept):
            apart = float(np.sum((solved.r[i] - solved.r[j]) ** 2))
            if apart <= _SAME**2 * solved.cost[i] + 1e-24:
                count[place] += int(reached[i])
                if (
                    solved.converged[i]
                    and not solved.converged[j]
                    and solved.cost[i] <= _LEVEL * solved.cost[j] + 1e-28
                ):
                    kept[place] = int(i)
                break
        else:
            kept.append(int(i))
            count.append(int(reached[i]))
    return Minima(
        solved.u[kept],
        solved.r[kept],
        solved.jacobian[kept],
        solved.cost[kept],
        solved.converged[kept],
        solved.at[kept],
        np.array(count, dtype=int),
        int(reached.sum()),
        kind,
        method,
    )


def _restart(objective: Objective, found: Minima, seed: int) -> Minima:
    """Search again from points around the best minimum; a lower one that turns up joins the list."""
    if not len(found.u):
        return found
    rng = np.random.default_rng(seed)
    width = 0.1 * np.maximum(np.abs(found.u[0]), 0.1)
    begun = np.concatenate([found.u, found.u[0] + width * rng.standard_normal((2, found.u.shape[1]))])
    solved = minimise(objective, begun, objective.lo, objective.hi)
    return _distinct(solved, np.concatenate([found.reached, [1, 1]]), found.kind, found.method)
