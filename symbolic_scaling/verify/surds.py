"""Signs of expressions in which square roots stand, by comparing squares of what is added and what is taken away.

Worked example: ``t*sqrt(t**2 + 4*b) - t**2`` is positive for positive t and b, because the difference of the squares of
its two terms, ``t**2*(t**2 + 4*b) - t**4 = 4*b*t**2``, is.
"""

from __future__ import annotations

import sympy as sp

from ..algebra.order import sign
from ..domain import Domain

__all__ = ["sign_by_squares"]

MOST_OPERATIONS = 200


def sign_by_squares(expression: sp.Expr, domain: Domain, depth: int = 2) -> int | None:
    """+1, -1, 0 or None: the sign that the domain fixes, also where it takes squaring up to ``depth`` times to see it.

    Examples
    --------
    >>> t, b = sp.symbols("t b", positive=True)
    >>> sign_by_squares(t*sp.sqrt(t**2 + 4*b) - t**2, Domain())
    1
    """
    known = sign(expression, domain)
    if known is not None or depth == 0 or expression.count_ops() > MOST_OPERATIONS:
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
    return sign_by_squares(sp.expand(above**2) - sp.expand(below**2), domain, depth - 1)
