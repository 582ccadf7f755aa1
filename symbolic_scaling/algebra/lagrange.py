"""Inverting ``w = t*phi(w)`` as a power series in t: Lagrange's theorem with symbolic exponents.

Algorithm
---------
``balance`` brings an equation between products to the form ``w = t*phi(w)``: the power of w comes to one side,
everything free of w into t, and ``phi`` is a product of powers of polynomials in w that do not vanish at 0. Then

    [t^n] w = 1/n * [w^(n-1)] phi(w)^n .

For ``phi = (p + q*w)**e`` the coefficient is a binomial; otherwise ``phi**n`` is expanded by the recurrence of J.C.P.
Miller for powers of series. The series converges up to the nearest t at which ``dt/dw = 0``; for one linear factor that
is ``w = p/(q*(e - 1))``.

Worked example: ``w/(b - w)**a = t`` has ``phi = (b - w)**a``, so
``[t^n] w = (-1)**(n-1)/n * binomial(n*a, n-1) * b**(n*a - n + 1)`` and ``|t| < b**(1-a)*|1-a|**(a-1)*a**(-a)``.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from .. import budget
from ..errors import ScalingError

__all__ = ["Balance", "balance", "invert", "radius", "reverse"]


@dataclass(frozen=True)
class Balance:
    """``unknown = small * prod(base**exponent)``; each base is a polynomial in the unknown that is not 0 there."""

    unknown: sp.Symbol
    small: sp.Expr
    factors: tuple[tuple[sp.Expr, sp.Expr], ...]

    @property
    def phi(self) -> sp.Expr:
        """The product of the factors."""
        return sp.Mul(*(base**exponent for base, exponent in self.factors))


def balance(ratio: sp.Expr, unknown: sp.Symbol) -> Balance:
    """``ratio = 1`` as a balance at ``unknown -> 0``.

    Raises
    ------
    ScalingError
        If the ratio is no product of powers, or does not contain a power of the unknown itself.

    Examples
    --------
    >>> w, t, a, b = sp.symbols("w t a b", positive=True)
    >>> balance(w / (b - w) ** a / t, w).phi
    (b - w)**a
    """
    own, free, factors = sp.Integer(0), [], []
    for part in sp.Mul.make_args(ratio):
        base, exponent = part.as_base_exp()
        if base == unknown:
            own += exponent
        elif not part.has(unknown):
            free.append(part)
        elif exponent.has(unknown) or not base.is_polynomial(unknown) or base.subs(unknown, 0) == 0:
            raise ScalingError("expand at an end", f"{part} is no power of a polynomial", "write the law as a product")
        else:
            factors.append((base, exponent))
    if own == 0:
        raise ScalingError("expand at an end", f"{unknown} is no factor of {ratio}", "choose another end")
    powers = tuple((base, sp.cancel(-exponent / own)) for base, exponent in factors)
    small = sp.Mul(*(part ** (-1 / own) for part in free))
    return Balance(unknown, sp.powdenest(small), powers)


def invert(equation: Balance, order: int) -> tuple[sp.Expr, ...]:
    """The coefficients of t, t^2, ..., t^order of the unknown.

    Examples
    --------
    >>> w, t, a, b = sp.symbols("w t a b", positive=True)
    >>> invert(balance(w / (b - w) ** a / t, w), 2)
    (b**a, -a*b**(2*a - 1))
    """
    if len(equation.factors) == 1 and sp.degree(equation.factors[0][0], equation.unknown) == 1:
        return tuple(_binomial(equation, n) for n in range(1, order + 1))
    found = []
    for n in range(1, order + 1):
        budget.check("invert a series")
        found.append(sp.factor(_power_coefficient(equation, n) / n))
    return tuple(found)


def _linear(equation: Balance) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """``(p, q, e)`` of ``phi = (p + q*w)**e``."""
    base, exponent = equation.factors[0]
    return base.subs(equation.unknown, 0), sp.diff(base, equation.unknown), exponent


def _binomial(equation: Balance, n: int) -> sp.Expr:
    constant, slope, exponent = _linear(equation)
    power = sp.expand(n * exponent)
    falling = sp.Mul(*(sp.factor_terms(power - k) for k in range(n - 1)))
    return falling * slope ** (n - 1) * constant ** (power - n + 1) / (n * sp.factorial(n - 1))


def _power_coefficient(equation: Balance, n: int) -> sp.Expr:
    """``[w^(n-1)] phi^n`` by multiplying the series of the factors' powers."""
    total = [sp.Integer(1)] + [sp.Integer(0)] * (n - 1)
    for base, exponent in equation.factors:
        series = _raised(sp.Poly(base, equation.unknown).all_coeffs()[::-1], sp.expand(n * exponent), n)
        total = [sp.Add(*(total[j] * series[k - j] for j in range(k + 1))) for k in range(n)]
    return total[n - 1]


def _raised(terms: list[sp.Expr], power: sp.Expr, count: int) -> list[sp.Expr]:
    """The first coefficients of a series to a power: ``k*a_0*c_k = sum_j (power*j - k + j)*a_j*c_(k-j)``."""
    found = [terms[0] ** power]
    for k in range(1, count):
        rest = (((power + 1) * j - k) * terms[j] * found[k - j] for j in range(1, min(k, len(terms) - 1) + 1))
        found.append(sp.factor_terms(sp.Add(*rest)) / (k * terms[0]))
    return found


def reverse(terms: list[sp.Expr]) -> tuple[sp.Expr, ...]:
    """The coefficients of the inverse of ``t = terms[0]*w + terms[1]*w**2 + ...``, as many as are given.

    Examples
    --------
    >>> reverse([sp.Integer(1), sp.Integer(1), sp.Integer(0)])
    (1, -1, 2)
    """
    found = []
    for n in range(1, len(terms) + 1):
        budget.check("reverse a series")
        found.append(sp.expand(_raised(list(terms), sp.Integer(-n), n)[n - 1] / n))
    return tuple(found)


def radius(equation: Balance) -> sp.Expr | None:
    """The bound on ``|t|`` below which the series converges; None where it is not known in closed form.

    With one linear factor the only zero of ``dt/dw`` is ``w = p/(q*(e - 1))``. The exponents 0 (one term) and 1 (a
    geometric series) are their own cases; at a symbolic exponent 1 the general form has ``0**0 = 1``.

    Examples
    --------
    >>> w, t, b = sp.symbols("w t b", positive=True)
    >>> radius(balance(w / (b - w) ** 2 / t, w)), radius(balance(w / (b - w) / t, w)), radius(balance(w / t, w))
    (1/(4*b), 1, oo)
    """
    if not equation.factors:
        return sp.oo
    if len(equation.factors) > 1 or sp.degree(equation.factors[0][0], equation.unknown) > 1:
        return None
    constant, slope, exponent = _linear(equation)
    size = sp.Integer(abs(slope)) if slope.is_Integer else sp.Abs(slope)
    if exponent == 1:
        return 1 / size
    gap = exponent - 1 if exponent.is_number and exponent > 1 else 1 - exponent
    away = gap if exponent.is_number else sp.Abs(gap)
    return constant ** (1 - exponent) * away ** (exponent - 1) * exponent**-exponent / size
