"""Off the optimum, crossings and sensitivities, each against a numerical answer of its own."""

from __future__ import annotations

import math
import random
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp
from checks import bisect, proved
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import numeric, rationals

from symbolic_scaling import (
    Claim,
    Equal,
    Root,
    Status,
    codegen,
    derive,
    laws,
    verify,
)
from symbolic_scaling.errors import LawError, ScalingError, Unattainable, Undecided

CHINCHILLA, SOVIT, KAPLAN = (laws.get(name) for name in ("chinchilla", "sovit", "kaplan-ns"))


# ---------------------------------------------------------------- off the optimum


def test_kaplan_b16() -> None:
    found = derive.suboptimality(KAPLAN, "N", cost="C = 6*N*S_min")
    assert proved(found)
    aN, aS, r = KAPLAN.symbols["alpha_N"], KAPLAN.symbols["alpha_S"], sp.Symbol("r", positive=True)
    printed = r * (1 + aS / aN * (1 - r ** (-aN))) ** (-1 / aS)
    domain = next(c for step in found.steps for c in step.owes if c.name == "the loss is the same").domain
    assert verify.claim(Claim("(B.16)", Equal(found["excess"], printed), domain)).status is Status.PROVED
    table = {aN: sp.Rational("0.076"), aS: sp.Rational("0.76")}
    assert [round(float(found["excess"].subs({**table, r: x})), 1) for x in (0.6, 1.0, 2.2)] == [1.2, 1.0, 1.2]


@settings(max_examples=15, deadline=None, derandomize=True)
@given(a=rationals(0.05, 2), b=rationals(0.05, 2), A=rationals(1e-3, 1e6), B=rationals(1e-3, 1e6), r=rationals(0.8, 5))
def test_the_excess_cost_reaches_the_same_loss(a, b, A, B, r) -> None:
    """By bisection on the raw law alone: the tokens at r times the best size that give the best loss again."""
    with mpmath.workdps(80):
        f = lambda n, d: A / mpmath.mpf(n) ** a + B / mpmath.mpf(d) ** b  # noqa: E731
        a, b, A, B, r = (mpmath.mpf(x.p) / x.q for x in (a, b, A, B, r))
        C = mpmath.mpf(10) ** 9
        n = mpmath.exp(bisect(lambda u: -a * A * mpmath.exp(-a * u) + b * B * (C / mpmath.exp(u)) ** -b))
        least = f(n, C / n)
        if A / (r * n) ** a >= least:
            return  # no number of tokens makes up for this size
        tokens = (B / (least - A / (r * n) ** a)) ** (1 / b)
        values = dict(zip(("alpha", "beta", "r"), (a, b, r), strict=True))
        excess = derive.suboptimality(CHINCHILLA)["excess"]
        got = numeric(excess, {s: values[s.name] for s in excess.free_symbols})
        assert abs(got / (r * n * tokens / C) - 1) < mpmath.mpf(10) ** -40


def test_sovit_off_its_shape() -> None:
    found = derive.suboptimality(SOVIT, "x_k")
    assert proved(found)
    a, b, r = SOVIT.symbols["a_k"], SOVIT.symbols["b_k"], sp.Symbol("r", positive=True)
    assert found["excess of f_k"] == (a * r**b + b * r**-a) / (a + b)
    best = derive.optimum(SOVIT, "x_k")["x_k"]
    values = {s: sp.Rational(3 + k, 7) for k, s in enumerate((*SOVIT.constants, SOVIT.symbols["t"], r))}
    raw = SOVIT.explicit.subs(SOVIT.symbols["x_k"], r * best) / SOVIT.explicit.subs(SOVIT.symbols["x_k"], best)
    assert abs(numeric(raw, values) / numeric(found["excess"], values) - 1) < 1e-60


@pytest.mark.parametrize(
    "arguments", [("chinchilla", "D", None), ("kaplan-nd", "N", "6*N*D"), ("chinchilla", "N", "N**2*D")]
)
def test_every_step_off_the_optimum_is_proved(arguments) -> None:
    name, variable, cost = arguments
    assert proved(derive.suboptimality(laws.get(name), variable, cost))


# ---------------------------------------------------------------- where two laws meet


def test_kaplans_contradiction() -> None:
    """(6.8): L(C_min) and L(D(C_min)) meet once; a floor that both have in common does not move the crossing."""
    compute = laws.formula("L = (C_c/C)^a", ["C"])
    data = laws.formula("L = (D_c/(k*C^p))^b", ["C"])
    assumed = [f"{name} > 0" for name in ("C_c", "D_c", "k", "a", "p", "b")] + ["a > b*p"]
    found = derive.crossover(compute, data, "C", given=assumed)
    assert proved(found)
    floors = [laws.formula(f"L = E + {right}", ["C"]) for right in ("(C_c/C)^a", "(D_c/(k*C^p))^b")]
    assert derive.crossover(*floors, "C", given=assumed, shared=["E"])["C"] == found["C"]
    printed = {"C_c": "3.1e8", "a": "0.050", "D_c": "5.4e13", "b": "0.095", "k": "4e10", "p": "0.26"}
    C = found["C"]
    assert isinstance(C, sp.Expr)
    value = C.evalf(20, subs={s: sp.Rational(printed[s.name]) for s in C.free_symbols})
    log = (0.05 * math.log(3.1e8) - 0.095 * math.log(5.4e13 / 4e10)) / (0.05 - 0.095 * 0.26)
    assert float(value) == pytest.approx(math.exp(log), rel=1e-9)  # 1e5 PF-days where the paper says about 1e4


@settings(max_examples=15, deadline=None, derandomize=True)
@given(A=rationals(1e-3, 1e6), c=st.integers(1, 40), e=st.integers(1, 40))
def test_two_power_laws_meet_where_bisection_says(A, c, e) -> None:
    c, c_2 = sp.Rational(c, 20), sp.Rational(c + e, 20)
    left, right = (laws.formula(f"L = {k}*x^(-{p})", ["x"]) for k, p in ((A, c), (7, c_2)))
    found = derive.crossover(left, right, "x")["x"]
    with mpmath.workdps(80):
        k, p, q = (mpmath.mpf(n.p) / n.q for n in (A, c, c_2))
        u = bisect(lambda u: mpmath.log(k) - p * u - mpmath.log(7) + q * u)
        assert abs(mpmath.log(numeric(found, {})) - u) < mpmath.mpf(10) ** -40 * (1 + abs(u))


def test_exact_powers_too_large_to_write_are_refused() -> None:
    left, right = (laws.formula(f"L = {text}", ["x"]) for text in ("3*x^(-0.3333333)", "5*x^(-0.3333332)"))
    with pytest.raises(ScalingError, match="too many digits"):
        derive.crossover(left, right, "x")


def test_a_crossing_without_closed_form_is_bracketed() -> None:
    left, right = (laws.formula(text, ["N"]) for text in ("L = E + A/N^a + B/N^b", "L = K/N^g"))
    assumed = ["a > 0", "b > a", "g > b", "E > 0", "A > 0", "B > 0", "K > 0"]
    found = derive.crossover(left, right, "N", given=assumed)
    assert proved(found)
    root = found["N"]
    assert isinstance(root, Root) and "change sign once" in root.why_unique
    values = {"E": 2, "A": 3, "B": 5, "K": 11, "a": "1/4", "b": "1/3", "g": "1/2"}
    gap = root.condition.subs({s: sp.Rational(values[s.name]) for s in root.condition.free_symbols if s.name in values})
    (N,) = gap.free_symbols
    with mpmath.workdps(80):
        slope = sp.lambdify(N, gap, "mpmath")
        zero = bisect(lambda u: slope(mpmath.exp(u)), -100, 100)
        signs = {slope(mpmath.exp(zero + s * step)) > 0 for s in (1,) for step in (0.1, 1, 10, 50)}
        assert signs == {True}


def test_laws_that_never_meet_or_may_meet_often() -> None:
    m1 = laws.get("m1")
    with pytest.raises(Unattainable, match="never meet"):
        derive.crossover(m1, laws.formula("L = 2*beta*x^c", ["x"]), "x", shared=["beta", "c"], given=["beta > 0"])
    often = [laws.formula(text, ["x"]) for text in ("L = A/x + B*x", "L = K + M/x^2")]
    with pytest.raises(Undecided, match="at most 3 times, at least 1"):
        derive.crossover(*often, "x", given=["A > 0", "B > 0", "K > 0", "M > 0"])
    with pytest.raises(ScalingError, match="same response at every x"):
        derive.crossover(m1, m1, "x", shared=["beta", "c"])
    with pytest.raises(LawError, match="implicit"):
        derive.crossover(m1, laws.get("m4"), "x")


def test_two_meetings_or_none_are_cases() -> None:
    left, right = laws.formula("L = A/x + 2*B*x", ["x"]), laws.formula("L = k + B*x", ["x"])
    found = derive.crossover(left, right, "x", shared=["B"])
    assert proved(found) and len(found.cases) == 3 and not found.cases[2].found
    values = codegen.evaluate(found, {"A": 2, "B": 3, "k": 7})
    assert sorted(values.values()) == pytest.approx(sorted(np.roots([3, -7, 2])), rel=1e-12)
    with pytest.raises(ScalingError, match="no case has an answer"):
        codegen.evaluate(found, {"A": 2, "B": 3, "k": 4})
    some = codegen.evaluate(found, {"A": 2, "B": 3, "k": [4, 7]})
    assert all(np.isnan(value[0]) and value[1] > 0 for value in some.values())


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.lists(st.integers(-9, 9).filter(bool), min_size=4, max_size=6), st.integers(0, 10**6))
def test_meetings_at_numbers_are_counted_and_bracketed(coefficients, seed) -> None:
    """As many as Sturm's theorem counts for the polynomial, each between its own two numbers."""
    x = sp.Symbol("x", positive=True)
    powers = random.Random(seed).sample(range(1, 12), len(coefficients))
    whole = sp.Poly(sum(c * x**p for c, p in zip(coefficients, powers, strict=True)), x)
    left, right = (
        " + ".join(f"{abs(c)}*x^({p}/3)" for c, p in zip(coefficients, powers, strict=True) if c * sign > 0)
        for sign in (1, -1)
    )
    assume(left and right and sp.discriminant(sp.quo(whole, sp.Poly(x ** min(powers), x))) != 0)
    count = whole.count_roots(0, sp.oo) - 1
    ask = (laws.formula(f"L = {left}", ["x"]), laws.formula(f"L = {right}", ["x"]), "x")
    if not count:
        with pytest.raises(Unattainable):
            derive.crossover(*ask)
        return
    found = derive.crossover(*ask)
    values = codegen.evaluate(found, {})
    assert len(values) == count
    for value in values.values():
        terms = [float(c) * value ** (p / 3) for c, p in zip(coefficients, powers, strict=True)]
        assert abs(math.fsum(terms)) <= 1e-11 * max(map(abs, terms))


# ---------------------------------------------------------------- how the optimum moves


@settings(max_examples=12, deadline=None, derandomize=True)
@given(a=rationals(0.1, 2), b=rationals(0.1, 2), A=rationals(1e-2, 1e4), B=rationals(1e-2, 1e4), C=rationals(1, 1e20))
def test_sensitivities_are_those_of_the_minimised_law(a, b, A, B, C) -> None:
    """Central differences of the optimum found by bisection on the raw law's slope."""
    names, point = ("alpha", "beta", "A", "B", "C"), [mpmath.mpf(v.p) / v.q for v in (a, b, A, B, C)]

    def best(values: list[Any]) -> Any:
        a, b, A, B, C = values
        return bisect(lambda u: -a * A * mpmath.exp(-a * u) + b * B * (C / 6) ** -b * mpmath.exp(b * u))

    found = derive.sensitivity(CHINCHILLA)
    with mpmath.workdps(80):
        for place, name in enumerate(names):
            step = mpmath.mpf(10) ** -25 * point[place]
            up, down = ([v + s * (k == place) for k, v in enumerate(point)] for s in (step, -step))
            slope = (best(up) - best(down)) / (2 * step)
            moved = found[name]
            assert isinstance(moved, sp.Expr)
            got = numeric(moved, {s: point[names.index(s.name)] for s in moved.free_symbols})
            assert abs(got - slope) < mpmath.mpf(10) ** -20 * (1 + abs(slope)), name
    assert found["E"] == 0


@pytest.mark.parametrize(
    "arguments", [("chinchilla", "D", None), ("kaplan-ns", "N", "N*S_min"), ("sovit", "x_k", None)]
)
def test_every_step_of_a_sensitivity_is_proved(arguments) -> None:
    name, variable, cost = arguments
    assert proved(derive.sensitivity(laws.get(name), variable, cost))
    with pytest.raises(LawError, match="is held"):
        derive.sensitivity(CHINCHILLA, "N", fixed=["N"])


# ---------------------------------------------------------------- the command line


def test_shapes_of_the_json(answer) -> None:
    off = answer("derive", "chinchilla", "suboptimality")
    assert off["result"] == "r*(alpha/(alpha + beta - beta/r**alpha))**(1/beta)" and "excess of L" in off["beside"]
    met = answer("derive", "m1", "crossover", "--with", "m1", "--in", "x", "--given", "c > c_2")
    assert set(met["result"]) == {"x", "eps_x"}
    assert set(answer("derive", "chinchilla", "sensitivity", "--in", "D")["result"]) == {
        "E",
        "A",
        "B",
        "alpha",
        "beta",
        "C",
    }
    (one,) = answer("derive", "m4", "reduction", "--with", "m2")["result"]
    assert one["law"] == "m2" and one["when"] == {"alpha": "0"} and one["map"]["beta"] == "beta"
    held = answer("derive", "chinchilla", "frontier", "--cost", "6*N*D + 2*N*D_inf")["result"]
    assert held["N"]["in"] == ["0", "C/(2*D_inf)"] and held["D"] == "(C - 2*D_inf*N)/(6*N)"


# ---------------------------------------------------------------- one law inside another


def test_letters_are_matched_one_by_one() -> None:
    """Ten constants in another order, of which two pairs change places freely; 10! maps are not tried."""
    one = laws.formula("L = E + a1/N^b1 + a2/N^b2 + a3/(1 + a4*D^b4)^b3 + log(1 + k*N)/D", ["N", "D"])
    other = laws.formula("L = log(1 + a1*N)/D + E + b1/N^k + a2/(1 + a3*D^b3)^a4 + b2/N^b4", ["N", "D"])
    found = derive.reduction(one, other)
    assert proved(found)
    letters = dict(found[other.name].map)
    assert other.form.xreplace(letters) == one.form
    wrong = laws.formula("L = log(1 + a1*N)/D + E + b1/N^k + a2/(1 + a3*N^b3)^a4 + b2/N^b4", ["N", "D"])
    assert not derive.reduction(one, wrong).found


def test_sovits_joint_law_has_too_many_letters_to_try_all_maps() -> None:
    joint = laws.get("sovit-joint")
    assert not derive.reduction(laws.get("data-constrained"), joint).found
    assert not derive.reduction(joint, laws.get("data-constrained")).found
