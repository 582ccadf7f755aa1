"""Laws with parts whose constants are fixed, tied, bounded or have priors, on tables that are hostile to them."""

from __future__ import annotations

import numpy as np
import pytest

from symbolic_scaling import fit, laws
from symbolic_scaling.errors import FitError

X = np.geomspace(1.0, 1e6, 30)
Y = 0.1 + 3 * X**-0.3
ONE = laws.get("unsl", n=1, signs=0)
TWO = laws.get("unsl", n=2, signs=0)


def test_a_term_and_a_ceiling_tied_to_each_other_have_a_separation():
    law = laws.get("unsl", n=0, ceilings=(3,))
    y = 0.1 + 1 / (X**0.3 / 3 + 1 / 6)
    for residual in ("response", "equation"):
        found = fit.curve(law, X, y, tie={"a_3": "2*b_7"}, residual=residual)
        assert found.estimate["b_7"] == pytest.approx(3.0, rel=1e-6)
        assert found.tied["a_3"] == pytest.approx(6.0, rel=1e-6)


@pytest.mark.parametrize("free", [s.name for s in ONE.constants])
def test_all_constants_fixed_but_one(free):
    values = {"a_0": 0.1, "c_1_0_7": 0.3, "c_1_1_7": 0.2, "d_1_7": 8.0, "f_1_7": 0.1, "b_7": 3.0}
    y = fit.curve(ONE, X, Y, fix=values).predict(X)
    found = fit.curve(ONE, X, y, fix={name: value for name, value in values.items() if name != free})
    assert found.estimate == pytest.approx(values, rel=1e-6)


def test_a_switch_fixed_where_its_part_is_absent():
    found = fit.curve(ONE, X, Y, fix={"f_1_7": 0.3, "d_1_7": 1e200, "c_1_1_7": 0.5})
    assert found.estimate["c_1_0_7"] == pytest.approx(0.3, rel=1e-6)
    assert found.outcome.success
    both = fit.curve(TWO, X, Y, fix={"d_1_7": 1e200, "d_2_7": 1e200})
    np.testing.assert_allclose(both.predict(X), Y, rtol=1e-6)


def test_one_input_value_and_one_constant_left():
    fixed = {
        s.name: value for s, value in zip(TWO.constants, (0.1, 5.0, 0.2, 1e-3, 5.0, -0.7, 1e30, -0.3), strict=False)
    }
    found = fit.curve(TWO, np.full(20, 3e3), np.linspace(2.0, 2.2, 20), fix=fixed)
    assert np.isfinite(found.objective)
    names = [s.name for s in TWO.constants if s.name not in fixed]
    assert names == ["b_7"]


def test_a_fixed_constant_that_is_no_number_at_the_sizes_of_the_rows_is_an_error():
    fixed = {"c_1_1_7": 5.0, "c_1_0_7": 0.0, "d_1_7": 1e-3, "b_7": 0.3, "f_1_7": 5.0}
    with pytest.raises(FitError, match=r"d_1_7 = .* is no number at the sizes of these rows"):
        fit.curve(ONE, X * 1e-300, Y, fix=fixed)


def test_bounds_of_a_width_of_open_sign_hold():
    law = laws.get("mbnsl", m=2, floor=True, signs=0)
    rng = np.random.default_rng(0)
    x = 10 ** rng.uniform(0, 6, (2, 60))
    y = 3 * x[0] ** -0.2 * (1 + (x[0] / 1e3) ** 30) ** -0.01 * x[1] ** -0.1
    found = fit.curve(law, {"x_1": x[0], "x_2": x[1]}, y, bounds={"f_1": (0.1, 0.5)})
    assert 0.1 <= found.estimate["f_1"] <= 0.5


@pytest.mark.parametrize("asked", [{"priors": {"c_1_0_7": (0.3, 0.1)}}, {"fix": {"d_1_7": 100.0}}], ids=str)
def test_many_duplicates_and_bad_rows(asked):
    x, y = np.append(X, np.full(100_000, X[3])), np.append(Y, np.full(100_000, Y[3]))
    y[::7][:3] = (np.nan, -1.0, 0.0)
    found = fit.curve(ONE, x, y, **asked)
    assert len(found.problem.y) <= len(X)
    np.testing.assert_allclose(found.predict(X[3]), Y[3], rtol=1e-3)
