"""Terms that a search loses are found again: planted tables on which the first minimum met is not the lowest."""

from __future__ import annotations

import numpy as np
import pytest

from symbolic_scaling import fit, laws


def spread(*axes):
    """Every combination of some axes, one array an axis."""
    return [values.ravel() for values in np.meshgrid(*axes)]


def test_a_term_of_a_thousandth_is_recovered_from_the_plateau_where_it_does_nothing():
    n, d = spread(np.geomspace(1e7, 1e10, 6), np.geomspace(1e9, 1e12, 6))
    planted = {"E": 0.5726, "A": 41.69, "B": 5640.0, "alpha": 0.53, "beta": 0.2579}
    y = planted["E"] + planted["A"] * n ** -planted["alpha"] + planted["B"] * d ** -planted["beta"]
    found = fit.curve(laws.get("chinchilla"), {"N": n, "D": d}, y)
    assert found.estimate == pytest.approx(planted, rel=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_sovit_is_recovered_on_the_papers_own_widths(seed):
    k, t = spread(np.array([608.0, 768, 928, 1088, 1328, 1648, 1968]), np.geomspace(1e2, 1e5, 8))
    draw = np.random.default_rng(seed).uniform
    planted = {
        "alpha_k": draw(0.1, 10),
        "a_k": draw(0.2, 1.2),
        "beta_k": 10 ** draw(-2, 1),
        "b_k": draw(0.2, 1.2),
        "xi_k": draw(0.1, 10),
        "c": draw(0.2, 0.8),
        "eps_k": draw(0.05, 0.5),
    }
    growing = planted["beta_k"] * k ** planted["b_k"] + planted["xi_k"]
    y = planted["alpha_k"] * k ** -planted["a_k"] + growing * t ** -planted["c"] + planted["eps_k"]
    found = fit.curve(laws.get("sovit"), {"x_k": k, "t": t}, y)
    assert found.estimate == pytest.approx(planted, rel=1e-6), found.notes


def test_no_point_of_another_basin_is_lower_where_a_constant_is_held():
    n, d = spread(np.geomspace(1e7, 1e10, 6), np.geomspace(1e9, 1e12, 6))
    draws = np.random.default_rng(100)
    e, a, b, alpha, beta = (
        draws.uniform(0.5, 2),
        10 ** draws.uniform(1, 4),
        10 ** draws.uniform(1, 4),
        draws.uniform(0.15, 0.6),
        draws.uniform(0.15, 0.6),
    )
    y = (e + a * n**-alpha + b * d**-beta) * np.exp(0.01 * draws.normal(size=36))
    found = fit.curve(laws.get("chinchilla"), {"N": n, "D": d}, y, fix={"E": 1.2987})
    other = 1.2987 + 591.666 * n**-0.166260444 + 3.60311655e21 * d**-2.45361557
    assert found.objective <= (1 + 1e-6) * np.mean((np.log(y) - np.log(other)) ** 2)
