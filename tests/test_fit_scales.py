"""Laws with an exponential of an input: where it falls off is a scale, found in any unit."""

from __future__ import annotations

import numpy as np
import pytest

from symbolic_scaling import fit, laws

X = np.geomspace(1e4, 1e9, 20)
CURVES = {
    "y = a + b*exp(-x/d)": ({"a": 0.2, "b": 2.0, "d": 1e7}, lambda x: 0.2 + 2 * np.exp(-x / 1e7)),
    "y = a - b*exp(-c*x)": ({"a": 2.0, "b": 1.5, "c": 1e-6}, lambda x: 2 - 1.5 * np.exp(-x * 1e-6)),
    "y = b*x^(-c)*(1 + exp(-x/d))": (
        {"b": 20.0, "c": 0.2, "d": 1e7},
        lambda x: 20 * x**-0.2 * (1 + np.exp(-x / 1e7)),
    ),
}


@pytest.mark.parametrize("unit", [1.0, 1e-7, 1e5])
@pytest.mark.parametrize("text", CURVES)
def test_an_exponential_of_an_input_is_found_in_any_unit(text, unit):
    planted, curve = CURVES[text]
    found = fit.curve(laws.formula(text, ("x",)), unit * X, curve(X))
    assert found.predict(unit * X) == pytest.approx(curve(X), rel=1e-8)
    if unit == 1.0:
        assert found.estimate == pytest.approx(planted, rel=1e-6)
