"""Questions in several inputs: sums that fall apart, and what is lost off the optimum where several others adapt."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from checks import proved
from referee import lowest

from symbolic_scaling import Claim, Domain, Root, Status, Tends, codegen, derive, laws, verify
from symbolic_scaling.algebra.limits import limit
from symbolic_scaling.errors import LawError, ScalingError, Undecided

SIGNS = ("a > 0", "b > 0", "c > 0")


def test_sovit_jointly_is_each_shape_by_itself() -> None:
    joint, single = laws.get("sovit-joint"), laws.get("sovit")
    found = derive.envelope(joint, "x_width,x_depth,x_mlp")
    assert proved(found)
    alone = derive.optimum(single, "x_k")["x_k"]
    for name in ("width", "depth", "mlp"):
        letters = {s: sp.Symbol(s.name.replace("_k", f"_{name}"), positive=True) for s in alone.free_symbols}
        assert found[f"x_{name}"] == alone.xreplace(letters)
    assert derive.frontier(joint, "C = t")["exponent of x_mlp"] == sp.sympify("c/(a_mlp + b_mlp)", joint.symbols)


def test_an_envelope_of_parts_with_and_without_closed_form() -> None:
    law = laws.formula("L = E + A/N + B*N^2 + K*N^7 + P/D + Q*D", ["N", "D"])
    found = derive.envelope(law, "N,D")
    assert proved(found) and isinstance(found["N"], Root)
    numbers = {"E": 1, "A": 3, "B": 2, "K": "0.1", "P": 5, "Q": 7}
    ours = codegen.evaluate(found, numbers)
    at = sp.lambdify(law.inputs, law.explicit.subs({s: sp.Rational(numbers[s.name]) for s in law.constants}))
    place, least = lowest(lambda u: at(*np.exp(u)), [0.0, 0.0])
    assert ours["L"] == pytest.approx(least, rel=1e-12)
    assert [ours["N"], ours["D"]] == pytest.approx(np.exp(place), rel=1e-5)


@pytest.mark.parametrize("r", [0.7, 3.0])
@pytest.mark.parametrize(
    "law_and_cost", [("A/N^a + B/D^b + K/R^c", "N^2*D*R^3"), ("A/N^a + B/(D^b*N) + K/R^c", "N^2*D*R")]
)
def test_three_inputs_off_their_optimum(law_and_cost: tuple[str, str], r: float) -> None:
    """N is held at r times its best: the least loss at the same cost and the least cost at the same loss, searched."""
    law, cost = laws.formula(f"L = {law_and_cost[0]}", ["N", "D", "R"]), law_and_cost[1]
    given = (*SIGNS, "2*b > 1", "a*b + a*c + 2*b*c > c") if "D^b*N" in law_and_cost[0] else SIGNS
    found = derive.suboptimality(law, "N", cost=f"C = {cost}", given=given)
    numbers = {"A": 3, "B": 2, "K": 5, "a": "0.5", "b": "0.75", "c": "1.25"}
    best = codegen.evaluate(derive.frontier(law, f"C = {cost}", given=given), {**numbers, "C": 1000})
    letters = {str(s.name) for _, value in found.found for s in value.free_symbols}
    off = codegen.evaluate(found, {k: v for k, v in {**numbers, "r": r}.items() if k in letters})
    point = {s: sp.Rational(numbers[s.name]) for s in law.constants}
    loss = sp.lambdify(law.inputs, law.explicit.subs(point))
    paid = sp.lambdify(law.inputs, sp.sympify(cost.replace("^", "**"), {s.name: s for s in law.inputs}))
    held = r * best["N"]
    power = 3 if "R^3" in cost else 1

    def at_cost(u: np.ndarray) -> float:
        D = np.exp(u[0])
        return loss(held, D, (1000 / (held**2 * D)) ** (1 / power))

    _, least = lowest(at_cost, [np.log(best["D"])])
    assert off["excess of L"] == pytest.approx(least / best["L"], rel=1e-9)
    there = (held, off["ratio of D"] * best["D"], off["ratio of R"] * best["R"])
    assert loss(*there) == pytest.approx(best["L"], rel=1e-12)
    assert paid(*there) == pytest.approx(1000 * off["excess"], rel=1e-12)
    for factor in (0.95, 1.05):  # another D with the R that reaches the same loss costs more
        D = there[1] * factor
        left = best["L"] - loss(held, D, 1e200)
        assert left > 0 and paid(held, D, (left / 5) ** (-1 / 1.25)) > 1000 * off["excess"]


def test_every_step_with_three_inputs_is_proved() -> None:
    law = laws.formula("L = A/N + B/D + K/R", ["N", "D", "R"])
    found = derive.suboptimality(law, "N", cost="C = N*D*R")
    r = sp.Symbol("r", positive=True)
    assert proved(found) and found["excess"] == 4 * r / (3 - 1 / r) ** 2


def test_what_has_no_answer_off_the_optimum() -> None:
    with pytest.raises(ScalingError, match="no closed form"):
        law = laws.formula("L = A/N + B/D + K/R + M/(N*D*R^2)", ["N", "D", "R"])
        derive.suboptimality(law, "N", cost="C = N*D*R")
    with pytest.raises(LawError, match="monomial in all inputs"):
        derive.suboptimality(laws.formula("L = A/N + B/D + K/R", ["N", "D", "R"]), "N", cost="C = N*D")


def test_limits_of_a_routed_law() -> None:
    """Its exponent of N holds a logarithm; experts without end saturate at E_m."""
    law = laws.get("routed")
    N, E, E_s, E_m, a, b, c, d = (law.symbols[name] for name in ("N", "E", "E_s", "E_m", "a", "b", "c", "d"))
    saturated = 1 / (1 / (E - 1 + 1 / (1 / E_s - 1 / E_m)) + 1 / E_m)
    power = a + c * sp.log(saturated) / sp.log(10)
    falls = derive.limits(law, given=[(sp.Integer(0), power)])
    rises = derive.limits(law, given=[(power, sp.Integer(0))])
    assert (falls["N->0"], falls["N->oo"]) == (sp.oo, 0) == (rises["N->oo"], rises["N->0"])
    assert falls["E->oo"] == 10**d * N ** (a + c * sp.log(E_m) / sp.log(10)) * E_m**b
    assert proved(falls)
    with pytest.raises(Undecided, match=r"a \+ c\*log"):
        derive.limits(law)


def test_two_breaks_sharpen_at_once() -> None:
    law = laws.get("bnsl", n=2)
    a, b, x, c0, c1, c2, d1, d2, f1, f2 = (
        law.symbols[name] for name in ("a", "b", "x", "c0", "c1", "c2", "d1", "d2", "f1", "f2")
    )
    f = sp.Symbol("f", positive=True)
    sharp = law.explicit.subs({f1: f, f2: f})
    first, second = (x / d1) ** -c1, (x / d2) ** -c2
    for where, factor in (
        (((d1, x), (d2, d1)), sp.Integer(1)),
        (((x, d1), (d2, x), (d2, d1)), first),
        (((x, d2), (d2, d1), (x, d1)), first * second),
    ):
        claim = Claim("sharp", Tends(sharp, f, sp.Integer(0), a + b * x**-c0 * factor), Domain((), where))
        wrong = Claim("wrong", Tends(sharp, f, sp.Integer(0), a + 2 * b * x**-c0 * factor), Domain((), where))
        assert [verify.claim(one).status for one in (claim, wrong)] == [Status.PROVED, Status.REFUTED]


@pytest.mark.parametrize(
    ("text", "end", "value"),
    [("x**log(k)*2**log(k)", "oo", "oo"), ("x**(-log(k))", "oo", "0"), ("3 + x**(1 - log(k)/log(3))", "0", "3")],
)
def test_powers_with_logarithms_in_the_exponent(text: str, end: str, value: str) -> None:
    x, k = sp.symbols("x k", positive=True)
    where = Domain((), ((k, sp.Rational(3, 2)), (sp.Integer(2), k)))
    assert limit(sp.sympify(text, {"x": x, "k": k}), x, sp.sympify(end), where) == sp.sympify(value)


def test_one_input_takes_the_whole_budget() -> None:
    """Whatever the law says of it: the budget is not one of the things to forget."""
    C, k = sp.symbols("C k", positive=True)
    for text in ("L = A/N + B*N", "L^2 = A/N + B*N", "L = E - A*N + B*exp(-N)"):
        found = derive.frontier(laws.formula(text, ["N"]), "C = k*N^2")
        assert proved(found) and found["N"] == sp.sqrt(C / k) and found["exponent of N"] == sp.Rational(1, 2)
    sum_ = derive.frontier(laws.formula("L = A/N + B*N", ["N"]), "C = N + k*N^3")
    values = codegen.evaluate(sum_, {"A": 1, "B": 2, "C": 10, "k": 1})
    assert values["N"] == pytest.approx(2, rel=1e-14) and values["L"] == pytest.approx(4.5, rel=1e-14)


def test_a_product_of_sums_needs_no_order_of_its_exponents() -> None:
    law = laws.formula("L = (E + A/N^a)*(F + B/D^b)", ["N", "D"])
    found = derive.frontier(law, "C = 6*N*D", given=SIGNS[:2])
    assert proved(found)
    numbers = {"E": 1, "A": 3, "F": 2, "B": 5, "a": "0.5", "b": "0.4", "C": 6000}
    at = sp.lambdify(law.inputs, law.explicit.subs({s: sp.Rational(numbers[s.name]) for s in law.constants}))
    place, _ = lowest(lambda u: at(np.exp(u[0]), 1000 / np.exp(u[0])), [0.0])
    assert codegen.evaluate(found, numbers)["N"] == pytest.approx(float(np.exp(place[0])), rel=1e-5)


def test_series_with_a_logarithm_are_in_the_laws_letters() -> None:
    law = laws.formula("L = E + A*log(N)/N^a", ["N"])
    N, A, a, E = (law.symbols[name] for name in ("N", "A", "a", "E"))
    found = derive.series(law, "N", given=["a > 0"])
    assert found["L"].terms == ((E, 0), (A * sp.log(N), a)) and proved(found)


def test_a_law_whose_response_stands_in_one_place_is_solved_for_it() -> None:
    law = laws.formula("L^2 = A/N + B*N", ["N"])
    A, B = law.symbols["A"], law.symbols["B"]
    ends, least = derive.limits(law), derive.envelope(law, "N")
    assert proved(ends) and proved(least)
    assert (ends["N->0"], ends["N->oo"]) == (sp.oo, sp.oo) and least["N"] == sp.sqrt(A / B)
    assert derive.series(law, "N")["L"].terms[0] == (sp.sqrt(B), sp.Rational(-1, 2))
