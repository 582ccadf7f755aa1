"""The 92 learning curves of arXiv 2209.06640 under both residuals: optimum, extrapolation, honesty."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from curves import needs_tables, read

from symbolic_scaling import codegen, fit, laws

pytestmark = [pytest.mark.slow, needs_tables]
NAMES = ("m1", "m2", "m3", "m4")


@pytest.fixture(scope="module")
def curves():
    return read()


@pytest.fixture(scope="module")
def fits(curves):
    return {
        (residual, name, key): fit.curve(laws.get(name), x=x, y=y, residual=residual)
        for residual in ("response", "equation")
        for name in NAMES
        for key, (x, y, _, _) in curves.items()
    }


def test_every_curve_is_fitted_and_reaches_an_optimum(fits):
    unfinished = [key for key, found in fits.items() if found.outcome is fit.Outcome.NOT_CONVERGED]
    assert unfinished == []
    for found in fits.values():
        assert found.objective == found.minima[0].objective
        assert set(found.minima[0].walls) <= set(found.notes)
        if found.outcome in (fit.Outcome.OPTIMUM_ON_BOUND, fit.Outcome.INFIMUM, fit.Outcome.NOT_IDENTIFIED):
            assert found.notes


#: issue 3: mean extrapolation RMSE of log predictions under ``response``, by domain, at most
BARS = {
    "m4": {"IC": 0.0425, "NMT": 0.0140, "LM": 0.00086, "BB": 0.0085},
    "m3": {"IC": 0.0600, "NMT": 0.0135, "LM": 0.0035, "BB": 0.0108},
    "m2": {"IC": 0.0735, "NMT": 0.0490, "LM": 0.0012, "BB": 0.0103},
}


@pytest.mark.parametrize("name", BARS)
def test_extrapolation_of_the_response_fits(curves, fits, name):
    errors = defaultdict(list)
    for key, (_, _, x, y) in curves.items():
        wrong = np.log(fits["response", name, key].predict(x)) - np.log(y)
        errors[key[0]].append(float(np.sqrt(np.mean(wrong**2))))
    for domain, bar in BARS[name].items():
        assert np.mean(errors[domain]) <= bar, domain


def test_m2_and_m4_under_the_equation_prefer_no_floor(fits):
    """Issue 3: the objective of the paper has its optimum at eps_inf = 0 on 63 of 72 image tasks."""
    images = [
        found for (residual, name, key), found in fits.items() if (residual, name, key[0]) == ("equation", "m2", "IC")
    ]
    assert sum(found.estimate["eps_inf"] == 0 for found in images) == 63


@pytest.mark.parametrize("residual", ["response", "equation"])
@pytest.mark.parametrize("name", ["m2", "m3", "m4"])
def test_no_random_start_ends_lower(curves, fits, residual, name):
    """64 random starts inside the same box, by the same residual and SciPy's solver."""
    from scipy.optimize import least_squares

    for place, (key, (x, y, _, _)) in enumerate(curves.items()):
        if place % 8:
            continue
        found = fits[residual, name, key]
        lowest = min(
            float(np.mean(solved.fun**2))
            for solved in (_solve(least_squares, name, residual, (x, y), start) for start in _starts(name, x, y, place))
            if solved is not None and np.isfinite(solved.fun).all()
        )
        allowed = 1 + 1e-6 if residual == "equation" else 1.01
        assert found.objective <= lowest * allowed, key


def _starts(name, x, y, seed):
    rng = np.random.default_rng(seed)
    for _ in range(64):
        c = -np.exp(rng.uniform(np.log(0.03), np.log(2)))
        level = {"beta": np.log(y.mean()) - c * np.log(x).mean() + rng.uniform(-2, 2), "c": c}
        level |= {"gamma": np.exp(rng.uniform(-3, 3)) / np.exp(np.log(x).mean()), "alpha": rng.uniform(0.05, 3)}
        level |= {"eps_inf": rng.uniform(0, 0.95 * y.min()), "eps_0": y.max() * (1.002 + rng.exponential(0.3))}
        yield np.array([level[symbol.name] for symbol in laws.get(name).constants])


def _solve(solver, name, residual, rows, start):
    x, y = rows
    compiled = codegen.residual(laws.get(name), residual)
    names = [symbol.name for symbol in laws.get(name).constants]
    low = {"beta": -700, "c": -10, "gamma": 0, "alpha": 0, "eps_inf": 0, "eps_0": y.max() * 1.001}
    high = {"beta": 700, "c": -1e-6, "gamma": 1e3 / x.min(), "alpha": 40, "eps_0": 10 * y.max()}
    high["eps_inf"] = y.min() - 1e-3 * y.max()

    def values(u):
        return [np.exp(value) if known == "beta" else value for known, value in zip(names, u, strict=True)]

    def function(u):
        with np.errstate(all="ignore"):
            return np.nan_to_num(compiled(x, y, *values(u)), nan=1e3, posinf=1e3, neginf=-1e3)

    def slope(u):
        with np.errstate(all="ignore"):
            gradient = compiled.value_and_gradient(x, y, *values(u))[1].copy()
        gradient[names.index("beta")] *= np.exp(u[names.index("beta")])
        return np.nan_to_num(gradient.T)

    bounds = np.array([(low[known], high[known]) for known in names]).T
    start = np.clip(start, bounds[0] + 1e-12, bounds[1] - 1e-12)
    try:
        return solver(function, start, slope, bounds=bounds, x_scale="jac", max_nfev=200)
    except (ValueError, np.linalg.LinAlgError):
        return None


def test_an_interior_minimum_extrapolates_better_than_the_one_without_a_floor(curves, fits):
    """Issue 3: on all LM and NMT tasks the paper's objective has both; the interior one is better, mostly tenfold."""
    gains = []
    for key, (_, _, x, y) in curves.items():
        if key[0] not in ("LM", "NMT"):
            continue
        errors = {}
        for minimum in fits["equation", "m2", key].minima:
            predicted = codegen.law(laws.get("m2"))(x, *minimum.estimate.values())
            errors[minimum.estimate["eps_inf"] > 0] = float(np.sqrt(np.mean((np.log(predicted) - np.log(y)) ** 2)))
        assert set(errors) == {False, True}, key
        gains.append(errors[False] / errors[True])
    assert len(gains) == 10
    assert min(gains) > 3
    assert np.median(gains) > 10
