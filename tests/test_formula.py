"""Laws from formula text: the same as the shipped ones, and the rules for signs, floors and ceilings."""

from __future__ import annotations

import re

import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symbolic_scaling import derive, laws
from symbolic_scaling.errors import LawError, ParseError
from symbolic_scaling.law import Law, Parameter
from symbolic_scaling.notation import text


def parameter(law: Law, name: str) -> Parameter:
    return next(item for item in law.parameters if item.symbol.name == name)


def test_chinchilla_by_hand_is_chinchilla() -> None:
    own, shipped = laws.formula("L = E + A/N^alpha + B/D^beta", ("N", "D")), laws.get("chinchilla")
    assert own.form == shipped.form
    assert own.inputs == shipped.inputs
    assert set(own.constants) == set(shipped.constants)
    assert own.domain == shipped.domain
    assert parameter(own, "E").closed and parameter(own, "E").below == own.response.symbol
    assert own.costs[0].expression == shipped.costs[0].expression and own.explicit is not None


SPELLINGS = {
    "chinchilla": (
        "L = E + A/N^alpha + B/D^beta",
        "L - E = B*D^(-beta) + A*exp(-alpha*log(N))",
        "1/L = N^alpha*D^beta/(E*N^alpha*D^beta + A*D^beta + B*N^alpha)",
    ),
    "kaplan-nd": (
        "L = ((N_c/N)^(alpha_N/alpha_D) + D_c/D)^alpha_D",
        "L^(1/alpha_D) = D_c/D + (N_c/N)^(alpha_N/alpha_D)",
    ),
}
LETTERS = st.lists(
    st.from_regex(r"[a-zA-Z]{1,2}(_[a-z0-9]{1,2})?", fullmatch=True), min_size=8, max_size=8, unique=True
)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(name=st.sampled_from(sorted(SPELLINGS)), which=st.integers(0, 2), letters=LETTERS, turned=st.booleans())
def test_a_renamed_law_has_its_cost_and_its_meanings(name: str, which: int, letters: list[str], turned: bool) -> None:
    """Whatever the letters, C among them, and the spelling: 6 N D of the two inputs that play N and D."""
    assume(not {"e", "pi", "oo", "log", "exp"} & {letter.lower() for letter in letters})
    shipped, spelling = laws.get(name), SPELLINGS[name][which % len(SPELLINGS[name])]
    names = dict(
        zip([s.name for s in (shipped.response.symbol, *shipped.inputs, *shipped.constants)], letters, strict=False)
    )
    renamed = re.sub(r"[A-Za-z]\w*", lambda found: names.get(found[0], found[0]), spelling)
    inputs = [names[s.name] for s in shipped.inputs]
    own = laws.formula(renamed, inputs[::-1] if turned else inputs, response=names["L"])
    (cost,) = own.costs
    assert cost.expression == 6 * own.inputs[0] * own.inputs[1] and cost.symbol.name not in names.values()
    assert own.source.startswith(name) and cost.convention.endswith(f"as {name}")
    assert own.response.doc == shipped.response.doc
    if name == "kaplan-nd":
        assert {v.symbol.name: v.doc for v in own.variables} == {names[v.symbol.name]: v.doc for v in shipped.variables}


@pytest.mark.parametrize(
    "text",
    [
        "L = E + A/N^alpha + B*D^beta",
        "L = E + A/N^alpha + B/D^alpha",
        "L = E + A/N^alpha + 2*B/D^beta",
        "L = E + A/N^alpha + B/(D^beta*N)",
        "L = ((N_c/N)^(alpha_N/alpha_D) + D_c/D)^alpha_N",
        "L = A/N^alpha + B/D^beta",
    ],
)
def test_another_law_takes_no_cost(text: str) -> None:
    law = laws.formula(text, ["N", "D"])
    assert law.costs == () and law.source == "a formula of the user"
    with pytest.raises(LawError, match="no cost; give one, such as --cost"):
        derive.frontier(law)


@pytest.mark.parametrize("name", laws.names())
def test_every_law_can_be_written_as_a_formula(name: str) -> None:
    shipped = laws.get(name)
    inputs = [symbol.name for symbol in shipped.inputs]
    own = laws.formula(text(shipped.form), inputs, response=shipped.response.symbol.name)
    assert {symbol.name for symbol in own.constants} == {symbol.name for symbol in shipped.constants}
    assert text(own.form) == text(shipped.form)
    assert set(own.domain.facts()) <= set(shipped.domain.facts()), "a text may say less, never more"


@pytest.mark.parametrize(
    ("formula", "name", "sign"),
    [
        ("y = b*x^c", "c", None),
        ("y = b*x^(2*c)", "c", None),
        ("y = b*x^c", "b", True),
        ("y = b*x^-c", "c", True),
        ("y = b*x^(-c/2)", "c", True),
        ("y = b/x^c", "c", True),
        ("y = (d/x)^c", "c", True),
        ("y = (x/d)^c", "c", None),
        ("y = b*(1/x + g)^k", "k", True),
        ("y = b*(1 + x/d)^k", "k", None),
        ("y = b*x^c + e/x^c", "c", True),
        ("y = b*exp(-k*x)", "k", True),
        ("y = (d/x)^(a/k)", "a", True),
    ],
)
def test_sign_rule(formula: str, name: str, sign: bool | None) -> None:
    assert parameter(laws.formula(formula, ("x",)), name).symbol.is_positive is sign


@pytest.mark.parametrize(
    ("formula", "floors"),
    [
        ("y = e + b*x^c", {"e"}),
        ("y - e = b*x^c", {"e"}),
        ("e + b/x^k = y", {"e"}),
        ("y = a + b*log(x)", set()),
        ("y = a - b*x", set()),
        ("log(y) = a + b*log(x)", set()),
        ("y = e*x + b", {"b"}),
        ("y = b*x^c", set()),
        ("y = e + e*x^c", set()),
    ],
)
def test_floor_rule(formula: str, floors: set[str]) -> None:
    law = laws.formula(formula, "x")
    assert {item.symbol.name for item in law.parameters if item.closed} == floors
    assert {item.symbol.name for item in law.parameters if item.below == law.response.symbol} == floors


def test_implicit_on_both_sides() -> None:
    law = laws.formula("(y - e)/(m - y)^a = b*x^c", ("x",), response="y")
    assert law.explicit is None
    assert parameter(law, "e").closed and parameter(law, "m").above == law.response.symbol
    assert law.domain.facts() == ("m > y", "y > e")
    assert parameter(law, "c").symbol.is_real and parameter(law, "c").symbol.is_positive is None


def test_taken_names_are_plain_parameters() -> None:
    law = laws.formula("L = S*N + I - Q/O + beta*zeta^gamma*lambda", ["N"])
    assert all(type(symbol) is sp.Symbol for symbol in law.constants)


@pytest.mark.parametrize(
    ("formula", "variables", "why"),
    [
        ("L = E + A/N^alpha", ("M",), "no input M"),
        ("L = E + A/N^alpha", (), "no inputs"),
        ("L < E + A/N^alpha", ("N",), "its sign is '<'"),
        ("(y - e)/(m - y)^a = b*x^c", ("x",), "say response='y'"),
    ],
)
def test_refused(formula: str, variables: tuple[str, ...], why: str) -> None:
    with pytest.raises(LawError, match=why):
        laws.formula(formula, variables)


def test_text_that_is_no_formula() -> None:
    with pytest.raises(ParseError):
        laws.formula("E + A/N^alpha", ("N",))
    with pytest.raises(ParseError):
        laws.formula("L = __import__('os').getcwd()", ("N",))
