"""A table piece by piece, so that memory is bounded by the piece: comma-separated files and Parquet.

Comma-separated text is read row by row, Parquet by its row groups. Other sources (JSON lines, semicolons and tabs, data
frames) are read whole and then cut.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import DataError, TableChanged
from .frames import from_frame
from .read import between, lines, parquet, read, whole
from .table import Table

__all__ = ["digest", "pieces"]

_TEXT_ROWS, _PARQUET_ROWS = 1 << 16, 1 << 18
_BYTES = 1 << 20  # of text read at once
_WHOLE = {".json", ".jsonl", ".ndjson", ".tsv", ".tab"}


def pieces(source: Any, expected: str | None = None) -> Iterator[Table]:
    """The rows of a table in order, some at a time; each piece keeps the row numbers of the source.

    Parameters
    ----------
    source : path or data frame
        As for :func:`~symbolic_scaling.data.read`.
    expected : str, optional
        The :func:`digest` of a file. Behind the last piece what was read is compared with it: comma-separated text by
        the bytes that were read, other files by their state and digest before and after.

    Raises
    ------
    DataError, MissingExtra
        As :func:`~symbolic_scaling.data.read`, when the faulty row is reached.
    TableChanged
        If the file is not the expected one any more.

    Examples
    --------
    >>> [len(piece) for piece in pieces({"x": [1, 2], "y": [0.5, 0.25]})]
    [2]
    """
    path = Path(source) if isinstance(source, str | Path) else None
    try:
        yield from _pieces(source, path, expected)
    except TableChanged:
        raise
    except DataError:
        if path is not None and expected and digest(path) != expected:
            raise _changed(path) from None
        raise


def _pieces(source: Any, path: Path | None, expected: str | None) -> Iterator[Table]:
    if path is not None and path.suffix.lower() not in {*_WHOLE, ".parquet"} and _commas(path):
        yield from _text(path, expected)
        return
    before = _state(path) if path is not None and expected else None
    if path is not None and path.suffix.lower() == ".parquet":
        yield from _parquet(path)
    else:
        yield from _cut(source if isinstance(source, Table) else read(source))
    if path is not None and expected and (_state(path) != before or digest(path) != expected):
        raise _changed(path)


def _state(path: Path) -> tuple[int, ...]:
    """What a write to a file, or another file in its place, changes."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _changed(path: Path) -> TableChanged:
    return TableChanged(f"read {path}", "the file changed while it was read", "start again when nothing writes to it")


def digest(source: Any) -> str:
    """The SHA-256 of a file, or of the cells of a table.

    Raises
    ------
    DataError
        If the file cannot be read.
    """
    found = hashlib.sha256()
    if isinstance(source, str | Path):
        try:
            with Path(source).open("rb") as file:
                while part := file.read(1 << 22):
                    found.update(part)
        except OSError as error:
            asked = f"read {Path(source).name}"
            raise DataError(asked, error.strerror or "it cannot be opened", "check the path") from None
        return found.hexdigest()
    table = source if isinstance(source, Table) else read(source)
    for name, cells in zip(table.columns, table.cells, strict=True):
        found.update(repr((name, cells)).encode())
    return found.hexdigest()


def _cut(table: Table) -> Iterator[Table]:
    if len(table) <= _PARQUET_ROWS:
        yield table
        return
    for start in range(0, len(table), _PARQUET_ROWS):
        yield table.keep(np.arange(start, min(start + _PARQUET_ROWS, len(table))))


def _commas(path: Path) -> bool:
    """Whether a file is UTF-8 text whose header is separated by commas; others, and faulty ones, are read whole."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = next((line for line in file if line.strip()), "")
    except (OSError, UnicodeDecodeError):
        return False
    if header.lstrip().startswith(("[", "#")):  # perhaps a JSON array; or lines above the header
        return False
    return bool(header) and "\t" not in header and between(header) == ","


class _Hashed(io.RawIOBase):
    """A file that keeps the SHA-256 of what was read of it."""

    def __init__(self, path: Path) -> None:
        self._file, self.digest = io.FileIO(path), hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._file.readinto(buffer) or 0
        self.digest.update(memoryview(buffer)[:count])
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


def _text(path: Path, expected: str | None) -> Iterator[Table]:
    asked = f"read {path.name}"
    hashed = _Hashed(path)
    with io.TextIOWrapper(io.BufferedReader(hashed, _BYTES), encoding="utf-8-sig", newline="") as file:
        try:
            rows = lines(file, ",", asked)
            columns = tuple(name.strip() for name in next(rows))
            done = 0
            while body := whole(islice(rows, _TEXT_ROWS), columns, asked, done + 1):
                numbers = tuple(range(done + 1, done + len(body) + 1))
                yield Table(columns, tuple(zip(*body, strict=True)), numbers, path.name)
                done += len(body)
        except UnicodeDecodeError:
            raise DataError(asked, "it is not UTF-8 text", "save it as UTF-8") from None
    if expected and hashed.digest.hexdigest() != expected:
        raise _changed(path)
    if not done:
        raise DataError(asked, "it has a header and no rows", "give at least one row")


def _parquet(path: Path) -> Iterator[Table]:
    with parquet(f"read {path.name}") as polars:
        frame = polars.scan_parquet(path)
        count = int(frame.select(polars.len()).collect().item())
        for start in range(0, max(count, 1), _PARQUET_ROWS):
            piece = from_frame(frame.slice(start, _PARQUET_ROWS).collect())
            rows = tuple(range(start + 1, start + len(piece) + 1))
            yield Table(piece.columns, piece.cells, rows, path.name)
