"""Plans: published optima, questions below the floor, brute force beside every plan, intervals of fits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import derive, errors, fit, laws, plan

CHINCHILLA = laws.get("chinchilla")
REFIT = plan.source(CHINCHILLA, "besiroglu2024")


def least(loss: Callable[[Any], Any], lo: float, hi: float) -> Any:
    """The logarithm at which a function with one valley is least: thirds, 60 digits."""
    with mpmath.workdps(60):
        a, b = mpmath.mpf(lo), mpmath.mpf(hi)
        for _ in range(260):
            c, d = a + (b - a) / 3, b - (b - a) / 3
            a, b = (a, d) if loss(c) < loss(d) else (c, b)
        return (a + b) / 2


def raw(chosen: plan.Source) -> Callable[[Any, Any], Any]:
    """The printed formula of Chinchilla at a set's numbers."""
    E, A, B, alpha, beta = (mpmath.mpf(str(sp.N(v, 55))) for v in chosen.constants.values())
    return lambda n, d: E + A * n**-alpha + B * d**-beta


# FIELD_CASES 1: computed at 30 to 60 digits elsewhere
@pytest.mark.parametrize(
    ("name", "compute", "expected"),
    [
        ("hoffmann2022", "5.76e23", [3.2189859e10, 2.9823057e12, 92.64737, 1.9307481]),
        ("hoffmann2022-unrounded", "5.76e23", [4.0360938e10, 2.3785374e12, 58.93167, 1.91841205]),
        ("besiroglu2024", "5.76e23", [7.2248703e10, 1.3287436e12, 18.39124, 1.97444111]),
        ("hoffmann2022", "1e18", [8.0581984e7, 2.068287e9, 25.66687, 3.53529775]),
        ("besiroglu2024", "1e25", [3.1207034e11, 5.3406763e12, 17.11369, 1.91172924]),
    ],
)
def test_published_optima(name: str, compute: str, expected: list[float]) -> None:
    made = plan.allocate(plan.source(CHINCHILLA, name), compute)
    found = [float(made[key]) for key in ("N", "D", "D/N", "L")]
    assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("name", [one.name for one in CHINCHILLA.published])
@pytest.mark.parametrize("compute", ["1e18", "1e24", "3e29"])
def test_brute_force_finds_the_same_optimum(name: str, compute: str) -> None:
    chosen = plan.source(CHINCHILLA, name)
    made, loss, half = plan.allocate(chosen, compute), raw(chosen), mpmath.mpf(compute) / 6
    best = least(lambda u: loss(mpmath.exp(u), half / mpmath.exp(u)), 5, 60)
    assert float(mpmath.exp(best)) == pytest.approx(float(made["N"]), rel=1e-12)
    assert float(loss(mpmath.exp(best), half / mpmath.exp(best))) == pytest.approx(float(made["L"]), rel=1e-14)


def test_brute_force_under_inference() -> None:
    served, money = mpmath.mpf("1e13"), mpmath.mpf("1e24")
    made = plan.allocate(REFIT, "1e24", "C = 6*N*D + 2*N*D_inf", beside={"D_inf": "1e13"})
    loss = raw(REFIT)

    def spent(u: Any) -> Any:
        n = mpmath.exp(u)
        return loss(n, (money - 2 * n * served) / (6 * n))

    best = least(spent, 5, mpmath.log(money / 2 / served) - mpmath.mpf("1e-20"))
    assert float(mpmath.exp(best)) == pytest.approx(float(made["N"]), rel=1e-12)
    assert "D_inf" in made.convention


def test_the_cheapest_run_that_also_serves() -> None:
    """Sardana et al. 2024: at a fixed loss, (alpha A N^-alpha)/(beta B D^-beta) = 1 + D_inf/(3 D)."""
    made = plan.invert(REFIT, "2.0", "C = 6*N*D + 2*N*D_inf", beside={"D_inf": "1e12"})
    n, d = float(made["N"]), float(made["D"])
    assert raw(REFIT)(n, d) == pytest.approx(2.0, rel=1e-12)
    assert 6 * n * d + 2 * n * 1e12 == pytest.approx(float(made["C"]), rel=1e-12)
    left = 0.3478 * 482.01 * n**-0.3478 / (0.3658 * 2085.43 * d**-0.3658)
    assert left == pytest.approx(1 + 1e12 / (3 * d), rel=1e-9)
    with pytest.raises(errors.Unattainable, match=r"1\.8172"):
        plan.invert(REFIT, "1.8", "C = 6*N*D + 2*N*D_inf", beside={"D_inf": "1e12"})


def test_brute_force_of_kaplan() -> None:
    chosen = plan.source(laws.get("kaplan-nd"), "kaplan2020-table2")
    made = plan.allocate(chosen, "1 PF-days")
    N_c, D_c, a, d = (mpmath.mpf(text) for text in ("6.4e13", "1.8e13", "0.076", "0.103"))
    half = mpmath.mpf("8.64e19") / 6

    def loss(u: Any) -> Any:
        n = mpmath.exp(u)
        return ((N_c / n) ** (a / d) + D_c / (half / n)) ** d

    assert float(mpmath.exp(least(loss, 5, 60))) == pytest.approx(float(made["N"]), rel=1e-12)


@pytest.mark.parametrize(("compute", "unique"), [("1e22", "25e9"), ("1e20", "1e12"), ("1e21", "5e9")])
def test_brute_force_where_data_repeat(compute: str, unique: str) -> None:
    """The printed formulas of Muennighoff et al. 2023, their minima included, at numbers."""
    made = plan.repeat(laws.get("data-constrained"), compute, unique, CHINCHILLA)
    with mpmath.workdps(40):
        E, A, B = (mpmath.exp(mpmath.mpf(text)) for text in ("0.6254804", "6.255414", "7.3049974"))
        a, R_N, R_D = (mpmath.mpf(text) for text in ("0.3526596", "5.309743", "15.387756"))
        U, half, G = mpmath.mpf(unique), mpmath.mpf(compute) / 6, (A / B) ** (1 / (2 * a))

        def loss(u: Any) -> Any:
            n = mpmath.exp(u)
            d = half / n
            u_d = min(U, d)
            u_n = min(u_d * G * G, n)
            size = u_n + u_n * R_N * (1 - mpmath.exp(-(n / u_n - 1) / R_N))
            data = u_d + u_d * R_D * (1 - mpmath.exp(-(d / u_d - 1) / R_D))
            return A / size**a + B / data**a + E

        best = least(loss, 5, 55)
        assert float(mpmath.exp(best)) == pytest.approx(float(made["N"]), rel=1e-9)
        assert float(loss(best)) == pytest.approx(float(made["L"]), rel=1e-14)
    assert (float(made["epochs"]) == 1) == (unique == "1e12")


# FIELD_CASES 7
def test_questions_below_the_floor() -> None:
    assert float(plan.invert(REFIT, "2.0", held={"N": "7e10"})["D"]) == pytest.approx(6.19640450782e11, rel=1e-11)
    assert float(plan.invert(REFIT, "1.9", held={"D": "oo"})["N"]) == pytest.approx(6.687454119e10, rel=1e-9)
    with pytest.raises(errors.Unattainable, match=r"1\.90223459"):
        plan.invert(REFIT, "1.9", held={"D": "1e12"})
    for asked in ({}, {"held": {"N": "7e10"}}, {"most": {"D": "1e15"}}):
        with pytest.raises(errors.Unattainable, match=r"1\.8172"):
            plan.invert(REFIT, "1.5", **asked)


def test_a_cap_costs_only_where_it_binds() -> None:
    free = plan.invert(REFIT, "1.9")
    loose, tight = plan.invert(REFIT, "1.9", most={"D": "1e14"}), plan.invert(REFIT, "1.9", most={"D": "3e12"})
    assert (loose["C"], loose["N"]) == (free["C"], free["N"])
    assert tight["C over the least"] > 1 and tight["D"] == 3 * 10**12
    assert float(raw(REFIT)(mpmath.mpf(str(tight["N"])), 3e12)) == pytest.approx(1.9, rel=1e-12)


CONSTANTS = st.fixed_dictionaries(
    {
        "E": st.floats(0.1, 3),
        "A": st.floats(10, 1e4),
        "B": st.floats(10, 1e4),
        "alpha": st.floats(0.1, 0.9),
        "beta": st.floats(0.1, 0.9),
    }
)


@settings(deadline=None, derandomize=True, max_examples=6)
@given(CONSTANTS, st.floats(16, 30))
def test_the_least_compute_is_the_inverse_of_the_best_loss(constants: dict[str, float], power: float) -> None:
    chosen = plan.source(CHINCHILLA, constants=constants)
    made = plan.allocate(chosen, 10**power)
    assert abs(plan.invert(chosen, made["L"])["C"] / made["C"] - 1) < sp.Rational(1, 10**15)


def test_a_run_off_the_optimum_wastes_what_suboptimality_says() -> None:
    made = plan.judge(REFIT, {"N": "7B", "D": "2T"})
    best = plan.allocate(REFIT, made["least C of this response"])
    excess = derive.suboptimality(CHINCHILLA, "N")["excess"]
    here = {**REFIT.point, sp.Symbol("r", positive=True): 7 * 10**9 / best["N"]}
    assert abs(excess.evalf(40, subs=here) / made["C over the least"] - 1) < sp.Rational(1, 10**25)
    assert plan.judge(REFIT, {"N": best["N"], "D": best["D"]})["C over the least"] - 1 < sp.Rational(1, 10**25)


def test_the_multiplier_reaches_the_same_loss() -> None:
    rounded = plan.source(CHINCHILLA, "hoffmann2022")
    made = plan.multiplier(REFIT, rounded, "1e24")
    assert float(plan.allocate(rounded, made["multiplier"] * 10**24)["L"]) == pytest.approx(float(made["L"]), rel=1e-14)


def test_the_reasons_multiply_to_the_ratio() -> None:
    sets = [plan.source(CHINCHILLA, name) for name in ("besiroglu2024", "hoffmann2022")]
    made = plan.compare(sets, "1e24")
    *parts, together = made.sheets[2].rows
    for place, name in enumerate(("N", "D", "L"), start=1):
        product = sp.Mul(*(row[place] for row in parts))
        ratio = made[f"{name} of hoffmann2022"] / made[f"{name} of besiroglu2024"]
        assert abs(product / ratio - 1) < sp.Rational(1, 10**40) and abs(together[place] / ratio - 1) < 1e-40
    assert [row[0] for row in parts] == ["E", "A, alpha", "B, beta"]
    assert abs(parts[0][1] - 1) < 1e-40, "the floor does not move the optimum"


@pytest.mark.slow
def test_the_reasons_multiply_to_the_ratio_of_roots() -> None:
    sets = [plan.source(CHINCHILLA, name) for name in ("besiroglu2024", "hoffmann2022")]
    made = plan.compare(sets, "1e24", "C = 6*N*D + 2*N*D_inf", beside={"D_inf": "1e12"})
    *parts, _ = made.sheets[2].rows
    for place, name in enumerate(("N", "D", "L"), start=1):
        product = sp.Mul(*(row[place] for row in parts))
        ratio = made[f"{name} of hoffmann2022"] / made[f"{name} of besiroglu2024"]
        assert abs(product / ratio - 1) < sp.Rational(1, 10**20)


def test_a_fit_gives_intervals() -> None:
    n, d = (axis.ravel() for axis in np.meshgrid(np.geomspace(1e8, 1e10, 5), np.geomspace(1e9, 1e11, 5)))
    loss = (1.7 + 400 / n**0.34 + 400 / d**0.28) * np.exp(1e-4 * np.sin(np.arange(25)))
    fitted = plan.source(fit=fit.curve(CHINCHILLA, {"N": n, "D": d}, loss))
    made = plan.allocate(fitted, "1e22")
    for one in made.allocation:
        ((method, lo, hi),) = one.intervals
        assert method == "delta" and lo < float(one.value) < hi
    turned = plan.invert(fitted, 2.2)
    assert all(one.intervals for one in turned.allocation if one.name in {"N", "D", "D/N", "C"})
    both = plan.compare([fitted, REFIT], "1e22")
    assert "within" in " ".join(both.sheets[0].columns)


def test_a_plan_beyond_the_rows_of_its_fit_says_so() -> None:
    """Of every input that lies outside them, whichever way it was asked for, and of no other."""
    n, d = (axis.ravel() for axis in np.meshgrid(np.geomspace(1e8, 1e10, 5), np.geomspace(1e9, 1e11, 5)))
    found = plan.source(fit=fit.curve(CHINCHILLA, {"N": n, "D": d}, 1.7 + 400 / n**0.34 + 400 / d**0.28))
    for made in (
        *(plan.allocate(found, compute) for compute in ("1e17", "1e20", "3e21", "1e25")),
        *(plan.invert(found, target) for target in (4, 2.5, 1.8)),
        *(plan.judge(found, {"N": size, "D": "1e10"}) for size in ("1e7", "1e9", "1e11")),
    ):
        said = [note.split(" lies outside ")[0] for note in made.notes if note.endswith("of the rows fitted")]
        assert said == [name for name, rows in (("N", n), ("D", d)) if not rows.min() <= made[name] <= rows.max()]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["delta", "bootstrap"])
def test_intervals_follow_a_root(method: str) -> None:
    """Tokens to be served that cost next to nothing change next to nothing; many make the model smaller, as sure."""
    n, d = (axis.ravel() for axis in np.meshgrid(np.geomspace(1e8, 1e10, 5), np.geomspace(1e9, 1e11, 5)))
    loss = (1.7 + 400 / n**0.34 + 400 / d**0.28) * np.exp(1e-3 * np.sin(np.arange(25)))
    fitted = plan.source(fit=fit.curve(CHINCHILLA, {"N": n, "D": d}, loss))
    cost, methods = "C = 6*N*D + 2*N*D_inf", (method,)
    for ask, asked in ((plan.allocate, "1e22"), (plan.invert, "2.2")):
        free = ask(fitted, asked, methods=methods)
        none = ask(fitted, asked, cost, beside={"D_inf": "1"}, methods=methods)
        for one, other in zip(free.allocation, none.allocation, strict=True):
            assert len(one.intervals) == (
                1 if one.name in {"N", "D", "D/N", "L", "L in bits", "C", "C in PF-days"} else 0
            )
            for (_, *ends), (_, *others) in zip(one.intervals, other.intervals, strict=True):
                assert ends == pytest.approx(others, rel=1e-5)
        many = ask(fitted, asked, cost, beside={"D_inf": "1e12"}, methods=methods)
        assert many["N"] < free["N"] and all(lo < float(many["N"]) < hi for _, lo, hi in many.allocation[0].intervals)
