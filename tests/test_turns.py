"""Turning points: those of a curve are named, those of its noise are not."""

from __future__ import annotations

import numpy as np
import pytest

from symbolic_scaling import fit, laws
from symbolic_scaling.data.turns import turns


@pytest.mark.parametrize("count", [6, 12, 30, 60, 200, 2000])
@pytest.mark.parametrize("noise", [0.01, 0.05])
def test_noise_about_a_law_that_falls_is_no_turn(count, noise):
    x = np.geomspace(1e4, 1e9, count)
    wrong = 0
    for seed in range(60):
        scatter = np.exp(noise * np.random.default_rng(seed).normal(size=count))
        wrong += bool(turns(x, (9 * x**-0.55 + 0.57) * scatter, 0.05))
    assert wrong <= 3  # one in twenty


def test_a_step_back_that_is_small_beside_the_range_is_no_turn():
    assert turns(np.arange(1.0, 8.0), np.array([9, 8, 8.5, 7, 6, 5, 4]), 0.2) == []


@pytest.mark.parametrize("count", [12, 40, 300])
def test_a_bump_of_a_third_is_seen_through_noise_of_a_hundredth(count):
    x = np.geomspace(1.0, 1e4, count)
    bump = 1 + 0.35 * np.exp(-((np.log10(x) - 2) ** 2) / 0.1)
    y = (3 * x**-0.05) * bump * np.exp(0.01 * np.random.default_rng(1).normal(size=count))
    ((low, first), (high, second)) = turns(x, y, 0.2)
    assert (first, second) == ("minimum", "maximum")
    assert low < high and 50 < high < 200


def test_a_curve_and_its_mirror_turn_at_the_same_places():
    x = np.arange(1.0, 13.0)
    y = np.array([9.0, 8, 7, 6, 5, 4, 5, 6, 7, 6, 5, 4])
    assert [at for at, _ in turns(x, y, 0.2)] == [at for at, _ in turns(x, 20 - y, 0.2)] == [6.0, 9.0]
    assert turns(x[::-1], y[::-1], 0.2) == turns(x, y, 0.2)


def test_a_planted_floor_with_noise_is_fitted_and_has_intervals():
    x = np.geomspace(1e4, 1e9, 60)
    y = (9 * x**-0.55 + 0.57) * np.exp(0.01 * np.random.default_rng(0).normal(size=60))
    found = fit.curve(laws.get("m2"), x, y)
    assert found.outcome.success and found.intervals


@pytest.mark.parametrize("count", [10, 12, 20, 40])
@pytest.mark.parametrize("law", ["m1", "m2", "m3"])
def test_a_smooth_curve_that_falls_far_and_rises_a_little_turns(count, law):
    """From 2.09 to .363 and back to .619: a seventh of the range, a third of it in logarithms."""
    way = np.linspace(0, 1, count)
    down, up = np.log(2.09 / 0.363) / 0.78**2, np.log(0.619 / 0.363) / 0.22**2
    y = 0.363 * np.exp(np.where(way < 0.78, down, up) * (way - 0.78) ** 2)
    x = np.geomspace(1e4, 1e9, count)
    assert [kind for _, kind in turns(x, y, 0.2)] == ["minimum"]
    assert fit.curve(laws.get(law), x, y).outcome is fit.Outcome.WRONG_SHAPE
