"""Limits followed numerically, the small monomial at 1e-10, 1e-20 ... 1e-800: that supports a statement, no more."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq, fmpz

from .. import budget
from ..algebra.limits import ways
from ..domain import Domain, Interval
from ..records import Status
from .arithmetic import as_ball
from .ball import Unclear, Undefined, Value, evaluate, tape
from .finding import Finding
from .points import Point, points, show_point
from .support import digits

__all__ = ["approached", "followed", "plausible", "plausible_from"]

SIZES = (5, 7, 12, 20, 30, 45, 60)
EXPONENTS = (10, 20, 40, 80, 160, 320, 640, 800)
BITS = 6000
POINTS = 3
LEAST_DIGITS = 6
LEAST_SHRINKING = arb(0.999)


def plausible(node: sp.Limit, value: sp.Expr, domain: Domain) -> bool:
    """False if at a point the distance from the expansion's value certainly hardly shrinks on the way.

    What converges slowly, ``log(x)**5/x**(1/13)``, may still grow at 10**40: the last two sizes that balls tell decide.
    """
    where = approached(domain, node.args[1])
    return all(plausible_from(node, value, domain, way) for way in ways(node.args[1], node.args[2], where))


def plausible_from(node: sp.Limit, value: sp.Expr, domain: Domain, way: int) -> bool:
    """As :func:`plausible`, from above (1) or below (-1)."""
    if value.has(sp.oo, -sp.oo, sp.zoo, sp.nan) or node.args[0].has(sp.Limit):
        return True
    where = approached(domain, node.args[1])
    for point in itertools.islice(points(node.free_symbols | value.free_symbols, where, 6), 2):
        course = [gap for size in SIZES if (gap := _distance(node, value, size, point, way)) is not None]
        told = [gap for gap in course if gap.abs_lower() > 0]
        if len(told) == len(course) > 1 and told[-1].abs_lower() >= told[-2].abs_upper() * LEAST_SHRINKING:
            return False
    return True


def _distance(node: sp.Limit, value: sp.Expr, size: int, point: Point, way: int) -> Any:
    """How far the expression is from its limit, the moving letter at 2**(+-2**size); None where balls do not tell."""
    try:
        with ctx.workprec(BITS):
            there = arb((1, fmpz(2) ** size if node.args[2] == sp.oo else -(fmpz(2) ** size)))
            return as_ball(_at(node, there, point.balls, way)) - as_ball(evaluate(tape(value), point.balls, BITS))
    except (Undefined, Unclear):
        return None


def approached(domain: Domain, symbol: sp.Symbol) -> Domain:
    """The domain with no more than the sign of the symbol that goes to its limit."""
    interval = domain.interval(symbol)
    kept = [pair for pair in domain.ranges if pair[0] != symbol]
    if interval != Interval.of(symbol) and (interval.lo >= 0 or interval.hi <= 0):
        kept.append((symbol, Interval(0, sp.oo) if interval.lo >= 0 else Interval(-sp.oo, 0)))
    return Domain(tuple(kept), domain.relations)


def followed(left: sp.Expr, right: sp.Expr, domain: Domain, why: str) -> Finding:
    """SUPPORTED if both sides approach each other on the way to every limit, at several points."""
    tried = ("not decided", why)
    symbols = sorted({node.args[1] for node in sp.Tuple(left, right).atoms(sp.Limit)}, key=lambda s: str(s.name))
    if len(symbols) != 1 or any(node.args[0].has(sp.Limit) for node in sp.Tuple(left, right).atoms(sp.Limit)):
        return Finding(Status.UNDECIDED, "the expansion is not decided", (tried,))
    free = left.free_symbols | right.free_symbols  # a limit's own symbol is not free in it, but may be beside it
    where = domain if symbols[0] in free else approached(domain, symbols[0])
    directions = sorted(
        {
            way
            for node in sp.Tuple(left, right).atoms(sp.Limit)
            for way in ways(node.args[1], node.args[2], approached(domain, symbols[0]))
        }
    )
    kept: list[int] = []
    trail = ""
    chosen = _of_all_signs([p for p in points(free, where, 12 * POINTS) if p.generic or not free])
    for point, way in itertools.product(chosen, directions):
        course = [_agreement(left, right, size, point.balls, way) for size in EXPONENTS]
        reached = [one for one in course if one is not None]
        trail = trail or f"digits of agreement {reached} at {show_point(point.exact)}"
        if len(reached) < 3 or reached[-1] < LEAST_DIGITS or reached != sorted(reached):
            return Finding(Status.UNDECIDED, "the expansion is not decided", (tried, ("numerically", trail)))
        kept.append(reached[-1])
    if not kept:
        return Finding(Status.UNDECIDED, "the expansion is not decided", (tried,))
    evidence = (
        ("digits", str(min(kept))),
        ("points", str(len(kept) // len(directions))),
        ("numerically", trail),
        tried,
    )
    return Finding(Status.SUPPORTED, "both sides approach each other numerically", evidence)


def _of_all_signs(found: Sequence[Point]) -> list[Point]:
    """The first points, and one more of each pattern of signs that they lack."""
    patterns: dict[tuple[bool, ...], Point] = {}
    for point in found:
        patterns.setdefault(tuple(value > 0 for _, value in point.values), point)
    first = list(found[:POINTS])
    return first + [point for point in patterns.values() if point not in first]


def _agreement(left: sp.Expr, right: sp.Expr, size: int, point: Mapping[sp.Symbol, Value], way: int) -> int | None:
    """Digits to which both sides agree at this size."""
    try:
        first, second = (_at(side, size, point, way) for side in (left, right))
    except (Undefined, Unclear):
        return None
    with ctx.workprec(BITS):
        zero = any(isinstance(value, fmpq) and value == 0 for value in (first, second))
        return digits(first + 1, second + 1) if zero else digits(first, second)


def _at(side: sp.Expr, size: int | arb, point: Mapping[sp.Symbol, Value], way: int) -> Value:
    """The side with every limit's symbol at a ball, or at 10**size, 10**-size towards zero; negative from below."""
    budget.check("follow a limit numerically")
    bodies: dict[sp.Basic, sp.Basic] = {}
    values = dict(point)
    for node in side.atoms(sp.Limit):
        body, symbol, goal = node.args[:3]
        moving = sp.Dummy(symbol.name, positive=True)
        bodies[node] = body.xreplace({symbol: way * moving})
        values[moving] = size if isinstance(size, arb) else fmpq(10) ** (-size if goal == 0 else size)
    return evaluate(tape(side.xreplace(bodies)), values, BITS)
