"""The sign of an expression that moves one way along a symbol, from where it starts.

Where d has no poles on an interval of x, grows with x and is not negative in the limit at the lower end, it is not
negative; likewise from the upper end where it falls. The sign of its slope is found in the same way if need be.

Where d falls to a place at which its slope is zero and grows from there, it is walked from that place to both sides.

Worked examples: ``exp(x) - 1 - x`` for x > 0 starts from 0, and its slope ``exp(x) - 1`` is positive; at 1
``x - 1 - log(x)`` is 0, and its slope ``(x - 1)/x`` is negative below and positive above.
"""

from __future__ import annotations

import sympy as sp

from .. import budget
from ..algebra.differentiate import differentiate
from ..algebra.limits import limit
from ..algebra.order import sign
from ..domain import Domain, Interval
from ..errors import Undecided
from .equal import conditions
from .surds import is_small

__all__ = ["sign_from_end"]

DEPTH = 2
MOST_SYMBOLS = 4
_BENT = (sp.Abs, sp.Max, sp.Min, sp.Derivative, sp.Limit, sp.Sum, sp.Product)


def sign_from_end(
    expression: sp.Expr, domain: Domain, depth: int = DEPTH, along: sp.Symbol | None = None
) -> int | None:
    """1 if the expression is positive on the domain, 0 if it is never negative, None where this does not show it.

    ``depth`` is how often the slope's sign may be found in the same way; ``along`` is the only symbol to try.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> sign_from_end(sp.exp(x) - 1 - x - x**2/2, Domain()), sign_from_end(sp.exp(x) - 1 - 2*x, Domain())
    (1, None)
    >>> sign_from_end(x - 1 - sp.log(x), Domain())
    0
    """
    domain = domain.tightened()
    symbols = sorted(expression.free_symbols, key=lambda one: str(one.name))
    tied = {s for greater, lesser in domain.relations for s in (greater - lesser).free_symbols}
    if len(symbols) > MOST_SYMBOLS or not is_small(expression) or expression.has(*_BENT):
        return None
    if conditions(expression, domain):
        return None
    weakest = None
    for symbol in symbols if along is None else [along]:
        found = _along(expression, symbol, domain, depth) if symbol not in tied else None
        if found is None and depth == DEPTH and symbol not in tied:
            found = _from_turn(expression, symbol, domain)
        if found == 1:
            return 1
        weakest = found if weakest is None else weakest
    return weakest


def _along(expression: sp.Expr, symbol: sp.Symbol, domain: Domain, depth: int) -> int | None:
    """The sign, if the slope along this symbol has one sign and the start is not negative."""
    budget.check("compare along a symbol")
    slope = differentiate(expression, symbol)
    if conditions(slope, domain):
        return None
    way, strict = _slope_sign(slope, symbol, domain, depth)
    start = _start(expression, symbol, domain, way) if way else None
    if start is None or start == -sp.oo:
        return None
    interval = domain.interval(symbol)
    reached = not (interval.lo_open if way > 0 else interval.hi_open)
    first = 1 if start == sp.oo else sign(start, domain)
    if first == 1 or (first == 0 and strict and not reached):
        return 1
    if first == 0:
        return 0
    return (1 if strict and not reached else 0) if sign(start, domain, strict=False) == 1 else None


def _from_turn(expression: sp.Expr, symbol: sp.Symbol, domain: Domain) -> int | None:
    """The sign where the expression is walked to both sides from a place at which its slope vanishes."""
    interval = domain.interval(symbol)
    for place in _turns(differentiate(expression, symbol), symbol):
        if not (interval.lo < place < interval.hi):
            continue
        first = sign(expression.xreplace({symbol: place}), domain)
        if first not in (0, 1):
            continue
        sides = [Interval(interval.lo, place, interval.lo_open), Interval(place, interval.hi, True, interval.hi_open)]
        rest = tuple(pair for pair in domain.ranges if pair[0] != symbol)
        parts = (Domain((*rest, (symbol, side)), domain.relations) for side in sides)
        walked = [_along(expression, symbol, part, DEPTH) for part in parts]
        if None not in walked:
            return int(first == 1 and walked == [1, 1])
    return None


def _turns(slope: sp.Expr, symbol: sp.Symbol) -> list[sp.Rational]:
    """Rational places at which the slope vanishes: of its linear factors, and 1 beside logarithms and powers."""
    top, _ = sp.fraction(sp.together(slope))
    found = {sp.Integer(1)} if slope.has(sp.log) or any(not p.exp.is_Integer for p in slope.atoms(sp.Pow)) else set()
    if top.is_polynomial(symbol) and is_small(top) and not (top.free_symbols - {symbol}):
        found |= {root for root in sp.Poly(top, symbol).ground_roots() if root.is_Rational}
    return sorted(one for one in found if slope.xreplace({symbol: one}) == 0)


def _slope_sign(slope: sp.Expr, symbol: sp.Symbol, domain: Domain, depth: int) -> tuple[int, bool]:
    """The sign of the slope, and whether it is never zero; the sign is 0 where it is not known."""
    if known := sign(slope, domain):
        return known, True
    for way in (1, -1):
        if sign(way * slope, domain, strict=False) == 1:
            return way, False
        found = sign_from_end(way * slope, domain, depth - 1, symbol) if depth else None
        if found is not None:
            return way, found == 1
    return 0, False


def _start(expression: sp.Expr, symbol: sp.Symbol, domain: Domain, way: int) -> sp.Expr | None:
    """The limit at the end from which the symbol's interval is walked."""
    interval = domain.interval(symbol)
    end = interval.lo if way > 0 else interval.hi
    step = sp.Dummy(f"{symbol.name} from its end", positive=True)
    inside = end + way * step if end.is_finite else -way * step
    rest = Domain(tuple(pair for pair in domain.ranges if pair[0] != symbol), domain.relations)
    try:
        moved = expression.xreplace({symbol: inside})
        return limit(moved, step, sp.Integer(0) if end.is_finite else sp.oo, rest)
    except Undecided:
        return None
