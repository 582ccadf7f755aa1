"""Limits of sums, products and powers whose parts have limits of their own, whatever their order is."""

from __future__ import annotations

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import Status
from symbolic_scaling.algebra.limits import limit
from symbolic_scaling.errors import Undecided

N = sp.Symbol("N", positive=True)
A = sp.symbols("A:5", positive=True)
a = sp.symbols("a:5", positive=True)
C = sp.Symbol("C", positive=True)
R = sp.Symbol("R", real=True)
ENDS = (sp.Integer(0), sp.oo)
TERMS = st.lists(st.tuples(st.sampled_from([1, -1]), st.sampled_from([1, -1])), min_size=2, max_size=4)


def powers(terms: list[tuple[int, int]]) -> sp.Expr:
    """A sum of powers of N with open exponents; the signs of its coefficients and of its exponents are given."""
    return sp.Add(*(sign * A[k] * N ** (up * a[k]) for k, (sign, up) in enumerate(terms)))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(terms=TERMS, end=st.sampled_from(ENDS), beside=st.sampled_from([sp.Integer(0), C, -C, R]))
def test_a_sum_goes_where_its_unbounded_terms_go(terms: list[tuple[int, int]], end: sp.Expr, beside: sp.Expr) -> None:
    """To oo or -oo where they agree, to what stands beside them where there are none, and open where they do not."""
    away = {sign for sign, up in terms if (up > 0) == (end == sp.oo)}
    if len(away) == 2:
        with pytest.raises(Undecided):
            limit(powers(terms) + beside, N, end)
        return
    assert limit(powers(terms) + beside, N, end) == (away.pop() * sp.oo if away else beside)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    terms=TERMS,
    end=st.sampled_from(ENDS),
    sign=st.sampled_from([1, -1]),
    power=st.sampled_from([C, -C, sp.Integer(-2)]),
)
def test_products_and_powers_of_positive_sums(
    terms: list[tuple[int, int]], end: sp.Expr, sign: int, power: sp.Expr
) -> None:
    total = powers([(1, up) for _, up in terms])
    grows = any((up > 0) == (end == sp.oo) for _, up in terms)
    assert limit(sign * C * total, N, end) == (sign * sp.oo if grows else 0)
    assert limit(total**power, N, end) == (sp.oo if grows == (power == C) else 0)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(
    "text", ["R*N**a0 + A1*N**a1", "R/N**a0 + A1/N**a1", "R*(A0*N**a0 + A1*N**a1)", "A0*N**R + A1*N**a1"]
)
def test_a_term_of_open_sign_keeps_it_open(text: str, end: sp.Expr) -> None:
    names = {symbol.name: symbol for symbol in (N, R, *A, *a)}
    expression = sp.sympify(text, names)
    bounded = {"R*N**a0 + A1*N**a1": 0, "R/N**a0 + A1/N**a1": sp.oo, "R*(A0*N**a0 + A1*N**a1)": 0}
    if bounded.get(text) == end:
        assert limit(expression, N, end) == 0
        return
    with pytest.raises(Undecided):
        limit(expression, N, end)


@pytest.mark.parametrize(
    ("statement", "status"),
    [
        ("Limit(A*N^a + B*N^b, N, oo) = oo", Status.PROVED),
        ("Limit(E - A/N^a - B/N^b, N, 0) = -oo", Status.PROVED),
        ("Limit(1/(A*N^a + B*N^b), N, oo) = 0", Status.PROVED),
        ("Limit(A*N^a + B*N^b, N, oo) = 0", Status.REFUTED),
        ("Limit(A*N^a - B*N^b, N, oo) = oo", Status.REFUTED),
    ],
)
def test_statements_about_sums_are_decided(statement: str, status: Status, answer) -> None:
    code = 0 if status is Status.PROVED else 1
    said = answer("verify", statement, "--symbols", "A B E a b N positive", code=code)
    assert said["verdicts"][0]["status"] == status.name
