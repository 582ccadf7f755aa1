"""Fits of broken laws: the measured addition task, planted tables, large laws, and six laws on 92 curves.

``pytest tests/benchmarks/test_unsl_fit_bench.py --benchmark-columns=median,min``. The addition task is asked for in at
most 1 s, the 92 curves with six laws in at most 60 s on two cores: here they run on one.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from curves import needs_tables, training
from planted_large import SIZES, large
from planted_unsl import instance

from symbolic_scaling import data, fit, laws

FOLDER = os.environ.get("SYMBOLIC_SCALING_DATA", "")


@needs_tables
@pytest.mark.parametrize("name", ["bnsl", "unsl"])
def test_the_addition_task_of_bnsls_demonstration(benchmark, name):
    table = data.read(Path(FOLDER) / "bnsl_addition.csv")
    x, y, train = (np.array([float(value) for value in table.column(c)]) for c in ("x", "y", "training"))
    rows = train == 1
    benchmark.pedantic(lambda: fit.curve(laws.get(name), x[rows], y[rows], residual="log1p"), rounds=5, warmup_rounds=1)


@needs_tables
def test_six_laws_on_all_curves(benchmark):
    tables = training()
    six = [*laws.learning_curves(), laws.get("bnsl"), laws.get("unsl", signs=0)]
    benchmark.pedantic(lambda: [fit.curve(law, x, y) for law in six for x, y in tables], rounds=1, warmup_rounds=0)


@pytest.mark.parametrize("kind", ["breaks-1", "breaks-3", "hyperbreak", "overfitting", "learning-rate"])
def test_a_planted_table_of_thousands_of_rows(benchmark, kind):
    planted = instance(kind, 1)
    benchmark.pedantic(lambda: fit.curve(planted.law, planted.x, planted.y), rounds=1, warmup_rounds=0)


@pytest.mark.parametrize("constants", SIZES)
def test_a_large_law_on_three_thousand_rows(benchmark, constants):
    planted = large(constants, 0)
    benchmark.pedantic(lambda: fit.curve(planted.law, planted.x, planted.y), rounds=1, warmup_rounds=0)
