"""Objectives: what a loss, a residual, weights, spreads, priors and ties mean, stated as mathematics."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import codegen, fit, laws
from symbolic_scaling.errors import DataError, FitError, ParseError
from symbolic_scaling.fit.loss import Measure
from symbolic_scaling.law import Law, Parameter, Variable

FOLDER = os.environ.get("SYMBOLIC_SCALING_DATA", "")
M2, CHINCHILLA = laws.get("m2"), laws.get("chinchilla")
FEW = settings(max_examples=5, deadline=None, derandomize=True)
X = np.geomspace(1e4, 1e9, 25)
NOISE = np.random.default_rng(3).standard_normal(25)
Y = (0.2 + 3 * X**-0.3) * np.exp(0.01 * NOISE)
N, D = (axis.ravel() for axis in np.meshgrid(np.geomspace(1e8, 1e10, 5), np.geomspace(1e9, 1e12, 5)))
L = (1.7 + 400 / N**0.34 + 900 / D**0.3) * np.exp(3e-3 * np.random.default_rng(5).standard_normal(25))
LOSSES = [("squared", 1e-3), ("huber", 1e-3), ("huber", 5e-3), ("soft-l1", 5e-3)]
RESIDUALS = ["response", "equation", "relative", "absolute", "log1p"]


def near(found, other, rel=1e-6):
    assert found.estimate == pytest.approx(other.estimate, rel=rel)


def by_hand(found, x, y):
    """The mean loss at the estimate, from the definitions."""
    ratio = np.log(y) - np.log(found.predict(x))
    z = {
        "response": ratio,
        "relative": 1 - np.exp(-ratio),
        "absolute": y - found.predict(x),
        "log1p": np.log1p(y) - np.log1p(found.predict(x)),
    }[found.problem.residual]
    size, delta = np.abs(z), found.problem.delta
    rho = {
        "squared": z**2,
        "huber": np.where(size <= delta, z**2 / 2, delta * (size - delta / 2)),
        "soft-l1": delta**2 * (np.sqrt(1 + (z / delta) ** 2) - 1),
    }[found.problem.loss]
    return float(np.mean(rho))


# --- losses -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["squared", "huber", "soft-l1"])
@FEW
@given(z=st.floats(-50, 50), delta=st.floats(0.01, 10))
def test_a_loss_its_root_slope_and_curvature_agree(loss, z, delta):
    measure, h = Measure("response", loss, delta), 1e-6 * max(1.0, abs(z))
    at = np.array([z - h, z, z + h])
    rho, slope, curvature, weight = measure.parts(at)
    root, of_root = measure.roots(at)
    assert measure.share * root[1] ** 2 == pytest.approx(rho[1])
    assert 2 * measure.share * root[1] * of_root[1] == pytest.approx(slope[1], abs=1e-12)
    assert weight[1] * z == pytest.approx(slope[1], abs=1e-12)
    assert (rho[2] - rho[0]) / (2 * h) == pytest.approx(slope[1], rel=1e-4, abs=1e-5)
    if abs(abs(z) - delta) > 3 * h:
        assert (slope[2] - slope[0]) / (2 * h) == pytest.approx(curvature[1], rel=1e-3, abs=1e-5)


@pytest.mark.parametrize(("loss", "delta"), LOSSES)
@pytest.mark.parametrize("residual", ["response", "relative", "absolute", "log1p"])
def test_the_printed_objective_is_the_mean_loss_and_no_point_beside_is_lower(residual, loss, delta):
    found = fit.curve(M2, X, Y, residual=residual, loss=loss, delta=delta)
    assert found.outcome is fit.Outcome.OPTIMUM_REACHED
    assert found.objective == pytest.approx(by_hand(found, X, Y), rel=1e-9)
    rng, beside = np.random.default_rng(1), []
    for _ in range(40):
        moved = {name: value * (1 + 1e-3 * rng.standard_normal()) for name, value in found.estimate.items()}
        beside.append(by_hand(fit.curve(M2, X, Y, residual=residual, loss=loss, delta=delta, fix=moved), X, Y))
    assert min(beside) >= found.objective * (1 - 1e-9)


@pytest.mark.parametrize("residual", RESIDUALS)
@pytest.mark.parametrize(("loss", "delta"), LOSSES)
def test_sum_and_mean_have_one_optimum(residual, loss, delta):
    mean = fit.curve(M2, X, Y, residual=residual, loss=loss, delta=delta)
    total = fit.curve(M2, X, Y, residual=residual, loss=loss, delta=delta, reduce="sum")
    assert total.estimate == mean.estimate
    assert total.objective == pytest.approx(25 * mean.objective, rel=1e-12)


@pytest.mark.parametrize("residual", RESIDUALS)
@pytest.mark.parametrize(("loss", "delta"), LOSSES)
@pytest.mark.parametrize(("of_x", "of_y"), [(1e-9, 1), (1, 1e12), (7.3, 0.31)])
def test_units_move_nothing(residual, loss, delta, of_x, of_y):
    of_y = 1 if residual == "log1p" else of_y  # the 1 beside the response has its unit
    size = of_y if residual == "absolute" else 1.0
    plain = fit.curve(M2, X, Y, residual=residual, loss=loss, delta=delta)
    scaled = fit.curve(M2, of_x * X, of_y * Y, residual=residual, loss=loss, delta=delta * size)
    assert scaled.outcome is plain.outcome
    assert scaled.objective == pytest.approx(plain.objective * size**2, rel=1e-9)
    assert scaled.estimate["c"] == pytest.approx(plain.estimate["c"], abs=1e-7)
    assert scaled.estimate["eps_inf"] == pytest.approx(of_y * plain.estimate["eps_inf"], rel=1e-6)


@pytest.mark.parametrize("loss", ["huber", "soft-l1"])
@pytest.mark.parametrize("residual", RESIDUALS)
def test_a_loss_with_a_huge_delta_is_the_square(residual, loss):
    robust = fit.curve(M2, X, Y, residual=residual, loss=loss, delta=1e4)
    squared = fit.curve(M2, X, Y, residual=residual)
    near(robust, squared)
    assert 2 * robust.objective == pytest.approx(squared.objective, rel=1e-6)


def test_a_scaled_loss_scales_the_numbers_and_no_constant():
    """Residuals and delta in another unit: sigma c with delta d is sigma 1 with delta c*d, the objective over c^2."""
    plain = fit.curve(M2, X, Y, loss="huber", delta=1e-3)
    for unit in (1e-3, 1e3):
        scaled = fit.curve(M2, X, Y, loss="huber", delta=1e-3 / unit, sigma=unit)
        near(scaled, plain, 1e-7)
        assert scaled.objective == pytest.approx(plain.objective / unit**2, rel=1e-9)


@pytest.mark.parametrize(("loss", "delta"), LOSSES)
def test_weight_two_is_a_row_that_stands_twice(loss, delta):
    weights = np.where(np.arange(25) % 3 == 0, 2.0, 1.0)
    twice = np.repeat(np.arange(25), weights.astype(int))
    weighted = fit.curve(M2, X, Y, loss=loss, delta=delta, weights=weights)
    repeated = fit.curve(M2, X[twice], Y[twice], loss=loss, delta=delta)
    near(weighted, repeated, 1e-9)
    assert weighted.objective == pytest.approx(repeated.objective, rel=1e-9)
    assert weighted.degrees_of_freedom == repeated.degrees_of_freedom
    near(fit.curve(M2, X, Y, loss=loss, delta=delta, weights=10 * weights), weighted, 1e-9)


def test_squares_with_sigma_are_weights():
    sigma = np.geomspace(0.01, 0.1, 25)
    near(fit.curve(M2, X, Y, sigma=sigma), fit.curve(M2, X, Y, weights=sigma**-2))


def test_relative_squares_of_a_law_linear_in_all_but_one_are_the_dense_search():
    found = fit.curve(M2, X, Y, residual="relative")
    best = np.inf
    for c in found.estimate["c"] * (1 + np.linspace(-1e-3, 1e-3, 2001)):
        design = np.stack([X**c, np.ones(25)], axis=1) / Y[:, None]
        best = min(best, float(np.linalg.lstsq(design, np.ones(25), rcond=None)[1][0]) / 25)
    assert found.objective == pytest.approx(best, rel=1e-9)
    assert found.certificate.kind == "grid"


def test_an_implicit_law_takes_every_loss():
    m4, x = laws.get("m4"), np.geomspace(1e3, 1e9, 30)
    y = codegen.law(m4)(x, 30.0, -0.4, 0.7, 0.1, 1.2) * np.exp(1e-3 * np.random.default_rng(2).standard_normal(30))
    for residual, (loss, delta) in [("relative", LOSSES[0]), ("response", LOSSES[1]), ("equation", LOSSES[3])]:
        found = fit.curve(m4, x, y, residual=residual, loss=loss, delta=delta)
        assert found.outcome.success
        assert found.estimate["c"] == pytest.approx(-0.4, abs=0.05)


# --- field cases ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def extracted():
    if not FOLDER:
        pytest.skip("SYMBOLIC_SCALING_DATA does not name the folder of run tables")
    with (Path(FOLDER) / "chinchilla_svg_extracted.csv").open(newline="") as file:
        rows = [[float(row[name]) for name in ("Model Size", "Training FLOP", "loss")] for row in csv.DictReader(file)]
    n, c, loss = np.array(sorted(rows, key=lambda row: row[2])[:-5]).T
    return n, c / (6 * n), loss


@pytest.mark.parametrize("unit", [1.0, 1e-9])
def test_the_replication_of_chinchilla(extracted, unit):
    n, d, loss = extracted
    assert len(loss) == 240
    found = fit.curve(CHINCHILLA, {"N": n * unit, "D": d * unit}, loss, loss="huber", delta=1e-3, reduce="sum")
    assert found.objective == pytest.approx(1.0182740178e-3, rel=1e-9)
    of = {"A": 477.8259 * unit**0.3473105, "B": 2143.417 * unit**0.3671724, "E": 1.8172181}
    assert found.estimate == pytest.approx({**of, "alpha": 0.3473105, "beta": 0.3671724}, rel=2e-6)
    assert found.certificate.agree >= 2
    assert any("starts end in the best minimum" in note for note in found.notes)


def test_the_replication_does_not_change_with_the_scale_of_the_objective(extracted):
    n, d, loss = extracted
    plain = fit.curve(CHINCHILLA, {"N": n, "D": d}, loss, loss="huber", delta=1e-3, reduce="sum")
    for scale in (1e-6, 1e6):
        found = fit.curve(CHINCHILLA, {"N": n, "D": d}, loss, loss="huber", reduce="sum", weights=scale)
        assert found.objective == pytest.approx(scale * plain.objective, rel=1e-9)
        near(found, plain, 1e-7)


def test_one_diverged_run_hardly_moves_a_robust_fit():
    x = np.array([1e6, 3e6, 1e7, 3e7, 1e8, 3e8, 1e9])
    y = np.append(1.7 + 400 * x[:6] ** -0.4, 9.9)
    found = fit.curve(M2, x, y, loss="huber", delta=1e-3, reduce="sum")
    assert found.estimate == pytest.approx({"beta": 414.415, "c": -0.402735, "eps_inf": 1.70467}, rel=2e-4)
    far = "far from the curve: x = 1e+09, eps_x = 9.9; without it: beta = 400, c = -0.4, eps_inf = 1.7"
    assert far in found.notes


def test_no_row_of_a_noisy_curve_is_far_off():
    assert "far from" not in " ".join(fit.curve(M2, X, Y, loss="huber").notes)


def test_known_errors_and_relative_weights_of_a_constant():
    """y = [2.0, 2.2] with sigma = [.1, .2]: 2.04, standard error .0894 if sigma is known, .08 if only its ratio is."""
    y, a = sp.symbols("y a", positive=True)
    flat = Law("flat", "a constant", "", Variable(y, "response"), (), (Parameter(a, "level"),), sp.Eq(y, a))
    sigma = np.array([0.1, 0.2])
    known = fit.curve(flat, {}, [2.0, 2.2], residual="absolute", sigma=sigma, reduce="sum")
    ratio = fit.curve(flat, {}, [2.0, 2.2], residual="absolute", weights=sigma**-2)
    for found, error in ((known, 0.0894427191), (ratio, 0.08)):
        assert found.estimate["a"] == pytest.approx(2.04, rel=1e-9)
        assert dict(found.standard_errors)["a"] == pytest.approx(error, rel=1e-6)
    assert known.objective == pytest.approx(0.8, rel=1e-9)
    assert known.predict({}) == pytest.approx(2.04)


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"loss": "cauchy"}, FitError, "squared, huber, soft-l1"),
        ({"residual": "log"}, FitError, "response, equation, relative, absolute, log1p"),
        ({"loss": "huber", "delta": 0.0}, FitError, "positive"),
        ({"loss": "huber", "delta": float("nan")}, FitError, "positive"),
        ({"reduce": "max"}, FitError, "mean or sum"),
        ({"sigma": np.ones(3)}, DataError, "columns of 3 and 25"),
        ({"sigma": "wide"}, DataError, "not numbers"),
        ({"sigma": -1.0}, FitError, "0 distinct"),
        ({"weights": np.zeros(25)}, FitError, "0 distinct"),
        ({"priors": {"c": 1.0}}, FitError, "pair of numbers"),
        ({"priors": {"c": (1.0, 0.0)}}, FitError, "positive"),
        ({"priors": {"c": (float("inf"), 1.0)}}, FitError, "finite"),
        ({"priors": {"d": (1.0, 1.0)}}, ParseError, r"'d' is not declared(.|\n)*\^"),
        ({"priors": {"c +": (1.0, 1.0)}}, ParseError, r"breaks off(.|\n)*\^"),
        ({"priors": {"2": (1.0, 1.0)}}, FitError, "no constant"),
        ({"tie": {"c": "-x"}}, ParseError, r"'x' is not declared(.|\n)*\^"),
        ({"tie": {"c": "-0.3"}}, FitError, "fix c"),
        ({"tie": {"d": "c"}}, FitError, "no constant 'd'"),
        ({"tie": {"beta": "eps_inf", "eps_inf": "beta"}}, FitError, "circle"),
        ({"tie": {"beta": "c"}}, FitError, "never does"),
        ({"tie": {"beta": "eps_inf"}, "fix": {"beta": 1.0}}, FitError, "tied, and fixed"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_reason(asked, error, words):
    with pytest.raises(error, match=words):
        fit.curve(M2, X, Y, **asked)


def test_rows_without_spread_or_weight_are_dropped_and_named():
    found = fit.curve(M2, X, Y, sigma=[*[0.1] * 23, 0.0, np.nan], weights=[0.0, *[1.0] * 24])
    why = dict(found.problem.rows_dropped)
    assert why == {1: "weights = 0 is not positive", 24: "sigma = 0 is not positive", 25: "sigma is missing"}
