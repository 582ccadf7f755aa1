"""Exact points of a domain where a false statement is likely to show: walls, equal letters, parities, far decades.

A wall is where a part of the expressions vanishes or turns: a sum, the difference of two arguments of a maximum, the
argument of a logarithm at 1, the base of a power at 1 and -1. It is solved for each letter that stands in it once;
points on it, just beside it and several times beyond it are taken.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator

import sympy as sp
from flint import arb, fmpq

from .. import budget
from ..budget import cached
from ..domain import Domain
from ..errors import ClaimError
from .ball import Tape, Unclear, Undefined, evaluate, tape
from .points import Point, inside, points

__all__ = ["hostile", "wall_solutions", "walls"]

STARTS = 18
MOST_WALLS = 12
MOST_CORNERS = 32
BITS = 64
BESIDE = tuple(sp.Rational(text) for text in ("1", "1001/1000", "999/1000", "2", "1/2", "10", "1/10", "100", "-1"))
_Values = dict[sp.Symbol, sp.Rational]


def hostile(expressions: Iterable[sp.Expr], domain: Domain, count: int, seed: int = 0) -> tuple[Point, ...]:
    """At most ``count`` such points, each inside the domain; the same for the same seed.

    Examples
    --------
    >>> x, k = sp.Symbol("x", positive=True), sp.Symbol("k", positive=True)
    >>> sp.Integer(7) in {point.exact[x] for point in hostile((sp.log(x / 7),), Domain(), 20)}
    True
    """
    parts = tuple(expressions)
    symbols = {symbol for part in parts for symbol in part.free_symbols}
    start = [point.exact for point in points(symbols, domain, STARTS, seed)]
    if not symbols or not start:
        return ()
    ways = (
        _on_walls(parts, start),
        _equal(start),
        _zeros(start, domain),
        _corners(start[0], domain),
        _parities(start),
        _decades(start, seed),
    )
    found: dict[tuple[tuple[sp.Symbol, sp.Rational], ...], None] = {}
    for place in (place for places in itertools.zip_longest(*ways) for place in places if place is not None):
        budget.check("look for a counterexample")
        key = tuple(sorted(place.items(), key=lambda pair: str(pair[0].name)))
        if key not in found and inside(domain, place):
            found[key] = None
        if len(found) == count:
            break
    return tuple(Point(key, generic=False) for key in found)


@cached
def walls(expression: sp.Expr) -> tuple[sp.Expr, ...]:
    """The parts of an expression that may vanish, simplest first.

    Examples
    --------
    >>> x, a = sp.symbols("x a", positive=True)
    >>> walls((1 - a * x) ** a)
    (-a*x + 1,)
    """
    found: set[sp.Expr] = set()
    for node in sp.preorder_traversal(expression):
        if isinstance(node, sp.Max | sp.Min):
            found |= {one - other for one, other in itertools.combinations(node.args, 2)}
        elif isinstance(node, sp.log):
            found |= {node.args[0] - 1, *sp.fraction(node.args[0])}
        elif isinstance(node, sp.Add):
            found.add(node)
        elif node.is_Pow and node.exp.free_symbols and node.base.is_Add:
            found |= {node.base - 1, node.base + 1}
    kept = [one for one in found if one.is_Add and one.free_symbols]
    return tuple(sorted(kept, key=lambda one: (one.count_ops(), sp.default_sort_key(one)))[:MOST_WALLS])


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
    expanded = sp.expand_mul(wall)
    if not expanded.is_polynomial(symbol):
        return []
    parts = sp.Poly(expanded, symbol).all_coeffs()
    return [(symbol, -parts[1] / (2 * parts[0]))] if len(parts) == 3 else []


def _on_walls(parts: tuple[sp.Expr, ...], start: list[_Values]) -> Iterator[_Values]:
    """Each start moved along one letter onto a wall, then beside it and beyond it."""
    solved = [pair for wall in dict.fromkeys(w for part in parts for w in walls(part)) for pair in wall_solutions(wall)]
    tapes: list[tuple[sp.Symbol, Tape]] = []
    for symbol, value in solved:
        try:
            tapes.append((symbol, tape(value)))
        except ClaimError:
            continue
    for turn, factor in enumerate(BESIDE):
        for number, (symbol, rows) in enumerate(tapes):
            for place in (start[(turn + number) % len(start)], start[-1 - (turn + number) % len(start)]):
                there = _value(rows, place)
                if there is not None:
                    moved = there * factor
                    beside = {one: value + turn % 2 for one, value in place.items() if one.is_integer}
                    yield place | beside | {symbol: sp.floor(moved) if symbol.is_integer else moved}


def _value(rows: Tape, place: _Values) -> sp.Rational | None:
    """What a letter is on a wall: exact where it is a small rational, else next to it; None where it has no value."""
    try:
        value = evaluate(rows, {symbol: fmpq(int(one.p), int(one.q)) for symbol, one in place.items()}, BITS)
    except (Undefined, Unclear):
        return None
    if isinstance(value, arb):
        mantissa, power = value.mid().man_exp()
        if abs(int(power)) > 40 * BITS:
            return None
        value = fmpq(mantissa) * fmpq(2) ** int(power)
    return sp.Rational(int(value.p), int(value.q))


def _equal(start: list[_Values]) -> Iterator[_Values]:
    """Two letters at one value, then all of them."""
    letters = list(start[0])
    for number, (one, other) in enumerate(itertools.permutations(letters, 2)):
        place = start[number % len(start)]
        yield place | {one: place[other]}
    for place in start[:3]:
        for letter in letters:
            yield dict.fromkeys(letters, place[letter])


def _zeros(start: list[_Values], domain: Domain) -> Iterator[_Values]:
    """Each letter that may be 0 put there."""
    for place, symbol in itertools.product(start[:6], start[0]):
        if domain.interval(symbol).contains(0):
            yield place | {symbol: sp.Integer(0)}


def _corners(place: _Values, domain: Domain) -> Iterator[_Values]:
    """Closed ends together, integers also one step inside."""
    ends: dict[sp.Symbol, list[sp.Rational]] = {}
    for symbol in place:
        interval = domain.interval(symbol)
        closed = [end for end in (interval.hi, interval.lo) if end.is_Rational and interval.contains(end)]
        inner = [end + step for end in closed for step in (1, -1)] if symbol.is_integer else []
        ends[symbol] = [*closed, *(one for one in inner if interval.contains(one))] or [place[symbol]]
    for values in itertools.islice(itertools.product(*ends.values()), MOST_CORNERS):
        yield dict(zip(ends, values, strict=True))


def _parities(start: list[_Values]) -> Iterator[_Values]:
    """Integers of both parities beside values of the other letters."""
    whole = [symbol for symbol in start[0] if symbol.is_integer]
    for place in start:
        for symbol in whole:
            for value in (1, 2, 3, 0, -1, place[symbol] + 1):
                yield place | {symbol: sp.Integer(value)}


def _decades(start: list[_Values], seed: int) -> Iterator[_Values]:
    """Every value at a decade of its own, of twelve."""
    rng = random.Random(seed + 5)
    for place in start:
        yield {
            symbol: value if symbol.is_integer else value * sp.Integer(10) ** rng.randint(-6, 6)
            for symbol, value in place.items()
        }
