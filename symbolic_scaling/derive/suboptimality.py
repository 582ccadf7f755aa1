"""What it costs to stay off the optimum: one input at ``r`` times its best value. Kaplan's (B.16), and SoViT's kin.

At the optimum every term has a known share of the sum. With the input at ``r`` times its best, each term is its share
times a power of r; along a budget the other input moves by s so that the sum, and with it the loss, stays the same.

Worked example: ``A/N**a + B/D**b`` under ``N*D`` has the shares ``(b, a)/(a + b)``. The loss is the same where
``b*r**(-a) + a*s**(-b) = a + b``, and the cost is ``r*s`` times the least.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import sympy as sp

from ..algebra import order
from ..algebra.balance import Balance, Budget
from ..algebra.isolate import isolate
from ..algebra.peel import Peeled, split
from ..domain import Domain
from ..errors import LawError, ScalingError
from ..law import Cost, Law
from ..records import Derivation, Found, Question
from .common import Given, Maker, facts, letter, pick, where
from .extremum import Problem, put, solve_closed, strip
from .optimum import objective
from .price import price_of
from .rest import others, whole

__all__ = ["suboptimality"]


def suboptimality(
    law: Law,
    variable: str | sp.Symbol | None = None,
    cost: Cost | sp.Expr | str | None = None,
    given: Given = (),
    fixed: Iterable[str | sp.Symbol] = (),
) -> Derivation:
    """How much more it costs, or is lost, when one input is ``r`` times its optimum.

    Parameters
    ----------
    law : Law
        A monotone function of a sum of positive monomials in its inputs.
    variable : str or Symbol, optional
        The input that is off; the first one by default.
    cost : Cost, Expr or str, optional
        A monomial in two inputs, as for ``frontier``; the law's first cost by default. A law without a cost has its
        optimum in ``variable`` alone, the others held.
    given : sequence of str or (Expr, Expr)
        Relations that hold beside the law's own.
    fixed : sequence of str or Symbol
        Inputs that are held, not chosen.

    Returns
    -------
    Derivation
        ``found["excess"]`` in the ratio ``r`` and the law's constants. Under a cost: the cost that reaches the same
        loss over the least one; ``ratio of`` every other input, at its best where there are several; ``excess of``
        the response: at the same cost, its reducible part over the least. Without a cost: the response over its
        least; ``excess of`` it likewise.
        ``given`` says from which r on the loss can be reached at all.

    Raises
    ------
    NoOptimum
        If there is no interior optimum.
    ScalingError
        If the optimum or the way back to the same loss has no closed form.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> suboptimality(laws.get("kaplan-ns"), "N", cost="N*S_min")["excess"]
    r*(alpha_N/(alpha_N + alpha_S - alpha_S/r**alpha_N))**(1/alpha_S)
    >>> suboptimality(laws.get("sovit"), "x_k")["excess of f_k"]
    (a_k*r**b_k + b_k/r**a_k)/(a_k + b_k)
    """
    x = pick(law, variable, law.inputs) if variable is not None else law.inputs[0]
    paid = None if cost is None and not law.costs else price_of(law, cost)
    letters = paid.expression.free_symbols if paid else set()
    domain = where(law, given, {str(symbol.name): symbol for symbol in letters})
    ratio = sp.Symbol("r" if "r" not in {*law.symbols, *(s.name for s in letters)} else "ratio", positive=True)
    asked = f"find what {law.name} loses off its optimum in {x}"
    made = Maker(law, domain)
    held = {pick(law, name, law.inputs) for name in fixed}
    over = (x, *(s for s in law.inputs if s != x and s not in held)) if paid else (x,)
    if paid is None:
        found = _held(made, Problem(asked, objective(law, domain, asked), over), ratio)
    else:
        found = _paid(made, _problem(made, over, paid, asked), ratio)
    best = tuple(step.after.args for step in made.steps if step.rule == "solve in logs")
    question = Question("suboptimality", made.domain, over, paid, (ratio,), values=best)
    title = f"suboptimality of {law.name} in {x} = {ratio}*{x}_best"
    return Derivation(title, law, facts(made.domain), tuple(made.steps), found, question=question)


def _problem(made: Maker, inputs: tuple[sp.Symbol, ...], paid: Cost, asked: str) -> Problem:
    price = split(paid.expression, inputs)
    if price is None or len(inputs) < 2 or not all(price.exponents):
        raise LawError(
            asked, "the cost is not a monomial in all inputs", "give one such as 6*N*D, fix the other inputs"
        )
    raw = objective(made.law, made.domain, asked)
    return Problem(asked, raw, inputs, Budget(price, paid.symbol))


def _solved(made: Maker, problem: Problem) -> tuple[Peeled, Balance, tuple[sp.Expr, ...], sp.Expr]:
    peeled = strip(made, problem)
    closed = solve_closed(made, problem, peeled)
    if closed is None:
        raise ScalingError(problem.asked, "the optimum has no closed form here", "compare values numerically")
    return peeled, *closed


def _sum(peeled: Peeled, shares: Sequence[sp.Expr], ratios: Sequence[sp.Expr]) -> tuple[sp.Expr, sp.Expr]:
    """The inner sum over its least, each variable at its ratio: a sum of weighted powers, and the weights' total."""
    weights, total = whole(shares)
    parts = zip(weights, peeled.terms, strict=True)
    return sp.Add(*(w * sp.Mul(*(r**e for r, e in zip(ratios, t.exponents, strict=True))) for w, t in parts)), total


def _held(made: Maker, problem: Problem, ratio: sp.Symbol) -> tuple[tuple[str, Found], ...]:
    """The response at ``r`` times the optimum over the response at it, the other inputs held."""
    peeled, solved, (best,), value = _solved(made, problem)
    (x,), y = problem.variables, made.law.response.symbol
    weighted, total = _sum(peeled, solved.shares, (ratio,))
    inner = weighted / total
    least = peeled.inner((x,))
    off = made.equal(
        f"the inner sum at {ratio} times the optimum", put(least, (x,), (ratio * best,)), inner * solved.value
    )
    flat = made.equal("nothing is lost at the optimum", inner.subs(ratio, 1), sp.Integer(1))
    made.step("scale", f"every term is its share times a power of {ratio}", least, inner, off, flat)
    beside: tuple[tuple[str, Found], ...] = _reducible(peeled, inner, y)
    if made.law.explicit is None:
        return (("excess", inner), *beside)
    excess = peeled.outer.subs(peeled.hole, inner * solved.value) / value
    owes = made.equal("the law over its least", put(problem.raw, (x,), (ratio * best,)), excess * value)
    made.step("excess", f"the law at {ratio} times the optimum over its least", problem.raw, excess, owes)
    return (("excess", excess), *beside)


def _paid(made: Maker, problem: Problem, ratio: sp.Symbol) -> tuple[tuple[str, Found], ...]:
    """The cost of the same loss over the least one; the loss at the same cost over the least one."""
    peeled, solved, best, value = _solved(made, problem)
    budget = problem.budget
    assert budget is not None
    if len(problem.variables) > 2:
        off = others(made, problem, peeled, solved, ratio)
        moved = ((f"ratio of {v}", move) for v, move in zip(problem.variables[1:], off.moves, strict=True))
        return (("excess", off.cost), *moved, *_reducible(peeled, off.lost, made.law.response.symbol))
    other, (p, q) = problem.variables[1], budget.cost.exponents
    move = _move(made, problem, peeled, solved, ratio)
    excess = ratio**p * move**q
    there = (ratio * best[0], move * best[1])
    made.step(
        "same loss",
        f"{other} moves so that the inner sum stays what it is",
        problem.raw,
        move,
        made.equal("the loss is the same", put(problem.raw, problem.variables, there), value),
        made.equal("nothing is lost at the optimum", excess.subs(ratio, 1), sp.Integer(1)),
    )
    slope = sp.diff(excess, ratio).subs(ratio, 1)
    made.step(
        "excess",
        "the cost there over the least",
        problem.spent,
        excess,
        made.equal("the cost over the budget", put(problem.spent, problem.variables, there), excess * budget.amount),
        made.equal("least at the optimum", slope, sp.Integer(0)),
    )
    weighted, total = _sum(peeled, solved.shares, (ratio, ratio ** (-p / q)))
    lost = weighted / total
    at_cost = (ratio * best[0], ratio ** (-p / q) * best[1])
    same = made.equal("the cost is the same", put(problem.spent, problem.variables, at_cost), budget.amount)
    inner = put(peeled.inner(problem.variables), problem.variables, at_cost)
    made.step(
        "same cost",
        "the inner sum over its least",
        problem.raw,
        lost,
        same,
        made.equal("the sum there", inner, lost * solved.value),
    )
    return (("excess", excess), (f"ratio of {other}", move), *_reducible(peeled, lost, made.law.response.symbol))


def _reducible(peeled: Peeled, inner: sp.Expr, y: sp.Symbol) -> tuple[tuple[str, Found], ...]:
    """The ratio of the response without its constant, where that is a power of the inner sum."""
    moving = peeled.outer.as_independent(peeled.hole, as_Add=True)[1]
    power = split(moving, (peeled.hole,))
    return ((f"excess of {y}", inner ** power.exponents[0]),) if power else ()


def _move(made: Maker, problem: Problem, peeled: Peeled, solved: Balance, ratio: sp.Symbol) -> sp.Expr:
    """By which factor the other input moves so that the inner sum stays; narrows the domain to where it can."""
    step = letter(made.law, "step")
    same = sp.Eq(*_sum(peeled, solved.shares, (ratio, step)), evaluate=False)
    way = isolate(same, step, made.domain)
    if way is None:
        found = f"{problem.variables[1]} stands in terms of several exponents"
        raise ScalingError(problem.asked, found, "take the other input, or compare values numerically")
    needed = tuple(pair for pair in way.conditions if order.sign(pair[0] - pair[1], made.domain) != 1)
    made.domain = made.domain.meet(Domain((), needed))
    return way.value
