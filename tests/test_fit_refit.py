"""Refits: other weights and other responses meet the optimum that a fit of their own meets."""

from __future__ import annotations

import csv
import os
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planted import planted

from symbolic_scaling import codegen, fit, laws
from symbolic_scaling.errors import FitError
from symbolic_scaling.fit import bootstrap
from symbolic_scaling.fit.refit import in_parts

FEW = settings(max_examples=6, deadline=None, derandomize=True)
FOLDER = os.environ.get("SYMBOLIC_SCALING_DATA", "")


def pairs(rows, samples, seed):
    """All parts of a draw."""
    return np.concatenate(list(bootstrap.pairs(rows, samples, seed)))


def noisy(name, seed=1, noise=0.02):
    law, x, constants = planted(name, seed)
    y = codegen.law(law)(*x.values(), *constants.values())
    return law, x, y * np.exp(noise * np.random.default_rng(seed).standard_normal(len(y)))


@pytest.mark.parametrize("options", [{}, {"loss": "huber", "delta": 0.01}, {"residual": "relative", "reduce": "sum"}])
@pytest.mark.parametrize("name", ["m2", "m4", "chinchilla"])
def test_weights_that_count_rows_are_a_fit_of_repeated_rows(name, options):
    law, x, y = noisy(name)
    found = fit.curve(law, x, y, **options)
    times = pairs(len(y), 3, seed=5)
    again = fit.refit(found, weights=times)
    assert again.converged.all()
    for i in range(3):
        rows = np.repeat(np.arange(len(y)), times[i].astype(int))
        alone = fit.curve(law, {key: values[rows] for key, values in x.items()}, y[rows], **options)
        scale = len(y) / len(rows) if options.get("reduce") == "sum" else 1.0
        assert again.objective[i] * scale <= alone.objective * (1 + 1e-8)
        if again.objective[i] * scale > alone.objective * (1 - 1e-8):
            np.testing.assert_allclose(again.constants[i], [*alone.estimate.values()], rtol=2e-4)


@pytest.mark.parametrize("residual", ["response", "equation", "absolute"])
def test_other_responses_are_a_fit_of_their_own(residual):
    law, x, y = noisy("m1" if residual == "equation" else "m2")
    found = fit.curve(law, x, y, residual=residual)
    other = y * np.exp(0.01 * np.random.default_rng(0).standard_normal((4, len(y))))
    again = fit.refit(found, y=other)
    for i in range(4):
        alone = fit.curve(law, x, other[i], residual=residual)
        np.testing.assert_allclose(again.constants[i], [*alone.estimate.values()], rtol=1e-5)


@FEW
@given(seed=st.integers(0, 1000), factor=st.floats(1e-6, 1e6))
def test_only_the_ratios_of_weights_matter(seed, factor):
    law, x, y = noisy("chinchilla")
    found = fit.curve(law, x, y)
    weights = np.random.default_rng(seed).uniform(0.1, 1, (2, len(y)))
    one, two = fit.refit(found, weights), fit.refit(found, factor * weights)
    np.testing.assert_allclose(one.constants, two.constants, rtol=1e-7)


def test_equal_weights_give_the_fit_and_many_members_the_same_as_few():
    law, x, y = noisy("chinchilla")
    found = fit.curve(law, x, y)
    same = fit.refit(found, weights=np.ones((1, len(y))))
    np.testing.assert_allclose(same.constants[0], [*found.estimate.values()], rtol=1e-5)
    weights = pairs(len(y), 1000, 3)
    many = fit.refit(found, weights)
    np.testing.assert_allclose(
        many.constants[[0, 700, 999]], fit.refit(found, weights[[0, 700, 999]]).constants, rtol=1e-9
    )


def test_members_are_of_the_rows_as_they_were_given(tmp_path):
    """Unsorted rows, one repeated and one dropped: the same weights in a fit of its own give the same."""
    x = np.array([1e8, 1e6, 1e7, 3e6, 1e9, 1e5, 1e6])
    y = np.array([2.2, 3.1, 2.5, np.nan, 2.15, 4.0, 3.1])
    weights, other = [1, 1, 0.5, 7, 1, 0, 2], y * [1.01, 1, 0.99, 1, 1, 1.02, 1]
    found = fit.curve(laws.get("m2"), x, y)
    found.save(tmp_path / "a.json")
    for kept in (found, fit.load(tmp_path / "a.json")):
        for again, alone in (
            (fit.refit(kept, [weights]), fit.curve(laws.get("m2"), x, y, weights=np.array(weights) + 1e-12)),
            (
                fit.refit(kept, y=np.where(np.isnan(y), np.nan_to_num(y) + 1, other)[None]),
                fit.curve(found.law, x, other),
            ),
        ):
            np.testing.assert_allclose(again.constants[0], [*alone.estimate.values()], rtol=1e-5)
    with pytest.raises(FitError, match="repeat one another"):
        fit.refit(kept, y=[np.arange(1.0, 8)])
    with pytest.raises(FitError, match="order of its table"):
        fit.refit(replace(found, problem=replace(found.problem, places=())), [weights])


def test_priors_stay_beside_other_weights():
    law, x, y = noisy("m2")
    found = fit.curve(law, x, y, priors={"c": (-0.2, 1e-6)})
    again = fit.refit(found, pairs(len(y), 5, 0))
    np.testing.assert_allclose(again.constants[:, 1], -0.2, atol=1e-5)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "neither"),
        ({"weights": np.ones(20)}, "shape"),
        ({"weights": np.ones((2, 3))}, "shape"),
        ({"weights": -np.ones((1, 20))}, "negative"),
        ({"weights": np.zeros((1, 20))}, "all of a member are 0"),
        ({"y": -np.ones((1, 20))}, "not positive"),
        ({"y": np.full((1, 20), np.nan)}, "no number"),
        ({"y": np.ones((2, 20)), "weights": np.ones((3, 20))}, "3 rows of weights and 2 of y"),
    ],
)
def test_what_cannot_be_refitted_is_refused(asked, words):
    law, x, y = noisy("m2")
    with pytest.raises(FitError, match=words):
        fit.refit(fit.curve(law, x, y), **asked)


@pytest.mark.slow
@pytest.mark.skipif(not FOLDER, reason="SYMBOLIC_SCALING_DATA does not name the folder of run tables")
def test_each_bootstrap_refit_of_the_chinchilla_runs_is_at_its_own_optimum():
    """No fit that searches from the start ends lower (field case 6's table and loss)."""
    with (Path(FOLDER) / "chinchilla_svg_extracted.csv").open(newline="") as file:
        rows = [(float(r["Model Size"]), float(r["Training FLOP"]), float(r["loss"])) for r in csv.DictReader(file)]
    n, c, y = np.array(sorted(rows, key=lambda row: row[2])[:-5]).T
    options = {"loss": "huber", "delta": 1e-3}
    found = fit.curve(laws.get("chinchilla"), {"N": n, "D": c / 6 / n}, y, **options)
    weights = pairs(len(found.problem.y), 4000, 0) * found.problem.counts
    again = in_parts(found, [(weights, None)])
    assert again.converged.all()
    for i in range(100):
        alone = fit.curve(found.law, dict(found.problem.x), found.problem.y, weights=weights[i] + 1e-12, **options)
        assert again.objective[i] <= alone.objective * (1 + 1e-6)


def test_draws_are_whole_rows_and_come_in_parts_of_bounded_size(monkeypatch):
    whole = pairs(50, 40, 7)
    assert (whole.sum(axis=1) == 50).all() and len(np.unique(whole, axis=0)) == 40
    monkeypatch.setattr(bootstrap, "_NUMBERS", 50 * 16)
    parts = list(bootstrap.pairs(50, 40, 7))
    assert [len(part) for part in parts] == [16, 16, 8]
    np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_memory_of_a_bootstrap_does_not_grow_with_its_samples(monkeypatch):
    x = np.geomspace(1e3, 1e9, 5000)
    y = 3 * x**-0.3 * np.exp(0.01 * np.random.default_rng(0).standard_normal(len(x)))
    found = fit.curve(laws.get("m1"), x, y)
    monkeypatch.setattr(bootstrap, "_NUMBERS", 20 * len(x))
    peaks = []
    for samples in (40, 160):
        tracemalloc.start()
        found.interval("c", method="bootstrap", samples=samples)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0] + 1e5
