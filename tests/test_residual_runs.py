"""Residuals that run along the input are called a lack of fit; those of clean tables seldom are."""

from __future__ import annotations

import numpy as np
import pytest

from symbolic_scaling import fit, laws

# FIELD_CASES 29: a turn that no monotone law follows
TURN = "1,.7444 2,.5326 3,.4791 4,.4673 5,.4723 6,.4806 7,.4975 9,.5193 11,.5047 13,.4813 16,.4539 19,.4335 23,.4179 "
TURN += "28,.39 33,.3785 40,.3631 49,.3492 59,.3399 128,.3066"
X, Y = np.array([[float(v) for v in pair.split(",")] for pair in TURN.split()]).T


def said(found) -> list[str]:
    return [note for note in found.notes if note.startswith("lack of fit")]


@pytest.mark.parametrize("law", ["m1", "m2", "m3", "m4"])
@pytest.mark.parametrize("options", [{}, {"residual": "absolute"}, {"loss": "huber"}], ids=str)
def test_every_monotone_fit_of_a_turn_says_that_residuals_run(law, options):
    if law == "m4" and "residual" in options:
        options = {"residual": "equation"}
    assert said(fit.curve(laws.get(law), X, Y, **options))


def planted(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = np.repeat(np.geomspace(1e4, 1e8, int(rng.integers(8, 40))), 1 + seed % 2)
    y = 10 ** rng.uniform(-1, 0.5) + 10 ** rng.uniform(0.5, 2.5) * x ** -rng.uniform(0.2, 0.5)
    return x, y * np.exp(10 ** rng.uniform(-4, -1.5) * rng.standard_normal(len(x)))


def test_clean_tables_seldom_run_though_rows_are_repeated():
    assert sum(bool(said(fit.curve(laws.get("m2"), *planted(seed)))) for seed in range(60)) <= 2


@pytest.mark.slow
def test_at_most_one_clean_table_in_twenty_runs():
    assert sum(bool(said(fit.curve(laws.get("m2"), *planted(seed)))) for seed in range(400)) <= 20


def test_exact_rows_and_few_rows_say_nothing():
    x = np.geomspace(1.0, 1e4, 12)
    assert not said(fit.curve(laws.get("m2"), x, 2 + 3 * x**-0.4))
    assert not said(fit.curve(laws.get("m1"), x[:7], (2 + 3 * x**-0.4)[:7]))


def test_many_fits_say_what_one_says():
    columns = {"g": [], "x": [], "y": []}
    tables = {"turn": (X, Y), **{f"clean {seed}": planted(seed) for seed in range(6)}}
    for name, (x, y) in tables.items():
        for key, values in (("g", [name] * len(x)), ("x", x), ("y", y)):
            columns[key] += list(values)
    for line in fit.many(columns, by="g", x="x", y="y", law=laws.get("m2")):
        (name,) = (value for _, value in line.by)
        alone = fit.curve(laws.get("m2"), *tables[name])
        assert [note for note in line.notes if note.startswith("lack")] == said(alone)
