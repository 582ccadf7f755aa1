"""Second derivatives of the response."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement

import sympy as sp

from ..algebra.implicit import Curve, derivative
from ..law import Law
from ..records import Claim, Derivation, Question
from .common import Given, Maker, choose, elementary, facts, respond, where

__all__ = ["hessian"]


def hessian(law: Law, over: str | Iterable[str | sp.Symbol] | None = None, given: Given = ()) -> Derivation:
    """The second partial derivatives of the response, each pair once.

    Parameters
    ----------
    law, over, given
        As for :func:`~symbolic_scaling.derive.gradient`.

    Returns
    -------
    Derivation
        ``found`` by pair, ``"N,D"`` in the order of ``over``.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = hessian(laws.get("chinchilla"))
    >>> found["N,D"], found["N,N"]
    (0, -A*N**(-alpha - 2)*alpha*(-alpha - 1))
    """
    domain = where(law, given)
    made = Maker(law, domain)
    y = respond(law, domain)
    found = []
    for first, other in combinations_with_replacement(choose(law, over), 2):
        if isinstance(y, Curve):
            before, value = y.slope(first), y.second(first, other)
            owes = (_implicit_claim(made, y, first, other, value),)
        else:
            before = sp.powsimp(derivative(y, first), combine="exp")
            value = sp.powsimp(derivative(before, other), combine="exp")
            owes = (made.equal(f"d2/d{first}d{other}", sp.Derivative(elementary(y), first, other), value),)
        made.step("differentiate again", f"in {first}, then {other}", before, value, *owes)
        found.append((f"{first.name},{other.name}", value))
    return Derivation(
        f"hessian of {law.name}",
        law,
        facts(domain),
        tuple(made.steps),
        tuple(found),
        question=Question("hessian", domain),
    )


def _implicit_claim(made: Maker, curve: Curve, first: sp.Symbol, other: sp.Symbol, value: sp.Expr) -> Claim:
    """The second total derivative of what is constant along the curve vanishes."""
    y, level = curve.response, elementary(curve.level)
    moved = (
        sp.Derivative(level, first, other)
        + sp.Derivative(level, first, y) * curve.slope(other)
        + sp.Derivative(level, other, y) * curve.slope(first)
        + sp.Derivative(level, y, y) * curve.slope(first) * curve.slope(other)
    )
    return made.equal(f"second total derivative along {first}, {other}", sp.Derivative(level, y) * value, -moved)
