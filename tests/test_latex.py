r"""The LaTeX of papers: the tree it means or the place where it is refused, and LaTeX that reads back to its tree."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
import sympy as sp

from symbolic_scaling import laws
from symbolic_scaling.errors import ParseError
from symbolic_scaling.notation import (
    Relation,
    latex_names,
    latex_relation,
    latex_statements,
    law_symbols,
    parse_latex,
    plain_name,
    to_latex,
)


def positive(names: str) -> dict[str, sp.Symbol]:
    return {name: sp.Symbol(plain_name(name), positive=True) for name in names.split()}


i, n = sp.Symbol("i", integer=True), sp.Symbol("n", integer=True, positive=True)
INDEXED = {name: sp.IndexedBase(name, positive=True) for name in "cdf"}
ABC = positive("a b c x y N N_c D")
a, b, c, x, y, N, N_c, D = ABC.values()

# ---------------------------------------------------------------- field case 11


def chinchilla() -> tuple[Mapping[str, sp.Symbol], sp.Expr]:
    s = positive(r"E A N \alpha B D \beta")
    E, A, N, alpha, B, D, beta = s.values()
    return s, E + A / N**alpha + B / D**beta


def m4() -> tuple[Mapping[str, sp.Symbol], Relation]:
    law = laws.get("m4")
    return law_symbols(law), Relation(law.form.lhs, "=", law.form.rhs)


def broken() -> tuple[Mapping[str, object], sp.Expr]:
    s = {**positive("a b x"), "i": i, "n": n, **INDEXED}
    a, b, x = (s[name] for name in "abx")
    c, d, f = INDEXED.values()
    factor = (1 + (x / d[i]) ** (1 / f[i])) ** (-c[i] * f[i])
    return s, a + b * x ** (-c[0]) * sp.Product(factor, (i, 1, n))


G, C = sp.symbols("G C", positive=True)
N_OPT, L_HAT = sp.Function("N_opt"), sp.Function("L_hat")
L_MIN = sp.Symbol("L_min", positive=True)


@pytest.mark.parametrize(
    ("latex", "symbols", "meaning"),
    [
        (r"E + \frac{A}{N^\alpha} + \frac{B}{D^\beta}", *chinchilla()),
        (
            r"N_{opt}(C) = G \left(\frac{C}{6}\right)^a",
            {"N_{opt}": N_OPT, "C": C, "G": G, "a": a},
            Relation(N_OPT(C), "=", G * (C / 6) ** a),
        ),
        (r"\mathrm{L}_{\mathrm{min}}", {"L_{min}": L_MIN}, L_MIN),
        (r"\mathrm{L}_{\mathrm{min}}", {r"\mathrm{L}_{\min}": L_MIN}, L_MIN),
        (r"\hat{L}(N)", {r"\hat{L}": L_HAT, "N": N}, L_HAT(N)),
        (r"\Big(\frac{N_c}{N}\Big)^{\alpha_N}", {**ABC, r"\alpha_N": a}, (N_c / N) ** a),
        (r"1.82 \times 10^{3} D^{-0.37}", {"D": D}, 1820 * D ** sp.Rational(-37, 100)),
        (r"\log L = a \log N + b", {**ABC, "L": L_MIN}, Relation(sp.log(L_MIN), "=", a * sp.log(N) + b)),
        (r"\frac{\varepsilon_x - \varepsilon_\infty}{(\varepsilon_0 - \varepsilon_x)^\alpha} = \beta x^{c}", *m4()),
        (
            r"a + b x^{-c_0} \prod_{i=1}^{n} \left(1 + \left(\frac{x}{d_i}\right)^{1/f_i}\right)^{-c_i f_i}",
            *broken(),
        ),
        (r"x_k^\star", {r"x_k^\star": x}, x),
        (r"\alpha_C^{\min}", {r"\alpha_C^{\min}": a}, a),
        (r"\alpha_C^{\mathrm{min}} x_k^*", {"alpha_C_min": a, "x_k_star": x}, a * x),
        ("n - N", {"n": n, "N": N}, n - N),
    ],
)
def test_field_case_11(latex: str, symbols: dict[str, object], meaning: sp.Expr | Relation) -> None:
    read = latex_relation if isinstance(meaning, Relation) else parse_latex
    assert read(latex, symbols) == meaning


@pytest.mark.parametrize(
    ("latex", "symbols", "column", "found"),
    [
        (r"N_{opt}(C) = G \left(\frac{C}{6}\right)^a", {"C": C, "G": G, "a": a}, 1, "'N_{opt}' is not declared"),
        (r"E + \hat{L}(N)", {"E": a, "N": N}, 5, "not declared"),
        (r"2 \mathrm{L}_{\mathrm{min}}", {"L": a}, 3, "not declared"),
        (r"x_k + x_k^\star", {"x_k": x}, 7, "not declared"),
        (r"\alpha_C^{\min}", {r"\alpha_C": a}, 1, "not declared"),
        ("N + n", {"N": N}, 5, "'n' is not declared"),
        (r"N + \unheard{n}", {"N": N}, 5, r"unexpected '\unheard'"),
        (r"N = e N", {"N": N}, 5, r"write e^{...} or \exp for Euler's number"),
        (r"\prod_{i=1}^{n} d_i", {"i": i, "n": n, "d_i": a}, 17, "declared as one symbol, and i runs"),
        (r"\log L = a \log N b", {"L": L_MIN, "a": a, "N": N, "b": b}, 19, "the function before it may take"),
    ],
)
def test_field_case_11_refused_at_its_column(latex: str, symbols: dict[str, object], column: int, found: str) -> None:
    with pytest.raises(ParseError, match=re.escape(found)) as caught:
        latex_relation(latex, symbols)
    assert caught.value.where == f"line 1, column {column}"
    shown, mark = caught.value.caret.split("\n")
    assert mark.index("^") - 4 == column - 1 and shown.strip() == latex


# ---------------------------------------------------------------- what else is read


@pytest.mark.parametrize(
    ("latex", "meaning"),
    [
        (r"\frac12 a", a / 2),
        (r"\frac ab \tfrac{a}{b} \dfrac{1}{a}", a / b**2),
        (r"\frac{2 \left(a+b\right)}{3 c}", sp.Mul(sp.Rational(2, 3), a + b, 1 / c)),
        ("a^2 b^{-c}", a**2 * b ** (-c)),
        (r"{a}^{2} {\left(a+b\right)}^c", a**2 * (a + b) ** c),
        ("-a^2 - -b", -(a**2) + b),
        (r"a\,b\;c\!x\quad y ~ N\ D", a * b * c * x * y * N * D),
        ("abc^2", a * b * c**2),
        (r"a(b+c)[a-b]\{c\}", a * (b + c) * (a - b) * c),
        (r"\bigl(a+b\bigr)\Biggl[c\Biggr]", (a + b) * c),
        (r"6(a+b)", sp.Mul(6, a + b)),
        (r"a/b/c + (a/b)c", a / b / c + a * c / b),
        (r"a \cdot b \times c * x", a * b * c * x),
        (r"a \div b", a / b),
        (r"\sqrt{a} + \sqrt[3]{b} + \sqrt2 + \sqrt{c}{x}", sp.sqrt(a) + sp.cbrt(b) + sp.sqrt(2) + sp.sqrt(c) * x),
        (r"\ln(a) \log_{10} b", sp.log(a) * sp.log(b) / sp.log(10)),
        (r"\log^2 a + \log\log b", sp.log(a) ** 2 + sp.log(sp.log(b))),
        (r"\log(a) b + b \log a", 2 * b * sp.log(a)),
        (r"\log a^2 - \log\frac{a}{b}", sp.log(a**2) - sp.log(a / b)),
        (r"\operatorname{log}(a) + \mathrm{exp}(b)", sp.log(a) + sp.exp(b)),
        (r"\exp\left(-\frac{a}{b}\right)", sp.exp(-a / b)),
        (r"\max\{a, b\}^2 - \min(a, b, c)", sp.Max(a, b) ** 2 - sp.Min(a, b, c)),
        (r"|a - b| + \left|a-c\right|^2 + \lvert b - c \rvert", sp.Abs(a - b) + sp.Abs(a - c) ** 2 + sp.Abs(b - c)),
        ("|1/a|", 1 / a),
        (r"\sum_{i=1}^{n} a^i", sp.Sum(a**i, (i, 1, n))),
        (r"2 \sum_{i=0}^{\infty} a^i b", 2 * sp.Sum(a**i * b, (i, 0, sp.oo))),
        (r"\prod_{i=1}^n a^i (b+i)", sp.Product(a**i * (b + i), (i, 1, n))),
        (r"\lim_{x \to \infty} a x^{-c} + b", sp.Limit(a * x ** (-c), x, sp.oo) + b),
        (r"\lim_{x\to0^+} \left(a + x\right)", sp.Limit(a + x, x, 0, "+")),
        (r"x\frac{d}{dx}\log(a x)", x * sp.Derivative(sp.log(a * x), x)),
        (r"\frac{\mathrm{d}^2}{\mathrm{d}x^2} x^3", sp.Derivative(x**3, (x, 2))),
        (r"\frac{\partial^2 (x^a y^b)}{\partial x \partial y}", sp.Derivative(x**a * y**b, x, y)),
        (r"\partial_x (a x) + \partial^2_{x} x^a", sp.Derivative(a * x, x) + sp.Derivative(x**a, (x, 2))),
        (
            r"2 \times 10^{-3} + 1{,}234.5 + 10\,000 + .5",
            sp.Rational(2247003, 200) + sp.Rational(1, 500) - sp.Rational(15, 1000),
        ),
        (r"\begin{aligned} a &+ b \\[2pt] &\quad - c \label{eq} \end{aligned}", a + b - c),
        (r"$$ a % of b" "\n+ c. $$", a + c),
        (r"\begin{equation*} a, \end{equation*}", a),
        (r"\text{loss} \mathit{loss}", sp.Symbol("loss", positive=True) ** 2),
        (r"\mathcal{L} + \bar a' + f_{f'}", sp.Symbol("u") + sp.Symbol("v") + sp.Symbol("w")),
        (r"e^{a} - \exp(b)", sp.exp(a) - sp.exp(b)),
    ],
)
def test_meaning(latex: str, meaning: sp.Expr) -> None:
    more = {"loss": sp.Symbol("loss", positive=True), r"\mathcal{L}": sp.Symbol("u"), r"\bar{a}'": sp.Symbol("v")}
    symbols = {**ABC, **more, "f_{f'}": sp.Symbol("w"), "e": sp.E, "i": i, "n": n}
    assert parse_latex(latex, symbols) == meaning


@pytest.mark.parametrize(
    ("latex", "op"),
    [
        *(("=", "="), ("<", "<"), (r"\le", "<="), (r"\leq", "<="), (r"\geqslant", ">="), (">", ">"), (r"\sim", "~")),
        *((r"\propto", "prop"), (r"\approx", "approx"), (r"\gtrsim", ">~"), (r"\lesssim", "<~")),
    ],
)
def test_relations(latex: str, op: str) -> None:
    found = latex_relation(f"a {latex} 2b", ABC)
    assert found == Relation(a, op, 2 * b)
    assert latex_relation(to_latex(found), ABC) == found


@pytest.mark.parametrize(
    ("latex", "column"),
    [
        ("a/2b", 4),  # (a/2) b or a/(2b)
        (r"a/b \cdot c", 11),
        (r"1/2 \times 10^{3}", 12),
        (r"\log a b", 8),
        (r"\log a / b", 10),
        (r"\log(a)^2", 1),
        (r"\log^{-1} a", 1),
        (r"\frac{a}{b}^2", 1),
        ("x^10", 3),
        (r"\frac{a}12", 9),
        ("e^-x", 3),
        ("2 3", 3),
        ("a 2", 3),
        (r"2\frac{1}{2}", 2),
        (r"\frac12 3", 9),
        ("(2)(3)", 4),
        ("1,000", 2),
        ("|a|b|c|", 4),
        ("a & b", 5),
        (r"a \\ b", 6),
        (r"\frac{d}{dx} a x", 16),
        (r"\prod_{i=1}^{n} i a", 19),  # does the product end before a?
        (r"\lim_{x \to \infty} \frac1x + x", 1),
        (r"\sum_{i=1}^{n} i + i", 1),
        (r"\prod x", 1),
        (r"\sum_{i} i", 1),
        (r"\sum_{i=1}^{2.5} i", 1),
        (r"\lim_{x \to q} x", 13),
        (r"\lim_{x \to 0^-} x", 7),
        (r"\partial x", 1),
        (r"\frac{d}{dx}", 13),
        (r"\frac{\partial^2 a}{\partial x}", 1),
        ("(a]", 3),
        (r"\left(a)", 8),
        (r"{(}a)", 3),
        ("{a+b}c", 3),
        ("a^b^c", 4),
        ("{a^b}^c", 1),
        ("(a)_b", 4),
        ("a'", 1),
        ("a = b = c", 7),
        ("a =", 4),
        ("a +", 4),
        ("= a", 1),
        ("", 1),
        ("a_{}", 1),
        (r"a^{}", 4),
        (r"\frac{}{a}", 7),
        (r"1.8\%", 4),
        ("a!", 2),
        (r"\foo", 1),
        (r"\int a", 1),
        (r"a \text{ for all } b", 3),
        (r"f", 1),
        (r"f a", 3),
        ("log(a)", 1),
        (r"a\begin{cases} b \end{cases}", 2),
        ("\\begin{aligned} a", 18),
        ("a +\n  \\qux", 3),
        ("\u03b1", 1),
        ("a\x00", 2),
        ("1/(a - a)", 1),
        (r"\sqrt{-1}", 1),
        (r"\log 0", 1),
        (r"\infty - \infty", 1),
    ],
)
def test_refused_with_the_place(latex: str, column: int) -> None:
    symbols = {**ABC, "i": i, "n": n, "f": sp.Function("f"), "e": a}
    with pytest.raises(ParseError) as caught:
        parse_latex(latex, symbols) if "=" not in latex or "{" in latex else latex_relation(latex, symbols)
    assert caught.value.where.endswith(f"column {column}"), caught.value
    assert caught.value.found and caught.value.remedy and caught.value.caret.endswith("^")


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    "spelled", [r"N_{opt}", r"N_{\text{opt}}", r"N_{\mathrm{opt}}", r"N _ { o p t }", r"\mathrm{N}_{opt}"]
)
def test_spellings_of_one_name(spelled: str) -> None:
    assert parse_latex(f"2 {spelled}^2", {"N_opt": N}) == parse_latex(f"2 {spelled}^2", {spelled: N}) == 2 * N**2


@pytest.mark.parametrize(
    ("plain", "latex"),
    [
        ("eps_inf", r"\varepsilon_\infty"),
        ("eps_inf", r"\epsilon_{\infty}"),
        ("N_star", r"N^*"),
        ("x_k_star", r"x_k^{\star}"),
        ("alpha_C_min", r"\alpha_C^{\min}"),
        ("alpha_C_min", r"\alpha_{C,\min}"),
        ("L_hat", r"\hat L"),
        ("f_prime", r"f^\prime"),
        ("N_opt_star", r"N^*_{opt}"),
        ("d1", "d_1"),
        ("f_prime", "f'"),
        ("loss", r"\mathrm{loss}"),
        ("aN", "aN"),
        ("lambda", r"\lambda"),
    ],
)
def test_plain_names_stand_for_their_latex(plain: str, latex: str) -> None:
    assert parse_latex(latex, {plain: x}) == x


def test_a_font_tells_two_declared_names_apart() -> None:
    assert parse_latex(r"L - \mathrm{L}", {"L": a, r"\mathrm{L}": b}) == a - b
    assert parse_latex(r"C^{\min} - C_{\min}", {r"C^{\min}": a, "C_min": b}) == a - b


@pytest.mark.parametrize(
    ("latex", "symbols"),
    [
        ("aN", {"a": a, "N": N, "aN": x}),  # one name or a product
        ("abab", {"ab": a, "a": b, "b": c}),
        (r"N^\alpha", {r"N^\alpha": x, "N": N, r"\alpha": a}),  # one name or a power
        ("N^2", {"N^2": x, "N": N}),
        (r"\mathrm{L}", {"L": a, r"\text{L}": b, r"\mathit{L}": c}),
        (r"\frac{d}{dx} x^2", {"x": x, "d": a}),  # a derivative or a fraction
        (r"\frac{dN}{dD}", {"N": N, "D": D, "d": a}),
        (r"\frac{da}{df}", {"da": a, "df": b, "a": c, "f": x}),
        ("N_{opt}(C)", {"N_opt": C**2, "C": C}),  # a value, or a function of C
        ("x_{1,2}", {"x_{12}": x}),  # no name at all
        ("x_k^{12}", {"x_k_12": x}),
        (r"x_k^\beta", {"x_k_beta": x}),
        ("x_k^{opt}", {"x_k_opt": x, "x_k": y, "o": a, "p": b, "t": c}),
    ],
)
def test_ambiguous_names_are_refused(latex: str, symbols: dict[str, sp.Expr]) -> None:
    if latex.startswith(r"\mathrm"):
        symbols = {name: symbols[name] for name in (r"\text{L}", r"\mathit{L}")}
    with pytest.raises(ParseError):
        parse_latex(latex, symbols)


def test_a_power_may_hold_words() -> None:
    symbols = {"N": N, "alpha_opt": a, "alpha_C_min": b, "N_opt": x}
    assert parse_latex(r"N^{-\alpha_{\text{opt}}} N_{opt}^{\alpha_C^{\min}}", symbols) == N ** (-a) * x**b
    with pytest.raises(ParseError, match="as a function"):
        parse_latex("N(a, b)", {**ABC})


def test_the_caller_says_what_a_bracket_means() -> None:
    assert parse_latex("L(N)", {"L": a, "N": N}) == a * N
    assert parse_latex("L(N, 2)^2", {"L": L_HAT, "N": N}) == L_HAT(N, 2) ** 2
    square = sp.Lambda((x,), x**2 + a)
    assert parse_latex(r"f(b) - f\left(3\right)", {"f": square, "b": b}) == b**2 - 9
    with pytest.raises(ParseError, match="2 arguments"):
        parse_latex("f(b, b)", {"f": square, "b": b})
    with pytest.raises(ParseError, match="too many digits"):
        parse_latex("f(f(f(9)))", {"f": sp.Lambda((x,), 9**x)})


def test_an_upright_e_is_eulers_number_and_a_slanted_one_a_name() -> None:
    assert parse_latex(r"\mathrm{e}^{-a} + \mathrm e", {"a": a}) == sp.exp(-a) + sp.E
    assert latex_names(r"\mathrm{e}^{-a}") == {"a": ""}
    assert parse_latex("e^{a}", {"e": b, "a": a}) == b**a
    assert parse_latex(r"\mathrm{e}", {r"\mathrm{e}": b, "e": a}) == b
    assert parse_latex("e^{a}", {"a": a}) == sp.exp(a)
    assert latex_names("e^{a} + e_1 a e^2 + \\log e") == {"a": "", "e_1": "", "e": ""}
    with pytest.raises(ParseError):
        parse_latex(r"\mathrm{e}^{a}", {"e": b, "a": a})
    assert to_latex(sp.exp(-a)) == r"\mathrm{e}^{- a}"
    assert to_latex(sp.exp(-sp.Symbol("e"))) == r"\exp{\left(- e \right)}"


def test_indices() -> None:
    d = INDEXED["d"]
    assert parse_latex("d_1 d_{i+1}^2", {"d": d, "i": i}) == d[1] * d[i + 1] ** 2
    with pytest.raises(ParseError, match="needs its index"):
        parse_latex("2 d", {"d": d})


def test_law_names_are_what_laws_declare() -> None:
    law = laws.get("m4")
    assert law_symbols(law)[r"\varepsilon_\infty"] == law.symbols["eps_inf"]
    assert set(law_symbols(law).values()) == set(law.symbols.values())


def test_names_to_declare() -> None:
    assert latex_names(r"L(N, D) = E + \frac{A}{N^\alpha} + x_k^\star y^2 S(C)") == {
        **{"L": "function", "N": "", "D": "", "E": "", "A": "", r"\alpha": "", r"x_k^{\star}": "", "y": ""},
        **{"S": "bracket", "C": ""},
    }


@pytest.mark.parametrize(
    ("latex", "links"),
    [
        ("f(x, y) = a < b", ("f(x, y) = a", "a < b")),
        (r"a = b \le c", ("a = b", r"b \le c")),
        (r"a &= b \\ &= c", ("a &= b", r"b \\ &= c")),
        ("a = b, c = d", ("a = b", "c = d")),
        ("f(a, b) = c", ("f(a, b) = c",)),
        ("a, b = c", ("a, b = c",)),
        ("a", ("a",)),
    ],
)
def test_links_of_a_chain(latex: str, links: tuple[str, ...]) -> None:
    assert latex_statements(latex) == links
