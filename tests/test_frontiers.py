"""Frontiers of any cost, with losses inside and several resources, each against a numerical answer of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import pytest
import sympy as sp
from checks import bisect, proved
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import numeric, rationals

from symbolic_scaling import (
    Claim,
    Derivation,
    Domain,
    Equal,
    Law,
    Parameter,
    Root,
    Status,
    Variable,
    derive,
    laws,
    notation,
    verify,
)
from symbolic_scaling.algebra.peel import Term
from symbolic_scaling.algebra.spanning import surrounding
from symbolic_scaling.errors import LawError, NoOptimum, ScalingError, Undecided

CHINCHILLA, SOVIT, KAPLAN = (laws.get(name) for name in ("chinchilla", "sovit", "kaplan-ns"))


# ---------------------------------------------------------------- losses that stand inside


BATCH = "C = 6*N*S_min*B_star*L^(-1/alpha_B)"


def kaplan_printed(found: Derivation, steps: str = "") -> dict[str, tuple[sp.Expr, sp.Expr]]:
    """(B.6) to (B.10) as printed, beside what was found; ``steps`` names the input that counts steps."""
    C, B_star, alpha_B = (sp.Symbol(name, positive=True) for name in ("C", "B_star", "alpha_B"))
    N_c, S_c, aN, aS = KAPLAN.constants
    aC = 1 / (1 / aS + 1 / alpha_B + 1 / aN)
    C_c = 6 * N_c * B_star * S_c * (1 + aN / aS) ** (1 / aS + 1 / aN) * (aS / aN) ** (1 / aS)
    printed = {
        "L": (C_c / C) ** aC,
        "N": N_c * (C / C_c) ** (aC / aN) * (1 + aN / aS) ** (1 / aN),
        "exponent of N": aC / aN,
        "exponent of L": -aC,
    }
    if steps:
        printed[steps] = C_c / (6 * N_c * B_star) * (1 + aN / aS) ** (-1 / aN) * (C / C_c) ** (aC / aS)
    return {key: (found[key], value) for key, value in printed.items()}


def test_kaplan_appendix_b_over_the_critical_batch() -> None:
    found = derive.frontier(KAPLAN, BATCH)
    assert proved(found)
    for key, (ours, printed) in kaplan_printed(found, "S_min").items():
        assert verify.claim(Claim(key, Equal(ours, printed))).status is Status.PROVED, key
    assert "6*B_star*N_c*S_c/C" in str(found["L"])


def test_kaplan_b3_as_a_law_with_its_loss_inside() -> None:
    L, N, C, B_star, alpha_B = sp.symbols("L N C B_star alpha_B", positive=True)
    N_c, S_c, aN, aS = KAPLAN.constants
    law = Law(
        name="kaplan-b3",
        title="(B.3)",
        source="Kaplan et al. 2020, arXiv 2001.08361, (B.3)",
        response=Variable(L, "loss"),
        variables=(Variable(N, "parameters"), Variable(C, "compute")),
        parameters=tuple(Parameter(s, s.name) for s in (*KAPLAN.constants, B_star, alpha_B)),
        form=sp.Eq(L, (N_c / N) ** aN + (6 * B_star * S_c * N / (L ** (1 / alpha_B) * C)) ** aS),
    )
    found = derive.optimum(law, "N")
    assert proved(found)
    ours = {key: pair for key, pair in kaplan_printed(derive.frontier(KAPLAN, BATCH)).items() if len(key) == 1}
    for key, (_, printed) in ours.items():
        assert verify.claim(Claim(key, Equal(found[key], printed))).status is Status.PROVED, key


@settings(max_examples=10, deadline=None, derandomize=True)
@given(a=rationals(0.05, 2), b=rationals(0.05, 2), k=rationals(0.1, 5), C=rationals(1e-3, 1e12))
def test_the_loss_inside_is_least(a, b, k, C) -> None:
    """At the same cost the loss, solved by bisection for itself, is larger beside the optimum and the same at it."""
    found = derive.frontier(KAPLAN, "C = N*S_min*L^(-1/k)")
    values = dict(zip(("N_c", "S_c", "alpha_N", "alpha_S", "k", "C"), (7, sp.Rational(1, 3), a, b, k, C), strict=True))
    with mpmath.workdps(80):
        point = [numeric(found[key], {s: values[s.name] for s in found[key].free_symbols}) for key in ("N", "L")]
        N, L = point
        a, b, k, C = (mpmath.mpf(v.p) / v.q for v in (a, b, k, C))

        def loss(n: Any) -> Any:
            inside = lambda v: mpmath.log((7 / n) ** a + (n / (3 * C * mpmath.exp(v / k))) ** b)  # noqa: E731
            return mpmath.exp(bisect(lambda v: v - inside(v), -4000, 4000))

        assert abs(loss(N) / L - 1) < mpmath.mpf(10) ** -40
        assert min(loss(N * mpmath.mpf("1.01")), loss(N * mpmath.mpf("0.99"))) > L


def test_a_floor_leaves_the_loss_inside_a_root() -> None:
    found = derive.frontier(CHINCHILLA, "C = 6*N*D/L^k")
    assert proved(found)
    root = found["L"]
    assert isinstance(root, Root) and root.symbol == CHINCHILLA.symbols["L"]
    values = {"E": "1.7", "A": "400", "B": "410", "alpha": "1/3", "beta": "3/10", "C": "1e21", "k": "2"}
    point = {s: sp.Rational(values[s.name]) for s in root.condition.free_symbols if s.name in values}
    gap = sp.lambdify(root.symbol, root.condition.subs(point), "mpmath")
    with mpmath.workdps(80):
        L = mpmath.exp(bisect(lambda u: gap(mpmath.exp(u)), -50, 50))
        N, D = (numeric(found[key], {**point, root.symbol: L}) for key in ("N", "D"))
        assert abs(6 * N * D / L**2 / mpmath.mpf(10) ** 21 - 1) < mpmath.mpf(10) ** -40
        assert abs(sp.Rational("1.7") + 400 / N ** (mpmath.mpf(1) / 3) + 410 / D ** mpmath.mpf("0.3") - L) < 1e-40


def test_a_cost_that_rises_with_the_loss_too_fast_has_no_optimum() -> None:
    cost = "C = N*S_min*L^k"
    with pytest.raises(Undecided, match="alpha_N"):
        derive.frontier(KAPLAN, cost)
    with pytest.raises(NoOptimum, match="change the cost"):
        derive.frontier(KAPLAN, cost, given=["k*alpha_N*alpha_S > alpha_N + alpha_S"])
    assert proved(derive.frontier(KAPLAN, cost, given=["alpha_N + alpha_S > k*alpha_N*alpha_S"]))


# ---------------------------------------------------------------- costs of several terms


COSTS = {
    "inference": ("C = 6*N*D + 2*N*D_inf", (), {"D_inf": "1e9"}),
    "attention": ("C = 6*N*D + k*N^q*D", ("1 > q",), {"k": "50", "q": "1/2"}),
    "start": ("C = 6*N*D + k*N^2", (), {"k": "3"}),
}


@pytest.mark.parametrize("name", COSTS)
def test_frontiers_along_a_curve_of_equal_cost(name: str) -> None:
    """The root beside a search of the raw law along the raw budget by golden sections."""
    cost, assumed, letters = COSTS[name]
    found = derive.frontier(CHINCHILLA, cost, given=assumed)
    assert proved(found)
    root, tokens = found["N"], found["D"]
    assert isinstance(root, Root) and "strictly convex" in root.why_unique and isinstance(tokens, sp.Expr)
    constants = {"E": "1.7", "A": "400", "B": "410", "alpha": "1/3", "beta": "3/10", "C": "1e20", **letters}
    free = {s for value in (root.condition, tokens, root.bracket[1]) for s in value.free_symbols}
    point = {s: sp.Rational(constants[s.name]) for s in free if s.name in constants}
    N = root.symbol
    slope, spent = (sp.lambdify(N, value.subs(point), "mpmath") for value in (root.condition, tokens))
    with mpmath.workdps(80):
        top = mpmath.log(numeric(root.bracket[1], point)) if root.bracket[1] != sp.oo else mpmath.mpf(100)
        n = mpmath.exp(bisect(lambda u: slope(mpmath.exp(u)), -30, top - mpmath.mpf(10) ** -30))

        def loss(u: Any) -> Any:
            return 400 / mpmath.exp(u / 3) + 410 / spent(mpmath.exp(u)) ** mpmath.mpf("0.3")

        low, high = mpmath.mpf(-10), min(top, 60) - mpmath.mpf(10) ** -30
        for _ in range(220):
            left, right = low + (high - low) * mpmath.mpf("0.382"), low + (high - low) * mpmath.mpf("0.618")
            low, high = (low, right) if loss(left) < loss(right) else (left, high)
        assert abs(low - mpmath.log(n)) < mpmath.mpf(10) ** -30
        paid = notation.parse(cost.split("=")[1], {s.name: s for s in free} | {"D": CHINCHILLA.symbols["D"]})
        total = numeric(paid, {**point, N: n, CHINCHILLA.symbols["D"]: spent(n)})
        assert abs(total / mpmath.mpf(10) ** 20 - 1) < mpmath.mpf(10) ** -40


def test_sardanas_condition_is_the_root() -> None:
    found = derive.frontier(CHINCHILLA, "C = 6*N*D + 2*N*D_inf")
    root, D = found["N"], found["D"]
    assert isinstance(root, Root) and isinstance(D, sp.Expr)
    N, A, B, alpha, beta = (CHINCHILLA.symbols[name] for name in ("N", "A", "B", "alpha", "beta"))
    D_inf = sp.Symbol("D_inf", positive=True)
    sardana = beta * B * D**-beta * (1 + D_inf / (3 * D)) - alpha * A * N**-alpha
    inside = Domain((), ((sp.Symbol("C", positive=True), 2 * D_inf * N),))
    assert verify.claim(Claim("condition", Equal(root.condition, sardana), inside)).status is Status.PROVED


@pytest.mark.parametrize("variable", ["N", "D"])
def test_roots_move_by_the_implicit_function_theorem(variable: str) -> None:
    found = derive.sensitivity(CHINCHILLA, variable, cost="C = 6*N*D + 2*N*D_inf")
    frontier = derive.frontier(CHINCHILLA, "C = 6*N*D + 2*N*D_inf")
    root, tokens = frontier["N"], frontier["D"]
    names = {"A": 400, "B": 410, "alpha": "1/3", "beta": "3/10", "C": "1e20", "D_inf": "1e9"}
    symbols = {s.name: s for s in (root.condition + tokens).free_symbols}
    at = {symbols[name]: mpmath.mpf(sp.Rational(v).p) / sp.Rational(v).q for name, v in names.items()}
    N, order = symbols["N"], list(at)
    slope, spent = (sp.lambdify((N, *order), value, "mpmath") for value in (root.condition, tokens))
    with mpmath.workdps(80):

        def best(values: list[Any]) -> tuple[Any, Any]:
            top = mpmath.log(values[order.index(symbols["C"])] / (2 * values[order.index(symbols["D_inf"])]))
            n = mpmath.exp(bisect(lambda u: slope(mpmath.exp(u), *values), 0, top - mpmath.mpf(10) ** -60))
            return n, spent(n, *values)

        values = [at[s] for s in order]
        n, _ = best(values)
        for place, symbol in enumerate(order):
            step = values[place] * mpmath.mpf(10) ** -25
            up, down = (best([v + s * (k == place) for k, v in enumerate(values)]) for s in (step, -step))
            pick = 0 if variable == "N" else 1
            expected = (mpmath.log(up[pick]) - mpmath.log(down[pick])) / (2 * step)
            moved = found[symbol.name]
            assert isinstance(moved, sp.Expr)
            got = numeric(moved, {s: n if s == N else at[s] for s in moved.free_symbols})
            assert abs(got - expected) <= mpmath.mpf(10) ** -15 * abs(expected), symbol
    assert found["E"] == 0


def test_costs_that_are_refused() -> None:
    with pytest.raises(LawError, match="did you mean 'D'"):
        derive.frontier(CHINCHILLA, "C = 6*N*d")
    with pytest.raises(LawError, match="no input that is chosen"):
        derive.frontier(CHINCHILLA, "C = 6*k")
    with pytest.raises(ScalingError, match="no sum of positive monomials"):
        derive.frontier(CHINCHILLA, "C = 6*N*D - 2*N")
    with pytest.raises(Undecided, match=r"1 - q|q - 1"):
        derive.frontier(CHINCHILLA, "C = 6*N*D + k*N^q*D")


# ---------------------------------------------------------------- several resources

FIVE = "L = A/N^a + B/D^b + K/R^c + M/(N*D) + P/R^(2*c)"
SIGNS = ("a > 0", "b > 0", "c > 0", "p > 0", "q > 0", "r > 0")


def test_three_resources_in_closed_form() -> None:
    law = laws.formula("L = A/N^a + B/D^b + K/R^c", ["N", "D", "R"])
    found = derive.frontier(law, "C = k*N^p*D^q*R^r", given=SIGNS)
    assert proved(found)
    a, b, c, p, q, r = sp.symbols("a b c p q r", positive=True)
    expected = 1 / (p / a + q / b + r / c)  # every term falls alike
    power = found["exponent of L"]
    assert isinstance(power, sp.Expr)
    named = power.xreplace({s: sp.Symbol(s.name, positive=True) for s in power.free_symbols})
    assert sp.cancel(named + expected) == 0


@settings(max_examples=10, deadline=None, derandomize=True)
@given(a=rationals(0.1, 2), b=rationals(0.1, 2), c=rationals(0.1, 2), sizes=st.tuples(*[rationals(0.1, 10)] * 5))
def test_five_monomials_and_three_resources_are_a_convex_minimum(a, b, c, sizes) -> None:
    """Newton on the raw loss in the logarithms, by differences alone, ends where the coupled roots say."""
    law = laws.formula(FIVE, ["N", "D", "R"])
    found = derive.frontier(law, "C = k*N^p*D^q*R", given=SIGNS[:5])
    roots = [found["N"], found["D"]]
    assert all(isinstance(root, Root) and "strictly convex" in root.why_unique for root in roots)
    rest = found["R"]
    names = dict(zip(("A", "B", "K", "M", "P"), sizes, strict=True))
    names |= {
        "a": a,
        "b": b,
        "c": c,
        "C": sp.Integer(1000),
        "k": sp.Integer(2),
        "p": sp.Rational(3, 2),
        "q": sp.Integer(1),
    }
    N, D = (root.symbol for root in roots)
    point = {s: names[s.name] for s in (rest + roots[0].condition + roots[1].condition).free_symbols - {N, D}}
    slopes = [sp.lambdify((N, D), root.condition.subs(point), "mpmath") for root in roots]
    loss_of = sp.lambdify(
        (N, D),
        law.explicit.subs(law.symbols["R"], rest).subs({**point, **{s: names[s.name] for s in law.constants}}),
        "mpmath",
    )
    with mpmath.workdps(60):
        n, d = minimised(lambda u, v: loss_of(mpmath.exp(u), mpmath.exp(v)))
        size = loss_of(mpmath.exp(n), mpmath.exp(d))
        assert all(abs(slope(mpmath.exp(n), mpmath.exp(d))) < mpmath.mpf(10) ** -12 * size for slope in slopes)


def minimised(loss: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    """Damped Newton on a convex function of two logarithms, with central differences."""
    h = mpmath.mpf(10) ** -15
    u = v = mpmath.mpf(0)
    for _ in range(200):
        here = loss(u, v)
        gu, gv = (loss(u + h, v) - loss(u - h, v)) / (2 * h), (loss(u, v + h) - loss(u, v - h)) / (2 * h)
        uu = (loss(u + h, v) - 2 * here + loss(u - h, v)) / h**2
        vv = (loss(u, v + h) - 2 * here + loss(u, v - h)) / h**2
        uv = (loss(u + h, v + h) - loss(u + h, v - h) - loss(u - h, v + h) + loss(u - h, v - h)) / (4 * h**2)
        det = uu * vv - uv**2
        du, dv = -(vv * gu - uv * gv) / det, -(uu * gv - uv * gu) / det
        step = mpmath.mpf(1)
        while step > 1e-12 and loss(u + step * du, v + step * dv) > here:
            step /= 2
        u, v = u + step * du, v + step * dv
        if abs(du) + abs(dv) < mpmath.mpf(10) ** -14:
            break
    return u, v


def test_every_step_of_a_convex_minimum_is_proved() -> None:
    assert proved(derive.frontier(laws.formula(FIVE, ["N", "D", "R"]), "C = k*N^p*D^q*R", given=SIGNS[:5]))


def test_a_direction_in_which_every_term_falls_is_no_optimum() -> None:
    law = laws.formula("L = A/N + B/D + M/(N*D) + P/(N^2*D) + K/(N*R)", ["N", "D", "R"])
    with pytest.raises(NoOptimum, match="direction"):
        derive.frontier(law, "C = N*D/R")


def test_surrounding_weights_cancel_and_minima_need_them() -> None:
    one, zero = sp.Integer(1), sp.Integer(0)
    around = [Term(one, (one, zero)), Term(one, (zero, one)), Term(one, (-one, -one)), Term(one, (one, one))]
    weights = surrounding(around, Domain())
    for k in (0, 1):
        assert sum(w * t.exponents[k] for w, t in zip(weights, around, strict=True)) == 0
    with pytest.raises(NoOptimum, match="direction"):
        surrounding([around[0], around[1], Term(one, (-one, zero))], Domain())
    with pytest.raises(NoOptimum, match="family"):
        surrounding([around[2], around[3]], Domain())
