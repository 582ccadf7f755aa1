"""The parts of a fit: bounded linear least squares, the batched solver, separation, turning points."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from planted import inside
from referee import bounded_by_faces

from symbolic_scaling import laws
from symbolic_scaling.fit.linear import bounded
from symbolic_scaling.fit.separate import of_log_residual, of_relative_residual
from symbolic_scaling.fit.solve import minimise


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    A=hnp.arrays(float, (6, 3), elements=st.floats(-2, 2).map(lambda v: round(v, 2))),
    b=hnp.arrays(float, 6, elements=st.floats(-2, 2).map(lambda v: round(v, 2))),
)
def test_bounded_least_squares_is_the_best_of_all_faces(A, b):
    A = A + np.eye(6, 3)
    assume(np.linalg.cond(A) < 1e3)
    lo, hi = np.array([-np.inf, 0.0, -0.5]), np.array([np.inf, np.inf, 0.5])
    columns = np.column_stack([A, -b])
    u, cost = bounded((columns.T @ columns)[..., None], lo, hi)
    other, least = bounded_by_faces(A, b, lo, hi)
    assert cost[0] == pytest.approx(least, rel=1e-8, abs=1e-10)
    np.testing.assert_allclose(A @ u[:, 0], A @ other, atol=1e-6)


def test_amplitudes_are_the_nonnegative_least_squares():
    rng = np.random.default_rng(0)
    A, b = rng.uniform(0, 1, (20, 4)), rng.uniform(0, 1, 20)
    columns = np.column_stack([A, -b])
    u, cost = bounded((columns.T @ columns)[..., None], np.zeros(4), np.full(4, np.inf))
    expected, least = bounded_by_faces(A, b, np.zeros(4), np.full(4, np.inf))
    np.testing.assert_allclose(u[:, 0], expected, atol=1e-9)
    assert cost[0] == pytest.approx(least, rel=1e-9)


def test_the_solver_follows_a_curved_valley_and_stops_on_the_wall():
    def rosenbrock(u):
        r = np.stack([10 * (u[:, 1] - u[:, 0] ** 2), 1 - u[:, 0]], axis=1)
        zero = np.zeros(len(u))
        rows = [[-20 * u[:, 0], zero + 10], [zero - 1, zero]]
        return r, np.moveaxis(np.array(rows), -1, 0)

    starts = np.array([[-1.2, 1.0], [0.0, 0.0]])
    free = minimise(rosenbrock, starts, np.full(2, -5.0), np.full(2, 5.0))
    np.testing.assert_allclose(free.u, 1, rtol=1e-6)
    walled = minimise(rosenbrock, starts, np.full(2, -5.0), np.array([0.5, 5.0]))
    np.testing.assert_allclose(walled.u, [[0.5, 0.25]] * 2, rtol=1e-6)
    assert walled.converged.all() and (walled.at[:, 0] == 1).all()


@pytest.mark.parametrize("name", laws.names())
def test_what_separates_adds_up_to_the_residual(name):
    law = laws.get(name)
    rng = np.random.default_rng(2)
    values = {p.symbol: inside(p.symbol, rng) for p in law.parameters}
    values |= dict.fromkeys(law.inputs, 1.7) | {law.response.symbol: 3.0}
    left, right = law.form.lhs, law.form.rhs
    log = of_log_residual(law, "equation")
    _adds_up(log, values, sp.log(left) - sp.log(right))
    relative = of_relative_residual(law)
    if relative is not None:
        _adds_up(relative, values, law.explicit / law.response.symbol - 1)


def _adds_up(parts, values, expected):
    coordinates = [sp.log(values[s]) if log else values[s] for s, log in zip(parts.linear, parts.logs, strict=True)]
    total = parts.offset + sum(u * column for u, column in zip(coordinates, parts.columns, strict=True))
    assert float(total.subs(values) - expected.subs(values)) == pytest.approx(0, abs=1e-12)
