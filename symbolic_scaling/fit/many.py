"""``fit.many``: one law fitted to every curve of a table, a hundred thousand of them if need be.

The table passes by block by block; curves of a block are searched together (:mod:`.block`), blocks run on any executor,
and what is finished stands in a journal (:mod:`.journal`), so that a run that was killed goes on where it was.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from os import PathLike
from pathlib import Path
from typing import Any

from .. import data
from ..errors import FitError, TableChanged
from ..law import Law
from . import feed, header, line, priors, require, tie
from .block import Block, Job, fit_block
from .jobs import ordered
from .journal import Journal, Pages, lines
from .line import Line
from .loss import Measure

__all__ = ["Fits", "many"]

ROWS = 8192
_OPTIONS = ("residual", "loss", "delta", "reduce", "priors", "tie", "fix", "bounds", "seed", "target")
_MEASURE = (("residual", "response"), ("loss", "squared"), ("delta", 1e-3))


@dataclass(frozen=True, eq=False)
class Fits:
    """The lines of :func:`many`, in order of the curves' first appearance.

    Parameters
    ----------
    law : Law
    by : tuple of str
        The columns that name a curve.
    source : Path or tuple of bytes
        The journal that holds the lines, or the blocks themselves.
    """

    law: Law
    by: tuple[str, ...]
    source: Path | tuple[bytes, ...]

    def __str__(self) -> str:
        ended = ", ".join(f"{count} {outcome}" for outcome, count in self.outcomes().items())
        return f"{self.law.name} fitted to {len(self)} curves by {', '.join(self.by)}: {ended or 'none'}"

    def __repr__(self) -> str:
        return f"<Fits of {self.law.name} by {', '.join(self.by)}>"

    def __iter__(self) -> Iterator[Line]:
        return map(line.read, self.texts())

    def __len__(self) -> int:
        return sum(1 for _ in self.texts())

    def texts(self) -> Iterator[bytes]:
        """Each line as it is written down."""
        if isinstance(self.source, Path):
            return lines(self.source)
        return (text for block in self.source for text in block.splitlines(keepends=True))

    def outcomes(self) -> dict[str, int]:
        """How many curves ended how, the most frequent first."""
        return dict(Counter(each.outcome for each in self).most_common())

    def write(self, path: str | PathLike[str]) -> None:
        """Write a table of them, by its ending ``.jsonl``, ``.csv`` or ``.parquet``: whole, or not at all.

        Raises
        ------
        DataError
            For another ending, or a place that cannot be written to.
        MissingExtra
            For Parquet without the ``data`` extra.
        """
        from .output import write

        write(self, Path(path))


def many(
    table: Any,
    *,
    by: Sequence[str] | str,
    x: Mapping[str, str] | str,
    y: str,
    law: Law,
    sigma: str | None = None,
    weights: str | None = None,
    let: Mapping[str, str] | None = None,
    where: str | None = None,
    start: object = None,
    stop: object = None,
    executor: Executor | None = None,
    journal: str | PathLike[str] | None = None,
    progress: Callable[[int], None] = lambda count: None,
    block: int = ROWS,
    **options: Any,
) -> Fits:
    """Fit a law to every curve of a table; a curve that cannot be fitted gets a line that says why.

    Parameters
    ----------
    table : path or data frame
        As for :func:`~symbolic_scaling.data.read`. Comma-separated text and Parquet are read piece by piece, and memory
        is bounded by the block where the rows of each curve stand together; otherwise the numbers are held whole.
    by : sequence of str, or one
        Columns whose values name a curve.
    x : mapping of input to column, or the column of the only input
    y : str
        The response: a column or a ``let`` name.
    law : Law
    sigma, weights : str, optional
        Columns, or ``let`` names, of what :func:`~symbolic_scaling.fit.curve` takes by these names.
    let, where, start, stop
        As for :func:`~symbolic_scaling.data.select`.
    executor : concurrent.futures.Executor, optional
        A pool of processes or threads, or dask's ``client.get_executor()``; the lines do not depend on it.
    journal : path, optional
        What is finished, on disk once a block. A run that finds its journal goes on with it.
    progress : callable
        Called after every block with the number of curves done.
    block : int
        Rows that are worked on together; a longer curve is a block of its own.
    **options
        ``residual``, ``loss``, ``delta``, ``reduce``, ``priors``, ``tie``, ``fix``, ``bounds``, ``seed``, ``target`` of
        :func:`~symbolic_scaling.fit.curve`.

    Returns
    -------
    Fits

    Raises
    ------
    FitError
        If an option, or a name in it, is wrong.
    DataError
        If the table or a column cannot be read, or the journal is that of another run.
    TableChanged
        If the table was written to while it was read: no line is kept.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> runs = {"task": ["a"] * 4 + ["b"], "n": [1, 10, 100, 1000, 1], "loss": [3.0, 2.0, 1.5, 1.25, 2.0]}
    >>> for each in many(runs, by="task", x="n", y="loss", law=laws.get("m2")):
    ...     print(dict(each.by), each.outcome, {name: round(value, 6) for name, value in each.estimate.items()})
    {'task': 'a'} OPTIMUM_REACHED {'beta': 2.0, 'c': -0.30103, 'eps_inf': 1.0}
    {'task': 'b'} ERROR {}
    """
    job = _job(law, options)
    inputs = tuple(symbol.name for symbol in law.inputs)
    columns = feed.Columns(
        x={inputs[0]: x} if isinstance(x, str) else dict(x),
        y=y,
        inputs=inputs,
        by=(by,) if isinstance(by, str) else tuple(by),
        options={"let": dict(let or {}), "where": where, "start": start, "stop": stop},
        more={name: column for name, column in (("sigma", sigma), ("weights", weights)) if column is not None},
    )
    source = table if isinstance(table, str | Path | data.Table) else data.read(table)
    with (
        Journal.open(journal, header.header(job, columns, source, block)) if journal is not None else Pages({}) as book
    ):
        if not book.finished:
            steps = _Steps(job, columns, source, block, executor, progress)
            try:
                steps.go_on(book)
            except feed.Apart:
                book.restart({**book.header, "grouped": True})
                steps.go_on(book)
            book.finish()
        return Fits(tie.tied(law, job.options.get("tie") or {}), columns.by, book.source)


@dataclass(frozen=True)
class _Steps:
    """From the table through the executor into the journal."""

    job: Job
    columns: feed.Columns
    source: Any
    rows: int
    executor: Executor | None
    progress: Callable[[int], None]

    def go_on(self, book: Journal | Pages) -> None:
        """Add the blocks that are missing, and compare those that are there with the table.

        Raises
        ------
        TableChanged
            If the table is not the one of the journal, or changed while it was read; the journal keeps no block then.
        """
        grouped = bool(book.header.get("grouped"))
        tables = data.pieces(self.source, book.header.get("data"))
        marks: deque[str] = deque()
        try:
            missing = self._missing(book, feed.blocks(tables, self.columns, self.rows, grouped), marks)
            for text in ordered(partial(_texts, self.job), missing, self.executor):
                book.append(text, marks.popleft())
                self.progress(book.lines)
        except TableChanged:
            book.restart(book.header)
            raise

    def _missing(self, book: Journal | Pages, blocks: Iterator[Block], marks: deque[str]) -> Iterator[Block]:
        """The blocks behind those of the journal; ``marks`` takes what each is made of."""
        known = tuple(book.marks)
        for block, mark in zip_longest(blocks, known):
            if block is None or (mark is not None and block.digest != mark):
                raise TableChanged(
                    "go on with a journal", "the table is not the one that its blocks hold", "start again"
                )
            if mark is None:
                marks.append(block.digest)
                yield block


def _texts(job: Job, block: Block) -> bytes:
    """The lines of a block, as they are written down."""
    return "".join(map(line.text, fit_block(job, block))).encode()


def _job(law: Law, options: Mapping[str, Any]) -> Job:
    """What is fitted to each curve; what is wrong with it is said once, here."""
    require.law_given(law)
    unknown = sorted(set(options) - set(_OPTIONS))
    if unknown:
        raise FitError(f"fit {law.name} to many curves", f"the option {unknown[0]!r}", f"give {', '.join(_OPTIONS)}")
    given = {name: value for name, value in options.items() if value is not None}
    Measure(*(given.get(name, default) for name, default in _MEASURE))
    ties = given.get("tie") or {}
    tied = tie.tied(law, ties)
    priors.read(tied, given.get("priors") or {}, tie.expressions(law, ties))
    require.bounded(tied, given.get("bounds") or {}, require.fixed(tied, given.get("fix") or {}))
    return Job(law, given)
