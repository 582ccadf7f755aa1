"""Whole powers of exact numbers too long to be written out are decided in balls; towers are still refused at once."""

import time

import mpmath
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symbolic_scaling import Status, notation, verify
from symbolic_scaling.errors import ParseError

HOLD = [
    "(1-0.001)^5000 < 0.01",
    "(1-0.001)^5000 > 0.00672",
    "2^(-100000) > 0",
    "(999/1000)^(10^6) < 1",
    "1.0001^100000 > 22015",
    "2^100000 - 1 > 2^99999",
    "(-3)^100001 < 0",
    "log(2^100000) < 69315",
    "1/2^100000 < 2^(-99999)",
    "sqrt(2^100000) > 2^49999",
    "5*(1-0.001)^5000 + 1 <= 1.0337",
]


@pytest.mark.parametrize("text", HOLD)
def test_numbers_to_large_powers_are_decided(text: str) -> None:
    assert verify.claim(text).status is Status.PROVED
    turned = text.translate(str.maketrans("<>", "><")).replace(">=", ">").replace("<=", "<")
    assert verify.claim(turned, mend=False).status is Status.REFUTED


def test_in_latex_too() -> None:
    assert verify.claim(r"\left(1 - 0.001\right)^{5000} < 0.01", latex=True).status is Status.PROVED


@settings(max_examples=15)
@given(
    above=st.integers(600, 3000), below=st.integers(600, 3000), power=st.integers(2000, 9000), parts=st.integers(1, 9)
)
def test_the_value_is_that_of_the_power(above: int, below: int, power: int, parts: int) -> None:
    with mpmath.workdps(40):
        wanted = (mpmath.mpf(above) / below) ** power
        lower, upper = (mpmath.nstr(wanted * (1 + side * mpmath.mpf(10) ** -parts), 30) for side in (-1, 1))
    assume(abs(mpmath.log10(wanted)) < 3000)
    text = f"({above}/{below})^({power})"
    assert verify.claim(f"{text} > {lower}").status is Status.PROVED
    assert verify.claim(f"{text} < {lower}", mend=False).status is Status.REFUTED
    assert verify.claim(f"{text} < {upper}").status is Status.PROVED


@pytest.mark.parametrize("text", ["(999/1000)^5000", "2^(-100000)", "(-3)^100001*x + 1", "7^20000"])
def test_they_read_back(text: str) -> None:
    read = notation.parse(text, "x positive")
    assert notation.parse(notation.text(read), "x positive") == read


@pytest.mark.parametrize("text", ["9**9**9**9", "2^(10^7)", "(1/3)^(-10^9)", "1.5^(2^100)", "10^(10^10)"])
def test_towers_are_refused_at_once(text: str) -> None:
    start = time.process_time()
    with pytest.raises(ParseError):
        notation.parse(text)
    assert time.process_time() - start < 1
