"""What holds the inputs through the spent monomial alone is constant along the budget and moves no optimum.

Worked example: under ``6*N*D = C`` the term ``K/(N*D)**k`` is ``K/(C/6)**k``, whatever N and D.
"""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from ..algebra import order
from ..algebra.balance import Budget
from ..algebra.peel import split, summands
from .common import Maker
from .extremum import Problem

__all__ = ["settle"]


def settle(made: Maker, problem: Problem) -> Problem:
    """The problem with every power of the spent monomial inside the law written by the budget, as a step."""
    budget = problem.budget
    if budget is None or budget.amount.has(made.law.response.symbol):
        return problem
    raw = _settled(problem.raw, problem.variables, budget)
    if raw == problem.raw or not raw.has(*problem.variables):
        return problem
    place = max(k for k, power in enumerate(budget.cost.exponents) if order.sign(power, made.domain) != 0)
    last = problem.variables[place]
    spent = last * (budget.amount / problem.spent) ** (1 / budget.cost.exponents[place])
    same = made.equal("the same along the budget", *(side.subs(last, spent) for side in (problem.raw, raw)))
    made.step("settle", "a function of the spent monomial is constant along the budget", problem.raw, raw, same)
    return replace(problem, raw=raw)


def _settled(expression: sp.Expr, variables: tuple[sp.Symbol, ...], budget: Budget) -> sp.Expr:
    """The expression with powers of the cost's monomial written by the budget, products multiplied out for them."""
    if not expression.has(*variables):
        return expression
    part = split(expression, variables)
    if part is not None:
        price = budget.cost
        place = next(k for k, power in enumerate(price.exponents) if power != 0)
        times = sp.cancel(part.exponents[place] / price.exponents[place])
        pairs = zip(part.exponents, price.exponents, strict=True)
        if times == 0 or any(sp.cancel(own - times * power) != 0 for own, power in pairs):
            return expression
        return part.coefficient * (budget.amount / price.coefficient) ** times
    terms = summands(expression) if expression.is_Add or expression.is_Mul else [expression]
    if len(terms) > 1:
        within = [_settled(term, variables, budget) for term in terms]
        return expression if within == terms else sp.Add(*within)
    return expression.func(*(_settled(argument, variables, budget) for argument in expression.args))
