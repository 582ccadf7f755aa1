"""Priors and ties as mathematics, and the command that asks for them."""

from __future__ import annotations

import numpy as np
import pytest

from symbolic_scaling import fit, laws

M2, CHINCHILLA = laws.get("m2"), laws.get("chinchilla")
X = np.geomspace(1e4, 1e9, 25)
Y = (0.2 + 3 * X**-0.3) * np.exp(0.01 * np.random.default_rng(3).standard_normal(25))
N, D = (axis.ravel() for axis in np.meshgrid(np.geomspace(1e8, 1e10, 5), np.geomspace(1e9, 1e12, 5)))
L = (1.7 + 400 / N**0.34 + 900 / D**0.3) * np.exp(3e-3 * np.random.default_rng(5).standard_normal(25))
LOSSES = [("squared", 1e-3), ("huber", 1e-3), ("huber", 5e-3), ("soft-l1", 5e-3)]


def near(found, other, rel=1e-6):
    assert found.estimate == pytest.approx(other.estimate, rel=rel)


# --- priors and ties --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("loss", "delta"), LOSSES)
def test_a_sharp_prior_is_a_fixed_constant(loss, delta):
    fixed = fit.curve(M2, X, Y, loss=loss, delta=delta, fix={"c": -0.31})
    prior = fit.curve(M2, X, Y, loss=loss, delta=delta, priors={"c": (-0.31, 1e-7)})
    near(prior, fixed, 1e-5)


@pytest.mark.parametrize("sigma", [None, 0.01])
def test_a_vague_prior_is_none(sigma):
    near(fit.curve(M2, X, Y, sigma=sigma, priors={"c": (5.0, 1e7)}), fit.curve(M2, X, Y, sigma=sigma))


def test_a_prior_is_worth_the_rows_that_say_the_same():
    """The amplitude of M1 with a known exponent: log y - log beta is a row, and so is a prior on log(beta)."""
    x, y = np.array([1.0, 2.0, 4.0]), np.array([3.0, 1.4, 0.8])
    m1 = laws.get("m1")
    prior = fit.curve(m1, x, y, fix={"c": -1.0}, sigma=0.1, priors={"log(beta)": (np.log(2.5), 0.1)}, reduce="sum")
    row = fit.curve(m1, np.append(x, 8.0), np.append(y, 2.5 / 8), fix={"c": -1.0}, sigma=0.1, reduce="sum")
    near(prior, row, 1e-9)
    assert prior.objective == pytest.approx(row.objective, rel=1e-9)


def test_without_sigma_a_prior_is_weighed_against_the_rows_own_noise():
    plain = fit.curve(M2, X, Y)
    noise = float(np.sqrt(np.sum(np.log(Y / plain.predict(X)) ** 2) / 22))
    near(fit.curve(M2, X, Y, priors={"c": (-0.4, 0.01)}), fit.curve(M2, X, Y, sigma=noise, priors={"c": (-0.4, 0.01)}))
    for weights in (7.0, None):
        again = fit.curve(M2, X, Y, priors={"c": (-0.4, 0.01)}, weights=weights)
        near(again, fit.curve(M2, X, Y, priors={"c": (-0.4, 0.01)}), 1e-9)


def test_a_prior_on_an_amplitude_is_in_the_users_units():
    found = fit.curve(CHINCHILLA, {"N": N, "D": D}, L, priors={"A": (800, 1e-3), "alpha - beta": (0.0, 1e-7)})
    assert found.estimate["A"] == pytest.approx(800, abs=0.01)
    assert found.estimate["alpha"] == pytest.approx(found.estimate["beta"], abs=1e-5)


def test_a_prior_identifies_what_the_rows_do_not():
    d = np.full(6, 4.4e9)
    n = np.array([5.3e7, 6.4e7, 1.6e8, 2.07e8, 3.2e8, 4.8e8])
    y = 1.69 + 406.4 / n**0.34 + 410.7 / d**0.28
    assert fit.curve(CHINCHILLA, {"N": n, "D": d}, y).outcome is fit.Outcome.NOT_IDENTIFIED
    known = {"E": (1.69, 0.01), "beta": (0.28, 0.001)}
    found = fit.curve(CHINCHILLA, {"N": n, "D": d}, y, priors=known)
    assert found.outcome is fit.Outcome.OPTIMUM_REACHED
    assert found.estimate == pytest.approx({"E": 1.69, "A": 406.4, "B": 410.7, "alpha": 0.34, "beta": 0.28}, rel=1e-4)


def test_a_tie_is_the_law_with_the_constant_replaced():
    written = laws.formula("L = E + A/N^alpha + 2*A/D^alpha", ("N", "D"))
    direct = fit.curve(written, {"N": N, "D": D}, L)
    found = fit.curve(CHINCHILLA, {"N": N, "D": D}, L, tie={"beta": "alpha", "B": "2*A"})
    near(found, direct, 1e-7)
    assert found.tied == pytest.approx({"beta": direct.estimate["alpha"], "B": 2 * direct.estimate["A"]}, rel=1e-7)
    near(found, fit.curve(CHINCHILLA, {"N": N, "D": D}, L, tie={"beta": "alpha", "B": "2*A"}, seed=4), 1e-7)


def test_a_tied_robust_weighted_fit_with_a_prior_saves_predicts_and_repeats(tmp_path):
    found = fit.curve(
        CHINCHILLA,
        {"N": N, "D": D},
        L,
        loss="huber",
        delta=2e-3,
        reduce="sum",
        sigma=np.linspace(1, 2, 25),
        weights=np.linspace(2, 1, 25),
        priors={"beta": (0.3, 0.01)},
        tie={"alpha": "beta"},
    )
    found.save(tmp_path / "fit.json")
    read = fit.load(tmp_path / "fit.json")
    assert read.tied == found.tied
    for name in ("loss", "delta", "reduce", "priors", "noise", "tie", "law"):
        assert getattr(read.problem, name) == getattr(found.problem, name)
    np.testing.assert_array_equal(read.problem.sigma, found.problem.sigma)
    np.testing.assert_array_equal(read.problem.weights, found.problem.weights)
    np.testing.assert_allclose(read.predict({"N": 1e11, "D": 1e12}), found.predict({"N": 1e11, "D": 1e12}))


def test_ties_and_fixed_constants_meet():
    fixed = fit.curve(CHINCHILLA, {"N": N, "D": D}, L, fix={"alpha": 0.3, "beta": 0.3})
    tied = fit.curve(CHINCHILLA, {"N": N, "D": D}, L, tie={"beta": "alpha"}, fix={"alpha": 0.3})
    assert tied.objective == pytest.approx(fixed.objective, rel=1e-9)
    assert tied.estimate["B"] == pytest.approx(fixed.estimate["B"], rel=1e-7)


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "runs.csv"
    spread = np.linspace(1, 2, 25)
    rows = zip(N, D, L, spread, np.arange(1, 26), strict=True)
    path.write_text("\n".join(["params,tokens,loss,spread,how often", *(",".join(map(str, row)) for row in rows)]))
    return path


def test_the_command_asks_for_the_same_fit(answer, table, tmp_path):
    saved = tmp_path / "fit.json"
    options = {"loss": "huber", "delta": 2e-3, "reduce": "sum", "residual": "relative"}
    found = fit.curve(
        CHINCHILLA,
        {"N": N, "D": D},
        L,
        sigma=np.linspace(1, 2, 25),
        weights=np.arange(1, 26),
        priors={"alpha - 0.34": (0.0, 0.01)},
        tie={"beta": "alpha"},
        **options,
    )
    asked = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    asked += ["--sigma", "spread", "--weights", "how often", "--prior", "alpha - 0.34=0~0.01", "--tie", "beta=alpha"]
    asked += ["--law", "chinchilla", "--x", "N=params,D=tokens", "--y", "loss", "--save", str(saved)]
    (made,) = answer("fit", str(table), *asked)["fits"]
    assert made["estimate"] == pytest.approx(found.estimate, rel=1e-9)
    assert made["objective"] == pytest.approx(found.objective, rel=1e-9)
    assert {name: made[name] for name in options} == options
    assert made["priors"] == {"alpha - 17/50": [0.0, 0.01]} and made["tie"] == {"beta": "alpha"}
    assert made["tied"] == pytest.approx(found.tied, rel=1e-9)
    assert fit.load(saved).estimate == pytest.approx(found.estimate, rel=1e-9)


def test_the_page_names_the_loss_the_tie_and_the_prior(symscale, table):
    asked = ["--law", "chinchilla", "--x", "N=params,D=tokens", "--y", "loss", "--loss", "huber", "--reduce", "sum"]
    code, page, _ = symscale("fit", str(table), *asked, "--tie", "beta=alpha", "--prior", "alpha=0.34~0.05")
    assert code == 0
    assert "sum of Huber(0.001) of log residual" in page
    assert "= alpha" in page and "prior of alpha" in page
    assert "(tied)" in page and "deviations away" in page


@pytest.mark.parametrize(
    ("asked", "marked"),
    [
        (["--prior", "alpha=0.34"], "the deviation is missing"),
        (["--prior", "alpha=~0.34"], "the value is missing"),
        (["--prior", "alhpa=0.34~1"], "'alhpa' is not declared"),
        (["--tie", "alpha=beta+"], "the formula breaks off"),
    ],
)
def test_a_prior_or_tie_that_does_not_read_is_marked(symscale, table, asked, marked):
    code, out, error = symscale(
        "fit", str(table), "--law", "chinchilla", "--x", "N=params,D=tokens", "--y", "loss", *asked
    )
    assert (code, out) == (2, "")
    assert marked in error and "\n" in error and "^" in error


@pytest.mark.parametrize("loss", ["squared", "huber"])
def test_a_law_that_grows_by_breaks_takes_priors(loss):
    x = np.geomspace(1e4, 1e9, 24)
    found = fit.curve(laws.get("bnsl"), x, 0.3 + 30 * x**-0.35, loss=loss, priors={"c0": (0.35, 1e-3)})
    assert found.estimate["c0"] == pytest.approx(0.35, abs=0.02)
