"""Which input gives a wanted response: the law solved for one of its inputs, in closed form or as a root."""

from __future__ import annotations

import sympy as sp

from ..algebra import order
from ..algebra.isolate import Isolated, isolate
from ..domain import Domain
from ..errors import ScalingError, Undecided
from ..law import Law
from ..notation import text
from ..records import Case, Derivation, Question, Root
from .common import Given, Maker, elementary, facts, pick, where
from .extremum import Problem, put, solve_closed, strip
from .optimum import objective, stationary

__all__ = ["conditions", "inverse"]


def inverse(law: Law, variable: str | sp.Symbol, given: Given = ()) -> Derivation:
    """Solve the law for one input, the response given.

    Parameters
    ----------
    law : Law
        Explicit or implicit.
    variable : str or Symbol
        One of the law's inputs.
    given : sequence of str or (Expr, Expr)
        Relations that hold beside the law's own.

    Returns
    -------
    Derivation
        ``found`` by the variable: an expression that holds where ``given`` does, or a :class:`Root`. A law that
        falls and rises has two ``cases``, below and above its optimum.

    Raises
    ------
    Undecided
        If the domain does not say whether the response rises or falls.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = inverse(laws.get("chinchilla"), "D")
    >>> found["D"], found.given
    ((B/(-A/N**alpha - E + L))**(1/beta), ('L > A/N**alpha + E', 'L > E'))
    """
    x = pick(law, variable, law.inputs)
    domain = where(law, given)
    title = f"inverse of {law.name} in {x}"
    solved = isolate(law.form, x, domain)
    if solved is not None:
        return _closed(law, x, domain, solved, title)
    made = Maker(law, domain)
    direction = order.sign(sp.diff(law.residual, x), domain)
    if direction is None:
        return _two_sided(law, x, domain, title)
    why = f"the law {'rises' if direction > 0 else 'falls'} strictly in {x}"
    root = Root(x, law.residual, (sp.Integer(0), sp.oo), why)
    moves = made.positive(why, sp.Derivative(law.residual, x), direction)
    made.step(
        "root", "no operation lays the variable bare; the law is strictly monotone", law.form, root.condition, moves
    )
    return Derivation(
        title, law, facts(domain), tuple(made.steps), ((x.name, root),), (), Question("inverse", domain, (x,))
    )


def conditions(law: Law, x: sp.Symbol, domain: Domain) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
    """The relations ``(greater, lesser)`` without which the closed form has no value; empty for a root."""
    solved = isolate(law.form, x, domain)
    return solved.conditions if solved else ()


def _closed(law: Law, x: sp.Symbol, domain: Domain, solved: Isolated, title: str) -> Derivation:
    """The steps of a closed form: it gives back the input of an explicit law; it makes both sides of another equal."""
    made = Maker(law, domain)
    narrowed = domain.meet(Domain((), solved.conditions))
    if law.explicit is not None:
        response = elementary(law.explicit)
        owed = made.equal("it gives the input back", put(solved.value, (law.response.symbol,), (response,)), x)
    else:
        left, right = (put(side, (x,), (solved.value,)) for side in (law.form.lhs, law.form.rhs))
        owed = made.equal("put back into the law", left, right, narrowed)
    after = sp.Eq(x, solved.value, evaluate=False)
    made.step("isolate", f"undo what is done to {x}, from the outside in", law.form, after, owed)
    found, question = ((x.name, solved.value),), Question("inverse", narrowed, (x,))
    return Derivation(title, law, facts(narrowed), tuple(made.steps), found, question=question)


def _two_sided(law: Law, x: sp.Symbol, domain: Domain, title: str) -> Derivation:
    """A law with one turning point in x: one root below it, one above."""
    asked = f"solve {law.name} for {x}"
    made = Maker(law, domain)
    problem = Problem(asked, objective(law, domain, asked), (x,))
    try:
        peeled = strip(made, problem, either=True)
        closed = solve_closed(made, problem, peeled)
        turn = closed[1][0] if closed else stationary(made, problem, peeled)
    except Undecided:
        raise
    except ScalingError as error:
        raise Undecided(asked, f"{text(_rising(law, x, domain))} > 0") from error
    if isinstance(turn, Root):
        raise Undecided(asked, f"{x} lies below or above its optimum, a root itself")
    below, above = ("falls", "rises") if peeled.direction > 0 else ("rises", "falls")
    lower = Root(x, law.residual, (sp.Integer(0), turn), f"the law {below} strictly below its optimum")
    upper = Root(x, law.residual, (turn, sp.oo), f"the law {above} strictly above its optimum")
    cases = (Case(((turn, x),), ((x.name, lower),)), Case(((x, turn),), ((x.name, upper),)))
    return Derivation(title, law, facts(domain), tuple(made.steps), (), cases, Question("inverse", domain, (x,)))


def _rising(law: Law, x: sp.Symbol, domain: Domain) -> sp.Expr:
    """What is positive where the law rises in x: the derivative, without a divisor that is positive anyway."""
    slope = sp.diff(law.form.rhs - law.form.lhs, x)
    above, below = sp.fraction(sp.together(slope))
    return sp.expand_mul(above) if order.sign(below, domain) == 1 else slope
