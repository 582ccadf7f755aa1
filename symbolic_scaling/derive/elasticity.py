"""Elasticities: the percentage by which the response moves per percent of an input, ``d log y / d log s``."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from ..algebra.implicit import Curve, log_derivative
from ..law import Law
from ..records import Derivation, Found, Question
from .common import Given, Maker, choose, elementary, facts, respond, where
from .gradient import implicit_claims

__all__ = ["elasticity"]


def elasticity(law: Law, over: str | Iterable[str | sp.Symbol] | None = None, given: Given = ()) -> Derivation:
    """The logarithmic derivatives of the response; no unit of the inputs changes them.

    Parameters
    ----------
    law, over, given
        As for :func:`~symbolic_scaling.derive.gradient`.

    Returns
    -------
    Derivation
        ``found`` by symbol; the elasticities of an implicit law contain the response.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> elasticity(laws.get("m1"))["x"], elasticity(laws.get("m3"))["x"]
    (c, c/(gamma*x + 1))
    """
    domain = where(law, given)
    made = Maker(law, domain)
    y = respond(law, domain)
    found: list[tuple[str, Found]] = []
    for symbol in choose(law, over):
        if isinstance(y, Curve):
            value = symbol * y.slope(symbol) / y.response
            text = f"the equation stays true as {symbol} moves: implicit function theorem"
            made.step("implicit", text, law.form, value, *implicit_claims(made, y, symbol, first=not found))
        else:
            value = _weighted(y, symbol)
            raw = symbol * sp.Derivative(elementary(y), symbol) / y
            text = "exponents of the terms, weighted by the terms"
            made.step("logarithmic derivative", text, raw, value, made.equal(f"elasticity in {symbol}", raw, value))
        found.append((symbol.name, value))
    return Derivation(
        f"elasticities of {law.name}",
        law,
        facts(domain),
        tuple(made.steps),
        tuple(found),
        question=Question("elasticity", domain),
    )


def _weighted(y: sp.Expr, symbol: sp.Symbol) -> sp.Expr:
    """The mean of the terms' elasticities, each weighted by its term."""
    if not y.is_Add:
        return sp.expand_mul(symbol * log_derivative(y, symbol), deep=False)
    return sp.Add(*(term * _weighted(term, symbol) for term in y.args)) / y
