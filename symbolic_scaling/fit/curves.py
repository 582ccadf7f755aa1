"""Curves to extrapolate: a table cut by columns into curves, and each curve into rows to fit and rows held out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import data
from ..errors import DataError
from .solve import Floats

__all__ = ["Curve", "split"]

Key = tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class Curve:
    """One learning curve, cut in two; the arrays are read-only.

    Parameters
    ----------
    by : tuple of (column, value)
        What names it.
    group : str
        What it is averaged with.
    x, later_x : mapping of input to array (n,)
        Inputs of the rows to fit, and of those held out.
    y, later_y : array (n,)
        Their responses.
    notes : tuple of str
        What the reader interpreted or dropped.
    """

    by: Key
    group: str
    x: Mapping[str, Floats]
    y: Floats
    later_x: Mapping[str, Floats]
    later_y: Floats
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for array in (*self.x.values(), self.y, *self.later_x.values(), self.later_y):
            array.setflags(write=False)

    @property
    def name(self) -> str:
        """The values that name it, in one line."""
        return ", ".join(value for _, value in self.by) or "all rows"


def split(
    table: data.Table,
    x: Mapping[str, str],
    y: str,
    *,
    by: Sequence[str] = (),
    group: str | None = None,
    column: str | None = None,
    **chosen: Any,
) -> tuple[Curve, ...]:
    """Cut a table into curves, and each curve into rows to fit and rows held out.

    Parameters
    ----------
    table : Table
        From :func:`~symbolic_scaling.data.read`.
    x : mapping of input to column
        As for :func:`~symbolic_scaling.data.select`.
    y : str
        The response: a column or a ``let`` name.
    by : sequence of str
        Columns whose values name a curve.
    group : str, optional
        The column over whose values errors are averaged; it has one value on each curve.
    column : str, optional
        1 in it marks the rows to fit. Without it a curve is cut at half of its largest first input, as
        arXiv 2209.06640 does: fitted up to there, judged beyond.
    **chosen
        ``let``, ``start``, ``stop``, ``until_peak``, ``inputs``, ... of :func:`~symbolic_scaling.data.select`.

    Raises
    ------
    DataError
        If a column is missing, a curve has no usable row or none held out, or its group is not unique.

    Examples
    --------
    >>> runs = data.read({"task": ["a", "a", "a"], "n": [1, 2, 4], "loss": [3.0, 2.0, 1.5]})
    >>> (curve,) = split(runs, {"x": "n"}, "loss", by=["task"])
    >>> curve.name, curve.x["x"], curve.later_x["x"]
    ('a', array([1., 2.]), array([4.]))
    """
    parts = data.group(table, by) if by else [((), table)]
    return tuple(_curve(part, _texts(key), group, column, data.select(part, x, y, **chosen)) for key, part in parts)


def _texts(key: tuple[tuple[str, Any], ...]) -> Key:
    return tuple((name, "" if value is None else str(value)) for name, value in key)


def _curve(part: data.Table, by: Key, group: str | None, column: str | None, sample: data.Sample) -> Curve:
    place = {row: i for i, row in enumerate(part.rows)}
    used = [place[int(row)] for row in sample.rows]
    fitted = _marked(part, column, used) if column else _lower_half(sample)
    name = ", ".join(value for _, value in by) or part.source
    if fitted.all() or not fitted.any():
        found = "no row is held out" if fitted.all() else "every row is held out"
        raise DataError(f"split {name}", found, f"mark the rows to fit by 1 in {column}" if column else "add rows")
    lost = sample.dropped
    dropped = [f"{len(lost)} rows dropped: {data.summary(lost)}"] if lost else []
    return Curve(
        by=by,
        group=_group(part, group, name),
        x={key: values[fitted] for key, values in sample.x.items()},
        y=sample.y[fitted],
        later_x={key: values[~fitted] for key, values in sample.x.items()},
        later_y=sample.y[~fitted],
        notes=(*sample.notes, *dropped),
    )


def _marked(part: data.Table, column: str, used: list[int]) -> NDArray[np.bool_]:
    values = part.numbers(column)
    faults = sorted(set(values.faults) & set(used))
    if faults:
        found = f"row {part.rows[faults[0]]}: {values.faults[faults[0]]}"
        raise DataError(f"split {part.source} by {column}", found, "give 1 for rows to fit, 0 for rows held out")
    marked: NDArray[np.bool_] = values.values[used] == 1
    return marked


def _lower_half(sample: data.Sample) -> NDArray[np.bool_]:
    first = next(iter(sample.x.values()))
    lower: NDArray[np.bool_] = first <= first.max() / 2
    return lower


def _group(part: data.Table, column: str | None, name: str) -> str:
    if column is None:
        return "all"
    ((found, _), *others) = data.group(part, column)
    if others:
        raise DataError(f"group {name} by {column}", f"it has {len(others) + 1} values of {column}", "add it to --by")
    return _texts(found)[0][1]
