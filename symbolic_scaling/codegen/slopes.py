"""Derivatives of lowered expressions: the chain rule over shared sub-expressions, each visited once.

SymPy's own ``diff`` asks every node for its symbols and walks shared nodes again for each place where they stand; on
laws of 45 constants it takes most of the time of a compilation.
"""

from __future__ import annotations

import sympy as sp

from ..nodes import bernoulli_gap, entropy, expit, expm1, logsumexp, softplus

__all__ = ["derivative"]


def derivative(value: sp.Expr, symbol: sp.Symbol) -> sp.Expr:
    """The derivative of a lowered expression; a sum's logarithm less its terms' weighted logarithms is an entropy.

    With the shares ``p_i = exp(u_i - logsumexp(u))``, which sum to 1, ``logsumexp(u) - sum(p_i*r_i)`` is the entropy of
    the shares plus ``sum(p_i*(u_i - r_i))``. Where one term dominates, the first form is a tiny difference of large
    numbers: the derivative in a sharpness f, where ``u_i - r_i`` is what of u_i is free of f. So is, for small u,
    ``c - c*u/expm1(u)``, how a saturating ``k*(1 - exp(-v/k))`` changes with k.

    Examples
    --------
    >>> v, w, f = sp.symbols("v w f", positive=True)
    >>> derivative(f * softplus(w / f), f)
    entropy(w/f)
    >>> derivative(f * logsumexp(w / f, v), f)
    v*exp(v - logsumexp(v, w/f)) + entropy(v - w/f)
    """
    slope = _slope(value, symbol, {symbol: sp.Integer(1)})
    if symbol.is_nonzero and slope.has(sp.sign(symbol)):  # sign(f)/f is 1/|f|, as in u
        slope = slope.subs(sp.sign(symbol), symbol / sp.Abs(symbol))
    while changes := _pairs(slope, symbol):
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


def _pairs(slope: sp.Expr, symbol: sp.Symbol) -> dict[sp.Expr, sp.Expr]:
    """Sums in which something pairs -> the sums with a node for the pair."""
    waiting, met, changes = [slope], set(), {}
    while waiting:
        node = waiting.pop()
        if node in met:
            continue
        met.add(node)
        waiting += node.args
        if node.is_Add and (paired := _paired(node, symbol) or _saturating(node)) is not None:
            changes[node] = paired
    return changes


def _paired(total: sp.Add, symbol: sp.Symbol) -> sp.Expr | None:
    """The sum with an entropy for the logarithm of a sum and what is taken off it; None where there is none."""
    for term in total.args:
        for node in (factor for factor in sp.Mul.make_args(term) if isinstance(factor, logsumexp | softplus)):
            times, shares = term / node, _shares(node)
            taken = {other: off for other in total.args if (off := _weighted(other, times, shares)) is not None}
            if not taken:
                continue
            left = {log: sp.expand(log - sp.Add(*(off.get(log, 0) for off in taken.values()))) for log in shares}
            if not any(rest.has(symbol) for rest in left.values()):
                kept = [other for other in total.args if other != term and other not in taken]
                weighted = (times * rest * shares[log] for log, rest in left.items())
                return sp.Add(*kept, times * _entropy(node, shares), *weighted)
    return None


def _saturating(total: sp.Add) -> sp.Expr | None:
    """The sum with ``c*bernoulli_gap(u)`` for ``c - c*u/expm1(u)``; None where there is none."""
    for term in total.args:
        for node in (1 / factor for factor in sp.Mul.make_args(term) if isinstance(1 / factor, expm1)):
            whole = -term * node / node.args[0]
            if whole in total.args:
                return sp.Add(
                    *(other for other in total.args if other not in (term, whole)), whole * bernoulli_gap(node.args[0])
                )
    return None


def _shares(node: sp.Expr) -> dict[sp.Expr, sp.Expr]:
    """Logarithm of each term of a sum -> the term's share."""
    if isinstance(node, softplus):
        return {node.args[0]: expit(node.args[0]), sp.Integer(0): expit(-node.args[0])}
    return {log: sp.exp(log - node) for log in node.args}


def _weighted(term: sp.Expr, times: sp.Expr, shares: dict[sp.Expr, sp.Expr]) -> dict[sp.Expr, sp.Expr] | None:
    """Logarithm -> r, where the term is ``-times*sum(share*r)``; None where it is no such sum."""
    if not term.has(*shares.values()):
        return None
    marks = {share: sp.Dummy() for share in shares.values()}
    found: dict[sp.Expr, sp.Expr] = {}
    for part in sp.Add.make_args(sp.expand_mul(term.xreplace(marks))):
        log = next((log for log, share in shares.items() if marks[share] in sp.Mul.make_args(part)), None)
        if log is None:
            return None
        found[log] = found.get(log, 0) - part / (times * marks[shares[log]])
    return found


def _entropy(node: sp.Expr, shares: dict[sp.Expr, sp.Expr]) -> sp.Expr:
    """``sum(-p*log(p))``, where the logarithm of one share is that of 1 plus the others' ratio to it."""
    logs = list(shares)
    if len(logs) == 2:
        return entropy(logs[0] - logs[1])
    ratios = {log: logsumexp(*(other for other in logs if other != log)) - log for log in logs}
    return sp.Add(*(shares[log] * softplus(ratio) for log, ratio in ratios.items()))
