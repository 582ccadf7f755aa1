"""Tables as people save them: decimal commas, thousands points, remarks above the header; what was taken is said."""

import json
from pathlib import Path

import numpy as np
import pytest

from symbolic_scaling import data
from symbolic_scaling.errors import DataError

X = np.array([1000.0, 2000.0, 4000.0, 8000.0, 16000.0, 32000.0])
Y = 0.25 + 20 * X**-0.4


def german(value: float, digits: int) -> str:
    """``4.22`` as ``4,22`` and ``1000`` as ``1.000``."""
    return f"{value:,.{digits}f}".translate(str.maketrans(",.", ".,"))


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    rows = [f"{german(x, 0)};{german(y, 8)}" for x, y in zip(X, Y, strict=True)]
    path = tmp_path / "german.csv"
    path.write_text("\n".join(["x;y", *rows]), encoding="utf-8")
    return path


def test_a_point_beside_a_comma_is_not_guessed(mixed: Path, answer) -> None:
    error = answer("fit", str(mixed), "--law", "m2", "--x", "x=x", "--y", "y", code=2)["error"]
    assert "'1.000'" in error["found"] and "--decimal" in error["remedy"]


def test_the_command_line_takes_the_decimal_mark(mixed: Path, answer) -> None:
    (found,) = answer("fit", str(mixed), "--law", "m2", "--x", "x=x", "--y", "y", "--decimal", ",")["fits"]
    assert found["estimate"] == pytest.approx({"beta": 20, "c": -0.4, "eps_inf": 0.25}, rel=1e-4)
    assert any("thousands" in note for note in found["notes"])
    looked = answer("check", str(mixed), "--x", "x=x", "--y", "y", "--decimal", ",")
    assert not [one for one in looked["findings"] if "number" in one["text"]]


def test_many_curves_take_it_too(mixed: Path, tmp_path: Path, answer) -> None:
    out = tmp_path / "fits.jsonl"
    asked = ("fit", str(mixed), "--law", "m2", "--x", "x=x", "--y", "y", "--out", str(out), "--decimal", ",")
    assert answer(*asked)["curves"] == 1
    assert json.loads(out.read_text())["estimate"]["c"] == pytest.approx(-0.4, rel=1e-4)


@pytest.mark.parametrize("mark", [None, ",", "."])
@pytest.mark.parametrize(
    ("cell", "point", "comma"), [("1.500", 1.5, 1500), ("2.000", 2, 2000), ("12.250", 12.25, 12250)]
)
def test_three_digits_after_a_point_are_said(tmp_path: Path, mark, cell: str, point: float, comma: float) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f"x;y\n{cell};7\n", encoding="utf-8")
    table = data.read(path, decimal_mark=mark)
    column = table.numbers("x")
    assert column.values[0] == (comma if mark == "," else point)
    assert bool(table.notes or column.notes) == (mark != ".")


def test_a_file_that_is_clear_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("x;y\n1.5;0.125\n", encoding="utf-8")
    assert data.read(path).notes == ()
    path.write_text("x;y\n1,94;2\n", encoding="utf-8")
    table = data.read(path)
    assert table.numbers("x").values[0] == 1.94 and "1,94" in table.notes[0]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("remarks", [["# from a run"], ["# one", "", "#two, with a comma", "#"]])
def test_remarks_above_the_header_are_left_out_and_said(tmp_path: Path, remarks: list[str], end: str, answer) -> None:
    path = tmp_path / "remarks.csv"
    rows = [f"{x},{y}" for x, y in zip(X, Y, strict=True)]
    path.write_bytes(end.join([*remarks, "x,y", *rows]).encode())
    table = data.read(path)
    assert table.columns == ("x", "y") and len(table) == len(X)
    assert f"{sum(line.startswith('#') for line in remarks)} line" in table.notes[0]
    assert [len(piece) for piece in data.pieces(path)] == [len(X)]
    (found,) = answer("fit", str(path), "--law", "m2", "--x", "x=x", "--y", "y")["fits"]
    assert any("above the header" in note for note in found["notes"])


def test_nothing_but_remarks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "remarks.csv"
    path.write_text("# one\n# two\n", encoding="utf-8")
    with pytest.raises(DataError, match="every line begins"):
        data.read(path)
