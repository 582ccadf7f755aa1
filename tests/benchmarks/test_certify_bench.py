"""Certificates of the optima of the 92 learning curves of arXiv 2209.06640 under ``equation``, in two processes.

``pytest tests/benchmarks/test_certify_bench.py``: 368 fits, each with a proof that no point of its
box is lower by more than 1e-6 of its objective. Must-hold of issue 6: at most 20 s on two cores, the fits included; the
recheck is timed apart.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context

import pytest
from curves import needs_tables, training

from symbolic_scaling import fit, laws

pytestmark = needs_tables
NAMES = ("m1", "m2", "m3", "m4")
PART = 23


def certified(name, tables):
    """Fits of one law to some curves, and their certificates."""
    found = [fit.curve(laws.get(name), x, y, residual="equation") for x, y in tables]
    return [(one, fit.certify(one, gap=1e-6)) for one in found]


def rechecked(pairs):
    return [fit.recheck(one, certificate) for one, certificate in pairs]


def jobs():
    """Parts of the curves, the slowest law first."""
    tables = training()
    return [(name, tables[i : i + PART]) for name in reversed(NAMES) for i in range(0, len(tables), PART)]


@pytest.fixture(scope="module")
def pool():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        list(executor.map(certified, ["m4", "m4"], [training()[:1]] * 2))
        yield executor


@cache
def all_of_them(pool):
    parts = [part for future in [pool.submit(certified, *job) for job in jobs()] for part in future.result()]
    assert len(parts) == 368 and all(c.kind == "certified" and c.gap <= 1e-6 for _, c in parts)
    return parts


def test_certificates_of_all_curves(benchmark, pool):
    benchmark.pedantic(lambda: all_of_them.__wrapped__(pool), rounds=2)


def test_rechecks_of_all_curves(benchmark, pool):
    parts = all_of_them(pool)
    pieces = [parts[i : i + PART] for i in range(0, len(parts), PART)]
    answers = benchmark.pedantic(lambda: [yes for piece in pool.map(rechecked, pieces) for yes in piece], rounds=1)
    assert len(answers) == 368 and all(answers)
