r"""LaTeX that reads back: every law and derivation, random trees; and hostile text, which is a tree or a ParseError."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
import sympy as sp
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_notation import SYMBOLS, trees

from symbolic_scaling import derive, laws, report
from symbolic_scaling.errors import ParseError, ScalingError
from symbolic_scaling.law import Law
from symbolic_scaling.notation import (
    Relation,
    latex_names,
    latex_relation,
    law_symbols,
    parse,
    parse_latex,
    relation,
    symbol_latex,
    text,
    to_latex,
)
from symbolic_scaling.records import Found, Reduction, Root, Series

N, D, alpha, r, c = (SYMBOLS[name] for name in ("N", "D", "alpha", "r", "c"))
i, n = sp.Symbol("i", integer=True), sp.Symbol("n", integer=True, positive=True)
BOUNDED = ("too many digits", "very large number", "beyond what can", "not a real number")


# ---------------------------------------------------------------- laws and derivations


@pytest.mark.parametrize("name", laws.names())
def test_every_law_reads_back(name: str) -> None:
    law = laws.get(name)
    form = Relation(law.form.lhs, "=", law.form.rhs)
    assert latex_relation(to_latex(law.form, law.latex_names), law_symbols(law)) == form
    assert latex_relation(report.as_json(law)["latex"], law_symbols(law)) == form
    assert latex_relation(to_latex(law.form), law.symbols) == form  # by plain names alone
    assert relation(text(latex_relation(to_latex(form, law.latex_names), law_symbols(law))), law.symbols) == form


def expressions(found: Found) -> Iterator[sp.Expr]:
    """Every expression in what a derivation found."""
    match found:
        case Root():
            yield found.condition
        case Series():
            yield from (part for term in found.terms for part in term)
            yield from (part for part in (found.small, found.radius, found.remainder) if part is not None)
        case Reduction():
            yield from (value for _, value in (*found.when, *found.map))
        case _:
            yield found


def found_of(law: Law) -> Iterator[sp.Expr]:
    for question in (derive.gradient, derive.elasticity, derive.limits, derive.frontier):
        try:
            derivation = question(law)
        except ScalingError:  # this law has no such answer
            continue
        cases = [found for case in derivation.cases for found in case.found]
        for _, value in (*derivation.found, *cases):
            yield from expressions(value)


@pytest.mark.parametrize("name", laws.names())
def test_every_derivation_reads_back(name: str) -> None:
    law = laws.get(name)
    seen = list(found_of(law))
    for expression in seen:
        symbols = {law.latex_names.get(symbol, symbol.name): symbol for symbol in expression.free_symbols}
        plain = {symbol.name: symbol for symbol in expression.free_symbols}
        read = parse_latex(to_latex(expression, law.latex_names), symbols)
        assert read == expression
        assert parse(text(read), plain) == expression
    assert seen


# ---------------------------------------------------------------- random trees


def bracketed() -> st.SearchStrategy[sp.Expr]:
    """Trees with what only LaTeX holds: sums, products, functions, indices."""
    f, q = sp.Function("f"), sp.IndexedBase("q", positive=True)

    def grow(tree: sp.Expr) -> st.SearchStrategy[sp.Expr]:
        return st.sampled_from(
            [
                sp.Sum(tree * N**i, (i, 1, n)),
                alpha * sp.Product(1 + tree**i, (i, 0, n)),
                f(tree, N) ** 2 + 1,
                q[1] ** tree - sp.Product(q[i + 1] * tree, (i, 1, n)),
                sp.Abs(r - tree) ** alpha,
                sp.Derivative(tree * N, N) * D,
                sp.Limit(tree * c, c, 0, "-") + 1,
            ]
        )

    return trees().flatmap(grow)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(tree=st.one_of(trees(), trees(), bracketed()))
@example(tree=sp.Mul(sp.Rational(2, 3), N, 1 / (N + D)))
@example(tree=sp.log(N) ** 2 / sp.log(D) ** alpha)
@example(tree=sp.exp(-N) ** r * sp.exp(1))
@example(tree=sp.Derivative(D * N**alpha, N) * D)
@example(tree=sp.Limit(N * D, N, sp.oo, "-") * D)
@example(tree=1 / sp.sqrt(N) - sp.sqrt(2) * D / 3)
@example(tree=sp.Integer(-37) * sp.Rational(-37) ** sp.Rational(7, 20) * N)
def test_latex_reads_back_to_the_same_tree(tree: sp.Expr) -> None:
    if any(isinstance(part, sp.Mul) for node in tree.atoms(sp.Mul) for part in node.args):
        return  # SymPy's own slip: a product of roots inside a product
    more = {"i": i, "n": n, "f": sp.Function("f"), "q": sp.IndexedBase("q", positive=True)}
    try:
        back = parse_latex(to_latex(tree), {**SYMBOLS, **more})
    except ParseError as error:
        assert any(reason in error.found for reason in BOUNDED), error
        return
    assert back == tree


@settings(max_examples=150, deadline=None, derandomize=True)
@given(name=st.from_regex(r"[a-zA-Z]{1,5}[0-9]?(_[a-zA-Z0-9]{1,4}){0,2}", fullmatch=True))
@example(name="alpha_C_min")
@example(name="x_k_star")
@example(name="critical")
@example(name="inf")
@example(name="eps_inf")
@example(name="Alpha")
def test_every_name_reads_back(name: str) -> None:
    symbol = sp.Symbol(name)
    assert parse_latex(f"2 {symbol_latex(name)} + 1", {name: symbol}) == 2 * symbol + 1


def test_names_that_look_alike_are_told_apart() -> None:
    one, other = sp.symbols("d1 d_1")
    assert symbol_latex("d1") == symbol_latex("d_1")
    printed = to_latex(one - other)
    assert parse_latex(printed, {"d1": one, "d_1": other}) == one - other
    assert to_latex(one) == "d_{1}"


# ---------------------------------------------------------------- hostile text

NAMES = {
    **{name: sp.Symbol(name, positive=True) for name in ("a", "b", "x", "x_k", "alpha")},
    **{r"x_k^\star": sp.Symbol("x_k_star"), "i": i, "n": n, "d": sp.IndexedBase("d"), "f": sp.Function("f")},
    "g": sp.Lambda((sp.Symbol("u"),), 2 ** sp.Symbol("u")),
}
PIECES = [
    *("a", "b", "x", "i", "n", "d", "f", "g", r"\alpha", r"x_k^\star", "x_k", "d_i", r"\hat", "'"),
    *(r"\frac", r"\frac{", "{", "}", "{}", "^", "_", "^{", "_{", "(", ")", "[", "]", r"\{", r"\}", "|", r"\left|"),
    *(r"\left(", r"\right)", r"\Big(", "+", "-", "*", "/", r"\cdot", r"\times 10^{3}", "2", "9", "12", "0.5", "{,}000"),
    *(r"\sqrt", r"\sqrt[", r"\log", r"\log_", r"\exp", r"\max(", r"\sum", r"\prod_{i=1}^{n}", r"\lim_{x \to \infty}"),
    *(r"\frac{d}{dx}", r"\partial_x", r"\frac{\partial a}{\partial b}", r"\infty", "=", r"\le", ",", "&", r"\\", "%"),
    *("\n", "$", r"\[", r"\]", r"\text{", r"\mathrm{", r"\begin{aligned}", r"\end{aligned}", r"\star", "9^{9^{9^9}}"),
    *("!", "\\", "`", "#", "\x00", "\u03b1", "\u2212", r"\write18{id}", r"\input{x}", "__import__"),
]


def check(hostile: str) -> bool:
    """Whether it is a tree; anything but a tree or a ParseError with its place fails."""
    read = False
    for reader in (
        lambda: parse_latex(hostile, NAMES),
        lambda: latex_relation(hostile, NAMES),
        lambda: latex_names(hostile),
    ):
        try:
            found = reader()
        except ParseError as error:
            assert error.where.startswith("line ")
        else:
            read = True
            if isinstance(found, sp.Basic):
                assert not found.has(sp.nan, sp.zoo, sp.I)
    return read


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.one_of(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.text(max_size=30)))
@example("d_")
@example(r"\frac{d}{d")
@example(r"\sqrt[")
@example(r"x^\frac")
@example(r"\partial_{x_k^")
@example("g(g(g(g(9))))")
def test_hostile_text_is_a_tree_or_a_parse_error(hostile: str) -> None:
    check(hostile)


def test_mutated_formulas_are_a_tree_or_a_parse_error() -> None:
    rng = random.Random(11)
    read = 0
    for _ in range(300):
        formula = list(
            rng.choice([r"a + b x^{-\alpha} \prod_{i=1}^{n} \left(1 + d_i\right)", r"\frac{x_k^\star}{x_k} = g(2)"])
        )
        for _ in range(rng.randint(0, 3)):
            place = rng.randrange(len(formula))
            formula[place : place + rng.randint(0, 2)] = rng.choice([[], [rng.choice(PIECES)], formula[place:][:3]])
        read += check("".join(formula))
    assert 30 < read < 300


@pytest.mark.parametrize(
    "hostile",
    [
        "{" * 3000,
        "(" * 2500 + "x" + ")" * 2500,
        r"\hat" * 2000 + "x",
        r"\frac" * 1500,
        r"\sqrt " * 1000 + "x",
        r"\log " * 1000 + "x",
        r"\sum_{i=1}^{n}" * 300 + "x",
        "x^{" * 200 + "x" + "}" * 200,
        r"\begin{aligned}" * 300,
        "x_" * 3000,
        "9" * 5000,
        "x" * 20_000,
        r"9^{9^{9^{9}}}",
        r"(2x)^{10000000}",
        r"\exp(\exp(\exp(\exp(9))))",
        r"\sum_{i=1}^{10^{5000}} i",
    ],
    ids=lambda formula: formula[:16],
)
def test_bounds_hold(hostile: str) -> None:
    with pytest.raises(ParseError):
        parse_latex(hostile, NAMES)


@pytest.mark.parametrize("formula", ["+".join(["a"] * 2000), "-" * 3000 + "a", "a " * 2000, "a" * 3000])
def test_long_is_not_deep(formula: str) -> None:
    assert parse_latex(formula, NAMES).free_symbols == {NAMES["a"]}
