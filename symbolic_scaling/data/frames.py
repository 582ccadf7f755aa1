"""Data frames of other libraries as a table, by what they can do; none of the libraries is imported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import DataError
from .table import Table

__all__ = ["from_frame"]


def from_frame(frame: Any) -> Table:
    """Copy a mapping of columns, a list of mappings, or a pandas, polars or pyarrow frame into a table.

    Raises
    ------
    DataError
        If it is none of these, or has no columns or no rows.

    Examples
    --------
    >>> from_frame([{"x": 1}, {"x": 2, "y": 3}]).cells
    ((1, 2), (None, 3))
    """
    asked = "read a data frame"
    names = _names(frame)
    if isinstance(frame, Sequence) and not isinstance(frame, str | bytes):
        cells = tuple(tuple(record.get(name) for record in frame) for name in names)
    elif len(set(names)) == len(names):
        cells = tuple(tuple(_listed(frame[name], asked)) for name in names)
    else:
        cells = tuple(() for _ in names)  # the table names the doubled columns
    if not names or not (cells[0] or len(set(names)) < len(names)):
        raise DataError(asked, "it has no rows" if names else "it has no columns", "give at least one row")
    return Table(tuple(map(str, names)), cells, tuple(range(1, len(cells[0]) + 1)), "the data frame")


def _names(frame: Any) -> list[Any]:
    """Column names of whatever was given, in order."""
    if isinstance(frame, Mapping):
        return list(frame)
    if isinstance(frame, Sequence) and frame and all(isinstance(record, Mapping) for record in frame):
        return list(dict.fromkeys(name for record in frame for name in record))
    for attribute in ("column_names", "columns"):
        found = getattr(frame, attribute, None)
        if found is not None and hasattr(frame, "__getitem__") and not callable(found):
            return list(found) if attribute == "columns" or isinstance(found, list) else []
    fields = getattr(getattr(frame, "dtype", None), "names", None)
    if fields:
        return list(fields)
    raise DataError(
        "read a data frame", f"a {type(frame).__name__}", "give a path, a data frame, or a mapping of column to values"
    )


def _listed(column: Any, asked: str) -> list[Any]:
    """A column's values as Python objects."""
    for method in ("to_list", "tolist", "to_pylist"):
        if hasattr(column, method):
            found = getattr(column, method)()
            return found if isinstance(found, list) else [found]
    if isinstance(column, str | bytes) or not hasattr(column, "__iter__"):
        raise DataError(asked, f"a column is a {type(column).__name__}", "give a sequence of values for each column")
    return list(column)
