"""Derivatives by the rules of the calculus, one node after the other, each within the budget.

SymPy factors what it finds after every order, which takes minutes where there are ten; nothing is simplified here.
"""

from __future__ import annotations

import sympy as sp

from .. import budget

__all__ = ["carried_out", "differentiate"]

_Known = dict[sp.Expr, sp.Expr]


def differentiate(expression: sp.Expr, symbol: sp.Symbol, times: int = 1) -> sp.Expr:
    """The derivative of an expression in a symbol, ``times`` over.

    Raises
    ------
    BudgetExhausted
        If the deadline around the call passes.

    Examples
    --------
    >>> x, a = sp.symbols("x a", positive=True)
    >>> differentiate(x**a * sp.log(x), x)
    a*x**(a - 1)*log(x) + x**a/x
    """
    for _ in range(times):
        expression = _slope(expression, symbol, {})
    return expression


def carried_out(expression: sp.Expr) -> sp.Expr:
    """The expression with every derivative in it taken.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> carried_out(1 + sp.Derivative(x**3, (x, 2)))
    6*x + 1
    """

    def taken(node: sp.Derivative) -> sp.Expr:
        value = node.expr
        for symbol, times in node.variable_count:
            if not times.is_Integer or not symbol.is_Symbol:
                return node.doit(deep=False)
            value = differentiate(value, symbol, int(times))
        return value

    return expression.replace(lambda node: isinstance(node, sp.Derivative), taken)


def _slope(node: sp.Expr, symbol: sp.Symbol, known: _Known) -> sp.Expr:
    """The derivative of one node, each part of it once."""
    if node == symbol:
        return sp.Integer(1)
    if not node.has(symbol):
        return sp.Integer(0)
    if node not in known:
        budget.check("take a derivative")
        known[node] = _by_rule(node, symbol, known)
    return known[node]


def _by_rule(node: sp.Expr, symbol: sp.Symbol, known: _Known) -> sp.Expr:
    """Sums, products, powers, exponentials and logarithms; SymPy's own derivative of anything else."""
    if node.is_Add:
        return sp.Add(*(_slope(part, symbol, known) for part in node.args))
    if node.is_Mul:
        parts = node.args
        moving = [k for k, part in enumerate(parts) if part.has(symbol)]
        return sp.Add(*(sp.Mul(*parts[:k], _slope(parts[k], symbol, known), *parts[k + 1 :]) for k in moving))
    if isinstance(node, sp.exp):
        return node * _slope(node.exp, symbol, known)
    if isinstance(node, sp.log):
        return _slope(node.args[0], symbol, known) / node.args[0]
    if node.is_Pow:
        base, power = node.args
        if not power.has(symbol):
            return power * base ** (power - 1) * _slope(base, symbol, known)
        inside = sp.log(base) * _slope(power, symbol, known)
        return node * (inside + power * _slope(base, symbol, known) / base)
    return node.diff(symbol)
