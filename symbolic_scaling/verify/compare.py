"""The sign of ``high - low`` by what may be done to both: bases, factors, squares, exponentials, roots, slopes."""

from __future__ import annotations

import math

import sympy as sp

from .. import budget
from ..algebra.order import sign
from ..domain import Domain
from .monotone import sign_from_end
from .support import attempt
from .surds import is_small, sign_by_squares

__all__ = ["compare"]

MOST_DEGREE = 30
MOST_STURM = 12
MOST_ROOT = 6


def compare(low: sp.Expr, high: sp.Expr, domain: Domain, strict: bool) -> int | None:
    """1 if ``high - low`` is positive, -1 negative, 0 not negative (or not known to be more), None not known.

    Examples
    --------
    >>> a, b = sp.symbols("a b", positive=True)
    >>> compare(2*a*b, a**2 + b**2, Domain(), strict=False), compare(a, b, Domain(), strict=False)
    (0, None)
    """
    side = None
    for way in (_by_bases, _by_difference, _by_exponentials, _by_roots, _by_slope):
        if side is None or (strict and side == 0):
            side = way(low, high, domain)
    return side


def _by_bases(low: sp.Expr, high: sp.Expr, domain: Domain) -> int | None:
    """The sign of ``high - low`` for powers of positive numbers with one exponent, without multiplying them out."""
    if not (low.is_Pow and high.is_Pow and low.exp == high.exp):
        return None
    if sign(low.base, domain) != 1 or sign(high.base, domain) != 1:
        return None
    bases, way = sign(high.base - low.base, domain), sign(low.exp, domain)
    return None if bases is None or way is None else bases * way


def _by_difference(low: sp.Expr, high: sp.Expr, domain: Domain) -> int | None:
    """1 if ``high - low`` is positive, -1 negative, 0 not negative, None not known: by sign, factors, squares."""
    expression = high - low
    known = sign_by_squares(expression, domain)
    if known is None and sign(expression, domain, strict=False) == 1:
        known = 0
    if known is not None or not is_small(expression):
        return known
    plain, domain = _without_roots(_without_powers(expression), domain)
    top, bottom = sp.fraction(sp.together(plain))
    below = sign(bottom, domain)
    if not below or not is_small(top) or not top.is_polynomial(*top.free_symbols):
        return None
    if not all(power.exp.is_Integer and power.exp <= MOST_DEGREE for power in top.atoms(sp.Pow)):
        return None
    constant, factors = sp.factor_list(top)
    total, weak = int(sp.sign(constant)) * below, False
    for base, power in factors:
        known = sign(base, domain)
        known = _definite(base, domain) if known is None else known
        if known is None:
            weak, known = True, 1 if power % 2 == 0 else _semidefinite(base, domain)
        if known is None:
            return None
        total *= known**power
    return (0 if weak else 1) if factors and total > 0 else None


def _definite(polynomial: sp.Expr, domain: Domain) -> int | None:
    """The sign of a polynomial without a root: in its one symbol, or quadratic in some, then that of its ends."""
    if len(polynomial.free_symbols) == 1:
        return _without_root(polynomial, next(iter(polynomial.free_symbols)), domain)
    for symbol in sorted(polynomial.free_symbols, key=lambda one: str(one.name)):
        parts = sp.Poly(polynomial, symbol).all_coeffs()
        if len(parts) == 3 and sign(4 * parts[0] * parts[2] - parts[1] ** 2, domain) == 1:
            ends = sign(parts[0], domain) or sign(parts[2], domain)
            if ends is not None:
                return ends
    return None


def _semidefinite(polynomial: sp.Expr, domain: Domain) -> int | None:
    """1 or -1 if a polynomial is never below or never above 0: quadratic in some symbol, with no two real roots."""
    for symbol in sorted(polynomial.free_symbols, key=lambda one: str(one.name)):
        parts = sp.Poly(polynomial, symbol).all_coeffs()
        if len(parts) == 3 and (side := sign(parts[0], domain)):
            budget.check("compare quadratics")
            if _by_difference(parts[1] ** 2, sp.expand(4 * parts[0] * parts[2]), domain) in (0, 1):
                return side
    return None


def _without_root(polynomial: sp.Expr, symbol: sp.Symbol, domain: Domain) -> int | None:
    """The sign that a polynomial with rational coefficients has all over an interval: Sturm's chain counts no root."""
    parts, interval = sp.Poly(polynomial, symbol), domain.tightened().interval(symbol)
    if parts.degree() > MOST_STURM or not all(c.is_Rational for c in parts.coeffs()) or symbol.is_integer:
        return None
    ends = [(end, is_open) for end, is_open in ((interval.lo, interval.lo_open), (interval.hi, interval.hi_open))]
    if not all(end.is_Rational or end.is_infinite for end, _ in ends):
        return None
    outside = sum(is_open and end.is_finite and parts.eval(end) == 0 for end, is_open in ends)
    if parts.count_roots(*(end if end.is_finite else None for end, _ in ends)) > outside:
        return None
    (inside,) = domain.tightened().sample([symbol], 1)
    return int(sp.sign(parts.eval(inside[symbol])))


def _by_exponentials(low: sp.Expr, high: sp.Expr, domain: Domain) -> int | None:
    """The sign of ``high - low`` where a side is a logarithm: that of the exponentials' difference."""
    if not isinstance(low, sp.log) and not isinstance(high, sp.log):
        return None
    return sign_by_squares(sp.exp(high) - sp.exp(low), domain)


def _by_roots(low: sp.Expr, high: sp.Expr, domain: Domain) -> int | None:
    """The sign of ``high - low`` where one of two positive sides is a power p: that of the p-th roots' difference."""
    if sign(low, domain) != 1 or sign(high, domain) != 1:
        return None
    for side in (high, low):
        if side.is_Pow and (way := sign(side.exp, domain)):
            roots = sign(high ** (1 / side.exp) - low ** (1 / side.exp), domain)
            if roots is not None:
                return roots * way
    return None


def _by_slope(low: sp.Expr, high: sp.Expr, domain: Domain) -> int | None:
    """1 if ``high - low`` is positive, 0 not negative: from the end of an interval along which it moves one way."""
    return attempt(sign_from_end, high - low, domain)


def _without_powers(expression: sp.Expr) -> sp.Expr:
    """The expression with ``k**(q*e)`` as ``t**q`` for positive k and symbolic e; t runs through all positive numbers.

    What is lost is how t depends on k, so a sign that is found holds all the same.
    """
    units: list[tuple[sp.Expr, sp.Expr, sp.Symbol]] = []
    moved: dict[sp.Expr, sp.Expr] = {}
    powers = [one for one in expression.atoms(sp.Pow) if one.base.is_positive and one.exp.free_symbols]
    for power in sorted(powers, key=sp.default_sort_key):
        base, exponent = power.args
        known = next((unit for unit in units if unit[0] == base and (exponent / unit[1]).is_Rational), None)
        if known is None:
            known = base, exponent, sp.Dummy(f"power {len(units)}", positive=True)
            units.append(known)
        moved[power] = known[2] ** (exponent / known[1])
    return expression.xreplace(moved)


def _without_roots(expression: sp.Expr, domain: Domain) -> tuple[sp.Expr, Domain]:
    """The expression in ``t`` where ``x = t**n`` for the positive x under n-th roots, and what is known of t.

    The name x is kept: t runs through the positive numbers too. What the domain says of x does not hold for t.
    """
    roots: dict[sp.Symbol, int] = {}
    for power in expression.atoms(sp.Pow):
        if isinstance(power.base, sp.Symbol) and power.base.is_positive and power.exp.is_Rational:
            roots[power.base] = math.lcm(roots.get(power.base, 1), int(power.exp.q))
    moved = {symbol: symbol**n for symbol, n in roots.items() if 1 < n <= MOST_ROOT}
    ranges = tuple(pair for pair in domain.ranges if pair[0] not in moved)
    relations = tuple(pair for pair in domain.relations if not (pair[0] - pair[1]).free_symbols & set(moved))
    return expression.subs(moved, simultaneous=True), Domain(ranges, relations) if moved else domain
