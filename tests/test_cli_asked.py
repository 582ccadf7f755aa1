"""``symscale``: remedies can be followed, and what is meant by a law's names is what the law says."""

import json
import re

import pytest

from symbolic_scaling import cli, laws, verify
from symbolic_scaling.errors import ClaimError


@pytest.fixture
def answer(capsys):
    """Run a command with ``--json``: its exit code, and its object or the error in it."""

    def run(*arguments: str, code: int = 0):
        with pytest.raises(SystemExit) as end:
            cli.main([*arguments, "--json"])
        out, err = capsys.readouterr()
        assert (end.value.code or 0) == code and err == "", out + err
        value = json.loads(out)
        return value.get("error", value)

    return run


# ---------------------------------------------------------------- assumptions


def test_the_question_of_a_verdict_can_be_answered_with_given(answer) -> None:
    symbols = ("--symbols", "a b positive")
    assert answer("verify", "a < b", *symbols, code=1)["verdicts"][0]["status"] == "REFUTED"
    assert answer("verify", "a < b", *symbols, "--given", "b > 2*a")["verdicts"][0]["status"] == "PROVED"
    on_law = answer("verify", "alpha < beta", "--law", "chinchilla", "--given", "2*alpha < beta")
    assert on_law["verdicts"][0]["status"] == "PROVED"


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("verify", "a < b", "--symbols", "a b positive", "--given", "a < -1"), "a is positive by declaration"),
        (("verify", "a < b", "--symbols", "a b positive", "--given", "a <= b"), "a > b"),
        (("verify", "a < b", "--symbols", "a b positive", "--given", "a < c"), "'c' is not declared"),
        (("verify", "claims.toml", "--given", "a < b"), "--given is for one statement"),
        (("derive", "m2", "limits", "--given", "c > 0"), "c is negative by declaration"),
        (("derive", "m2", "limits", "--given", "c < -2", "--given", "c > -1"), "c lies in (-oo, -2) already"),
        (("derive", "m2", "limits", "--given", "x < 0"), "x is positive by declaration"),
        (("verify", "."), "folder"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_assumed_or_read_is_refused(answer, arguments, word: str) -> None:
    error = answer(*arguments, code=2)
    assert word in " ".join(error.values())


@pytest.mark.parametrize("name", ["fit", "check", "backtest"])
def test_the_filter_in_the_help_is_one_that_reads(capsys, name: str) -> None:
    from symbolic_scaling import data

    with pytest.raises(SystemExit):
        cli.main([name, "--help"])
    shown = re.search(r'--where "(.*?)"', capsys.readouterr().out)[1]
    table = data.read({"Task": ["a", "b"]})
    assert len(data.keep(table, shown)) == 1


# ---------------------------------------------------------------- the response of a law


@pytest.mark.parametrize(
    ("law", "statement", "status"),
    [
        ("chinchilla", "diff(L, N) < 0", "PROVED"),
        ("chinchilla", "diff(L, N) > 0", "REFUTED"),
        ("chinchilla", "L > E", "PROVED"),
        ("chinchilla", "L - E = A/N^alpha + B/D^beta", "PROVED"),
        ("chinchilla", "Limit(L, N, oo) = E + B/D^beta", "PROVED"),
        ("m2", "eps_x = beta*x^c", "REFUTED"),
    ],
)
def test_the_response_of_a_law_is_its_expression(answer, law: str, statement: str, status: str) -> None:
    (verdict,) = answer("verify", statement, "--law", law, code=status == "REFUTED")["verdicts"]
    assert verdict["status"] == status
    assert f"{laws.get(law).response.symbol} = " in json.dumps(verdict["evidence"])
    assert verify.about(laws.get(law), statement).status.name == status


def test_a_statement_without_the_response_is_as_before() -> None:
    found = verify.about(laws.get("chinchilla"), "6*N*D/(6*N) = D")
    assert found.status.name == "PROVED" and "law" not in dict(found.evidence)


def test_the_response_of_an_implicit_law_is_refused(answer) -> None:
    assert "implicitly" in answer("verify", "diff(eps_x, x) < 0", "--law", "m4", code=2)["found"]
    with pytest.raises(ClaimError, match="implicitly"):
        verify.about(laws.get("m4"), "diff(eps_x, x) < 0")
    assert verify.about(laws.get("m4"), "eps_0 > eps_inf").status.name == "PROVED"
