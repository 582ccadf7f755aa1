"""Groups of --by: one without an answer takes none from the others, and is named with its reason."""

from __future__ import annotations

import json

import pytest

from symbolic_scaling.cli import main

GOOD = [(1, 3.0), (2, 2.0), (4, 1.5), (8, 1.2), (16, 1.1)]


def run(capsys, *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return ended.value.code, capsys.readouterr().out


@pytest.fixture
def table(tmp_path):
    def write(*groups: tuple[str, list]) -> str:
        rows = [f"{name},{x},{y}" for name, points in groups for x, y in points]
        (tmp_path / "t.csv").write_text("\n".join(["g,x,y", *rows]))
        return str(tmp_path / "t.csv")

    return write


ANSWERS = {"fit": "fits", "best": "best"}
BAD = {"one row": [(1, 3)], "none usable": [(1, -3), (2, 0)], "missing": [(1, "n/a"), (2, "n/a")]}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("command", ANSWERS)
def test_the_others_answers_stand_and_the_failed_group_is_named(command, place, bad, table, capsys):
    groups = [("a", GOOD), ("c", GOOD)]
    groups.insert(place, ("b", BAD[bad]))
    asked = (command, table(*groups), "--law", "m2", "--x", "x=x", "--y", "y", "--by", "g")
    code, out = run(capsys, *asked, "--json")
    said = json.loads(out)
    assert code == 2 and [each["by"]["g"] for each in said[ANSWERS[command]]] == ["a", "c"]
    (failed,) = said["failed"]
    assert failed["by"] == {"g": "b"} and failed["error"]["found"] and failed["error"]["remedy"]
    code, out = run(capsys, *asked)
    assert code == 2 and f"b: {failed['error']['asked']}" in " ".join(out.split())


@pytest.mark.parametrize("command", ["fit", "best"])
def test_where_no_group_has_an_answer_it_is_an_error(command, table, capsys):
    path = table(("a", BAD["one row"]), ("b", BAD["one row"]))
    code, out = run(capsys, command, path, "--law", "m2", "--x", "x=x", "--y", "y", "--by", "g", "--json")
    assert code == 2 and json.loads(out)["error"]["remedy"]


def test_processes_give_the_same(table, capsys):
    path = table(("a", GOOD), ("b", BAD["one row"]), ("c", BAD["none usable"]))
    asked = ("fit", path, "--law", "m2", "--x", "x=x", "--y", "y", "--by", "g", "--json")
    assert run(capsys, *asked) == run(capsys, *asked, "--jobs", "2")
