"""Exact points of a domain where a false statement is likely to show: walls, equal letters, parities, far decades.

A wall is where a part of the expressions vanishes or turns: a sum, the difference of two arguments of a maximum, the
argument of a logarithm at 1, the base of a power at 1 and -1. Points on it, just beside it and several times beyond it
are taken along each letter.
"""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Iterable, Iterator
from fractions import Fraction

import sympy as sp
from flint import fmpq

from .. import budget
from ..budget import cached
from ..domain import Domain
from ..errors import ClaimError
from .ball import Tape, Unclear, Undefined, evaluate, rational, tape
from .points import Point, points, satisfies

__all__ = ["Place", "as_point", "hostile", "places", "wall_solutions", "walls"]

DRAWN, STARTS = 36, 18
LEAST_WALLS, MOST_WALLS = 6, 8
MOST_CORNERS = 32
SECANTS = 4
DENOMINATOR = 10**4
MOST_OPERATIONS = 40
BITS = 64
BESIDE = tuple(fmpq(*pair) for pair in ((1001, 1000), (999, 1000), (2, 1), (1, 2), (10, 1), (1, 10), (100, 1), (-1, 1)))
Place = dict[sp.Symbol, fmpq]


def hostile(expressions: Iterable[sp.Expr], domain: Domain, count: int, seed: int = 0) -> tuple[Point, ...]:
    """At most ``count`` such points, each inside the domain; the same for the same seed.

    Examples
    --------
    >>> x, k = sp.Symbol("x", positive=True), sp.Symbol("k", positive=True)
    >>> sp.Integer(7) in {point.exact[x] for point in hostile((sp.log(x / 7),), Domain(), 20)}
    True
    """
    return tuple(as_point(place) for place in places(tuple(expressions), domain, count, seed))


def as_point(place: Place) -> Point:
    """A place as a point."""
    ordered = sorted(place.items(), key=lambda pair: str(pair[0].name))
    return Point(tuple((symbol, sp.Rational(int(one.p), int(one.q))) for symbol, one in ordered), generic=False)


def places(parts: tuple[sp.Expr, ...], domain: Domain, count: int, seed: int = 0) -> Iterator[Place]:
    """The points of :func:`hostile` in exact numbers of FLINT."""
    symbols = {symbol for part in parts for symbol in part.free_symbols}
    drawn = points(symbols, domain, DRAWN) if symbols else ()
    start: list[Place] = [dict(point.balls) for point in drawn][seed % 2 :: 2][:STARTS]
    if not start:
        return
    ways = (
        _on_walls(parts, start, max(LEAST_WALLS, count // 4)),
        _equal(start),
        _zeros(start, domain),
        _corners(start[0], domain),
        _parities(start),
        _decades(start, seed),
    )
    found: set[tuple[fmpq, ...]] = set()
    for place in (place for row in itertools.zip_longest(*ways) for place in row if place is not None):
        budget.check("look for a counterexample")
        key = tuple(place[symbol] for symbol in start[0])
        if key not in found and satisfies(domain, place):
            found.add(key)
            yield place
        if len(found) == count:
            return


@cached
def walls(expression: sp.Expr) -> tuple[sp.Expr, ...]:
    """The parts of an expression that may vanish, simplest first.

    Examples
    --------
    >>> x, a = sp.symbols("x a", positive=True)
    >>> walls((1 - a * x) ** a)
    (-a*x + 2, -a*x + 1)
    """
    found: list[sp.Expr] = []
    for node in sp.preorder_traversal(expression):
        if isinstance(node, sp.Max | sp.Min):
            found += [one - other for one, other in itertools.combinations(sorted(node.args, key=str), 2)]
        elif isinstance(node, sp.log):
            found += [node.args[0] - 1, *sp.fraction(node.args[0])]
        elif isinstance(node, sp.exp):
            found.append(node.args[0])
        elif isinstance(node, sp.Add):
            found.append(node)
        elif node.is_Pow and node.exp.free_symbols and node.base.free_symbols:
            found += [node.base - 1, node.base + 1]
    kept = [one for one in dict.fromkeys(found) if one.is_Add and one.free_symbols]
    return tuple(sorted(kept, key=lambda one: (len(one.args), len(one.free_symbols)))[:MOST_WALLS])


@cached
def wall_solutions(wall: sp.Expr) -> tuple[tuple[sp.Symbol, sp.Expr], ...]:
    """Each letter that stands in one term of a wall, with what it is there; for quadratics, where they could touch.

    Examples
    --------
    >>> x, a = sp.symbols("x a", positive=True)
    >>> wall_solutions(sp.log(x) - 3 * a)
    ((a, log(x)/3), (x, exp(3*a)))
    """
    found = []
    for symbol in sorted(wall.free_symbols, key=lambda one: str(one.name)):
        rest, own = wall.as_independent(symbol, as_Add=True)
        if own.is_Add:
            found += _vertex(wall, symbol)
            continue
        slope, power = own.as_independent(symbol, as_Add=False)
        value, shell = -rest / slope, power
        if isinstance(shell, sp.log):
            factor, shell = shell.args[0].as_independent(symbol, as_Add=False)
            value = sp.exp(value) / factor
        if shell.is_Pow and not shell.exp.has(symbol):
            value, shell = value ** (1 / shell.exp), shell.base
        if shell == symbol and not value.has(sp.I):
            found.append((symbol, value))
    return tuple(found)


def _vertex(wall: sp.Expr, symbol: sp.Symbol) -> list[tuple[sp.Symbol, sp.Expr]]:
    """Where a quadratic in the letter is stationary: there it touches zero if it touches it at all."""
    if wall.count_ops() > MOST_OPERATIONS:
        return []
    expanded = sp.expand_mul(wall)
    if not expanded.is_polynomial(symbol):
        return []
    parts = sp.Poly(expanded, symbol).all_coeffs()
    return [(symbol, -parts[1] / (2 * parts[0]))] if len(parts) == 3 else []


def _on_walls(parts: tuple[sp.Expr, ...], start: list[Place], most: int) -> Iterator[Place]:
    """A start moved along one letter onto each wall, then beside it and beyond it, integers of both parities."""
    met = []
    for number, (symbol, rows) in enumerate(_tapes(parts)[:most]):
        place = start[number % len(start)]
        there = _on_wall(rows, symbol, place)
        if there is not None:
            met.append((symbol, place, there))
            yield place | {symbol: fmpq(there.floor()) if symbol.is_integer else there}
    for turn, factor in enumerate(BESIDE):
        for symbol, place, there in met:
            moved = there * factor
            beside = {one: value + turn % 2 for one, value in place.items() if one.is_integer}
            yield place | beside | {symbol: fmpq(moved.floor()) if symbol.is_integer else moved}


@cached
def _tapes(parts: tuple[sp.Expr, ...]) -> tuple[tuple[sp.Symbol, Tape], ...]:
    """Every letter of every wall with the wall, ready to be evaluated."""
    found: list[tuple[sp.Symbol, Tape]] = []
    for wall in dict.fromkeys(wall for part in parts for wall in walls(part)):
        with contextlib.suppress(ClaimError):
            rows = tape(wall)
            found += [(symbol, rows) for symbol in sorted(wall.free_symbols, key=lambda one: str(one.name))]
    return tuple(found)


def _on_wall(rows: Tape, symbol: sp.Symbol, place: Place) -> fmpq | None:
    """Where a letter meets a wall, by the secant method: exact where it stands linearly, else close by."""
    first, second = place[symbol], 2 * place[symbol] + 1
    low, high = (_value(rows, place | {symbol: one}) for one in (first, second))
    for _ in range(SECANTS):
        if low is None or high is None or low == high:
            return None
        first, second, low = second, second - high * (second - first) / (high - low), high
        high = _value(rows, place | {symbol: second})
        if high == 0:
            return second
        short = Fraction(int(second.p), int(second.q)).limit_denominator(DENOMINATOR)
        second = fmpq(short.numerator, short.denominator)
        high = _value(rows, place | {symbol: second})
        if high == 0:
            return second
    return second


def _value(rows: Tape, place: Place) -> fmpq | None:
    """The value at a place, or the middle of its ball; None where there is none or it is far too large."""
    try:
        value = evaluate(rows, place, BITS)
    except (Undefined, Unclear):
        return None
    if isinstance(value, fmpq):
        return value
    mantissa, power = value.mid().man_exp()
    return None if abs(int(power)) > 4 * BITS else fmpq(mantissa) * fmpq(2) ** int(power)


def _equal(start: list[Place]) -> Iterator[Place]:
    """Two letters at one value, then all of them."""
    letters = list(start[0])
    for number, (one, other) in enumerate(itertools.permutations(letters, 2)):
        place = start[number % len(start)]
        yield place | {one: place[other]}
    for place in start[:3]:
        for letter in letters:
            yield dict.fromkeys(letters, place[letter])


def _zeros(start: list[Place], domain: Domain) -> Iterator[Place]:
    """Each letter that may be 0 put there."""
    may = [symbol for symbol in start[0] if domain.interval(symbol).contains(0)]
    for place, symbol in itertools.product(start[:6], may):
        yield place | {symbol: fmpq(0)}


def _corners(place: Place, domain: Domain) -> Iterator[Place]:
    """Closed ends together, integers also one step inside."""
    ends: dict[sp.Symbol, list[fmpq]] = {}
    for symbol in place:
        interval = domain.interval(symbol)
        closed = [rational(end) for end in (interval.hi, interval.lo) if end.is_Rational and interval.contains(end)]
        inner = [end + step for end in closed for step in (1, -1)] if symbol.is_integer else []
        ends[symbol] = [*closed, *inner] or [place[symbol]]
    for values in itertools.islice(itertools.product(*ends.values()), MOST_CORNERS):
        yield dict(zip(ends, values, strict=True))


def _parities(start: list[Place]) -> Iterator[Place]:
    """Integers of both parities beside values of the other letters."""
    whole = [symbol for symbol in start[0] if symbol.is_integer]
    for place in start:
        for symbol in whole:
            for value in (1, 2, 3, 0, -1, place[symbol] + 1):
                yield place | {symbol: fmpq(value)}


def _decades(start: list[Place], seed: int) -> Iterator[Place]:
    """Every value at a decade of its own, of twelve."""
    rng = random.Random(seed + 5)
    decades = {symbol: rng.sample(range(-6, 7), 13) for symbol in start[0]}
    for number, place in enumerate(start):
        yield {
            symbol: value if symbol.is_integer else value * fmpq(10) ** decades[symbol][number % 13]
            for symbol, value in place.items()
        }
