"""Landscapes as plans, which print as pages, tables and JSON: one function an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from ...derive.price import price_of
from ...law import Cost
from ...notation import text as plain
from ..records import Amount, Plan, Sheet
from ..sources import Source
from .breaks import crossings, hyperbreaks, place
from .parts import border, read
from .regions import borders, shares
from .spend import Spent, spend
from .sure import slope_root, spent_root
from .turns import turns

__all__ = ["active", "bends", "best", "turning"]


def bends(source: Source, at: Mapping[str, Any] | None = None, methods: Sequence[str] = ("delta",)) -> Plan:
    """Where every hyperbreak lies (:func:`.hyperbreaks`), with what a fit says of how sure that is."""
    found = hyperbreaks(source, at)
    wanted = {
        f"{name} at {one.kind.name}": (value, place(one.kind, source.law.symbols[name]))
        for one in found
        for name, value in one.at
        if value not in (0.0, float("inf"))
    }
    values = {name: _number(value) for name, value in (at or {}).items()}
    sure = source.sure({name: said for name, (_, said) in wanted.items()}, values, methods)
    amounts = tuple(_with(sure.get(name), name, wanted[name][0]) for name in wanted) if sure else ()
    inputs = [symbol.name for symbol in source.law.inputs]
    rows = tuple(
        (
            one.kind.name,
            one.kind.part,
            f"{plain(one.kind.where.lhs)} = {plain(one.kind.where.rhs)}",
            _said(one.exponents),
            _number(one.level),
            _said(one.changes),
            *(_number(dict(one.at)[name]) if name in dict(one.at) else "" for name in inputs),
        )
        for one in found
    )
    columns = ("break", "term", "where", "exponents", "level", "exponent changes by", *(f"{x} there" for x in inputs))
    note = [] if found else ["the law has no smooth break"]
    note += [f"{one} and {other} cross at {_said(there)}" for one, other, there in crossings(found)]
    sheets = (Sheet("Hyperbreaks", columns, rows),) if found else ()
    return Plan(
        f"Hyperbreaks of {source.law.name}, {source.label}", _counted(source), _given(at), amounts, sheets, tuple(note)
    )


def active(
    source: Source,
    points: Sequence[Mapping[str, Any]],
    plane: Sequence[str] = (),
    *,
    held: Mapping[str, Any] | None = None,
    spans: Mapping[str, Any] | None = None,
    lines: int = 9,
) -> Plan:
    """Which term is active at points (:func:`.shares`), and the borders of its region (:func:`.borders`)."""
    columns = {name: [point[name] for point in points] for name in (points[0] if points else ())}
    names = [part.name for part in read(source.law).parts]
    rows = tuple(
        (
            *(_number(value) for _, value in one.inputs),
            _number(one.response),
            one.active,
            *(_number(share) for _, share in one.shares),
        )
        for one in (shares(source, columns) if points else ())
    )
    inputs = [symbol.name for symbol in source.law.inputs]
    head = (*inputs, source.law.response.symbol.name, "active", *(f"share of {name}" for name in names))
    sheets = [Sheet("Shares of the response", head, rows)] if rows else []
    notes = []
    if plane:
        first, second = plane
        found = borders(source, first, second, held=held, spans=spans, lines=lines)
        made = tuple((_number(one.first), _number(one.second), one.below, one.above) for one in found)
        sheets.append(Sheet("Borders of regions", (first, second, f"active below in {second}", "above"), made))
        sheets += _equations(source, {(one.below, one.above) for one in found})
        notes = [] if found else ["one term is active throughout"]
    return Plan(f"Terms of {source.law.name}, {source.label}", _counted(source), (), (), tuple(sheets), tuple(notes))


def _equations(source: Source, pairs: set[tuple[str, str]]) -> list[Sheet]:
    """What each border satisfies, where that is an equation of the two terms alone."""
    by_name = {part.name: part for part in read(source.law).parts}
    rows = []
    for below, above in sorted({(min(pair), max(pair)) for pair in pairs}):
        found = border(by_name[below], by_name[above])
        said = "equal shares" if found is None else f"{plain(found.lhs)} = {plain(found.rhs)}"
        rows.append((below, above, said))
    return [Sheet("Equations of the borders", ("term", "other", "where"), tuple(rows))] if rows else []


def turning(
    source: Source,
    name: str,
    held: Mapping[str, Any] | None = None,
    span: Sequence[Any] | None = None,
    methods: Sequence[str] = ("delta",),
) -> Plan:
    """Where the response turns in one input (:func:`.turns`): the least one first, then all of them."""
    found = turns(source, name, held, span)
    least = [one for one in found if one.least]
    y = source.law.response.symbol.name
    rows = tuple(
        (_number(one.at), _number(one.response), "minimum" if one.least else "maximum", *_certificate(one.certificate))
        for one in found
    )
    head = (name, y, "kind", "certified within", "slope below", "slope above")
    amounts: tuple[Amount, ...] = ()
    if least:
        lowest = min(least, key=lambda one: one.response)
        values = {other: _number(value) for other, value in (held or {}).items()}
        x = source.law.symbols[name]
        sure = [
            source.sure({name: x}, values, methods, slope_root(source, one)).get(name) for one in (lowest, least[0])
        ]
        amounts = (
            _with(sure[0], f"best {name}", lowest.at, "the lowest of the minima inside the range"),
            Amount(y, _number(lowest.response)),
            _with(sure[1], f"first turn of {name}", least[0].at, f"beyond it {y} first rises"),
        )
    notes = () if found else (f"{y} does not turn in {name} inside the range",)
    sheets = (Sheet("Turning points", head, rows),) if found else ()
    title = f"Where {source.law.name} turns in {name}, {source.label}"
    return Plan(title, _counted(source), _given(held), amounts, sheets, notes)


def best(
    source: Source, budget: object, cost: Any = None, *, methods: Sequence[str] = ("delta",), **options: Any
) -> Plan:
    """Inputs that make the response least under a cost (:func:`.spend`), with what a fit says of two of them."""
    first, *others = spend(source, budget, cost, **options)
    law, y = source.law, source.law.response.symbol.name
    paid = price_of(law, cost)
    given = {**(options.get("held") or {}), **(options.get("beside") or {}), paid.symbol.name: budget}
    sure = _shared(source, paid, first, given, methods) if source.fit else {}
    amounts = [
        replace(_with(sure.get(name), name, value), unit=law.variables[k].unit)
        for k, (name, value) in enumerate(first.inputs)
    ]
    amounts += [
        Amount(y, _number(first.response), law.response.unit),
        Amount("multiplier", _number(first.multiplier), "", (), f"d log {y}/d log budget"),
    ]
    head = (*(name for name, _ in first.inputs), y, "slope left", "certified")
    rows = tuple(
        (
            *(_number(value) for _, value in one.inputs),
            _number(one.response),
            _number(one.residual),
            "yes" if one.certified else "no",
        )
        for one in (first, *others)
    )
    note = (f"{len(others)} more minima are less good",) if others else ()
    title = f"Best inputs of {law.name} under a cost, {source.label}"
    spent = (Amount("budget", _number(budget)),)
    return Plan(title, _counted(source), spent, tuple(amounts), (Sheet("Minima", head, rows),), note)


def _shared(
    source: Source, paid: Cost, first: Spent, given: Mapping[str, Any], methods: Sequence[str]
) -> dict[str, Amount]:
    """What a fit says of two inputs that share a budget; nothing where the cost does not give the second."""
    free = [x for x in source.law.inputs if x.name not in given]
    priced = all(paid.expression.has(x) for x in free)
    found = spent_root(source, paid, first, tuple(x.name for x in free)) if priced else None
    if found is None:
        return {}
    root, wanted = found
    return source.sure(wanted, {name: _number(value) for name, value in given.items()}, methods, root)


def _with(sure: Amount | None, name: str, value: float, note: str = "") -> Amount:
    """An amount with the intervals and the remarks that a fit has for it."""
    said = "; ".join(part for part in (note, sure.note if sure else "") if part)
    return Amount(name, _number(value), "", sure.intervals if sure else (), said)


def _counted(source: Source) -> str:
    """The line in which a plan says how it counts."""
    return f"inputs as {source.law.name} has them, constants {source.label}"


def _given(held: Mapping[str, Any] | None) -> tuple[Amount, ...]:
    return tuple(Amount(name, _number(value)) for name, value in (held or {}).items())


def _certificate(found: tuple[float, ...]) -> tuple[sp.Expr | str, ...]:
    return tuple(_number(value) for value in found) if found else ("not certified", "", "")


def _said(pairs: tuple[tuple[str, float], ...]) -> str:
    return ", ".join(f"{name}: {value:.6g}" for name, value in pairs)


def _number(value: Any) -> sp.Expr:
    """A number as plans hold them."""
    from ... import quantity

    if isinstance(value, str):
        found = quantity.read(value).value
        return sp.Rational(found.numerator, found.denominator)
    return sp.oo if value == float("inf") else sp.Rational(repr(float(value)))
