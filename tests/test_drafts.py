r"""Claims given in LaTeX, and the claims of a draft: what is read, what stays open, what is refused."""

from __future__ import annotations

import json
import random
import tomllib
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import cli, verify
from symbolic_scaling.errors import ClaimError
from symbolic_scaling.verify.draft import Display, displays
from symbolic_scaling.verify.entries import entries
from symbolic_scaling.verify.entry import claim_of

POSITIVE = "positive"
GREEK = {r"\alpha": POSITIVE, r"\beta": POSITIVE}
FRONTIER = [["N_opt(C)", "G*(C/6)**(beta/(alpha+beta))"], ["D_opt(C)", "(C/6)**(alpha/(alpha+beta))/G"]]


def names(text: str) -> dict[str, str]:
    return dict.fromkeys(text.split(), POSITIVE)


# ---------------------------------------------------------------- claims in LaTeX


@pytest.mark.parametrize(
    ("kind", "latex", "more", "status"),
    [
        ("equal", r"6 N_{opt}(C) D_{opt}(C) = C", {"symbols": {**GREEK, **names("C G")}, "let": FRONTIER}, "PROVED"),
        (
            "equal",
            r"D_{opt}(C)/N_{opt}(C) = G^{-2}(C/6)^{(\beta-\alpha)/(\alpha+\beta)}",  # the exponent's sign is wrong
            {
                "symbols": {**GREEK, **names("C G")},
                "let": FRONTIER,
                "sample": {"C": [7, 60], r"\alpha": [2, 3], r"\beta": [0.5, 1]},
            },
            "REFUTED",
        ),
        (
            "limit",
            r"\lim_{D\to\infty}L(N,D)=(N_c/N)^{\alpha_N}",
            {
                "symbols": names("N D N_c D_c alpha_N alpha_D"),
                "let": [["L(N, D)", "((N_c/N)**(alpha_N/alpha_D) + D_c/D)**alpha_D"]],
            },
            "PROVED",
        ),
        ("inequality", r"(R^{-1}+a^{-1})^{-1}\le\min(R,a)", {"symbols": names("R a")}, "PROVED"),
        ("equal", r"x \frac{d}{dx} T = a T", {"symbols": names("x a"), "let": [["T", "x**a"]]}, "PROVED"),
        (
            "equal",
            r"U\sum_{k=1}^{4}(1-\delta)^k=(1-\delta)U\frac{1-(1-\delta)^{4}}{\delta}",
            {"symbols": {**names(r"U \delta"), "k": "integer"}, "sample": {r"\delta": [0.05, 0.9]}},
            "PROVED",
        ),
        (
            "number",
            r"2^{-\alpha_N} \approx 0.95",
            {"symbols": names(r"\alpha_N"), "values": {r"\alpha_N": "0.076"}},
            "CONSISTENT",
        ),
        (
            "number",
            r"2\times8.64\times10^{19}/(6N_e)=2\times10^{10}",
            {"printed": "2e10", "symbols": names("N_e"), "values": {"N_e": "1.3e9"}},
            "CONSISTENT",
        ),
        (
            "number",
            r"\beta/(\alpha+\beta)",
            {"printed": "0.46", "symbols": GREEK, "values": {r"\alpha": "0.34", r"\beta": "0.28"}},
            "ROUNDING",
        ),
        ("number", r"0.6 > 0.45", {}, "CONSISTENT"),
    ],
)
def test_verdicts_on_latex(kind: str, latex: str, more: dict[str, Any], status: str) -> None:
    claimed = claim_of({"id": "one", "kind": kind, "latex": latex, **more})
    assert verify.claim(claimed).status.name == status


def test_the_statement_goes_before_the_latex() -> None:
    claimed = claim_of({"id": "one", "kind": "equal", "statement": "1 = 1", "latex": r"\text{not read}"})
    assert claimed.statement.left == sp.Integer(1)


@pytest.mark.parametrize(
    ("kind", "latex", "more", "found"),
    [
        ("equal", "a = b", {"symbols": names("a")}, "'b' is not declared"),
        ("equal", "a = q + b", {"symbols": names("a b")}, "line 1, column 5"),
        ("equal", r"\frac{dL}{dN} = 1", {"symbols": names("L N")}, "does not show how it depends on N"),
        ("limit", r"\lim_{N \to \infty} L = 1", {"symbols": names("L N")}, "does not show how it depends on N"),
        ("equal", r"a \approx b", {"symbols": names("a b")}, "approx"),
        ("equal", r"\sum_{k=1}^{n} a = n a", {"symbols": {**names("a n"), "k": "integer"}}, "no verdict"),
        ("equal", "a = ?", {"symbols": {"a": "?"}}, "choose from positive"),
        ("equal", "N_{opt}(C) = C", {"symbols": names("C"), "let": [["N_opt", "2*C"]]}, "before a bracket"),
        ("equal", "f(C) = C", {"symbols": names("C"), "let": [["f(x)", "2*C"]]}, "declared arguments"),
        ("equal", "a = 1", {"symbols": {r"\hat{L}": POSITIVE, "L_hat": POSITIVE}}, "same in plain text"),
        ("number", "2^3 = 8", {"printed": "9"}, "does not end in = 9"),
        ("number", "2^3", {}, "one side only"),
        ("equal", "", {}, "missing"),
    ],
)
def test_what_latex_leaves_open_is_refused(kind: str, latex: str, more: dict[str, Any], found: str) -> None:
    with pytest.raises(ClaimError, match="claim one") as caught:
        claim_of({"id": "one", "kind": kind, "latex": latex, **more})
    assert found in str(caught.value)


# ---------------------------------------------------------------- drafts

DRAFT = r"""\documentclass{article}
\newcommand{\einf}{\varepsilon_\infty}
\DeclareMathOperator{\LSE}{LSE}
$$ preamble = 1 $$
\begin{document}
Text $inline = 1$, 5\% and % $$ hidden = 1 $$
$$ L(N, D) = E + \frac{A}{N^\alpha} + \frac{B}{D^{\beta}}. $$
\begin{equation}\label{eq:m4}
  \frac{\varepsilon_x - \einf}{(\varepsilon_0 - \varepsilon_x)^\alpha} % the left side
    = \beta x^{c}
\end{equation}
\begin{align}
 N_{opt}(C) &= G \left(\frac{C}{6}\right)^a, \label{eq:n} \\[2pt]
 D_{opt} &= G^{-1} \left(\frac{C}{6}\right)^b, & a &= \frac{\beta}{\alpha+\beta} \\
 x &= y \\
   &\quad + z \nonumber\\
   &= w
\end{align}
\begin{verbatim}
\[ verbatim = 1 \]
\end{verbatim}
\[ \alpha_C^{\min} = 1/(1/\alpha_S + 1/\alpha_B) \approx 0.052 \]
\begin{gather*}
 \hat{L} \le L_0 \\ \lim_{x \to \infty} \hat{L} = \einf \tag{7}
\end{gather*}
\begin{multline}
 f(x) = \LSE(a, b)
 + \int g
\end{multline}
\[ L \propto C^{-0.05}, \quad M \gtrsim N \]
\end{document}
"""


def test_every_displayed_equation_is_a_claim() -> None:
    found = {claim["id"]: claim for claim in entries(DRAFT, "d.tex")}
    lines = {name: claim["source"].removeprefix("d.tex, line ") for name, claim in found.items()}
    kinds = {name: claim["kind"] for name, claim in found.items()}
    assert lines == {
        **{"line-7": "7", "eq:m4": "8", "eq:n": "13", "line-14": "14", "line-14-2": "14"},
        **{"line-15.1": "15", "line-15.2": "15", "line-22.1": "22", "line-22.2": "22", "line-24": "24", "7": "24"},
        **{"line-27": "27", "line-30.1": "30", "line-30.2": "30"},
    }
    assert [name for name, kind in kinds.items() if kind != "equal"] == [
        "line-7",
        "line-22.2",
        "line-24",
        "7",
        "line-27",
        "line-30.1",
        "line-30.2",
    ]
    assert (kinds["line-22.2"], kinds["line-24"], kinds["7"]) == ("number", "inequality", "limit")
    assert (kinds["line-27"], kinds["line-30.1"], kinds["line-30.2"]) == ("?", "proportional", "?")
    assert list(found["eq:m4"]["symbols"]) == ["eps_x", "eps_inf", "eps_0", "alpha", "beta", "x", "c"]
    assert list(found["line-22.1"]["symbols"]) == ["alpha_C_min", "alpha_S", "alpha_B"]
    assert list(found["line-7"]["symbols"]) == ["N", "D", "E", "A", "alpha", "B", "beta"]
    assert kinds["line-7"] == "definition" and "unexpected" in found["line-27"]["note"]
    assert "N_{opt} is a factor" in found["eq:n"]["note"]
    assert {kind for claim in found.values() for kind in claim["symbols"].values()} == {"?"}


@pytest.mark.parametrize(
    ("latex", "status"),
    [
        (r"(1 + x)^{-c} &= x^{-c} + O(x^{-c-1})", "PROVED"),
        (r"(1 + x)^{-c} &= x^{-c} + \mathcal{O}(x^{-2c})", "REFUTED"),
        (r"\frac{x}{1 + x} &= O\left(1\right),", "PROVED"),
        (r"\frac{x}{1 + x^2} \sim \frac{1}{x}", "PROVED"),
    ],
)
def test_a_row_with_an_order_is_asymptotic(latex: str, status: str) -> None:
    (entry,) = entries(rf"\begin{{align}}{latex}\end{{align}}")
    assert entry["kind"] == "asymptotic" and "O" not in entry["symbols"]
    declared = dict.fromkeys(entry["symbols"], POSITIVE)
    claim = claim_of({**entry, "in": "x", "symbols": declared, "sample": {"c": [2, 3]} if "c" in declared else {}})
    assert verify.claim(claim).status.name == status


def test_an_order_in_a_chain_and_a_letter_o() -> None:
    first, second = entries(r"\[ x_k^\star = (a t^c)^{1/b} = O(t^{c/b}) \]")
    assert (first["kind"], second["kind"], second["in"]) == ("equal", "asymptotic", "?")
    (letter,) = entries(r"\[ O(a + b) = c \]")
    assert letter["kind"] == "equal" and "O" in letter["symbols"]


def test_a_filled_entry_is_a_claim() -> None:
    entry = next(claim for claim in entries(DRAFT) if claim["id"] == "line-14-2")
    with pytest.raises(ClaimError, match="choose from positive"):
        claim_of(entry)
    claimed = claim_of({**entry, "symbols": names("a alpha beta")})
    a, alpha, beta = (sp.Symbol(name, positive=True) for name in ("a", "alpha", "beta"))
    assert (claimed.statement.left, claimed.statement.right) == (a, beta / (alpha + beta))


@pytest.mark.parametrize(
    ("draft", "rows"),
    [
        (r"\[ a = b \] \[ c = d \]", ["a = b", "c = d"]),
        (r"\begin{align} a &= b \\ -c &= d \end{align}", ["a &= b", "-c &= d"]),
        (r"\begin{align} a &= b \\ &- c \end{align}", ["a &= b &- c"]),
        (
            r"\begin{align} a &= \begin{cases} 1 \\ 2 \end{cases} \\ b &= c \end{align}",
            [r"a &= \begin{cases} 1 \\ 2 \end{cases}", "b &= c"],
        ),
        (r"\[ a \\[2pt] = b \]", [r"a \\[2pt] = b"]),
        (r"cost \$5 \\[1ex] text", []),
        (r"\begin{equation} \label{x} \end{equation}", []),
        (r"\newcommand\loss{\mathcal{L}} $$\loss = \loss_0$$", [r"\mathcal{L} = \mathcal{L}_0"]),
    ],
)
def test_rows(draft: str, rows: list[str]) -> None:
    assert [row.latex for row in displays(draft)] == rows


def test_labels_that_stand_twice_are_told_apart() -> None:
    twice = r"\[ a = b \label{q} \] \[ c = d \label{q} \]"
    assert [claim["id"] for claim in entries(twice)] == ["q", "q-2"]
    assert displays("\n\n" + twice)[0] == Display("q", 3, "a = b")


def test_a_display_that_is_never_closed() -> None:
    with pytest.raises(ClaimError, match="line 2"):
        entries("text\n\\[ a = b")


PIECES = [r"\[", r"\]", "$$", r"\begin{align}", r"\end{align}", r"\\", "&", "=", "a", "%", "\n", r"\label{x}", "{", "}"]
PIECES += [
    r"\begin{verbatim}",
    r"\end{verbatim}",
    r"\newcommand{\a}{\a\a}",
    r"\a",
    r"\frac",
    ",",
    r"\begin{equation}",
    "\\",
    "\x00",
]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
def test_any_draft_gives_claims_or_an_error(draft: str) -> None:
    try:
        found = entries(draft)
    except ClaimError:
        return
    assert len({claim["id"] for claim in found}) == len(found)
    assert all(claim["latex"] and claim["kind"] for claim in found)


# ---------------------------------------------------------------- the command


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    with pytest.raises(SystemExit) as end:
        cli.main([str(argument) for argument in arguments])
    return int(end.value.code or 0), capsys.readouterr().out


def test_the_command_writes_what_verify_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draft = tmp_path / "draft.tex"
    draft.write_text(DRAFT, encoding="utf-8")
    expected = entries(DRAFT, "draft.tex")
    for out, load in ((tmp_path / "claims.toml", tomllib.loads), (tmp_path / "claims.json", json.loads)):
        code, printed = run(capsys, "claims", draft, "-o", out, "--json")
        assert code == 0
        assert load(out.read_text(encoding="utf-8")) == json.loads(printed) == {"claims": expected}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["claims.json", "claims.toml", "draft.tex"]
    code, printed = run(capsys, "claims", draft)
    assert code == 0 and tomllib.loads(printed) == {"claims": expected}
    with pytest.raises(ClaimError, match="choose from positive"):
        verify.read_claims(tmp_path / "claims.toml")


def test_odd_text_survives_toml(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(5)
    for count in range(20):
        odd = (
            "".join(rng.choice("'\"\\ab={}_^\x7f\u00e9\U0001d6fc\t") for _ in range(12))
            .replace("\\[", "")
            .replace("\\]", "")
        )
        draft = tmp_path / f"{count}.tex"
        draft.write_text(rf"\[ x {odd} y \]", encoding="utf-8")
        code, printed = run(capsys, "claims", draft)
        assert code == 0 and tomllib.loads(printed) == {
            "claims": entries(draft.read_text(encoding="utf-8"), draft.name)
        }


@pytest.mark.parametrize("wrong", ["missing.tex", "empty.tex", "binary.tex"])
def test_bad_drafts_are_refused(wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.tex").write_text("no equation $a = b$", encoding="utf-8")
    (tmp_path / "binary.tex").write_bytes(b"\\[ \xff = 1 \\]")
    code, printed = run(capsys, "claims", tmp_path / wrong, "-o", tmp_path / "out.toml", "--json")
    assert code == 2 and json.loads(printed)["error"]["remedy"]
    assert not (tmp_path / "out.toml").exists()
    assert run(capsys, "claims", tmp_path / "empty.tex", "-o", tmp_path / "out.csv", "--json")[0] == 2
