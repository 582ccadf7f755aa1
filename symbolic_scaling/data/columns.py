"""The names that formulas and filters may use on a table: computed, mapped, and the table's own columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from .. import notation
from ..errors import DataError
from .evaluate import evaluate
from .table import Column, Floats, Table

__all__ = ["Columns", "mapping"]


def mapping(x: Mapping[str, str] | Sequence[str] | str) -> dict[str, str]:
    """Symbol name -> column, for one column, several columns or a mapping; the names must be plain."""
    pairs = dict(x) if isinstance(x, Mapping) else {name: name for name in ([x] if isinstance(x, str) else x)}
    for name in pairs:
        if not notation.is_name(name):
            remedy = "map the column to a plain name: x={'N': 'Model Size'}"
            raise DataError("select columns", f"{name!r} cannot be a symbol", remedy)
    return pairs


@dataclass(frozen=True, eq=False)
class Columns:
    """Names in force: computed ones, then mapped ones, then the table's own columns."""

    table: Table
    mapped: dict[str, str]
    computed: dict[str, Column] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.table)

    def column(self, name: str) -> Column:
        """The column called ``name``, its faults spoken of under that name."""
        if name in self.computed:
            return self.computed[name]
        source = self.mapped.get(name, name)
        found = self.computed.get(source) or self.table.numbers(source)
        if source == name:
            return found
        faults = {place: name + why.removeprefix(source) for place, why in found.faults.items()}
        return Column(found.values, faults, found.notes)

    def values(self, name: str) -> Floats:
        """The numbers called ``name``."""
        return self.column(name).values

    def cells(self, name: str) -> Sequence[Any]:
        """The cells called ``name``, as read."""
        return self.computed[name].values.tolist() if name in self.computed else self._raw(name)

    def _raw(self, name: str) -> Sequence[Any]:
        return self.table.column(self.mapped.get(name, name))

    def compute(self, name: str, formula: str) -> None:
        """Add the column ``name = formula``."""
        if not notation.is_name(name):
            raise DataError("compute a column", f"{name!r} cannot be a symbol", "pick a plain name")
        known = {*self.mapped, *self.computed, *filter(notation.is_name, self.table.columns)}
        expression = notation.parse(formula, {item: sp.Symbol(item) for item in sorted(known)})
        used = {item: self.column(item) for item in sorted(symbol.name for symbol in expression.free_symbols)}
        values = evaluate(expression, {item: column.values for item, column in used.items()}, len(self))
        faults: dict[int, str] = {}
        for column in used.values():
            faults = {**column.faults, **faults}
        self.computed[name] = Column(values, faults)
