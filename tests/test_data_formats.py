"""A table is read by what a file is, not by what it is called; what is no table is named, with what to do."""

import bz2
import gzip
import io
import json
import lzma
import pickle
import sqlite3
import zipfile
from pathlib import Path

import numpy as np
import pytest

from symbolic_scaling.data import read
from symbolic_scaling.data.pieces import pieces
from symbolic_scaling.errors import DataError

TEXT = b"x,y\n1,2\n"


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return out.getvalue()


def saved(function) -> bytes:
    out = io.BytesIO()
    function(out, x=np.arange(3.0))
    return out.getvalue()


def database(tmp_path: Path) -> bytes:
    with sqlite3.connect(tmp_path / "made.db") as made:
        made.execute("create table runs (x real)")
    made.close()
    return (tmp_path / "made.db").read_bytes()


@pytest.mark.parametrize("name", ["runs.csv", "runs.json", "runs.jsonl", "runs"])
def test_what_is_no_table_is_named(tmp_path: Path, name: str) -> None:
    array = io.BytesIO()
    np.save(array, np.arange(3.0))
    made = {
        "zip": zipped(),
        ".npz": saved(np.savez),
        "gzip": gzip.compress(TEXT),
        "bzip2": bz2.compress(TEXT),
        "xz": lzma.compress(TEXT),
        ".npy": array.getvalue(),
        "pickle": pickle.dumps({"x": [1]}),
        "SQLite": database(tmp_path),
    }
    for what, content in made.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DataError) as error:
            read(tmp_path / name)
        assert what in error.value.found and "UTF-8" not in str(error.value), what


def test_a_header_may_begin_as_a_format_does(tmp_path: Path) -> None:
    for header in ("BZh", "PK", "ARROW1", "PAR", "[x"):
        (tmp_path / "runs.csv").write_text(f"{header},y\n1,2\n")
        assert read(tmp_path / "runs.csv").columns == (header, "y")


@pytest.mark.parametrize("name", ["runs.json", "runs.csv", "runs"])
def test_an_array_of_objects_is_a_table(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(json.dumps([{"x": 1, "y": 2.5}, {"x": 2}], indent=1))
    table = read(tmp_path / name)
    assert table.columns == ("x", "y") and table.cells == ((1, 2), (2.5, None)) and table.source == name
    assert [piece.cells for piece in pieces(tmp_path / name)] == [table.cells]


@pytest.mark.parametrize("text", ['{"x": [1]}', "[1, 2]", "[{]", "[" * 100_000])
def test_other_json_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "runs.json").write_text(text)
    with pytest.raises(DataError, match="object"):
        read(tmp_path / "runs.json")


def test_parquet_under_another_name_is_read(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars", reason="the data extra is not installed")
    polars.DataFrame({"x": [1, 2], "y": [0.5, 0.25]}).write_parquet(tmp_path / "made.parquet")
    (tmp_path / "runs.csv").write_bytes((tmp_path / "made.parquet").read_bytes())
    assert read(tmp_path / "runs.csv").cells == ((1, 2), (0.5, 0.25))
