"""From a table to the arrays of a fit: columns mapped and computed, rows filtered, every dropped row with its reason.

Order: ``let`` columns, ``where``, the range of x, rows that are missing or not positive, the highest responses.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import quantity
from ..errors import DataError
from .columns import Columns, mapping
from .table import Column, Floats, Table
from .where import mask

__all__ = ["Sample", "keep", "select"]


@dataclass(frozen=True, eq=False)
class Sample:
    """The data of a fit; the arrays are read-only.

    ``x`` name -> (n,), ``y`` (n,), ``rows`` (n,) numbers in the source from 1, ``dropped`` (row, why) by row,
    ``notes`` what was interpreted, ``digest`` the SHA-256 of names and values used.
    """

    x: dict[str, Floats]
    y: Floats
    rows: NDArray[np.int_]
    dropped: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = ()
    digest: str = ""
    response: str = "y"

    def __post_init__(self) -> None:
        for array in (*self.x.values(), self.y, self.rows):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.y)


def select(
    table: Table,
    x: Mapping[str, str] | Sequence[str] | str,
    y: str,
    *,
    let: Mapping[str, str] | None = None,
    where: str | None = None,
    on_bad: str = "drop",
    drop_highest: int = 0,
    start: object = None,
    stop: object = None,
    until_peak: bool = False,
    inputs: Sequence[str] | None = None,
    positive: bool = True,
) -> Sample:
    """Choose and compute the columns of a fit.

    Parameters
    ----------
    table : Table
        From :func:`~symbolic_scaling.data.read`.
    x : mapping of symbol name to column, sequence of columns, or one column
        Columns may have any name; the symbols they are mapped to must be plain names.
    y : str
        The response: a column or a ``let`` name.
    let : mapping of name to formula, optional
        Columns computed in float64 from symbols, plainly named columns and the names before it: ``{"D": "C/(6*N)"}``.
    where : str, optional
        Row filter such as ``Task = 'bird_5' and N > 1e6``.
    on_bad : {"drop", "raise"}
        What to do with rows that are missing, not finite or (if ``positive``) not positive.
    drop_highest : int
        How many of the highest responses to leave out.
    start, stop : number or human number, optional
        Bounds of the first input, ends included.
    until_peak : bool
        Keep the first input only up to where the response is least.
    inputs : sequence of str, optional
        Which names the sample holds; otherwise all mapped and computed ones but the response.
    positive : bool
        Whether inputs and response must be positive, as logs need.

    Raises
    ------
    DataError
        Naming the column, or every bad row; or if no row is left.
    ParseError
        For a formula or filter that cannot be read.

    Examples
    --------
    >>> from symbolic_scaling.data import read
    >>> runs = read({"Model Size": [70e9, 0], "tokens": [1.4e12, 1e12], "loss": [1.93, 2.5]})
    >>> sample = select(runs, {"N": "Model Size"}, "loss", let={"C": "6*N*tokens"})
    >>> sample.x["C"], sample.dropped
    (array([5.88e+23]), ((2, 'N is 0, and logs need positive values; C is 0, and logs need positive values'),))
    """
    if on_bad not in {"drop", "raise"}:
        raise DataError("select rows", f"on_bad={on_bad!r}", "choose 'drop' or 'raise'")
    scope = _scope(table, x, let)
    names = dict.fromkeys(inputs if inputs is not None else [*scope.mapped, *scope.computed])
    columns = {name: scope.column(name) for name in names if name != y} | {y: scope.column(y)}
    notes = [*table.notes, *(note for column in columns.values() for note in column.notes)]
    places = _chosen(scope, where, notes)
    first = next(iter(columns.values())).values
    places = _within(places, first, start, stop, notes)
    bad = dict(_faults(columns, places, positive))
    if bad and on_bad == "raise":
        listed = "; ".join(f"row {table.rows[place]}: {why}" for place, why in bad.items())
        raise DataError(f"use {table.source}", f"{len(bad)} bad rows: {listed}", "correct them or drop them")
    good = [place for place in places if place not in bad]
    if until_peak and good:
        peak = first[min(good, key=lambda place: columns[y].values[place])]
        notes.append(f"kept the first input up to {peak:g}, where {y} is least")
        good = [place for place in good if first[place] <= peak]
    highest = sorted(good, key=lambda place: (-columns[y].values[place], place))[:drop_highest]
    bad |= dict.fromkeys(highest, f"{y} is among the {drop_highest} highest")
    dropped = tuple(sorted((table.rows[place], why) for place, why in bad.items()))
    good = [place for place in good if place not in bad]
    if not good:
        first_with = {why: row for row, why in reversed(dropped)}
        common = Counter(why for _, why in dropped).most_common(3)
        counted = "; ".join(f"row {first_with[why]}: {why} ({count} such)" for why, count in common)
        found = f"no row is left of {len(dropped)}; {counted}" if dropped else "no row is left"
        raise DataError(f"use {table.source}", found, "check the columns and the filter")
    rows = np.array(table.rows)[good]
    return _sample({name: column.values[good] for name, column in columns.items()}, rows, dropped, notes)


def keep(
    table: Table, where: str, x: Mapping[str, str] | Sequence[str] | str = (), let: Mapping[str, str] | None = None
) -> Table:
    """The rows that satisfy a filter, for grouping them afterwards; they keep their numbers.

    Parameters
    ----------
    table, where, x, let
        As for :func:`select`.

    Examples
    --------
    >>> from symbolic_scaling.data import read
    >>> keep(read({"x": [1, 2, 3]}), "x > 1").rows
    (2, 3)
    """
    return table.keep(np.flatnonzero(mask(where, _scope(table, x, let))))


def _scope(table: Table, x: Mapping[str, str] | Sequence[str] | str, let: Mapping[str, str] | None) -> Columns:
    """The names that formulas and filters may use."""
    scope = Columns(table, mapping(x))
    for name, formula in (let or {}).items():
        scope.compute(name, formula)
    return scope


def _sample(
    values: dict[str, Floats], rows: NDArray[np.int_], dropped: tuple[tuple[int, str], ...], notes: list[str]
) -> Sample:
    """Count exact duplicates and hash what is used; the response is the last of ``values``."""
    stacked = np.column_stack(list(values.values()))
    doubled = len(stacked) - len(np.unique(stacked, axis=0))
    if doubled:
        notes.append(f"{doubled} exact duplicate row{'s' if doubled > 1 else ''}")
    digest = hashlib.sha256("\n".join(values).encode())
    digest.update(np.ascontiguousarray(stacked, dtype="<f8").tobytes())
    *names, response = values
    x = {name: values[name] for name in names}
    return Sample(x, values[response], rows, dropped, tuple(notes), digest.hexdigest(), response)


def _chosen(scope: Columns, where: str | None, notes: list[str]) -> list[int]:
    if where is None:
        return list(range(len(scope)))
    places = [int(place) for place in np.flatnonzero(mask(where, scope))]
    notes.append(f"{where}: {len(places)} of {len(scope)} rows")
    return places


def _within(places: list[int], first: Floats, start: object, stop: object, notes: list[str]) -> list[int]:
    """Rows whose first input lies between the bounds; rows without a value stay, to be named as bad."""
    if start is None and stop is None:
        return places
    low = -np.inf if start is None else float(quantity.read(start).value)
    high = np.inf if stop is None else float(quantity.read(stop).value)
    kept = [place for place in places if np.isnan(first[place]) or low <= first[place] <= high]
    notes.append(f"from {low:g} to {high:g}: {len(kept)} of {len(places)} rows")
    return kept


def _faults(columns: Mapping[str, Column], places: Sequence[int], positive: bool) -> Iterator[tuple[int, str]]:
    """Position and reasons of every row that cannot be used."""
    for place in places:
        reasons = []
        for name, column in columns.items():
            value = column.values[place]
            if place in column.faults:
                reasons.append(column.faults[place])
            elif not np.isfinite(value):
                reasons.append(f"{name} is not finite")
            elif positive and value <= 0:
                reasons.append(f"{name} is {value:g}, and logs need positive values")
        if reasons:
            yield place, "; ".join(dict.fromkeys(reasons))
