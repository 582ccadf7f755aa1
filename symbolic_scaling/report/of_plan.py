"""A plan as a page and as JSON: how it counts, the budget, what follows, the tables beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import sympy as sp

from ..errors import DataError
from ..plan.records import Amount, Plan, Sheet
from .blocks import Block, Heading, Paragraph, Table

__all__ = ["as_json", "blocks", "from_json", "is_plan"]

_HUGE = re.compile(r"-?[0-9.]+e[+-][0-9]{3,}")  # a number that floating point does not hold, as JSON has it


def is_plan(record: object) -> bool:
    """Whether a record is a plan."""
    return isinstance(record, Plan)


def blocks(found: Plan) -> tuple[Block, ...]:
    """The page of a plan."""
    page: list[Block] = [
        Heading(found.title),
        Paragraph(f"Counted as {found.convention}."),
    ]
    page += [Paragraph(f"Given: {', '.join(map(_said, found.budget))}.")] if found.budget else []
    page += [_amounts(found.allocation)] if found.allocation else []
    page += [Paragraph(f"{one.name}: {one.note}.") for one in found.allocation if one.note]
    for sheet in found.sheets:
        page += [Heading(sheet.title, 2), _sheet(sheet)]
    page += [Paragraph(f"{note}.") for note in found.notes]
    return tuple(page)


def _said(one: Amount) -> str:
    """One amount in a line.

    Examples
    --------
    >>> _said(Amount("C", sp.Integer(10)**24, "FLOP"))
    'C = 1e+24 FLOP'
    """
    return f"{one.name} = {_number(one.value)} {one.unit}".rstrip()


def _amounts(rows: Iterable[Amount]) -> Table:
    """Name, value, unit and, where there is a fit, intervals."""
    listed = tuple(rows)
    methods = tuple(dict.fromkeys(method for one in listed for method, _, _ in one.intervals))
    made = []
    for one in listed:
        ends = {method: f"{lo:.5g} to {hi:.5g}" for method, lo, hi in one.intervals}
        made.append((one.name, _number(one.value), one.unit, *(ends.get(method, "") for method in methods)))
    return Table(("what", "value", "unit", *(f"95 %, {method}" for method in methods)), tuple(made))


def _sheet(sheet: Sheet) -> Table:
    return Table(sheet.columns, tuple(tuple(_number(cell) for cell in row) for row in sheet.rows))


def _number(value: sp.Expr | str) -> str:
    return value if isinstance(value, str) else f"{float(value):.8g}" if _fits(value) else str(sp.N(value, 8))


def _fits(value: sp.Expr) -> bool:
    """Whether floating point holds the number."""
    return bool(value == 0 or sp.Rational(1, 10**300) < abs(value) < 10**300)


def _plain(value: sp.Expr | str) -> Any:
    """A number as JSON has it; what floating point does not hold as text."""
    if isinstance(value, str) or not _fits(value):
        return str(value) if isinstance(value, str) or value.is_infinite else str(sp.N(value, 15))
    return int(value) if value.is_Integer else float(value)


def as_json(found: Plan) -> dict[str, Any]:
    """The object that ``symscale plan --json`` prints."""
    return {
        "title": found.title,
        "convention": found.convention,
        "budget": {one.name: _amount(one) for one in found.budget},
        "allocation": {one.name: _amount(one) for one in found.allocation},
        "tables": [
            {
                "title": sheet.title,
                "rows": [dict(zip(sheet.columns, (_plain(cell) for cell in row), strict=True)) for row in sheet.rows],
            }
            for sheet in found.sheets
        ],
        "notes": list(found.notes),
    }


def _amount(one: Amount) -> dict[str, Any]:
    """Value, unit and the first interval with its method; all of them by method where there are several."""
    ends = {method: [lo, hi] for method, lo, hi in one.intervals}
    first = next(iter(ends.values()), None)
    said: dict[str, Any] = {"value": _plain(one.value), "unit": one.unit, "interval": first}
    method = {"method": next(iter(ends))} if ends else {}
    return {
        **said,
        **method,
        **({"intervals": ends} if len(ends) > 1 else {}),
        **({"note": one.note} if one.note else {}),
    }


def from_json(content: Mapping[str, Any]) -> Plan:
    """The plan that :func:`as_json` wrote, to the digits that it wrote.

    Raises
    ------
    DataError
        If it does not read as one.

    Examples
    --------
    >>> made = Plan("two", "6ND", (), (Amount("N", sp.Integer(2), "parameters", (("delta", 1.0, 3.0),)),))
    >>> from_json(as_json(made)).allocation[0].intervals
    (('delta', 1.0, 3.0),)
    """
    try:
        budget, allocation = (
            tuple(_read_amount(name, said) for name, said in content[key].items()) for key in ("budget", "allocation")
        )
        sheets = tuple(_read_sheet(table) for table in content.get("tables", ()))
        notes = tuple(map(str, content.get("notes", ())))
        title = str(content.get("title", "Plan"))
        return Plan(title, str(content["convention"]), budget, allocation, sheets, notes)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataError("read a plan", str(error), "give what symscale plan --json printed, unchanged") from None


def _read_amount(name: str, said: Mapping[str, Any]) -> Amount:
    ends = said.get("intervals") or ({said.get("method", "interval"): said["interval"]} if said["interval"] else {})
    intervals = tuple((str(method), float(lo), float(hi)) for method, (lo, hi) in ends.items())
    return Amount(name, _read(said["value"]), str(said["unit"]), intervals, str(said.get("note", "")))


def _read_sheet(table: Mapping[str, Any]) -> Sheet:
    rows = [dict(row) for row in table["rows"]]
    columns = tuple(table.get("columns") or (rows[0] if rows else ()))
    cells = (tuple(row[name] if _is_text(row[name]) else _read(row[name]) for name in columns) for row in rows)
    return Sheet(str(table["title"]), columns, tuple(cells))


def _is_text(cell: Any) -> bool:
    return isinstance(cell, str) and _HUGE.fullmatch(cell) is None


def _read(value: Any) -> sp.Expr:
    """A number; one that floating point does not hold stands as text."""
    if isinstance(value, str):
        return sp.oo if value == "oo" else sp.Float(value, len(value))
    return sp.Integer(value) if isinstance(value, int) else sp.Float(value)
