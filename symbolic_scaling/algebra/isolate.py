"""Solving an equation for a symbol that stands in one place: undo what is done to it, from the outside in.

Worked example: ``L = E + A/N**a + B/D**b`` for D: take ``E + A/N**a`` to the left, divide by B, turn over, take the
root: ``D = (B/(L - E - A/N**a))**(1/b)``, on the condition ``L > E + A/N**a`` that the moved side leaves something.

A quotient of two sums linear in one power of the symbol counts as one place: ``y = v*x/(k + x)`` gives
``x = k*y/(v - y)`` for ``y < v``, what the quotient tends to. So does a function of one exponential of the symbol.
"""

from __future__ import annotations

from collections.abc import Iterable
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
        fresh = tuple(pair for pair in needed if order.sign(pair[0] - pair[1], domain) != 1)
        conditions += fresh
        domain = domain.meet(Domain((), fresh)) if fresh else domain
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
                return (
                    _undo_quotient(inside, value, symbol, domain)
                    or _folded(own, value / rest, symbol)
                    or _through(inside, value, symbol, domain)
                )
            _divisors((rest, part.coefficient, part.exponents[0]), domain)
            return symbol, (value / rest / part.coefficient) ** (1 / part.exponents[0]), []
        _divisors((rest,), domain)
        return own, value / rest, []
    if isinstance(inside, sp.log):
        return inside.args[0], sp.exp(value), []
    if isinstance(inside, (sp.Pow, sp.exp)):
        base, power = inside.as_base_exp()
        if power.has(symbol):
            if base.has(symbol):
                return None
            _divisors((sp.log(base),), domain)
            return power, sp.log(value) / sp.log(base), _reached(power, value, domain)
        _divisors((power,), domain)
        if order.sign(base, domain) != 1:
            return None
        if power.could_extract_minus_sign():
            return base, (1 / value) ** (-1 / power), []
        return base, value ** (1 / power), []
    return None


def _divisors(parts: Iterable[sp.Expr], domain: Domain) -> None:
    """Ask whether what is divided by is zero nowhere.

    Raises
    ------
    Undecided
        If the domain lets it vanish.
    """
    for part in parts:
        order.require_sign(part, domain, f"divide by {part}")


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
            if not own.is_Add:
                return _moved(own, rest, value, domain)
            return _undo_quotient(inside, value, symbol, domain) or _through(inside, value, symbol, domain)
        own = sp.Add(*(part.coefficient for part in known)) * symbol ** known[0].exponents[0]
    return _moved(own, rest, value, domain)


def _moved(own: sp.Expr, rest: sp.Expr, value: sp.Expr, domain: Domain) -> tuple[sp.Expr, sp.Expr, list[Relation]]:
    if any(isinstance(factor, sp.log) for factor in sp.Mul.make_args(own)):  # takes every value
        return own, value - rest, []
    sign = order.require_sign(own, domain, f"solve for a symbol in {own}")
    return own, value - rest, [(value, rest) if sign > 0 else (rest, value)]


def _undo_quotient(
    inside: sp.Expr, value: sp.Expr, symbol: sp.Symbol, domain: Domain
) -> tuple[sp.Expr, sp.Expr, list[Relation]] | None:
    """Solve a quotient of two sums linear in one power of the symbol for that power; it lies between its ends.

    Worked example: ``(a + b*x)/(c + d*x)`` runs from ``a/c`` to ``b/d`` and rises where ``b*c > a*d``.
    """
    above, below = (_linear(part, symbol) for part in sp.fraction(sp.together(inside)))
    if above is None or below is None or len({sp.cancel(e) for e in (above[2], below[2]) if e != 0}) != 1:
        return None
    (a, b, one), (c, d, other) = above, below
    if any(part != 0 and order.sign(part, domain) != 1 for part in (c, d)):
        return None
    rises = order.sign(b * c - a * d, domain)
    if rises is None:
        return None
    ends = [(value, a / c)] if c != 0 else []
    ends += [(b / d, value)] if d != 0 else []
    if rises < 0:
        return symbol ** (one or other), (a - value * c) / (value * d - b), [(lesser, more) for more, lesser in ends]
    return symbol ** (one or other), (value * c - a) / (b - value * d), ends


def _linear(total: sp.Expr, symbol: sp.Symbol) -> tuple[sp.Expr, sp.Expr, sp.Expr] | None:
    """``(a, b, e)`` with ``a + b*symbol**e``; e is 0 where the symbol does not stand in it."""
    rest, own = sp.expand_mul(total).as_independent(symbol, as_Add=True)
    if own == 0:
        return rest, own, own
    part = split(own, (symbol,))
    return None if part is None else (rest, part.coefficient, part.exponents[0])


def _folded(own: sp.Expr, value: sp.Expr, symbol: sp.Symbol) -> tuple[sp.Expr, sp.Expr, list[Relation]] | None:
    """Take a power of the symbol into a power of a sum, where one place is left: ``x/sqrt(k + x**2)``."""
    powers = [factor for factor in own.args if split(factor, (symbol,)) is None]
    outside = split(own / sp.Mul(*powers), (symbol,))
    if len(powers) != 1 or outside is None or powers[0].exp.has(symbol):
        return None
    base, power = powers[0].as_base_exp()
    inner = _linear(base, symbol)
    if inner is None or sp.cancel(outside.exponents[0] + inner[2] * power) != 0:
        return None
    return (inner[0] * symbol ** -inner[2] + inner[1]) ** power, value / outside.coefficient, []


def _through(
    inside: sp.Expr, value: sp.Expr, symbol: sp.Symbol, domain: Domain
) -> tuple[sp.Expr, sp.Expr, list[Relation]] | None:
    """Undo one operation on an exponential, where the symbol stands in that one alone."""
    hole = sp.Dummy(positive=True)
    for node in sorted(inside.atoms(sp.exp), key=sp.default_sort_key):
        if not (held := inside.xreplace({node: hole})).has(symbol):
            undone = _undo(held, value, hole, domain)
            return undone and (undone[0].xreplace({hole: node}), *undone[1:])
    return None


def _reached(power: sp.Expr, value: sp.Expr, domain: Domain) -> list[Relation]:
    """What an exponential's value must be, and on which side of 1 the sign of its exponent puts it."""
    sign = order.sign(power, domain)
    side = [] if sign is None else [(value, sp.Integer(1)) if sign > 0 else (sp.Integer(1), value)]
    return [*side, (value, sp.Integer(0))]
