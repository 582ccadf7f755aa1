"""What an expression does on a whole box, by balls: enclosures, and proofs by subdivision.

One ball over a box forgets that the same symbol stands in several places. Where the ball of a partial derivative keeps
away from zero the expression is monotone in that symbol, which is then put at its two ends; what is left is halved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import sympy as sp
from flint import arb, ctx, fmpq

from .. import budget
from ..algebra.differentiate import differentiate
from ..domain import Domain
from ..errors import ClaimError
from .ball import Tape, Unclear, Undefined, Value, elementary, evaluate, rational, tape

__all__ = ["Box", "Field", "Range", "bounded_box", "cover", "enclose", "hull", "span"]

Range: TypeAlias = "tuple[fmpq, fmpq]"
Box: TypeAlias = "dict[sp.Symbol, Range]"

BITS = 96


@dataclass(frozen=True)
class Field:
    """An expression with its partial derivatives, ready to be enclosed."""

    value: Tape
    partial: tuple[tuple[sp.Symbol, Tape | None], ...]

    @classmethod
    def of(cls, expression: sp.Expr) -> Field:
        """The field of an expression in all of its symbols."""
        plain = elementary(expression)
        ordered = sorted(plain.free_symbols, key=lambda symbol: str(symbol.name))
        return cls(tape(plain), tuple((symbol, _partial(plain, symbol)) for symbol in ordered))


def _partial(expression: sp.Expr, symbol: sp.Symbol) -> Tape | None:
    """The derivative's tape; None where it leaves the grammar."""
    try:
        return tape(differentiate(expression, symbol))
    except ClaimError:
        return None


def bounded_box(domain: Domain, symbols: set[sp.Symbol]) -> Box | None:
    """The closed box of the domain in these symbols; None if one is unbounded or an integer."""
    box: Box = {}
    for symbol in sorted(symbols, key=lambda one: str(one.name)):
        interval = domain.interval(symbol)
        if not (interval.lo.is_Rational and interval.hi.is_Rational) or symbol.is_integer:
            return None
        box[symbol] = rational(interval.lo), rational(interval.hi)
    return box


def hull(lo: Value, hi: Value) -> arb:
    """The smallest ball that holds both."""
    return arb(lo).union(arb(hi))


def enclose(field: Field, box: Box) -> tuple[Value, Value, Box]:
    """Values below and above everything on the box, and the part of the box in which it is not yet monotone.

    Where nothing is loose the two are the values at corners: they are attained, and exact if the corners' values are.

    Raises
    ------
    Undefined, Unclear
        If the expression certainly has no value on the box, or may have none on a part.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> low, high, loose = enclose(Field.of(x - x**2/4), {x: (fmpq(0), fmpq(1))})
    >>> print(low, high, loose)
    0 3/4 {}
    """
    with ctx.workprec(BITS):
        balls: dict[sp.Symbol, Value] = {s: lo if lo == hi else hull(lo, hi) for s, (lo, hi) in box.items()}
        low = high = evaluate(field.value, balls, BITS)
        rising: dict[sp.Symbol, int] = {}
        for symbol, partial in field.partial:
            if partial is not None and box[symbol][0] != box[symbol][1]:
                rising[symbol] = _slope(partial, balls)
        least = {s: box[s][0] if up > 0 else box[s][1] if up < 0 else balls[s] for s, up in rising.items()}
        most = {s: box[s][1] if up > 0 else box[s][0] if up < 0 else balls[s] for s, up in rising.items()}
        if any(rising.values()):
            low = evaluate(field.value, {**balls, **least}, BITS)
            high = evaluate(field.value, {**balls, **most}, BITS)
    loose = {s: box[s] for s, _ in field.partial if box[s][0] != box[s][1] and not rising.get(s)}
    return low, high, loose


def _slope(partial: Tape, balls: dict[sp.Symbol, Value]) -> int:
    """The certain sign of a derivative on the box, 0 if it is not certain."""
    try:
        slope = evaluate(partial, balls, BITS)
    except (Undefined, Unclear):
        return 0
    return 1 if slope >= 0 else -1 if slope <= 0 else 0


def cover(
    field: Field, box: Box, settled: Callable[[Value, Value], bool], most: int, *, everywhere: bool = False
) -> int | None:
    """The number of boxes on which ``settled(low, high)`` holds everywhere; None if ``most`` boxes do not do.

    Parts on which the expression certainly has no value settle themselves, unless it must have one ``everywhere``.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> cover(Field.of(x**2 - x + sp.Rational(3, 10)), {x: (fmpq(0), fmpq(2))}, lambda low, _: bool(low > 0), 100) > 1
    True
    """
    open_boxes, count = [box], 0
    while open_boxes:
        budget.check("cover a box with balls")
        count += 1
        if count > most:
            return None
        part = open_boxes.pop()
        loose = {symbol: ends for symbol, ends in part.items() if ends[0] != ends[1]}
        try:
            low, high, loose_parts = enclose(field, part)
            if settled(low, high):
                continue
            loose = loose_parts
        except Undefined:
            if everywhere:
                return None
            continue
        except Unclear:
            pass
        if not loose:
            return None
        open_boxes.extend(_halves(part, loose))
    return count


def span(field: Field, box: Box, most: int) -> Value | None:
    """A ball that holds every value on the box, sharpened by up to ``most`` halvings; None if it is unbounded.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> print(span(Field.of(x - x**2), {x: (fmpq(0), fmpq(1))}, 64).upper().str(3, radius=False))
    0.250
    """
    total: Value | None = None
    open_boxes, halvings = [box], 0
    while open_boxes:
        part = open_boxes.pop(0)
        loose = {symbol: ends for symbol, ends in part.items() if ends[0] != ends[1]}
        value: Value | None = None
        try:
            low, high, loose = enclose(field, part)
            value = hull(low, high)
        except Undefined:
            continue
        except Unclear:
            if not loose or halvings >= most:
                return None
        if value is not None and (not loose or halvings >= most):
            total = value if total is None else hull(total, value)
            continue
        halvings += 1
        open_boxes.extend(_halves(part, loose))
    return total


def _halves(box: Box, loose: Box) -> tuple[Box, Box]:
    """The box cut across its relatively widest loose side, at the geometric mean where the ends differ in size."""
    widest = max(loose, key=lambda symbol: (_width(*loose[symbol]), str(symbol.name)))
    lo, hi = box[widest]
    middle = (lo + hi) / 2
    if lo > 0 and hi > 4 * lo:
        root = (arb(lo) * arb(hi)).sqrt().mid()
        mantissa, power = root.man_exp()
        middle = fmpq(mantissa) * fmpq(2) ** int(power)
    return {**box, widest: (lo, middle)}, {**box, widest: (middle, hi)}


def _width(lo: fmpq, hi: fmpq) -> float:
    share = (hi - lo) / (abs(lo) + abs(hi))
    return int(share.p) / int(share.q)
