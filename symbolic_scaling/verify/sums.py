r"""Closed forms of sums and products of symbolic length, by the difference equation that they solve.

``sum_{k=a}^{b} f(k) = F(b + 1) - F(a)`` where ``F(k + 1) - F(k) = f(k)``. For ``f(k) = p(k)*r**k`` with a polynomial p,
``F(k) = q(k)*r**k`` and ``r*q(k + 1) - q(k) = p(k)`` gives the coefficients of q from the highest one down; without
``r**k`` the polynomial q has one degree more. A sum needs ``b - a + 1 >= 0``, and ``r != 1``.
"""

from __future__ import annotations

from math import comb

import sympy as sp

from ..notation import build

__all__ = ["closed"]

_DEGREE = 20


def closed(node: sp.Sum | sp.Product) -> sp.Expr | None:
    """The closed form of a sum of polynomials and geometric terms, or of a product of powers; None for others.

    Examples
    --------
    >>> k, n = sp.symbols("k n", integer=True, positive=True)
    >>> closed(sp.Sum(k, (k, 1, n))).subs(n, 100), closed(sp.Product(3**k, (k, 1, n))).subs(n, 4)
    (5050, 59049)
    """
    if len(node.limits) != 1:
        return None
    index, low, high = node.limits[0]
    if not (low.is_integer and high.is_integer):
        return None
    build.need([(build.total([high, -low, sp.Integer(1)]), ">=")])
    if isinstance(node, sp.Product):
        return _product(node.function, index, low, high)
    parts = [_sum(term, index, low, high) for term in sp.Add.make_args(sp.expand_mul(node.function))]
    return None if None in parts else build.total(parts)


def _product(term: sp.Expr, index: sp.Symbol, low: sp.Expr, high: sp.Expr) -> sp.Expr | None:
    """Factors that do not run are raised to the number of factors, exponents that run are added up."""
    parts = []
    for factor in sp.Mul.make_args(term):
        base, exponent = factor.as_base_exp()
        if base.has(index):
            return None
        added = [_sum(one, index, low, high) for one in sp.Add.make_args(sp.expand_mul(exponent))]
        if None in added:
            return None
        parts.append(build.power(base, build.total(added)))
    return build.product(parts)


def _sum(term: sp.Expr, index: sp.Symbol, low: sp.Expr, high: sp.Expr) -> sp.Expr | None:
    """The sum of one term ``p(k)*r**k``."""
    rest: list[sp.Expr] = []
    ratio: list[sp.Expr] = []
    for factor in sp.Mul.make_args(term):
        base, exponent = factor.as_base_exp()
        slope = sp.expand_mul(exponent).coeff(index, 1)
        if exponent.has(index) and not base.has(index):
            if (fixed := sp.expand_mul(exponent - slope * index)).has(index) or slope.has(index):
                return None
            ratio.append(build.power(base, slope))
            rest.append(build.power(base, fixed))
        else:
            rest.append(factor)
    polynomial = sp.Poly(build.product(rest), index) if build.product(rest).is_polynomial(index) else None
    if polynomial is None or polynomial.degree() > _DEGREE:
        return None
    r = build.product(ratio) if ratio else sp.Integer(1)
    build.need([(r - 1, "!=")] if r != 1 else [])
    terms = _antidifference(polynomial.all_coeffs()[::-1], r)
    ends = (build.total([high, sp.Integer(1)]), low)
    above, below = (
        build.product([build.total([c * end**j for j, c in enumerate(terms)]), build.power(r, end)]) for end in ends
    )
    return build.total([above, -below])


def _antidifference(coefficients: list[sp.Expr], r: sp.Expr) -> list[sp.Expr]:
    """The coefficients of q, lowest first."""
    plain = r == 1
    found = [sp.Integer(0)] * (len(coefficients) + plain)
    for i in reversed(range(len(coefficients))):
        known = sum((found[j] * comb(j, i) for j in range(i + 1 + plain, len(found))), sp.Integer(0))
        found[i + plain] = (coefficients[i] - r * known) / ((i + 1) if plain else (r - 1))
    return found
