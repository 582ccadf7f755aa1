"""``fit --out --journal --jobs 2``, killed, with a table that changes, on a full disk, twice at once: the same bytes.

Or an error with a name. Moments are random shares of the time that an undisturbed run takes; no verdict depends on it.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow

CURVES, ROWS = 3000, 12
KILLS, EACH = 40, 8  # of one journal before it is finished


def table(seed: int) -> bytes:
    """Curves, with numbers that all have as many digits."""
    rng = np.random.default_rng(seed)
    x = np.geomspace(1e3, 1e9, ROWS)
    floor, c = rng.uniform(0.05, 0.5, CURVES), rng.uniform(0.2, 0.6, CURVES)
    y = (floor[:, None] + 5 * x ** -c[:, None]) * np.exp(0.01 * rng.standard_normal((CURVES, ROWS)))
    rows = (f"{i:04d},{a:.8e},{b:.8e}" for i, curve in enumerate(y) for a, b in zip(x, curve, strict=True))
    return "\n".join(["curve,x,y", *rows, ""]).encode()


@dataclass(frozen=True)
class Whole:
    """An undisturbed run: its table, what it wrote, and how long it took."""

    source: bytes
    kept: bytes
    out: bytes
    seconds: float


def command(source: Path, out: str = "out.csv") -> list[str]:
    asked = ["fit", str(source), "--law", "m2", "--x", "x", "--y", "y", "--by", "curve", "--jobs", "2", "--json"]
    return [sys.executable, "-m", "symbolic_scaling", *asked, "--journal", "kept", "--out", out]


def started(place: Path, out: str = "out.csv") -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(command(place / "runs.csv", out), cwd=place, stdout=pipe, stderr=pipe, text=True)


def ended(run: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit code and the kind of its error; a traceback or another code is none of them."""
    out, err = run.communicate(timeout=120)
    assert run.returncode in (0, 2) and "Traceback" not in err, (run.returncode, out, err)
    return run.returncode, json.loads(out)["error"]["kind"] if run.returncode else ""


def undisturbed(place: Path, source: bytes) -> Whole:
    place.mkdir()
    (place / "runs.csv").write_bytes(source)
    begun = time.monotonic()
    assert ended(started(place)) == (0, "")
    took = time.monotonic() - begun
    return Whole(source, (place / "kept").read_bytes(), (place / "out.csv").read_bytes(), took)


@pytest.fixture(scope="module")
def wholes(tmp_path_factory):
    place = tmp_path_factory.mktemp("wholes")
    made = [undisturbed(place / str(seed), table(seed)) for seed in (0, 1)]
    assert len(made[0].source) == len(made[1].source) and made[0].kept.count(b'{"block": ') > 3
    return made


def test_a_run_that_is_killed_40_times_loses_nothing(wholes, tmp_path):
    whole, moments = wholes[0], random.Random(1)
    (tmp_path / "runs.csv").write_bytes(whole.source)
    kept, out = tmp_path / "kept", tmp_path / "out.csv"
    hits = 0
    for _ in range(3 * KILLS):
        run = started(tmp_path)
        try:
            run.wait(moments.uniform(0, whole.seconds))
        except subprocess.TimeoutExpired:
            run.kill()
            hits += 1
        run.communicate()
        assert not kept.exists() or whole.kept.startswith(kept.read_bytes())
        assert not out.exists() or out.read_bytes() == whole.out
        if hits and hits % EACH == 0:
            assert ended(started(tmp_path)) == (0, "")
            assert (kept.read_bytes(), out.read_bytes()) == (whole.kept, whole.out)
        if hits == KILLS:
            return
        if out.exists():
            kept.unlink()
            out.unlink()
    pytest.fail(f"only {hits} of {3 * KILLS} runs were alive when they were to be killed")


def test_a_table_that_changes_is_fitted_as_it_was_or_is_or_refused(wholes, tmp_path):
    moments, kinds = random.Random(2), []
    while len(kinds) < 6 or ("TableChanged" not in kinds and len(kinds) < 30):
        place = tmp_path / str(len(kinds))
        place.mkdir()
        source = place / "runs.csv"
        source.write_bytes(wholes[0].source)
        run = started(place)
        if len(kinds) % 2:
            time.sleep(moments.uniform(0, wholes[0].seconds))
        else:  # where the journal begins, the table is hashed and not yet read
            while run.poll() is None and not (place / "kept").exists():
                time.sleep(0.001)
        with source.open("r+b") as file:
            file.write(wholes[1].source)
        code, kind = ended(run)
        kinds.append(kind)
        if code:
            assert kind == "TableChanged" and not (place / "out.csv").exists()
            assert b'{"end"' not in (place / "kept").read_bytes()
        else:
            written = ((place / "kept").read_bytes(), (place / "out.csv").read_bytes())
            assert written in [(whole.kept, whole.out) for whole in wholes]
    assert "TableChanged" in kinds


FULL = """
mount -t tmpfs -o size=$1k none disk || exit 99
size=$1; shift; cd disk
"$@" > ../first.json 2> ../first.txt; echo $? > ../first
ls -A > ../left
mount -o remount,size=64m . || exit 99
"$@" > ../second.json; echo $? > ../second
cp kept out.csv ..
"""


@pytest.mark.parametrize("room", ["little", "half a journal", "the journal alone"])
def test_a_full_disk_is_an_error_and_with_room_again_the_run_goes_on(wholes, tmp_path, room):
    if shutil.which("unshare") is None or sys.platform != "linux":
        pytest.skip("this system has no mounts of one process")
    whole = wholes[0]
    size = {"little": 32, "half a journal": len(whole.kept) // 2048, "the journal alone": len(whole.kept) // 1024 + 64}
    (tmp_path / "disk").mkdir()
    (tmp_path / "runs.csv").write_bytes(whole.source)
    script = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", FULL, "sh", str(size[room])]
    made = subprocess.run([*script, *command(tmp_path / "runs.csv")], cwd=tmp_path, capture_output=True, check=False)
    if not (tmp_path / "left").exists():
        pytest.skip(f"no file system can be mounted here: {made.stderr.decode().strip()}")
    assert (tmp_path / "first").read_text() == "2\n"
    error = json.loads((tmp_path / "first.json").read_text())["error"]
    assert error["kind"] != "OSError" and "No space left" in error["found"] and error["remedy"]
    assert "Traceback" not in (tmp_path / "first.txt").read_text()
    assert set((tmp_path / "left").read_text().split()) <= {"kept"}
    assert (tmp_path / "second").read_text() == "0\n"
    assert ((tmp_path / "kept").read_bytes(), (tmp_path / "out.csv").read_bytes()) == (whole.kept, whole.out)


@pytest.mark.parametrize("later", [0.0, 0.5])
def test_of_two_runs_with_one_journal_one_writes_it(wholes, tmp_path, later):
    pytest.importorskip("fcntl", reason="this system has no file locks")
    whole = wholes[0]
    (tmp_path / "runs.csv").write_bytes(whole.source)
    first = started(tmp_path, "first.csv")
    time.sleep(later * whole.seconds)
    second = started(tmp_path, "second.csv")
    codes = [ended(run) for run in (first, second)]
    assert set(codes) <= {(0, ""), (2, "DataError")} and (0, "") in codes
    assert (tmp_path / "kept").read_bytes() == whole.kept
    for name, (code, _) in zip(("first.csv", "second.csv"), codes, strict=True):
        assert (tmp_path / name).exists() == (code == 0)
        assert code or (tmp_path / name).read_bytes() == whole.out
