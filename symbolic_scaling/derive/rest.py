"""One input off its optimum, two or more others that make the best of it: exponents by a linear system.

At ``x = r*x_best`` each other input is ``r**t_i*k**f_i`` times its optimum, where k is the cost over the least one.
The terms that hold other inputs stay in their proportions, so all of them go with one power ``r**t*k**f``: with e the
exponents of term j and p those of the cost,

    e_jx + sum_i e_ji*t_i = t,  p_x + sum_i p_i*t_i = 0;     sum_i e_ji*f_i = f,  sum_i p_i*f_i = 1.

Worked example: ``A/N + B/D + K/R`` under ``N*D*R = C`` is off its optimum in N by ``(r**(1/2)*2 + 1/r)/3`` at the same
cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import sympy as sp

from ..algebra import order
from ..algebra.balance import Balance, Budget, balance
from ..algebra.peel import Peeled, Term
from ..domain import Domain
from ..errors import ScalingError
from ..records import Claim
from .common import Maker
from .extremum import Problem, put

__all__ = ["Off", "others", "whole"]


@dataclass(frozen=True)
class Off:
    """What the others do and what it costs, each in the ratio r.

    Parameters
    ----------
    cost : Expr
        The cost that reaches the same loss over the least one.
    moves : tuple of Expr
        By which factors the others then move.
    lost : Expr
        At the same cost, the inner sum over its least.
    """

    cost: sp.Expr
    moves: tuple[sp.Expr, ...]
    lost: sp.Expr


def others(made: Maker, problem: Problem, peeled: Peeled, solved: Balance, ratio: sp.Symbol) -> Off:
    """The first variable at ``ratio`` times its optimum, the others at the best that is left.

    Raises
    ------
    ScalingError
        If the terms do not determine the others' shares.
    NoOptimum
        If the others have no interior optimum.
    """
    budget = problem.budget
    assert budget is not None
    price = budget.cost.exponents
    moving = [k for k, term in enumerate(peeled.terms) if any(term.exponents[1:])]
    by_ratio, by_cost = _exponents(made, problem.asked, [peeled.terms[k].exponents for k in moving], price)
    weights, total = whole(solved.shares)
    still = sp.Add(*(w * ratio ** peeled.terms[k].exponents[0] for k, w in enumerate(weights) if k not in moving))
    held = sp.Add(*(weights[k] for k in moving))
    lost = (still + held * ratio ** by_ratio[-1]) / total
    needed = ((total, still),) if order.sign(total - still, made.domain) != 1 else ()
    made.domain = made.domain.meet(Domain((), needed))
    less, per = held / (total - still), -1 / by_cost[-1]  # the loss stays where k**f = r**-t/less
    powers = [
        (sp.factor(t + f * per * by_ratio[-1]), sp.factor(f * per)) for t, f in zip(by_ratio, by_cost, strict=True)
    ]
    cost = ratio ** sp.factor(per * by_ratio[-1]) * less**per
    off = Off(cost, tuple(ratio**t * less**f for t, f in powers[:-1]), lost)
    best = [solved.optimum(k) for k in range(len(problem.variables))]
    there = [ratio * best[0], *(ratio**t * x for t, x in zip(by_ratio, best[1:], strict=False))]
    _same_cost(made, problem, there, (peeled.inner(problem.variables), lost, solved.value))
    _same_loss(made, problem, best, ratio, off)
    return off


def _exponents(
    made: Maker, asked: str, terms: Sequence[tuple[sp.Expr, ...]], price: tuple[sp.Expr, ...]
) -> tuple[list[sp.Expr], list[sp.Expr]]:
    """``(t_i, t)`` and ``(f_i, f)``, solved once the others are known to have one optimum."""
    one = sp.Integer(1)
    alone = balance([Term(one, e[1:]) for e in terms], made.domain, Budget(Term(one, price[1:]), one), asked)
    if alone is None:
        raise ScalingError(asked, "the shares of the other inputs are open", "hold some of them")
    system = sp.Matrix([[*e[1:], -1] for e in terms] + [[*price[1:], 0]])
    sides = [*(-e[0] for e in terms), -price[0]], [*(0 for _ in terms), 1]
    by_ratio, by_cost = ([sp.factor(e) for e in system.LUsolve(sp.Matrix(side))] for side in sides)
    if order.require_sign(by_cost[-1], made.domain, asked) == 0:
        raise ScalingError(asked, "the other inputs do not gain from the budget", "hold some of them")
    return by_ratio, by_cost


def whole(shares: Sequence[sp.Expr]) -> tuple[list[sp.Expr], sp.Expr]:
    """The shares without their common denominator, and it."""
    total = sp.Integer(1)
    for share in shares:
        total = sp.lcm(total, sp.fraction(share)[1])
    return [sp.cancel(share * total) for share in shares], total


def _same_cost(made: Maker, problem: Problem, there: Sequence[sp.Expr], said: tuple[sp.Expr, sp.Expr, sp.Expr]) -> None:
    """The inner sum, what it comes to over its least, and its least."""
    assert problem.budget is not None
    inner, lost, least = said
    owes = [
        made.equal("the cost is the same", put(problem.spent, problem.variables, there), problem.budget.amount),
        made.equal("the sum there", put(inner, problem.variables, there), lost * least),
        *_balanced(made, problem, inner, there),
    ]
    made.step("same cost", "the others at the best that is left; the inner sum over its least", inner, lost, *owes)


def _same_loss(made: Maker, problem: Problem, best: Sequence[sp.Expr], ratio: sp.Symbol, off: Off) -> None:
    budget, variables = problem.budget, problem.variables
    assert budget is not None
    there = [ratio * best[0], *(move * x for move, x in zip(off.moves, best[1:], strict=True))]
    reached = put(problem.raw, variables, best)
    owes = [
        made.equal("the loss is the same", put(problem.raw, variables, there), reached),
        made.equal("the cost over the budget", put(problem.spent, variables, there), off.cost * budget.amount),
        *_balanced(made, problem, problem.raw, there),
        made.equal("nothing is lost at the optimum", off.cost.subs(ratio, 1), sp.Integer(1)),
        made.equal("least at the optimum", sp.diff(off.cost, ratio).subs(ratio, 1), sp.Integer(0)),
    ]
    made.step("same loss", "the others move so that the loss stays, at the least cost", problem.raw, off.cost, *owes)


def _balanced(made: Maker, problem: Problem, value: sp.Expr, there: Sequence[sp.Expr]) -> list[Claim]:
    """No change of the others within the budget helps."""
    assert problem.budget is not None
    price, variables = problem.budget.cost.exponents, problem.variables
    slopes = [put(v * sp.diff(value, v), variables, there) for v in variables]
    return [
        made.equal(f"{variables[i]} against {variables[j]}", price[j] * slopes[i], price[i] * slopes[j])
        for i, j in combinations(range(1, len(variables)), 2)
    ]
