"""Human numbers, FIELD_CASES 18: many spellings, one exact value."""

from __future__ import annotations

import contextlib
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import quantity
from symbolic_scaling.errors import ParseError

CHINCHILLA = 588 * 10**21


@pytest.mark.parametrize(
    "spelling",
    [
        "588000000000000000000000",
        "5.88e23",
        "5.88E+23",
        "588,000,000,000,000,000,000,000",
        "588_000_000_000_000_000_000_000",
        "588 000 000 000 000 000 000 000",
        "588 ZFLOP",
        "5.88e23 FLOPs",
        "588 billion TFLOP",
        CHINCHILLA,
        5.88e23,
        Decimal("5.88e23"),
        np.float64(5.88e23),
        sp.Integer(CHINCHILLA),
    ],
    ids=repr,
)
def test_one_number_many_spellings(spelling: object) -> None:
    assert quantity.read(spelling).value == CHINCHILLA


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("70B", 70 * 10**9, ""),
        ("1.4T", 1400 * 10**9, ""),
        ("1.4T tokens", 1400 * 10**9, "tokens"),
        ("175 M", 175 * 10**6, ""),
        ("13k", 13000, ""),
        ("7 billion params", 7 * 10**9, "parameters"),
        ("1e24 FLOP", 10**24, "FLOP"),
        ("3 GFLOPs", 3 * 10**9, "FLOP"),
        ("1 PF-day", 864 * 10**17, "FLOP"),
        ("6666.67 PF-days", Fraction(666667, 100) * 864 * 10**17, "FLOP"),
        ("2 PFLOP/s-days", 2 * 864 * 10**17, "FLOP"),
        ("1.93 nats", Fraction(193, 100), "nats"),
        ("-0.3", Fraction(-3, 10), ""),
        ("+ .5", Fraction(1, 2), ""),
    ],
)
def test_scales_and_units(text: str, value: Fraction, unit: str) -> None:
    found = quantity.read(text)
    assert (found.value, found.unit) == (value, unit)


def test_what_is_interpreted_is_said() -> None:
    assert quantity.read("12.5%") == quantity.Quantity(Fraction(1, 8), "", "12.5% is read as 0.125")
    assert "thousands separator" in quantity.read("1,234").note
    assert quantity.read("1234").note == ""


def test_decimal_comma() -> None:
    assert quantity.read("1,94", decimal_mark=",").value == Fraction(97, 50)
    assert quantity.read("1.234,5", decimal_mark=",").value == Fraction(2469, 2)
    with pytest.raises(ParseError, match="decimal mark"):
        quantity.read("1,94")


@pytest.mark.parametrize("cell", ["N/A", "nan", "-", "", "  ", "NULL", None, float("nan"), np.float64("nan")])
def test_missing(cell: object) -> None:
    assert quantity.is_missing(cell)
    with pytest.raises(ParseError):
        quantity.read(cell)


@pytest.mark.parametrize(
    "text",
    [
        "abc",
        "1e",
        "1..2",
        "1,2,3",
        "12 345,6",
        "1 apples",
        "5m",
        "1e9999999",
        "inf",
        "0x10",
        "\u0663",
        "1;2",
        "__import__",
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        quantity.read(text)
    assert caught.value.remedy


@pytest.mark.parametrize("value", [True, np.bool_(True), float("inf"), 1j, [1]])
def test_not_numbers(value: object) -> None:
    with pytest.raises(ParseError):
        quantity.read(value)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["", "K", "M", "B", "T"]))
def test_a_float_is_the_decimal_it_prints_as(value: float, scale: str) -> None:
    exact = quantity.read(f"{value!r}{scale}").value
    assert exact == Fraction(repr(value)) * 1000 ** ["", "K", "M", "B", "T"].index(scale)
    assert quantity.read(value).value == Fraction(repr(value))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(max_size=12))
def test_garbage_is_a_number_or_a_parse_error(text: str) -> None:
    with contextlib.suppress(ParseError):
        assert isinstance(quantity.read(text).value, Fraction)


@given(st.integers(0, 10**30))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_grouping_changes_nothing(value: int) -> None:
    assert (
        quantity.read(f"{value:,}").value
        == quantity.read(f"{value:_}").value
        == quantity.read(str(value)).value
        == value
    )
