"""Reading run tables: CSV, TSV and semicolon files, JSON, Parquet, and any data frame or mapping of columns."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import DataError, MissingExtra
from .frames import from_frame
from .table import Table

__all__ = ["read"]

_TAB = {".tsv", ".tab"}
_JSON = {".jsonl", ".ndjson"}
_PARQUET = b"PAR1"
_OTHER = (
    (rb"PK\x03\x04", "a zip archive, as .xlsx, .ods and .npz are", "save the table in it as CSV, or unpack it"),
    (rb"\x1f\x8b", "compressed with gzip", "unpack it with gunzip"),
    (rb"BZh[1-9]1AY&SY", "compressed with bzip2", "unpack it with bunzip2"),
    (rb"\xfd7zXZ\x00", "compressed with xz", "unpack it with unxz"),
    (rb"\x28\xb5\x2f\xfd", "compressed with zstd", "unpack it with unzstd"),
    (rb"\xd0\xcf\x11\xe0", "an old spreadsheet (.xls)", "save it as CSV"),
    (rb"\x93NUMPY", "a NumPy array (.npy)", "save it as CSV with numpy.savetxt, a name over every column"),
    (rb"\x89HDF", "HDF5", "save the table in it as CSV or Parquet"),
    (rb"ARROW1\x00", "Arrow (Feather)", "save it as Parquet"),
    (rb"SQLite format 3\x00", "an SQLite database", "save the table in it as CSV"),
    (rb"%PDF-", "a PDF", "save its table as CSV"),
    (rb"\x80[\x02-\x05]", "a Python pickle, which is never opened", "save the table in it as CSV or Parquet"),
)
"""Formats of other kinds, by how a file begins."""
_COMMA = re.compile(r"[+-]?[0-9.]*[0-9],[0-9]+([eE][+-]?[0-9]+)?%?")
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}\.[0-9]{3}%?")
_POINT = re.compile(r"[+-]?[0-9]*\.[0-9]+([eE][+-]?[0-9]+)?%?")


def read(source: Any, *, separator: str | None = None, decimal_mark: str | None = None) -> Table:
    """Read a table.

    Parameters
    ----------
    source : path or data frame
        A file by its ending: ``.jsonl``/``.ndjson``, ``.json`` (an array of objects), ``.parquet``, ``.tsv``, else text
        with separators; Parquet and an array of objects are known by how they begin too. Or a pandas, polars or pyarrow
        frame, a mapping of columns, or a list of mappings. It is never changed.
    separator : str, optional
        Between cells; otherwise tab, semicolon or comma, by the ending and the header.
    decimal_mark : {".", ","}, optional
        Otherwise a comma if the separator is a semicolon and the cells say so.

    Returns
    -------
    Table
        Rows count from 1 without the header; blank lines do not count, nor do lines above the header that begin with
        ``#``. Its notes say what was skipped or interpreted.

    Raises
    ------
    DataError
        For a file that is missing, empty or not text, doubled headers and ragged rows, naming the row.
    MissingExtra
        For Parquet without the ``data`` extra.

    Examples
    --------
    >>> read({"x": [1, 2], "y": [0.5, 0.25]}).columns
    ('x', 'y')
    """
    if not isinstance(source, str | Path):
        return from_frame(source)
    path = Path(source)
    asked = f"read {path.name}"
    raw = _bytes(path, asked)
    if path.suffix.lower() == ".parquet" or raw.startswith(_PARQUET):
        return _parquet(path, asked)
    text = _text(raw, asked)
    if path.suffix.lower() == ".json" or re.match(r"\s*\[\s*[{\]]", text):
        return _json_array(text, path.name, asked)
    if path.suffix.lower() in _JSON:
        return _json_lines(text, path.name, asked)
    return _separated(text, path, asked, separator, decimal_mark)


def _bytes(path: Path, asked: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(asked, error.strerror or "it cannot be opened", "check the path") from None


def _text(raw: bytes, asked: str) -> str:
    """A file as text, without a byte-order mark."""
    for start, what, remedy in _OTHER:
        if re.match(start, raw):
            raise DataError(asked, f"it is {what}", remedy)
    try:
        text = raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise DataError(asked, "it is not UTF-8 text", "save it as UTF-8", f"line {line}") from None
    if not text.strip():
        raise DataError(asked, "the file is empty", "give a file with a header and rows")
    return text


def _separated(text: str, path: Path, asked: str, separator: str | None, mark: str | None) -> Table:
    text, skipped = _uncommented(text, asked)
    header = text.lstrip("\r\n").splitlines()[0]
    chosen = separator or ("\t" if path.suffix.lower() in _TAB or "\t" in header else between(header))
    rows = lines(io.StringIO(text, newline=""), chosen, asked)
    columns = tuple(name.strip() for name in next(rows))
    body = whole(rows, columns, asked)
    if not body:
        raise DataError(asked, "it has a header and no rows", "give at least one row")
    point, notes = (mark, ()) if mark else _decimal_mark(body, chosen, asked)
    return Table(
        columns, tuple(zip(*body, strict=True)), tuple(range(1, len(body) + 1)), path.name, point, (*skipped, *notes)
    )


def _uncommented(text: str, asked: str) -> tuple[str, tuple[str, ...]]:
    """The text with lines above the header that begin with ``#`` left empty, and what to say of them."""
    rows, count = text.splitlines(keepends=True), 0
    for place, row in enumerate(rows):
        if row.strip() and row[0] != "#":
            break
        count += row[0] == "#"
        rows[place] = "\n"
    else:
        raise DataError(asked, "every line begins with #", "give a header and rows without #")
    said = f"{count} line{'s' if count > 1 else ''} above the header, beginning with #, left out"
    return "".join(rows) if count else text, (said,) if count else ()


def between(header: str) -> str:
    """What separates the cells of a header without tabs."""
    return ";" if header.count(";") > header.count(",") else ","


def lines(file: Iterable[str], separator: str, asked: str) -> Iterator[list[str]]:
    """Rows that hold anything; errors of the csv module name the line."""
    reader = csv.reader(file, delimiter=separator, strict=True)
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                yield cells
    except csv.Error as error:
        raise DataError(asked, str(error), "check its quotes", f"line {reader.line_num}") from None


def whole(rows: Iterable[list[str]], columns: Sequence[str], asked: str, first: int = 1) -> list[list[str]]:
    """The rows, each with a cell under every column; ``first`` is the number of the first one."""
    body = list(rows)
    if set(map(len, body)) - {len(columns)}:
        row, cells = next((row, cells) for row, cells in enumerate(body, first) if len(cells) != len(columns))
        found = f"{len(cells)} cells under {len(columns)} columns"
        raise DataError(asked, found, "complete the row or quote its cells", f"row {row}")
    return body


def _decimal_mark(body: list[list[str]], separator: str, asked: str) -> tuple[str, tuple[str, ...]]:
    """The decimal mark of a semicolon or tab file by its cells; a comma only if no cell has a decimal point."""
    if separator == ",":
        return ".", ()
    comma = next(((row, cell) for row, cells in enumerate(body, 1) for cell in cells if _COMMA.fullmatch(cell)), None)
    point = next(((row, cell) for row, cells in enumerate(body, 1) for cell in cells if _POINT.fullmatch(cell)), None)
    if comma and point and separator == ";":
        found = f"row {comma[0]} has {comma[1]!r} and row {point[0]} has {point[1]!r}"
        raise DataError(asked, found, "say which is the decimal mark: --decimal , or decimal_mark=','; or . likewise")
    if comma and separator == ";":
        return ",", (f"the comma is read as the decimal mark, as in {comma[1]!r}",)
    points = [cell for cells in body for cell in cells if _POINT.fullmatch(cell)] if separator == ";" else []
    if points and all(map(_GROUPED.fullmatch, points)):
        how = "--decimal , or decimal_mark=',' takes it for thousands"
        return ".", (f"the point is read as the decimal mark, as in {points[0]!r}; {how}",)
    return ".", ()


def _json_lines(text: str, name: str, asked: str) -> Table:
    """One JSON object a line; a key that a row lacks is a missing cell."""
    records: list[dict[str, Any]] = []
    for line in text.splitlines():
        if not line.strip():
            continue
        where = f"row {len(records) + 1}"
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(asked, f"it is not JSON: {error}", "give one object a line", where) from None
        if not isinstance(record, dict):
            raise DataError(asked, f"a {type(record).__name__}", "give one object a line", where)
        records.append(record)
    return replace(from_frame(records), source=name)


def _json_array(text: str, name: str, asked: str) -> Table:
    """An array of JSON objects, a row each; a key that a row lacks is a missing cell."""
    try:
        records = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(asked, f"it is not JSON: {error}", "give an array of objects, or one object a line") from None
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise DataError(asked, "it is JSON, and no array of objects", "give an array with an object for each row")
    return replace(from_frame(records), source=name)


def _parquet(path: Path, asked: str) -> Table:
    with parquet(asked) as polars:
        return replace(from_frame(polars.read_parquet(path)), source=path.name)


@contextmanager
def parquet(asked: str, found: str = "it is not Parquet", remedy: str = "check the file") -> Iterator[Any]:
    """Polars, whose errors become ours."""
    try:
        import polars
    except ImportError:
        extra = "install the data extra: pip install 'symbolic-scaling[data]'"
        raise MissingExtra(asked, "Parquet needs polars, which is not installed", extra) from None
    try:
        yield polars
    except (OSError, polars.exceptions.PolarsError) as error:
        raise DataError(asked, f"{found}: {str(error)[:120]}", remedy) from None
