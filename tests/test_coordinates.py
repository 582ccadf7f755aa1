"""Fit coordinates: there and back, derivatives against differences, refusals."""

import numpy as np
import pytest

from symbolic_scaling import codegen, laws
from symbolic_scaling.errors import DomainError


def test_m4_coordinates_round_trip_and_chain():
    law = laws.get("m4")
    chart = codegen.coordinates(law, {"eps_inf": (0.0, 0.4), "eps_0 - eps_inf": (1e-3, 10.0)})
    assert chart.kinds == ("positive", "negative", "closed", "closed", "ordered")
    assert chart.lower[3] == 0.0 and chart.upper[4] == pytest.approx(np.log(10))
    values = np.array([(20.0, -0.3, 0.5, 0.1, 1.0), (3.0, -0.9, 0.0, 0.0, 2.0)]).T
    theta = chart.fit(values)
    np.testing.assert_allclose(chart.natural(theta), values, rtol=1e-15)
    step = 1e-6
    for q in range(5):
        move = step * np.eye(5)[q][:, None]
        numeric = (chart.natural(theta + move) - chart.natural(theta - move)) / (2 * step)
        np.testing.assert_allclose(chart.derivative(theta)[:, q], numeric, rtol=1e-8, atol=1e-9)
    x, y = np.geomspace(1e3, 1e8, 9), np.linspace(0.9, 0.5, 9)
    residual = codegen.residual(law, "equation")
    jacobian = chart.chain(residual.value_and_gradient(x, y, *values[..., None])[1], theta)
    assert jacobian.shape == (5, 2, 9)
    move = step * np.eye(5)[4][:, None]
    plus, minus = (residual(x, y, *chart.natural(theta + s * move)[..., None]) for s in (1, -1))
    np.testing.assert_allclose(jacobian[4], (plus - minus) / (2 * step), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(
        chart.chain(np.ones((5, 9)), theta[:, 0]), chart.derivative(theta[:, 0]).sum(0)[:, None] * np.ones(9)
    )


def test_coordinates_refuse_what_contradicts():
    law = laws.get("m4")
    with pytest.raises(DomainError, match="unknown floor"):
        codegen.coordinates(law, {"floor": (0, 1)})
    with pytest.raises(DomainError, match="beta"):
        codegen.coordinates(law, {"beta": (-2.0, -1.0)})
    chart = codegen.coordinates(law, fixed={"alpha": 1.0})
    assert chart.free == ("beta", "c", "eps_inf", "eps_0")
    with pytest.raises(DomainError, match="eps_0"):
        chart.fit([1.0, -0.3, 1.0, 0.9, 0.8])
