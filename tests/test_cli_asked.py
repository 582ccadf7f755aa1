"""``symscale``: remedies can be followed, and what is meant by a law's names is what the law says."""

import json
import re

import pytest

from symbolic_scaling import cli, laws, verify
from symbolic_scaling.errors import ClaimError


@pytest.fixture
def answer(answer):
    """The object of a command, or the error in it."""

    def run(*arguments: str, code: int = 0):
        value = answer(*arguments, code=code)
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


# ---------------------------------------------------------------- inputs of a law


@pytest.fixture
def runs(tmp_path) -> str:
    path = tmp_path / "runs.csv"
    rows = ((n, d, 1.7 + 400 * (6 * n * d) ** -0.2) for n in (1e3, 1e4, 1e5) for d in (1e4, 1e5))
    path.write_text("N,D,y\n" + "".join(f"{n},{d},{y:.12f}\n" for n, d, y in rows))
    return str(path)


COMPUTE = ("--law", "y = a + b*C^(-c)", "--let", "C=6*N*D", "--y", "y")


@pytest.mark.parametrize("x", [(), ("--x", "C=C"), ("--x", "C"), ("--x", "N=N,D=D")], ids=" ".join)
def test_an_input_may_be_one_that_let_defines(answer, runs: str, x) -> None:
    (found,) = answer("fit", runs, *COMPUTE, *x)["fits"]
    assert found["estimate"] == pytest.approx({"a": 1.7, "b": 400, "c": 0.2}, rel=1e-4)


def test_the_response_may_be_one_that_let_defines(answer, runs: str) -> None:
    (found,) = answer("fit", runs, *COMPUTE[2:4], "--let", "z=y/2", "--law", "z = a + b*C^(-c)", "--y", "z")["fits"]
    assert found["estimate"]["a"] == pytest.approx(0.85, rel=1e-4)


def test_one_column_is_the_only_input(answer, runs: str) -> None:
    fits = [
        answer("fit", runs, "--law", "m2", "--x", x, "--y", "y", "--where", "D < 2e4")["fits"] for x in ("x=N", "N")
    ]
    assert fits[0] == fits[1]


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--law", "m2", "--x", "q=N"), "its inputs are x"),
        (("--law", "m2"), "--x x=column"),
        (("--law", "chinchilla", "--x", "N"), "--x N=column,D=column"),
        (("--law", "y = a + b*N^(-c)", "--x", "q=N"), "--x N=column"),
        (("--law", "y = a + b*u^(-c)"), "--x N=column"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_is_no_input_is_refused(answer, runs: str, options, word: str) -> None:
    for command in ("fit", "backtest"):
        assert word in " ".join(answer(command, runs, *options, "--y", "y", code=2).values())


# ---------------------------------------------------------------- numbers of a derivation


@pytest.mark.parametrize(
    ("published", "budget", "expected"),
    [
        ("hoffmann2022", "5.76e23", (3.2189859e10, 2.9823057e12, 1.9307481, 92.64737)),
        ("hoffmann2022", "1e18", (8.0581984e7, 2.068287e9, 3.53529775, 25.66687)),
        ("besiroglu2024", "5.76e23", (7.2248703e10, 1.3287436e12, 1.97444111, 18.39124)),
        ("besiroglu2024", "1e25 FLOP", (3.1207034e11, 5.3406763e12, 1.91172924, 17.11369)),
    ],
)
def test_a_frontier_at_published_constants(answer, published, budget, expected) -> None:
    value = answer("derive", "chinchilla", "frontier", "--published", published, "--at", f"C={budget}")
    found = value["values"]
    got = (found["N"], found["D"], found["L"], found["D"] / found["N"])
    assert got == pytest.approx(expected, rel=1e-6)  # digits of the source


def test_numbers_are_printed_below_the_result(capsys) -> None:
    with pytest.raises(SystemExit):
        cli.main(["derive", "chinchilla", "frontier", "--published", "besiroglu2024", "--at", "C=5.76e23"])
    assert re.search(r"^N +7\.22487", capsys.readouterr().out, re.M)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("frontier", "--published", "besiroglu2024"), "--at C="),
        (("frontier", "--at", "C=1e23"), "--published hoffmann2022"),
        (("frontier", "--published", "nobody"), "besiroglu2024"),
        (("frontier", "--published", "besiroglu2024", "--at", "C=-1"), "outside"),
        (("frontier", "--published", "besiroglu2024", "--at", "C=1e23,q=1"), "no q"),
        (("frontier", "--published", "besiroglu2024", "--at", "oo"), "name=value"),
        (("frontier", "--published", "besiroglu2024", "--at", "C=many"), "many"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_numbers_that_are_missing_or_foreign_are_refused(answer, options, word: str) -> None:
    assert word in " ".join(answer("derive", "chinchilla", *options, code=2).values())


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("show", "M2"), "did you mean m2?"),
        (("show", "L = E + A/N^a"), "--variables"),
        (("verify", "alpha < beta"), "--symbols"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_remedy_names_the_option(answer, arguments, word: str) -> None:
    assert word in answer(*arguments, code=2)["remedy"]


def test_no_row_left_says_how_many_and_why(answer, tmp_path) -> None:
    (tmp_path / "bad.csv").write_text("x,y\n1,0\n2,0\n3,-1\n")
    found = answer("fit", str(tmp_path / "bad.csv"), "--law", "m1", "--x", "x=x", "--y", "y", code=2)["found"]
    assert "no row is left of 3" in found and "rows 1, 2, 3: y has to be positive" in found
