"""How a false equation is wrong: the smallest change that makes it true, shown only when it is proved."""

import pytest
import sympy as sp

from symbolic_scaling import laws, notation, verify
from symbolic_scaling.records import Claim, Equal, Status, Tends
from symbolic_scaling.report import of_verdict

POSITIVE = "A B C D N E alpha beta G positive"


def evidence(text, symbols=POSITIVE):
    return dict(verify.claim(text, symbols=symbols).evidence)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("diff(A*N^(-alpha), N) = -alpha*A*N^(alpha)/N", "the exponent is -alpha: N**(-alpha)"),
        ("diff(A*N^(-alpha), N) = -alpha*A*N^(alpha - 1)", "the exponent is -alpha - 1: N**(-alpha - 1)"),
        ("1/(1/N + 1/D) = N*D", "the right side is divided by D + N"),
        ("(A/N)^alpha*(N/A)^alpha*C^beta = C^(-beta)", "the exponent is beta: C**beta"),
        ("exp(alpha*log(N/A)) = (A/N)^alpha", "the exponent is -alpha: (A/N)**(-alpha)"),
        ("log(N) - log(A) = log(A/N)", "the ratio is inverted: N/A"),
        ("beta/(alpha + beta) = 1 - beta/(alpha + beta)", "alpha and beta are swapped"),
        ("diff(A*N^(-alpha), N) = -A*N^(-alpha - 1)", "the right side is multiplied by alpha"),
        ("diff(A*N^2 + B*N, N) = A*N + B", "the term A*N is multiplied by 2"),
        ("(A + B)^2 = A^2 + A*B + B^2", "the term A*B is multiplied by 2"),
        ("(A + B)^2 - B^2 = A^2", "the term 2*A*B is added to the right side"),
        ("E + A/N = (A + N)/N", "the term N is E*N"),
        ("N*D = C*D/C", "the right side is multiplied by N"),
        ("A*(N + D) - A*D = A*N + E", "the term E is left out"),
    ],
)
def test_the_smallest_change(text, expected):
    assert evidence(text).get("true if") == expected


@pytest.mark.parametrize("text", ["A = B", "A^alpha + B^beta = C*D + log(N)", "N^alpha = exp(D)"])
def test_what_no_small_change_mends_stays_without_one(text):
    found = evidence(text)
    assert "true if" not in found and "corrected" not in found


def test_the_corrected_statement_is_proved():
    """What is shown as corrected reads back and gets PROVED."""
    text = "(N/A)^alpha/N = A^(-alpha)*N^(alpha + 1)"
    corrected = evidence(text)["corrected"]
    assert verify.claim(corrected, symbols=POSITIVE).status is Status.PROVED


def test_an_inverted_definition_is_one_change():
    """Chinchilla's G upside down stands in N* and in D*: one ratio, on both sides."""
    law = laws.get("chinchilla")
    A, B, C, alpha, beta = (law.symbols[name] for name in ("A", "B", "C", "alpha", "beta"))
    wrong = (beta * B / (alpha * A)) ** (1 / (alpha + beta))
    N, D = wrong * (C / 6) ** (beta / (alpha + beta)), (C / 6) ** (alpha / (alpha + beta)) / wrong
    claim = Claim("(4)", Equal(alpha * A * N**-alpha, beta * B * D**-beta), law.domain)
    found = dict(verify.claim(claim).evidence)
    assert found["true if"] == "the ratio is inverted: A*alpha/(B*beta) (on both sides)"


def test_a_limit_keeps_its_left_side():
    x, a, c = sp.symbols("x a c", positive=True)
    for statement in (Tends(a + x**-c, x, sp.oo, 2 * a), Equal(sp.Limit(a + x**-c, x, sp.oo), 2 * a)):
        found = dict(verify.claim(Claim("it", statement)).evidence)
        assert found["true if"] == "the right side is divided by 2"
        assert found["corrected"] == "Limit(a + x**(-c), x, oo) = a"


def test_the_quotable_line():
    claim = Claim("(7)", Equal(*_sides("N^(-alpha)*A", "A*N^alpha")))
    line = of_verdict.sentence(verify.claim(claim))
    assert line.startswith("Eq. (7) is false as printed: at ")
    assert line.endswith("; true if the exponent is -alpha: N**(-alpha).")
    assert ", left " in line and ", right " in line
    assert (
        of_verdict.sentence(verify.claim("2*N = N + N", symbols="N positive"))
        == "2*N = N + N is true: same normal form."
    )


def _sides(left, right):
    symbols = {name: sp.Symbol(name, positive=True) for name in ("N", "A", "alpha")}
    return notation.parse(left, symbols), notation.parse(right, symbols)
