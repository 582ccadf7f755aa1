"""From starts to minima: what is searched, what is polished, which minima are distinct, and how sure the best is."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..budget import cached
from ..errors import FitError
from . import doubt, finish, grid, grown, rescan
from .begin import SEARCHED, approximate, balanced, exact_separation, inward, separation_of, words
from .kin import family
from .minima import Minima
from .nearby import descend
from .objective import Objective
from .polish import polish
from .solve import Floats, Solutions, minimise

__all__ = ["SAME", "find", "nothing_free", "resume"]

SAME = 1e-4  # two minima are one if their residuals differ by less, relative to their size
_NUDGE = 0.05  # how far a restart begins from the minimum, relative to each coordinate
_LEVEL = 1 + 1e-9  # costs that a sum of squares cannot tell apart, for all that a fit is used for
_HOPELESS = 4.0  # times the lowest cost
_LOOK, _SCREEN, _LEADERS, _STEPS, _PATIENCE = 5, 12, 4, 60, 1500
_ROUNDS = 4
_MANY = 12  # starts that come from scattered points, not from a grid: a long way from their minima


def find(objective: Objective, seed: int = 0) -> Minima:
    """All distinct local minima that the search meets.

    Where at most two constants remain after elimination, a grid over them meets every minimum wider than its
    spacing. Elsewhere the starts come from an approximate residual that does separate.
    """
    try:
        first = _find(objective, seed)
    except FitError:  # no point of a grid has a value
        if not len(begun := balanced(objective, seed)):
            raise
        first = _ended(objective, begun, "starts by dominant balance")
    found = _believed(objective, first, seed)
    return replace(found, **vars(_polished(objective, found.ends)))


def _polished(objective: Objective, ends: Solutions) -> Solutions:
    if objective.by_machine:
        return objective.machine.polish(ends)
    return polish(objective, ends, objective.lo, objective.hi)


def _find(objective: Objective, seed: int) -> Minima:
    fixed = frozenset(objective.fixed)
    if grown.able(objective):
        return _ended(objective, *grown.starts(objective, seed))
    exact = exact_separation(objective.law, objective.measure, fixed)
    plain = not objective.measure.robust and objective.priors is None
    if plain and exact is not None and len(exact.rest) <= SEARCHED:
        begun = grid.starts(objective, exact, most=8, seed=seed)
        solved = _descend(objective, begun)
        found = _distinct(solved, np.ones(len(begun), dtype=int), "grid", words("grid", exact))
        return found if not len(found.u) or found.converged[0] else _continue(objective, found, 1, _PATIENCE)
    begun, method = approximate(objective, fixed, seed)
    solved = _run(objective, begun, _STEPS, bend=False) if len(begun) > _MANY else _screened(objective, begun)
    found = _distinct(solved, np.ones(len(begun), dtype=int), "starts", method)
    found = _continue(objective, found, _LEADERS, _STEPS)
    if len(found.u) and not found.converged[0]:
        found = _continue(objective, found, 1, _PATIENCE)
    return _restart(objective, _rescanned(objective, found), seed)


def _believed(objective: Objective, found: Minima, seed: int) -> Minima:
    """The minima, those of starts by dominant balance among them where the law or the best end asks for them."""
    if finish.large(objective) or not _doubted(objective, found):
        return found
    if not len(begun := balanced(objective, seed)):
        return found
    solved = _run(objective, begun, _STEPS, bend=False)
    reached = np.append(found.reached, np.ones(len(begun), dtype=int))
    method = f"{found.method}; and from starts by dominant balance"
    both = _distinct(Solutions.joined(found.ends, solved), reached, "starts", method)
    both = _continue(objective, both, _LEADERS, _STEPS)
    if len(both.u) and not both.converged[0]:
        both = _continue(objective, both, 1, _PATIENCE)
    if not len(found.u) or both.cost[0] < found.cost[0] / _LEVEL:
        return _finished(objective, both, begun) if grown.able(objective) else both
    kept = np.arange(len(found.u)) == 0
    merged = _distinct(Solutions.joined(found.only(kept), both.ends), np.append(0, both.reached), "starts", method)
    return replace(merged, within=found.within, loose=found.loose)


def _doubted(objective: Objective, found: Minima) -> bool:
    law = objective.law
    if not (rest := separation_of(law, frozenset(objective.fixed)).rest):
        return False
    if doubt.of_law(law, rest) or not len(found.u):
        return True
    return doubt.of_end(law, objective.coordinates, found.jacobian[0], found.at[0])


def _rescanned(objective: Objective, found: Minima) -> Minima:
    """Go on from the best minimum with each term of a sum put on anew, as long as that leads lower."""
    for _ in range(_ROUNDS if len(found.u) else 0):
        begun = rescan.starts(objective, found.u[0])
        if not len(begun):
            return found
        both = Solutions.joined(found.ends, _run(objective, begun, _SCREEN, bend=False))
        before, reached = found.cost[0], np.append(found.reached, np.ones(len(begun), dtype=int))
        found = _distinct(both, reached, found.kind, found.method)
        for count, steps in ((2, _STEPS), (1, _PATIENCE)):
            found = _continue(objective, found, count, steps)
        if not found.cost[0] < before / _LEVEL:
            return found
    return found


def resume(objective: Objective, begun: Floats, method: str) -> Minima:
    """The minima to which starts (k, p) lead, with no search before; ``method`` says where they come from."""
    found = _ended(objective, begun, method)
    return replace(found, **vars(_polished(objective, found.ends)))


def _ended(objective: Objective, begun: Floats, method: str) -> Minima:
    found = _distinct(_run(objective, begun, _STEPS), np.ones(len(begun), dtype=int), "starts", method)
    return _finished(objective, _continue(objective, found, 1, _PATIENCE // 4), begun)


def _finished(objective: Objective, found: Minima, begun: Floats) -> Minima:
    """The minima, the best of them brought to an optimum, if need be in a smaller box."""
    if not len(found.u) or (found.converged[0] and not finish.large(objective)):
        return found
    made = finish.finished(objective, found.ends.only(np.arange(1)), begun)
    others = np.arange(len(found.u)) > 0
    both = _distinct(Solutions.joined(made.ends, found.only(others)), found.reached, found.kind, found.method)
    return replace(both, within=made.objective, loose=made.loose)


def _screened(objective: Objective, begun: Floats) -> Solutions:
    """Some steps from every start, and some more from those that are not hopeless."""
    if objective.measure.robust:  # what settles them is most of the way
        return _run(objective, inward(objective, begun), _SCREEN, bend=False)
    solved = _run(objective, begun, _LOOK, bend=False)
    more = ~solved.converged & (solved.cost <= _HOPELESS * solved.cost.min())
    if more.any():
        further = _run(objective, solved.u[more], _SCREEN - _LOOK, bend=False)
        for f in fields(Solutions):
            getattr(solved, f.name)[more] = getattr(further, f.name)
    return solved


def _run(objective: Objective, begun: Floats, steps: int, bend: bool = True) -> Solutions:
    if objective.measure.robust:
        begun = _settled(objective, begun)
    solved = _descend(objective, begun, steps=steps, bend=bend)
    if np.isfinite(solved.cost).all():
        return solved
    return _descend(objective, inward(objective, begun), steps=steps, bend=bend)


def _descend(objective: Objective, begun: Floats, **how: Any) -> Solutions:
    if objective.by_machine:
        return objective.machine.minimise(begun, **how)
    return minimise(objective, begun, objective.lo, objective.hi, **how)


def _settled(objective: Objective, begun: Floats) -> Floats:
    """Where Newton's steps lead that know the loss's curvature: few rows have any, and a sum of squares sees more."""
    r, _ = objective(begun)
    straight = np.zeros((r.shape[1], begun.shape[1], begun.shape[1]))
    ends = descend(family(objective), np.arange(len(begun)), begun, straight)
    after, _ = objective(ends.u)
    before, now = (np.einsum("kn,kn->k", each, each) for each in (r, after))
    lower = ~(now > before)  # also where there was nothing
    return np.where(lower[:, None], ends.u, begun)


def _continue(objective: Objective, found: Minima, count: int, steps: int) -> Minima:
    """Go on from the lowest ``count`` that are near the best; of the others the converged ones stay in the list."""
    if not len(found.u):
        return found
    count = min(count, int(np.sum(found.cost <= _HOPELESS * found.cost[0])))
    keep = found.converged | (np.arange(len(found.u)) < count)
    rest, reached = found.only(keep), found.reached[keep]
    if rest.converged.all():
        return replace(found, **vars(rest), reached=reached, starts=int(reached.sum()))
    leaders = _run(objective, found.u[:count], steps)
    merged = Solutions.joined(leaders, rest.only(np.arange(count, len(rest.u))))
    return _distinct(merged, reached, found.kind, found.method)


def nothing_free(objective: Objective) -> Minima:
    """The one point there is where every constant is fixed."""
    r, jacobian = objective(np.zeros((1, 0)))
    cost = np.einsum("kn,kn->k", r, r)
    nowhere, yes = np.zeros((1, 0)), np.ones(1, dtype=bool)
    solved = Solutions(nowhere, r, jacobian, cost, np.zeros(1), yes, nowhere.astype(int))
    return _distinct(solved, np.ones(1, dtype=int), "grid", "every constant is fixed")


def _distinct(solved: Solutions, reached: NDArray[np.int_], kind: str, method: str) -> Minima:
    """Keep the lowest of the solutions whose residuals agree."""
    order = [i for i in np.argsort(solved.cost, kind="stable") if np.isfinite(solved.cost[i])]
    kept: list[int] = []
    count: list[int] = []
    for i in order:
        for place, j in enumerate(kept):
            apart = float(np.sum((solved.r[i] - solved.r[j]) ** 2))
            if apart <= SAME**2 * solved.cost[i] + 1e-24:
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
    ends = vars(solved.only(np.array(kept, dtype=int)))
    return Minima(**ends, reached=np.array(count, dtype=int), starts=int(reached.sum()), kind=kind, method=method)


def _restart(objective: Objective, found: Minima, seed: int) -> Minima:
    """Search again from a point beside the best minimum; a lower one that turns up takes its place."""
    if not len(found.u):
        return found
    best = found.u[0]
    beside = best + _NUDGE * np.maximum(np.abs(best), 0.1) * np.array(_signs(seed, len(best)))
    again = _run(objective, beside[None], _STEPS, bend=False)
    if again.cost[0] < found.cost[0] / _LEVEL:
        again = _run(objective, again.u, _PATIENCE)
    elif not again.converged[0]:
        return found
    return _distinct(Solutions.joined(found, again), np.append(found.reached, 1), found.kind, found.method)


@cached
def _signs(seed: int, count: int) -> tuple[float, ...]:
    """+1 or -1 at random."""
    return tuple(np.random.default_rng(seed).choice((-1.0, 1.0), count).tolist())
