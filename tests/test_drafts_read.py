r"""Six drafts that write as papers do: every statement is read, defined, proved or refuted as the draft says it is.

Behind ``% ->`` stands what the statements of a line are, in any order: ``definition``, ``unread`` or a verdict.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import verify
from symbolic_scaling.verify.clauses import clauses, sides
from symbolic_scaling.verify.conditions import conditions
from symbolic_scaling.verify.definitions import announces, defined, in_prose
from symbolic_scaling.verify.entries import entries
from symbolic_scaling.verify.macros import expand, macros
from symbolic_scaling.verify.sums import closed

DRAFTS = sorted((Path(__file__).parent / "drafts").glob("*.tex"))


def filled(text: str) -> list[dict[str, Any]]:
    """The claims of a draft, its symbols as ``%% symbols:`` says and positive where it says nothing."""
    listed = re.findall("%% symbols: (.*)", text)
    kinds = dict(pair.strip().split(" = ") for line in listed for pair in line.split(","))
    (moving,) = re.findall("%% in: (.*)", text) or ["x"]
    made = entries(text)
    for entry in made:
        entry["symbols"] = {name: kinds.get(name, "positive") for name in entry["symbols"]}
        if entry.get("in") == "?":
            entry["in"] = moving
    return made


def answers(path: Path, made: list[dict[str, Any]]) -> dict[str, str]:
    """What became of every entry: ``definition``, ``unread``, or the verdict on it."""
    path.write_text(json.dumps({"claims": made}), encoding="utf-8")
    unread: list[verify.Unread] = []
    verdicts = {claim.name: verify.claim(claim).status.name for claim in verify.read_claims(path, unread=unread)}
    defines = {entry["id"]: "definition" for entry in made if entry["kind"] == "definition"}
    return {**verdicts, **defines, **{one.name: "unread" for one in unread}}


@pytest.mark.parametrize("draft", DRAFTS, ids=lambda path: path.stem)
def test_drafts_are_read_and_judged(draft: Path, tmp_path: Path) -> None:
    text = draft.read_text(encoding="utf-8")
    wanted = {
        line: sorted(map(str.strip, found[1].split(",")))
        for line, row in enumerate(text.splitlines(), 1)
        if (found := re.search("% -> (.*)$", row))
    }
    made = filled(text)
    status = answers(tmp_path / "claims.json", made)
    found: dict[int, list[str]] = {}
    for entry in made:
        found.setdefault(int(entry["source"].rpartition(" ")[2]), []).append(status[entry["id"]])
    assert {line: sorted(one) for line, one in found.items()} == wanted


def test_most_displayed_equations_are_read() -> None:
    found = [entry for draft in DRAFTS for entry in entries(draft.read_text(encoding="utf-8"))]
    unread = [entry for entry in found if entry["kind"] == "?"]
    assert len(unread) / len(found) <= 0.05 and all("does not read" in entry["note"] for entry in unread)


# ---------------------------------------------------------------- the parts


@pytest.mark.parametrize(
    ("text", "latex", "expanded"),
    [
        (r"\newcommand{\R}[1]{\left(#1\right)}", r"\R{a+b}^2", r"\left(a+b\right)^2"),
        (r"\newcommand{\E}[2][x]{#2_{#1}}", r"\E{f} + \E[y]{g}", "f_{x} + g_{y}"),
        (r"\def\p#1#2{#1^{#2}}", r"\p ab", "a^{b}"),
        (r"\newcommand\N{N} \newcommand{\opt}[1]{#1^{\star}}", r"\opt{\N}", r"N^{\star}"),
        (r"\renewcommand{\a}{\alpha}", r"\a b + \alpha", r"\alpha b + \alpha"),
        (r"\newcommand{\loop}{\loop}", r"\loop", r"\loop"),
        (r"\newcommand{\two}[2]{#1#2}", r"\two{a}", r"\two{a}"),
        ("", r"\underbrace{E}_{\text{floor}} + A", "E + A"),
        (r"\DeclareMathOperator{\sp}{softplus}", r"\sp(x)", r"\operatorname{softplus}(x)"),
    ],
)
def test_macros(text: str, latex: str, expanded: str) -> None:
    assert " ".join(expand(latex, macros(text)).split()) == expanded


@pytest.mark.parametrize(
    ("latex", "found"),
    [
        (r"C = 6 N D \text{ FLOP}", [("", "C = 6 N D")]),
        (r"C = 6 N D~\text{FLOP}", [("", "C = 6 N D")]),
        (r"a = b \text{ where } c = d", [("", "a = b"), ("where", "c = d")]),
        (r"a = b, \quad (x > 0)", [("", "a = b"), ("for", "x > 0")]),
        (r"\text{loss} = a + \text{floor}", [("", r"\text{loss} = a + \text{floor}")]),
        (r"L_{\text{for}} = f(x, y)", [("", r"L_{\text{for}} = f(x, y)")]),
        (r"a = b \iff c = d", [("", "a = b"), ("and", "c = d")]),
        (r"a = b \text{ for $x > 0$ and $y > 0$}", [("", "a = b"), ("for", "x > 0"), ("and", "y > 0")]),
        (r"f \xrightarrow{x \to \infty} c", [("", r"f \to  c"), ("as", r"x \to \infty")]),
    ],
)
def test_words_split_and_never_multiply(latex: str, found: list[tuple[str, str]]) -> None:
    assert [tuple(one) for one in clauses(latex)] == found


@pytest.mark.parametrize(
    ("latex", "announced", "name"),
    [
        (r"a := b + 1", False, "a"),
        (r"b + 1 =: a", False, "a"),
        (r"G \equiv b^2", False, "G"),
        (r"\hat{L}(N) \coloneqq b N", False, r"\hat{L}"),
        (r"f(x, y) = x + y", False, "f"),
        (r"a = b", True, "a"),
        (r"\alpha \approx 0.34", False, r"\alpha"),
        (r"a = b", False, None),
        (r"2 a := b", False, None),
        (r"a := a + 1", False, None),
        (r"f(2) := 1", False, None),
        (r"a < b", True, None),
        (r"a \approx b", True, None),
    ],
)
def test_what_defines(latex: str, announced: bool, name: str | None) -> None:
    found = defined(latex, announced)
    assert (found.name if found else None) == name


def test_definitions_in_prose() -> None:
    prose = r"Here $x = 2 y$, where $a = b$ and $c = 2 a$. Denote by $m$ the mean $a/2$. Let $q = r$; then $r = 3 s$."
    found = [(one.name, one.right) for _, one in in_prose(prose)]
    assert found == [("a", "b"), ("c", "2 a"), ("m", "a/2"), ("q", "r")]
    assert all(map(announces, ("We define", "it holds. Let", "where", "The gain is defined as")))
    assert not any(map(announces, ("Let $a > 0$. Then", "Combining with $C = 6 N D$, we get", "so", "")))


@pytest.mark.parametrize(
    ("latex", "keys"),
    [
        ("x > 0", {"given": ["$x > 0$"]}),
        (r"t \in (0, 1)", {"given": ["$t > 0$", "$t < 1$"]}),
        (r"1 \le t \le 3", {"sample": {"t": ["1", "3"]}}),
        (r"x \to 0^+", {"in": "x", "at": "0"}),
        (r"n \in \mathbb{N}", {}),
        (r"N \gg 1", None),
        (r"a \le b", None),
        ("a = b", None),
    ],
)
def test_conditions(latex: str, keys: dict[str, Any] | None) -> None:
    assert conditions(latex) == keys


@pytest.mark.parametrize(
    ("latex", "symbols", "status"),
    [
        (r"\lim_{x \to 0^+} \left|x\right|/x = 1", "x real", "PROVED"),
        (r"\lim_{x \uparrow 0} \left|x\right|/x = -1", "x real", "PROVED"),
        (r"\lim_{x \to 0} \left|x\right|/x = 1", "x real", "REFUTED"),
        (r"\lim_{x \to 1^-} \frac{x^2 - 1}{x - 1} = 2", "x real", "PROVED"),
        (r"\lim_{x \to a} \frac{x^2 - a^2}{x - a} = 2 a", "x real, a positive", "PROVED"),
        (r"\lim_{x \to -\infty} e^{x} = 0", "x real", "PROVED"),
        (r"\partial (a x^2)/\partial x = 2 a x", "a x positive", "PROVED"),
        (r"\inf\{a, b\} \le \sup(a, b)", "a b positive", "PROVED"),
        (r"\sum_{i \le n} i = n^2", "i integer, n positive integer", "REFUTED"),
    ],
)
def test_operators_of_papers(latex: str, symbols: str, status: str) -> None:
    assert verify.claim(latex, symbols=symbols).status.name == status


k, n, r = sp.Symbol("k", integer=True), sp.Symbol("n", integer=True, positive=True), sp.Symbol("r", positive=True)
coefficients = st.lists(st.integers(-4, 4), min_size=1, max_size=4)
ratios = st.fractions(-3, 3, max_denominator=4).filter(lambda q: q not in (0, 1)).map(sp.Rational)


@settings(max_examples=40)
@given(coefficients, ratios | st.just(sp.Integer(1)), st.integers(-2, 3), st.integers(0, 6))
def test_closed_forms_of_sums(p: list[int], ratio: sp.Rational, low: int, length: int) -> None:
    term = sum(c * k**j for j, c in enumerate(p)) * ratio**k
    form = closed(sp.Sum(term, (k, low, n)))
    high = max(low + length - 1, 1)
    assert form is not None
    assert form.xreplace({n: sp.Integer(high)}) == sum(term.xreplace({k: sp.Integer(i)}) for i in range(low, high + 1))


def test_sums_without_a_closed_form_stay() -> None:
    assert closed(sp.Sum(1 / k, (k, 1, n))) is None and closed(sp.Product(k, (k, 1, n))) is None
    assert closed(sp.Sum(k, (k, 1, r))) is None  # r is no integer


@settings(max_examples=150)
@given(st.text(alphabet=r"abx =<:,;()[]{}\_^&$0.5", max_size=40))
def test_any_row_is_cut_without_an_error(row: str) -> None:
    clauses(row), sides(row, {"="}), conditions(row), defined(row, True)
