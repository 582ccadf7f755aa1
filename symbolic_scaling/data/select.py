"""From a table to the arrays of a fit: columns mapped and computed, rows filtered, every dropped row with its reason.

Order: ``let`` columns, ``where``, the range of x, rows that are missing or not positive, the highest responses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import DataError
from .reasons import summary
from .table import Floats, Table
from .usable import scope, usable
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
        How many of the highest responses to leave out; of equal ones the first rows.
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
    (array([5.88e+23]), ((2, 'N is 0, and has to be positive; C is 0, and has to be positive'),))
    """
    if on_bad not in {"drop", "raise"}:
        raise DataError("select rows", f"on_bad={on_bad!r}", "choose 'drop' or 'raise'")
    read = usable(table, x, y, let=let, where=where, start=start, stop=stop, inputs=inputs, positive=positive)
    columns, bad, notes, good = read.values, dict(read.bad), [*table.notes, *read.notes], read.good
    if bad and on_bad == "raise":
        listed = "; ".join(f"row {table.rows[place]}: {why}" for place, why in bad.items())
        raise DataError(f"use {table.source}", f"{len(bad)} bad rows: {listed}", "correct them or drop them")
    first = next(iter(columns.values()))
    if until_peak and good.size:
        peak = first[good[np.argmin(columns[y][good])]]
        notes.append(f"kept the first input up to {peak:g}, where {y} is least")
        good = good[first[good] <= peak]
    highest = good[np.lexsort((good, -columns[y][good]))][:drop_highest].tolist()
    bad |= dict.fromkeys(highest, f"{y} is among the {drop_highest} highest")
    dropped = tuple(sorted((table.rows[place], why) for place, why in bad.items()))
    good = np.setdiff1d(good, highest)
    if not good.size:
        found = f"no row is left of {len(dropped)}; {summary(dropped)}" if dropped else "no row is left"
        raise DataError(f"use {table.source}", found, "check the columns and the filter")
    rows = np.array(table.rows)[good]
    return _sample({name: values[good] for name, values in columns.items()}, rows, dropped, notes)


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
    return table.keep(np.flatnonzero(mask(where, scope(table, x, let))))


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
