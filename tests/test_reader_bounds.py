"""Reading ends: nothing that is read asks for time or memory without bound, and declarations read alike everywhere."""

import random
import time

import pytest
import sympy as sp

from symbolic_scaling import laws, notation, quantity, verify
from symbolic_scaling.errors import ClaimError, ParseError

NESTS = {
    "shifted": lambda inner, k: f"({inner} + {k + 1})^2",
    "falling": lambda inner, k: f"({inner}^2 - {k + 1})",
    "alike": lambda inner, k: f"({inner} - 1)^2",
    "mixed": lambda inner, k: f"({inner} + y)^2",
    "latex": lambda inner, k: rf"\left({inner} + {k + 1}\right)^{{2}}",
}


def nested(kind: str, depth: int) -> str:
    text = "x"
    for k in range(depth):
        text = NESTS[kind](text, k)
    return text


@pytest.mark.parametrize("sign", ["positive", "real", "negative"])
@pytest.mark.parametrize("kind", NESTS)
def test_squares_in_squares_are_read_or_refused_at_once(kind: str, sign: str) -> None:
    """Seven are read; of ten SymPy would multiply out a polynomial of degree 1024 to find its sign."""
    read = notation.parse_latex if kind == "latex" else notation.parse
    random.seed(0)  # SymPy asks in random order
    start = time.process_time()
    assert read(nested(kind, 6), f"x {sign}, y positive").free_symbols
    for depth in (10, 12, 30):
        with pytest.raises(ParseError, match="of degree"):
            read(nested(kind, depth), f"x {sign}, y positive")
    assert time.process_time() - start < 4


@pytest.mark.parametrize(
    "text", ["(x + 1)^1000", "(x + y + 1)^200*(x + 2)^100", "((x*y)^20)^20 + 1", "x^1000 + x^999 - 1"]
)
def test_large_powers_alone_are_read(text: str) -> None:
    assert notation.parse(text, "x y positive").free_symbols


def test_what_a_text_needs_does_not_depend_on_how_signs_are_found() -> None:
    x, y, k = (*sp.symbols("x y", real=True), sp.Symbol("k", integer=True, positive=True))
    p = sp.Symbol("p", positive=True)
    given = {"x": x, "y": y, "k": k, "p": p}
    for text, wanted in [
        ("1/(x^2 + 1)", []),
        ("1/(p*exp(x) + Abs(y))", []),
        ("1/x^2", [(x**2, "!=")]),
        ("x^(k*k + 1)", []),
        ("(x^2 + y^2)^p", [(x**2 + y**2, ">=")]),
        ("x^p", [(x, ">=")]),
        ("1/(x^2 + y^2)", [(x**2 + y**2, "!=")]),
    ]:
        with notation.noted() as met:
            notation.parse(text, given)
        assert [pair for pair in met if pair[1] != "kink"] == wanted, text


def test_a_formula_of_many_terms_is_read_in_one_pass() -> None:
    """160 terms took more than 90 s; the time grows with the length of the formula."""

    def seconds(terms: int) -> float:
        text = "y = " + " + ".join(f"a{k}*x^(-b{k})" for k in range(terms)) + " + E"
        start = time.process_time()
        law = laws.formula(text, ("x",))
        assert len(law.constants) == 2 * terms + 1
        assert [one.symbol.name for one in law.parameters if one.closed] == ["E"]
        return time.process_time() - start

    seconds(10)
    assert seconds(160) < 10


@pytest.mark.parametrize("spaces", [200_000])
def test_spaces_cost_what_they_are_long(spaces: int) -> None:
    gap = " " * spaces
    start = time.process_time()
    assert set(notation.declare(f"a{gap}b{gap}positive")) == {"a", "b"}
    assert notation.declare({"a": f"positive{gap}integer{gap}in [1,{gap}9]"})["a"].is_integer
    with pytest.raises(ClaimError):
        notation.declare({"a": f"positive{gap}x"})
    with pytest.raises(ClaimError):
        notation.declare({"a": f"real in{gap}[0,{gap}1"})
    assert quantity.read(f"1{gap}").value == 1
    with pytest.raises(ParseError):
        quantity.read(f"1{gap}x")
    assert time.process_time() - start < 3


# ---------------------------------------------------------------- declarations

SPELLINGS = [
    "A N alpha positive",
    "A positive, N alpha positive",
    {"A": "positive", "N": "positive", "alpha": "positive"},
    {name: sp.Symbol(name, positive=True) for name in ("A", "N", "alpha")},
    {"A": "positive", "N": sp.Symbol("N", positive=True), "alpha": "positive in (0, 1)"},
    sp.symbols("A N alpha", positive=True),
]


@pytest.mark.parametrize("symbols", SPELLINGS, ids=str)
def test_every_reader_takes_every_spelling_of_the_symbols(symbols) -> None:
    A, N, alpha = sp.symbols("A N alpha", positive=True)
    assert notation.parse("A/N^alpha", symbols) == A / N**alpha
    assert notation.parse_latex(r"\frac{A}{N^\alpha}", symbols) == A / N**alpha
    assert notation.relation("A > N", symbols).ordered == (A, N)
    assert notation.latex_relation(r"A \ge N", symbols).left == A
    assert verify.claim("A/N^alpha > 0", symbols=symbols).status.name == "PROVED"


@pytest.mark.parametrize("symbols", ["N", {"N": "postive"}, {"N": 3}, {"N": None}, "N positive, N real"], ids=str)
def test_what_declares_nothing_is_refused(symbols) -> None:
    for read in (notation.parse, notation.parse_latex):
        with pytest.raises(ClaimError):
            read("N", symbols)
