"""``symscale best``: the object it prints, the page, the folder, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from symbolic_scaling import fit

X = np.geomspace(1e5, 6.4e6, 13)


@pytest.fixture
def runs(tmp_path: Path) -> str:
    """Two power laws above a floor."""
    rows = [f"{name},{x!r},{h * (1.7 + 400 * x**-0.4)!r}\n" for name, h in (("a", 1), ("b", 2)) for x in X.tolist()]
    path = tmp_path / "runs.csv"
    path.write_text("task,n,loss\n" + "".join(rows))
    return str(path)


ONE = ("--x", "n", "--y", "loss", "--where", "task = 'a'", "--law", "m1,m2")


def test_best_prints_values_bands_and_reasons(answer, runs) -> None:
    value = answer("best", runs, *ONE, "--at", "1e7", "--at", "20M")
    (found,) = value["best"]
    assert [each["inputs"]["x"] for each in found["predictions"]] == [1e7, 2e7]
    for each in found["predictions"]:
        lo, hi = each["bands"]["0.8"]
        truth = 1.7 + 400 * each["inputs"]["x"] ** -0.4
        assert each["value"] == pytest.approx(truth, rel=1e-4) and lo <= truth * (1 + 1e-9) and truth <= hi * (1 + 1e-9)
    assert {each["law"] for each in found["candidates"]} == {"m1", "m2", "last value"}
    assert sum(each["weight"] for each in found["candidates"]) == pytest.approx(1)
    assert found["fit"]["law"] == "m2" and found["because"] and [s["law"] for s in found["scores"]] == ["m1", "m2"]


def test_best_writes_a_page_a_fit_and_a_folder(symscale, runs, tmp_path) -> None:
    pytest.importorskip("matplotlib")
    saved, folder = tmp_path / "fit.json", tmp_path / "report"
    code, out, err = symscale("best", runs, *ONE, "--save", str(saved), "--report", str(folder))
    assert code == 0 and err == "" and "80% band" in out and "Laws and windows" in out
    assert fit.load(saved).law.name == "m2"
    assert sorted(path.name for path in folder.iterdir() if path.name[0] != ".") == [
        "001.png",
        "best.json",
        "report.md",
    ]
    assert "![" in (folder / "report.md").read_text()
    assert len(json.loads((folder / "best.json").read_text())["best"]) == 1


def test_groups_are_lines_of_one_table(symscale, answer, runs, tmp_path) -> None:
    options = ("--x", "n", "--y", "loss", "--by", "task", "--law", "m2")
    code, out, _ = symscale("best", runs, *options)
    assert code == 0 and out.startswith("2 groups extrapolated")
    assert [each["by"] for each in answer("best", runs, *options)["best"]] == [{"task": "a"}, {"task": "b"}]
    refused = answer("best", runs, *options, "--save", str(tmp_path / "fit.json"), code=2)
    assert "--where" in refused["error"]["remedy"]


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--at", "n=1e7"), "--at x=value"),
        (("--at", "far"), "far"),
        (("--law", "chinchilla"), "different inputs"),
        (("--from", "1e9"), "row"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_best_refuses_in_words(answer, runs, options, word) -> None:
    error = answer("best", runs, *ONE, *options, code=2)["error"]
    assert word in json.dumps(error)
