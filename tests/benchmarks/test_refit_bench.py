"""4,000 bootstrap refits of the 240 runs of arXiv 2203.15556 read off by its replication, each to its own optimum.

``pytest tests/benchmarks/test_refit_bench.py``. Huber's loss on logarithms with delta 1e-3, as the paper fits; the
replication's notebook takes 120 s for as many, each started from the answer.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np
import pytest

from symbolic_scaling import fit, laws
from symbolic_scaling.fit.bootstrap import pairs

FOLDER = os.environ.get("SYMBOLIC_SCALING_DATA", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="SYMBOLIC_SCALING_DATA does not name the folder of run tables")


def runs():
    """N, D = C/(6N) and the loss, without the five highest losses."""
    with (Path(FOLDER) / "chinchilla_svg_extracted.csv").open(newline="") as file:
        rows = [(float(r["Model Size"]), float(r["Training FLOP"]), float(r["loss"])) for r in csv.DictReader(file)]
    n, c, y = np.array(sorted(rows, key=lambda row: row[2])[:-5]).T
    return n, c / 6 / n, y


@pytest.mark.parametrize("loss", ["huber", "squared"])
def test_4000_bootstrap_refits(benchmark, loss):
    benchmark.group = "4,000 refits"
    n, d, y = runs()
    found = fit.curve(laws.get("chinchilla"), {"N": n, "D": d}, y, loss=loss, delta=1e-3)
    (often,) = pairs(len(found.problem.y), 4000, seed=0)
    drawn = often * found.problem.counts
    made = benchmark.pedantic(fit.refit, (found, drawn), rounds=3, warmup_rounds=1)
    assert made.converged.all()
