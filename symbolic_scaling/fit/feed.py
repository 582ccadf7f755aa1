"""Curves from a table: rows that follow one another under one key are a curve, some curves are a block.

Where every curve's rows stand together, a table passes through piece by piece and memory holds one block. A table in
which a key comes back is read whole, as numbers, and its rows are put together in order of first appearance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import data
from .block import Block
from .line import Key
from .solve import Floats
from .stack import Index

__all__ = ["Apart", "Columns", "blocks"]


class Apart(Exception):
    """The rows of one curve do not stand together."""


@dataclass(frozen=True)
class Columns:
    """What is read of a table: as for :func:`~symbolic_scaling.data.select`; ``by`` names a curve."""

    x: Mapping[str, str]
    y: str
    inputs: tuple[str, ...]
    by: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _Run:
    """Rows of one curve that follow one another."""

    key: Key
    x: Floats
    y: Floats
    dropped: tuple[tuple[int, str], ...]


def blocks(tables: Iterable[data.Table], columns: Columns, rows: int, grouped: bool) -> Iterator[Block]:
    """The curves of a table, as many at a time as have ``rows`` rows together.

    Parameters
    ----------
    tables : iterable of Table
        Pieces of one table.
    columns : Columns
    rows : int
    grouped : bool
        Whether to read the table whole; otherwise the rows of each curve must stand together.

    Raises
    ------
    Apart
        If they do not.
    DataError
        If a column is missing.
    """
    runs = (run for table in tables for run in _runs(table, columns))
    curves = _gathered(runs) if grouped else _joined(runs)
    waiting: list[list[_Run]] = []
    size = 0
    for curve in curves:
        waiting.append(curve)
        size += sum(len(run.y) + len(run.dropped) for run in curve)
        if size >= rows:
            yield _block(waiting)
            waiting, size = [], 0
    if waiting:
        yield _block(waiting)


def _runs(table: data.Table, columns: Columns) -> Iterator[_Run]:
    """The runs of one piece, in order."""
    read = data.usable(table, columns.x, columns.y, inputs=columns.inputs, **columns.options)
    if not len(read.places):
        return
    labels = [data.labels(table, name) for name in columns.by]
    keys = list(zip(*labels, strict=True)) if labels else [()] * len(table)
    if len(read.places) < len(table):
        keys = [keys[place] for place in read.places.tolist()]
    first = [0, *(i for i in range(1, len(keys)) if keys[i] != keys[i - 1])]
    good = read.good
    x, y = np.array([read.values[name][good] for name in columns.inputs]), read.values[columns.y][good]
    ends: Index = np.append(read.places[first], len(table))
    cuts = np.searchsorted(good, ends).tolist()
    bad = _by_run(table, read.bad, ends)
    for i, place in enumerate(first):
        key = tuple(zip(columns.by, keys[place], strict=True))
        yield _Run(key, x[:, cuts[i] : cuts[i + 1]], y[cuts[i] : cuts[i + 1]], tuple(bad.get(i, ())))


def _by_run(table: data.Table, bad: Mapping[int, str], ends: Index) -> dict[int, list[tuple[int, str]]]:
    found: dict[int, list[tuple[int, str]]] = {}
    for place, why in bad.items():
        found.setdefault(int(np.searchsorted(ends, place, side="right")) - 1, []).append((table.rows[place], why))
    return found


def _joined(runs: Iterable[_Run]) -> Iterator[list[_Run]]:
    """Runs of one key that touch are one curve; a key that comes back later is refused."""
    seen: set[int] = set()
    curve: list[_Run] = []
    for run in runs:
        if curve and run.key != curve[0].key:
            yield curve
            curve = []
        if not curve:
            mark = hash(run.key)
            if mark in seen:
                raise Apart
            seen.add(mark)
        curve.append(run)
    if curve:
        yield curve


def _gathered(runs: Iterable[_Run]) -> Iterator[list[_Run]]:
    """All runs of a key, in order of first appearance."""
    found: dict[Key, list[_Run]] = {}
    for run in runs:
        found.setdefault(run.key, []).append(run)
    yield from found.values()


def _block(curves: Sequence[list[_Run]]) -> Block:
    runs = [run for curve in curves for run in curve]
    lengths = [sum(len(run.y) for run in curve) for curve in curves]
    dropped = {i: tuple(each for run in curve for each in run.dropped) for i, curve in enumerate(curves)}
    return Block(
        keys=tuple(curve[0].key for curve in curves),
        ends=np.cumsum([0, *lengths]),
        x=np.concatenate([run.x for run in runs], axis=1),
        y=np.concatenate([run.y for run in runs]),
        dropped={i: each for i, each in dropped.items() if each},
    )
