"""Which rows of a table a fit can use: columns mapped and computed, rows filtered, and why the others cannot be used.

Everything here looks at one row at a time, so that a table may come piece by piece.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import quantity
from .columns import Columns, mapping
from .reasons import IN_TABLE
from .table import Column, Floats, Table
from .where import mask

__all__ = ["Usable", "scope", "usable"]

Places = NDArray[np.int_]


@dataclass(frozen=True, eq=False)
class Usable:
    """Columns of a table, the response last, and its rows.

    ``values`` name -> (n,) over all rows; ``places`` the positions (from 0) that the filter and the range leave;
    ``bad`` the reason of each of these that cannot be used; ``notes`` what was interpreted.
    """

    values: dict[str, Floats]
    places: Places
    bad: dict[int, str]
    notes: tuple[str, ...]

    @property
    def good(self) -> Places:
        """The positions that can be used."""
        return self.places[~np.isin(self.places, list(self.bad))] if self.bad else self.places


def usable(
    table: Table,
    x: Mapping[str, str] | Sequence[str] | str,
    y: str,
    *,
    let: Mapping[str, str] | None = None,
    where: str | None = None,
    start: object = None,
    stop: object = None,
    inputs: Sequence[str] | None = None,
    positive: bool = True,
) -> Usable:
    """The rows of a table that a fit can use; arguments and errors as for :func:`~symbolic_scaling.data.select`.

    Examples
    --------
    >>> found = usable(Table(("n", "loss"), ((1, 2, 3), (3.0, None, 2.0)), (1, 2, 3)), {"x": "n"}, "loss", start=2)
    >>> found.places, found.bad
    (array([1, 2]), {1: 'loss is missing'})
    """
    names = scope(table, x, let)
    wanted = dict.fromkeys(inputs if inputs is not None else [*names.mapped, *names.computed])
    columns = {name: names.column(name) for name in wanted if name != y} | {y: names.column(y)}
    notes = [*table.notes, *(note for column in columns.values() for note in column.notes)]
    places = np.arange(len(table))
    if where is not None:
        places = np.flatnonzero(mask(where, names))
        notes.append(f"{where}: {len(places)} of {len(table)} rows")
    places = _within(places, next(iter(columns.values())).values, start, stop, notes)
    values = {name: column.values for name, column in columns.items()}
    return Usable(values, places, _faults(columns, places, positive), tuple(notes))


def scope(table: Table, x: Mapping[str, str] | Sequence[str] | str, let: Mapping[str, str] | None) -> Columns:
    """The names that formulas and filters may use."""
    names = Columns(table, mapping(x))
    for name, formula in (let or {}).items():
        names.compute(name, formula)
    return names


def _within(places: Places, first: Floats, start: object, stop: object, notes: list[str]) -> Places:
    """Rows whose first input lies between the bounds; rows without a value stay, to be named as bad."""
    if start is None and stop is None:
        return places
    low = -np.inf if start is None else float(quantity.read(start).value)
    high = np.inf if stop is None else float(quantity.read(stop).value)
    values = first[places]
    kept = places[np.isnan(values) | ((values >= low) & (values <= high))]
    notes.append(f"from {low:g} to {high:g}: {len(kept)} of {len(places)} rows")
    return kept


def _faults(columns: Mapping[str, Column], places: Places, positive: bool) -> dict[int, str]:
    """Position and reasons of every row that cannot be used."""
    fine = np.ones(len(places), dtype=bool)
    for column in columns.values():
        values = column.values[places]
        fine &= np.isfinite(values) & ((values > 0) | (not positive))
        if column.faults:
            fine &= ~np.isin(places, list(column.faults))
    found = {}
    for place in places[~fine].tolist():
        reasons = []
        for name, column in columns.items():
            value = column.values[place]
            if place in column.faults:
                reasons.append(column.faults[place])
            elif not np.isfinite(value):
                reasons.append(f"{name} is not finite")
            elif positive and value <= 0:
                reasons.append(IN_TABLE.format(name, value))
        found[place] = "; ".join(dict.fromkeys(reasons))
    return found
