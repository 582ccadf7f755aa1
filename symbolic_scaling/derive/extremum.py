"""The work behind optimum, frontier and envelope: strip, balance, solve in logs, check uniqueness, evaluate.

Claims speak of the law's raw form: the balance is found on monomials, but what it owes is that the derivative of the
law itself vanishes where the balance says, that the budget is met, and that the law takes the value that the closed
form says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import sympy as sp

from ..algebra import order
from ..algebra.balance import Balance, Budget, balance
from ..algebra.peel import Peeled, gathered, peel
from ..errors import NoOptimum, ScalingError
from ..records import Claim
from .common import Maker

__all__ = ["Problem", "along", "put", "solve_closed", "strip", "turned", "upward"]


@dataclass(frozen=True)
class Problem:
    """Make ``raw`` least, or largest, over ``variables``, under a monomial budget or none."""

    asked: str
    raw: sp.Expr
    variables: tuple[sp.Symbol, ...]
    budget: Budget | None = None
    largest: bool = False

    @property
    def spent(self) -> sp.Expr:
        """The cost as an expression; 0 without a budget."""
        return self.budget.cost.at(self.variables) if self.budget else sp.Integer(0)


def strip(made: Maker, problem: Problem, *, either: bool = False) -> Peeled:
    """Peel the raw expression down to its sum of monomials and record the step.

    ``either`` allows an outer function that falls: the least sum is then where the raw expression is largest.

    Raises
    ------
    ScalingError
        If it is not a monotone function of a sum of positive monomials.
    NoOptimum
        If it falls with that sum and is to be least, or rises and is to be largest; unless ``either`` is said.
    Undecided
        If the sign of an amplitude or of an outer exponent is open.
    """
    peeled = peel(problem.raw, problem.variables, made.domain)
    if peeled is None:
        found = "the law is not a monotone function of a sum of positive monomials"
        raise ScalingError(
            problem.asked, found, "minimise it at numbers: plan spend under a cost, plan turns in one input"
        )
    if not either:
        turned(problem, peeled.direction)
    inner = peeled.inner(problem.variables)
    rises = sp.Derivative(peeled.outer, peeled.hole)
    made.step(
        "strip",
        "constants and monotone outer functions do not move the optimum",
        problem.raw,
        inner,
        made.equal("the law is a function of the inner sum", problem.raw, peeled.outer.subs(peeled.hole, inner)),
        made.positive("that function is monotone", rises, peeled.direction),
    )
    return peeled


def turned(problem: Problem, direction: int) -> None:
    """Refuse what falls with a sum that has a least value where the least is asked for, and what rises where the most.

    Raises
    ------
    NoOptimum
        If it does.
    """
    if direction < 0 and not problem.largest:
        found = "it falls with a sum of positive monomials: where that sum is least it is largest, not least"
        raise NoOptimum(problem.asked, found, "ask where it is largest: largest=True, --largest")
    if direction > 0 and problem.largest:
        found = "it rises with a sum of positive monomials: where that sum is least it is least, not largest"
        raise NoOptimum(problem.asked, found, "ask where it is least")


def solve_closed(made: Maker, problem: Problem, peeled: Peeled) -> tuple[Balance, tuple[sp.Expr, ...], sp.Expr] | None:
    """The balance, the optimum and the raw value there in closed form; None where the shares are not determined.

    Raises
    ------
    NoOptimum
        If there is no interior optimum, or a family of them.
    Undecided
        If the domain does not fix a sign on the way.
    """
    solved = balance(peeled.terms, made.domain, problem.budget, problem.asked)
    if solved is None:
        return None
    terms = [term.at(problem.variables) for term in peeled.terms]
    for place, term in enumerate(terms[1:], 1):
        top, bottom = sp.fraction(sp.cancel(solved.shares[place] / solved.shares[0]))
        after = sp.Eq(top * terms[0], bottom * term, evaluate=False)
        owes = _balance_claims(made, problem, peeled, solved) if place == 1 else ()
        made.step("balance", "no change of logs within the budget changes the sum", sp.Add(*terms), after, *owes)
    at = tuple(solved.optimum(place) for place in range(len(problem.variables)))
    for variable, value in zip(problem.variables, at, strict=True):
        owes = _stationary_claims(made, problem, at) if variable == problem.variables[0] else ()
        after = sp.Eq(variable, value, evaluate=False)
        made.step(
            "solve in logs", "the balance and the budget are linear in the logarithms", sp.Add(*terms), after, *owes
        )
    owes = _unique_claims(made, problem, peeled, solved)
    made.step(
        "unique",
        "positive shares, a convex sum in the logs, full rank: this determinant is not 0",
        sp.Add(*terms),
        solved.determinant,
        *owes,
    )
    value = peeled.outer.subs(peeled.hole, solved.value)
    reached = made.equal("the law at the optimum", put(problem.raw, problem.variables, at), value)
    made.step("evaluate", "the law at the optimum", problem.raw, value, reached)
    return solved, at, value


def put(expression: sp.Expr, variables: Sequence[sp.Symbol], values: Sequence[sp.Expr]) -> sp.Expr:
    """The expression with its variables replaced, all at once."""
    return expression.subs(dict(zip(variables, values, strict=True)), simultaneous=True)


def along(problem: Problem, expression: sp.Expr) -> sp.Expr:
    """The expression along the budget: of two variables the second is spent out of what the first leaves."""
    if problem.budget is None or len(problem.variables) != 2:
        return expression
    first, second = problem.variables
    p, q = problem.budget.cost.exponents
    left = problem.budget.amount / problem.budget.cost.coefficient / first**p
    return expression.subs(second, left ** (1 / q))


def _balance_claims(made: Maker, problem: Problem, peeled: Peeled, solved: Balance) -> list[Claim]:
    """The shares add to one and pull on every variable in proportion to its exponent in the budget."""
    claims = [made.equal("shares add to one", sp.Add(*solved.shares), sp.Integer(1))]
    inner = peeled.inner(problem.variables)
    for place, variable in enumerate(problem.variables):
        pull = sp.Add(*(term.exponents[place] * term.at(problem.variables) for term in peeled.terms))
        claims.append(made.equal(f"slope in log {variable}", variable * sp.Derivative(inner, variable), pull))
    pulls = [
        sp.Add(*(share * term.exponents[i] for share, term in zip(solved.shares, peeled.terms, strict=True)))
        for i in range(len(problem.variables))
    ]
    if problem.budget is None:
        return claims + [
            made.equal(f"balance in {v}", p, sp.Integer(0)) for v, p in zip(problem.variables, pulls, strict=True)
        ]
    price = problem.budget.cost.exponents
    for i, j in combinations(range(len(pulls)), 2):
        claims.append(made.equal("balance along the budget", price[j] * pulls[i], price[i] * pulls[j]))
    return claims


def _stationary_claims(made: Maker, problem: Problem, at: Sequence[sp.Expr]) -> list[Claim]:
    """The raw law is stationary at the optimum, along the budget, and the budget is met."""
    variables, zero = problem.variables, sp.Integer(0)
    if problem.budget is None:
        return [made.equal(f"stationary in {v}", put(sp.diff(problem.raw, v), variables, at), zero) for v in variables]
    claims = [made.equal("the budget is met", put(problem.spent, variables, at), problem.budget.amount)]
    if len(variables) == 2 and problem.budget.cost.exponents[1] != 0:
        slope = sp.diff(along(problem, problem.raw), variables[0])
        return [*claims, made.equal("stationary along the budget", slope.subs(variables[0], at[0]), zero)]
    price = problem.budget.cost.exponents
    slopes = [put(v * sp.diff(problem.raw, v), variables, at) for v in variables]
    return claims + [
        made.equal(f"{variables[i]} against {variables[j]}", price[j] * slopes[i], price[i] * slopes[j])
        for i, j in combinations(range(len(variables)), 2)
    ]


def _unique_claims(made: Maker, problem: Problem, peeled: Peeled, solved: Balance) -> list[Claim]:
    """Positive shares, a determinant that never vanishes, and positive curvature where one direction is free."""
    claims = [made.positive(f"share {place} is positive", share) for place, share in enumerate(solved.shares, 1)]
    claims.append(made.positive("full rank", solved.determinant**2))
    free = along(problem, peeled.inner(problem.variables))
    first = problem.variables[0]
    if free.free_symbols & set(problem.variables) == {first}:
        bend = first * sp.Derivative(first * sp.diff(free, first), first)
        squares = [term.exponents[0] ** 2 * term.at((first,)) for term in gathered(free, (first,)) or ()]
        claims += upward(made, f"curvature in log {first}", bend, squares)
    return claims


def upward(made: Maker, name: str, bend: sp.Expr, squares: Sequence[sp.Expr]) -> list[Claim]:
    """``bend`` is a sum of weighted squares and positive: at once where its sign is plain, else square by square."""
    if order.sign(sp.Add(*squares), made.domain) == 1:
        return [made.positive(name, bend)]
    return [made.equal(name, bend, sp.Add(*squares))] + [
        made.positive("one of its terms", square)
        if order.sign(square, made.domain) == 1
        else made.nonnegative("another", square)
        for square in squares
    ]
