"""Many curves: 100,000 M2 curves of 30 points from Parquet and CSV on two processes, killed and resumed; cost a point.

Times are printed, wall and CPU of all processes, with the largest memory of each kind of process; nothing is asserted
of time. ``pytest tests/benchmarks/test_many_bench.py -s``; the full sizes take some minutes.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

polars = pytest.importorskip("polars", reason="the data extra is not installed")

RUN = """
import resource, sys, time
from symbolic_scaling import fit, laws
from symbolic_scaling.cli import _pool
if __name__ == "__main__":
    begun = time.perf_counter()
    with _pool.workers(int(sys.argv[4])) as executor:
        fits = fit.many(sys.argv[1], by="curve", x="examples", y="loss", law=laws.get("m2"), executor=executor,
                        journal=sys.argv[2])
        fits.write(sys.argv[3])
    wall = time.perf_counter() - begun
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = [each.ru_utime + each.ru_stime for each in used]
    own = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
    memory = [float(own[0]) / 1024, used[1].ru_maxrss / 1024]
    print(f"{wall:.1f} s wall, {cpu[0]:.1f} + {cpu[1]:.1f} s CPU, {memory[0]:.0f} + {sys.argv[4]} x {memory[1]:.0f} MB")
"""


def runs(count: int, rows: int, seed: int = 0) -> object:
    """Noisy M2 curves, one after the other."""
    rng = np.random.default_rng(seed)
    x = np.geomspace(1e3, 1e9, rows)
    beta, c, floor = np.exp(rng.uniform(0, 3, count)), -rng.uniform(0.2, 0.7, count), rng.uniform(0.05, 0.5, count)
    y = floor[:, None] + beta[:, None] * x ** c[:, None]
    y *= np.exp(0.01 * rng.standard_normal(y.shape))
    names = np.repeat([f"curve-{i:06d}" for i in range(count)], rows)
    return polars.DataFrame({"curve": names, "examples": np.tile(x, count), "loss": y.ravel()})


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    place, frame = tmp_path_factory.mktemp("many"), runs(100_000, 30)
    frame.write_parquet(place / "runs.parquet")
    frame.write_csv(place / "runs.csv")
    return place


def start(source: Path, kept: Path, out: Path, jobs: int = 2) -> subprocess.Popen[str]:
    script = source.with_name("run.py")
    script.write_text(RUN)
    asked = [sys.executable, str(script), str(source), str(kept), str(out), str(jobs)]
    return subprocess.Popen(asked, stdout=subprocess.PIPE, text=True)


def report(what: str, run: subprocess.Popen[str]) -> None:
    said, _ = run.communicate()
    assert run.returncode == 0
    print(f"\n{what}: {said.strip()} (load {os.getloadavg()[0]:.1f})")


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_a_hundred_thousand_curves(tables, ending):
    kept = tables / f"kept-{ending}"
    report(
        f"100,000 curves of 30 points from {ending}", start(tables / f"runs.{ending}", kept, tables / f"{ending}.jsonl")
    )
    assert kept.read_bytes().count(b"\n") > 100_000


def test_killed_at_a_random_moment_and_resumed(tables):
    kept, whole = tables / "kept-again", (tables / "kept-parquet").read_bytes()
    run = start(tables / "runs.parquet", kept, tables / "again.jsonl")
    at = random.SystemRandom().randrange(1, len(whole))
    while run.poll() is None and (not kept.exists() or kept.stat().st_size < at):
        time.sleep(0.01)
    run.kill()
    run.communicate()
    report(
        f"resumed after kill -9 at {kept.stat().st_size / len(whole):.0%}",
        start(tables / "runs.parquet", kept, tables / "again.jsonl"),
    )
    assert kept.read_bytes() == whole
    assert (tables / "again.jsonl").read_bytes() == (tables / "parquet.jsonl").read_bytes()


@pytest.mark.parametrize("curves", [333, 3_333, 33_333, 333_333])
def test_cost_grows_with_the_curves(tmp_path, curves):
    runs(curves, 30).write_parquet(tmp_path / "runs.parquet")
    report(
        f"{30 * curves:,} points, {curves:,} curves",
        start(tmp_path / "runs.parquet", tmp_path / "kept", tmp_path / "out.jsonl"),
    )


@pytest.mark.parametrize("points", [10_000, 100_000, 1_000_000, 10_000_000])
def test_cost_grows_with_the_points_of_a_curve(tmp_path, points):
    runs(1, points).write_parquet(tmp_path / "runs.parquet")
    report(
        f"one curve of {points:,} points",
        start(tmp_path / "runs.parquet", tmp_path / "kept", tmp_path / "out.jsonl", 1),
    )
