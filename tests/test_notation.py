"""Plain text to expression and back: what the grammar means, what it refuses, and that text reads back to its tree."""

from __future__ import annotations

import pickle
import re
import string
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import example, given, settings
from hypothesis import strategies as st

from symbolic_scaling import laws
from symbolic_scaling.errors import ParseError, ScalingError
from symbolic_scaling.notation import Relation, build, is_name, parse, relation, text

POSITIVE = {name: sp.Symbol(name, positive=True) for name in ("N", "D", "E", "alpha", "beta_k", "lambda")}
SIGNED = {"c": sp.Symbol("c", negative=True), "r": sp.Symbol("r", real=True), "z": sp.Symbol("z")}
SYMBOLS = {**POSITIVE, **SIGNED}
N, D, E, alpha, r, c = (SYMBOLS[name] for name in ("N", "D", "E", "alpha", "r", "c"))


def read(formula: str) -> sp.Expr:
    return parse(formula, SYMBOLS)


@pytest.mark.parametrize(
    ("formula", "meaning"),
    [
        ("-N**2", -(N**2)),
        ("2**-N**2", 2 ** (-(N**2))),
        ("N^D^alpha", N ** (D**alpha)),
        ("(N^D)^alpha", (N**D) ** alpha),
        ("N/D/E", N / (D * E)),
        ("N/D*E", N * E / D),
        ("N - D - E", N - D - E),
        ("--N", N),
        ("N - -D", N + D),
        ("-N*-D", N * D),
        ("0.34", sp.Rational(17, 50)),
        ("1e24", sp.Integer(10) ** 24),
        ("5.88E+23", sp.Integer(588) * 10**21),
        ("1_000", sp.Integer(1000)),
        (".5", sp.Rational(1, 2)),
        ("2.", sp.Integer(2)),
        ("Rational(1, 3)", sp.Rational(1, 3)),
        ("log(N)", sp.log(N)),
        ("exp(-N)", sp.exp(-N)),
        ("sqrt(N)", sp.sqrt(N)),
        ("Abs(r)", sp.Abs(r)),
        ("Min(N, D, E)", sp.Min(N, D, E)),
        ("Max(N, 1)", sp.Max(N, 1)),
        ("diff(N**2, N)", sp.Derivative(N**2, N)),
        ("diff(N**2*D, N, 2)", sp.Derivative(N**2 * D, (N, 2))),
        ("1 + Limit(1/N, N, oo)", 1 + sp.Limit(1 / N, N, sp.oo)),
        ("Limit(c, c, 0)", sp.Limit(c, c, 0, "-")),
        ("Limit(N, N, 0)", sp.Limit(N, N, 0, "+")),
        ("2*alpha*(N + D)", 2 * alpha * (N + D)),
        ("-(N + D)*(E + alpha)", sp.Mul(-1, N + D, E + alpha)),
        ("10**15*24*3600", sp.Integer(86400) * 10**15),
    ],
)
def test_meaning(formula: str, meaning: sp.Expr) -> None:
    assert read(formula) == meaning


@pytest.mark.parametrize(
    "formula",
    ["E + A/N**alpha + B/D**beta", "S*N + I - Q/O", "gamma*C**zeta", "lambda*x**-c", "e + pi + zoo + nan + Symbol"],
)
def test_taken_names_are_plain_symbols(formula: str) -> None:
    words = set(re.findall("[A-Za-z]+", formula))
    found = parse(formula, undeclared="symbol")
    assert found.free_symbols == {sp.Symbol(word) for word in words}
    assert not found.has(sp.E, sp.I, sp.pi, sp.nan, sp.zoo)


@pytest.mark.parametrize(
    ("formula", "line", "column"),
    [
        ('__import__("os").getcwd()', 1, 12),
        ("N.__class__", 1, 2),
        ("N if D else C", 1, 3),
        ("9**9**9**9", 1, 4),
        ("N +\n  weird['name']", 2, 8),
        ("'N'", 1, 1),
        ("[N]", 1, 1),
        ("N; D", 1, 2),
        ("lambda N: N", 1, 8),
        ("import", 1, 1),
        ("N D", 1, 3),
        ("2N", 1, 2),
        ("N\x00", 1, 2),
        ("N\u202e + D", 1, 2),
        ("\u039d + D", 1, 1),
        ("\u0663 + D", 1, 1),
        ("N \u2212 D", 1, 3),
        ("N = D = E", 1, 7),
        ("N = D", 1, 3),
        ("N +", 1, 4),
        ("(N", 1, 3),
        ("N)", 1, 2),
        ("", 1, 1),
        ("N(D)", 1, 1),
        ("log", 1, 1),
        ("log(N, D)", 1, 1),
        ("diff(N, 2)", 1, 1),
        ("diff(N, N, 99)", 1, 1),
        ("Limit(N, N, 7)", 1, 1),
        ("Rational(1, 0)", 1, 1),
        ("1/(N - N)", 1, 1),
        ("sqrt(-1)", 1, 1),
        ("oo - oo", 1, 1),
    ],
)
def test_refused_with_the_place(formula: str, line: int, column: int) -> None:
    with pytest.raises(ParseError) as caught:
        parse(formula, undeclared="symbol")
    assert caught.value.where == f"line {line}, column {column}"
    shown, mark = caught.value.caret.split("\n")
    assert mark.index("^") - 4 == column - 1 or len(shown) > 64
    assert caught.value.found and caught.value.remedy


@pytest.mark.parametrize(
    "formula",
    [
        "9**9**9**9",
        "(2*x)**1000000",
        "sqrt(2)**1000000",
        "exp(1000000000*log(2))",
        "2**(1000000000*log(3)/log(2))",
        "exp(exp(exp(exp(9))))",
        "Max(exp(exp(20)), 1)",
        "Max(x**1e300, 1)",
        "2**(123456789 + x)",
        "Min(y**(x + 1e300), 1)",
        "log(1 + sqrt(2)**(1/7e300))",
        "Max(" + ",".join(f"x{i}" for i in range(900)) + ")",
        "1e999999999",
        "1e99999999999999999999",
        "1e3000*1e3000",
        "1/7**4000 + 1/11**3000",
        "(1e1000 + 1)**(1/3)",
        "9" * 5000,
        "x" * 20000,
        "(" * 3000 + "x" + ")" * 3000,
        "exp(" * 500 + "x" + ")" * 500,
        "**".join(["x"] * 500),
        "x**-" * 500 + "x",
    ],
    ids=lambda formula: formula[:24],
)
def test_bounds_hold_before_evaluation(formula: str) -> None:
    with pytest.raises(ParseError):
        parse(formula, undeclared="symbol")


@pytest.mark.parametrize("formula", ["+".join(["a"] * 3000), "-" * 5000 + "a", "*".join(["a"] * 3000)])
def test_long_is_not_deep(formula: str) -> None:
    assert parse(formula, undeclared="symbol").free_symbols == {sp.Symbol("a")}


def test_undeclared_names_list_the_declared_ones() -> None:
    with pytest.raises(ParseError, match="did you mean 'alpha'") as caught:
        read("N**alhpa")
    assert "declared: D, E, N" in caught.value.remedy
    with pytest.raises(ParseError, match="did you mean 'N'"):
        read("n")
    with pytest.raises(ParseError, match="nothing else is"):
        parse("q")
    assert parse("q", undeclared="symbol") == sp.Symbol("q")
    with pytest.raises(ScalingError, match="undeclared"):
        parse("q", undeclared="maybe")


@pytest.mark.parametrize("op", ["=", "<", "<=", ">", ">=", "~", "prop"])
def test_relations(op: str) -> None:
    found = relation(f"N {op} D + 1", SYMBOLS)
    assert found == Relation(N, op, D + 1)
    assert relation(text(found), SYMBOLS) == found


def test_a_relation_needs_two_sides() -> None:
    with pytest.raises(ParseError, match="one side only"):
        relation("N", SYMBOLS)
    assert parse("proper*prop_2", undeclared="symbol").free_symbols == {sp.Symbol("proper"), sp.Symbol("prop_2")}


def exact_numbers() -> st.SearchStrategy[sp.Expr]:
    return st.one_of(
        st.integers(-30, 30).map(sp.Integer),
        st.fractions(-3, 3, max_denominator=40).map(lambda f: sp.Rational(f.numerator, f.denominator)),
    )


def trees() -> st.SearchStrategy[sp.Expr]:
    """Expressions as SymPy's constructors build them."""
    leaves = st.one_of(st.sampled_from(sorted(SYMBOLS.values(), key=str)), exact_numbers(), st.just(sp.exp(1)))

    def grow(inner: st.SearchStrategy[sp.Expr]) -> st.SearchStrategy[sp.Expr]:
        some = st.lists(inner, min_size=2, max_size=4)
        return st.one_of(
            some.map(lambda items: sp.Add(*items)),
            some.map(lambda items: sp.Mul(*items)),
            st.tuples(inner, inner).map(lambda pair: sp.Pow(*pair)),
            st.tuples(inner, exact_numbers()).map(lambda pair: sp.Pow(*pair)),
            inner.map(lambda item: 1 / item),
            inner.map(sp.exp),
            inner.map(sp.log),
            inner.map(sp.sqrt),
            inner.map(lambda item: sp.Derivative(item, (N, 2), D)),
            inner.map(lambda item: sp.Limit(item, alpha, sp.oo, "+")),
        )

    return st.recursive(leaves, grow, max_leaves=8).filter(real)


def flat(tree: sp.Expr) -> sp.Expr:
    """The tree with no product in a product: SymPy leaves some there."""
    parts = [flat(part) if isinstance(part, sp.Expr) else part for part in tree.args]
    if isinstance(tree, sp.Mul):
        return sp.Mul(*(factor for part in parts for factor in sp.Mul.make_args(part)))
    return tree.func(*parts) if parts else tree


def real(tree: sp.Expr) -> bool:
    return not tree.has(sp.I, sp.nan, sp.zoo, sp.oo, -sp.oo)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(tree=trees())
@example(tree=sp.Rational(1, 2) ** N)
@example(tree=(-2) ** r)
@example(tree=-N * (D + E) / 3)
@example(tree=2 * N / (3 * D + 3 * E))
@example(tree=sp.Mul(sp.Rational(2, 3), N, 1 / (D + E)))
@example(tree=sp.Mul(sp.Rational(-1, 3), 1 / (D + E)) ** r)
@example(tree=(N * D) ** sp.Rational(-2, 3) * sp.exp(-r / 2))
def test_text_reads_back_to_the_same_tree(tree: sp.Expr) -> None:
    try:
        back = read(text(tree))
    except ParseError as error:
        bounded = ("too many digits", "very large number", "beyond what can", "not a real number")
        assert any(reason in error.found for reason in bounded), error
        return
    assert back == tree or flat(back) == flat(tree)


@pytest.mark.parametrize("name", laws.names())
def test_every_law_reads_back(name: str) -> None:
    law = laws.get(name)
    found = relation(text(law.form), law.symbols)
    assert (found.left, found.op, found.right) == (law.form.lhs, "=", law.form.rhs)
    for symbol in law.constants:
        derivative = law.residual.diff(symbol)
        assert parse(text(derivative), law.symbols) == derivative


def test_undistributed_products_read_back_distributed() -> None:
    kept = sp.Mul(2, N + D, evaluate=False)
    assert text(kept) == "2*(D + N)"
    assert read(text(kept)) == 2 * N + 2 * D


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        (sp.sin(N), "sin"),
        (sp.pi, "Pi"),
        (sp.I, "ImaginaryUnit"),
        (sp.Symbol("x_k^star"), "name"),
        (sp.Symbol("log"), "name"),
        (N + sp.Symbol("N"), "two different"),
    ],
)
def test_what_cannot_be_read_back_is_not_written(expression: sp.Expr, why: str) -> None:
    with pytest.raises(ScalingError, match=why):
        text(expression)


def test_names() -> None:
    assert is_name("beta") and is_name("eps_inf") and is_name("x1")
    assert not any(map(is_name, ["", "1x", "a b", "a.b", "\u03b1", "exp", "oo", "prop", "for", 'a"']))


ALPHABET = string.ascii_letters + "_ 0123456789.+-*/^(),=<>~\n\"'[]{}\\;:@#\u03b1\u2212\x00\u202e"


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.one_of(st.text(ALPHABET, max_size=40), st.text(max_size=20)))
def test_garbage_is_a_parse_or_a_parse_error(garbage: str) -> None:
    try:
        assert isinstance(parse(garbage, undeclared="symbol"), sp.Expr)
    except ParseError as error:
        assert error.where.startswith("line ")


PIECES = [
    "N",
    "D",
    "2",
    "0.5",
    "9",
    "1e300",
    "(",
    ")",
    "+",
    "-",
    "*",
    "/",
    "**",
    "^",
    ",",
    "log(",
    "exp(",
    "Max(",
    "oo",
]


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from([*PIECES, "Limit(", "diff(", "sqrt(", "Abs("]), max_size=14).map("".join))
@example("Max(sqrt(0-9),2)")
@example("exp(exp(9**9))")
@example("(N+9)**1e300")
@example("log(2-9)*Max(oo-oo)")
def test_shuffled_formulas_are_a_parse_or_a_parse_error(shuffled: str) -> None:
    try:
        found = parse(shuffled, SYMBOLS)
    except ParseError as error:
        assert error.where.startswith("line ")
    else:
        assert not found.has(sp.nan, sp.zoo, sp.I)


def test_errors_survive_another_process() -> None:
    with pytest.raises(ParseError) as caught:
        read("N + q")
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert str(again) == str(caught.value) and again.caret.endswith("^")


@settings(max_examples=60)
@given(st.fractions(Fraction(1, 10**6), 10**6), st.fractions(-9, 9))
def test_powers_of_rationals_are_read_at_once(base: Fraction, exponent: Fraction) -> None:
    value = build.power(sp.Rational(base), sp.Rational(exponent))
    assert abs(float(value.evalf(30)) / float(base) ** float(exponent) - 1) < 1e-9
