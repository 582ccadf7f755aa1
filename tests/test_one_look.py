"""Optima that one look gives, beside a minimisation of the raw law that shares nothing with the engine."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from referee import lowest
from test_corruption import missed

from symbolic_scaling import Derivation, Law, derive, laws, notation, verify
from symbolic_scaling.errors import NoOptimum, ScalingError, Undecided
from symbolic_scaling.records import Root, Status

FALLS = ("a > 0", "b > 0")
CHINCHILLA = "E + A/N^a + B/D^b"


def proved(found: Derivation) -> bool:
    return {verdict.status for verdict in verify.derivation(found)} == {Status.PROVED}


def number(expression: sp.Expr, at: dict[str, float]) -> float:
    names = sorted(expression.free_symbols, key=str)
    return float(sp.lambdify(names, expression, "numpy")(*(at[name.name] for name in names)))


@functools.cache
def asked(text: str, cost: str, *, largest: bool = False, given: tuple[str, ...] = FALLS) -> Derivation:
    law = laws.formula(text, ["N", "D"])
    return derive.frontier(law, cost, given=[fact for fact in given if fact[0] in law.symbols], largest=largest)


def agrees(found: Derivation, cost: str, values: dict[str, float], sign: int = 1) -> None:
    """Inputs, response and roots are those of the lowest point along the budget (the highest for sign -1)."""
    law, (x, z) = found.law, found.law.inputs
    (left,) = sp.solve(notation.parse(cost, law.symbols) - sp.Symbol("C", positive=True), z)
    raw = sign * law.explicit.subs(z, left)
    line = sp.lambdify(x, raw.subs({s: values[s.name] for s in raw.free_symbols - {x}}), "numpy")
    with np.errstate(over="ignore"):
        (place,), least = lowest(lambda u: float(line(np.exp(np.clip(u[0], -99, 99)))), [0.0])
    at = {**values, x.name: float(np.exp(place))}
    at[z.name] = number(left, at)
    for name, value in found.found:
        if isinstance(value, Root):
            slopes = [number(value.condition, {**at, name: at[name] * np.exp(step)}) for step in (-1e-3, 1e-3)]
            assert slopes[0] < 0 < slopes[1] or slopes[1] < 0 < slopes[0]
        elif name in (x.name, z.name):
            assert number(value, at) == pytest.approx(at[name], rel=1e-4)
        elif name == law.response.symbol.name:
            assert sign * number(value, at) == pytest.approx(least, rel=1e-8)


def drawn(*names: str) -> st.SearchStrategy[dict[str, float]]:
    return st.fixed_dictionaries({name: st.floats(0.3, 2.0) for name in names})


CONSTANT = (
    ("K/(N^k*D^k)", "6*N*D", "(C/6)**(-k)*K"),
    ("-K/(N^k*D^(2*k))", "6*N*D^2", "-(C/6)**(-k)*K"),
    ("K*log(1 + 1/(N*D))", "6*N*D", "K*log(1 + 6/C)"),
    ("K*exp(-k*N^3*D)", "N^3*D", "K*exp(-k*C)"),
    ("(M + K/N)/D - M/D", "6*N*D", "6*K/C"),
)


@pytest.mark.parametrize(("term", "cost", "there"), CONSTANT)
def test_what_is_constant_along_the_budget_moves_no_optimum(term: str, cost: str, there: str) -> None:
    plain = derive.frontier(laws.formula(f"L = {CHINCHILLA}", ["N", "D"]), cost, given=FALLS)
    found = derive.frontier(laws.formula(f"L = {CHINCHILLA} + {term}", ["N", "D"]), cost, given=FALLS)
    assert (found["N"], found["D"]) == (plain["N"], plain["D"])
    letters = {s.name: s for s in found["L"].free_symbols}
    assert sp.expand(found["L"] - plain["L"] - sp.sympify(there, letters)) == 0
    assert "exponent of L" not in dict(found.found)
    assert proved(found)


@settings(max_examples=5)
@given(values=drawn("A", "B", "C", "E", "K", "a", "b", "k"))
def test_a_frontier_with_a_constant_term_is_the_lowest_point(values: dict[str, float]) -> None:
    agrees(asked(f"L = {CHINCHILLA} - K*log(1 + 1/(N*D)^k)", "6*N*D"), "6*N*D", values)


LOGARITHMS = (
    ("L = A/N^a - k*log(D)", "6*N*D"),
    ("L = E + A/N^a - 2*k*log(D/E) + K*log(N*D)", "6*N*D^2"),
    ("L = A/N^a + B*N^a - k*log(D)", "6*N*D"),
    ("L = exp(A/N^a + k*log(N/D)^2)", "N*D"),
    ("L = E + k*(log(D) - log(B) + 2*log(N))^2 + K*log(N)^2", "6*N*D"),
    ("L = A/N^a + B/D^b - k*log(D)", "6*N*D"),
)


@pytest.mark.parametrize(("text", "cost"), LOGARITHMS)
def test_logarithms_along_the_budget_are_proved(text: str, cost: str) -> None:
    assert proved(asked(text, cost))


@settings(max_examples=3)
@pytest.mark.parametrize(("text", "cost"), LOGARITHMS)
@given(values=drawn("A", "B", "C", "E", "K", "a", "b", "k"))
def test_a_frontier_with_logarithms_is_the_lowest_point(text: str, cost: str, values: dict[str, float]) -> None:
    agrees(asked(text, cost), cost, values)


OPTIMA = (
    ("L = A/N^a + k*log(N)", "N", "(A*a/k)**(1/a)", "k/a + k*log(A*a/k)/a"),
    ("L = E + k*(log(r) - log(r0) + g*log(N))^2", "r", "r0/N**g", "E"),
    ("L = log(2 + exp(k*log(r/r0)^2))", "r", "r0", "log(3)"),
    ("L = B*r^2 - k*log(r)", "r", "sqrt(k/B/2)", "k/2 - k*log(k/B/2)/2"),
)


@pytest.mark.parametrize(("text", "variable", "at", "value"), OPTIMA)
def test_an_optimum_with_logarithms_by_hand(text: str, variable: str, at: str, value: str) -> None:
    law = laws.formula(text, [name for name in ("r", "N") if name in text.replace("r0", "")])
    found = derive.optimum(law, variable, given=("a > 0",) if "N^a" in text else ())
    assert found[variable] == sp.sympify(at, law.symbols)
    assert sp.expand(sp.expand_log(found["L"] - sp.sympify(value, law.symbols))) == 0
    assert proved(found)


@pytest.mark.parametrize("text", ["L = A/N^a - k*log(N)", "L = E - k*log(N)", "L = A/N^a - k*log(N)^2"])
def test_logarithms_without_a_lowest_point_are_refused(text: str) -> None:
    with pytest.raises(ScalingError):
        derive.optimum(laws.formula(text, ["N"]), "N", given=("a > 0",) if "a" in text else ())


def test_an_input_that_costs_nothing_follows_the_others() -> None:
    text = f"L = {CHINCHILLA} + k*(log(r) - log(r0) + g*log(N))^2"
    found = derive.frontier(laws.formula(text, ["N", "D", "r"]), "6*N*D", given=FALLS)
    plain = derive.frontier(laws.formula(f"L = {CHINCHILLA}", ["N", "D"]), "6*N*D", given=FALLS)
    assert [found[key] for key in ("N", "D", "L")] == [plain[key] for key in ("N", "D", "L")]
    g, r0 = found.law.symbols["g"], found.law.symbols["r0"]
    assert found["r"] == r0 / found["N"] ** g
    assert found["exponent of r"] == -g * found["exponent of N"]
    assert proved(found)


@pytest.mark.parametrize("text", [LOGARITHMS[0][0], LOGARITHMS[-1][0]])
def test_a_changed_answer_with_logarithms_is_caught(text: str) -> None:
    assert not missed(asked(text, "6*N*D"), every=2)


LARGEST = (
    ("y = E - A/N^a - B/D^b", "6*N*D"),
    ("y = 1/(1 + exp(k*(A/N^a + B/D^b - E)))", "6*N*D"),
    ("y = 1 - exp(-k/(A/N^a + B/D^b))", "6*N*D^2"),
    ("y = E - A/N^a + k*log(D)", "6*N*D"),
    ("y = E - A/N^a - B/D^b - K*N/D", "6*N*D"),
)


@settings(max_examples=3)
@pytest.mark.parametrize(("text", "cost"), LARGEST)
@given(values=drawn("A", "B", "C", "E", "K", "a", "b", "k"))
def test_the_largest_response_is_the_highest_point(text: str, cost: str, values: dict[str, float]) -> None:
    agrees(asked(text, cost, largest=True), cost, values, -1)


@pytest.mark.parametrize(("text", "cost"), LARGEST)
def test_the_largest_response_is_proved(text: str, cost: str) -> None:
    found = asked(text, cost, largest=True)
    assert proved(found) and found.title.endswith("y largest")
    with pytest.raises(NoOptimum, match="--largest"):
        asked(text, cost)


def test_what_falls_has_the_exponents_of_what_rises() -> None:
    rises, falls = asked(f"L = {CHINCHILLA}", "6*N*D"), asked("y = E - A/N^a - B/D^b", "6*N*D", largest=True)
    assert falls["exponent of y"] == rises["exponent of L"]
    assert sp.expand(falls["prefactor of y"] + rises["prefactor of L"]) == 0
    assert not missed(falls, every=3)


def test_what_has_a_least_value_has_no_largest() -> None:
    with pytest.raises(NoOptimum, match="least, not largest"):
        asked(f"L = {CHINCHILLA}", "6*N*D", largest=True)
    with pytest.raises(ScalingError, match="stands inside"):
        asked("y = E - A/N^a - B/D^b - K*y", "6*N*D*y", largest=True)


def test_the_command_finds_the_largest(answer) -> None:
    words = ("optimum", "--in", "r", "--variables", "r", "--largest")
    value = answer("derive", "y = d*exp(-k*log(r/r0)^2)", *words)
    assert (value["result"]["r"], value["result"]["y"]) == ("r0", "d")


CORNERS = (
    ("L = Max(A/N^a, B/D^b)", "6*N*D"),
    ("L = E + K*exp(k*Max(A/N^a, B/D^b))", "6*N*D^2"),
    ("L = E + Max(A/N^a + K/N, B/D^b)", "6*N*D"),
)


@settings(max_examples=3)
@pytest.mark.parametrize(("text", "cost"), CORNERS)
@given(values=drawn("A", "B", "C", "E", "K", "a", "b", "k"))
def test_the_larger_of_two_is_least_at_the_corner(text: str, cost: str, values: dict[str, float]) -> None:
    agrees(asked(text, cost, given=(*FALLS, "k > 0")), cost, values)


@pytest.mark.parametrize(("text", "cost"), CORNERS)
def test_corners_are_proved_and_changed_ones_caught(text: str, cost: str) -> None:
    found = asked(text, cost, given=(*FALLS, "k > 0"))
    assert proved(found) and not missed(found, every=3)


def test_the_corner_by_hand() -> None:
    found = asked(*CORNERS[0])
    letters = {s.name: s for s in found["N"].free_symbols}
    assert found["N"] == sp.sympify("(A*(C/6)**b/B)**(1/(a + b))", letters)
    with pytest.raises(NoOptimum, match="the same way"):
        derive.optimum(laws.formula("L = Max(A/N^a, B/N^b)", ["N"]), "N", given=FALLS)


def test_a_root_beside_a_constant_term_asks_no_sign_of_it() -> None:
    law = real(laws.formula(f"L = {CHINCHILLA} + M*N/D + K/(N*D)^k", ["N", "D"]), "K")
    found = derive.frontier(law, "6*N*D", given=FALLS)
    assert isinstance(found["N"], Root) and not found["N"].condition.has(law.symbols["K"])
    assert proved(found)


def test_priced_roots_owe_their_conditions() -> None:
    law = laws.formula("L = A/N^a + B/D^b + K/(N*D)^k", ["N", "D"])
    found = derive.frontier(law, "6*N*D/L^g", given=(*FALLS, "k > 0", "g > 0"))
    assert isinstance(found["multiplier"], Root) and proved(found)


def real(law: Law, *names: str) -> Law:
    """The law with some constants of either sign."""
    free = {law.symbols[name]: sp.Symbol(name, real=True) for name in names}
    parameters = tuple(replace(p, symbol=free.get(p.symbol, p.symbol)) for p in law.parameters)
    return replace(law, form=law.form.xreplace(free), parameters=parameters)


def test_the_sign_of_an_amplitude_suffices_for_those_of_its_parts() -> None:
    law = real(laws.formula("L = E + (c + d/x^s)/N^a + B/D^b", ["x", "N", "D"]), "c", "d")
    with pytest.raises(Undecided, match="c \\+ d/x"):
        derive.frontier(law, "6*N*D", given=FALLS, fixed=["x"])
    found = derive.frontier(law, "6*N*D", given=(*FALLS, "c + d/x^s > 0"), fixed=["x"])
    letters = {s.name: s for s in found["N"].free_symbols}
    wanted = "(C/6)**(b/(a + b))*(a*(c + d/x**s)/(B*b))**(1/(a + b))"
    assert found["N"] == sp.sympify(wanted, letters)
    assert proved(found)


@pytest.mark.parametrize(
    ("text", "at_zero", "at_infinity"),
    [
        ("y = 1/(1 + exp(-s*(c + A/x^a + B/x^b)))", "1", "1/(1 + exp(-c*s))"),
        ("y = d/(1 + exp(s*(A*x^a + B*x^b - c)))", "d/(1 + exp(-c*s))", "0"),
        ("y = 1 - exp(-A*x^a - B*x^b)", "0", "1"),
        ("y = 1/log(2 + A*x^a + B*x^b)", "1/log(2)", "0"),
        ("y = 1/(1 + exp(log(x) - c + A*x^a + B*x^b))", "1", "0"),
    ],
)
def test_several_diverging_terms_in_one_limit(text: str, at_zero: str, at_infinity: str) -> None:
    found = derive.limits(laws.formula(text, ["x"]), given=FALLS)
    for key, value in (("x->0", at_zero), ("x->oo", at_infinity)):
        assert sp.simplify(found[key] - sp.sympify(value, found.law.symbols)) == 0
    assert proved(found)


def test_terms_that_diverge_against_each_other_stay_open() -> None:
    with pytest.raises(Undecided):
        derive.limits(laws.formula("y = exp(A*x^a - B*x^b)", ["x"]), given=FALLS)
