"""Lines of many curves are those of one table and one question: a table or a law that changed is never mixed in."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from symbolic_scaling import fit, laws
from symbolic_scaling.domain import Domain, Interval
from symbolic_scaling.errors import DataError, TableChanged

M2 = laws.get("m2")
ASKED = {"by": "curve", "x": "x", "y": "y", "law": M2, "block": 128}


def text(floor: float, curves: int = 160) -> bytes:
    """A table longer than what is read of text at once, whose length does not depend on its numbers."""
    rows = (
        f"{curve:03d},{10**i:08d},{floor + (3 + curve) * 10 ** (-0.4 * i):.8e}"
        for curve in range(curves)
        for i in range(1, 9)
    )
    return "\n".join(["curve,x,y", *rows, ""]).encode()


@pytest.fixture
def small(monkeypatch):
    """A file is read some rows and bytes at a time."""
    pieces = sys.modules["symbolic_scaling.data.pieces"]
    monkeypatch.setattr(pieces, "_TEXT_ROWS", 64)
    monkeypatch.setattr(pieces, "_BYTES", 64)
    monkeypatch.setattr(pieces, "_PARQUET_ROWS", 64)


def put(path: Path, content: bytes) -> None:
    """Write over a file where it stands, in the format of its ending."""
    if path.suffix == ".parquet":
        polars = pytest.importorskip("polars", reason="the data extra is not installed")
        frame = polars.read_csv(content)
        frame.write_parquet(path)
    else:
        with path.open("r+b" if path.exists() else "wb") as file:
            file.write(content if path.suffix == ".csv" else content.replace(b",", b"\t"))


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".tsv"])
@pytest.mark.parametrize("back", [False, True], ids=["stays", "comes back"])
def test_a_table_that_changes_while_it_is_read_is_refused(small, tmp_path, ending, back):
    source, kept = tmp_path / f"runs{ending}", tmp_path / "kept"
    put(source, text(0.3))
    fit.many(source, **ASKED, journal=kept)
    wanted = kept.read_bytes()
    kept.unlink()
    asked = 0

    def change(count: int) -> None:
        nonlocal asked
        asked += 1
        if asked == 1:
            put(source, text(0.2))
        elif back and asked == 6:
            put(source, text(0.3))

    with pytest.raises(TableChanged, match=source.name):
        fit.many(source, **ASKED, journal=kept, progress=change)
    assert asked
    assert b'{"end"' not in kept.read_bytes()
    put(source, text(0.3))
    fit.many(source, **ASKED, journal=kept)
    assert kept.read_bytes() == wanted


def test_lines_of_another_table_do_not_stay_in_a_journal(small, tmp_path):
    """Changed, killed before that was seen, and changed back: the header is the same, the blocks are not."""
    source, kept = tmp_path / "runs.csv", tmp_path / "kept"
    put(source, text(0.3))
    fit.many(source, **ASKED, journal=kept)
    wanted = kept.read_bytes()
    kept.unlink()

    def change(count: int) -> None:
        put(source, text(0.2))
        if count > 120:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit.many(source, **ASKED, journal=kept, progress=change)
    put(source, text(0.3))
    with pytest.raises(TableChanged):
        fit.many(source, **ASKED, journal=kept)
    fit.many(source, **ASKED, journal=kept)
    assert kept.read_bytes() == wanted


def test_a_file_put_in_place_of_an_open_one_is_not_read(small, tmp_path):
    source = tmp_path / "runs.csv"
    put(source, text(0.3))
    wanted = list(fit.many(source, **ASKED))

    def change(count: int) -> None:
        put(tmp_path / "new.csv", text(0.2))
        os.replace(tmp_path / "new.csv", source)

    assert list(fit.many(source, **ASKED, progress=change)) == wanted


def changed(**parameter) -> laws.Law:
    first, *rest = M2.parameters
    return replace(M2, parameters=(replace(first, **parameter), *rest))


@pytest.mark.parametrize(
    ("law", "name"),
    [
        (changed(start=(1e-2, 1e2)), "parameters"),
        (changed(closed=True), "parameters"),
        (replace(M2, domain=Domain(((M2.constants[0], Interval(sp.Integer(2), sp.Integer(9))),))), "domain"),
        (replace(M2, domain=Domain((), ((M2.constants[0], M2.constants[2]),))), "domain"),
    ],
)
def test_the_lines_of_a_law_searched_elsewhere_are_not_returned(tmp_path, law, name):
    source, kept = tmp_path / "runs.csv", tmp_path / "kept"
    put(source, text(0.3, 3))
    fit.many(source, **ASKED, journal=kept)
    before = kept.read_bytes()
    with pytest.raises(DataError, match=f"a run with {name} "):
        fit.many(source, **{**ASKED, "law": law}, journal=kept)
    assert kept.read_bytes() == before
    assert b'"scipy": ' in before.splitlines()[0]


@pytest.mark.parametrize("out", ["kept.jsonl", "./deep/../kept.jsonl", "link.jsonl", "hard.jsonl"])
@pytest.mark.parametrize("there", [False, True], ids=["new", "there"])
def test_lines_do_not_replace_their_journal(tmp_path, monkeypatch, symscale, out, there):
    monkeypatch.chdir(tmp_path)
    Path("deep").mkdir()
    put(Path("runs.csv"), text(0.3, 3))
    run = ("fit", "runs.csv", "--law", "m2", "--x", "x", "--y", "y", "--by", "curve")
    if there:
        fits = fit.many("runs.csv", **ASKED, journal="kept.jsonl")
        os.link("kept.jsonl", "hard.jsonl")
    Path("link.jsonl").symlink_to("kept.jsonl")
    before = Path("kept.jsonl").read_bytes() if there else b""
    code, _, err = symscale(*run, "--journal", "kept.jsonl", "--out", out)
    if not there and out == "hard.jsonl":  # another file
        assert code == 0
        return
    assert code == 2 and "writes there too" in err
    if there:
        assert Path("kept.jsonl").read_bytes() == before
        with pytest.raises(DataError, match="journal"):
            fits.write(out)
        assert Path("kept.jsonl").read_bytes() == before
