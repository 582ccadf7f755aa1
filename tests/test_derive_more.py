"""Off the optimum, crossings, sensitivities and frontiers of any cost, each against a numerical answer of its own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import pytest
import sympy as sp
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
from symbolic_scaling.errors import LawError, NoOptimum, ScalingError, Unattainable, Undecided

CHINCHILLA, SOVIT, KAPLAN = (laws.get(name) for name in ("chinchilla", "sovit", "kaplan-ns"))


def proved(found: Derivation) -> bool:
    """Whether every step is; the failures are shown."""
    verdicts = verify.derivation(found, budget=60)
    assert verdicts
    failed = [(v.claim.name, v.status.name, v.evidence) for v in verdicts if v.status is not Status.PROVED]
    assert not failed, (found.title, failed)
    return True


def bisect(rising: Callable[[Any], Any], low: float = -2000, high: float = 2000) -> Any:
    """The zero of a rising function of a logarithm, at 40 digits or more."""
    low, high = mpmath.mpf(low), mpmath.mpf(high)
    assert rising(low) < 0 < rising(high)
    for _ in range(300):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2


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
@given(A=rationals(1e-3, 1e6), c=rationals(0.05, 2), e=rationals(0.05, 2))
def test_two_power_laws_meet_where_bisection_says(A, c, e) -> None:
    c_2 = c + e
    left, right = (laws.formula(f"L = {k}*x^(-{p})", ["x"]) for k, p in ((A, c), (7, c_2)))
    found = derive.crossover(left, right, "x")["x"]
    with mpmath.workdps(80):
        k, p, q = (mpmath.mpf(n.p) / n.q for n in (A, c, c_2))
        u = bisect(lambda u: mpmath.log(k) - p * u - mpmath.log(7) + q * u)
        assert abs(mpmath.log(numeric(found, {})) - u) < mpmath.mpf(10) ** -40 * (1 + abs(u))


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
    with pytest.raises(Undecided, match="change sign 3 times"):
        derive.crossover(*often, "x", given=["A > 0", "B > 0", "K > 0", "M > 0"])
    with pytest.raises(LawError, match="implicit"):
        derive.crossover(m1, laws.get("m4"), "x")


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
