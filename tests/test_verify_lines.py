"""One-line statements in LaTeX: read with the declared names or those of a law, refused with the place otherwise."""

import json

import pytest

from symbolic_scaling import cli, laws, verify
from symbolic_scaling.errors import ClaimError, ParseError

LINES = [
    ("chinchilla", r"\frac{\partial L}{\partial N} = -\alpha A N^{-\alpha-1}", "PROVED"),
    ("chinchilla", r"\frac{\partial L(N, D)}{\partial N} = \alpha A N^{-\alpha-1}", "REFUTED"),
    ("chinchilla", r"L(N,D) - E = \frac{A}{N^\alpha} + \frac{B}{D^\beta}", "PROVED"),
    ("chinchilla", r"L > E + \frac{A}{N^{\alpha}}", "PROVED"),
    ("m2", r"\lim_{x\to\infty} \varepsilon_x = \varepsilon_\infty", "PROVED"),
]


@pytest.mark.parametrize(("law", "line", "status"), LINES)
def test_a_line_in_the_letters_of_a_law(law, line, status):
    found = verify.about(laws.get(law), line)
    assert (found.status.name, found.evidence[-1][0]) == (status, "law")


@pytest.mark.parametrize(
    ("line", "symbols", "options", "status"),
    [
        (r"\sqrt{x^2} = x", "x real", {}, "REFUTED"),
        (r"\sqrt{x^2} = |x|", "x real", {}, "PROVED"),
        ("ab = ba", "a b positive", {"latex": True}, "PROVED"),
        (r"\hat L^{2} \propto \hat L^2", r"\hat{L} positive", {"variable": r"\hat{L}"}, "PROVED"),
        (r"(1 + x)^{a} = x^a + O(x^{a-1})", "x a positive", {"variable": "x"}, "PROVED"),
        (r"x^{-\alpha} = \mathcal{O}(x^{-2\alpha})", "x alpha positive", {"variable": "x"}, "REFUTED"),
        ("$a^{-1} = 1/a$", "a positive", {}, "PROVED"),
    ],
)
def test_a_line_with_declared_names(line, symbols, options, status):
    assert verify.claim(line, symbols=symbols, **options).status.name == status


@pytest.mark.parametrize(
    ("line", "place", "caret"),
    [(r"\gamma N = N \gamma", "line 1, column 1", "^"), ("N^{-1} = 1/\nM", "line 2, column 1", "    M\n    ^")],
)
def test_what_is_undeclared_is_shown_where_it_stands(line, place, caret):
    with pytest.raises(ParseError) as error:
        verify.claim(line, symbols="N positive")
    assert error.value.where == place and caret in str(error.value)


def test_a_law_that_is_implicit_has_no_response_to_put_in():
    with pytest.raises(ClaimError, match="implicitly"):
        verify.about(laws.get("m4"), r"\varepsilon_x > \varepsilon_\infty")


def test_the_command_reads_latex(capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(["verify", "ab = ba", "--latex", "--symbols", "a b positive", "--json"])
    assert not end.value.code and json.loads(capsys.readouterr().out)["verdicts"][0]["status"] == "PROVED"
    with pytest.raises(SystemExit) as end:
        cli.main(["verify", r"N^\gamma = 1", "--law", "chinchilla", "--json"])
    assert end.value.code == 2 and json.loads(capsys.readouterr().out)["error"]["where"] == "line 1, column 3"
