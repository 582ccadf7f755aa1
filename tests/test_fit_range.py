"""Extreme and inadmissible input: fitted without a warning (warnings are errors in tests), or refused in words."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np
import pytest

from symbolic_scaling import fit, laws
from symbolic_scaling.errors import FitError

FOLDER = os.environ.get("SYMBOLIC_SCALING_DATA", "")
X = np.geomspace(1e4, 1e9, 24)
Y = 0.3 + 30 * X**-0.35


@pytest.mark.parametrize("residual", ["response", "equation"])
@pytest.mark.parametrize("name", ["m1", "m2", "m3", "m4", "bnsl"])
@pytest.mark.parametrize(("of_x", "of_y"), [(1, 1e300), (1, 1e-300), (1e290, 1), (1e-300, 1e300)])
def test_extreme_units_give_the_same_curve(of_x, of_y, name, residual):
    law = laws.get(name)
    found = fit.curve(law, X * of_x, Y * of_y, residual=residual)
    plain = fit.curve(law, X, Y, residual=residual)
    np.testing.assert_allclose(found.predict(X * of_x) / of_y, plain.predict(X), rtol=1e-6)


NOISY = Y * np.exp(0.01 * np.random.default_rng(0).standard_normal(24))


@pytest.mark.parametrize(
    ("name", "of_y"), [("m1", 1e300), ("m2", 1e300), ("m2", 1e-300), ("m3", 1e-300), ("bnsl", 1e300)]
)
def test_intervals_are_those_of_plain_units(name, of_y):
    law = laws.get(name)
    found, plain = fit.curve(law, X, NOISY * of_y), fit.curve(law, X, NOISY)
    for (key, lo, hi), (same, low, high) in zip(found.intervals, plain.intervals, strict=True):
        assert key == same
        ratio = found.estimate[key] / plain.estimate[key]
        assert (lo, hi) == pytest.approx((low * ratio, high * ratio), rel=1e-6)
    asked = {"values": {"x": 3e9}, "methods": ("delta", "sandwich", "profile", "bootstrap"), "samples": 20}
    of = {"exponent": "c0" if name == "bnsl" else "c", "far": law.response.symbol.name}
    of |= {"floor": "eps_inf"} if name == "m2" else {}
    for one, other in zip(fit.interval_table(found, of, **asked), fit.interval_table(plain, of, **asked), strict=True):
        unit = 1.0 if one.name == "exponent" else of_y
        assert (one.lo / unit, one.hi / unit) == pytest.approx((other.lo, other.hi), rel=1e-3, nan_ok=True)


@pytest.mark.parametrize("of_y", [1e300, 1e-300])
def test_where_units_leave_no_slope_there_is_no_interval(of_y):
    """An exponent of the response in M4 takes ``beta`` out of the numbers: its interval is open, that of y refused."""
    found = fit.curve(laws.get("m4"), X, NOISY * of_y)
    beta, far = fit.interval_table(found, {"beta": "beta", "y": "eps_x"}, values={"x": 3e9}, methods=("profile",))
    assert (beta.lo, beta.hi) == (0.0, np.inf) and "no end" in beta.note
    assert np.isnan(far.lo) and far.note.startswith("y is not finite at the estimate")


@pytest.mark.parametrize("name", ["m1", "m2", "m3"])
def test_a_constant_below_floating_point_is_refused(name):
    with pytest.raises(FitError, match=r"beta would be below 2\.2e-308 in these units"):
        fit.curve(laws.get(name), X * 1e-290, Y * 1e-290)


@pytest.mark.parametrize("name", ["m1", "m2", "m3", "m4", "bnsl"])
def test_inputs_over_600_decades_are_fitted(name):
    fit.curve(laws.get(name), np.geomspace(1e-300, 1e300, 20), 1 + np.geomspace(1, 1e-3, 20))


@pytest.mark.parametrize("name", ["m1", "m2", "m3", "m4", "bnsl"])
def test_a_response_over_600_decades_is_refused(name):
    with pytest.raises(FitError, match="from 1e-300 to 1e\\+300"):
        fit.curve(laws.get(name), np.geomspace(1, 1e3, 20), np.geomspace(1e300, 1e-300, 20))


def test_a_constant_beyond_floating_point_is_refused():
    with pytest.raises(FitError, match=r"beta would be beyond 1\.8e308 in these units"):
        fit.curve(laws.get("m2"), X, Y * 1e307)


@pytest.mark.skipif(not FOLDER, reason="SYMBOLIC_SCALING_DATA does not name the folder of run tables")
def test_the_addition_table_is_fitted_without_a_warning():
    with (Path(FOLDER) / "bnsl_addition.csv").open(newline="") as file:
        rows = [(float(row["x"]), float(row["y"])) for row in csv.DictReader(file) if float(row["training"]) == 1]
    found = fit.curve(laws.get("bnsl"), *np.array(rows).T)
    assert found.objective == pytest.approx(3.57995e-07, rel=1e-3)


@pytest.mark.parametrize(
    ("name", "fixed", "words"),
    [
        ("m2", {"c": 1.0}, r"c lies in \(-oo, 0\); match its sign"),
        ("m2", {"c": 0.0}, r"c lies in \(-oo, 0\); give a value inside"),
        ("m2", {"beta": -2.0}, r"beta lies in \(0, oo\); match its sign"),
        ("m2", {"beta": 0.0}, r"beta lies in \(0, oo\)"),
        ("m2", {"eps_inf": -0.1}, r"eps_inf lies in \(0, oo\), or is 0; match its sign"),
        ("m2", {"beta": np.nan}, "beta lies in"),
        ("m2", {"c": -np.inf}, "c lies in"),
        ("m2", {"c": "steep"}, "no number"),
        ("bnsl", {"f1": -0.1}, "f1 lies in"),
    ],
)
def test_a_fixed_value_that_the_law_does_not_admit_is_refused(name, fixed, words):
    with pytest.raises(FitError, match=words):
        fit.curve(laws.get(name), X, Y, fix=fixed)


def test_zero_is_admitted_where_the_law_closes_there():
    assert fit.curve(laws.get("m2"), X, Y, fix={"eps_inf": 0.0}).estimate["eps_inf"] == 0
