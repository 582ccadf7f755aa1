"""Coupled roots: frontiers under costs of several terms, their numbers and derivatives, against searches of their own.

The searches know the raw law and the raw cost alone: they look for the least response over the proportions of the
inputs, whose size is what spends the budget.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp
from checks import proved
from hypothesis import given, settings
from hypothesis import strategies as st
from referee import lowest
from scipy.optimize import brentq
from strategies import rationals

from symbolic_scaling import Derivation, Law, Root, codegen, derive, laws, notation
from symbolic_scaling.codegen.roots import Solver
from symbolic_scaling.errors import DomainError, NoOptimum, ScalingError

SIGNS = ("a > 0", "b > 0")
LOSSES = {
    "three": "L = E + A/N^a + B/D^b + K/R^c",
    "two": "L = E + A/N^a + B/D^b",
    "joint": "L = A/N^a + B/D^b + K/(N*D)",
    "outer": "L = (A/N^a + B/D^b)^p",
}
FRONTIERS = {
    "three inputs": ("three", "C = 6*N*D + 2*N*R", ("c > 0",)),
    "three inputs, three terms": ("three", "C = k*N^2*D + 3*D*R + N*R^2", ("c > 0",)),
    "neither input stands alone": ("two", "C = 6*N*D + k*N^2 + 3*D^2", ()),
    "loss inside a sum": ("two", "C = 6*N*D/L^k + 2*N*J", ("k > 0",)),
    "loss inside, three terms": ("joint", "C = 6*N*D/L^k", ("k > 0",)),
    "loss inside one factor": ("two", "C = 6*N*D + 3*N*D/L^k", ("k > 0",)),
    "a curve without an end in closed form": ("joint", "C = N*D + 6*N + 2*N^2", ()),
    "loss inside a power": ("outer", "C = 6*N*D/L^k + N", ("k > 0", "p > 0")),
}
NUMBERS = {
    **{"a": "0.34", "b": "0.28", "c": "0.5", "A": "406", "B": "410", "K": "30", "E": "1.69", "C": "1e12", "k": "0.5"},
    **{"J": "1e3", "p": "1.5"},
}


@cache
def derived(name: str) -> tuple[Law, str, Derivation]:
    kind, cost, assumed = FRONTIERS[name]
    law = laws.formula(LOSSES[kind], ["N", "D", "R"] if "R" in LOSSES[kind] else ["N", "D"])
    return law, cost, derive.frontier(law, cost, given=(*SIGNS, *assumed))


def needed(found: Derivation, numbers: dict[str, Any]) -> dict[str, Any]:
    """The numbers of the letters that the roots and the response have."""
    parts = [value.condition if isinstance(value, Root) else value for _, value in found.found]
    names = {str(symbol.name) for part in parts for symbol in part.free_symbols}
    return {name: value for name, value in numbers.items() if name in names}


def searched(law: Law, cost: str, numbers: dict[str, Any]) -> dict[str, float]:
    """The least response over the logarithms of the inputs beside the first; the budget, which rises, sets the size."""
    price = notation.parse(cost.split("=")[1], law.symbols, undeclared="symbol")
    at = {s: sp.Rational(numbers[s.name]) for s in (law.explicit + price).free_symbols if s.name in numbers}
    loss = sp.lambdify(law.inputs, law.explicit.subs(at), "math")
    paid = sp.lambdify([*law.inputs, law.response.symbol], price.subs(at), "math")
    budget = math.log(sp.Rational(numbers["C"]))

    def spent(beside: Any) -> list[float]:
        def over(size: float) -> float:
            inputs = [math.exp(u + size) for u in (0.0, *beside)]
            return math.log(paid(*inputs, loss(*inputs))) - budget

        size = brentq(over, -60.0, 60.0, xtol=1e-14, rtol=1e-15)
        return [math.exp(u + size) for u in (0.0, *beside)]

    place, least = lowest(lambda beside: math.log(loss(*spent(beside))), np.zeros(len(law.inputs) - 1))
    best = dict(zip((s.name for s in law.inputs), spent(place), strict=True))
    return {**best, law.response.symbol.name: math.exp(least)}


@pytest.mark.parametrize("name", FRONTIERS)
def test_frontiers_are_proved_and_where_searches_end(name: str) -> None:
    law, cost, found = derived(name)
    assert proved(found)
    assert isinstance(found["multiplier"], Root) and "strictly convex" in found["N"].why_unique
    ours = codegen.evaluate(found, needed(found, NUMBERS))
    theirs = searched(law, cost, NUMBERS)
    for symbol in (*law.inputs, law.response.symbol):
        assert ours[symbol.name] == pytest.approx(theirs[symbol.name], rel=2e-4), symbol
    assert ours["L"] <= theirs["L"] * (1 + 1e-9)


@settings(max_examples=10, deadline=None, derandomize=True)
@given(
    exponents=st.tuples(*[rationals(0.01, 5)] * 3),
    sizes=st.tuples(*[rationals(1e-12, 1e30)] * 3),
    C=rationals(1e-12, 1e30),
    k=rationals(1e-6, 1e6),
)
def test_coupled_roots_satisfy_their_conditions_at_any_scale(exponents, sizes, C, k) -> None:
    """Every condition vanishes beside its terms to 12 digits: a common zero, and there is only one."""
    check_conditions("three inputs, three terms", exponents, sizes, C, k)


def check_conditions(name: str, exponents: Any, sizes: Any, C: Any, k: Any) -> None:
    _, _, found = derived(name)
    numbers = {
        **dict(zip("abc", exponents, strict=True)),
        **dict(zip("ABK", sizes, strict=True)),
        "C": C,
        "k": k,
    }
    roots = [value for _, value in found.found if isinstance(value, Root)]
    best = Solver(roots)(numbers)
    with mpmath.workdps(60):
        for root in roots:
            letters = sorted(root.condition.free_symbols, key=lambda s: s.name)
            values = [best.get(s) or mpmath.mpf(numbers[s.name].p) / numbers[s.name].q for s in letters]
            terms = [sp.lambdify(letters, term, "mpmath")(*values) for term in sp.Add.make_args(root.condition)]
            assert abs(mpmath.fsum(terms)) <= mpmath.mpf(10) ** -12 * max(map(abs, terms)), root.symbol


@pytest.mark.slow
@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    name=st.sampled_from(["three inputs", "three inputs, three terms"]),
    exponents=st.tuples(*[rationals(0.01, 5)] * 3),
    sizes=st.tuples(*[rationals(1e-12, 1e30)] * 3),
    C=rationals(1e-12, 1e30),
    k=rationals(1e-3, 1e3),
)
def test_coupled_roots_at_two_hundred_points(name, exponents, sizes, C, k) -> None:
    check_conditions(name, exponents, sizes, C, k)


def test_the_multiplier_is_the_slope_of_the_least_loss() -> None:
    """Along the frontier dL/dC = -multiplier, and the optimum moves as the implicit function theorem says."""
    law, cost, found = derived("three inputs")
    numbers = {key: sp.Rational(value) for key, value in needed(found, NUMBERS).items()}
    step = sp.Rational(1, 10**9)
    up, down = (codegen.evaluate(found, {**numbers, "C": numbers["C"] * (1 + s)}, "mpmath", 30) for s in (step, -step))
    here = codegen.evaluate(found, numbers, "mpmath", 30)
    moved = codegen.evaluate(
        derive.sensitivity(law, "R", cost=cost, given=(*SIGNS, "c > 0")), {k: v for k, v in numbers.items() if k != "E"}
    )
    assert moved["E"] == 0 and moved["optimal R"] == pytest.approx(float(here["R"]), rel=1e-14)
    with mpmath.workdps(40):
        width = 2 * mpmath.mpf(10) ** -9
        assert (up["L"] - down["L"]) / width / 10**12 == pytest.approx(-here["multiplier"], rel=1e-12)
        assert mpmath.log(up["R"] / down["R"]) / width == pytest.approx(moved["C"] * 1e12, rel=1e-12)
        for letter in ("K", "c", "A"):
            more, less = (
                codegen.evaluate(found, {**numbers, letter: numbers[letter] * (1 + s)}, "mpmath", 30)["R"]
                for s in (step, -step)
            )
            slope = mpmath.log(more / less) / width
            assert slope == pytest.approx(moved[letter] * float(numbers[letter]), rel=1e-10), letter


def test_numbers_in_arrays_and_in_many_digits() -> None:
    found = derive.frontier(laws.get("chinchilla"), "C = 6*N*D + 2*N*D_inf")
    fit = laws.get("chinchilla").published_set("besiroglu2024").exact()
    C = np.geomspace(1e18, 1e24, 4)
    best = codegen.evaluate(found, {**fit, "C": C[:, None], "D_inf": [1e9, 1e12]})
    assert best["N"].shape == best["L"].shape == (4, 2)
    paid = 6 * best["N"] * best["D"] + 2 * best["N"] * np.array([1e9, 1e12])
    np.testing.assert_allclose(paid, np.broadcast_to(C[:, None], (4, 2)), rtol=1e-12)
    alone = codegen.evaluate(found, {**fit, "C": C[2], "D_inf": 1e12}, "mpmath", 40)
    assert float(alone["N"]) == pytest.approx(best["N"][2, 1], rel=1e-14)
    with mpmath.workdps(40):
        N, D = alone["N"], alone["D"]
        total = 6 * N * D + 2 * N * mpmath.mpf(10) ** 12
        assert abs(total / mpmath.mpf(repr(float(C[2]))) - 1) < mpmath.mpf(10) ** -38


def test_every_kind_of_answer_has_numbers() -> None:
    sovit = {"a_k": Fraction(1, 2), "b_k": "0.5", "alpha_k": 1, "beta_k": 0.1, "c": 0.5, "xi_k": 0.1, "eps_k": 0.001}
    below, above = codegen.evaluate(derive.inverse(laws.get("sovit"), "x_k"), {**sovit, "t": 10, "f_k": 0.5}).values()
    assert below < above
    for x in (below, above):
        f = x**-0.5 + 0.001 + (0.1 * x**0.5 + 0.1) / 10**0.5
        assert f == pytest.approx(0.5, rel=1e-12)
    m4 = {"eps_0": 1, "eps_inf": "0.1", "alpha": 1, "beta": 2, "c": "-1/2", "x": 1e12}
    assert codegen.evaluate(derive.series(laws.get("m4"), "x"), m4)["eps_x"] == pytest.approx(
        0.1 + 0.9 * 2e-6, rel=1e-6
    )


def test_numbers_that_are_refused() -> None:
    found = derive.frontier(laws.get("chinchilla"), "6*N*D")
    fit = laws.get("chinchilla").published_set("besiroglu2024").exact()
    with pytest.raises(ScalingError, match="no number for C"):
        codegen.evaluate(found, fit)
    with pytest.raises(ScalingError, match="it has no M"):
        codegen.evaluate(found, {**fit, "C": 1, "M": 1})
    with pytest.raises(DomainError, match="outside"):
        codegen.evaluate(found, {**fit, "C": -1})
    with pytest.raises(DomainError, match="not a number"):
        codegen.evaluate(found, {**fit, "C": "many"})
    x = sp.Symbol("x", positive=True)
    with pytest.raises(ScalingError, match="no change of sign"):
        Solver([Root(x, x + 1, (sp.Integer(0), sp.oo), "none")])({})


def test_costs_without_a_frontier_are_refused() -> None:
    two = laws.formula(LOSSES["two"], ["N", "D"])
    with pytest.raises(ScalingError, match="rises with the L inside"):
        derive.frontier(two, "C = 6*N*D*L^k + N", given=(*SIGNS, "k > 0"))
    with pytest.raises(ScalingError, match="does not go to zero"):
        derive.frontier(two, "C = N^2/(D^3*L^k) + D^2 + N^2", given=(*SIGNS, "k > 0"))
    with pytest.raises(NoOptimum, match="a direction makes every term fall"):
        derive.frontier(laws.formula(LOSSES["three"], ["N", "D", "R"]), "C = N*D + N^2*D", given=(*SIGNS, "c > 0"))
    with pytest.raises(ScalingError, match="whole loss fall"):
        derive.frontier(laws.formula("L = A*N + B/N + D + K/D", ["N", "D"]), "C = N^2 + D^2 + N*D")


def test_the_command_gives_the_numbers_of_roots(answer) -> None:
    paid = ("derive", "chinchilla", "frontier", "--cost", "C = 6*N*D + 2*N*D_inf")
    values = answer(*paid, "--published", "besiroglu2024", "--at", "C=1e21,D_inf=1e11")["values"]
    assert set(values) == {"N", "D", "L"}
    assert 6 * values["N"] * values["D"] + 2e11 * values["N"] == pytest.approx(1e21, rel=1e-12)
