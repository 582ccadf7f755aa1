"""Where the response goes as an input goes to 0 or to oo."""

from __future__ import annotations

import sympy as sp

from ..algebra import order
from ..algebra.limits import limit
from ..domain import Domain
from ..errors import LawError, Undecided
from ..law import Law
from ..records import Claim, Derivation, Found, Question
from .common import Given, Maker, facts, letter, where

__all__ = ["limits", "outside"]


def limits(law: Law, given: Given = ()) -> Derivation:
    """The limits of the response at both ends of every input.

    Parameters
    ----------
    law : Law
        Explicit, or implicit with its response on one side and between bounds.
    given : sequence of str or (Expr, Expr)
        Relations that hold beside the law's own.

    Returns
    -------
    Derivation
        ``found`` by ``"x->0"`` and ``"x->oo"``; an end that the domain excludes is left out.

    Raises
    ------
    Undecided
        If the domain leaves a limit open.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = limits(laws.get("m4"))
    >>> found["x->oo"], found["x->0"]
    (eps_inf, eps_0)
    """
    domain = where(law, given)
    made = Maker(law, domain)
    found: list[tuple[str, Found]] = []
    form = made.explicit()
    for x in law.inputs:
        for end in (sp.Integer(0), sp.oo):
            if outside(law, domain, x, end):
                continue
            if form is not None:
                value = _explicit(form, x, end, domain)
                tends = made.tends(f"{x} to {end}", form, x, end, value)
                made.step("limit", f"{x} to {end}", form, value, tends)
            else:
                value = _implicit(made, x, end)
            found.append((f"{x.name}->{end}", value))
    question = Question("limits", domain, form=form)
    return Derivation(f"limits of {law.name}", law, facts(domain), tuple(made.steps), tuple(found), question=question)


def outside(law: Law, domain: Domain, x: sp.Symbol, end: sp.Expr) -> bool:
    """Whether the domain excludes an end: by the input's range, or by a relation between inputs and constants."""
    interval = domain.interval(x)
    if (end == 0 and interval.lo > 0) or (end == sp.oo and interval.hi.is_finite):
        return True
    gaps = (greater - lesser for greater, lesser in domain.relations)
    bare = [gap for gap in gaps if gap.has(x) and not gap.has(law.response.symbol)]
    return any(order.sign(limit(gap, x, end, domain), domain) == -1 for gap in bare)


def _explicit(form: sp.Expr, x: sp.Symbol, end: sp.Expr, domain: Domain) -> sp.Expr:
    """The limit; where x stands in one part alone that goes to a positive number, or a term to zero, the rest stays."""
    hole = sp.Dummy("part", positive=True)
    for part in sp.preorder_traversal(form):
        if part in (form, x) or not part.has(x) or form.xreplace({part: hole}).has(x):
            continue
        try:
            inside = limit(part, x, end, domain)
            inside = sp.cancel(inside) if inside.is_rational_function() else inside
            there = form.xreplace({part: inside})
            known = inside == 0 if part in sp.Add.make_args(form) else order.sign(inside, domain) == 1
            if known and not inside.is_infinite and (inside == 0 or order.sign(there, domain) is not None):
                return there
        except Undecided:
            continue
    return limit(form, x, end, domain)


def _implicit(made: Maker, x: sp.Symbol, end: sp.Expr) -> sp.Expr:
    """The bound of the response at which its side of the equation has the limit that the inputs' side has."""
    law, y = made.law, made.law.response.symbol
    asked = f"find the limit of {law.name} as {x} goes to {end}"
    own, driver = (law.form.lhs, law.form.rhs) if law.form.lhs.has(y) else (law.form.rhs, law.form.lhs)
    if driver.has(y) or own.has(*law.inputs):
        raise LawError(
            asked, f"{y} and the inputs stand on the same side", "write the law with its response on one side"
        )
    wanted = limit(driver, x, end, made.domain)
    direction = order.require_sign(sp.diff(own, y), made.domain, asked)
    moves = made.positive(f"the equation moves in {y}", sp.Derivative(own, y), direction)
    drives = made.tends(f"{driver} as {x} goes to {end}", driver, x, end, wanted)
    for bound, near in _bounds(made, y):
        inside = tuple((more.subs(y, near), less.subs(y, near)) for more, less in made.domain.relations)
        claim = _meets(Maker(law, made.domain.meet(Domain((), inside))), own.subs(y, near), wanted)
        if claim is not None:
            text = f"{y} goes to {bound}: there and nowhere else its side goes to {wanted}"
            made.step("limit", text, law.form, bound, drives, moves, claim)
            return bound
    raise Undecided(asked, f"{own} reaches {wanted} at a bound of {y}")


def _bounds(made: Maker, y: sp.Symbol) -> list[tuple[sp.Expr, sp.Expr]]:
    """The bounds of the response in the domain, each with the response a small gap inside."""
    gap = letter(made.law, "gap")
    lower = [(lesser, lesser + gap) for greater, lesser in made.domain.relations if greater == y]
    upper = [(greater, greater - gap) for greater, lesser in made.domain.relations if lesser == y]
    return lower + upper


def _meets(made: Maker, near: sp.Expr, wanted: sp.Expr) -> Claim | None:
    """The claim that one side has the wanted limit as the gap closes; None if it has another."""
    gap = letter(made.law, "gap")
    try:
        value = limit(near, gap, sp.Integer(0), made.domain)
    except Undecided:
        return None
    return made.tends("the response's side at its bound", near, gap, sp.Integer(0), wanted) if value == wanted else None
