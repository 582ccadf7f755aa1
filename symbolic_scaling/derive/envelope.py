"""The response with some inputs at their optimum: SoViT's equation (5) and its kind."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from ..algebra import order
from ..algebra.peel import Peeled, split
from ..errors import LawError
from ..law import Law
from ..records import Derivation, Found, Question
from .common import Given, Maker, choose, elementary, facts, where
from .extremum import Problem, put, strip
from .separate import least

__all__ = ["envelope"]


def envelope(law: Law, over: str | Iterable[str | sp.Symbol], given: Given = ()) -> Derivation:
    """The least response over the inputs ``over``, as a function of the others.

    Parameters
    ----------
    law : Law
        Explicit; a monotone function of a sum of positive monomials in these inputs.
    over : str or sequence
        ``"x_k"``, ``"N,D"`` or symbols.
    given : sequence of str or (Expr, Expr)
        Relations that hold beside the law's own.

    Returns
    -------
    Derivation
        ``found``: the response, the inputs at their optimum, expressions or roots in which the response is then
        written; over one input also ``F``, the factor of the falling term
        at the optimum, and ``G``, the factor of what the other input does beside.

    Raises
    ------
    NoOptimum
        If there is no interior optimum.
    Undecided
        If a sign is open.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = envelope(laws.get("sovit"), "x_k")
    >>> found["F"], found["G"]
    (alpha_k*(a_k + b_k)/b_k, xi_k)
    """
    chosen = choose(law, over)
    asked = f"find the envelope of {law.name} over {', '.join(s.name for s in chosen)}"
    domain = where(law, given)
    made = Maker(law, domain)
    form = made.explicit()
    if form is None or not set(chosen) <= set(law.inputs):
        raise LawError(asked, "needs an explicit law and its inputs", f"choose among {law.inputs}")
    problem = Problem(asked, elementary(form), chosen)
    peeled = strip(made, problem)
    best, value = least(made, problem, peeled)
    found: list[tuple[str, Found]] = [(law.response.symbol.name, value), *best]
    (_, at), terms = best[0], len(peeled.terms)
    if (
        len(chosen) == 1
        and terms == 2
        and isinstance(at, sp.Expr)
        and not (peeled.outer - peeled.hole).has(peeled.hole)
    ):
        found += _factors(made, problem, peeled, at)
    question = Question("envelope", domain, chosen)
    title = asked.removeprefix("find the ")
    return Derivation(title, law, facts(domain), tuple(made.steps), tuple(found), question=question)


def _factors(made: Maker, problem: Problem, peeled: Peeled, at: sp.Expr) -> list[tuple[str, Found]]:
    """F and G: the inner sum is F times the falling power of the optimum, the rest G times a power of the other."""
    (x,) = problem.variables
    falling = next(k for k, term in enumerate(peeled.terms) if order.sign(term.exponents[0], made.domain) == -1)
    term, other = peeled.terms[falling], peeled.terms[1 - falling]
    share = other.exponents[0] / (other.exponents[0] - term.exponents[0])
    factor = sp.factor_terms(term.coefficient / share)
    rest = peeled.outer - peeled.hole
    short = factor * x ** term.exponents[0] + rest
    reached = made.equal("in powers of the optimum", put(problem.raw, (x,), (at,)), put(short, (x,), (at,)))
    made.step("collect", f"every term is its share of the sum; {x} at its optimum", problem.raw, short, reached)
    found: list[tuple[str, Found]] = [("F", factor)]
    others = tuple(symbol for symbol in made.law.inputs if symbol != x)
    moving = [part for part in sp.Add.make_args(rest) if part.has(*others)] if others else []
    part = split(moving[0], others) if len(moving) == 1 else None
    return found + ([("G", part.coefficient)] if part else [])
