"""Where a statement is claimed to hold: one interval per symbol, and relations between symbols.

Signs, sampling, fit boxes, claims and tests all read their "where" from a :class:`Domain`.
A symbol that is not listed has the interval that its own assumptions give.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter

import sympy as sp

from .draws import draw, quick
from .errors import DomainError
from .interval import Interval, exact

__all__ = ["Domain", "Interval"]


@dataclass(frozen=True)
class Domain:
    """Intervals of symbols and strict relations ``greater > lesser`` between expressions.

    Parameters
    ----------
    ranges : tuple of (Symbol, Interval)
        At most one interval a symbol.
    relations : tuple of (Expr, Expr)
        Pairs ``(greater, lesser)``.

    Examples
    --------
    >>> a, b = sp.symbols("a b", positive=True)
    >>> where = Domain.make({a: (0, 1)}, [(a, b)])
    >>> str(where.interval(a)), str(where.interval(b))
    ('(0, 1]', '(0, oo)')
    >>> where.contains({a: sp.Rational(1, 2), b: sp.Rational(1, 4)})
    True
    """

    ranges: tuple[tuple[sp.Symbol, Interval], ...] = ()
    relations: tuple[tuple[sp.Expr, sp.Expr], ...] = ()

    def __post_init__(self) -> None:
        names = [symbol.name for symbol, _ in self.ranges if not symbol.is_Dummy]
        if len(set(names)) < len(names):
            raise DomainError("make a domain", f"a symbol stands twice in {sorted(names)}", "give one range a symbol")
        ordered = sorted(self.ranges, key=lambda pair: pair[0].name)
        object.__setattr__(self, "ranges", tuple((s, i.meet(Interval.of(s))) for s, i in ordered))

    @classmethod
    def make(
        cls,
        ranges: Mapping[sp.Symbol, tuple[object, object] | Interval] | None = None,
        relations: Iterable[tuple[sp.Expr, sp.Expr]] = (),
    ) -> Domain:
        """Build a domain from plain pairs; a pair is closed at its finite ends."""
        made = tuple(
            (symbol, given if isinstance(given, Interval) else _closed(*given))
            for symbol, given in (ranges or {}).items()
        )
        return cls(made, tuple(relations))

    def interval(self, symbol: sp.Symbol) -> Interval:
        """The interval of ``symbol``: the listed one, else that of its assumptions."""
        for known, interval in self.ranges:
            if known == symbol:
                return interval
        return Interval.of(symbol)

    def meet(self, other: Domain) -> Domain:
        """Both domains at once."""
        merged = dict(self.ranges)
        for symbol, interval in other.ranges:
            merged[symbol] = merged[symbol].meet(interval) if symbol in merged else interval
        extra = tuple(relation for relation in other.relations if relation not in self.relations)
        return Domain(tuple(merged.items()), self.relations + extra)

    def tightened(self) -> Domain:
        """The same domain, each relation that is linear in its one symbol taken into the symbol's interval.

        Examples
        --------
        >>> c = sp.Symbol("c", real=True)
        >>> str(Domain((), ((c, sp.Integer(0)),)).tightened().interval(c))
        '(0, oo)'
        """
        found, kept = Domain(self.ranges), []
        for more, less in self.relations:
            half = _half(more - less)
            if half is None:
                kept.append((more, less))
            else:
                symbol, interval = half
                said = f"{symbol} < {interval.hi}" if interval.hi.is_finite else f"{symbol} > {interval.lo}"
                found = found._narrowed(symbol, interval, said)
        return Domain(found.ranges, tuple(kept))

    def _narrowed(self, symbol: sp.Symbol, interval: Interval, said: str) -> Domain:
        """The domain with ``symbol`` in ``interval`` too; the error says what it was declared to be."""
        try:
            return self.meet(Domain(((symbol, interval),)))
        except DomainError:
            known = self.interval(symbol)
            signs = [sign for sign in ("positive", "negative") if getattr(symbol, f"is_{sign}")]
            plain = signs and known == Interval.of(symbol)
            found = f"{symbol} is {signs[0]} by declaration" if plain else f"{symbol} lies in {known} already"
            remedy = f"assume what can hold for {symbol} in {known}, or nothing"
            raise DomainError(f"assume {said}", found, remedy) from None

    def assume(self, relations: Iterable[tuple[sp.Expr, sp.Expr]]) -> Domain:
        """The domain with further relations ``greater > lesser``.

        Raises
        ------
        DomainError
            If one of them never holds, or contradicts the sign or the range of its symbol.

        Examples
        --------
        >>> c = sp.Symbol("c", negative=True)
        >>> Domain().assume([(c, sp.Integer(0))])
        Traceback (most recent call last):
        ...
        symbolic_scaling.errors.DomainError: assume c > 0: c is negative by declaration; assume ...
        """
        given = tuple(relations)
        for more, less in given:
            gap = sp.expand(more - less)
            if gap.is_number and not gap.is_positive:
                raise DomainError(f"assume {more} > {less}", "it never holds", "assume what can hold, or nothing")
        found = self.meet(Domain((), given))
        found.tightened()
        return found

    def contains(self, point: Mapping[sp.Symbol, object]) -> bool:
        """Whether a point (symbol -> number) satisfies every range and every decidable relation."""
        values = {symbol: exact(value) for symbol, value in point.items()}
        if not all(self.interval(symbol).contains(value) for symbol, value in values.items()):
            return False
        return all(_positive(gap, values) for gap in self._gaps(set(values)))

    def _gaps(self, symbols: set[sp.Symbol]) -> list[sp.Expr]:
        """``greater - lesser`` of every relation between these symbols."""
        gaps = (greater - lesser for greater, lesser in self.relations)
        return [gap for gap in gaps if gap.free_symbols <= symbols]

    def sample(self, symbols: Iterable[sp.Symbol], count: int, seed: int = 0) -> list[dict[sp.Symbol, sp.Rational]]:
        """Exact rational points inside, at most ``count``; the same for the same seed.

        Examples
        --------
        >>> x = sp.Symbol("x", positive=True)
        >>> all(Domain.make({x: (2, 3)}).contains(p) for p in Domain.make({x: (2, 3)}).sample([x], 5))
        True
        """
        rng = random.Random(seed)
        ordered = sorted(set(symbols), key=lambda symbol: str(symbol.name))
        intervals = {symbol: self.interval(symbol) for symbol in ordered}
        gaps = [(gap, quick(gap)) for gap in self._gaps(set(ordered))]
        found: list[dict[sp.Symbol, sp.Rational]] = []
        for tries in range(100 * count):
            drawn = {s: draw(ends.lo, ends.hi, rng, bool(s.is_integer)) for s, ends in intervals.items()}
            if tries >= 50 * count:  # a long chain of relations is hardly met by chance
                drawn = self._in_order(drawn)
            floats = {symbol: _float(value) for symbol, value in drawn.items()} if gaps else {}
            if not all(may(floats) for _, may in gaps):
                continue
            point = {symbol: sp.Rational(value.numerator, value.denominator) for symbol, value in drawn.items()}
            whole = all(intervals[symbol].contains(point[symbol]) for symbol in ordered if symbol.is_integer)
            if whole and all(_positive(gap, point) for gap, _ in gaps):
                found.append(point)
            if len(found) == count:
                break
        return found

    def _in_order(self, drawn: dict[sp.Symbol, Fraction]) -> dict[sp.Symbol, Fraction]:
        """The values given out anew, so that the letters that relations compare stand in an order that keeps them."""
        below: dict[sp.Symbol, list[sp.Symbol]] = {}
        for greater, lesser in self.relations:
            for more in sorted((greater.free_symbols - lesser.free_symbols) & set(drawn), key=str):
                below.setdefault(more, []).extend((lesser.free_symbols - greater.free_symbols) & set(drawn))
        try:
            order = list(
                TopologicalSorter({more: sorted(less, key=str) for more, less in below.items()}).static_order()
            )
        except CycleError:
            return drawn
        return drawn | dict(zip(order, sorted(drawn[symbol] for symbol in order), strict=True))

    def facts(self) -> tuple[str, ...]:
        """The domain in words, one fact a line, sorted."""
        listed = [f"{symbol.name} in {interval}" for symbol, interval in self.ranges]
        return tuple(listed) + tuple(sorted(f"{greater} > {lesser}" for greater, lesser in self.relations))


def _half(gap: sp.Expr) -> tuple[sp.Symbol, Interval] | None:
    """The half line on which a gap that is linear in its one symbol, with rational coefficients, is positive."""
    if len(gap.free_symbols) != 1:
        return None
    (symbol,) = gap.free_symbols
    slope, rest = gap.coeff(symbol, 1), gap.coeff(symbol, 0)
    if not (slope.is_Rational and slope and rest.is_extended_real and rest.is_number) or gap != slope * symbol + rest:
        return None
    end = -rest / slope
    return symbol, Interval(end, sp.oo) if slope > 0 else Interval(-sp.oo, end)


def _closed(lo: object, hi: object) -> Interval:
    low, high = exact(lo), exact(hi)
    return Interval(low, high, lo_open=not low.is_finite, hi_open=not high.is_finite)


def _positive(gap: sp.Expr, point: Mapping[sp.Symbol, sp.Expr]) -> bool:
    """Whether ``gap > 0`` at a point: exactly for rational expressions, to 30 digits beside powers and functions."""
    if all(power.exp.is_Integer for power in gap.atoms(sp.Pow)) and not gap.atoms(sp.Function):
        return bool(gap.xreplace(point).is_positive)
    value = gap.evalf(30, subs=dict(point))
    return bool(value.is_real and value > sp.Float(10) ** -25)


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.nan
