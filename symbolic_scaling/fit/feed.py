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
    """What is read of a table: as for :func:`~symbolic_scaling.data.select`; ``by`` names a curve.

    ``more`` are columns of other numbers for each row, behind the inputs in what is read: ``sigma`` and ``weights``.
    """

    x: Mapping[str, str]
    y: str
    inputs: tuple[str, ...]
    by: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, str] = field(default_factory=dict)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of the numbers of a row but for its response."""
        return (*self.inputs, *self.more.values())


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
    parts = (part for part in (_part(table, columns) for table in tables) if part.keys)
    curves = _gathered(parts, columns) if grouped else _joined(run for part in parts for run in _runs(part, columns))
    waiting: list[list[_Run]] = []
    size = 0
    for curve in curves:
        waiting.append(curve)
        size += sum(len(run.y) + len(run.dropped) for run in curve)
        if size >= rows:
            yield _block(waiting, columns)
            waiting, size = [], 0
    if waiting:
        yield _block(waiting, columns)


@dataclass(frozen=True, eq=False)
class _Part:
    """The rows of one piece: the key of each, where those that can be used stand among them, and what is wrong."""

    keys: list[tuple[Any, ...]]
    good: Index
    x: Floats
    y: Floats
    bad: dict[int, tuple[int, str]]


def _part(table: data.Table, columns: Columns) -> _Part:
    read = data.usable(table, columns.x, columns.y, inputs=columns.numbers, **columns.options)
    labels = [data.labels(table, name) for name in columns.by]
    keys = list(zip(*labels, strict=True)) if labels else [()] * len(table)
    if len(read.places) < len(table):
        keys = [keys[place] for place in read.places.tolist()]
    good = read.good
    x = np.array([read.values[name][good] for name in columns.numbers]).reshape(len(columns.numbers), len(good))
    where = np.searchsorted(read.places, list(read.bad)).tolist()
    bad = {place: (table.rows[row], why) for place, (row, why) in zip(where, read.bad.items(), strict=True)}
    return _Part(keys, np.searchsorted(read.places, good), x, read.values[columns.y][good], bad)


def _runs(part: _Part, columns: Columns) -> Iterator[_Run]:
    """The runs of one piece, in order."""
    keys = part.keys
    first = [0, *(i for i in range(1, len(keys)) if keys[i] != keys[i - 1])]
    ends = [*first[1:], len(keys)]
    cuts = np.searchsorted(part.good, [*first, len(keys)]).tolist()
    for i, (place, end) in enumerate(zip(first, ends, strict=True)):
        some = slice(cuts[i], cuts[i + 1])
        dropped = tuple(part.bad[row] for row in range(place, end) if row in part.bad) if part.bad else ()
        yield _Run(tuple(zip(columns.by, keys[place], strict=True)), part.x[:, some], part.y[some], dropped)


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


def _gathered(parts: Iterable[_Part], columns: Columns) -> Iterator[list[_Run]]:
    """All rows of a key together, in order of first appearance."""
    known: dict[tuple[Any, ...], int] = {}
    read: list[tuple[Index, Floats, Floats]] = []
    dropped: dict[int, list[tuple[int, str]]] = {}
    for part in parts:
        numbers = np.array([known.setdefault(key, len(known)) for key in part.keys])
        read.append((numbers[part.good], part.x, part.y))
        for row, why in part.bad.items():
            dropped.setdefault(int(numbers[row]), []).append(why)
    if not read:
        return
    numbers, x, y = (np.concatenate(each, axis=-1) for each in zip(*read, strict=True))
    order = np.argsort(numbers, kind="stable")
    x, y, ends = x[:, order], y[order], np.searchsorted(numbers[order], np.arange(len(known) + 1))
    for number, key in enumerate(known):
        some = slice(ends[number], ends[number + 1])
        named = tuple(zip(columns.by, key, strict=True))
        yield [_Run(named, x[:, some], y[some], tuple(dropped.get(number, ())))]


def _block(curves: Sequence[list[_Run]], columns: Columns) -> Block:
    runs = [run for curve in curves for run in curve]
    lengths = [sum(len(run.y) for run in curve) for curve in curves]
    dropped = {i: tuple(each for run in curve for each in run.dropped) for i, curve in enumerate(curves)}
    x, inputs = np.concatenate([run.x for run in runs], axis=1), len(columns.inputs)
    return Block(
        keys=tuple(curve[0].key for curve in curves),
        ends=np.cumsum([0, *lengths]),
        x=x[:inputs],
        y=np.concatenate([run.y for run in runs]),
        dropped={i: each for i, each in dropped.items() if each},
        more=dict(zip(columns.more, x[inputs:], strict=True)),
    )
