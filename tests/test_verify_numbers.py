"""Printed numbers: last digits as rounding, and the verdicts that follow from them."""

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import verify
from symbolic_scaling.errors import ClaimError
from symbolic_scaling.records import Status
from symbolic_scaling.verify.printed import read_printed


@pytest.mark.parametrize(
    ("text", "value", "half"),
    [
        ("2e10", "2e10", "5e9"), ("2.0e6", "2e6", "5e4"), ("8.8e13", "8.8e13", "5e11"), ("937e9", "937e9", "5e8"),
        ("0.10", "0.1", "0.005"), ("512", "512", "0.5"), ("-0.108", "-0.108", "0.0005"), (".5", "0.5", "0.05"),
    ],
)  # fmt: skip
def test_last_digit_is_the_rounding(text, value, half):
    read = read_printed(text)
    assert (sp.Rational(str(read.value)), sp.Rational(str(read.half))) == (sp.Rational(value), sp.Rational(half))


@pytest.mark.parametrize("text", ["", "1/3", "0x10", "1e99999", "nan", "1.2.3", "oo", "1 2", "١"])
def test_what_is_no_printed_number(text):
    with pytest.raises(ClaimError):
        read_printed(text)


def _number(statement, printed=None, symbols=(), tolerance=None, **values):
    entry = {"id": "n", "kind": "number", "statement": statement, "values": values}
    entry["symbols"] = dict.fromkeys(values, "positive") | dict(symbols)
    if printed is not None:
        entry["printed"] = printed
    if tolerance is not None:
        entry["tolerance"] = tolerance
    return verify.claim(verify.claim_of(entry))


NUMBERS = [
    (("b/(a+b)", "0.46"), {"a": "0.34", "b": "0.28"}, "ROUNDING"),
    (("b/(a+b)", "0.45"), {"a": "0.34", "b": "0.28"}, "CONSISTENT"),
    (("b/(a+b)", "0.47"), {"a": "0.34", "b": "0.28"}, "REFUTED"),
    (("a", "0.13"), {"a": "0.125"}, "CONSISTENT"),
    (("a*b/b", "0.3"), {"a": "0.2", "b": "7"}, "ROUNDING"),
    (("(a-b)**2", "0"), {"a": "1.00", "b": "1.00"}, "CONSISTENT"),
    (("a = b",), {"a": "1.04", "b": "1.0"}, "ROUNDING"),
    (("a = b",), {"a": "1.06", "b": "1.0"}, "REFUTED"),
    (("a/b = 1",), {"a": "2.0", "b": "2.0"}, "PROVED"),
    (("2**a = 3",), {"a": "1.6"}, "ROUNDING"),
    (("a < b",), {"a": "1.0", "b": "1.2"}, "CONSISTENT"),
    (("a > b",), {"a": "1.0", "b": "1.1"}, "REFUTED"),
    (("a > b",), {"a": "1.0", "b": "1.08"}, "REFUTED"),
    (("a > b",), {"a": "1.0", "b": "1.04"}, "ROUNDING"),
    (("a >= b",), {"a": "1.0", "b": "1.0"}, "CONSISTENT"),
    (("a > b",), {"a": "1.0", "b": "1.0"}, "ROUNDING"),
    (("a > a",), {"a": "1.0"}, "REFUTED"),
    (("2 > 2",), {}, "REFUTED"),
    (("2 + 2 = 5",), {}, "REFUTED"),
    (("log(8)/log(2) = 3",), {}, "PROVED"),
    (("log(a)", "0"), {"a": "1"}, "CONSISTENT"),
    (("1/(a-b)", "100"), {"a": "1.0", "b": "1.0"}, "ROUNDING"),
    (("exp(a)", "521"), {"a": "6.255414"}, "CONSISTENT"),
    (("10**15*24*3600", "8.64e19"), {}, "CONSISTENT"),
    (("2.3*10**8", "3.1e8"), {}, "REFUTED"),
]


@pytest.mark.parametrize(("statement", "values", "status"), NUMBERS, ids=lambda one: str(one)[:40])
def test_number(statement, values, status):
    verdict = _number(*statement, **values)
    assert verdict.status.name == status, verdict.evidence


def test_rounding_names_the_interval_the_witness_and_what_matters_most():
    verdict = _number("10**(-b/c)", "937e9", symbols={"b": "real"}, b="-0.108", c="0.009")
    evidence = dict(verdict.evidence)
    assert verdict.status is Status.ROUNDING
    assert evidence["matters most"].startswith("c,")
    witness = {name: sp.Rational(value) for name, value in (pair.split(" = ") for pair in evidence["with"].split(", "))}
    assert abs(witness["b"] + sp.Rational("0.108")) <= sp.Rational("0.0005")
    assert abs(float(10 ** (-witness["b"] / witness["c"])) - 937e9) <= 5.001e8


def test_tolerance_is_relative_to_the_printed_result():
    assert (
        _number("10**(-b/c)", "937e9", {"b": "real"}, b="-0.108", c="0.0090", tolerance="0.08").status
        is Status.CONSISTENT
    )
    assert _number("a/b = 1", tolerance="0.05", a="1.04", b="1").status is Status.CONSISTENT


@given(st.decimals("0.1", "9", places=3), st.decimals("0.1", "9", places=3), st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_a_correctly_rounded_result_is_consistent(a, b, digits):
    value = mpmath.mpf(str(a)) ** mpmath.mpf(str(b))
    printed = f"{float(value):.{digits - 1}e}"
    assert _number("a**b", printed, a=str(a), b=str(b)).status is Status.CONSISTENT


@given(
    st.decimals("0.5", "5", places=2), st.decimals("0.5", "5", places=2), st.floats(0.01, 0.99), st.floats(0.01, 0.99)
)
@settings(max_examples=40, deadline=None)
def test_a_result_from_unrounded_inputs_is_never_refuted(a, b, s, t):
    hidden = [float(one) - 0.005 + 0.01 * share for one, share in ((a, s), (b, t))]
    printed = f"{hidden[0] ** hidden[1]:.6e}"
    assert _number("a**b", printed, a=str(a), b=str(b)).status in (Status.CONSISTENT, Status.ROUNDING)
