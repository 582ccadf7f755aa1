"""There are values such that a statement holds: a witness certifies it, a sign that never changes excludes it.

A witness is an expression in the other symbols. It is the one that is given, the solution where the symbol stands in
one place, where a part of the statement vanishes, or a small number or another symbol that happens to do. It must lie
in the symbol's domain; it and the statement with it must have a value on all of the domain, before anything cancels.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from typing import Any

import sympy as sp

from .. import budget
from ..algebra.isolate import isolate
from ..domain import Domain
from ..errors import Undecided
from ..notation import noted, text
from ..records import Claim, Equal, Exists, Less, Status
from . import inequality
from .cases import signs
from .equal import Need, holds, needs_of, open_needs
from .finding import Finding
from .hostile import hostile, wall_solutions, walls
from .points import points, show_point
from .support import attempt, placed

__all__ = ["verify"]

Judge = Callable[[Claim], Finding]
Witness = dict[sp.Symbol, sp.Expr]

NUMBERS = tuple(sp.Rational(n) for n in ("1", "2", "1/2", "3", "0", "-1", "-1/2", "-2", "10", "1/10", "-3"))
SIMPLE: tuple[Callable[[sp.Expr], sp.Expr], ...] = (
    lambda one: one,
    lambda one: -one,
    lambda one: 2 * one,
    lambda one: one / 2,
    lambda one: one + 1,
    lambda one: 1 / one,
)
MOST_WITNESSES = 80
POINTS = 4


def verify(claimed: Exists, domain: Domain, judge: Judge, needs: Iterable[Need] = ()) -> Finding:
    """The finding on an existence; ``judge`` judges the statement with a witness in it, ``needs`` are its text's.

    Examples
    --------
    >>> from .judge import judge
    >>> x, y = sp.symbols("x y", positive=True)
    >>> verify(Exists((x,), Equal(x**2, y)), Domain(), judge).evidence[0]
    ('witness', 'x = sqrt(y)')
    >>> verify(Exists((x,), Equal(x + y, y)), Domain(), judge).status.name
    'REFUTED'
    """
    best, rest = None, _without(domain, claimed.symbols)
    for witness in itertools.islice(_witnesses(claimed, domain), MOST_WITNESSES):
        budget.check("look for a witness")
        if not _admissible(witness, domain):
            continue
        with noted() as met:
            there = _placed(claimed.statement, witness)
        if there is None or not _defined(claimed, witness, [*met, *needs], rest):
            continue
        found = judge(Claim("with a witness", there, rest))
        if found.status not in (Status.PROVED, Status.SUPPORTED):
            continue
        said = ("witness", ", ".join(f"{symbol} = {text(value)}" for symbol, value in witness.items()))
        answer = Finding(found.status, "a witness", (said, *found.evidence))
        if found.status is Status.PROVED:
            return answer
        best = best or answer
    return best or _nowhere(claimed, domain, [u for u, _ in needs])


def _defined(claimed: Exists, witness: Witness, needs: list[Need], rest: Domain) -> bool:
    """Whether the witness, and the statement with it, has a value on all of the domain."""
    wanted = [*needs, *needs_of(sp.Tuple(*witness.values())), *needs_of(sp.Tuple(*_expressions(claimed.statement)))]
    there = {(u.xreplace(witness), op) for u, op in wanted if op != "kink" and not u.free_symbols & claimed.bound}
    fixed = [holds(u, op) for u, op in there if not u.free_symbols]
    return all(fixed) and not open_needs(there, rest)


def _witnesses(claimed: Exists, domain: Domain) -> Iterator[Witness]:
    """Candidates: what is given, what solves an equation (other symbols at 1), then small numbers and other symbols."""
    given = dict(claimed.witness)
    open_ = tuple(symbol for symbol in claimed.symbols if symbol not in given)
    if not open_:
        yield given
        return
    for last in open_ if isinstance(claimed.statement, Equal | Less) else ():
        rest = {**given, **{symbol: sp.Integer(1) for symbol in open_ if symbol != last}}
        there = _placed(claimed.statement, rest)
        solved = _solved(Equal(*_sides(there)), last, domain) if there is not None else iter(())
        for value in solved:
            beside = (value,) if isinstance(claimed.statement, Equal) else (value + 1, value - 1, 2 * value, value / 2)
            yield from ({**rest, last: one} for one in beside)
    if len(open_) == 1:
        solved = (
            pair for part in _expressions(claimed.statement) for wall in walls(part) for pair in wall_solutions(wall)
        )
        for symbol, value in solved:
            if symbol == open_[0] and not value.free_symbols & (set(claimed.symbols) | claimed.bound):
                yield {**given, symbol: value}
    others = sorted(_free(claimed.statement) - set(claimed.symbols) - claimed.bound, key=lambda one: str(one.name))
    near = (make(one) for make in SIMPLE for one in others)
    said = {number for part in _expressions(claimed.statement) for number in part.atoms(sp.Rational)} - set(NUMBERS)
    for values in itertools.product((*near, *NUMBERS, *sorted(said), *sorted(n + 1 for n in said)), repeat=len(open_)):
        yield {**given, **dict(zip(open_, values, strict=True))}


def _solved(statement: Equal, symbol: sp.Symbol, domain: Domain) -> Iterator[sp.Expr]:
    """The solution for the symbol, where it can be laid bare; for the positive and for the negative part of its range.

    What it needs to be real is left to whoever judges the statement with it.
    """
    for sign in (1, -1):
        if (sign > 0 and symbol.is_nonpositive) or (sign < 0 and symbol.is_nonnegative):
            continue
        free = sp.Dummy(symbol.name, positive=True)
        left, right = (side.xreplace({symbol: sign * free}) for side in (statement.left, statement.right))
        if left.has(sp.Limit) or right.has(sp.Limit):
            return
        try:
            found = isolate(sp.Eq(left, right, evaluate=False), free, domain)
        except Undecided:
            continue
        if found is not None and not found.value.has(sp.I):
            yield sign * found.value


def _admissible(witness: Witness, domain: Domain) -> bool:
    """Whether every value is proved to lie in its symbol's range and to keep every relation."""
    rest = _without(domain, tuple(witness))
    for symbol, value in witness.items():
        interval = domain.interval(symbol)
        if symbol.is_integer and not value.is_integer:
            return False
        if interval.lo.is_finite and not _holds(interval.lo, value, interval.lo_open, rest):
            return False
        if interval.hi.is_finite and not _holds(value, interval.hi, interval.hi_open, rest):
            return False
    touched = [pair for pair in domain.relations if (pair[0] - pair[1]).free_symbols & set(witness)]
    return all(_holds(less.xreplace(witness), more.xreplace(witness), True, rest) for more, less in touched)


def _holds(lesser: sp.Expr, greater: sp.Expr, strict: bool, domain: Domain) -> bool:
    return inequality.verify(lesser, greater, domain, strict=strict).status is Status.PROVED


def _nowhere(claimed: Exists, domain: Domain, needs: Iterable[sp.Expr]) -> Finding:
    """REFUTED if a proved inequality excludes the statement for every value of the symbols, at a point of the rest."""
    statement = claimed.statement
    tried = Finding(Status.UNDECIDED, "no witness found", (("tried", _tried(claimed)),))
    if not isinstance(statement, Equal | Less) or any(side.has(sp.Limit) for side in _sides(statement)):
        return tried.on(domain)
    others = _free(statement) - set(claimed.symbols)
    places: list[dict[sp.Symbol, sp.Rational]] = []
    if others:
        drawn = points(others, domain, 6 * POINTS)
        round_ = [point for point in drawn if not point.generic]
        parts = [u for u in (*_expressions(statement), *needs) if isinstance(u, sp.Expr)]
        steep = [one.xreplace(dict.fromkeys(claimed.symbols, sp.Integer(1))) for one in parts]
        told = {s for one in (*steep, *_coefficients(parts, claimed.symbols)) for s in one.free_symbols} <= others
        near = hostile((*steep, *_coefficients(parts, claimed.symbols)), domain, 2 * POINTS) if told else ()
        places = [point.exact for point in (*drawn[:POINTS], *round_[:POINTS], *near) if others <= set(point.exact)]
    for exact in ({}, *places):
        rest = _without(domain, tuple(exact)) if exact else domain
        there = _placed(statement, exact)
        if there is not None and (found := attempt(_excluded, there, rest)):
            at = (("point", show_point(exact)),) if exact else ()
            return Finding(Status.REFUTED, "excluded for every value", (*at, ("instead", found))).on(domain)
    return tried.on(domain)


def _coefficients(parts: Iterable[sp.Expr], symbols: tuple[sp.Symbol, ...]) -> list[sp.Expr]:
    """What stands beside the symbols in products: where it vanishes they have no say."""
    products = {node for part in parts for node in part.atoms(sp.Mul) if node.has(*symbols)}
    return sorted((node.as_independent(*symbols)[0] for node in products), key=sp.default_sort_key)


def _tried(claimed: Exists) -> str:
    """Where a witness was looked for."""
    given = {symbol for symbol, _ in claimed.witness}
    if set(claimed.symbols) <= given:
        return "the witness that is given, and no other: it is not shown to do"
    return "solution, small numbers, other symbols"


def _excluded(statement: Equal | Less, domain: Domain) -> str:
    """The proved inequality that contradicts the statement, by the signs of letters if need be; empty without one."""
    sides = _sides(statement)
    if found := _against(statement, sides, domain):
        return found
    cases = signs(sides, domain, boundary=True)
    parts = [(case, _against(statement, case.expressions, case.domain)) for case in cases]
    return "; ".join(f"{case.text}: {why}" for case, why in parts) if all(why for _, why in parts) else ""


def _against(statement: Equal | Less, sides: tuple[sp.Expr, ...], domain: Domain) -> str:
    """The inequality between two sides that contradicts the statement, proved where both have a value."""
    one, other = sides
    if any(side.has(sp.zoo, sp.nan, sp.I) for side in sides):
        return "no value"
    ways = ((one, other), (other, one)) if isinstance(statement, Equal) else ((other, one),)
    strict = isinstance(statement, Equal) or not statement.strict
    for low, high in ways:
        found = inequality.verify(low, high, domain, strict=strict)
        if found.status is Status.PROVED or found.method == inequality.WHERE_DEFINED:
            return f"{text(low)} {'<' if strict else '<='} {text(high)}"
    return ""


def _sides(statement: Equal | Less) -> tuple[sp.Expr, sp.Expr]:
    return (statement.left, statement.right) if isinstance(statement, Equal) else (statement.lesser, statement.greater)


def _free(statement: Any) -> set[sp.Symbol]:
    """The symbols that a statement says something about."""
    return {symbol for part in _expressions(statement) for symbol in part.free_symbols}


def _expressions(statement: Any) -> list[sp.Expr]:
    """The expressions of a statement."""
    parts = [getattr(statement, one.name) for one in fields(statement)]
    return [part for part in parts if isinstance(part, sp.Expr)]


def _placed(statement: Any, values: Witness) -> Any:
    """The statement with symbols replaced in every expression of it; None where one has no value."""
    parts = {one.name: getattr(statement, one.name) for one in fields(statement)}
    there = {name: placed(part, values) for name, part in parts.items() if isinstance(part, sp.Basic)}
    return None if None in there.values() else replace(statement, **there)


def _without(domain: Domain, symbols: tuple[sp.Symbol, ...]) -> Domain:
    """The domain of the symbols that are left."""
    gone = set(symbols)
    ranges = tuple(pair for pair in domain.ranges if pair[0] not in gone)
    return Domain(ranges, tuple(p for p in domain.relations if not (p[0] - p[1]).free_symbols & gone))
