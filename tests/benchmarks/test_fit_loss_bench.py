"""The replication fit of Chinchilla (arXiv 2404.10102): Huber's loss of logs, no start values, beside L-BFGS.

``pytest tests/benchmarks/test_fit_loss_bench.py --benchmark-group-by=group --benchmark-columns=median,min``. The
paper's own way is L-BFGS from each of 4,500 starts; here 25 of them are timed, so times 180 is the whole grid.
"""

from __future__ import annotations

import csv
import os
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp

from symbolic_scaling import fit, laws

FOLDER = os.environ.get("SYMBOLIC_SCALING_DATA", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="SYMBOLIC_SCALING_DATA does not name the folder of run tables")
BEST, DELTA = 1.0182740178e-3, 1e-3
CHINCHILLA = laws.get("chinchilla") if FOLDER else None


@pytest.fixture(scope="module")
def runs():
    """N, D, loss of the 240 runs."""
    with (Path(FOLDER) / "chinchilla_svg_extracted.csv").open(newline="") as file:
        rows = [[float(row[name]) for name in ("Model Size", "Training FLOP", "loss")] for row in csv.DictReader(file)]
    n, c, loss = np.array(sorted(rows, key=lambda row: row[2])[:-5]).T
    return n, c / (6 * n), loss


@pytest.mark.parametrize("loss", ["huber", "soft-l1", "squared"])
def test_one_fit_without_start_values(benchmark, runs, loss):
    benchmark.group = "240 runs, Chinchilla's law"
    n, d, y = runs
    found = benchmark(fit.curve, CHINCHILLA, {"N": n, "D": d}, y, loss=loss, delta=DELTA, reduce="sum")
    assert loss != "huber" or found.objective == pytest.approx(BEST, rel=1e-9)


def test_25_of_the_papers_4500_starts(benchmark, runs):
    benchmark.group = "240 runs, Chinchilla's law"
    n, d, y = runs
    logs = np.stack([np.log(n), np.log(d), np.log(y)])

    def objective(u):
        a, b, e, alpha, beta = u
        parts = np.stack([a - alpha * logs[0], b - beta * logs[1], np.full(len(y), e)])
        whole = logsumexp(parts, axis=0)
        size = np.abs(r := whole - logs[2])
        pull = np.clip(r, -DELTA, DELTA) * np.exp(parts - whole)
        gradient = np.append(pull.sum(axis=1), [-pull[0] @ logs[0], -pull[1] @ logs[1]])
        return float(np.sum(np.where(size <= DELTA, r**2 / 2, DELTA * (size - DELTA / 2)))), gradient

    starts = list(product([0, 5, 10, 15, 20], [10], [0.0], [0.5], [0.0, 0.5, 1.0, 1.5, 2.0]))
    benchmark.pedantic(
        lambda: [minimize(objective, start, jac=True, method="L-BFGS-B") for start in starts], rounds=1, iterations=1
    )
