"""The compute frontier: the inputs that make the response least at a given cost, and the response there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import sympy as sp

from .. import notation
from ..algebra.balance import Budget
from ..algebra.peel import Term, gathered, split
from ..algebra.powers import factored
from ..errors import LawError, NoOptimum
from ..law import Cost, Law
from ..records import Derivation, Found, Question, Root
from .common import Given, Maker, facts, pick, where
from .constant import settle
from .convex import convex_minimum
from .corner import corner
from .curve import along_curve
from .descartes import only_zero, ranked
from .extremum import Problem, along, put, solve_closed, strip
from .inside import close
from .logarithms import by_logarithms
from .multiplier import priced
from .optimum import exponents, objective, responds, stationary
from .price import price_of
from .scales import added, moves, powers, scales
from .separate import least

__all__ = ["frontier"]


def frontier(
    law: Law,
    cost: Cost | sp.Expr | str | None = None,
    given: Given = (),
    fixed: Iterable[str | sp.Symbol] = (),
    *,
    largest: bool = False,
) -> Derivation:
    """Minimise the response over the inputs under a cost, or maximise it.

    Parameters
    ----------
    law : Law
        A monotone function of a sum of positive monomials in its inputs, along the budget in one of them with
        logarithms and their squares beside, or of the larger of what falls and what rises. What holds the inputs
        through a monomial cost alone may be anything.
    cost : Cost, Expr or str, optional
        ``"6*N*D"``, or ``"C = 6*N*D"`` to name the budget; the law's first cost by default. The response may stand
        inside, as in ``"6*N*S_min*B_star*L**(-1/alpha_B)"``; other names are positive constants of the cost. It may
        be a sum of monomials, ``"6*N*D + 2*N*D_inf"``.
    given : sequence of str or (Expr, Expr)
        Relations that hold beside the law's own.
    fixed : sequence of str or Symbol
        Inputs that are held, not chosen.
    largest : bool
        Whether the response is to be largest: an accuracy or a reward, a function that falls with such a sum.

    Returns
    -------
    Derivation
        ``found``: each input, the response, with two inputs the factor ``G`` of the first, ``prefactor of``
        the response above its constant, and ``exponent of`` each with respect to the budget. Where there is no closed
        form an input is a :class:`Root`, or several are coupled ones, with the reason why there is one solution; what
        the budget leaves to the last input is then an expression in them. Under a cost of several terms in more than
        two inputs the budget's ``multiplier`` is one of them: minus the slope in the budget of the sum inside the law.

    Raises
    ------
    NoOptimum
        If there is no interior optimum, or a family of them.
    Undecided
        If a sign is open.
    LawError
        If there is no cost, or it holds no input.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = frontier(laws.get("chinchilla"))
    >>> found["N"]
    (C/6)**(beta/(alpha + beta))*(A*alpha/(B*beta))**(1/(alpha + beta))
    >>> found["exponent of L"]
    -alpha*beta/(alpha + beta)
    """
    paid = price_of(law, cost)
    domain = where(law, given, {str(symbol.name): symbol for symbol in paid.expression.free_symbols})
    made = Maker(law, domain)
    held = {pick(law, name, law.inputs) for name in fixed}
    inputs = tuple(symbol for symbol in law.inputs if symbol not in held)
    asked = f"find the frontier of {law.name} under {paid.symbol} = {paid.expression}"
    raw = objective(law, domain, asked)
    price = split(paid.expression, inputs)
    y = law.response.symbol
    if price is not None and split(price.coefficient, (y,)) is None:
        price = None  # the response stands inside in no single power
    problem = Problem(asked, raw, inputs, largest=largest)
    if len(inputs) == 1 and not (raw + paid.expression).has(y):
        found = _alone(made, problem, paid)
    elif price is None:
        found = _curved(made, problem, paid)
    else:
        problem, found = _spend(made, replace(problem, budget=_budget(price, paid, y, asked)))
        found += _solve(made, problem, paid, y)
    if not responds(law):
        found = [pair for pair in found if y.name not in pair[0]]
    title = f"frontier of {law.name} under {paid.symbol} = {notation.text(paid.expression)}"
    title += f", {y} largest" if largest else ""
    question = Question("frontier", domain, inputs, paid, (paid.symbol,))
    return Derivation(title, law, facts(domain), tuple(made.steps), tuple(_sorted(law, found)), question=question)


def _alone(made: Maker, problem: Problem, paid: Cost) -> list[tuple[str, Found]]:
    """One input takes the whole budget, whatever the law says."""
    (x,), y = problem.variables, made.law.response.symbol
    terms = gathered(paid.symbol - paid.expression, (x,))
    if terms is None or not paid.expression.has(x):
        raise LawError(problem.asked, f"the cost is no sum of powers of {x}", "give one such as 6*N*D")
    spent = only_zero(made, ranked(terms, made.domain, problem.asked), (paid.symbol, paid.expression), x, problem.asked)
    if spent is None:
        raise NoOptimum(problem.asked, "no input costs as much", "give another cost")
    price = split(paid.expression, (x,))
    spent = (paid.symbol / price.coefficient) ** (1 / price.exponents[0]) if price else spent
    if isinstance(spent, Root):
        return [(x.name, spent), (y.name, problem.raw)]
    value = put(problem.raw, (x,), (spent,))
    found: list[tuple[str, Found]] = [(x.name, spent), (y.name, value), *exponents(x, spent, (paid.symbol,))]
    still, moving = value.as_independent(paid.symbol, as_Add=True)
    part = split(moving, (paid.symbol,))
    if part is not None and not still.has(paid.symbol):
        found += [(f"exponent of {y}", factored(part.exponents[0])), (f"prefactor of {y}", part.coefficient)]
    return found


def _budget(price: Term, paid: Cost, y: sp.Symbol, asked: str) -> Budget:
    """The monomial cost, what it holds of the response moved over to the amount."""
    if not any(price.exponents):
        raise LawError(asked, "the cost holds no input that is chosen", "give one such as 6*N*D")
    outside = split(price.coefficient, (y,))
    assert outside is not None
    return Budget(Term(outside.coefficient, price.exponents), paid.symbol * y ** -outside.exponents[0])


def _curved(made: Maker, problem: Problem, paid: Cost) -> list[tuple[str, Found]]:
    """A cost of several terms: two inputs along its curve, where it gives one of them; else by its multiplier."""
    inside, peeled = (problem.raw + paid.expression).has(made.law.response.symbol), strip(made, problem)
    found = None if inside or len(problem.variables) != 2 else along_curve(made, problem, paid, peeled)
    return priced(made, problem, paid, peeled) if found is None else found


def _spend(made: Maker, problem: Problem) -> tuple[Problem, list[tuple[str, Found]]]:
    """Where the cost holds one input alone, the budget fixes it: the rest is a problem without a budget."""
    budget = problem.budget
    assert budget is not None
    paid = [place for place, power in enumerate(budget.cost.exponents) if power != 0]
    inside = (problem.raw + budget.amount).has(made.law.response.symbol)
    if len(paid) != 1 or len(problem.variables) == 1 or inside:
        return problem, []
    variable, power = problem.variables[paid[0]], budget.cost.exponents[paid[0]]
    value = (budget.amount / budget.cost.coefficient) ** (1 / power)
    rest = tuple(v for v in problem.variables if v != variable)
    met = made.equal("the budget is met", put(problem.spent, (variable,), (value,)), budget.amount)
    made.step("spend", f"the budget fixes {variable}", problem.spent, sp.Eq(variable, value, evaluate=False), met)
    found: list[tuple[str, Found]] = [(variable.name, value), (f"exponent of {variable.name}", 1 / power)]
    raw = put(problem.raw, (variable,), (value,))
    return replace(problem, raw=raw, variables=rest, budget=None), found


def _solve(made: Maker, problem: Problem, paid: Cost, y: sp.Symbol) -> list[tuple[str, Found]]:
    """The optimum of every input and what scales with the budget."""
    problem = settle(made, problem)
    found = corner(made, problem) if problem.raw.has(sp.Max) else None
    if found is None:
        found = by_logarithms(made, problem, lambda rest: _solve(made, rest, paid, y))
    if found is not None:
        return found + moves(made, found, paid.symbol)
    peeled = strip(made, problem)
    if problem.budget is None and len(problem.variables) > 1 and not problem.raw.has(y):
        best, value = least(made, problem, peeled)
        return [*best, (y.name, value), *moves(made, best, paid.symbol)]
    closed = solve_closed(made, problem, peeled)
    response, amount = y.name, paid.symbol
    if problem.raw.has(y) or (problem.budget is not None and problem.budget.amount.has(y)):
        if closed is None:
            return priced(made, problem, paid, peeled)
        return powers(close(made, problem, peeled, closed, paid.expression), amount, y)
    if closed is not None:
        solved, at, value = closed
        found = [(v.name, x) for v, x in zip(problem.variables, at, strict=True)]
        found.append((response, value))
        if problem.budget is not None:
            return found + scales(problem, solved, response, added(peeled, amount))
        return found + moves(made, found, amount)
    if len(problem.variables) > 2:
        return convex_minimum(made, problem, peeled)
    if len(problem.variables) == 1 and problem.budget is None:
        return [(problem.variables[0].name, stationary(made, problem, peeled))]
    return _two(made, problem, response)


def _two(made: Maker, problem: Problem, response: str) -> list[tuple[str, Found]]:
    """Two inputs and more than two terms: one free direction along the budget, taken in each input in turn."""
    found: list[tuple[str, Found]] = []
    for turned in (problem, _turned(problem)):
        line = replace(problem, raw=along(turned, problem.raw), variables=turned.variables[:1], budget=None)
        answer = stationary(made, line, strip(made, line))
        found.append((line.variables[0].name, answer))
    if all(isinstance(answer, sp.Expr) for _, answer in found):
        at = tuple(answer for _, answer in found)
        found.append((response, put(problem.raw, problem.variables, at)))
        budget = problem.budget
        assert budget is not None
        met = made.equal("the budget is met", put(problem.spent, problem.variables, at), budget.amount)
        made.step("evaluate", "the law at the optimum", problem.raw, found[-1][1], met)
    return found


def _turned(problem: Problem) -> Problem:
    budget = problem.budget
    assert budget is not None
    cost = Term(budget.cost.coefficient, budget.cost.exponents[::-1])
    return replace(problem, variables=problem.variables[::-1], budget=Budget(cost, budget.amount))


def _sorted(law: Law, found: list[tuple[str, Found]]) -> list[tuple[str, Found]]:
    """Inputs in the law's order, then the response, then the rest."""
    names = [symbol.name for symbol in (*law.inputs, law.response.symbol)]
    return sorted(found, key=lambda pair: names.index(pair[0]) if pair[0] in names else len(names))
