"""Tables of every make: files with their faults, data frames, and the real tables."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symbolic_scaling.data import Sample, group, read, select
from symbolic_scaling.errors import DataError, MissingExtra

FOLDER = os.environ.get("SYMBOLIC_SCALING_DATA", "")
needs_data = pytest.mark.skipif(not FOLDER, reason="SYMBOLIC_SCALING_DATA names no folder")


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def of(x: Any, y: Any) -> Sample:
    return select(read({"x": x, "y": y}), "x", "y")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("plain.csv", "x,y\n1e3,2.5\n2e3,2.25\n"),
        ("bom.csv", "\ufeffx,y\n1e3,2.5\n2e3,2.25"),
        ("crlf.csv", "x,y\r\n1e3,2.5\r\n2e3,2.25\r\n"),
        ("utf16.csv", "x,y\n1e3,2.5\n2e3,2.25\n".encode("utf-16")),
        ("blank.csv", "\nx,y\n\n1e3,2.5\n\n2e3,2.25\n\n"),
        ("quoted.csv", '"x","y"\n"1,000","2.5"\n"2,000","2.25"\n'),
        ("tabs.tsv", "x\ty\n1k\t2.5\n2k\t2.25\n"),
        ("tabs.txt", "x\ty\n1e3\t2.5\n2e3\t2.25\n"),
        ("semicolon.csv", "x;y\n1000;2,5\n2000;2,25\n"),
        ("semicolon_point.csv", "x;y\n1000;2.5\n2000;2.25\n"),
        ("lines.jsonl", '{"x": 1000, "y": 2.5}\n\n{"y": 2.25, "x": 2e3}\n'),
    ],
)
def test_every_spelling_of_a_file_is_the_same_sample(tmp_path: Path, name: str, text: str | bytes) -> None:
    path = write(tmp_path, name, text)
    before = hashlib.sha256(path.read_bytes()).digest()
    sample = select(read(path), "x", "y")
    assert sample.x["x"].tolist() == [1000, 2000] and sample.y.tolist() == [2.5, 2.25]
    assert sample.rows.tolist() == [1, 2]
    assert sample.digest == of([1000, 2000], [2.5, 2.25]).digest
    assert hashlib.sha256(path.read_bytes()).digest() == before


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("empty.csv", "", "empty"),
        ("blank.csv", " \n\n", "empty"),
        ("header.csv", "x,y\n", "no rows"),
        ("ragged.csv", "x,y\n1,2\n3\n", "row 2"),
        ("long.csv", "x,y\n1,2\n3,4,5\n", "row 2"),
        ("doubled.csv", "x,y,x\n1,2,3\n", "columns named twice: x"),
        ("nameless.csv", "x,y,,\n1,2,,\n", "columns named twice: ''"),
        ("quote.csv", 'x,y\n1,"2\n', "line"),
        ("latin.csv", b"x,y\n1,2\n\xff\xfa,3\n", "line"),
        ("mixed.csv", "x;y\n1;2,5\n1;2.5\n", "row 1 has '2,5' and row 2 has '2.5'"),
        ("broken.jsonl", '{"x": 1}\n{"x": \n', "row 2"),
        ("list.jsonl", "[1, 2]\n", "row 1"),
        ("not.parquet", "x,y\n", "it is not Parquet"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, name: str, text: str | bytes, why: str) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("polars")
    with pytest.raises(DataError, match=why) as caught:
        read(write(tmp_path, name, text))
    assert name in str(caught.value)


def test_a_missing_file_is_a_data_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="No such file"):
        read(tmp_path / "absent.csv")


def test_parquet_needs_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(MissingExtra, match=r"symbolic-scaling\[data\]"):
        read(write(tmp_path, "a.parquet", b"PAR1"))


def test_parquet(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    polars.DataFrame({"x": [1000, 2000], "y": [2.5, None]}).write_parquet(tmp_path / "a.parquet")
    sample = select(read(tmp_path / "a.parquet"), "x", "y")
    assert sample.x["x"].tolist() == [1000] and sample.dropped == ((2, "y is missing"),)


# Frames


class Frame:
    """The least that a data frame can do: names its columns and returns one by name."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self._columns = columns

    @property
    def columns(self) -> list[str]:
        return list(self._columns)

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        return np.array(self._columns[name])


def frames() -> list[Any]:
    columns = {"x": [1, 2, 4], "y": [0.5, 0.25, 0.125]}
    records = [{"x": x, "y": y} for x, y in zip(columns["x"], columns["y"], strict=True)]
    made: list[Any] = [columns, records, Frame(columns)]
    made.append({name: np.array(values) for name, values in columns.items()})
    made.append(np.array(list(zip(*columns.values(), strict=True)), dtype=[("x", "i8"), ("y", "f8")]))
    for library, make in [("polars", "DataFrame"), ("pandas", "DataFrame"), ("pyarrow", "table")]:
        if importlib.util.find_spec(library):
            made.append(getattr(importlib.import_module(library), make)(columns))
    return made


@pytest.mark.parametrize("frame", frames(), ids=lambda frame: type(frame).__name__)
def test_any_frame(frame: Any) -> None:
    sample = select(read(frame), "x", "y")
    assert sample.x["x"].tolist() == [1, 2, 4] and sample.y.tolist() == [0.5, 0.25, 0.125]


def test_a_frame_is_copied() -> None:
    x = np.array([1.0, 2.0])
    sample = of(x, [3.0, 4.0])
    with pytest.raises(ValueError, match="read-only"):
        sample.x["x"][0] = 9
    x[0] = 7
    assert sample.x["x"].tolist() == [1, 2]


@pytest.mark.parametrize("frame", [3, [], {}, {"x": []}, {"x": 3}, {"x": "abc"}, {"x": [1], "y": [1, 2]}, "no.csv"])
def test_no_frame(frame: Any) -> None:
    with pytest.raises(DataError):
        read(frame)


# Real tables


@needs_data
def test_replication_table() -> None:
    table = read(Path(FOLDER) / "chinchilla_svg_extracted.csv")
    columns = {"N": "Model Size", "C": "Training FLOP"}
    sample = select(table, columns, "loss", let={"D": "C/(6*N)"}, drop_highest=5, inputs=["N", "D"])
    assert len(sample) == 240 and len(sample.dropped) == 5 and list(sample.x) == ["N", "D"]
    np.testing.assert_allclose(
        6 * sample.x["N"] * sample.x["D"], table.numbers("Training FLOP").values[sample.rows - 1], rtol=1e-15
    )


@needs_data
def test_language_models_stand_there_more_than_once() -> None:
    table = read(Path(FOLDER) / "benchmark.lang.csv")
    counts = []
    for key, part in group(table, ["Domain", "Task", "Model"]):
        sample = select(part, {"x": "Seen Examples"}, "Loss", where="Training = 1")
        counts.append((key[0][1], any("duplicate" in note for note in sample.notes)))
    assert all(doubled for domain, doubled in counts if domain == "LM")
    assert not any(doubled for domain, doubled in counts if domain == "NMT")


@needs_data
def test_image_table_has_72_curves() -> None:
    curves = group(read(Path(FOLDER) / "benchmark.vision.csv"), ["Task", "Model"])
    assert len(curves) == 72


@needs_data
def test_json_lines_table() -> None:
    table = read(Path(FOLDER) / "gemstones_width_depth.jsonl")
    sample = select(table, {"N": "params_active_precise", "D": "tokens"}, "final_loss", where="width >= 1024")
    assert len(table) == 2552 and 0 < len(sample) < 2552
