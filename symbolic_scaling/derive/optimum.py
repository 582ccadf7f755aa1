"""The value of one variable at which the response is least, the others held: SoViT's x_k* and its kind."""

from __future__ import annotations

import sympy as sp

from ..algebra import order
from ..algebra.balance import one_direction
from ..algebra.peel import Peeled, split
from ..domain import Domain
from ..errors import LawError, ScalingError
from ..law import Law
from ..records import Derivation, Found, Question, Root
from .common import Given, Maker, elementary, facts, pick, where
from .corner import corner
from .extremum import Problem, put, solve_closed, strip, upward
from .inside import close
from .logarithms import by_logarithms

__all__ = ["exponents", "objective", "optimum", "stationary"]


def optimum(law: Law, variable: str | sp.Symbol, given: Given = (), *, largest: bool = False) -> Derivation:
    """Where the response is least in one variable, or largest.

    Parameters
    ----------
    law : Law
        A monotone function of a sum of positive monomials in ``variable``, its logarithm and the square of it; an
        implicit law by its inputs' side.
    variable : str or Symbol
        One of the law's inputs.
    given : sequence of str or (Expr, Expr)
        Relations that hold beside the law's own.
    largest : bool
        Whether the response is to be largest.

    Returns
    -------
    Derivation
        ``found``: the variable, the response there, ``exponent of`` the variable where one other input sets its scale.

    Raises
    ------
    NoOptimum
        If the terms all fall or all rise.
    Undecided
        If a sign is open.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = optimum(laws.get("sovit"), "x_k")
    >>> found["x_k"], found["exponent of x_k"]
    ((a_k*alpha_k*t**c/(b_k*beta_k))**(1/(a_k + b_k)), c/(a_k + b_k))
    """
    x = pick(law, variable, law.inputs)
    domain = where(law, given)
    made = Maker(law, domain)
    asked = f"find the optimum of {law.name} in {x}"
    title = f"optimum of {law.name} in {x}" + (f", {law.response.symbol} largest" if largest else "")
    others = tuple(s for s in law.inputs if s != x)
    question = Question("optimum", domain, (x,), moving=others)
    problem = Problem(asked, objective(law, domain, asked), (x,), largest=largest)
    found = corner(made, problem) if problem.raw.has(sp.Max) else by_logarithms(made, problem)
    if found is None:
        found = _balanced(made, problem, asked)
    at = dict(found)[x.name]
    if isinstance(at, sp.Expr):
        found += exponents(x, at, others)
    return Derivation(title, law, facts(domain), tuple(made.steps), tuple(found), question=question)


def _balanced(made: Maker, problem: Problem, asked: str) -> list[tuple[str, Found]]:
    """The variable and the response there, of a function of a sum of monomials."""
    law, (x,) = made.law, problem.variables
    peeled = strip(made, problem)
    closed = solve_closed(made, problem, peeled)
    if problem.raw.has(law.response.symbol):
        if closed is None:
            raise ScalingError(asked, f"{law.response.symbol} stands inside and the shares are open", "hold it")
        return sorted(close(made, problem, peeled, closed), key=lambda pair: pair[0] != x.name)
    at = closed[1][0] if closed else stationary(made, problem, peeled)
    if isinstance(at, Root) or law.explicit is None:
        return [(x.name, at)]
    return [(x.name, at), (law.response.symbol.name, closed[2] if closed else put(problem.raw, (x,), (at,)))]


def responds(law: Law) -> bool:
    """Whether the law is written ``y = ...``, so that its least value is the response."""
    return law.explicit is not None or law.form.lhs == law.response.symbol


def objective(law: Law, domain: Domain, asked: str) -> sp.Expr:
    """What to make least: the response, or the side of an implicit law that rises with it and holds the inputs.

    In ``y = f(y, x)`` the response inside is held; ``close`` puts it in afterwards.
    """
    if law.explicit is not None:
        return elementary(law.explicit)
    y = law.response.symbol
    if law.form.lhs == y:
        return elementary(law.form.rhs)
    inner, outer = (law.form.rhs, law.form.lhs) if law.form.lhs.has(y) else (law.form.lhs, law.form.rhs)
    if inner.has(y) or outer.has(*law.inputs):
        raise LawError(
            asked, f"{y} and the inputs stand on the same side", "write the law with its response on one side"
        )
    rises = order.require_sign(sp.diff(outer, y), domain, asked)
    return inner if rises > 0 else -inner


def stationary(made: Maker, problem: Problem, peeled: Peeled) -> sp.Expr | Root:
    """The optimum of more than two terms in one variable: a closed form for equally spaced exponents, else a root.

    Raises
    ------
    NoOptimum
        If the exponents all have one sign.
    ScalingError
        If the problem has several variables.
    """
    slope, zero = one_direction(peeled.terms, problem.variables, made.domain, problem.asked)
    (x,) = problem.variables
    squares = [term.exponents[0] ** 2 * term.at((x,)) for term in peeled.terms]
    owes = [
        *upward(made, f"the slope in log {x} rises", x * sp.Derivative(slope, x), squares),
        made.tends("it is negative at first", -slope, x, sp.Integer(0), sp.oo),
        made.tends("it is positive at last", slope, x, sp.oo, sp.oo),
    ]
    after = sp.Eq(slope, 0, evaluate=False)
    made.step("slope", "the slope rises from below zero to above: one zero", problem.raw, after, *owes)
    if zero is None:
        return Root(x, slope, (sp.Integer(0), sp.oo), f"the sum is convex in log {x} and rises at both ends")
    vanishes = made.equal(f"stationary in {x}", put(sp.diff(problem.raw, x), (x,), (zero,)), sp.Integer(0))
    made.step("solve", f"quadratic in a power of {x}", after, sp.Eq(x, zero, evaluate=False), vanishes)
    return zero


def exponents(x: sp.Symbol, at: sp.Expr, others: tuple[sp.Symbol, ...]) -> list[tuple[str, Found]]:
    """``exponent of x`` where its optimum is a power of the one other symbol that moves it."""
    moving = [symbol for symbol in others if at.has(symbol)]
    part = split(at, tuple(moving)) if len(moving) == 1 else None
    return [(f"exponent of {x.name}", sp.factor(part.exponents[0]))] if part else []
