"""One curve, one set of constants: what may be exchanged or mirrored is proved, and fits have one form of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import codegen, fit, laws
from symbolic_scaling.fit.symmetry import exchanges, mirrors

TWO = laws.get("unsl", n=2, signs=0)
FLAT = laws.get("unsl", m=2, n={(3, 0): 1}, U={3: (1, 2)}, T={3: ()}, signs=0, inputs=("N", "D"))
VALUES = st.floats(0.05, 1.5) | st.floats(-1.5, -0.05)


def valued(law, draw):
    return {s: np.exp(draw(VALUES)) if s.is_positive else draw(VALUES) for s in law.constants}


@pytest.mark.parametrize("law", [TWO, FLAT], ids=["two breaks", "a hyperbreak"])
@settings(max_examples=25, deadline=None, derandomize=True)
@given(data=st.data())
def test_every_symmetry_leaves_the_curve_as_it_is(law, data):
    values = valued(law, data.draw)
    inputs = [np.geomspace(0.3, 40.0, 9) ** power for power in (1.0, -0.7)][: len(law.inputs)]
    before = codegen.law(law)(*inputs, *values.values())
    forms = [{**values, **{s: float(e.xreplace(values)) for s, e in m.moved}} for m in mirrors(law)
             if (values[m.width] > 0) is m.positive]  # fmt: skip
    assert len(forms) == len({m.width for m in mirrors(law)})
    for pair in exchanges(law):
        swap = {**dict(zip(pair.one, pair.two, strict=True)), **dict(zip(pair.two, pair.one, strict=True))}
        forms.append({s: values[swap.get(s, s)] for s in law.constants})
    for form in forms:
        np.testing.assert_allclose(codegen.law(law)(*inputs, *form.values()), before, rtol=1e-9)


def test_what_is_no_symmetry_is_none():
    assert exchanges(laws.get("bnsl", n=2)) == () == mirrors(laws.get("bnsl", n=2))  # d2 lies above d1
    assert exchanges(laws.get("chinchilla")) == ()  # other inputs
    law = laws.formula("y = A*x^(-a) + B*x^(-b)", ["x"])
    (pair,) = exchanges(law)
    assert {s.name for s in pair.one} == {"A", "a"}
    shared = laws.formula("y = A*x^(-a)*(1 + (x^g/d)^(1/f))^(-f) + A", ["x"])
    assert mirrors(shared) == ()  # the amplitude stands in another term as well


def test_any_seed_and_order_of_the_rows_has_the_same_constants():
    rng = np.random.default_rng(3)
    x = 10 ** rng.uniform(0, 6, 200)
    y = (
        2
        * x**-0.4
        * (1 + (x / 300) ** 4) ** 0.075
        * (1 + (x / 3e4) ** 5) ** -0.06
        * np.exp(1e-3 * rng.standard_normal(200))
    )
    found = []
    for seed in (0, 1):
        order = np.random.default_rng(seed).permutation(200)
        found.append(fit.curve(TWO, x[order], y[order], seed=seed))
    values = [result.estimate for result in found]
    assert all(value == pytest.approx(values[0], rel=1e-5) for value in values), values
    assert values[0]["c_1_1_7"] > 0 < values[0]["c_1_2_7"]
    places = [values[0][f"d_{j}_7"] ** (1 / values[0][f"c_1_{j}_7"]) for j in (1, 2)]
    assert places == pytest.approx([300, 3e4], rel=0.1)


def test_what_the_user_holds_stays_where_it_is():
    x = np.geomspace(1.0, 1e6, 60)
    y = 2 * x**-0.4 * (1 + (x / 300) ** 4) ** 0.075
    law = laws.get("unsl", n=1, signs=0)
    held = fit.curve(law, x, y, fix={"c_1_1_7": -0.3})
    assert held.estimate["c_1_1_7"] == -0.3
    bound = fit.curve(law, x, y, bounds={"c_1_1_7": (-2.0, -0.01)})
    assert -2.0 <= bound.estimate["c_1_1_7"] <= -0.01
    free = fit.curve(law, x, y)
    assert free.estimate["c_1_1_7"] > 0
    np.testing.assert_allclose(free.predict(x), bound.predict(x), rtol=1e-6)
