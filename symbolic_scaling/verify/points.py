"""Exact rational points of a domain: round ones, corners, random ones and far ones, each checked against every fact.

A claim is judged only at points that satisfy every range and, by ball arithmetic, every relation of its domain.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import sympy as sp
from flint import fmpq

from ..budget import cached
from ..domain import Domain, Interval
from ..errors import DomainError
from .ball import Unclear, Undefined, Value, gap, rational, tape

__all__ = ["Point", "inside", "points", "satisfies", "show_point"]

_ROUND = (sp.Integer(1), sp.Integer(2), sp.Rational(1, 2), sp.Integer(3), sp.Integer(-1), sp.Integer(0))


@dataclass(frozen=True)
class Point:
    """An exact point; ``generic`` points are drawn at random, the others are corners and round values."""

    values: tuple[tuple[sp.Symbol, sp.Rational], ...]
    generic: bool = True

    @property
    def exact(self) -> dict[sp.Symbol, sp.Rational]:
        """Symbol -> rational."""
        return dict(self.values)

    @cached_property
    def balls(self) -> dict[sp.Symbol, Value]:
        """Symbol -> ``fmpq``, as :func:`.ball.evaluate` takes it."""
        return {symbol: rational(value) for symbol, value in self.values}


def inside(domain: Domain, point: Mapping[sp.Symbol, sp.Rational]) -> bool:
    """Whether the point certainly satisfies every range and every relation of the domain.

    Examples
    --------
    >>> a, b = sp.symbols("a b", positive=True)
    >>> inside(Domain((), ((a, b),)), {a: sp.Integer(2), b: sp.Integer(1)})
    True
    """
    return satisfies(domain, {symbol: rational(value) for symbol, value in point.items()})


def satisfies(domain: Domain, balls: Mapping[sp.Symbol, fmpq]) -> bool:
    """As :func:`inside`, for a point in exact numbers of FLINT."""
    if not all(_within(domain.ranges, symbol, value) for symbol, value in balls.items()):
        return False
    for greater, lesser in domain.relations:
        if greater.free_symbols | lesser.free_symbols <= set(balls):
            try:
                if gap(tape(greater), tape(lesser), balls)[0] != 1:
                    return False
            except (Undefined, Unclear):
                return False
    return True


def _within(ranges: tuple[tuple[sp.Symbol, Interval], ...], symbol: sp.Symbol, ball: fmpq) -> bool:
    """Whether a value lies in the symbol's interval, and is whole if it must be."""
    if symbol.is_integer and ball.q != 1:
        return False
    interval, ends = _ends(ranges, symbol)
    if ends is None:
        return interval.contains(sp.Rational(int(ball.p), int(ball.q)))
    lo, hi = ends
    above = lo is None or (ball > lo if interval.lo_open else ball >= lo)
    below = hi is None or (ball < hi if interval.hi_open else ball <= hi)
    return bool(above and below)


@cached
def _ends(
    ranges: tuple[tuple[sp.Symbol, Interval], ...], symbol: sp.Symbol
) -> tuple[Interval, tuple[Value | None, Value | None] | None]:
    """The symbol's interval, and its ends as ``fmpq`` where both are rational or infinite."""
    interval = Domain(ranges).interval(symbol)
    ends = (interval.lo, interval.hi)
    if not all(end.is_Rational or end.is_infinite for end in ends):
        return interval, None
    lo, hi = (rational(end) if end.is_Rational else None for end in ends)
    return interval, (lo, hi)


def points(symbols: Iterable[sp.Symbol], domain: Domain, count: int, seed: int = 0) -> tuple[Point, ...]:
    """About ``count`` points inside the domain, the same for the same seed.

    A third are drawn from the domain, then round values and corners, then the rest, far points among them.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> [p.exact[x] for p in points([x], Domain.make({x: (2, 3)}), 12) if not p.generic][:2]
    [2, 3]
    """
    return _points(frozenset(symbols), domain, count, seed)


@cached
def _points(symbols: frozenset[sp.Symbol], domain: Domain, count: int, seed: int) -> tuple[Point, ...]:
    ordered = _symbols(symbols, domain)
    if not ordered:
        return (Point(()),)
    try:
        domain = domain.tightened()
    except DomainError:
        return ()
    found: dict[tuple[tuple[sp.Symbol, sp.Rational], ...], bool] = {}
    drawn = [(point, True) for point in domain.sample(ordered, count, seed)]
    special = ((point, False) for point in _special(ordered, domain, count, seed))
    far = ((point, True) for point in _far(ordered, domain, count // 4, seed))
    for point, generic in itertools.chain(drawn[: count // 3], special, drawn[count // 3 :], far):
        key = tuple((symbol, point[symbol]) for symbol in ordered)
        if key not in found and inside(domain, point):
            found[key] = generic
    return tuple(Point(key, generic) for key, generic in found.items())


def _symbols(symbols: Iterable[sp.Symbol], domain: Domain) -> list[sp.Symbol]:
    """The symbols, and those of the relations, by name: only together do they show that the domain is not empty."""
    related = {symbol for pair in domain.relations for side in pair for symbol in side.free_symbols}
    return sorted({*symbols, *related}, key=lambda symbol: str(symbol.name))


def _special(ordered: list[sp.Symbol], domain: Domain, count: int, seed: int) -> Iterator[dict[sp.Symbol, sp.Rational]]:
    """Equal round values, then mixtures of round values and closed finite ends."""
    choices = {symbol: _choices(domain.interval(symbol)) for symbol in ordered}
    for value in _ROUND:
        if all(value in choices[symbol] for symbol in ordered):
            yield dict.fromkeys(ordered, value)
    if not all(choices.values()):
        return
    rng = random.Random(seed + 1)
    for _ in range(count // 3):
        yield {symbol: rng.choice(choices[symbol]) for symbol in ordered}


def _choices(interval: Interval) -> list[sp.Rational]:
    """Closed finite ends, then the round values inside, else the middle."""
    ends = [end for end in (interval.lo, interval.hi) if end.is_Rational and interval.contains(end)]
    inner = [value for value in _ROUND if value not in ends and interval.contains(value)]
    if not inner and interval.bounded and not ends:
        return [(sp.Rational(interval.lo) + sp.Rational(interval.hi)) / 2]
    return ends + inner


def _far(ordered: list[sp.Symbol], domain: Domain, count: int, seed: int) -> Iterator[dict[sp.Symbol, sp.Rational]]:
    """Points whose unbounded coordinates are stretched by up to a million either way."""
    rng = random.Random(seed + 2)
    if all(domain.interval(symbol).bounded for symbol in ordered):
        return
    for point in domain.sample(ordered, count, seed + 3):
        yield {
            symbol: value
            if domain.interval(symbol).bounded or symbol.is_integer
            else value * sp.Integer(10) ** rng.randint(-6, 6)
            for symbol, value in point.items()
        }


def show_point(point: Mapping[sp.Symbol, sp.Rational]) -> str:
    """``name = value`` in the order of the names.

    Examples
    --------
    >>> show_point(dict.fromkeys(sp.symbols("b a"), sp.Rational(1, 2)))
    'a = 1/2, b = 1/2'
    """
    pairs = sorted((str(symbol.name), str(value)) for symbol, value in point.items())
    return ", ".join(f"{name} = {value}" for name, value in pairs) or "no symbols"
