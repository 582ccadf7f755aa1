"""A table of cells as they were read, and its columns as float64 with the reason for every cell that is no number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .. import quantity
from ..errors import DataError, ParseError

__all__ = ["Column", "Floats", "Table", "group", "labels"]

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Column:
    """Numbers of a column, NaN where there is none; ``faults`` says why by position, ``notes`` what was interpreted."""

    values: Floats
    faults: dict[int, str]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns of equal length.

    Parameters
    ----------
    columns : tuple of str
        Names, each once.
    cells : tuple of tuple
        One tuple a column, as read: text, numbers or None.
    rows : tuple of int
        Row numbers in the source, from 1 without the header; parts of a table keep them.
    source : str
        What errors call the table.
    mark : {".", ","}
        The decimal mark of cells that are text.
    notes : tuple of str
        What the reader had to interpret.

    Examples
    --------
    >>> table = Table(("x", "y"), (("1e3", "2k"), ("3.5", "n/a")), (1, 2))
    >>> table.numbers("x").values
    array([1000., 2000.])
    >>> table.numbers("y").faults
    {1: 'y is missing'}
    """

    columns: tuple[str, ...]
    cells: tuple[tuple[Any, ...], ...]
    rows: tuple[int, ...]
    source: str = "the table"
    mark: str = "."
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        doubled = sorted({name for name in self.columns if self.columns.count(name) > 1})
        if doubled:
            raise DataError(
                f"read {self.source}", f"columns named twice: {', '.join(n or repr(n) for n in doubled)}", "rename them"
            )
        lengths = {name: len(cells) for name, cells in zip(self.columns, self.cells, strict=True)}
        if any(length != len(self.rows) for length in lengths.values()):
            raise DataError(f"read {self.source}", f"columns of unequal length: {lengths}", "give each row every cell")

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> tuple[Any, ...]:
        """The cells of a column as read; :class:`DataError` lists the columns there are."""
        if name not in self.columns:
            raise DataError(
                f"read {self.source}", f"no column {name!r}", f"its columns are {', '.join(map(repr, self.columns))}"
            )
        return self.cells[self.columns.index(name)]

    def numbers(self, name: str) -> Column:
        """A column as float64 (n,); integers of any size become floats before anything is multiplied."""
        cells = self.column(name)
        plain = _plain(cells, self.mark)
        if plain is not None:
            return Column(plain, {})
        values = np.full(len(cells), np.nan)
        faults: dict[int, str] = {}
        notes: list[str] = []
        for place, cell in enumerate(cells):
            try:
                values[place], note = _number(cell, self.mark)
                notes += [note] if note else []
            except (ParseError, OverflowError):
                faults[place] = f"{name} is " + ("missing" if quantity.is_missing(cell) else f"{cell!r}, not a number")
        more = f" and {len(notes) - 1} more" if len(notes) > 1 else ""
        return Column(values, faults, tuple(f"{name}: {note}{more}" for note in notes[:1]))

    def keep(self, places: Sequence[int] | NDArray[np.int_]) -> Table:
        """The table with the rows at these positions (from 0), which keep their numbers."""
        picked = tuple(tuple(cells[place] for place in places) for cells in self.cells)
        return replace(self, cells=picked, rows=tuple(self.rows[place] for place in places))


def group(table: Table, by: str | Sequence[str]) -> list[tuple[tuple[tuple[str, Any], ...], Table]]:
    """Split a table by the values of some columns.

    Returns
    -------
    list of (key, Table)
        In order of first appearance; the key pairs each column with its value.

    Raises
    ------
    DataError
        If there is no such column.

    Examples
    --------
    >>> table = Table(("task", "x"), (("a", "b", "a"), (1, 2, 3)), (1, 2, 3))
    >>> [(key, part.rows) for key, part in group(table, "task")]
    [((('task', 'a'),), (1, 3)), ((('task', 'b'),), (2,))]
    """
    names = (by,) if isinstance(by, str) else tuple(by)
    keys = list(zip(*(labels(table, name) for name in names), strict=True)) if names else [()] * len(table)
    places: dict[tuple[Any, ...], list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    return [(tuple(zip(names, key, strict=True)), table.keep(chosen)) for key, chosen in places.items()]


def labels(table: Table, name: str) -> tuple[Any, ...]:
    """The cells of a column as keys of curves."""
    cells = table.column(name)
    return cells if set(map(type, cells)) <= {str, int} else tuple(map(_label, cells))


def _label(cell: Any) -> Any:
    """A cell as a key: NaN and the like are one missing value; texts stay as they are."""
    return cell if isinstance(cell, str) or not quantity.is_missing(cell) else None


def _plain(cells: Sequence[Any], mark: str) -> Floats | None:
    """The values of a column in which every cell is a finite number or the text of a plain decimal; else None."""
    kinds = set(map(type, cells))
    if not (kinds <= {int, float} or (kinds == {str} and mark == "." and all(map(str.isascii, cells)))):
        return None
    try:
        values = np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
    except (ValueError, OverflowError):
        return None
    return values if np.isfinite(values).all() else None


def _number(cell: Any, mark: str) -> tuple[float, str]:
    """The value of one cell and a note; the short way for plain decimals."""
    if isinstance(cell, str) and mark == "." and cell.isascii():
        try:
            plain = float(cell)
        except ValueError:
            plain = np.nan
        if np.isfinite(plain):
            return plain, ""
    found = quantity.read(cell, decimal_mark=mark)
    return float(found.value), found.note
