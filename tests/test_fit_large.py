"""Laws of 18 to 77 constants end at an optimum and say so, whatever is absent; as many constants are pruned."""

from __future__ import annotations

import numpy as np
import pytest
from planted_large import SIZES, large

from symbolic_scaling import fit, laws
from symbolic_scaling.fit import notes
from symbolic_scaling.fit.finish import _cornered, corners
from symbolic_scaling.fit.live import Live, finite
from symbolic_scaling.fit.prepare import prepare
from symbolic_scaling.fit.solve import minimise


@pytest.mark.slow
@pytest.mark.parametrize("constants", SIZES)
def test_a_large_law_ends_at_an_optimum_near_the_curve(constants):
    planted = large(constants, 0)
    assert len(planted.law.constants) == constants
    found = fit.curve(planted.law, planted.x, planted.y)
    assert found.outcome.success, found.notes
    error = np.sqrt(np.mean(np.log(found.predict(planted.x) / planted.exact) ** 2))
    assert error <= 0.01, error
    small = fit.pruned(found)
    assert small.outcome.success and small.objective <= 1.05 * found.objective
    assert len(small.law.constants) <= constants - 3 * bool(planted.absent)


def test_many_columns_are_solved_as_few_are():
    """The same steps from squares as from QR, columns that are alike or change nothing included."""
    rng = np.random.default_rng(0)
    A, b = rng.standard_normal((80, 20)), rng.standard_normal(80)
    A[:, 7] = 1e-30 * A[:, 8]

    def linear(u):
        return u @ A.T - b, np.broadcast_to(A, (len(u), *A.shape))

    box = np.full(20, -0.1), np.full(20, 0.1)
    ended = minimise(linear, np.zeros((2, 20)), *box)
    assert ended.converged.all()
    live = Live(ended.u, finite(*linear(ended.u)), *box)
    live.factor()
    squares = np.einsum("kij,kil->kjl", live.R, live.R)
    live.R[:] = live._triangle(np.arange(2), (live.at != 0) | (np.arange(20) == 7))[:, :20, :20]
    np.testing.assert_allclose(np.einsum("kij,kil->kjl", live.R, live.R), squares, atol=1e-12)
    gradient = (ended.u @ A.T - b) @ A
    assert np.all((np.abs(gradient[0]) < 1e-5) | (ended.at[0] * gradient[0] < 0))


def test_a_twin_of_a_column_sends_the_factors_back_to_qr():
    rng = np.random.default_rng(1)
    A, b = rng.standard_normal((60, 18)), rng.standard_normal(60)
    A[:, 3] = A[:, 4] * (1 + 1e-9)

    def linear(u):
        return u @ A.T - b, np.broadcast_to(A, (len(u), *A.shape))

    ended = minimise(linear, np.zeros((1, 18)), np.full(18, -9.0), np.full(18, 9.0))
    assert ended.converged[0]
    least = np.linalg.lstsq(A, b, rcond=None)[0]
    assert ended.cost[0] == pytest.approx(np.sum((A @ least - b) ** 2), rel=1e-9)


@pytest.mark.parametrize("seed", [1, pytest.param(0, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)])
def test_tables_with_a_corner_end_honestly(seed):
    rng = np.random.default_rng(seed)
    x = np.geomspace(1.0, 1e6, 30)
    y = (0.05 + 2 * x**-0.3 * np.maximum(1, x / 300) ** 0.15) * np.exp(0.01 * rng.standard_normal(30))
    for signs in (0, -1):
        found = fit.curve(laws.get("unsl", signs=signs), x, y)
        assert found.outcome.success, found.notes
        assert found.objective**0.5 < 0.012


def test_beside_a_break_that_is_a_corner_all_else_is_brought_to_its_optimum():
    law, x = laws.get("unsl", signs=0), np.geomspace(1.0, 1e6, 31)
    rng = np.random.default_rng(4)
    y = 2 * x**-0.3 * np.maximum(1, x / x[15]) ** 0.15 * np.exp(0.01 * rng.standard_normal(31))
    objective = prepare(fit.curve(law, x, y).problem).objective
    at = {"a_0": 0.01, "c_1_0_7": 0.2, "c_1_1_7": 0.2, "d_1_7": 1.0, "f_1_7": -1e-6, "b_7": 0.3}
    u = objective.locate(np.array([[at[s.name]] for s in law.constants]))
    begun = minimise(objective, u, objective.lo, objective.hi, steps=1)
    ended = _cornered(objective, begun)
    sharp, held = corners(law, objective.coordinates, ended.u[0])
    assert {s.name for s in sharp} == {"f_1_7"} and held.sum() == 3
    np.testing.assert_array_equal(ended.u[0][held], u[0][held])
    assert ended.cost[0] < begun.cost[0] and not ended.converged[0]
    (note,) = notes.corners(law, objective.coordinates, ended)
    assert note.startswith("f_1_7") and "corner" in note
    assert notes.corners(law, objective.coordinates, begun) == []
