"""What the claims of a file share: symbols, definitions, relations; kinds with ranges; and what does not read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from symbolic_scaling import verify
from symbolic_scaling.errors import ClaimError

DEFINES = {"id": "d", "kind": "definition", "statement": "u = 1"}
POSITIVE = dict.fromkeys("abcdefgh", "positive")


def judged(path: Path, **content: Any) -> dict[str, str]:
    file = path / "claims.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return {claim.name: verify.claim(claim).status.name for claim in verify.read_claims(file)}


def claim(key: str, statement: str, **more: Any) -> dict[str, Any]:
    return {"id": key, "kind": "equal" if " = " in statement else "inequality", "statement": statement, **more}


def test_symbols_definitions_and_relations_of_a_file(tmp_path: Path) -> None:
    found = judged(
        tmp_path,
        symbols={"a": "positive", "b": "positive"},
        let=[["s", "a + b"], ["t", "s^2"]],
        given=["a > b"],
        claims=[
            claim("shared", "t > 4*b^2"),
            claim("own symbol", "s*c = a*c + b*c", symbols={"c": "real"}),
            claim("own let", "t = a", let=[["t", "a"]]),
            claim("false", "s < 2*b"),
        ],
    )
    assert found == {"shared": "PROVED", "own symbol": "PROVED", "own let": "PROVED", "false": "REFUTED"}


def test_a_definition_serves_those_that_follow(tmp_path: Path) -> None:
    both = {r"\alpha": "positive", r"\beta": "positive"}
    define = {"kind": "definition", "latex": r"q := \frac{\beta}{\alpha+\beta}", "symbols": both}
    value = {"kind": "definition", "latex": r"\alpha = 0.34", "symbols": {r"\alpha": "positive"}}
    other = {"kind": "definition", "latex": r"\beta = 0.28", "symbols": {r"\beta": "positive"}}
    found = judged(
        tmp_path,
        claims=[
            claim("before", "q = q", symbols={"q": "real"}),
            define,
            claim("plain", "q = 1 - alpha/(alpha + beta)", symbols={"alpha": "positive", "beta": "positive"}),
            {"id": "latex", "kind": "equal", "latex": r"q (\alpha + \beta) = \beta"},
            value,
            other,
            {"id": "number", "kind": "number", "latex": r"q \approx 0.45"},
            {"id": "wrong", "kind": "number", "latex": r"q \approx 0.54"},
            {"id": "still a symbol", "kind": "equal", "latex": r"\alpha = 0.34"},
        ],
    )
    assert found == {"before": "PROVED", "plain": "PROVED", "latex": "PROVED", "number": "CONSISTENT"} | {
        "wrong": "REFUTED",
        "still a symbol": "REFUTED",
    }


@pytest.mark.parametrize(
    ("statement", "symbols", "status"),
    [
        ("(-1)^(2*n) = 1", {"n": "positive integer"}, "PROVED"),
        ("n >= 1", {"n": "positive integer"}, "PROVED"),
        ("x^2 <= x", {"x": "real in [0, 1]"}, "PROVED"),
        ("x^2 <= x", {"x": "real in [0, 1.5]"}, "REFUTED"),
        ("x^2 < x", {"x": "real in (0, 1)"}, "PROVED"),
        ("x^2 < x", {"x": "real in (0, 1]"}, "REFUTED"),
        ("x >= 3", {"x": "positive in [3, oo)"}, "PROVED"),
        ("n^2 <= 81", {"n": "positive integer in [1, 9]"}, "PROVED"),
    ],
)
def test_kinds_with_ranges(statement: str, symbols: dict[str, str], status: str) -> None:
    assert verify.claim(verify.claim_of(claim("one", statement, symbols=symbols))).status.name == status


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"given": "a > b", "claims": [claim("x", "1 = 1")]}, "given"),
        ({"symbols": ["a"], "claims": [claim("x", "1 = 1")]}, "symbols"),
        ({"claims": [claim("x", "a = a", symbols=POSITIVE, given=["a"])]}, "given"),
        ({"claims": [claim("x", "a = a", symbols=POSITIVE, given=["a < 0"])]}, "positive by declaration"),
        ({"claims": [claim("x", "a = a", symbols={"a": "real in [1, x]"})]}, "not a decimal"),
        ({"claims": [claim("x", "a = a", symbols={"a": "positive real"})]}, "choose from positive"),
        ({"claims": [{"kind": "definition", "statement": "a + 1"}, claim("x", "1 = 1")]}, "defines nothing"),
        ({"let": [["u", "v"], ["v", "u"]], "claims": [claim("x", "u = 1")]}, "defined by each other"),
        ({"claims": [DEFINES, claim("x", "u = 1", symbols={"u": "real"})]}, "u is defined by d"),
    ],
)
def test_what_is_shared_wrongly(tmp_path: Path, content: dict[str, Any], said: str) -> None:
    with pytest.raises(ClaimError) as caught:
        judged(tmp_path, **content)
    assert said in str(caught.value)


def test_what_does_not_read_is_listed_and_the_rest_is_judged(tmp_path: Path, symscale) -> None:
    file = tmp_path / "claims.json"
    odd = {"id": "odd", "source": "d.tex, line 7", "kind": "?", "note": "does not read: a letter", "latex": r"\foo"}
    file.write_text(json.dumps({"claims": [claim("good", "a = a", symbols=POSITIVE), odd, claim("bad", "a = ")]}))
    code, out, err = symscale("verify", str(file), "--json")
    found = json.loads(out)
    assert code == 2 and not err
    assert [(one["id"], one["status"]) for one in found["verdicts"]] == [("good", "PROVED")]
    assert [(one["id"], one["source"]) for one in found["unread"]] == [("odd", "d.tex, line 7"), ("bad", "")]
    assert "does not read: a letter" in found["unread"][0]["why"]
    code, out, err = symscale("verify", str(file))
    assert code == 2 and "Not read" in out and "line 7" in out and "PROVED" in out
