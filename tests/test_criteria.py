"""AICc and BIC against their definitions, on planted laws, and where they may not decide."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import fit, laws
from symbolic_scaling.fit.select import preferred, worth


def planted(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A floor and a power law in 8 to 30 rows with noise of .1 to 5 %."""
    rng = np.random.default_rng(seed)
    x = np.geomspace(1e4, 1e8, int(rng.integers(8, 30)))
    floor, amplitude, slope = 10 ** rng.uniform(-1.5, 0.3), 10 ** rng.uniform(0.5, 2.5), rng.uniform(0.2, 0.5)
    noise = 10 ** rng.uniform(-3, -1.3) * rng.standard_normal(len(x))
    return x, (floor + amplitude * x**-slope) * np.exp(noise)


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.sampled_from(["m1", "m2", "m3", "m4"]), st.booleans())
def test_criteria_are_their_definitions_over_all_that_was_free(seed, name, held):
    x, y = planted(seed)
    law = laws.get(name)
    found = fit.curve(law, x, y, fix={"c": -0.3} if held else None)
    n, k = len(x), len(law.constants) - held + 1
    squares = float(np.mean((np.log(found.predict(x)) - np.log(y)) ** 2))
    likelihood = -n / 2 * (math.log(2 * math.pi * squares) + 1)  # of normal log residuals
    shift = n * (math.log(2 * math.pi) + 1)
    one = fit.score(found)
    assert (one.rows, one.constants) == (n, k - 1)
    assert one.bic == pytest.approx(k * math.log(n) - 2 * likelihood - shift, abs=1e-6)
    corrected = 2 * k - 2 * likelihood - shift + 2 * k * (k + 1) / (n - k - 1) if n > k + 1 else math.inf
    assert one.aicc == pytest.approx(corrected, abs=1e-6)


def test_a_tied_constant_is_not_counted_and_one_on_a_wall_is():
    x = np.geomspace(1.0, 1e3, 8)
    tied = fit.curve(laws.get("m2"), x, 2 + 2 / x, tie={"eps_inf": "beta"})
    walled = fit.curve(
        laws.get("m2"), x, 3 * x**-0.4 * np.exp(0.01 * np.cos(3 * np.arange(8)) - 0.003 * np.log(x) ** 2)
    )
    assert walled.outcome.name == "OPTIMUM_ON_BOUND"
    assert (fit.score(tied).constants, fit.score(walled).constants) == (2, 3)


def test_five_constants_on_six_rows_are_never_preferred():
    for seed in range(6):
        x, y = (values[:6] for values in planted(seed))
        scores = [fit.score(fit.curve(laws.get(name), x, y)) for name in ("m1", "m4")]
        assert scores[1].aicc == math.inf and scores[1].note
        assert [preferred(scores, criterion).law for criterion in ("aicc", "bic")] == ["m1", "m1"]
    best = fit.best([laws.get("m1"), laws.get("m4")], x=x, y=y)
    assert any(text.startswith("m4: AICc") for text in best.against)
    assert not any("prefers m4" in text for text in best.against)


def test_where_constants_stay_open_the_criteria_have_no_meaning():
    x = np.geomspace(1e6, 3e8, 8)
    open_, flat = (fit.score(fit.curve(laws.get("m2"), x, y)) for y in (np.full(8, 0.7), 0.7 + 30 * x**-0.4))
    assert "no meaning" in open_.note and open_.constants == 3 and not flat.note
    assert preferred([open_], "bic") is None


def share_preferred(count: int) -> dict[str, int]:
    """Of so many planted tables of M2, how often each criterion is lower for M4."""
    times = {"aicc": 0, "bic": 0}
    for seed in range(count):
        found = [fit.score(fit.curve(laws.get(name), *planted(seed))) for name in ("m2", "m4")]
        for criterion in times:
            lower = getattr(found[1], criterion) < getattr(found[0], criterion)
            times[criterion] += lower
            assert lower or preferred(found, criterion).law == "m2"
    return times


def test_two_constants_more_are_seldom_preferred():
    assert max(share_preferred(200).values()) <= 20


def test_backward_steps_weigh_constants_as_the_criterion_does():
    x, y = planted(3)
    one, other = (fit.score(fit.curve(laws.get(name), x, y)) for name in ("m1", "m2"))
    n = len(x)
    fall = n * math.log(fit.curve(laws.get("m1"), x, y).objective / fit.curve(laws.get("m2"), x, y).objective)
    assert one.bic - other.bic == pytest.approx(fall - worth(1, n), abs=1e-6)
