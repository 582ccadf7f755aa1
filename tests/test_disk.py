"""What a command writes, it writes whole: a full disk is a typed error, nothing is half, modes and links stay."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from symbolic_scaling import fit, laws
from symbolic_scaling.errors import DataError
from symbolic_scaling.report import write

RUNS = "curve,x,y\n" + "".join(
    f"{curve},{10**i},{0.3 + (3 + curve) * 10 ** (-0.4 * i):.8f}\n" for curve in range(9) for i in range(1, 9)
)
CURVES = ("fit", "runs.csv", "--law", "m2", "--x", "x", "--y", "y", "--by", "curve")
LIMIT = 900  # bytes; every file that a command writes here is longer


def limited(place: Path, *arguments: str, bytes_: int = LIMIT) -> subprocess.CompletedProcess[str]:
    """A command that may write no file beyond some bytes, which is what a full disk is to it."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))

    command = [sys.executable, "-m", "symbolic_scaling", *arguments]
    return subprocess.run(command, cwd=place, preexec_fn=limit, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "arguments",
    [
        (*CURVES, "--out", "out.csv"),
        (*CURVES, "--out", "out.jsonl"),
        (*CURVES, "--out", "out.parquet"),
        (*CURVES, "--out", "out.csv", "--journal", "kept"),
        ("fit", "runs.csv", "--law", "m2", "--x", "x", "--y", "y", "--save", "fit.json"),
        ("export", "m2", "--to", "c", "-o", "m2.c"),
        ("report", "chinchilla", "-o", "law.md"),
    ],
    ids=lambda arguments: " ".join((arguments[0], *arguments[-2:])),
)
def test_a_full_disk_is_an_error_that_leaves_nothing_half(arguments, tmp_path):
    if "out.parquet" in arguments:
        pytest.importorskip("polars", reason="the data extra is not installed")
    (tmp_path / "runs.csv").write_text(RUNS)
    ended = limited(tmp_path, *arguments)
    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr and "too large" in ended.stderr
    assert {path.name for path in tmp_path.iterdir()} <= {"runs.csv", "kept"}
    if "kept" in arguments:  # with room again it goes on
        assert limited(tmp_path, *arguments, bytes_=1 << 30).returncode in (0, 1)
        assert (tmp_path / "kept").read_bytes().endswith(b'{"end": 1}\n')


def test_a_journal_is_a_regular_file(tmp_path):
    runs = {"g": ["a"] * 4, "x": [1, 10, 100, 1000], "y": [3.0, 2.0, 1.5, 1.25]}
    for place in (Path("/dev/null"), Path("/dev/full"), tmp_path):
        with pytest.raises(DataError, match="regular file"):
            fit.many(runs, by="g", x="x", y="y", law=laws.get("m2"), journal=place)


def test_a_file_that_is_replaced_keeps_its_mode_and_its_links(tmp_path):
    (tmp_path / "deep").mkdir()
    kept, link = tmp_path / "deep" / "kept", tmp_path / "link.json"
    kept.write_text("old")
    kept.chmod(0o640)
    link.symlink_to("deep/kept")
    found = fit.curve(laws.get("m2"), [1, 10, 100, 1000], np.array([3.0, 2.0, 1.5, 1.25]))
    for put in (found.save, lambda path: write.file(path, "new")):
        put(link)
        assert link.is_symlink() and os.readlink(link) == "deep/kept"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o640
    assert kept.read_text() == "new"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["deep", "kept", "link.json"]
