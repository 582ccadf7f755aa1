"""A product of powers of positive quantities written with each base once.

Powers of powers join, equal bases add their exponents, and bases of one exponent stand under it together.

Worked example: ``(k*x**a)**(1/a)*(x/k)**b`` is ``x**(b + 1)*k**(1/a - b)``.
"""

from __future__ import annotations

import sympy as sp

from ..budget import cached
from ..domain import Domain
from . import order

__all__ = ["factored", "tidy"]


@cached
def factored(exponent: sp.Expr) -> sp.Expr:
    """An exponent in factors; the same few come back many times in one derivation.

    Examples
    --------
    >>> a, b = sp.symbols("a b", positive=True)
    >>> factored(1 / (1 + a / b))
    b/(a + b)
    """
    return sp.factor(exponent)


def tidy(expression: sp.Expr, domain: Domain | None = None) -> sp.Expr:
    """The same product with joined powers; a base that is not known to be positive stays as it stands.

    Examples
    --------
    >>> k, x, a, b = sp.symbols("k x a b", positive=True)
    >>> tidy((k * x**a) ** (1 / a) * (x / k) ** b * x)
    x**(b + 2)/k**((a*b - 1)/a)
    >>> tidy(x ** (a / b) * (3 / k) ** (a / b))
    (3*x/k)**(a/b)
    """
    found: dict[sp.Expr, sp.Expr] = {}
    _collect(expression, sp.Integer(1), domain or Domain(), found)
    groups: dict[sp.Expr, sp.Expr] = {}
    for base, power in sorted(found.items(), key=lambda pair: sp.default_sort_key(pair[0])):
        exponent = factored(power) if power.is_Add else power
        turned = exponent.could_extract_minus_sign()
        key = factored(-exponent) if turned else exponent
        groups[key] = groups.get(key, sp.Integer(1)) * (1 / base if turned else base)
    return sp.Mul(*(base**power for power, base in groups.items()))


def _collect(part: sp.Expr, power: sp.Expr, domain: Domain, found: dict[sp.Expr, sp.Expr]) -> None:
    """Add the exponents of every base in ``part**power``."""
    if part.is_Mul:
        for factor in part.args:
            _collect(factor, power, domain, found)
    elif part.is_Pow and (part.base.is_positive or order.sign(part.base, domain) == 1):
        _collect(part.base, part.exp * power, domain, found)
    elif part.is_Rational and part.q != 1 and part.p != 1:
        _collect(sp.Integer(part.p), power, domain, found)
        _collect(sp.Integer(part.q), -power, domain, found)
    elif part.is_Rational and part.q != 1:
        _collect(sp.Integer(part.q), -power, domain, found)
    elif part != 1:
        found[part] = found.get(part, sp.Integer(0)) + power
