"""Symbols and powers between bounds, written through a symbol ``delta`` that runs from 0 to oo.

Worked example: ``1 + r - r*exp(-u)`` with u > 0 has ``exp(-u) = 1/(1 + delta)``, so it is ``(1 + delta + r*delta)``
over ``1 + delta``: all terms positive.
"""

from __future__ import annotations

import sympy as sp

from .monomial import Exponent, Space, Sum, add, constant, integer, multiply, scale, shift

__all__ = ["MOST_DEGREE", "product", "without_power"]

MOST_DEGREE = 12
_DELTA = sp.Dummy("delta", positive=True)


def without_power(space: Space, terms: Sum, number: int, base: Exponent) -> Sum | None:
    """A positive multiple of the sum in which ``atom**base``, a power below 1, is ``1/(1 + delta)``.

    None where the atom stands to other powers than multiples of ``base``.
    """
    counts = {monomial: integer(dict(monomial).get(number, space.K.zero) / base) for monomial in terms}
    known = [count for count in counts.values() if count is not None]
    if len(known) < len(counts) or max(known) - min(known) > MOST_DEGREE:
        return None
    over = add(constant(1), space.monomial("opaque", _DELTA, 1))
    total: Sum = {}
    for monomial, count in zip(counts, known, strict=True):
        rest = tuple(pair for pair in monomial if pair[0] != number)
        total = add(total, shift(scale(product(over, max(known) - count, over, 0), terms[monomial]), rest))
    return total


def product(one: Sum, times: int, other: Sum, others: int) -> Sum:
    """``one**times * other**others``."""
    total = constant(1)
    for factor in [one] * times + [other] * others:
        total = multiply(total, factor)
    return total
