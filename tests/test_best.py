"""``fit.best``: what it says of planted curves, of few rows, of hostile tables; weights, windows and criteria."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import fit, laws, report
from symbolic_scaling.errors import DataError, FitError, ScalingError
from symbolic_scaling.fit import average, select, windows

FEW = settings(max_examples=50, deadline=None, derandomize=True)
X = np.geomspace(1e5, 1e8, 16)
TRUTH = 1.7 + 400 * X**-0.4
NOISY = TRUTH * np.exp(0.005 * np.random.default_rng(0).standard_normal(16))


@pytest.fixture(scope="module")
def found():
    return fit.best(laws.learning_curves, x=X, y=NOISY, at=[2e8, 1e9])


# ---------------------------------------------------------------- planted curves


def test_a_planted_law_is_found_and_extrapolated():
    exact = fit.best(laws.learning_curves(), x=X, y=TRUTH, at=1e9)
    assert exact.fit.law.name == next(iter(exact.by_law)) == "m2" and exact.by_law["m2"] > 0.5
    assert exact.predict(1e9) == pytest.approx(1.7 + 400 * 1e9**-0.4, rel=1e-4)
    assert exact.fit.estimate["eps_inf"] == pytest.approx(1.7, rel=1e-6)


def test_the_answer_is_complete(found):
    assert [dict(each.inputs)["x"] for each in found.predictions] == [2e8, 1e9]
    for each in found.predictions:
        (_, lo, hi), (_, wider_lo, wider_hi) = each.bands
        assert wider_lo < lo < each.value < hi < wider_hi
        x = dict(each.inputs)["x"]
        assert each.value == pytest.approx(float(found.predict(x)), rel=1e-12) and lo < 1.7 + 400 * x**-0.4 < hi
        assert (lo, hi) == pytest.approx([float(end) for end in found.band(x, 0.8)])
    assert sum(each.weight for each in found.candidates) == pytest.approx(1)
    assert sum(found.by_law.values()) == pytest.approx(1)
    assert [each.law for each in found.scores] == ["m1", "m2", "m3", "m4"] == [each.law.name for each in found.fits]
    assert any("AICc" in text for text in found.because) and any("judged over" in text for text in found.against)
    assert found.noise == pytest.approx(0.005, rel=0.5)


def test_the_fit_that_weighs_most_is_a_fit_like_any_other(found, tmp_path):
    found.fit.save(tmp_path / "fit.json")
    again = fit.load(tmp_path / "fit.json")
    assert again.estimate == found.fit.estimate
    assert len(found.fit.problem.y) == found.chosen.candidate.rows.sum()


def test_it_reads_as_a_page_and_as_plain_values(found):
    page = report.markdown(found)
    assert all(text[1:] in page for text in (*found.because, *found.against))
    assert report.as_json(found)["predictions"][1]["value"] == found.predictions[1].value


def test_bands_widen_with_distance_and_level(found):
    far = np.array([2e8, 2e9, 2e10, 2e11])
    lo, hi = found.band(far, 0.8)
    assert (np.diff(np.log(hi / lo)) > 0).all()
    with pytest.raises(FitError, match="between 0 and 1"):
        found.band(far, 80)


def test_order_of_rows_and_what_happens_to_them_later_are_irrelevant(found):
    order = np.random.default_rng(1).permutation(len(X))
    x, y = X[order], NOISY[order]
    again = fit.best(laws.learning_curves, x=x, y=y, at=[2e8, 1e9])
    x[:], y[:] = 1.0, 1.0
    assert again.predictions == found.predictions
    assert again.predict(3e9) == found.predict(3e9)


@pytest.mark.parametrize(("of_x", "of_y"), [(1e-9, 1.0), (1.0, 1e6), (1e12, 1e-3)])
def test_units_are_irrelevant(found, of_x, of_y):
    again = fit.best(laws.learning_curves, x=X * of_x, y=NOISY * of_y, at=[2e8 * of_x, 1e9 * of_x])
    assert list(again.by_law.values()) == pytest.approx(list(found.by_law.values()), abs=1e-3)
    for one, other in zip(again.predictions, found.predictions, strict=True):
        assert one.value / of_y == pytest.approx(other.value, rel=1e-4)
        assert one.bands[0][1] / of_y == pytest.approx(other.bands[0][1], rel=1e-3)


def test_repeating_every_row_changes_nothing(found):
    again = fit.best(laws.learning_curves, x=np.tile(X, 3), y=np.tile(NOISY, 3), at=1e9)
    assert again.predict(1e9) == pytest.approx(float(found.predict(1e9)), rel=1e-3)
    assert again.scores[1].rows == 16


def test_laws_of_several_inputs_are_judged_by_the_product_of_these():
    N, D = (values.ravel() for values in np.meshgrid(np.geomspace(1e7, 1e9, 6), np.geomspace(1e9, 1e11, 6)))
    y = 1.8 + 480 * N**-0.35 + 2085 * D**-0.37
    exact = fit.best([laws.get("chinchilla"), laws.get("kaplan-nd")], x={"N": N, "D": D}, y=y, at={"N": 4e9, "D": 4e11})
    assert exact.inputs == ("N", "D") and exact.fit.law.name == "chinchilla"
    assert exact.predictions[0].value == pytest.approx(1.8 + 480 * 4e9**-0.35 + 2085 * 4e11**-0.37, rel=1e-3)


def test_an_early_part_that_follows_no_law_is_left_out():
    x = np.geomspace(1e5, 1e8, 40)
    y = np.where(x < 1e6, 1.0, 0.1 + 0.9 * (x / 1e6) ** -0.4) * np.exp(
        0.002 * np.random.default_rng(2).standard_normal(40)
    )
    found = fit.best([laws.get("m1"), laws.get("m2")], x=x, y=y, at=2e8)
    assert found.chosen.name == "m2" and found.chosen.candidate.share > 0.2
    assert "rows from x" in found.because[1]
    assert found.predict(2e8) == pytest.approx(0.1 + 0.9 * 200**-0.4, rel=0.05)


# ---------------------------------------------------------------- few rows, odd rows


def test_two_rows_have_no_band_and_one_row_has_no_answer():
    two = fit.best(laws.learning_curves, x=[1e6, 1e7], y=[3.0, 2.5])
    assert two.predictions[0].bands == () and {law for law, _ in two.refused} == {"m2", "m3", "m4"}
    assert any("noise" in text for text in two.against)
    with pytest.raises(FitError, match="noise"):
        two.band(1e8)
    with pytest.raises(FitError, match="at least"):
        fit.best(laws.learning_curves, x=[1e6], y=[3.0])


@pytest.mark.parametrize("rows", [3, 4, 5])
def test_few_rows_are_told_so(rows):
    x = 10.0 ** np.arange(6, 6 + rows)
    few = fit.best(laws.learning_curves, x=x, y=2 + 64 * x**-0.30103)
    assert any("too few" in text or "one earlier origin" in text for text in (*few.because, *few.against))
    ((_, lo, hi), _) = few.predictions[0].bands
    assert lo < 2 + 64 * (2 * x[-1]) ** -0.30103 < hi


def test_a_constant_response_stays():
    flat = fit.best(laws.learning_curves, x=[1e6, 3e6, 1e7, 3e7, 1e8, 3e8], y=[0.7] * 6, at=1e10)
    assert flat.predict(1e10) == pytest.approx(0.7, rel=1e-6)
    assert flat.predictions[0].bands[0][1] == pytest.approx(0.7, rel=1e-3)


def test_double_descent_speaks_against_monotone_laws():
    x = [8, 16, 32, 64, 128, 192, 256, 328, 408, 512]
    y = [7.27, 6.13, 4.82, 3.83, 4.36, 5.33, 5.05, 4.67, 4.37, 4.12]
    turned = fit.best(laws.learning_curves, x=x, y=y)
    assert any("not monotone" in text for text in turned.against)


def test_a_diverged_last_run_is_named():
    """FIELD_CASES 19."""
    x = np.array([1e6, 3e6, 1e7, 3e7, 1e8, 3e8, 1e9])
    y = np.append(1.7 + 400 * x[:-1] ** -0.4, 9.9)
    spoilt = fit.best(laws.learning_curves, x=x, y=y)
    assert any("largest row lies" in text and "look at that run" in text for text in spoilt.against)
    ((_, lo, hi), _) = spoilt.predictions[0].bands
    assert lo < 1.7 + 400 * 2e9**-0.4 < hi
    without = fit.best(laws.learning_curves, x=x[:-1], y=y[:-1], at=1e9)
    assert without.predict(1e9) == pytest.approx(1.7 + 400 * 1e9**-0.4, rel=3e-3)


# ---------------------------------------------------------------- what is refused

GOOD = {"x": X, "y": NOISY}
HOSTILE = {
    "all missing": {"x": X, "y": X * np.nan},
    "one row": {"x": [1e6], "y": [1.0]},
    "constant x": {"x": [1e6] * 5, "y": [1.0, 2.0, 3.0, 4.0, 5.0]},
    "negative": {"x": X, "y": -NOISY},
    "mixed types": {"x": [1e6, "a", None], "y": [1.0, 2.0, 3.0]},
    "lengths": {"x": X, "y": NOISY[1:]},
    "wrong name": {"x": {"n": X}, "y": NOISY},
    "at a wrong name": {**GOOD, "at": {"n": 1e9}},
    "at zero": {**GOOD, "at": 0.0},
    "at nothing": {**GOOD, "at": []},
    "at a text": {**GOOD, "at": "far"},
    "no option": {**GOOD, "depth": 3},
    "no candidate": {**GOOD, "candidates": ()},
    "none given": {**GOOD, "candidates": None},
    "no law": {**GOOD, "candidates": ["m2"]},
    "two kinds of inputs": {**GOOD, "candidates": [laws.get("m2"), laws.get("chinchilla")]},
    "twice": {**GOOD, "candidates": [laws.get("m2"), laws.get("m2")]},
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_input_is_refused_in_words(case):
    with pytest.raises((FitError, DataError)) as refused:
        fit.best(**{"candidates": laws.learning_curves, **HOSTILE[case]})
    assert refused.value.remedy


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (X * 1e292, NOISY),
        (X, NOISY * 1e300),
        (np.append(X, 1e300), np.append(NOISY, 1.0)),
        (np.repeat(X, 10_000), np.repeat(NOISY, 10_000)),
        (np.append(X, [0.0, -1.0, np.nan]), np.append(NOISY, [1.0, 1.0, 1.0])),
    ],
    ids=["x near 1e300", "y near 1e300", "one x of 1e300", "duplicates", "bad rows"],
)
def test_extreme_tables_end_in_an_answer_or_a_typed_error(x, y):
    try:
        value = fit.best(laws.learning_curves, x=x, y=y, at=float(x[0]) * 2).predictions[0].value
    except ScalingError:
        return
    assert 0 < value < math.inf


# ---------------------------------------------------------------- parts

logs = st.lists(st.floats(-50, 50), min_size=1, max_size=8).map(np.array)


@FEW
@given(logs, st.floats(-100, 100))
def test_weights_add_to_one_and_know_only_differences_of_evidence(evidence, shift):
    prior = np.full(len(evidence), 1 / len(evidence))
    found = average.weights(prior, evidence)
    assert found.sum() == pytest.approx(1) and (found >= 0).all()
    assert average.weights(prior, evidence + shift) == pytest.approx(found, rel=1e-9)
    assert found[np.argmax(evidence)] == found.max()


@FEW
@given(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=9), st.booleans())
def test_the_prior_is_fair_to_laws_however_many_windows_they_have(names, records):
    found = average.prior([*names, None], records)
    assert found.sum() == pytest.approx(1)
    shares = [sum(w for w, name in zip(found, names, strict=False) if name == one) for one in sorted(set(names))]
    assert shares == pytest.approx([shares[0]] * len(shares))
    assert found[-1] == pytest.approx(0.5 if records else shares[0])


@FEW
@given(st.floats(1e-6, 1), st.floats(1.01, 10), st.floats(0.01, 1))
def test_a_smaller_error_weighs_more_the_more_so_the_less_noise(error, worse, noise):
    squares = np.array([[error**2], [(worse * error) ** 2]])
    gaps = [np.subtract(*average.evidence(np.full(2, 0.5), squares, level)) for level in (noise / 10, noise)]
    assert gaps[0] >= gaps[1] > 0


@FEW
@given(st.lists(st.floats(0, 20), min_size=3, max_size=30, unique=True), st.floats(0.01, 3))
def test_origins_judge_by_later_rows_only(values, reach):
    size = np.array(values)
    for origin in (*windows.origins(size, reach), *windows.largest_out(size)):
        assert not (origin.train & origin.test).any() and origin.test.any()
        assert size[origin.train].max() < size[origin.test].min()
        part = windows.inside(size, origin.train, 0.5)
        assert part[size == size[origin.train].max()].all() and not part[~origin.train].any()


def test_leaving_the_largest_out_shows_a_floor_that_is_not_settled():
    settled = select.leave_largest_out(fit.curve(laws.get("m2"), X, TRUTH))
    assert [each.rows for each in settled] == [1, 2, 3]
    assert [each.floor for each in settled] == pytest.approx([1.7] * 3)
    bent = 1 + 1 / (1 + np.log(X / 1e5))
    moving = select.leave_largest_out(fit.curve(laws.get("m2"), X, bent))
    assert np.ptp([each.floor for each in moving]) > 0.01
    assert select.leave_largest_out(fit.curve(laws.get("m1"), X[:3], TRUTH[:3]), 3) == ()
