"""Random laws' points, monomials and exponents for property tests, and a response evaluated from the raw form alone.

The evaluation here shares nothing with the package's own: mpmath at 80 digits on ``law.form``, an implicit response by
bisection between the bounds that the law's domain states.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import mpmath
import sympy as sp
from hypothesis import assume
from hypothesis import strategies as st

from symbolic_scaling import Law

DIGITS = 80

Point = Mapping[sp.Symbol, Any]


def rationals(lo: float, hi: float) -> st.SearchStrategy[sp.Rational]:
    """Positive rationals with three digits, log-uniform between two bounds."""
    return st.floats(float(mpmath.log10(lo)), float(mpmath.log10(hi))).map(lambda u: sp.Rational(f"{10**u:.3g}"))


@st.composite
def points(draw: st.DrawFn, law: Law, far: int = 1000) -> dict[sp.Symbol, sp.Rational]:
    """Constants from the declared starts and inputs up to ``far`` times beyond the typical range, inside the domain."""
    point: dict[sp.Symbol, sp.Rational] = {}
    for parameter in law.parameters:
        lo, hi = parameter.start
        sign = -1 if parameter.symbol.is_negative else 1
        least, most = sorted((abs(lo), abs(hi)))
        point[parameter.symbol] = sign * draw(rationals(max(least, most * 1e-3), most))
    for variable in law.variables:
        lo, hi = variable.typical
        point[variable.symbol] = draw(rationals(lo / far, hi * far))
    assume(all(law.domain.interval(symbol).contains(value) for symbol, value in point.items()))
    assume(
        all(
            numeric(greater - lesser, point) > 0 for greater, lesser in _implied(law) if _inside(greater, lesser, point)
        )
    )
    return point


def _inside(greater: sp.Expr, lesser: sp.Expr, point: Point) -> bool:
    return (greater - lesser).free_symbols <= set(point)


def _implied(law: Law) -> list[tuple[sp.Expr, sp.Expr]]:
    """The domain's relations, and those that follow by chaining two at the response."""
    y, known = law.response.symbol, list(law.domain.relations)
    chained = [(top, low) for top, middle in known for above, low in known if middle == y == above]
    return known + chained


def numeric(expression: sp.Expr, point: Point) -> Any:
    """An expression at a point, as an mpmath number of ``DIGITS`` digits."""
    names, function = _function(expression)
    with mpmath.workdps(DIGITS):
        return mpmath.mpf(function(*(_number(point[name]) for name in names)))


@functools.lru_cache(maxsize=256)
def _function(expression: sp.Expr) -> tuple[list[sp.Symbol], Callable[..., Any]]:
    names = sorted(expression.free_symbols, key=lambda symbol: symbol.name)
    return names, sp.lambdify(names, expression, "mpmath")


def _number(value: Any) -> Any:
    return mpmath.mpf(value.p) / value.q if isinstance(value, sp.Rational) else mpmath.mpf(value)


def response(law: Law, point: Point) -> Any:
    """The response at a point, from the raw form."""
    if law.explicit is not None:
        return numeric(law.explicit, point)
    y = law.response.symbol
    lows = [numeric(low, point) for high, low in law.domain.relations if high == y]
    highs = [numeric(high, point) for high, low in law.domain.relations if low == y]
    return _bisect(law, point, max(lows), min(highs))


def _bisect(law: Law, point: Point, low: Any, high: Any) -> Any:
    y = law.response.symbol
    gap = sp.log(law.form.lhs) - sp.log(law.form.rhs)
    names, raw = _function(gap)
    with mpmath.workdps(DIGITS):
        fixed = {name: _number(value) for name, value in point.items()}

        def at(value: Any) -> Any:
            return raw(*(value if name == y else fixed[name] for name in names))

        span = high - low
        inside = span * mpmath.mpf(10) ** -(DIGITS - 20)
        low, high = low + inside, high - inside
        rising = at(high) > at(low)
        for _ in range(4 * DIGITS):
            middle = (low + high) / 2
            low, high = (low, middle) if (at(middle) > 0) == rising else (middle, high)
        return (low + high) / 2
