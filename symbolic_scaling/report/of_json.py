"""Whatever a command printed with ``--json`` as a page.

A plan, a law and verdicts are read back and shown as their command shows them. Of anything else the shape decides:
plain values make a table of two columns, mappings with the same names stand side by side, a list of alike objects is a
table, and what is deeper is a section of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import of_plan
from .blocks import Block, Cell, Code, Heading, Paragraph, Table
from .write import json_text

__all__ = ["blocks"]

_WIDE = 12  # columns of a table; more are told one object after another
_DEEP = 9  # levels; what lies below stands as JSON
_LONG = 60  # letters of a text that is running text rather than a cell
_CODE = frozenset({"statement", "form", "latex", "before", "after", "result", "map", "when", "digest", "files"})
_NAMES = ("name", "id", "law", "title")


def blocks(content: Mapping[str, Any], title: str = "Result") -> tuple[Block, ...]:
    """The page of a JSON object.

    Examples
    --------
    >>> page = blocks({"law": "m1", "estimate": {"beta": 2.0}, "intervals": {"beta": [1.5, 2.5]}}, "fit")
    >>> page[2]
    Table(columns=('', 'estimate', 'intervals'), rows=(('beta', '2', '1.5 to 2.5'),))
    """
    if {"convention", "budget", "allocation"} <= set(content):
        return of_plan.blocks(of_plan.from_json(content))
    if isinstance(content.get("verdicts"), list) and not {"steps"} & set(content):
        return _judged(content, title)
    said = content.get("title") or content.get("name") or title
    rest = {key: value for key, value in content.items() if value != said}
    return (Heading(str(said)), *_object(rest, 2))


def _judged(content: Mapping[str, Any], title: str) -> tuple[Block, ...]:
    """Verdicts, each with its statement and what decided it."""
    rows = tuple(
        (
            str(each.get("id", "")),
            str(each.get("status", "")),
            Code(str(each.get("statement", ""))),
            str(each.get("method", "")),
            "; ".join(f"{key}: {value}" for key, value in dict(each.get("evidence", {})).items()),
        )
        for each in content["verdicts"]
    )
    table = Table(("claim", "verdict", "statement", "method", "evidence"), rows)
    return (Heading(str(content.get("title", title))), table if rows else Paragraph("No statement was judged."))


def _object(content: Mapping[str, Any], level: int) -> list[Block]:
    """Plain values first, then what is alike side by side, then sections."""
    facts = {key: made for key, value in content.items() if (made := _cell(value, key)) is not None}
    flat = {key: cells for key, value in content.items() if key not in facts and (cells := _flat(value))}
    page: list[Block] = []
    if known := tuple((_said(key), cell) for key, cell in facts.items() if cell != ""):
        page.append(Table(("what", "value"), known))
    told: set[str] = set()
    for key, value in content.items():
        if key in facts or key in told:
            continue
        if key not in flat:
            page += [Heading(_said(key), level), *_section(value, level + 1)]
            continue
        alike = [other for other, cells in flat.items() if list(cells) == list(flat[key])]
        told.update(alike)
        rows = tuple((name, *(flat[other][name] for other in alike)) for name in flat[key])
        page.append(Table(("", *map(_said, alike)), rows))
    return page or [Paragraph("Nothing.")]


def _section(value: Any, level: int) -> list[Block]:
    if level > _DEEP:
        return [Code(json_text(value).rstrip())]
    if isinstance(value, Mapping):
        rows = [{"": name, **row} for name, row in value.items() if isinstance(row, Mapping)]
        table = _table(rows) if len(rows) == len(value) else []
        return table or _object(value, level)
    if not value:
        return [Paragraph("None.")]
    if all(isinstance(item, str) for item in value):
        return [Paragraph(_sentence(item)) for item in value]
    alike = [item for item in value if isinstance(item, Mapping)]
    if len(alike) == len(value):
        if table := _table(alike):
            return table
        if len(alike) == 1 and not _group(alike[0]):
            return _object(alike[0], level)
    page: list[Block] = []
    for number, item in enumerate(value, 1):
        page += [Heading(_title(item, number), level), *_deeper(item, level + 1)]
    return page


def _deeper(item: Any, level: int) -> list[Block]:
    if isinstance(item, Mapping):
        return _object(item, level)
    return _section(item, level) if isinstance(item, Sequence) and not isinstance(item, str) else [Paragraph(str(item))]


def _group(item: Mapping[str, Any]) -> str:
    by = item.get("by")
    return ", ".join(f"{key} = {value}" for key, value in by.items()) if isinstance(by, Mapping) else ""


def _title(item: Any, number: int) -> str:
    """What tells one object of a list from the others: its group, its name, else its number."""
    if not isinstance(item, Mapping):
        return str(number)
    return _group(item) or next((str(item[key]) for key in _NAMES if item.get(key)), str(number))


def _table(rows: Sequence[Mapping[str, Any]]) -> list[Block]:
    """Alike rows under the union of their names, what is the same in all said once; nothing where that is too wide."""
    spread = {key for row in rows for key in row} - {
        key for row in rows for key in row if _names(row[key]) != _names(rows[0].get(key))
    }
    made = [_columns(row, spread) for row in rows]
    found = [cells for cells in made if cells is not None]
    if len(found) < len(rows):
        return []
    columns = list(dict.fromkeys(name for row in found for name in row))
    values = {name: [row.get(name, "") for row in found] for name in columns}
    same = [name for name in columns[1:] if len(rows) > 2 and len(set(values[name])) == 1]
    shown = [name for name in columns if name not in same]
    if len(shown) > _WIDE:
        return []
    told = tuple((_said(name), values[name][0]) for name in same if values[name][0] != "")
    page: list[Block] = [Table(tuple(map(_said, shown)), tuple(zip(*(values[name] for name in shown), strict=True)))]
    return [*page, Table(("in every row", "value"), told)] if told else page


def _names(value: Any) -> list[str]:
    return list(value) if isinstance(value, Mapping) else []


def _columns(row: Mapping[str, Any], spread: set[str]) -> dict[str, Cell] | None:
    """The cells of an object; those of a mapping inside it among them, in one cell where rows have other names there.

    None where something is deeper.
    """
    cells: dict[str, Cell] = {}
    for key, value in row.items():
        inside = _flat(value)
        if (made := _cell(value, key)) is not None:
            cells[key] = made
        elif inside is None:
            return None
        elif key in spread:
            cells |= {(n if n.isidentifier() and n not in row else f"{_said(key)} {n}"): c for n, c in inside.items()}
        else:
            cells[key] = ", ".join(f"{name} = {getattr(cell, 'text', cell)}" for name, cell in inside.items())
    return cells


def _flat(value: Any) -> dict[str, Cell] | None:
    """A mapping of plain values; None for anything else."""
    if not isinstance(value, Mapping) or not value:
        return None
    cells = {str(name): _cell(inner, str(name)) for name, inner in value.items()}
    known = {name: cell for name, cell in cells.items() if cell is not None}
    return known if len(known) == len(cells) else None


def _cell(value: Any, key: str = "") -> Cell | None:
    """A plain value, a pair of ends, or a short list; None where that is not what it is."""
    match value:
        case Mapping():
            return None if value else ""
        case None | []:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.6g}"
        case int():
            return str(value)
        case str():
            return Code(value) if key in _CODE and value else value
        case [int() | float() | "oo" | "-oo" | None as lo, int() | float() | "oo" | "-oo" | None as hi]:
            return f"{_cell(lo)} to {_cell(hi)}"
        case list() if all(isinstance(item, str | int | float | None) for item in value):
            if (run := _run(value)) is not None:
                return run
            listed = ["-" if item is None else str(_cell(item)) for item in value]
            return ", ".join(listed) if max(map(len, listed)) <= _LONG else None
    return None


def _run(value: Sequence[Any]) -> str | None:
    """Whole numbers that follow one another as the first and the last; None for any other list."""
    whole = all(isinstance(item, int) and not isinstance(item, bool) for item in value)
    if not whole or len(value) < 4 or list(value) != list(range(value[0], value[0] + len(value))):
        return None
    return f"{value[0]} to {value[-1]}"


def _said(key: str) -> str:
    return key.replace("_", " ")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"
