"""What can be said of a table before its columns are named: repeated rows and missing cells."""

from __future__ import annotations

from collections.abc import Iterator

from .. import quantity
from .check import Finding
from .table import Table

__all__ = ["survey"]


def survey(table: Table) -> tuple[Finding, ...]:
    """Look at every column of a table.

    Returns
    -------
    tuple of Finding
        Kinds: ``duplicates`` (rows equal in every cell), ``missing`` (empty cells and the like), ``reading`` (what the
        reader interpreted).

    Examples
    --------
    >>> from symbolic_scaling.data import read
    >>> for finding in survey(read({"x": [1, 2, 2, 4], "loss": ["3.0", "2.5", "2.5", "n/a"]})):
    ...     print(finding.kind, finding.rows, finding.text)
    duplicates (3,) 1 exact duplicate row
    missing (4,) 1 cell of loss missing
    """
    return (*_repeated(table), *_missing(table), *(Finding("reading", (), note) for note in table.notes))


def _repeated(table: Table) -> Iterator[Finding]:
    seen: set[tuple[str, ...]] = set()
    again = []
    for row, cells in zip(table.rows, zip(*table.cells, strict=True), strict=True):
        key = tuple(map(str, cells))
        again += [row] if key in seen else []
        seen.add(key)
    if again:
        yield Finding("duplicates", tuple(again), f"{len(again)} exact duplicate row{'s' if len(again) > 1 else ''}")


def _missing(table: Table) -> Iterator[Finding]:
    for name in table.columns:
        rows = tuple(row for row, cell in zip(table.rows, table.column(name), strict=True) if quantity.is_missing(cell))
        if rows:
            yield Finding("missing", rows, f"{len(rows)} cell{'s' if len(rows) > 1 else ''} of {name} missing")
