"""What a run costs, the law's own cost, a record, an expression, or text such as ``6*N*D + 2*N*D_inf``."""

from __future__ import annotations

import sympy as sp

from .. import notation
from ..errors import LawError
from ..law import Cost, Law

__all__ = ["price_of"]


def price_of(law: Law, cost: Cost | sp.Expr | str | None) -> Cost:
    """The cost as a record whose symbol no other part of the law uses.

    Parameters
    ----------
    law : Law
        Its inputs, and its response, may stand in the cost.
    cost : Cost, Expr, str or None
        ``"6*N*D"``, or ``"C = 6*N*D"`` to name the budget; the law's first cost by default. A name that the law does
        not have is a positive constant of the cost.

    Raises
    ------
    LawError
        If there is no cost, its symbol is taken, or an input is missing and a name differs from it in case only.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> price_of(laws.get("chinchilla"), "6*N*D + 2*N*D_inf").expression
    6*D*N + 2*D_inf*N
    """
    if isinstance(cost, Cost):
        return cost
    if cost is None:
        if not law.costs:
            raise LawError(f"find the frontier of {law.name}", "it declares no cost", "give one, such as --cost 6*N*D")
        return law.costs[0]
    symbol = law.costs[0].symbol if law.costs else sp.Symbol("C", positive=True)
    if isinstance(cost, str):
        name, equals, body = cost.rpartition("=")
        symbol = sp.Symbol(name.strip(), positive=True) if equals else symbol
    expression = _read(law, body) if isinstance(cost, str) else cost
    taken = {law.response.symbol.name} | {s.name for s in (*law.inputs, *law.constants, *expression.free_symbols)}
    if symbol.name in taken:
        raise LawError(
            f"call the budget of {law.name} {symbol}", "the law uses this name", "name it: --cost 'budget = ...'"
        )
    return Cost(symbol, expression, "given")


def _read(law: Law, text: str) -> sp.Expr:
    """A cost's text; names of its own become positive constants."""
    known = law.symbols
    cost = notation.parse(text, known, undeclared="symbol")
    own = sorted(cost.free_symbols - set(known.values()), key=lambda symbol: str(symbol.name))
    for symbol in own:
        near = [x.name for x in law.inputs if x.name.lower() == symbol.name.lower() and not cost.has(x)]
        if near:
            raise LawError(f"read the cost {text!r}", f"{symbol.name!r} is not declared", f"did you mean {near[0]!r}?")
    return cost.xreplace({symbol: sp.Symbol(symbol.name, positive=True) for symbol in own})
