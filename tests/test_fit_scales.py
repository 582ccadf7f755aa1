"""Laws with an exponential of an input: where it falls off is a scale, found in any unit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from symbolic_scaling import fit, laws
from symbolic_scaling.domain import Domain, Interval

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


@pytest.mark.parametrize(("planted", "wanted"), [(4000.0, 4000.0), (1000.0, 2000.0), (20000.0, 9000.0)])
def test_a_constant_stays_in_a_domain_that_has_a_unit(planted, wanted):
    """The domain of b fixes the unit of x: its ends are numbers of the user's."""
    law = laws.formula("y = a + b/x", ("x",))
    domain = Domain(((law.symbols["b"], Interval(sp.Integer(2000), sp.Integer(9000))),), law.domain.relations)
    x = np.geomspace(1e3, 1e6, 12)
    found = fit.curve(replace(law, domain=domain), x, 0.5 + planted / x)
    assert found.estimate["b"] == pytest.approx(wanted, rel=1e-5)
    assert (found.outcome is fit.Outcome.OPTIMUM_REACHED) is (planted == wanted)
    assert {name: (lo, hi) for name, lo, hi in found.box}["b"] == pytest.approx((2000, 9000), rel=1e-5)
