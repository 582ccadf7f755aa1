"""The least of a sum over several variables without a budget: as a whole, or part by part where it falls apart.

Terms that share no variable do not see one another. Each part is a balance of its own; where the terms do not determine
its shares, a root or several coupled ones.

Worked example: ``A/x + B*x + K/y + M*y`` is least at ``x = sqrt(A/B)`` and ``y = sqrt(K/M)``.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from ..algebra.peel import Peeled, Term
from ..records import Found, Root
from .common import Maker
from .convex import convex_minimum
from .extremum import Problem, put, solve_closed, strip
from .optimum import stationary

__all__ = ["least"]


def least(made: Maker, problem: Problem, peeled: Peeled) -> tuple[list[tuple[str, Found]], sp.Expr]:
    """Each variable's optimum, and the least value, in terms of the roots among them.

    Raises
    ------
    NoOptimum
        If a part has no interior optimum, or a family of them.
    Undecided
        If the domain does not fix a sign on the way.
    """
    parts = _parts(peeled.terms, len(problem.variables))
    if len(parts) == 1:
        return _whole(made, problem, peeled)
    found: list[tuple[str, Found]] = []
    values: list[sp.Expr] = []
    for places in parts:
        variables = tuple(problem.variables[k] for k in places)
        own = [term for term in peeled.terms if any(term.exponents[k] != 0 for k in places)]
        part = Problem(problem.asked, sp.Add(*(term.at(problem.variables) for term in own)), variables)
        at, value = _whole(made, part, strip(made, part))
        found += at
        values.append(value)
    total = peeled.outer.subs(peeled.hole, sp.Add(*values))
    best = [x.symbol if isinstance(x, Root) else x for _, x in found]
    names = [made.law.symbols[name] for name, _ in found]
    owes = made.equal("the law at the optimum", put(problem.raw, names, best), total)
    made.step("add", "the parts share no variable", problem.raw, total, owes)
    return found, total


def _parts(terms: Sequence[Term], count: int) -> list[list[int]]:
    """The variables in groups that no term joins."""
    groups = [{k} for k in range(count)]
    for term in terms:
        joined = {k for k in range(count) if term.exponents[k] != 0}
        touched = [group for group in groups if group & joined]
        groups = [group for group in groups if group not in touched] + ([set().union(*touched)] if touched else [])
    return sorted(sorted(group) for group in groups)


def _whole(made: Maker, problem: Problem, peeled: Peeled) -> tuple[list[tuple[str, Found]], sp.Expr]:
    """One part: in closed form, else as roots."""
    closed = solve_closed(made, problem, peeled)
    if closed is not None:
        return [(v.name, x) for v, x in zip(problem.variables, closed[1], strict=True)], closed[2]
    if len(problem.variables) > 1:
        return (found := convex_minimum(made, problem, peeled))[:-1], _value(found[-1][1])
    at = stationary(made, problem, peeled)
    (x,) = problem.variables
    return [(x.name, at)], problem.raw if isinstance(at, Root) else put(problem.raw, (x,), (at,))


def _value(found: Found) -> sp.Expr:
    assert isinstance(found, sp.Expr)
    return found
