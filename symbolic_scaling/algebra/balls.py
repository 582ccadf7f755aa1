"""Ball arithmetic over boxes: the sign of a sum where every symbol is bounded.

Each symbol becomes a ball that covers its interval and the sum is evaluated in Arb; a ball that keeps away from zero
decides. Boxes whose ball touches zero are halved along the widest side, up to a fixed number of boxes.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import sympy as sp

from .. import budget
from .monomial import Exponent, Space, Sum, integer

__all__ = ["box_sign", "enclose"]

Box: TypeAlias = dict[sp.Symbol, tuple[sp.Rational, sp.Rational]]

MOST_BOXES = 256
MOST_SYMBOLS = 6


def box_sign(space: Space, terms: Sum) -> int | None:
    """+1 or -1 where the balls of a subdivision all agree, else None."""
    used = sorted(space.write(terms).free_symbols, key=lambda symbol: symbol.name)
    box: Box = {}
    for symbol in used:
        interval = space.domain.interval(symbol)
        if not interval.bounded:
            return None
        box[symbol] = (sp.Rational(interval.lo), sp.Rational(interval.hi))
    if len(box) > MOST_SYMBOLS:
        return None
    signs: set[int] = set()
    open_boxes, seen = [box], 0
    while open_boxes:
        seen += 1
        if seen > MOST_BOXES or len(signs) > 1:
            return None
        budget.check("enclose a sum over a box")
        part = open_boxes.pop()
        ball = enclose(space, terms, part)
        if ball is None or not (ball > 0 or ball < 0):
            if not part:  # a number, which has no halves
                return None
            open_boxes.extend(_halves(part))
        else:
            signs.add(1 if ball > 0 else -1)
    return signs.pop() if len(signs) == 1 else None


def _halves(box: Box) -> tuple[Box, Box]:
    widest = max(
        box, key=lambda symbol: (box[symbol][1] - box[symbol][0]) / (abs(box[symbol][1]) + abs(box[symbol][0]) or 1)
    )
    lo, hi = box[widest]
    middle = (lo + hi) / 2
    return {**box, widest: (lo, middle)}, {**box, widest: (middle, hi)}


def enclose(space: Space, terms: Sum, box: Box) -> Any:
    """A ball that holds every value of the sum on the box; None where an atom is not defined on all of it."""
    from flint import arb, fmpq

    total = arb(0)
    for monomial, coefficient in terms.items():
        product = arb(fmpq(int(coefficient.numerator), int(coefficient.denominator)))
        for number, power in monomial:
            factor = _power(space, number, power, box)
            if factor is None:
                return None
            product *= factor
        total += product
    return total


def _power(space: Space, number: int, power: Exponent, box: Box) -> Any:
    base = _atom(space, number, box)
    if base is None:
        return None
    whole = integer(power)
    if whole is not None:
        return base**whole if whole > 0 or not base.contains(0) else None
    top, bottom = _polynomial(space, power.numer, box), _polynomial(space, power.denom, box)
    if bottom.contains(0) or not base > 0:
        return None
    return (top / bottom * base.log()).exp()


def _polynomial(space: Space, polynomial: Any, box: Box) -> Any:
    from flint import arb, fmpq

    total = arb(0)
    for powers, coefficient in polynomial.terms():
        product = arb(fmpq(int(coefficient.numerator), int(coefficient.denominator)))
        for symbol, power in zip(space.symbols, powers, strict=False):
            if power:
                product *= ball(*box[symbol]) ** int(power)
        total += product
    return total


def _atom(space: Space, number: int, box: Box) -> Any:
    from flint import arb

    atom = space.atoms[number]
    if atom.kind == "symbol":
        return ball(*box[atom.payload])
    if atom.kind == "prime":
        return arb(int(atom.payload))
    if atom.kind == "constant":
        return {sp.E: arb.const_e, sp.pi: arb.pi}[atom.payload]()
    if atom.kind == "sum":
        return enclose(space, dict(atom.payload), box)
    if atom.kind == "log":
        inner = _atom(space, atom.payload, box)
        return inner.log() if inner is not None and inner > 0 else None
    return None


def ball(lo: sp.Rational, hi: sp.Rational) -> Any:
    """The smallest ball that holds ``[lo, hi]``."""
    from flint import arb, fmpq

    low, high = arb(fmpq(int(lo.p), int(lo.q))), arb(fmpq(int(hi.p), int(hi.q)))
    return low.union(high)
