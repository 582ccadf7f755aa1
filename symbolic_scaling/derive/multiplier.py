"""Frontiers under a cost of several terms: the budget's multiplier is one more unknown.

In ``u = log x`` the sum F of the loss's monomials and the sum P of the cost's are convex. Where the exponents of both
surround the origin, ``F + m*P`` has one minimum for every ``m > 0``; where the loss falls in some input throughout, P
there falls strictly from oo to 0 as m rises from 0 to oo. So one m spends the budget, and its minimum is the frontier:

    x*dF/dx + m*x*dP/dx = 0 for every input x, and P = C.

A response y that stands inside is held first. ``F <= y`` divided by the power of y on its right is a sum in which
every exponent of y is negative, and no exponent of y in the cost is positive: its least value falls strictly as y
rises, so one y agrees with itself. With one more vector, that of y, the exponents still surround the origin, so that
y is bounded below.

Worked example: ``A/N + B/D + K/R`` under ``N*D + N*R = C`` has ``A/N = m*(N*D + N*R)``, ``B/D = m*N*D``,
``K/R = m*N*R``.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from ..algebra import order
from ..algebra.peel import Peeled, Term, gathered, split
from ..errors import NoOptimum, ScalingError
from ..law import Cost
from ..records import Found, Root
from .common import Maker, letter
from .convex import bends, surround
from .extremum import Problem

__all__ = ["priced"]


def priced(made: Maker, problem: Problem, paid: Cost, peeled: Peeled) -> list[tuple[str, Found]]:
    """A root for every input and for the multiplier, and the response, a root too where it stands inside.

    Raises
    ------
    NoOptimum
        If some direction makes every term of loss and cost fall, or there is a family of optima.
    Undecided
        If a sign is open.
    ScalingError
        If loss or cost is no sum of positive monomials, no input makes the whole loss fall, the cost cannot be made
        small, or it rises with the response inside.
    """
    variables, y = problem.variables, made.law.response.symbol
    held = (y,) if problem.raw.has(y) or paid.expression.has(y) else ()
    if held and problem.largest:
        raise ScalingError(problem.asked, f"{y} stands inside and is to be largest", "hold it")
    price = _price(made, problem, paid, held)
    _reachable(made, problem, peeled.terms, price)
    multiplier = letter(made.law, "multiplier", [*(s.name for s in paid.expression.free_symbols), paid.symbol.name])
    inner = peeled.inner(variables)
    whole = inner + multiplier * paid.expression
    if held:
        _agrees(made, problem, paid, peeled)
    else:
        surround(made, problem.asked, (*peeled.terms, *price), variables, inner + paid.expression)
    weighed = [Term(multiplier * term.coefficient, term.exponents) for term in price]
    made.step(
        "bend",
        "loss and priced cost are strictly convex in the logarithms",
        inner,
        whole,
        *bends(made, (*peeled.terms, *weighed), variables, whole),
    )
    found = _slopes(made, (*peeled.terms, *weighed), variables, whole)
    falls = "the cost at the minimum falls strictly as it rises"
    found.append((multiplier.name, Root(multiplier, paid.expression - paid.symbol, _ALL, falls, variables)))
    if held:
        why = f"the least value at the {y} inside falls strictly as that {y} rises"
        return [(y.name, Root(y, y - problem.raw, _ALL, why, (*variables, multiplier))), *found]
    return [*found, (y.name, problem.raw)]


_ALL = (sp.Integer(0), sp.oo)


def _price(made: Maker, problem: Problem, paid: Cost, held: Sequence[sp.Symbol]) -> tuple[Term, ...]:
    """The cost's monomials in the inputs, with a positive coefficient each."""
    terms = gathered(paid.expression, problem.variables)
    signs = [] if terms is None else [order.require_sign(t.coefficient, made.domain, problem.asked) for t in terms]
    if terms is None or any(sign != 1 for sign in signs) or not all(any(term.exponents) for term in terms):
        raise ScalingError(problem.asked, "the cost is no sum of positive monomials", "hold an input, or give another")
    return terms


def _reachable(made: Maker, problem: Problem, terms: Sequence[Term], price: Sequence[Term]) -> None:
    """One input makes the whole loss fall, and the cost goes to zero as the inputs do: every budget is spent."""

    def signs(over: Sequence[Term], place: int) -> set[int | None]:
        return {order.sign(term.exponents[place], made.domain) for term in over}

    falling = [v for k, v in enumerate(problem.variables) if -1 in signs(terms, k) <= {0, -1}]
    if not falling:
        raise ScalingError(
            problem.asked, "no input is known to make the whole loss fall", "hold one, or give relations"
        )
    degrees = [sp.Add(*term.exponents) for term in price]
    if any(order.require_sign(degree, made.domain, problem.asked) != 1 for degree in degrees):
        raise ScalingError(problem.asked, "the cost does not go to zero with the inputs", "give another cost")
    inner = sp.Add(*(term.at(problem.variables) for term in terms))
    owes = [made.positive(f"the loss falls in {falling[0]}", sp.Derivative(inner, falling[0]), -1)]
    owes += [made.positive(f"degree of cost term {k}", degree) for k, degree in enumerate(degrees, 1)]
    made.step("reach", f"{falling[0]} is worth every budget, and small inputs cost little", problem.raw, inner, *owes)


def _slopes(
    made: Maker, terms: Sequence[Term], variables: Sequence[sp.Symbol], whole: sp.Expr
) -> list[tuple[str, Found]]:
    """The slope in the logarithm of each input and its root."""
    names = ", ".join(v.name for v in variables)
    found: list[tuple[str, Found]] = []
    for k, v in enumerate(variables):
        slope = sp.Add(*(t.exponents[k] * t.at(variables) for t in terms))
        raw = made.equal(f"the slope in log {v}", v * sp.Derivative(whole, v), slope)
        made.step("slope", f"zero at the optimum of {v}", whole, sp.Eq(slope, 0, evaluate=False), raw)
        found.append(
            (v.name, Root(v, slope, _ALL, f"a geometric program, strictly convex in the logarithms of {names}"))
        )
    return found


def _agrees(made: Maker, problem: Problem, paid: Cost, peeled: Peeled) -> None:
    """With the response as one more variable: what it must agree with falls in it, and it is bounded below."""
    y, variables = made.law.response.symbol, (*problem.variables, made.law.response.symbol)
    terms = _over(made, problem, peeled)
    costs = gathered(paid.expression, variables)
    if costs is None or any(order.require_sign(t.coefficient, made.domain, problem.asked) != 1 for t in costs):
        raise ScalingError(problem.asked, f"the cost is no sum of positive powers of {y}", "write it with powers of it")
    places = [order.require_sign(term.exponents[-1], made.domain, problem.asked) for term in terms]
    if any(sign != -1 for sign in places):
        raise NoOptimum(problem.asked, f"the smaller {y} inside, the smaller the least {y}", "change the cost")
    if any(order.require_sign(term.exponents[-1], made.domain, problem.asked) == 1 for term in costs):
        raise ScalingError(problem.asked, f"the cost rises with the {y} inside", "hold it, or change the cost")
    total = sp.Add(*(term.at(variables) for term in terms))
    owes = [made.positive(f"the sum over {y} falls as {y} rises", sp.Derivative(total, y), -1)]
    owes += [
        made.nonnegative(f"cost term {k} does not rise with {y}", -t.exponents[-1]) for k, t in enumerate(costs, 1)
    ]
    left = sp.Eq(y, problem.raw, evaluate=False)
    made.step(
        "agree", f"at one {y} inside the least sum is what {y} says", left, sp.Eq(total, 1, evaluate=False), *owes
    )
    up = Term(sp.Integer(1), (*(sp.Integer(0) for _ in problem.variables), sp.Integer(1)))
    surround(made, problem.asked, (*terms, *costs, up), variables, total + paid.expression + y)


def _over(made: Maker, problem: Problem, peeled: Peeled) -> list[Term]:
    """The terms of ``F <= 1``: the inner sum over what it comes to at the response y."""
    y, zero = made.law.response.symbol, (sp.Integer(0),) * len(problem.variables)
    rest, power = peeled.outer - peeled.hole, split(peeled.outer, (peeled.hole,))
    if not rest.has(peeled.hole):
        still = gathered(rest, (y,))
        if still is None or any(
            order.require_sign(term.coefficient, made.domain, problem.asked) != 1 for term in still
        ):
            raise ScalingError(
                problem.asked, f"the law's constant is no sum of positive powers of {y}", "give relations"
            )
        own = [_with(term, y, problem) for term in peeled.terms]
        own += [Term(term.coefficient, (*zero, *term.exponents)) for term in still if rest != 0]
        return [Term(t.coefficient, (*t.exponents[:-1], t.exponents[-1] - 1)) for t in own]
    if power is None or power.coefficient.has(y):
        raise ScalingError(problem.asked, f"{y} stands inside a law that is no power of a sum", "write it as one")
    (outer,) = power.exponents
    own = [_with(Term(power.coefficient ** (1 / outer) * t.coefficient, t.exponents), y, problem) for t in peeled.terms]
    return [Term(t.coefficient, (*t.exponents[:-1], t.exponents[-1] - 1 / outer)) for t in own]


def _with(term: Term, y: sp.Symbol, problem: Problem) -> Term:
    """A monomial with the response among its variables."""
    part = split(term.coefficient, (y,))
    if part is None:
        raise ScalingError(problem.asked, f"{y} stands inside in no sum of powers", "write it with powers of it")
    return Term(part.coefficient, (*term.exponents, *part.exponents))
