"""Optima in several directions with more terms than their shares determine: convex minima, stated as coupled roots.

With the budget spent on one input the sum is one of monomials in the others, strictly convex in their logarithms. Each
input is then the only root of its own slope with the others at their optimum, and there is one common solution.

Worked example: ``A/N + B/D + K/R + N*D + D*R`` without a budget has ``-A/N + N*D = 0``, ``-B/D + N*D + D*R = 0`` and
``-K/R + D*R = 0``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

import sympy as sp

from ..algebra import order
from ..algebra.peel import Peeled, Term, gathered
from ..algebra.spanning import surrounding
from ..errors import ScalingError
from ..records import Claim, Found, Root
from .common import Maker
from .extremum import Problem, put

__all__ = ["bends", "convex_minimum", "full_rank", "surround"]


def convex_minimum(made: Maker, problem: Problem, peeled: Peeled) -> list[tuple[str, Found]]:
    """A root for every free input, and the input on which the rest of the budget is spent in terms of them.

    Raises
    ------
    NoOptimum
        If some direction makes every term fall, or there is a family of optima.
    Undecided
        If the domain does not decide it.
    """
    free, spent = _spend(made, problem)
    inner = put(peeled.inner(problem.variables), [name for name, _ in spent], [value for _, value in spent])
    terms = gathered(inner, free)
    if terms is None:
        raise ScalingError(problem.asked, "the sum along the budget is none of monomials", "give another cost")
    moving = [term for term in terms if any(term.exponents)]
    surround(made, problem.asked, moving, free, inner)
    made.step("bend", "the sum is strictly convex in the logarithms", inner, inner, *bends(made, moving, free, inner))
    found: list[tuple[str, Found]] = []
    for k, v in enumerate(free):
        slope = sp.Add(*(t.exponents[k] * t.at(free) for t in moving))
        raw = made.equal(f"the slope in log {v}", v * sp.Derivative(inner, v), slope)
        made.step(
            "slope", f"zero at the optimum of {v}, the others at theirs", inner, sp.Eq(slope, 0, evaluate=False), raw
        )
        others = ", ".join(w.name for w in free if w != v)
        why = f"strictly convex in the logarithms of {', '.join(w.name for w in free)}: one common zero, {others} at it"
        found.append((v.name, Root(v, slope, (sp.Integer(0), sp.oo), why)))
    response = put(problem.raw, [name for name, _ in spent], [value for _, value in spent])
    return [*found, *((name.name, value) for name, value in spent), (made.law.response.symbol.name, response)]


def surround(made: Maker, asked: str, moving: Sequence[Term], free: Sequence[sp.Symbol], inner: sp.Expr) -> None:
    """The sum grows in every direction, and no direction leaves all of its terms as they are.

    Raises
    ------
    NoOptimum
        If some direction makes every term fall, or there is a family of optima.
    Undecided
        If the domain does not decide it.
    """
    weights = surrounding(moving, made.domain, asked)
    pairs = list(zip(weights, moving, strict=True))
    owes = [made.positive(f"weight {place} is positive", w) for place, w in enumerate(weights, 1) if w != 0]
    for k, v in enumerate(free):
        pull = sp.Add(*(weight * term.exponents[k] for weight, term in pairs))
        owes.append(made.equal(f"the weights balance {v}", pull, sp.Integer(0)))
    after = sp.Add(*(weight * term.at(free) for weight, term in pairs))
    owes.append(full_rank(made, [term for weight, term in pairs if weight != 0], len(free)))
    made.step("surround", "positive weights cancel the exponents: it grows in every direction", inner, after, *owes)


def _spend(made: Maker, problem: Problem) -> tuple[tuple[sp.Symbol, ...], list[tuple[sp.Symbol, sp.Expr]]]:
    """The free inputs; the last one that is paid for takes what they leave."""
    if problem.budget is None:
        return problem.variables, []
    price = problem.budget.cost
    place = max(k for k, power in enumerate(price.exponents) if power != 0)
    last = problem.variables[place]
    free = tuple(v for v in problem.variables if v != last)
    rest = Term(price.coefficient, tuple(p for k, p in enumerate(price.exponents) if k != place)).at(free)
    value = (problem.budget.amount / rest) ** (1 / price.exponents[place])
    met = made.equal("the budget is met", problem.spent.subs(last, value), problem.budget.amount)
    made.step("spend", f"{last} takes what the others leave", problem.spent, sp.Eq(last, value, evaluate=False), met)
    return free, [(last, value)]


def bends(made: Maker, terms: Sequence[Term], free: Sequence[sp.Symbol], inner: sp.Expr) -> list[Claim]:
    """The Hessian in the logarithms is ``sum_j T_j*e_j*e_j^T``: along h it is ``sum_j T_j*(e_j*h)**2``."""
    claims = []
    for i, j in combinations_with_replacement(range(len(free)), 2):
        bend = free[i] * sp.Derivative(free[j] * sp.diff(inner, free[j]), free[i])
        whole = sp.Add(*(t.exponents[i] * t.exponents[j] * t.at(free) for t in terms))
        claims.append(made.equal(f"bend in log {free[i]} and log {free[j]}", bend, whole))
    return claims


def full_rank(made: Maker, held: Sequence[Term], size: int) -> Claim:
    """Some minor of the exponents of the terms with a weight is not zero."""
    minors = (sp.Matrix([list(term.exponents) for term in chosen]).det() for chosen in combinations(held, size))
    minor = next((one for one in map(sp.factor, minors) if order.sign(one, made.domain) in (1, -1)), sp.Integer(0))
    return made.positive("full rank", minor**2)
