"""The lines of many curves as one table in a file: JSON lines, comma-separated text or Parquet, written whole."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import data
from ..atomic_write import whole
from ..errors import DataError
from ..escape import sheet
from .line import Line

if TYPE_CHECKING:
    from .many import Fits

__all__ = ["check", "columns", "row", "write"]

_REMEDY = "name a file in a folder that exists and can be written to, with room"
_ENDINGS = (".jsonl", ".csv", ".parquet")


def check(path: Path) -> None:
    """Refuse an ending that nothing is written for.

    Raises
    ------
    DataError
    MissingExtra
        For Parquet without the ``data`` extra.
    """
    asked = f"write {path.name}"
    if path.suffix.lower() not in _ENDINGS:
        raise DataError(asked, f"its ending is {path.suffix!r}", f"name a file that ends in {', '.join(_ENDINGS)}")
    if path.suffix.lower() == ".parquet":
        with data.parquet(asked):
            pass


def write(fits: Fits, path: Path) -> None:
    """Write the lines to a temporary file in the same folder, then rename it; as for :meth:`.many.Fits.write`."""
    check(path)
    if isinstance(fits.source, Path) and path.exists() and path.samefile(fits.source):
        raise DataError(f"write {path}", "it is the journal of these lines", "name another file")
    kind = path.suffix.lower()
    try:
        with whole(path) as place:
            if kind == ".jsonl":
                with place.open("wb") as file:
                    file.writelines(fits.texts())
            elif kind == ".csv":
                _csv(fits, place)
            else:
                _parquet(fits, place, path)
    except OSError as error:
        raise DataError(f"write {path}", error.strerror or str(error), _REMEDY) from None


def columns(fits: Fits) -> list[str]:
    """The names of :func:`row`: what names the curve, how the fit ended, each constant with error and interval."""
    constants = [f"{symbol.name}{end}" for symbol in fits.law.constants for end in ("", "_se", "_lo", "_hi")]
    ours = ["outcome", "objective", *constants, "rows", "dropped", "degrees_of_freedom", "agree", "starts"]
    found = list(fits.by)
    for name in (*ours, "notes", "error"):
        while name in found:
            name += "_"  # noqa: PLW2901
        found.append(name)
    return found


def row(fits: Fits, line: Line) -> list[Any]:
    """One line as a row under :func:`columns`; None where there is no number."""
    by = dict(line.by)
    cells = [by.get(name) for name in fits.by]
    cells += [line.outcome, None if line.error else line.objective]
    for symbol in fits.law.constants:
        between = line.intervals.get(symbol.name, (None, None))
        cells += [line.estimate.get(symbol.name), line.standard_errors.get(symbol.name), *between]
    error = "{asked}: {found}; {remedy}".format(**line.error) if line.error else None
    cells += [line.rows, len(line.dropped), line.degrees_of_freedom, line.agree, line.starts]
    return [*cells, "; ".join(line.notes) or None, error]


def _csv(fits: Fits, place: Path) -> None:
    with place.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(map(sheet, columns(fits)))
        writer.writerows(map(sheet, row(fits, line)) for line in fits)


def _parquet(fits: Fits, place: Path, path: Path) -> None:
    with data.parquet(f"write {path}", "it cannot be written", _REMEDY) as polars:
        names = columns(fits)
        kinds = dict.fromkeys(names, polars.Float64)
        counts = ("rows", "dropped", "degrees_of_freedom", "agree", "starts")
        kinds |= {name: polars.Int64 for name in names[len(fits.by) :] if name.rstrip("_") in counts}
        kinds |= dict.fromkeys((*fits.by, names[len(fits.by)], *names[-2:]), polars.String)
        rows = (
            [*(None if c is None else str(c) for c in cells[: len(fits.by)]), *cells[len(fits.by) :]]
            for cells in (row(fits, line) for line in fits)
        )
        polars.DataFrame(list(rows), schema=kinds, orient="row").write_parquet(place)
