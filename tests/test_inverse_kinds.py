"""Inverses in closed form: quotients, saturations, logarithms and exponentials, each with the condition it needs."""

import math

import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st

from symbolic_scaling import Status, derive, laws, notation, verify
from symbolic_scaling.errors import Unattainable, Undecided

# formula; the open interval of its responses at the letters' values below
KINDS = {
    "y = v*x/(k + x)": lambda v, k: (0, v),
    "y = v*x^2/(k^2 + x^2)": lambda v, k: (0, v),
    "y = v*x^k/(1 + x^k)": lambda v, k: (0, v),
    "y = v*x/sqrt(k^2 + x^2)": lambda v, k: (0, v),
    "y = v*(x/(k + x))^2": lambda v, k: (0, v),
    "y = v + k/(1 + x)": lambda v, k: (v, v + k),
    "y = v - v*x/(k + x)": lambda v, k: (0, v),
    "y = (v + k + x)/(v + x)": lambda v, k: (1, 1 + k / v),
    "y = (v + x)/(v + k + x)": lambda v, k: (v / (v + k), 1),
    "y = x/(1 + x) + k/(1 + x) + v": lambda v, k: (v + min(k, 1), v + max(k, 1)),
    "y = v*(1 - exp(-x/k))": lambda v, k: (0, v),
    "y = v*exp(x)/(k + exp(x))": lambda v, k: (v / (k + 1), v),
    "y = v*log(1 + x/k)": lambda v, k: (0, math.inf),
    "y = log(1 + k*exp(x))": lambda v, k: (math.log(1 + k), math.inf),
    "y = exp(k*x)": lambda v, k: (1, math.inf),
    "y = exp(-k/x)": lambda v, k: (0, 1),
    "y = v/(k + v/(1 + x))": lambda v, k: (v / (k + v), v / k),
}
POSITIVE = st.floats(0.2, 5).map(lambda value: float(f"{value:.3g}"))


def closed(text: str, v: float, k: float) -> tuple[sp.Expr, list[tuple[sp.Expr, sp.Expr]], dict[sp.Symbol, sp.Expr]]:
    """The inverse, its conditions, and the numbers of the letters."""
    law = laws.formula(text, ("x",))
    asked = {"y = x/(1 + x) + k/(1 + x) + v": "k > 1" if k > 1 else "k < 1", "y = v*x^k/(1 + x^k)": "k > 0"}
    facts = (asked[text],) if text in asked else ()
    found = derive.inverse(law, "x", facts)
    symbols = law.symbols
    pairs = [notation.relation(one, symbols).ordered for one in found.given]
    assert all(verdict.status is Status.PROVED for verdict in verify.derivation(found))
    at = {symbols[name]: sp.Rational(str(value)) for name, value in (("v", v), ("k", k)) if name in symbols}
    value = found["x"]
    assert isinstance(value, sp.Expr)
    return value, pairs, at


@pytest.mark.parametrize("text", KINDS)
@pytest.mark.parametrize(("v", "k"), [(1.5, 0.7), (0.6, 2.5)])
def test_the_inverse_is_closed_and_its_condition_is_the_range(text: str, v: float, k: float) -> None:
    value, pairs, at = closed(text, v, k)
    law = laws.formula(text, ("x",))
    y, x = law.response.symbol, law.inputs[0]
    lo, hi = KINDS[text](v, k)
    inside = [lo + (min(hi, lo + 3) - lo) * part for part in (0.02, 0.3, 0.6, 0.98)]
    outside = [lo * 0.9] * (lo > 0) + [hi * 1.1] * math.isfinite(hi)
    for goal in inside:
        here = {**at, y: sp.Float(goal)}
        assert all((more - less).evalf(20, subs=here) > 0 for more, less in pairs), goal
        back = law.explicit.evalf(20, subs={**at, x: value.evalf(20, subs=here)})
        assert float(back) == pytest.approx(goal, rel=1e-12)
    for goal in outside:
        here = {**at, y: sp.Float(goal)}
        assert not all(_holds(more - less, here) for more, less in pairs), goal


def _holds(gap: sp.Expr, here: dict[sp.Symbol, sp.Expr]) -> bool:
    value = gap.evalf(20, subs=here)
    return bool(value.is_real and value > 0)


def test_saturation_reads_as_in_the_textbook() -> None:
    found = derive.inverse(laws.formula("y = v*x/(k + x)", ("x",)), "x")
    assert notation.text(found["x"]) == "k*y/(v - y)"
    assert found.given == ("v > y",)


@given(a=POSITIVE, b=POSITIVE, c=POSITIVE, d=POSITIVE, x=POSITIVE)
def test_quotients_are_undone_at_numbers(a: float, b: float, c: float, d: float, x: float) -> None:
    law = laws.formula("y = (a + b*x)/(c + d*x)", ("x",))
    rising = b * c - a * d
    assume(abs(rising) > 1e-3)
    fact = "b*c > a*d" if rising > 0 else "b*c < a*d"
    value = derive.inverse(law, "x", [fact])["x"]
    numbers = {"a": a, "b": b, "c": c, "d": d, "y": (a + b * x) / (c + d * x)}
    at = {law.symbols[name]: sp.Float(number) for name, number in numbers.items()}
    assert float(value.evalf(20, subs=at)) == pytest.approx(x, rel=1e-9)


@pytest.mark.parametrize("goal", ["3", "4"])
def test_a_target_beyond_saturation_is_unattainable(goal: str) -> None:
    law = laws.formula("y = v*x/(k + x)", ("x",))
    assert derive.invert_value(law, "x", "2.9", {"v": 3, "k": 5}) == pytest.approx(145)
    with pytest.raises(Unattainable, match=r"3\.00000000"):
        derive.invert_value(law, "x", goal, {"v": 3, "k": 5})


@pytest.mark.parametrize(
    "text",
    [
        "y = (a + b*x)/(c + d*x)",
        "y = x^a + x^b",
        "y = (x^a + c)^b + x",
        "y = v*x^2/(k + x^2)^(3/2)",
        "y = a*x^b - c*x^d",
    ],
)
def test_where_a_direction_is_asked_the_advice_reads(text: str) -> None:
    law = laws.formula(text, ("x",))
    with pytest.raises(Undecided) as refused:
        derive.inverse(law, "x")
    assert notation.relation(refused.value.question, law.symbols).ordered is not None
    assert refused.value.question in refused.value.remedy


def test_advice_that_was_taken_answers(symscale) -> None:
    asked = ("derive", "y = (a + b*x)/(c + d*x)", "inverse", "--variables", "x", "--in", "x")
    code, _, err = symscale(*asked)
    assert code == 1
    fact = err.split('--given "')[1].split('"')[0]
    code, out, _ = symscale(*asked, "--given", fact)
    assert code == 0 and "x = (-a + c*y)/(b - d*y)" in out


def test_a_sentence_is_not_offered_as_a_relation() -> None:
    assert "monotone" not in Undecided("solve", "y is monotone in x").remedy
    assert 'add it with --given "a > b"' in Undecided("solve", "a > b").remedy
