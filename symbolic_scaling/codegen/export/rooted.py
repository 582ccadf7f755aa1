"""A root in a coordinate where one safeguarded Newton solve finds it, far beyond the range of doubles.

A root x inside (lo, oo) is ``lo + t``, inside (lo, hi) it is ``(lo + hi*t)/(1 + t)``, with ``t = exp(u)``. Where the
domain fixes the sign of every term, the condition ``up - down = 0`` becomes ``log(up) - log(down) = 0``: nearly linear
in u. Otherwise it is taken as it stands.

Worked example: ``B*x**2 - A = 0`` in (0, oo) becomes ``log(B) + 2*u - log(A) = 0``.
"""

from __future__ import annotations

import sympy as sp

from ...domain import Domain
from ...records import Root
from ..lower import Lowering
from ..root import U

__all__ = ["Coordinate"]


class Coordinate:
    """The coordinate of one root.

    Parameters
    ----------
    root : Root
    domain : Domain
        Signs of the letters.

    Examples
    --------
    >>> x, A, B = sp.symbols("x A B", positive=True)
    >>> there = Coordinate(Root(x, B * x**2 - A, (sp.Integer(0), sp.oo), "it rises"), Domain())
    >>> there.residual
    2*u - log(A) + log(B)
    >>> there.value(x / B)
    exp(u)/B
    """

    def __init__(self, root: Root, domain: Domain) -> None:
        self._t = sp.Dummy("t", positive=True)
        lo, hi = root.bracket
        self._x = lo + self._t if hi is sp.oo else (lo + hi * self._t) / (1 + self._t)
        self._symbol = root.symbol
        self._rules = Lowering(domain, {self._t: U})
        self.residual = self._residual(root.condition)

    def value(self, expression: sp.Expr) -> sp.Expr:
        """An expression of the root's symbol, lowered, in u."""
        return self._rules.value(self._moved(expression))

    def _residual(self, condition: sp.Expr) -> sp.Expr:
        terms = sp.Add.make_args(self._moved(condition))
        signs = [self._rules.sign(term) for term in terms]
        if None in signs or len(set(signs)) < 2:
            return self._rules.value(self._moved(condition))
        up, down = (sp.Add(*(s * term for term, s in zip(terms, signs, strict=True) if s == one)) for one in (1, -1))
        return self._rules.log(up) - self._rules.log(down)

    def _moved(self, expression: sp.Expr) -> sp.Expr:
        """The expression in t; sums that are rational in t over one denominator, so that what cancels is gone."""
        return _combined(expression.xreplace({self._symbol: self._x}), self._t)


def _combined(node: sp.Expr, t: sp.Symbol) -> sp.Expr:
    if not node.args or not node.has(t):
        return node
    if (
        node.is_Add
        and node.is_rational_function(t)
        and not any(power.exp.has(*_letters(node)) for power in _powers(node))
    ):
        return sp.factor_terms(sp.cancel(sp.together(node)))
    return node.func(*(_combined(argument, t) for argument in node.args))


def _powers(node: sp.Expr) -> list[sp.Expr]:
    return sorted(node.atoms(sp.Pow), key=sp.default_sort_key)


def _letters(node: sp.Expr) -> list[sp.Symbol]:
    return sorted(node.free_symbols, key=sp.default_sort_key)
