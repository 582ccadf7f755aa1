"""Implicit laws through their root: M4 against 40 digits, its form, its steps and its limit alpha = 0."""

import warnings

import mpmath
import numpy as np
import pytest
import sympy as sp

from symbolic_scaling import codegen, laws
from symbolic_scaling.codegen import blocks, newton
from symbolic_scaling.law import Law, Parameter, Variable

M4 = (20.0, -0.3, 0.5, 0.1, 1.0)


@pytest.fixture(autouse=True)
def _warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize(
    ("x", "expected"),
    [(1e2, 0.970009222722), (1e4, 0.741541928564), (1e6, 0.354642150851), (1e8, 0.172432217812)],
)
def test_m4_through_its_root(x, expected):
    law = laws.get("m4")
    assert float(codegen.law(law)(x, *M4)) == pytest.approx(expected, abs=1e-12)
    assert float(codegen.law(law, "mpmath")(x, "20", "-0.3", "0.5", "0.1", 1, dps=30)) == pytest.approx(
        expected, abs=1e-12
    )


@pytest.mark.parametrize("alpha", [1e-3, 0.03, 0.5, 1.0, 2.0, 7.0, 50.0])
def test_m4_solves_its_form_with_derivatives(alpha):
    law = laws.get("m4")
    x = np.geomspace(1e-9, 1e30, 60)
    constants = (20.0, -0.3, alpha, 0.1, 1.3)
    value, gradient = codegen.law(law).value_and_gradient(x, *constants)
    many, slopes = codegen.law(law, "mpmath").value_and_gradient(x, *constants, dps=40)
    np.testing.assert_allclose(value, many.astype(float), rtol=1e-14)
    # the root's coordinate is u = level/alpha at the upper end: its rounding grows with 1/alpha;
    # d/d alpha passes through zero where eps_0 - y = 1
    scale = np.abs(slopes.astype(float)) + 1e-3 * np.abs(slopes[2].astype(float)).max() * np.eye(5)[2][:, None]
    assert np.max(np.abs(gradient - slopes.astype(float)) / (scale + 1e-290)) < 1e-13 * (10 + 1 / alpha)
    form = codegen.compile(
        law.form.lhs / law.form.rhs, (*law.inputs, law.response.symbol, *law.constants), target="mpmath", lowered=False
    )
    with mpmath.workdps(50):
        inside = [k for k in range(len(x)) if abs(many[k] - 1.3) > 1e-9 and abs(many[k] - 0.1) > 1e-9]
        assert len(inside) > 5
        for k in inside:  # y carries 40 digits, its distance to a bound at least 30
            assert abs(form(x[k], many[k], *constants, dps=50) - 1) < mpmath.mpf(10) ** -28 * (1 + alpha)


def test_m4_root_takes_at_most_twelve_steps():
    compiled = codegen.law(laws.get("m4"))
    x = np.geomspace(1e-9, 1e30, 4000)
    for alpha in np.geomspace(1e-3, 50, 60):
        call = blocks.Call([x], [20.0, -0.3, float(alpha), 0.1, 1.3], compiled.operations.buffers, ())
        with np.errstate(all="ignore"):
            solver = newton.Newton(compiled._loaded, call)
            u = solver.solve(call, [x])
            assert solver.steps <= newton.STEPS
            np.testing.assert_allclose(solver._bisect(call, [x], solver._rows[0]), u, rtol=1e-12, atol=1e-12)


def test_m4_at_alpha_zero_is_m2():
    m4, m2 = codegen.law(laws.get("m4")), codegen.law(laws.get("m2"))
    x = np.geomspace(1e3, 1e9, 5)
    value, gradient = m4.value_and_gradient(x, 20.0, -0.3, 0.0, 0.1, 30.0)
    other, slopes = m2.value_and_gradient(x, 20.0, -0.3, 0.1)
    np.testing.assert_allclose(value, other, rtol=1e-15)
    np.testing.assert_allclose(gradient[[0, 1, 3]], slopes, rtol=1e-14)
    near = m4(x, 20.0, -0.3, 1e-7, 0.1, 30.0)
    np.testing.assert_allclose(gradient[2], (near - value) / 1e-7, rtol=1e-5)
    columns = np.array([(20.0, -0.3, a, 0.1, 30.0) for a in (0.0, 0.5, 0.0)]).T[..., None]
    batch = m4(x, *columns)
    np.testing.assert_array_equal(batch[0], value)
    np.testing.assert_array_equal(batch[1], m4(x, 20.0, -0.3, 0.5, 0.1, 30.0))


def test_a_law_without_an_upper_bound():
    y, x, a, b = sp.symbols("y x a b", positive=True)
    law = Law(
        name="damped",
        title="A loss that feeds back into its own decay, as in Kaplan (B.3)",
        source="test",
        response=Variable(y, "loss"),
        variables=(Variable(x, "compute"),),
        parameters=(Parameter(a, "exponent", start=(0.1, 1.0)), Parameter(b, "feedback", start=(0.1, 2.0))),
        form=sp.Eq(y, x ** (-a) * y ** (-b) + x ** (-2 * a)),
    )
    x_values = np.geomspace(1e-9, 1e30, 40)
    value, gradient = codegen.law(law).value_and_gradient(x_values, 0.3, 0.7)
    np.testing.assert_allclose(x_values**-0.3 * value**-0.7 + x_values**-0.6, value, rtol=1e-12)
    many, slopes = codegen.law(law, "mpmath").value_and_gradient(x_values, 0.3, 0.7, dps=30)
    np.testing.assert_allclose(value, many.astype(float), rtol=1e-13)
    np.testing.assert_allclose(gradient, slopes.astype(float), rtol=1e-11)
