"""Backtests: the error, the win rule, the split, the profile, and the paper's figure 2 on a simulated curve."""

from __future__ import annotations

import math
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import data, laws
from symbolic_scaling.errors import DataError, FitError
from symbolic_scaling.fit import backtest, metrics, profile

FEW = settings(max_examples=60, deadline=None, derandomize=True)
X = np.geomspace(1e4, 1e8, 13)


def table(**more):
    """Two curves of known floor, the second four times as high."""
    tasks = [(task, x, height * (0.2 + 30 * x**-0.4)) for task, height in (("one", 1), ("two", 4)) for x in X]
    columns = {"task": [t for t, _, _ in tasks], "n": [x for _, x, _ in tasks], "loss": [y for _, _, y in tasks]}
    return data.read(columns | {"kind": ["text"] * len(tasks)} | more)


# ---------------------------------------------------------------- metrics

errors = st.lists(st.one_of(st.floats(0, 0.02), st.just(math.nan)), min_size=1, max_size=6)


@FEW
@given(errors)
def test_one_win_is_shared_out_on_a_curve_with_any_error(found):
    shares = metrics.share_wins(found)
    assert sum(shares) == pytest.approx(0 if all(map(math.isnan, found)) else 1)
    assert all(share == 0 for share, error in zip(shares, found, strict=True) if math.isnan(error))
    assert sum(metrics.strict_wins(found)) <= 1
    for share, strict in zip(shares, metrics.strict_wins(found), strict=True):
        assert share > 0 or not strict  # whoever is lowest is among the lowest after truncation


def test_wins_truncate_to_three_decimals_and_split_ties():
    assert metrics.share_wins([0.0299, 0.029, 0.030]) == (0.5, 0.5, 0)
    assert metrics.share_wins([0.0290, 0.0289]) == (0, 1)  # 0.029 * 1000 is 28.99... in binary
    assert metrics.strict_wins([0.0299, 0.029, 0.030]) == (0, 1, 0)
    assert metrics.share_wins([math.nan, 0.5]) == (0, 1)


@FEW
@given(st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=20), st.floats(-2, 2), st.floats(1e-6, 1e6))
def test_the_error_is_of_logarithms(measured, shift, unit):
    truth = np.array(measured)
    assert metrics.rmse(truth * np.exp(shift), truth) == pytest.approx(abs(shift), abs=1e-12)
    assert metrics.rmse(truth * unit, truth * 2 * unit) == pytest.approx(math.log(2))


def test_a_prediction_without_logarithm_has_no_error():
    assert math.isnan(metrics.rmse([1.0, -1.0], [1.0, 1.0]))
    with pytest.raises(DataError, match="held-out"):
        metrics.rmse([], [])


# ---------------------------------------------------------------- split


def test_a_curve_is_cut_at_half_of_its_largest_input():
    one, two = backtest.split(table(), {"x": "n"}, "loss", by=["task"], group="kind")
    assert one.name == "one" and two.by == (("task", "two"),) and one.group == "text"
    assert one.x["x"].max() <= X[-1] / 2 < one.later_x["x"].min()
    assert len(one.y) + len(one.later_y) == len(X)
    assert not one.y.flags.writeable


def test_a_column_marks_the_rows_to_fit():
    marks = [1, 0] * len(X)
    one, _ = backtest.split(table(mark=marks), {"x": "n"}, "loss", by=["task"], column="mark")
    assert one.x["x"] == pytest.approx(X[::2]) and one.later_x["x"] == pytest.approx(X[1::2])


def test_a_cutoff_leaves_out_the_start_of_the_curve():
    one, _ = backtest.split(table(), {"x": "n"}, "loss", by=["task"], start="1M")
    assert one.x["x"].min() >= 1e6 and one.later_x["x"].max() == X[-1]


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"column": "kind"}, "not a number"),
        ({"column": "nope"}, "nope"),
        ({"by": ["task"], "group": "n"}, "add it to --by"),
        ({"column": "ones"}, "no row is held out"),
    ],
)
def test_a_split_that_makes_no_sense_is_refused(options, word):
    with pytest.raises(DataError, match=word):
        backtest.split(table(ones=[1] * 2 * len(X)), {"x": "n"}, "loss", **options)


# ---------------------------------------------------------------- run


@pytest.fixture(scope="module")
def curves():
    return backtest.split(table(), {"x": "n"}, "loss", by=["task"])


def test_the_law_that_made_the_curves_wins(curves):
    ran = backtest.run(curves, backtest.contenders([laws.get("m1"), laws.get("m2")], ("response", "equation")))
    assert len(ran.rows) == 8
    assert [row.contender.law.name for row in ran.of("m2")] == ["m2", "m2"]
    by = {(s.contender.law.name, s.contender.residual): s for s in ran.summary}
    for residual in ("response", "equation"):
        assert by["m2", residual].mean_rmse < 1e-6 and by["m2", residual].win_rate == 1
        assert by["m1", residual].win_rate_strict == 0 and by["m1", residual].curves == 2
    assert all(row.estimate["c"] == pytest.approx(-0.4, abs=1e-5) for row in ran.of("m2"))


def test_a_law_that_cannot_be_fitted_loses_and_says_why(curves):
    (short, _) = backtest.split(table(), {"x": "n"}, "loss", by=["task"], start=X[-4])
    ran = backtest.run([short], backtest.contenders([laws.get("m1"), laws.get("m4")]))
    m1, m4 = ran.summary
    assert m1.win_rate == 1 and m1.missing == 0
    assert m4.win_rate == 0 and m4.missing == 1 and math.isnan(m4.mean_rmse)
    assert "distinct" in ran.of("m4")[0].why and ran.of("m4")[0].estimate == {}


def test_constants_are_fixed_where_a_law_has_them(curves):
    m1, m2 = backtest.contenders([laws.get("m1"), laws.get("m2")], fix={"eps_inf": 0.1}, bounds={"c": (-0.3, -0.1)})
    assert m1.fixed == () and m2.fixed == (("eps_inf", 0.1),) and m1.bounds == (("c", (-0.3, -0.1)),)
    row = backtest.judge(curves[0], m2)
    assert row.estimate["eps_inf"] == 0.1 and -0.3 <= row.estimate["c"] <= -0.1
    with pytest.raises(FitError, match="no law has this constant"):
        backtest.contenders([laws.get("m1")], fix={"zeta": 1})


def test_a_process_pool_gives_the_same_rows(curves):
    candidates = backtest.contenders([laws.get("m1"), laws.get("m2")])
    here = backtest.run(curves, candidates)
    ticks = []
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        there = backtest.run(curves, candidates, executor=pool, progress=lambda: ticks.append(1))
    assert [(row.by, row.rmse, row.estimate) for row in there.rows] == [(r.by, r.rmse, r.estimate) for r in here.rows]
    assert len(ticks) == 4


# ---------------------------------------------------------------- profile


def test_the_best_fit_is_not_the_best_extrapolation():
    """A curve that bends early: M2 fits it best with a flatter exponent than the one of its tail."""
    y = 0.1 + 0.9 * (1 + X / 1e5) ** -0.5
    (bent,) = backtest.split(data.read({"n": X, "loss": y}), {"x": "n"}, "loss")
    (found,) = profile.run([bent], backtest.Contender(laws.get("m2")), "c")
    assert len(found.values) == len(found.rows) == 17
    assert found.fits_best == found.free.estimate["c"] == found.values[8]
    assert -0.5 < found.extrapolates_best < 1.1 * found.fits_best
    best = min(found.rows, key=lambda row: row.rmse)
    assert best.rmse < found.free.rmse / 3 and best.objective > 1.5 * found.free.objective
    assert all(row.estimate["c"] == value for row, value in zip(found.rows, found.values, strict=True))


def test_only_a_free_constant_has_a_profile(curves):
    held = backtest.Contender(laws.get("m2"), fixed=(("c", -0.3),))
    with pytest.raises(FitError, match="no such free constant"):
        profile.run(curves, held, "c")
    with pytest.raises(FitError, match="no such free constant"):
        profile.run(curves, held, "gamma")
