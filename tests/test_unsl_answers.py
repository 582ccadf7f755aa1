"""What a law with numbers answers: hyperbreaks, active terms, turning points, inputs that a budget buys."""

import json
import math

import mpmath
import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from symbolic_scaling import codegen, derive, fit, laws, plan
from symbolic_scaling.errors import DataError, LawError, NoOptimum
from symbolic_scaling.plan import landscape
from symbolic_scaling.plan.landscape import pages

positive = st.floats(0.1, 2)


def sourced(law, **numbers):
    return plan.source(law, constants=numbers)


def waves(**numbers):
    """Slopes -1, 1, -1, 1 between three breaks of one term."""
    law = laws.get("mbnsl", n=3, signs=0)
    breaks = {"d_1": 1e4, "f_1": -0.1, "d_2": 1e8, "f_2": 0.1, "d_3": 1e12, "f_3": -0.1}
    return sourced(law, b=2, c_1_0=1, c_1_1=2, c_1_2=2, c_1_3=2, **{**breaks, **numbers})


@settings(deadline=None, derandomize=True, max_examples=15)
@given(c=st.tuples(positive, positive, positive), d=st.floats(0.1, 100), f=st.floats(0.01, 1), D=st.floats(1, 1e6))
def test_at_a_hyperbreak_its_factor_is_two_to_the_minus_f(c, d, f, D):
    numbers = {"c_1_0": c[0], "c_2_0": 0.2, "c_1_1": c[1], "c_2_1": c[2], "d_1": d, "f_1": f, "b": 3}
    named = sourced(laws.get("mbnsl", inputs=("N", "D")), **numbers)
    (found,) = landscape.hyperbreaks(named, {"D": D})
    N = dict(found.at)["N"]
    assert math.isclose(N ** c[1] * D ** c[2], found.level, rel_tol=1e-10) and math.isclose(found.level, d)
    value = codegen.law(named.law)(N, D, *(float(named.constants[s.name]) for s in named.law.constants))
    assert math.isclose(value, 3 * N ** -c[0] * D**-0.2 * 2**-f, rel_tol=1e-10)
    assert dict(found.changes) == pytest.approx({"N": -c[1], "D": -c[2]})


def test_hyperbreaks_that_cross_are_said():
    law = laws.get("mbnsl", inputs=("N", "D"), n=2)
    falls = {"c_1_0": 0.1, "c_2_0": 0.1, "c_1_1": 0.5, "c_2_1": 0.5, "c_1_2": 0.5, "d_1": 100, "d_2": 10}
    across = sourced(law, b=1, f_1=0.1, f_2=0.1, c_2_2=-0.5, **falls)
    ((one, other, at),) = landscape.crossings(landscape.hyperbreaks(across))
    assert (one, other) == ("d_1", "d_2") and dict(at) == pytest.approx({"N": 1000, "D": 10})
    assert pages.bends(across).notes == ("d_1 and d_2 cross at N: 1000, D: 10",)
    aside = sourced(law, b=1, f_1=0.1, f_2=0.1, c_2_2=0.5, **falls)
    assert landscape.crossings(landscape.hyperbreaks(aside)) == () and pages.bends(aside).notes == ()


def test_breaks_of_every_term_are_found_and_of_bnsl_too():
    law = laws.get("unsl", m=2, n=1, S=1, overfitting=True, U={3: (1, 2)}, ceilings=(2,))
    assert [one.name for one in landscape.read(law).breaks] == [f"d_1_{k}" for k in (9, 10, 11, 13, 14, 16, 17, 19, 20)]
    two = landscape.read(laws.get("bnsl", n=2)).breaks
    assert [(one.name, str(one.where)) for one in two] == [("d1", "Eq(x, d1)"), ("d2", "Eq(x, d2)")]


def test_shares_are_the_slopes_in_the_amplitudes():
    law = laws.get("unsl", m=2, n=1, S=1, overfitting=True, ceilings=(2, 3))
    rng = np.random.default_rng(5)
    named = sourced(law, **{s.name: round(float(rng.uniform(0.1, 1)), 6) for s in law.constants})
    (found,) = landscape.shares(named, {"x_1": 30.0, "x_2": 0.2})
    constants = [float(named.constants[s.name]) for s in law.constants]
    y, slopes = codegen.law(law).value_and_gradient(30.0, 0.2, *constants)
    by_name = dict(zip([s.name for s in law.constants], constants * slopes / y, strict=True))
    for name, share in found.shares:
        assert math.isclose(share, by_name[name], rel_tol=1e-12), name
    assert {name for name, _ in found.shares} == {name for name in by_name if name[0] in "ab"}
    moving = {name: abs(share) for name, share in found.shares if name[0] == "b"}
    assert found.active == max(moving, key=moving.get)


@pytest.mark.parametrize("N", [1e8, 1e10])
def test_borders_are_where_two_terms_are_equal(N):
    named = plan.source(laws.get("chinchilla"), "besiroglu2024")
    A, B, alpha, beta = (float(named.constants[name]) for name in ("A", "B", "alpha", "beta"))
    found = landscape.borders(named, "N", "D", spans={"N": (N, 2 * N), "D": (1e6, 1e15)}, lines=2)
    assert math.isclose(found[0].second, (B / A * N**alpha) ** (1 / beta), rel_tol=1e-12)


@pytest.mark.parametrize(("one", "other"), [("b_10", "b_11"), ("b_13", "b_14")])
def test_an_equation_holds_on_the_border_of_two_terms_of_one_sum(one, other):
    """In a counterforce's sum as well as in the main one, under ceilings; terms of two sums have none."""
    law = laws.get("unsl", inputs=("N", "D"), n=1, S=1, ceilings=(2, 3))
    rng = np.random.default_rng(2)
    named = sourced(law, **{s.name: round(float(rng.uniform(0.2, 1)), 4) for s in law.constants})
    parts = {part.name: part for part in landscape.read(law).parts}
    assert landscape.border(parts["b_10"], parts["b_13"]) is None
    equation = landscape.border(parts[one], parts[other])
    gap = codegen.compile(sp.log(equation.lhs) - sp.log(equation.rhs), (*law.inputs, *law.constants))
    constants = [float(named.constants[s.name]) for s in law.constants]
    D = 10.0 ** brentq(lambda log: float(gap(20.0, 10.0**log, *constants)), -30, 30)
    shares = dict(landscape.shares(named, {"N": 20.0, "D": D})[0].shares)
    assert math.isclose(shares[one], shares[other], rel_tol=1e-9)


@settings(deadline=None, derandomize=True, max_examples=10)
@given(b=positive, c=positive, k=positive, e=positive)
def test_best_learning_rate_of_a_counterforce(b, c, k, e):
    """b x^-c + x^e/k is least where b c x^-c = e x^e/k."""
    law = laws.get("unsl", n=0, S=1)
    named = sourced(law, a_0=0.1, b_7=b, c_1_0_7=c, b_9=k, c_1_0_9=e)
    (found,) = landscape.turns(named, "x", span=(1e-90, 1e90))
    assert found.least and math.isclose(found.at, (b * c * k / e) ** (1 / (c + e)), rel_tol=1e-12)
    gap, below, above = found.certificate
    assert gap <= 1e-9 * max(1, abs(math.log(found.at))) and below < 0 < above


def test_overfitting_turns_the_curve_at_its_first_minimum():
    law = laws.get("unsl", inputs=("epochs",), n=0, overfitting=True)
    named = sourced(law, a_0=0.2, b_7=3, c_1_0_7=0.7, a_1=5, b_9=1e4, c_1_0_9=1.5)
    first, *_ = [one for one in landscape.turns(named, "epochs", span=(1e-3, 1e9)) if one.least]
    with mpmath.workdps(40):
        y = lambda u: 3 * mpmath.exp(-0.7 * u) + 1 / (1e4 * mpmath.exp(-1.5 * u) + 0.2)  # noqa: E731
        wanted = mpmath.exp(mpmath.findroot(lambda u: mpmath.diff(y, u), math.log(first.at) + 0.01))
    assert math.isclose(first.at, float(wanted), rel_tol=1e-9)


def test_all_minima_are_reported_however_sharp():
    for f in (0.1, 1e-3):
        found = landscape.turns(waves(f_1=-f, f_2=f, f_3=-f), "x", span=(1e-2, 1e10))
        assert [one.least for one in found] == [True, False, True] and all(one.certificate for one in found)
        at = [math.log10(one.at) for one in found]
        assert at == pytest.approx([2, 4, 6], abs=1e-6)


def test_budgets_agree_with_the_frontier_of_a_geometric_program():
    law = laws.formula("L = E + A/N^alpha + B/D^beta + K/R^gamma", ["N", "D", "R"])
    numbers = {"E": 1, "A": 400, "B": 300, "K": 50, "alpha": 0.34, "beta": 0.28, "gamma": 0.4}
    best, *others = landscape.spend(sourced(law, **numbers), 1e20, "6*N*D + 2*N*R")
    wanted = codegen.evaluate(derive.frontier(law, "C = 6*N*D + 2*N*R"), {**numbers, "C": 1e20})
    assert others == [] and best.certified
    for name, value in best.inputs:
        assert math.isclose(value, wanted[name], rel_tol=1e-9)
    assert math.isclose(best.response, wanted["L"], rel_tol=1e-12)


def test_lagrange_condition_holds_for_a_broken_law_of_two_inputs():
    """No geometric program: the slopes of log y are one multiple of those of log C, the budget is spent."""
    law = laws.get("unsl", inputs=("N", "D"), n=1, ceilings=(2,))
    falls = {"c_1_0_10": 0.2, "c_1_1_10": 0.3, "c_2_0_11": 0.3, "c_2_1_11": 0.2}
    named = sourced(
        law, a_0=0.5, b_10=40, d_1_10=800, f_1_10=0.2, b_11=60, d_1_11=30, f_1_11=0.4, a_2=9, **falls
    )  # fmt: skip
    best, *_ = landscape.spend(named, 1e20, "6*N*D", spans={"N": (1e3, 1e15), "D": (1e3, 1e18)})
    at = dict(best.inputs)
    assert best.certified and best.residual < 1e-12 and math.isclose(6 * at["N"] * at["D"], 1e20, rel_tol=1e-12)
    near = [landscape.shares(named, {"N": at["N"] * t, "D": at["D"] / t})[0].response for t in (0.9, 1, 1.1)]
    assert near[1] < min(near[0], near[2])


def test_what_costs_nothing_takes_its_best_value():
    """The learning rate of a counterforce rises with N here; it is as if it were put in beforehand."""
    law = laws.get("unsl", inputs=("N", "D", "lr"), n=0, S=1, U={4: ("N", "lr")}, T={4: ()})
    numbers = {"a_0": 1, "b_13": 40, "c_1_0_13": 0.3, "b_14": 60, "c_2_0_14": 0.3, "b_15": 0.02, "c_3_0_15": 0.4,
               "b_16": 5, "c_1_0_16": -0.1, "c_3_0_16": 1.2}  # fmt: skip
    named, ranges = sourced(law, **numbers), {"N": (1e5, 1e12), "D": (1e5, 1e14), "lr": (1e-8, 1e3)}
    best, *others = landscape.spend(named, 1e20, "6*N*D", spans=ranges)
    at = dict(best.inputs)
    assert others == [] and best.certified and math.isclose(6 * at["N"] * at["D"], 1e20, rel_tol=1e-10)
    (rate,) = landscape.turns(named, "lr", {"N": at["N"], "D": at["D"]}, ranges["lr"])
    assert math.isclose(rate.at, at["lr"], rel_tol=1e-8)
    held, *_ = landscape.spend(named, 1e20, "6*N*D", held={"lr": at["lr"]}, spans={k: ranges[k] for k in "ND"})
    assert math.isclose(dict(held.inputs)["N"], at["N"], rel_tol=1e-8)


def test_no_minimum_inside_and_wrong_inputs_are_said():
    named = plan.source(laws.get("chinchilla"), "besiroglu2024")
    assert landscape.turns(named, "N", {"D": 1e10}) == ()
    with pytest.raises(NoOptimum, match="no minimum"):
        landscape.spend(named, 1e23, "6*N*D", spans={"N": (1e3, 1e4), "D": (1e3, 1e4)})
    for cost, falls in (("6*N/D", "falls in D;"), ("6*D/N", "falls in N;")):
        with pytest.raises(NoOptimum, match=f"{falls} give one that rises"):
            landscape.spend(named, 1e23, cost)
    with pytest.raises(DataError, match="D is open"):
        landscape.turns(named, "N")
    with pytest.raises(DataError, match="no input"):
        landscape.turns(named, "N", {"D": 1, "Z": 2})
    with pytest.raises(DataError, match="positive finite"):
        landscape.turns(named, "N", {"D": -1})
    with pytest.raises(LawError, match="implicit"):
        landscape.hyperbreaks(sourced(laws.get("m4"), beta=0.3, c=-0.3, alpha=0.3, eps_inf=0.3, eps_0=0.3))


WAVES = ["--law", "mbnsl(n=3,signs=0)", "--constants", "b=2,c_1_0=1,c_1_1=2,c_1_2=2,c_1_3=2",
         "--constants", "d_1=1e4,f_1=-0.1,d_2=1e8,f_2=0.1,d_3=1e12,f_3=-0.1"]  # fmt: skip


def test_commands_answer_with_tables(answer, tmp_path):
    found = answer("plan", "turns", *WAVES, "--in", "x", "--range", "x=0.01:1e10")
    assert found["allocation"]["best x"]["value"] == pytest.approx(100, rel=1e-6)
    assert [row["kind"] for row in found["tables"][0]["rows"]] == ["minimum", "maximum", "minimum"]
    found = answer("plan", "breaks", *WAVES)
    assert [row["x there"] for row in found["tables"][0]["rows"]] == [100, 10000, 1000000]
    numbers = {"a_0": 0.2, "b_10": 4, "c_1_0_10": 0.3, "b_11": 5, "c_2_0_11": 0.3}
    (tmp_path / "numbers.json").write_text(json.dumps(numbers))
    law = ["--law", "unsl(inputs=N,D, n=0)", "--constants", str(tmp_path / "numbers.json")]
    found = answer("plan", "spend", *law, "--budget", "6e20", "--cost", "6*N*D")
    N, D = (found["allocation"][name]["value"] for name in "ND")
    assert math.isclose(4 * N**-0.3, 5 * D**-0.3) and math.isclose(N * D, 1e20)
    found = answer("plan", "active", *law, "--at", "N=1e3,D=1e9", "--over", "N,D", "--lines", "3")
    assert found["tables"][0]["rows"][0]["active"] == "b_10"
    assert {row["above"] for row in found["tables"][1]["rows"]} == {"b_10"}
    assert found["tables"][2]["rows"][0]["where"] == "b_10/N**c_1_0_10 = b_11/D**c_2_0_11"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["turns", *WAVES, "--in", "z"], "z"),
        (["turns", *WAVES, "--in", "x", "--range", "x=3"], "no lo:hi"),
        (["turns", "--law", "m1", "--in", "x"], "no published constants"),
        (["breaks", *WAVES, "--constants", "nowhere.json"], "nowhere.json"),
        (["active", "--law", "chinchilla"], "--over"),
        (["spend", "--law", "chinchilla", "--budget", "-3"], "-3"),
        (
            ["spend", "--law", "unsl(n=0)", "--constants", "a_0=1,b_7=1,c_1_0_7=1", "--budget", "3", "--cost", "x"],
            "leave two",
        ),
    ],
)
def test_wrong_questions_are_answered_plainly(symscale, arguments, said):
    code, _, err = symscale("plan", *arguments)
    assert code in (1, 2) and said in err and "Traceback" not in err


def test_slices_and_surfaces_are_drawn_with_numbers_beside(symscale, tmp_path):
    pytest.importorskip("matplotlib")
    code, _, err = symscale(
        "plan", "turns", *WAVES, "--in", "x", "--range", "x=0.01:1e10", "--plot", str(tmp_path / "slice.png")
    )
    assert code == 0, err
    rows = (tmp_path / "slice.csv").read_text().splitlines()
    assert {row.split(",")[0] for row in rows} >= {"series", "mbnsl", "break d_1", "break d_2", "minimum", "maximum"}
    assert (tmp_path / "slice.png").read_bytes()[:4] == b"\x89PNG"
    numbers = "c_1_0=.3,c_2_0=.1,c_1_1=.5,c_2_1=-.25,d_1=10,f_1=.1,b=2"
    drawn = ["--over", "N,D", "--range", "N=1:1e6", "--range", "D=1:1e6", "--plot", str(tmp_path / "surface.png")]
    code, _, err = symscale("plan", "active", "--law", "mbnsl(inputs=N,D)", "--constants", numbers, *drawn)
    assert code == 0, err
    lines = [row.split(",") for row in (tmp_path / "surface.csv").read_text().splitlines()[1:]]
    on_break = [(float(N), float(D)) for series, N, D, _ in lines if series == "break d_1"]
    assert on_break and all(math.isclose(N**0.5 * D**-0.25, 10, rel_tol=1e-9) for N, D in on_break)
    assert sum(series == "surface" for series, *_ in lines) == 81 * 81
    code, _, err = symscale("plan", "turns", *WAVES, "--in", "x", "--plot", str(tmp_path / "slice.bmp"))
    assert code == 2 and ".bmp" in err


def test_a_fit_says_how_sure_it_is():
    """Intervals of breaks are those of the constant; of a best learning rate they hold the planted one."""
    rng = np.random.default_rng(0)
    curve = laws.get("bnsl")
    x = np.geomspace(10, 1e7, 200)
    y = codegen.law(curve)(x, 0.4, 2, 0.1, 0.4, 1e4, 0.3) * np.exp(0.005 * rng.normal(size=200))
    bent = fit.curve(curve, x=x, y=y)
    (place,) = pages.bends(plan.source(fit=bent)).allocation
    assert place.name == "x at d1" and place.intervals[0][1:] == pytest.approx(bent.interval("d1"), rel=1e-6)
    law = laws.get("unsl", inputs=("lr",), n=0, S=1)
    lr = 10 ** rng.uniform(-5, 1, 400)
    planted = {"a_0": 0.2, "b_7": 0.05, "c_1_0_7": 0.3, "b_9": 2, "c_1_0_9": 1.2}
    y = codegen.law(law)(lr, *(planted[s.name] for s in law.constants)) * np.exp(0.01 * rng.normal(size=400))
    best = pages.turning(plan.source(fit=fit.curve(law, x={"lr": lr}, y=y)), "lr").allocation[0]
    (_, low, high), true = best.intervals[0], (0.05 * 0.3 * 2 / 1.2) ** (1 / 1.5)
    assert low < true < high < 1.05 * low


def test_a_fit_shares_a_budget_as_its_frontier_does():
    rng = np.random.default_rng(0)
    N, D = 10 ** rng.uniform(6, 10, 60), 10 ** rng.uniform(8, 12, 60)
    y = (1.7 + 400 / N**0.34 + 410 / D**0.28) * np.exp(0.005 * rng.normal(size=60))
    made = fit.curve(laws.get("chinchilla"), x={"N": N, "D": D}, y=y)
    named = plan.source(fit=made)
    ours, theirs = pages.best(named, "1e24", "6*N*D"), plan.allocate(named, "1e24 FLOP", "6*N*D")
    for one, other in zip(ours.allocation[:2], theirs.allocation[:2], strict=True):
        assert one.name == other.name and math.isclose(one.value, other.value, rel_tol=1e-12)
        assert one.intervals[0][1:] == pytest.approx(other.intervals[0][1:], rel=1e-6)
    assert plan.source(made).constants == named.constants and plan.source(made).fit is made
    ranges, at = {"N": (1e6, 1e9), "D": (1e8, 1e11)}, {"N": 1e9, "D": 1e11}
    assert landscape.spend(made, 1e20, "6*N*D") == landscape.spend(named, 1e20, "6*N*D")
    assert landscape.turns(made, "N", {"D": 1e10}) == landscape.hyperbreaks(made) == ()
    assert landscape.shares(made, at) == landscape.shares(named, at)
    given = landscape.borders(made, "N", "D", spans=ranges, lines=2)
    assert given == landscape.borders(named, "N", "D", spans=ranges, lines=2)


@pytest.mark.parametrize("given", ["chinchilla", 3, {"E": 1}])
def test_what_is_neither_a_law_nor_a_fit_is_said(given):
    for ask in (plan.source, landscape.hyperbreaks, lambda named: landscape.turns(named, "N")):
        with pytest.raises(LawError, match="neither a law nor a fit"):
            ask(given)
    with pytest.raises(LawError, match="neither"):
        plan.source(given, constants={"E": 1})
