"""Derivatives of lowered expressions: the chain rule over shared sub-expressions, each visited once.

SymPy's own ``diff`` asks every node for its symbols and walks shared nodes again for each place where they stand; on
laws of 45 constants it takes most of the time of a compilation.
"""

from __future__ import annotations

import sympy as sp

from ..nodes import entropy, expit, softplus

__all__ = ["derivative"]


def derivative(value: sp.Expr, symbol: sp.Symbol) -> sp.Expr:
    """The derivative of a lowered expression; ``k*softplus(u) - k*u*expit(u)`` becomes ``k*entropy(u)``.

    Far from a break both terms are large and their difference, the derivative in the sharpness, is tiny.

    Examples
    --------
    >>> w, f = sp.symbols("w f", positive=True)
    >>> derivative(f * softplus(w / f), f)
    entropy(w/f)
    """
    slope = _slope(value, symbol, {symbol: sp.Integer(1)})
    if symbol.is_nonzero and slope.has(sp.sign(symbol)):  # sign(f)/f is 1/|f|, as in u
        slope = slope.subs(sp.sign(symbol), symbol / sp.Abs(symbol))
    while changes := _pairs(slope):
        slope = slope.xreplace(changes)
    return slope


def _slope(node: sp.Expr, symbol: sp.Symbol, seen: dict[sp.Expr, sp.Expr]) -> sp.Expr:
    if not node.args and node != symbol:
        return sp.Integer(0)
    if node not in seen:
        slopes = [_slope(argument, symbol, seen) for argument in node.args]
        seen[node] = _chain(node, slopes, symbol) if any(slope != 0 for slope in slopes) else sp.Integer(0)
    return seen[node]


def _chain(node: sp.Expr, slopes: list[sp.Expr], symbol: sp.Symbol) -> sp.Expr:
    """The derivative of a node from those of its arguments."""
    if node.is_Add:
        return sp.Add(*slopes)
    if node.is_Mul:
        others = [node.args[:j] + node.args[j + 1 :] for j in range(len(slopes))]
        return sp.Add(*(sp.Mul(*rest, slope) for rest, slope in zip(others, slopes, strict=True) if slope != 0))
    if isinstance(node, sp.exp):
        return node * slopes[0]
    if node.is_Pow:
        base, exponent = node.args
        outer = exponent * base ** (exponent - 1) * slopes[0]
        return outer if slopes[1] == 0 else outer + node * sp.log(base) * slopes[1]
    if isinstance(node, sp.Function) and not isinstance(node, sp.Abs | sp.sign | sp.Heaviside):
        return sp.Add(*(node.fdiff(j) * slope for j, slope in enumerate(slopes, 1) if slope != 0))
    return node.diff(symbol)


def _pairs(slope: sp.Expr) -> dict[sp.Expr, sp.Expr]:
    """Sums in which something pairs -> the sums with an entropy."""
    waiting, met, changes = [slope], set(), {}
    while waiting:
        node = waiting.pop()
        if node in met:
            continue
        met.add(node)
        waiting += node.args
        if node.is_Add and (paired := _paired(node)) != node:
            changes[node] = paired
    return changes


def _paired(total: sp.Add) -> sp.Expr:
    terms = list(total.args)
    for term in total.args:
        for node in (factor for factor in sp.Mul.make_args(term) if isinstance(factor, softplus)):
            times, u = term / node, node.args[0]
            partner = -times * u * expit(u)
            if partner in terms:
                terms = [other for other in terms if other not in (term, partner)] + [times * entropy(u)]
    return total if len(terms) == len(total.args) else sp.Add(*terms)
