"""Losses that stand inside: a response on which the cost, or the law itself, depends. Kaplan's (B.3) and its kin.

With the response y held, the optimum is a balance like any other, and it gives y back as a sum of monomials in y. The
logarithm of y is one more unknown of the same linear system: where ``y = K*y**m``, ``y = K**(1/(1 - m))``. That is the
least response as long as m < 1.

Worked example: under ``6*N*S*B/L**(1/b) = C`` the frontier of ``L(N, S)`` is ``L = K*(C*L**(1/b)/(6*B))**(-p)``, so
``L = (K*(C/(6*B))**(-p))**(1/(1 + p/b))``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import sympy as sp

from ..algebra.balance import Balance
from ..algebra.peel import Peeled, Term, gathered, split
from ..algebra.powers import factored, tidy
from ..domain import Domain
from ..errors import NoOptimum, ScalingError
from ..records import Claim, Found, Root
from .common import Maker
from .descartes import only_zero, ranked
from .extremum import Problem, put

__all__ = ["close"]


def close(
    made: Maker,
    problem: Problem,
    peeled: Peeled,
    closed: tuple[Balance, tuple[sp.Expr, ...], sp.Expr],
    spent: sp.Expr | None = None,
) -> list[tuple[str, Found]]:
    """The optimum with the response put into itself.

    Parameters
    ----------
    problem : Problem
        Solved with the response held.
    peeled, closed
        What ``strip`` and ``solve_closed`` made of it: optimum and least value in terms of the response.
    spent : Expr, optional
        The cost with the response inside.

    Returns
    -------
    list of (str, Expr or Root)
        Inputs and response; where the response is a Root the inputs are expressions in it.

    Raises
    ------
    NoOptimum
        If the value grows with the response inside faster than the response.
    Undecided
        If the domain does not decide whether it does.
    """
    y = made.law.response.symbol
    if problem.largest:
        raise ScalingError(problem.asked, f"{y} stands inside and is to be largest", "hold it")
    solved, at, whole = closed
    value = _short(peeled, solved)
    same = made.equal("the sum is one of its terms over its share", whole, value)
    made.step("collect", "at the optimum every term is its share of the sum", whole, value, same)
    part = split(value, (y,))
    terms = gathered(y - value, (y,)) if part is None else _pair(part)
    if terms is None:
        raise ScalingError(problem.asked, f"{y} stands inside in no sum of powers", "write the law with powers of it")
    ordered = ranked(terms, made.domain, problem.asked)
    if ordered[-1][0] != 1 or ordered[-1][1].exponents[0] != 1 or sp.cancel(ordered[-2][1].exponents[0] - 1) == 0:
        raise NoOptimum(problem.asked, f"the smaller {y} inside, the smaller the least {y}", "change the cost")
    least = only_zero(made, ordered, (y, value), y, problem.asked)
    if least is None:
        raise NoOptimum(problem.asked, f"no {y} agrees with the {y} inside", "change the cost")
    least = least if isinstance(least, Root) else tidy(least, made.domain)
    if isinstance(least, Root):
        return [(y.name, least), *((v.name, x) for v, x in zip(problem.variables, at, strict=True))]
    best = [_follow(x, y, least, made.domain) for x in at]
    made.step(
        "close",
        f"{y} inside is {y}: its logarithm is one more unknown of the linear system",
        sp.Eq(y, value, evaluate=False),
        sp.Eq(y, least, evaluate=False),
        *_claims(made, problem, best, least, spent),
    )
    return [(y.name, least), *((v.name, x) for v, x in zip(problem.variables, best, strict=True))]


def _pair(part: Term) -> tuple[Term, ...]:
    """``y - K*y**m`` as two terms."""
    return Term(sp.Integer(1), (sp.Integer(1),)), Term(-part.coefficient, tuple(factored(e) for e in part.exponents))


def _short(peeled: Peeled, solved: Balance) -> sp.Expr:
    """The least value by the first term: a product of powers where the sum has only the law's outer function around."""
    term = peeled.terms[0]
    powers = (
        sp.Add(*(e * row[k] for e, row in zip(term.exponents, solved.powers, strict=True)))
        for k in range(len(solved.bases))
    )
    inner = sp.Mul(
        term.coefficient / solved.shares[0], *(b ** factored(p) for b, p in zip(solved.bases, powers, strict=True))
    )
    return peeled.outer.subs(peeled.hole, inner)


def _follow(value: sp.Expr, y: sp.Symbol, least: sp.Expr, domain: Domain) -> sp.Expr:
    """The optimum of an input with the response put in, as one product of powers."""
    part = split(value, (y,))
    if part is None:
        return value.subs(y, least)
    return tidy(part.coefficient * least ** factored(part.exponents[0]), domain)


def _claims(
    made: Maker, problem: Problem, best: Sequence[sp.Expr], least: sp.Expr, spent: sp.Expr | None
) -> list[Claim]:
    """The raw law gives the response, the whole cost is paid, and at that response the raw slopes balance."""
    y, variables = made.law.response.symbol, (*problem.variables, made.law.response.symbol)
    values = (*best, least)
    claims = [made.equal("the law gives the response back", put(problem.raw, variables, values), least)]
    slopes = [put(v * sp.diff(problem.raw, v), variables, values) for v in problem.variables]
    if problem.budget is None or spent is None:
        zero = sp.Integer(0)
        return claims + [
            made.equal(f"stationary in {v} at that {y}", slope, zero)
            for v, slope in zip(problem.variables, slopes, strict=True)
        ]
    amount = problem.budget.amount.subs(y, 1)
    claims.append(made.equal("the budget is met", put(spent, variables, values), amount))
    price = problem.budget.cost.exponents
    return claims + [
        made.equal(f"{variables[i]} against {variables[j]} at that {y}", price[j] * slopes[i], price[i] * slopes[j])
        for i, j in combinations(range(len(slopes)), 2)
    ]
