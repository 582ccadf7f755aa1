"""Landscapes as plans, which print as pages, tables and JSON: one function an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp

from ...notation import text as plain
from ..records import Amount, Plan, Sheet
from ..sources import Source
from .breaks import hyperbreaks
from .parts import read
from .regions import borders, shares
from .spend import spend
from .turns import turns

__all__ = ["active", "bends", "best", "turning"]


def bends(source: Source, at: Mapping[str, Any] | None = None) -> Plan:
    """Where every hyperbreak lies (:func:`.hyperbreaks`)."""
    found = hyperbreaks(source, at)
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
    note = () if found else ("the law has no smooth break",)
    sheets = (Sheet("Hyperbreaks", columns, rows),) if found else ()
    return Plan(f"Hyperbreaks of {source.law.name}, {source.label}", _counted(source), _given(at), (), sheets, note)


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
        notes = [] if found else ["one term is active throughout"]
    return Plan(f"Terms of {source.law.name}, {source.label}", _counted(source), (), (), tuple(sheets), tuple(notes))


def turning(
    source: Source, name: str, held: Mapping[str, Any] | None = None, span: Sequence[Any] | None = None
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
        amounts = (
            Amount(f"best {name}", _number(lowest.at), "", (), "the lowest of the minima inside the range"),
            Amount(y, _number(lowest.response)),
            Amount(f"first turn of {name}", _number(least[0].at), "", (), f"beyond it {y} first rises"),
        )
    notes = () if found else (f"{y} does not turn in {name} inside the range",)
    sheets = (Sheet("Turning points", head, rows),) if found else ()
    title = f"Where {source.law.name} turns in {name}, {source.label}"
    return Plan(title, _counted(source), _given(held), amounts, sheets, notes)


def best(source: Source, budget: object, cost: Any = None, **options: Any) -> Plan:
    """Inputs that make the response least under a cost (:func:`.spend`)."""
    first, *others = spend(source, budget, cost, **options)
    law, y = source.law, source.law.response.symbol.name
    amounts = [Amount(name, _number(value), law.variables[k].unit) for k, (name, value) in enumerate(first.inputs)]
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
    given = (Amount("budget", _number(first.inputs and budget)),)
    return Plan(title, _counted(source), given, tuple(amounts), (Sheet("Minima", head, rows),), note)


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
