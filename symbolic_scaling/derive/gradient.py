"""First derivatives of the response: by logarithmic rules, or by the implicit function theorem."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from ..algebra.implicit import Curve, derivative
from ..law import Law
from ..records import Claim, Derivation, Found, Question
from .common import Given, Maker, choose, elementary, facts, respond, where

__all__ = ["gradient"]


def gradient(law: Law, over: str | Iterable[str | sp.Symbol] | None = None, given: Given = ()) -> Derivation:
    """The partial derivatives of the response.

    Parameters
    ----------
    law : Law
        Explicit or implicit in its response; the derivatives of an implicit law contain the response.
    over : str or sequence, optional
        ``"N,D"`` or symbols; inputs and constants both; the inputs by default.
    given : sequence of str or (Expr, Expr)
        Relations that hold beside the law's own.

    Returns
    -------
    Derivation
        ``found`` by symbol.

    Raises
    ------
    Undecided
        If the sign with which an implicit equation moves in its response is open.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> gradient(laws.get("m2"))["x"]
    beta*c*x**(c - 1)
    """
    domain = where(law, given)
    made = Maker(law, domain)
    y = respond(law, domain)
    found: list[tuple[str, Found]] = []
    for symbol in choose(law, over):
        if isinstance(y, Curve):
            value = y.slope(symbol)
            text = f"the equation stays true as {symbol} moves: implicit function theorem"
            made.step("implicit", text, law.form, value, *implicit_claims(made, y, symbol, first=not found))
        else:
            value = sp.powsimp(derivative(y, symbol), combine="exp")
            raw = sp.Derivative(elementary(y), symbol)
            made.step("differentiate", f"term by term in {symbol}", raw, value, made.equal(f"d/d{symbol}", raw, value))
        found.append((symbol.name, value))
    return Derivation(
        f"gradient of {law.name}",
        law,
        facts(domain),
        tuple(made.steps),
        tuple(found),
        question=Question("gradient", domain),
    )


def implicit_claims(made: Maker, curve: Curve, symbol: sp.Symbol, *, first: bool) -> tuple[Claim, ...]:
    """What the implicit function theorem owes: the equation moves in y (said once), its total derivative vanishes."""
    y, level = curve.response, elementary(curve.level)
    moves = made.positive(f"the equation moves in {y}", sp.Derivative(level, y), curve.direction)
    total = made.equal(
        f"total derivative along {symbol}",
        sp.Derivative(level, y) * curve.slope(symbol),
        -sp.Derivative(level, symbol),
    )
    return (moves, total) if first else (total,)
