"""Intervals: exact where theory is, the same under any change of parameters, one-sided at walls, honest elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from planted import planted
from scipy import stats

from symbolic_scaling import codegen, derive, fit, laws
from symbolic_scaling.errors import FitError, ScalingError
from symbolic_scaling.fit import bootstrap, delta
from symbolic_scaling.fit.derived import quantity
from symbolic_scaling.fit.forecast import predict
from symbolic_scaling.fit.interval import METHODS, interval, interval_table
from symbolic_scaling.fit.local import at_optimum
from symbolic_scaling.fit.loss import Measure
from symbolic_scaling.fit.sparsity import bends
from symbolic_scaling.records import Root

FEW = settings(max_examples=8, deadline=None, derandomize=True)
CHINCHILLA = laws.get("chinchilla")
LINE = laws.formula("y = a + b*x", ("x",))


def fitted(name, seed=1, noise=0.01, **options):
    law, x, constants = planted(name, seed)
    y = codegen.law(law)(*x.values(), *constants.values())
    return fit.curve(law, x, y * np.exp(noise * np.random.default_rng(seed).standard_normal(len(y))), **options)


def line(seed, rows=12):
    rng = np.random.default_rng(seed)
    x = rng.uniform(1, 9, rows)
    return x, 3 + 2 * x + 0.1 * rng.standard_normal(rows)


# --- linear problems, where the answer is in every textbook -----------------------------------------------------------


@FEW
@given(seed=st.integers(0, 10_000), p=st.integers(1, 5), q=st.integers(1, 5), level=st.floats(0.5, 0.99))
def test_a_linear_problem_has_student_s_interval(seed, p, q, level):
    x, y = line(seed)
    found = fit.curve(LINE, x, y, residual="absolute")
    design = np.stack([np.ones_like(x), x], axis=1)
    best, rest, *_ = np.linalg.lstsq(design, y, rcond=None)
    way = np.array([p, q])
    error = math.sqrt(float(rest[0]) / 10 * (way @ np.linalg.inv(design.T @ design) @ way))
    of = quantity(LINE, f"{p}*a + {q}*b")
    value = float(way @ best)
    assert delta.error(at_optimum(found), of) * value == pytest.approx(error, rel=1e-6)
    half = float(stats.t.ppf((1 + level) / 2, 10)) * error
    lo, hi = found.interval(f"{p}*a + {q}*b", "profile", level)
    assert (lo, hi) == pytest.approx((value - half, value + half), rel=1e-5)


@pytest.mark.parametrize(("known", "error"), [("sigma", 0.0894427191), ("weights", 0.08)])
def test_known_errors_and_relative_weights(known, error):
    """Field case 10."""
    law = laws.formula("y = m*x", ("x",))
    given = {"sigma": [0.1, 0.2]} if known == "sigma" else {"weights": [100.0, 25.0]}
    found = fit.curve(law, [1.0, 1.0], [2.0, 2.2], residual="absolute", **given)
    assert found.estimate["m"] == pytest.approx(2.04, rel=1e-9)
    assert delta.error(at_optimum(found), quantity(law, "m")) * 2.04 == pytest.approx(error, rel=1e-7)


def test_the_sandwich_is_gauss_newton_where_noise_is_alike_and_not_elsewhere():
    rng, x = np.random.default_rng(0), np.geomspace(1, 100, 4000)
    noise = rng.standard_normal(4000)
    alike = at_optimum(fit.curve(LINE, x, 3 + 2 * x + 0.1 * noise, residual="absolute"))
    growing = at_optimum(fit.curve(LINE, x, 3 + 2 * x + 0.01 * x * noise, residual="absolute"))
    ratios = [
        delta.error(local, quantity(LINE, "b"), sandwich=True) / delta.error(local, quantity(LINE, "b"))
        for local in (alike, growing)
    ]
    assert ratios[0] == pytest.approx(1, abs=0.05)
    assert ratios[1] > 1.3


@pytest.mark.parametrize("loss", ["huber", "soft-l1"])
def test_a_delta_far_below_the_noise_has_the_errors_of_the_median(loss):
    """They are ``sqrt(pi/2)`` times those of squares where the noise is Gaussian (Koenker 2005, section 3.4)."""
    x, ratios = np.geomspace(1e3, 1e9, 60), []
    for seed in range(5):
        y = (50 * x**-0.4 + 0.5) * np.exp(0.01 * np.random.default_rng(seed).standard_normal(len(x)))
        robust, plain = (fit.curve(laws.get("m2"), x, y, loss=kind, delta=1e-4) for kind in (loss, "squared"))
        ratios.append(dict(robust.standard_errors)["c"] / dict(plain.standard_errors)["c"])
        assert delta.error(at_optimum(robust), quantity(robust.law, "eps_inf"), sandwich=True) > 0
    assert np.mean(ratios) == pytest.approx(math.sqrt(math.pi / 2), rel=0.2)


@FEW
@given(seed=st.integers(0, 10_000), rows=st.integers(6, 40), size=st.floats(1e-3, 1e3))
def test_smoothed_curvatures_are_the_curvatures_of_a_parabola(seed, rows, size):
    z, share = size * np.random.default_rng(seed).standard_normal(rows), np.full(rows, 1 / rows)
    assert (bends(Measure(), share, z, rows - 3) == 2).all()
    far = Measure("response", "huber", 10 * np.abs(z).max())
    np.testing.assert_allclose(bends(far, share, z, rows - 3), 1.0, rtol=1e-12)
    near = bends(Measure("response", "huber", 1e-9 * size), share, z, rows - 3)
    assert (near >= 0).all() and share @ near > 0


@pytest.mark.parametrize("options", [{}, {"loss": "huber"}, {"residual": "relative"}, {"priors": {"c": (-0.3, 0.01)}}])
@pytest.mark.parametrize("name", ["m2", "m4"])
def test_intervals_of_constants_are_those_that_a_fit_carries(name, options):
    found = fitted(name, 7, **options)
    assert found.intervals
    for constant, lo, hi in found.intervals:
        assert found.interval(constant) == pytest.approx((lo, hi), rel=1e-5), constant


@FEW
@given(seed=st.integers(0, 1000))
def test_intervals_stay_inside_the_domains_of_their_constants(seed):
    """Few and noisy rows: floors and exponents whose symmetric intervals would reach beyond 0."""
    x = np.geomspace(1e5, 1e7, 6)
    y = (2 + 300 * x**-0.45) * np.exp(0.05 * np.random.default_rng(seed).standard_normal(6))
    found = fit.curve(laws.get("m2"), x, y)
    for name, lo, hi in found.intervals:
        assert lo < found.estimate[name] < hi
        assert (lo >= 0) if name != "c" else (hi < 0)
        assert found.interval(name) == pytest.approx((lo, hi), rel=1e-4)


def test_a_negative_constant_has_the_interval_of_its_size():
    found = fitted("m2", 7)
    for method in ("delta", "sandwich", "profile"):
        lo, hi = found.interval("c", method)
        assert found.interval("-c", method) == pytest.approx((-hi, -lo), rel=1e-3)


def test_a_prior_that_decides_is_what_every_method_says():
    centre = fitted("m2", 7).estimate["c"]
    found = fitted("m2", 7, priors={"c": (centre, 1e-6)})
    for method in ("delta", "profile"):
        lo, hi = found.interval("c", method)
        assert (lo + hi) / 2 == pytest.approx(centre, abs=1e-8)
        assert hi - lo == pytest.approx(2e-6 * stats.t.ppf(0.975, found.degrees_of_freedom), rel=0.1)


# --- any change of parameters -----------------------------------------------------------------------------------------


@FEW
@given(seed=st.integers(0, 1000))
def test_profile_ends_move_with_the_quantity(seed):
    found = fitted("m2", seed)
    lo, hi = found.interval("beta", "profile")
    for text, map_ in (("log(beta)", math.log), ("1/beta", lambda v: 1 / v), ("beta**2 + beta", lambda v: v * v + v)):
        ends = sorted(found.interval(text, "profile"))
        assert ends == pytest.approx(sorted((map_(lo), map_(hi))), rel=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_units_move_intervals_with_them(method):
    law, x, constants = planted("chinchilla", 2)
    y = codegen.law(law)(*x.values(), *constants.values()) * np.exp(0.01 * np.sin(np.arange(36)))
    one = fit.curve(law, x, y)
    two = fit.curve(law, {"N": 1e-9 * x["N"], "D": 1e-9 * x["D"]}, 7 * y)
    options = {"samples": 100} if method in ("bootstrap", "residuals") else {}
    for name, factor in (("alpha", 1), ("E", 7)):
        plain, scaled = one.interval(name, method, **options), two.interval(name, method, **options)
        assert scaled == pytest.approx([factor * end for end in plain], rel=1e-3)


# --- derived quantities -----------------------------------------------------------------------------------------------


def test_a_frontier_has_intervals_by_every_method():
    found = fitted("chinchilla", 4)
    best = derive.frontier(CHINCHILLA)
    asked = {"N*": best["N"], "D*/N*": best["D"] / best["N"], "L*": best["L"], "slope": "beta/(alpha + beta)"}
    rows = interval_table(found, asked, values={"C": 1e22}, methods=METHODS, samples=300)
    assert [row.name for row in rows[:: len(METHODS)]] == list(asked)
    for row in rows:
        assert 0 < row.lo < row.value < row.hi, row
        assert row.hi - row.lo < 3 * (rows[0].hi - rows[0].lo if row.name == "N*" else math.inf)


def test_a_root_and_a_closed_form_have_one_interval():
    found = fitted("chinchilla", 4)
    at = {"L": found.estimate["E"] * 1.2, "N": 1e12}
    closed = derive.inverse(CHINCHILLA, "D")["D"]
    d = CHINCHILLA.inputs[1]
    root = Root(d, CHINCHILLA.explicit - CHINCHILLA.response.symbol, (sp.Integer(0), sp.oo), "falls strictly")
    for method in ("delta", "profile"):
        one, two = (interval(found, what, method, values=at) for what in (closed, root))
        assert (two.value, two.lo, two.hi) == pytest.approx((one.value, one.lo, one.hi), rel=1e-6)


@pytest.mark.parametrize("name", ["m2", "m4", "chinchilla"])
def test_the_response_at_inputs_has_the_forecast_s_interval(name):
    found = fitted(name, 3)
    at = {symbol.name: 1e14 for symbol in found.law.inputs}
    made = predict(found, at)
    assert found.interval(found.law.response.symbol.name, values=at) == pytest.approx(made.interval, rel=1e-6)


def test_below_the_floor_there_is_no_interval_and_no_nan():
    """Field case 7: a loss that no amount of data gives."""
    found = fitted("chinchilla", 4)
    what = derive.inverse(CHINCHILLA, "D")["D"]
    with pytest.raises(FitError, match="not finite"):
        interval(found, what, values={"L": found.estimate["E"] / 2, "N": 1e12})
    with pytest.raises(FitError, match="no value of N"):
        interval(found, what, values={"L": 2.0})
    with pytest.raises(ScalingError, match="gamma"):
        interval(found, "gamma + 1")


def test_tied_constants_are_quantities_too():
    found = fitted("chinchilla", 5, tie={"beta": "0.9*alpha", "B": "2*A"})
    assert "beta" not in found.estimate
    assert found.interval("beta") == pytest.approx([0.9 * end for end in found.interval("alpha")], rel=1e-9)
    ends = derive.frontier(CHINCHILLA)["N"]
    made = interval(found, ends, values={"C": 1e22})
    constants = {**found.estimate, **found.tied}
    assert made.value == pytest.approx(
        (constants["alpha"] * constants["A"] / (constants["beta"] * constants["B"]))
        ** (1 / (constants["alpha"] + constants["beta"]))
        * (1e22 / 6) ** (constants["beta"] / (constants["alpha"] + constants["beta"])),
        rel=1e-9,
    )


# --- what is not known ------------------------------------------------------------------------------------------------

N = np.array([5.3e7, 6.4e7, 1.6e8, 2.07e8, 3.2e8, 4.8e8, 9.9e8, 2e9])


def test_combinations_that_are_identified_have_intervals_though_their_constants_have_none():
    """Field case 17: all runs of one D leave E + B*D**(-beta)."""
    d = np.full(len(N), 4.4e9)
    y = (1.69 + 406.4 * N**-0.34 + 410.7 * d**-0.28) * np.exp(1e-4 * np.array([1, -1, 1, 1, -1, -1, 1, -1]))
    found = fit.curve(CHINCHILLA, {"N": N, "D": d}, y)
    alone = fit.curve(laws.get("m2"), N, y)
    for method in ("delta", "profile"):
        whole = interval(found, "E + B*D**(-beta)", method, values={"D": 4.4e9})
        floor = interval(alone, "eps_inf", method)
        factor = (stats.t.ppf(0.975, 3) / 3**0.5) / (stats.t.ppf(0.975, 5) / 5**0.5)
        assert whole.value == pytest.approx(2.50913966, rel=1e-3)
        assert (whole.hi - whole.lo) / (floor.hi - floor.lo) == pytest.approx(factor, rel=0.05)
    for name in ("E", "B", "beta"):
        for method in ("delta", "sandwich", "profile"):
            with pytest.raises(FitError, match="not identified"):
                found.interval(name, method)


def test_equivalent_optima_have_no_interval_of_what_differs():
    w = np.geomspace(1e7, 1e10, 12)
    y = 1.69 + 406.4 * w**-0.34 + 410.7 * (20 * w) ** -0.28
    found = fit.curve(CHINCHILLA, {"N": w, "D": 20 * w}, y * np.exp(1e-5 * np.sin(np.arange(12))))
    with pytest.raises(FitError, match="not identified"):
        found.interval("alpha")


def test_a_floor_on_its_wall_has_a_one_sided_profile():
    x = np.geomspace(1e4, 1e9, 24)
    found = fit.curve(laws.get("m2"), x, x**-0.2 * np.exp(0.02 * np.sin(3 * np.arange(24)) - 0.004 * np.arange(24)))
    assert found.estimate["eps_inf"] == 0
    with pytest.raises(FitError, match="on a wall"):
        found.interval("eps_inf")
    made = interval(found, "eps_inf", "profile")
    assert (made.lo, made.note) == (0, "lower side ends at a wall of the box")
    assert 0 < made.hi < x[-1] ** -0.2
    fixed = fit.curve(laws.get("m2"), x, found.problem.y, fix={"eps_inf": made.hi})
    rise = fixed.objective / found.objective - 1
    assert rise == pytest.approx(stats.t.ppf(0.975, found.degrees_of_freedom) ** 2 / found.degrees_of_freedom, rel=1e-3)


def test_without_degrees_of_freedom_or_success_there_are_none():
    found = fit.curve(laws.get("m2"), [1e6, 1e7, 1e8], [3.0, 2.5, 2.25])
    rows = interval_table(found, {"c": "c"}, methods=METHODS)
    assert all(math.isnan(row.lo) and "0 degrees of freedom" in row.note for row in rows)
    with pytest.raises(FitError, match="level"):
        found.interval("c", level=95)
    with pytest.raises(FitError, match="give one of delta"):
        interval_table(found, {"c": "c"}, methods=("jackknife",))


# --- bootstrap --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["bootstrap", "residuals"])
def test_a_bootstrap_repeats_itself_and_is_near_the_others(method):
    found = fitted("chinchilla", 5)
    one, two, other = (found.interval("alpha", method, samples=200, seed=seed) for seed in (1, 1, 2))
    assert one == two != other
    lo, hi = found.interval("alpha", "profile")
    assert (one[1] - one[0]) / (hi - lo) == pytest.approx(1, abs=0.4)
    middle = math.log(found.estimate["alpha"])
    mirrored = found.interval("alpha", method, samples=200, seed=1, basic=True)
    assert [2 * middle - math.log(end) for end in mirrored[::-1]] == pytest.approx([math.log(end) for end in one])


def test_drawn_responses_keep_the_curve_and_its_scatter():
    local = at_optimum(fitted("m2", 6, noise=0.05))
    (made,) = bootstrap.responses(local, 4000, 0)
    drawn = np.log(made / local.result.predict(dict(local.result.problem.x)))
    size = math.sqrt(local.result.objective * len(drawn[0]) / local.freedom)
    assert abs(drawn.mean()) < 4 * size / math.sqrt(drawn.size)
    assert drawn.std() == pytest.approx(size, rel=0.1)
    with pytest.raises(FitError, match="5 samples"):
        bootstrap.draw(local, "pairs", 5, 0)


def test_a_constant_that_the_rows_hardly_determine_is_named():
    """A flat tail: an amplitude whose interval spans many decades."""
    x = np.geomspace(1e5, 1e7, 6)
    y = (2 + 300 * x**-0.45) * np.exp(0.05 * np.random.default_rng(2).standard_normal(6))
    found = fit.curve(laws.get("m2"), x, y)
    assert "beta is hardly identified: its interval spans 13 decades" in found.notes
    assert not any("hardly" in note for note in fitted("m2", 7).notes)


def test_responses_are_not_drawn_from_rows_that_a_robust_curve_passes_through():
    robust, plain = (at_optimum(fitted("m2", 7, noise=0.05, loss=loss, delta=1e-4)) for loss in ("huber", "squared"))
    for local, least in ((robust, len(robust.result.problem.y) - 3), (plain, len(plain.result.problem.y))):
        (drawn,) = bootstrap.responses(local, 200, 0)
        noise = np.log(drawn) - np.log(local.result.predict(dict(local.result.problem.x)))
        assert len(np.unique(noise.round(9))) == least
