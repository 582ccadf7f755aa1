"""Optima with logarithms: monomials in x and a parabola in log x, convex in the logarithm, have one lowest point.

The slope in ``u = log x`` of ``sum_j a_j*x**e_j + l*u + q*u**2`` is ``sum_j e_j*a_j*x**e_j + l + 2*q*u``; it rises.
An input that costs nothing is brought to its lowest point first; what is left is a problem in the others.

Worked example: ``A/N**a - k*log(D)`` under ``6*N*D = C`` is ``A/N**a + k*log(N)`` beside a constant: ``a*A/N**a = k``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy as sp

from ..algebra import order
from ..algebra.limits import limit
from ..algebra.logsum import LogSum, logsum
from ..algebra.peel import peel
from ..errors import NoOptimum
from ..records import Claim, Found, Root
from .common import Maker
from .extremum import Problem, along, put, turned, upward

__all__ = ["by_logarithms", "lowest"]

Solve = Callable[[Problem], list[tuple[str, Found]]]


def by_logarithms(made: Maker, problem: Problem, solve: Solve | None = None) -> list[tuple[str, Found]] | None:
    """Inputs and response, ``solve`` for what is left without an input that costs nothing; None where no rule fits.

    Raises
    ------
    NoOptimum
        If the slope does not change its sign.
    Undecided
        If a sign is open.
    """
    budget, y = problem.budget, made.law.response.symbol
    inside = problem.raw.has(y) or (budget is not None and budget.amount.has(y))
    if inside or not problem.raw.has(sp.log) or peel(problem.raw, problem.variables, made.domain) is not None:
        return None
    if len(problem.variables) == 1 and budget is None:
        (x,) = problem.variables
        found = lowest(made, problem, problem.raw, x)
        if found is None:
            return None
        pairs: list[tuple[str, Found]] = [(x.name, found[0]), (y.name, found[1])]
        return pairs if made.law.explicit is not None and not isinstance(found[0], Root) else pairs[:1]
    for place, x in enumerate(problem.variables):
        if solve is not None and (budget is None or budget.cost.exponents[place] == 0):
            found = lowest(made, problem, problem.raw, x)
            if found is not None and not isinstance(found[0], Root):
                return _rest(made, problem, (x, found[0], found[1]), solve)
    return _along(made, problem) if budget is not None and len(problem.variables) == 2 else None


def lowest(made: Maker, problem: Problem, raw: sp.Expr, x: sp.Symbol) -> tuple[sp.Expr | Root, sp.Expr] | None:
    """Where an expression in x is lowest, or highest, and its value there; None if it is no sum with a logarithm of x.

    Raises
    ------
    NoOptimum
        If the slope does not change its sign, or the expression turns the other way.
    Undecided
        If a sign is open.
    """
    found = logsum(raw, x, made.domain)
    if found is None or (found.linear == 0 and found.square == 0):
        return None
    turned(problem, found.direction)
    asked = problem.asked
    _strip(made, raw, x, found)
    slope = sp.Add(*(t.exponents[0] * t.at((x,)) for t in found.terms), found.linear, 2 * found.square * sp.log(x))
    solved = _zero(made, asked, x, found)
    if solved is None:
        return _root(made, asked, x, found, slope), raw
    at, inner = solved
    value = found.outer.subs(found.hole, inner)
    value = min(value, sp.expand(value), value if found.terms else sp.cancel(value), key=sp.count_ops)
    owes = made.equal(f"stationary in {x}", put(sp.diff(raw, x), (x,), (at,)), sp.Integer(0))
    made.step("solve", f"one zero in log {x}", sp.Eq(slope, 0, evaluate=False), sp.Eq(x, at, evaluate=False), owes)
    reached = made.equal(f"the law at that {x}", put(raw, (x,), (at,)), value)
    made.step("evaluate", "the law at the optimum", raw, value, reached)
    return at, value


def _strip(made: Maker, raw: sp.Expr, x: sp.Symbol, found: LogSum) -> None:
    """The inner sum is convex in the logarithm."""
    inner = found.at(x)
    slope = x * sp.diff(inner, x)
    squares = [term.exponents[0] ** 2 * term.at((x,)) for term in found.terms]
    owes = [
        made.equal("the law is a function of the inner sum", raw, found.shell.subs(found.hole, found.body)),
        made.equal("that sum", found.body, found.inside.subs(found.hole, inner)),
        made.positive("that function is monotone", sp.Derivative(found.outer, found.hole), found.direction),
        *upward(made, f"the slope in log {x} rises", x * sp.Derivative(slope, x), [*squares, 2 * found.square]),
    ]
    made.step("strip", f"a sum that is convex in log {x}, inside a monotone function", raw, inner, *owes)


def _zero(made: Maker, asked: str, x: sp.Symbol, found: LogSum) -> tuple[sp.Expr, sp.Expr] | None:
    """The zero of the slope and the inner sum there, in closed form or None."""
    linear, terms = found.linear, found.terms
    if not terms:
        if found.square == 0:
            raise NoOptimum(asked, f"{x} stands in a logarithm alone", "bound it")
        return _power(sp.factor(-linear / found.square / 2)), -(linear**2) / found.square / 4
    if found.square != 0 or len(terms) > 2:
        return None
    powers = [term.exponents[0] for term in terms]
    if len(terms) == 1:
        (term,), (power,) = terms, powers
        way = order.require_sign(power, made.domain, asked)
        if way * order.require_sign(linear, made.domain, asked) == 1:
            raise NoOptimum(asked, f"power and logarithm of {x} pull the same way", "bound it")
        ratio = (-linear / power / term.coefficient) ** way
        return ratio ** (way / power), -linear / power + way * linear / power * sp.log(ratio)
    pull = order.sign(linear, made.domain)
    if pull is None or sp.cancel(sp.Add(*powers)) != 0:
        return None
    high = 0 if order.require_sign(powers[0], made.domain, asked) == 1 else 1
    rising, falling = (powers[k] * terms[k].coefficient for k in (high, 1 - high))
    width = sp.sqrt(linear**2 - 4 * rising * falling)
    ratio = (width - linear) / rising / 2 if pull < 0 else -2 * falling / (width + linear)
    at = ratio ** (1 / powers[high])
    return at, rising / powers[high] * ratio - falling / powers[high] / ratio + linear / powers[high] * sp.log(ratio)


def _power(log: sp.Expr) -> sp.Expr:
    """The exponential, logarithms times a factor as powers."""
    factor, own = log.as_independent(sp.log, as_Add=False)
    if isinstance(own, sp.log):
        return own.args[0] ** factor
    return sp.Mul(*map(_power, own.args)) ** factor if own.is_Add else sp.exp(log)


def _root(made: Maker, asked: str, x: sp.Symbol, found: LogSum, slope: sp.Expr) -> Root:
    """No closed form: the slope is negative at first and positive at last."""
    owes: list[Claim] = []
    for point, sign in ((sp.Integer(0), -1), (sp.oo, 1)):
        end = limit(slope, x, point, made.domain)
        known = int(sp.sign(end)) if end.is_infinite else order.require_sign(end, made.domain, asked)
        if known != sign:
            raise NoOptimum(asked, f"the slope tends to {end} as {x} -> {point}", "bound it")
        owes.append(made.tends(f"the slope as {x} -> {point}", slope, x, point, end))
    made.step("slope", "from below zero to above: one zero", found.at(x), sp.Eq(slope, 0, evaluate=False), *owes)
    return Root(x, slope, (sp.Integer(0), sp.oo), f"the sum is convex in log {x} and rises at both ends")


def _rest(
    made: Maker, problem: Problem, brought: tuple[sp.Symbol, sp.Expr, sp.Expr], solve: Solve
) -> list[tuple[str, Found]]:
    """What is left once x is at its lowest point, and x there."""
    x, at, value = brought
    budget, place = problem.budget, problem.variables.index(x)
    others = tuple(v for v in problem.variables if v != x)
    if budget is not None:
        powers = tuple(p for k, p in enumerate(budget.cost.exponents) if k != place)
        budget = replace(budget, cost=replace(budget.cost, exponents=powers))
    left = replace(problem, raw=value, variables=others, budget=budget)
    if not value.has(*others):
        raise NoOptimum(
            problem.asked, f"with {x} at its best {', '.join(v.name for v in others)} are free", "hold them"
        )
    found = solve(left)
    best = {v: y for v in others if isinstance(y := dict(found)[v.name], sp.Expr)}
    return [(x.name, at.subs(best, simultaneous=True)), *found]


def _along(made: Maker, problem: Problem) -> list[tuple[str, Found]] | None:
    """Two inputs: one along the budget, the other what it leaves."""
    assert problem.budget is not None
    x, z = problem.variables
    found = lowest(made, problem, along(problem, problem.raw), x)
    if found is None:
        return None
    at, value = found
    there = at.symbol if isinstance(at, Root) else at
    p, q = problem.budget.cost.exponents
    spent = (problem.budget.amount / problem.budget.cost.coefficient / there**p) ** (1 / q)
    met = made.equal("the budget is met", put(problem.spent, (x, z), (there, spent)), problem.budget.amount)
    made.step("spend", f"the budget leaves {z} to {x}", problem.spent, sp.Eq(z, spent, evaluate=False), met)
    return [(x.name, at), (z.name, spent), (made.law.response.symbol.name, value)]
