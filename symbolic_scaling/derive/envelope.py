"""The response with some inputs at their optimum: SoViT's equation (5) and its kind."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from ..algebra import order
from ..algebra.balance import Balance
from ..algebra.peel import Peeled, split
from ..errors import LawError, ScalingError
from ..law import Law
from ..records import Derivation, Found
from .common import Given, Maker, choose, elementary, facts, where
from .extremum import Problem, put, solve_closed, strip

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
        ``found``: the response, the inputs at their optimum; over one input also ``F``, the factor of the falling term
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
    if law.explicit is None or not set(chosen) <= set(law.inputs):
        raise LawError(asked, "needs an explicit law and its inputs", f"choose among {law.inputs}")
    domain = where(law, given)
    made = Maker(law, domain)
    problem = Problem(asked, elementary(law.explicit), chosen)
    peeled = strip(made, problem)
    closed = solve_closed(made, problem, peeled)
    if closed is None:
        raise ScalingError(asked, "the optimum has no closed form here", "ask for the optimum, a root")
    solved, at, value = closed
    found: list[tuple[str, Found]] = [(law.response.symbol.name, value)]
    found += [(v.name, x) for v, x in zip(chosen, at, strict=True)]
    if len(chosen) == 1 and not (peeled.outer - peeled.hole).has(peeled.hole):
        found += _factors(made, problem, peeled, solved, at[0])
    return Derivation(asked.removeprefix("find the "), law, facts(domain), tuple(made.steps), tuple(found))


def _factors(made: Maker, problem: Problem, peeled: Peeled, solved: Balance, at: sp.Expr) -> list[tuple[str, Found]]:
    """F and G: the inner sum is F times the falling power of the optimum, the rest G times a power of the other."""
    (x,) = problem.variables
    falling = next(k for k, term in enumerate(peeled.terms) if order.sign(term.exponents[0], made.domain) == -1)
    term, share = peeled.terms[falling], solved.shares[falling]
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
