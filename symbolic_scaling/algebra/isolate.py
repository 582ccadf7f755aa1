"""Solving an equation for a symbol that stands in one place: undo what is done to it, from the outside in.

Worked example: ``L = E + A/N**a + B/D**b`` for D: take ``E + A/N**a`` to the left, divide by B, turn over, take the
root: ``D = (B/(L - E - A/N**a))**(1/b)``, on the condition ``L > E + A/N**a`` that the moved side leaves something.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..domain import Domain
from . import order
from .peel import split

__all__ = ["Isolated", "isolate"]

Relation = tuple[sp.Expr, sp.Expr]


@dataclass(frozen=True)
class Isolated:
    """The solution, and the strict relations ``(greater, lesser)`` without which there is none."""

    value: sp.Expr
    conditions: tuple[Relation, ...]


def isolate(form: sp.Equality, symbol: sp.Symbol, domain: Domain) -> Isolated | None:
    """The only solution of ``form`` for a positive ``symbol``; None where the symbol cannot be laid bare.

    Raises
    ------
    Undecided
        If the sign of a factor is open.

    Examples
    --------
    >>> x, y, k, a = sp.symbols("x y k a", positive=True)
    >>> isolate(sp.Eq(y, 1 + k * x**a), x, Domain())
    Isolated(value=((y - 1)/k)**(1/a), conditions=((y, 1),))
    """
    inside, value = (form.rhs, form.lhs) if form.rhs.has(symbol) else (form.lhs, form.rhs)
    if value.has(symbol):
        inside, value = inside - value, sp.Integer(0)
    conditions: list[Relation] = []
    while inside != symbol:
        undone = _undo(inside, value, symbol, domain)
        if undone is None:
            return None
        inside, value, needed = undone
        conditions += [pair for pair in needed if order.sign(pair[0] - pair[1], domain) != 1]
    return Isolated(value, tuple(conditions))


def _undo(
    inside: sp.Expr, value: sp.Expr, symbol: sp.Symbol, domain: Domain
) -> tuple[sp.Expr, sp.Expr, list[Relation]] | None:
    """Take the outermost operation off ``inside`` and put its inverse on ``value``."""
    if inside.is_Add:
        return _undo_sum(inside, value, symbol, domain)
    if inside.is_Mul:
        rest, own = inside.as_independent(symbol, as_Add=False)
        if own.is_Mul:
            part = split(own, (symbol,))
            if part is None:
                return None
            return symbol, (value / rest / part.coefficient) ** (1 / part.exponents[0]), []
        return own, value / rest, []
    if isinstance(inside, sp.log):
        return inside.args[0], sp.exp(value), []
    if isinstance(inside, (sp.Pow, sp.exp)):
        base, power = inside.as_base_exp()
        if power.has(symbol):
            return None if base.has(symbol) else (power, sp.log(value) / sp.log(base), [(value, sp.Integer(0))])
        if order.sign(base, domain) != 1:
            return None
        if power.could_extract_minus_sign():
            return base, (1 / value) ** (-1 / power), []
        return base, value ** (1 / power), []
    return None


def _undo_sum(
    inside: sp.Expr, value: sp.Expr, symbol: sp.Symbol, domain: Domain
) -> tuple[sp.Expr, sp.Expr, list[Relation]] | None:
    """Move the terms without the symbol over; those with it must be one, or powers of it with one exponent."""
    rest, own = inside.as_independent(symbol, as_Add=True)
    if own.is_Add:
        parts = [split(term, (symbol,)) for term in sp.Add.make_args(sp.expand_mul(own))]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts) or len({sp.cancel(part.exponents[0]) for part in known}) > 1:
            rest, own = sp.expand_mul(inside).as_independent(symbol, as_Add=True)
            return None if own.is_Add else _moved(own, rest, value, domain)
        own = sp.Add(*(part.coefficient for part in known)) * symbol ** known[0].exponents[0]
    return _moved(own, rest, value, domain)


def _moved(own: sp.Expr, rest: sp.Expr, value: sp.Expr, domain: Domain) -> tuple[sp.Expr, sp.Expr, list[Relation]]:
    if any(isinstance(factor, sp.log) for factor in sp.Mul.make_args(own)):  # takes every value
        return own, value - rest, []
    sign = order.require_sign(own, domain, f"solve for a symbol in {own}")
    return own, value - rest, [(value, rest) if sign > 0 else (rest, value)]
