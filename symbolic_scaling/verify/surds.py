"""Signs of expressions in which square roots stand, by comparing squares of what is added and what is taken away.

Worked example: ``t*sqrt(t**2 + 4*b) - t**2`` is positive for positive t and b, because the difference of the squares of
its two terms, ``t**2*(t**2 + 4*b) - t**4 = 4*b*t**2``, is.
"""

from __future__ import annotations

import math

import sympy as sp

from ..algebra.order import sign
from ..domain import Domain

__all__ = ["expanded_terms", "is_small", "sign_by_squares"]

MOST_TERMS = 400


def expanded_terms(expression: sp.Expr) -> int:
    """A bound on the number of terms after multiplying out, before anything is multiplied out.

    Examples
    --------
    >>> a, b = sp.symbols("a b")
    >>> expanded_terms((a + b) ** 3 * (1 + a))
    8
    """
    if expression.is_Add:
        return sum(map(expanded_terms, expression.args))
    if expression.is_Mul:
        return math.prod(map(expanded_terms, expression.args))
    if expression.is_Pow and expression.exp.is_Integer:
        terms, power = expanded_terms(expression.base), abs(int(expression.exp))
        return 1 if terms == 1 else math.comb(terms + power - 1, power) if power < MOST_TERMS else MOST_TERMS**3
    return 1


def is_small(expression: sp.Expr) -> bool:
    """Whether multiplying out and factoring are cheap enough to be tried."""
    return expanded_terms(expression) <= MOST_TERMS and expression.count_ops() <= MOST_TERMS


def sign_by_squares(expression: sp.Expr, domain: Domain, depth: int = 2) -> int | None:
    """+1, -1, 0 or None: the sign that the domain fixes, also where it takes squaring up to ``depth`` times to see it.

    Examples
    --------
    >>> t, b = sp.symbols("t b", positive=True)
    >>> sign_by_squares(t*sp.sqrt(t**2 + 4*b) - t**2, Domain())
    1
    """
    known = sign(expression, domain)
    if known is not None or depth == 0 or not is_small(expression):
        return known
    if expression.is_Mul:
        signs = [sign_by_squares(factor, domain, depth) for factor in expression.args]
        return None if None in signs else int(sp.prod(signs))
    if expression.is_Pow and sign_by_squares(expression.base, domain, depth) == 1:
        return 1
    if not expression.is_Add or not any(power.exp == sp.S.Half for power in expression.atoms(sp.Pow)):
        return None
    terms = [(sign_by_squares(term, domain, depth - 1), term) for term in expression.args]
    if any(side is None for side, _ in terms):
        return None
    above = sp.Add(*[term for side, term in terms if side == 1])
    below = sp.Add(*[term for side, term in terms if side == -1])
    if not is_small(above**2 + below**2):
        return None
    return sign_by_squares(sp.expand(above**2) - sp.expand(below**2), domain, depth - 1)
