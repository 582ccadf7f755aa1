"""Ranges of expressions: outward-rounded interval arithmetic on arrays, walking the SymPy tree.

Every operation returns ends moved outward by at least its rounding error: half a unit in the last place for ``+ * /``,
at most 4 for NumPy's ``log``, ``exp`` and ``power``, for which ``_LIBRARY`` allows 8. The range is exact up to rounding
where a symbol stands once, as in ``log(y - eps_inf)`` and its derivatives, and an enclosure everywhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import sympy as sp

from ...errors import FitError
from ..solve import Floats

__all__ = ["Interval", "enclose", "point"]

Interval: TypeAlias = tuple[Floats, Floats]

_ULP = 2.0**-52
_LIBRARY = 8
_TINY = 1e-300


def point(values: Floats | float) -> Interval:
    """Numbers as intervals without width."""
    array = np.asarray(values, dtype=np.float64)
    return array, array


def enclose(expression: sp.Expr, values: Mapping[sp.Symbol, Interval]) -> Interval:
    """Lower and upper ends of a real expression, infinite where it is undefined.

    Parameters
    ----------
    expression : Expr
        Of sums, products, powers, ``log`` and ``exp``.
    values : mapping of Symbol to (lo, hi)
        Arrays that broadcast against each other.

    Raises
    ------
    FitError
        If the expression holds another function.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> lo, hi = enclose(sp.log(x) - 1 / x, {x: (np.array([1.0]), np.array([2.0]))})
    >>> lo.round(9).tolist(), hi.round(9).tolist()
    ([-1.0], [0.193147181])
    """
    with np.errstate(all="ignore"):
        return _walk(expression, values, {})


def _walk(e: sp.Expr, values: Mapping[sp.Symbol, Interval], known: dict[sp.Expr, Interval]) -> Interval:
    if e in values:
        return values[e]
    if e not in known:
        known[e] = _undefined(_operation(e, values, known))
    return known[e]


def _operation(e: sp.Expr, values: Mapping[sp.Symbol, Interval], known: dict[sp.Expr, Interval]) -> Interval:
    if e.is_number and (e.is_Rational or e.is_Float):
        number = np.asarray(float(e))
        return (number, number) if sp.Rational(float(number)) == e else _outward(number, number, 1)
    parts = [_walk(part, values, known) for part in e.args]
    if e.is_Add:
        total = parts[0]
        for lo, hi in parts[1:]:
            total = _outward(total[0] + lo, total[1] + hi, 1)
        return total
    if e.is_Mul:
        product = parts[0]
        for other in parts[1:]:
            product = _times(product, other)
        return product
    if e.is_Pow:
        return _power(e, parts[0], parts[1])
    if isinstance(e, sp.log):
        return _log(parts[0])
    if isinstance(e, sp.exp):
        return _outward(np.exp(parts[0][0]), np.exp(parts[0][1]), _LIBRARY)
    raise FitError(f"enclose {e}", f"no interval rule for {e.func.__name__}", "use sums, products, powers, log and exp")


def _undefined(interval: Interval) -> Interval:
    """Undefined ends, as of ``oo - oo``, made infinite."""
    lo, hi = interval
    if not np.isnan(lo + hi).any():
        return interval
    return np.where(np.isnan(lo), -np.inf, lo), np.where(np.isnan(hi), np.inf, hi)


def _outward(lo: Floats, hi: Floats, units: int) -> Interval:
    return lo - (np.abs(lo) * (units * _ULP) + _TINY), hi + (np.abs(hi) * (units * _ULP) + _TINY)


def _times(one: Interval, two: Interval) -> Interval:
    if one[0] is one[1] and np.ndim(one[0]) == 0 and one[0] == -1:
        return -two[1], -two[0]
    ends = [a * b for a in one for b in two]
    return _outward(np.minimum.reduce(ends), np.maximum.reduce(ends), 1)


def _log(inside: Interval) -> Interval:
    """``-oo`` where the argument reaches zero or below."""
    lo, hi = (np.log(np.maximum(end, 0.0)) for end in inside)
    return _outward(lo, hi, _LIBRARY)


def _power(e: sp.Expr, base: Interval, exponent: Interval) -> Interval:
    if not e.exp.is_Integer:
        lo, hi = _times(exponent, _log(base))
        lo, hi = _outward(np.exp(lo), np.exp(hi), _LIBRARY)
        return np.where(base[0] >= 0, lo, -np.inf), np.where(base[0] >= 0, hi, np.inf)
    n = abs(int(e.exp))
    ends = base[0] ** n, base[1] ** n
    lo, hi = np.minimum(*ends), np.maximum(*ends)
    if n % 2 == 0:
        lo = np.where((base[0] <= 0) & (base[1] >= 0), 0.0, lo)
    if n > 1:
        lo, hi = _outward(lo, hi, _LIBRARY)
        lo = np.maximum(lo, 0.0) if n % 2 == 0 else lo
    return _reciprocal(lo, hi) if int(e.exp) < 0 else (lo, hi)


def _reciprocal(lo: Floats, hi: Floats) -> Interval:
    """``1/x``; the whole line where the interval holds zero."""
    away = (lo > 0) | (hi < 0)
    one, two = _outward(1 / hi, 1 / lo, 1)
    return np.where(away, one, -np.inf), np.where(away, two, np.inf)
