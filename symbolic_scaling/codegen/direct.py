"""The direct evaluation of a lowered expression: its nodes opened into exponentials and plain sums.

``E + A*exp(-alpha*log(N))`` needs fewer exponentials than ``exp(logsumexp(...))``, and overflows where one of its sums
leaves the range of doubles; the sums come with it, for the caller to watch, and so do the powers of a monomial. Every
exponential is opened term by term, so that value and derivatives share their sums.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from ..nodes import expit, log1p, logsumexp, softplus
from .monomial import monomial

__all__ = ["direct"]


def direct(expression: sp.Expr) -> tuple[sp.Expr, tuple[sp.Expr, ...]]:
    """The lowered expression with its nodes opened, and the sums that must stay inside the range of doubles.

    Returns
    -------
    expression : Expr
        Without ``logsumexp``, ``softplus``, ``expit`` and ``monomial``.
    sums : tuple of Expr
        Valid in floating point where each of these is neither tiny nor huge.

    Examples
    --------
    >>> from symbolic_scaling.codegen.lower import Lowering
    >>> E, A, N, alpha = sp.symbols("E A N alpha", positive=True)
    >>> direct(Lowering().log(E + A / N**alpha))
    (log(A*exp(-alpha*log(N)) + E), (A*exp(-alpha*log(N)) + E,))
    """
    sums: set[sp.Expr] = set()
    opened = _open(expression, sums, {})
    return opened, tuple(sorted(sums, key=sp.default_sort_key))


def _open(expression: sp.Expr, sums: set[sp.Expr], seen: dict[sp.Expr, sp.Expr]) -> sp.Expr:
    if not expression.args or not expression.has(logsumexp, softplus, expit, monomial):
        return expression
    if expression not in seen:
        seen[expression] = _open_one(expression, sums, seen)
    return seen[expression]


def _open_one(expression: sp.Expr, sums: set[sp.Expr], seen: dict[sp.Expr, sp.Expr]) -> sp.Expr:
    if isinstance(expression, sp.exp):
        return _open_exp(expression.args[0], sums, seen)
    if isinstance(expression, logsumexp):
        return sp.log(_total(expression.args, sums, seen))
    if isinstance(expression, softplus):
        return log1p(_total(expression.args, sums, seen))
    if isinstance(expression, monomial):
        powers = [
            _open_exp(power, sums, seen) if base is sp.E else _open(base, sums, seen) ** power
            for base, power in expression.pairs
        ]
        sums.update(power if power.is_nonnegative else sp.Abs(power) for power in powers)
        return sp.Mul(*powers)
    if isinstance(expression, expit):
        odds = _total(expression.args, sums, seen)
        return odds / (1 + odds)
    return expression.func(*(_open(argument, sums, seen) for argument in expression.args))


def _open_exp(exponent: sp.Expr, sums: set[sp.Expr], seen: dict[sp.Expr, sp.Expr]) -> sp.Expr:
    """``exp(v - logsumexp(...))`` is ``exp(v)`` over the sum: whole multiples of nodes leave the exponent."""
    outside, inside = [], []
    for term in sp.Add.make_args(exponent):
        times, node = term.as_coeff_Mul()
        if times.is_Integer and isinstance(node, logsumexp):
            outside.append(_total(node.args, sums, seen) ** times)
        elif times.is_Integer and isinstance(node, softplus):
            outside.append((1 + _total(node.args, sums, seen)) ** times)
        else:
            inside.append(_open(term, sums, seen))
    return sp.Mul(sp.exp(sp.Add(*inside)), *outside)


def _total(logs: Iterable[sp.Expr], sums: set[sp.Expr], seen: dict[sp.Expr, sp.Expr]) -> sp.Expr:
    total = sp.Add(*(_open_exp(log, sums, seen) for log in logs))
    sums.add(total)
    return total
