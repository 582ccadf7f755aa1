"""A run of many curves that is killed at any moment ends, when repeated, with the bytes of one that was not."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from symbolic_scaling import fit, laws
from symbolic_scaling.errors import DataError
from symbolic_scaling.fit.journal import Journal

M2 = laws.get("m2")
ASKED = {"by": "curve", "x": "x", "y": "y", "law": M2, "block": 64}


def runs(count: int, rows: int = 12, seed: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = np.tile(np.geomspace(1e3, 1e9, rows), count)
    floor, c = rng.uniform(0.05, 0.5, count), -rng.uniform(0.2, 0.6, count)
    y = np.repeat(floor, rows) + 5 * x ** np.repeat(c, rows)
    return {"curve": np.repeat(np.arange(count), rows), "x": x, "y": y * np.exp(0.01 * rng.standard_normal(len(x)))}


def csv(path: Path, columns: dict[str, np.ndarray]) -> Path:
    rows = zip(*(values.tolist() for values in columns.values()), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n")
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A table, and the journal of a run that was not disturbed."""
    source = csv(tmp_path_factory.mktemp("whole") / "runs.csv", runs(30))
    kept = source.with_name("kept")
    fit.many(source, **ASKED, journal=kept)
    return source, kept.read_bytes()


def test_a_journal_cut_anywhere_goes_on_to_the_same_bytes(whole, tmp_path):
    source, finished = whole
    kept = tmp_path / "kept"
    assert finished.count(b'{"block": ') == 5 and finished.endswith(b'{"end": 5}\n')
    cuts = [*sorted(random.Random(1).sample(range(len(finished)), 12)), len(finished) - 1, len(finished)]
    for cut in cuts:
        kept.write_bytes(finished[:cut])
        fit.many(source, **ASKED, journal=kept)
        assert kept.read_bytes() == finished, cut


def test_what_is_written_is_not_done_again(whole, tmp_path):
    source, finished = whole
    kept, counts = tmp_path / "kept", []
    kept.write_bytes(finished[: finished.index(b'{"block": 3') - 5])
    fit.many(source, **ASKED, journal=kept, progress=counts.append)
    assert counts == [24, 30] and kept.read_bytes() == finished
    fit.many(source, **ASKED, journal=kept, progress=counts.append)
    assert counts == [24, 30]


def test_bytes_lost_inside_are_seen(whole, tmp_path):
    source, finished = whole
    kept, middle = tmp_path / "kept", finished.index(b"objective", len(finished) // 2)
    kept.write_bytes(finished[:middle] + b"0" + finished[middle + 1 :])
    fit.many(source, **ASKED, journal=kept)
    assert kept.read_bytes() == finished


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"law": laws.get("m3")}, "law"),
        ({"residual": "equation"}, "options"),
        ({"block": 128}, "block"),
        ({"y": "x"}, "y"),
    ],
)
def test_the_journal_of_another_run_is_refused(whole, tmp_path, changed, name):
    source, finished = whole
    kept = tmp_path / "kept"
    kept.write_bytes(finished)
    with pytest.raises(DataError, match=f"it is of a run with {name} ") as refused:
        fit.many(source, **{**ASKED, **changed}, journal=kept)
    assert refused.value.remedy and kept.read_bytes() == finished


def test_other_data_and_other_files_are_refused(whole, tmp_path):
    source, finished = whole
    kept = tmp_path / "kept"
    kept.write_bytes(finished)
    with pytest.raises(DataError, match="it is of a run with data"):
        fit.many(csv(tmp_path / "runs.csv", runs(30, seed=1)), **ASKED, journal=kept)
    kept.write_text("important\nnotes")
    with pytest.raises(DataError, match="no journal"):
        fit.many(source, **ASKED, journal=kept)
    assert kept.read_text() == "important\nnotes"
    with pytest.raises(DataError, match="folder"):
        fit.many(source, **ASKED, journal=tmp_path / "nowhere" / "kept")


def test_two_runs_do_not_share_a_journal(tmp_path):
    pytest.importorskip("fcntl", reason="this system has no file locks")
    with Journal.open(tmp_path / "kept", {"a": 1}), pytest.raises(DataError, match="another run"):
        Journal.open(tmp_path / "kept", {"a": 1})


def test_rows_that_stand_apart_give_the_same_lines(whole, tmp_path):
    source, _ = whole
    columns = runs(30)
    order = np.random.default_rng(3).permutation(len(columns["x"]) - 12) + 12
    order = np.append(np.arange(12), order)
    mixed = {name: values[order] for name, values in columns.items()}
    path = csv(tmp_path / "mixed.csv", mixed)
    lines = sorted(fit.many(source, **ASKED), key=lambda each: int(each.by[0][1]))
    kept = tmp_path / "kept"
    first = list(fit.many(path, **ASKED, journal=kept))
    for one, other in zip(sorted(first, key=lambda each: int(each.by[0][1])), lines, strict=True):
        assert one.by == other.by and one.outcome == other.outcome
        assert one.estimate == pytest.approx(other.estimate, rel=1e-9)
    finished = kept.read_bytes()
    for cut in (40, len(finished) // 2):
        kept.write_bytes(finished[:cut])
        fit.many(path, **ASKED, journal=kept)
        assert kept.read_bytes() == finished


RUN = """
import sys
from symbolic_scaling import fit, laws
fit.many(sys.argv[1], by="curve", x="x", y="y", law=laws.get("m2"), block=64, journal=sys.argv[2])
"""


def killed(source: Path, kept: Path, after: int) -> None:
    """Start a run and kill it when its journal has so many bytes."""
    run = subprocess.Popen([sys.executable, "-c", RUN, str(source), str(kept)])
    while run.poll() is None and (not kept.exists() or kept.stat().st_size < after):
        time.sleep(0.002)
    run.kill()
    run.wait()


def test_a_killed_run_goes_on_to_the_same_bytes(tmp_path):
    source, kept = csv(tmp_path / "runs.csv", runs(400)), tmp_path / "kept"
    fit.many(source, **ASKED, journal=tmp_path / "whole")
    finished = (tmp_path / "whole").read_bytes()
    for seed in range(2):
        killed(source, kept, random.Random(seed).randrange(1, len(finished) // 2))
        assert 0 < kept.stat().st_size < len(finished)
    fit.many(source, **ASKED, journal=kept)
    assert kept.read_bytes() == finished


@pytest.mark.slow
def test_runs_killed_at_many_moments_go_on_to_the_same_bytes(tmp_path):
    source = csv(tmp_path / "runs.csv", runs(2000))
    fit.many(source, **ASKED, journal=tmp_path / "whole")
    finished = (tmp_path / "whole").read_bytes()
    for seed in range(6):
        kept = tmp_path / f"kept-{seed}"
        for _ in range(2):
            killed(source, kept, random.Random(seed).randrange(1, len(finished)))
        fit.many(source, **ASKED, journal=kept)
        assert kept.read_bytes() == finished


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="this system has no process groups")
def test_an_interrupted_command_ends_with_3_and_goes_on(tmp_path):
    source, kept, out = csv(tmp_path / "runs.csv", runs(8000)), tmp_path / "kept", tmp_path / "fits.csv"
    asked = [sys.executable, "-m", "symbolic_scaling", "fit", str(source), "--law", "m2", "--x", "x", "--y", "y"]
    asked += ["--by", "curve", "--journal", str(kept), "--out", str(out), "--jobs", "2"]
    run = subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    while run.poll() is None and (not kept.exists() or kept.stat().st_size < 5000):
        time.sleep(0.01)
    os.killpg(run.pid, signal.SIGINT)
    _, err = run.communicate(timeout=60)
    assert run.returncode == 3 and b"interrupted" in err and not out.exists(), (run.returncode, err)
    begun = kept.read_bytes()
    ended = subprocess.run(asked, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode in (0, 1) and kept.read_bytes().startswith(begun[: begun.rindex(b'{"block": ')])
    assert len(out.read_text().splitlines()) == 8001


def test_processes_write_the_same_bytes(whole, tmp_path):
    source, finished = whole
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        fit.many(source, **ASKED, journal=tmp_path / "kept", executor=pool)
    assert (tmp_path / "kept").read_bytes() == finished


def test_a_cluster_writes_the_same_bytes(whole, tmp_path):
    distributed = pytest.importorskip("distributed", reason="the cluster extra is not installed")
    source, finished = whole
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        fit.many(source, **ASKED, journal=tmp_path / "kept", executor=client.get_executor())
    assert (tmp_path / "kept").read_bytes() == finished
