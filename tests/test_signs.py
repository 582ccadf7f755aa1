"""Signs that rest on powers below 1, on bounds of single symbols, and what isolating and peeling need of them."""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import numeric, rationals

from symbolic_scaling import Domain, Interval
from symbolic_scaling.algebra import order
from symbolic_scaling.algebra.isolate import isolate
from symbolic_scaling.algebra.peel import peel

a, b, c, r, x, N = sp.symbols("a b c r x N", positive=True)
z = sp.Symbol("z", real=True)
SOME = settings(max_examples=30, deadline=None, derandomize=True)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (1 - sp.exp(-x), 1),
        (1 + r - r * sp.exp(-x / r), 1),
        (a + b - a * sp.exp(-x) - b * sp.exp(-2 * x), 1),
        (sp.exp(-3 * x) - sp.exp(-x), -1),
        (1 - sp.exp(-x) - sp.exp(-2 * x), None),  # changes its sign at e**-x = .618
        (r - sp.exp(-x), None),
    ],
)
def test_fading_exponentials(expression: sp.Expr, expected: int | None) -> None:
    assert order.sign(expression) == expected


def test_powers_of_something_above_one() -> None:
    above = Domain(((N, Interval(sp.Integer(1), sp.oo)),))
    assert order.sign(1 + a - a * N**-b, above) == 1
    assert order.sign(1 + a - a * N**-b) is None


@SOME
@given(values=st.tuples(*[rationals(1e-3, 1e3)] * 3), weights=st.tuples(*[st.integers(-3, 3)] * 3))
def test_a_sign_that_is_found_is_the_sign_at_a_point(
    values: tuple[sp.Rational, ...], weights: tuple[int, int, int]
) -> None:
    p, q, s = weights
    expression = p + q * a * sp.exp(-b * x) + s * sp.exp(-2 * b * x)
    found = order.sign(expression)
    measured = numeric(expression, dict(zip((a, b, x), values, strict=True)))
    assert found is None or mpmath.sign(measured) == found


def test_a_relation_with_a_number_is_a_bound() -> None:
    zero = sp.Integer(0)
    assert order.sign(z, Domain((), ((z, zero),))) == 1
    assert order.sign(z, Domain((), ((zero, z),))) == -1
    assert order.sign(z - 2, Domain((), ((z, sp.Integer(3)),))) == 1
    assert order.sign(z - 2, Domain((), ((z, sp.Integer(1)),))) is None
    kept = Domain((), ((a + b, sp.Integer(1)), (a, b), (a, sp.Integer(2)))).tightened()
    assert kept.relations == ((a + b, sp.Integer(1)), (a, b))
    assert kept.interval(a).lo == 2


def test_a_logarithm_is_isolated_without_a_condition() -> None:
    solved = isolate(sp.Eq(z, a - b * sp.log(N)), N, Domain())
    assert solved is not None
    assert not solved.conditions
    assert solved.value == sp.exp((a - z) / b) or sp.expand(sp.log(solved.value) - (a - z) / b) == 0


def test_bases_of_powers_stay_factored_when_a_law_is_peeled() -> None:
    term = a / (N * (1 - sp.exp(-r)) * (1 - sp.exp(-2 * r))) ** c
    found = peel(term + b * x * (1 + 1 / x**2), (N, x), Domain())
    assert found is not None
    assert {part.exponents for part in found.terms} == {(-c, 0), (0, 1), (0, -1)}
