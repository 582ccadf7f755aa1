"""Asymptotic, proportional and existence claims: what is proved, what is refuted, and what a file says of them."""

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import verify
from symbolic_scaling.domain import Domain
from symbolic_scaling.errors import ClaimError
from symbolic_scaling.records import Asymptotic, Claim, Equal, Exists, Less, Proportional, Status

x, a, b, p, q = sp.symbols("x a b p q", positive=True)
real = sp.Symbol("real", real=True)
ZERO = sp.Integer(0)
M4 = {
    "let": [["X", "w/(beta*(b - w)^alpha)"]],
    "symbols": dict.fromkeys(("w", "b", "alpha", "beta"), "positive"),
    "in": "w",
    "at": "0",
}


def status(statement, *relations):
    return verify.claim(Claim("it", statement, Domain((), relations))).status.name


def entry(**keys):
    return {"id": "it", "symbols": {"x": "positive", "a": "positive", "c": "negative"}, **keys}


# The remark of Alabdulmohsin et al. 2022 under equation (3). With w = eps_x - eps_inf, b = eps_0 - eps_inf and
# X = x**c, M4 says w/(b - w)**alpha = beta*X, so X is a function of w, and x -> oo is w -> 0.
@pytest.mark.parametrize(
    ("statement", "gap", "status_"),
    [
        ("w - beta*b^alpha*X = O(alpha*X^2)", None, "PROVED"),
        ("w - beta*X = O(alpha*X^2)", None, "REFUTED"),
        ("w - beta*X = O(alpha*X^2)", "1", "PROVED"),
        ("w - beta*X = O(alpha*X^2)", "2", "REFUTED"),
        ("w = beta*b^alpha*X + O(X^2)", None, "PROVED"),
        ("w = beta*b^alpha*X + O(X^3)", None, "REFUTED"),
    ],
)
def test_the_remark_on_m4(statement, gap, status_):
    keys = dict(M4)
    if gap:
        keys["let"] = [["b", gap], *M4["let"]]
        keys["symbols"] = {name: kind for name, kind in M4["symbols"].items() if name != "b"}
    claim = verify.claim_of({"id": "remark", "kind": "asymptotic", "statement": statement, **keys})
    assert verify.claim(claim).status.name == status_


@pytest.mark.parametrize(("second", "expected"), [("1", "PROVED"), ("2", "REFUTED"), ("-1", "REFUTED")])
def test_the_expansion_of_m4_to_two_terms(second, expected):
    statement = f"w ~ b^alpha*(beta*X) - ({second})*alpha*b^(2*alpha - 1)*(beta*X)^2"
    claim = verify.claim_of({"id": "(3)", "kind": "asymptotic", "statement": statement, "order": 2, **M4})
    assert verify.claim(claim).status.name == expected


@pytest.mark.parametrize(
    ("statement", "relations", "expected"),
    [
        (Asymptotic(x**a + x**b, x**a, x, sp.oo), [(a, b)], "PROVED"),
        (Asymptotic(x**a + x**b, x**b, x, ZERO), [(a, b)], "PROVED"),
        (Asymptotic(x**a + x**b, x**a, x, sp.oo), [], "REFUTED"),
        (Asymptotic(x**a + x**b, x**a, x, ZERO), [(a, b)], "REFUTED"),
        (Asymptotic((1 + x) ** a, 1 + a * x, x, ZERO, 2), [], "PROVED"),
        (Asymptotic((1 + x) ** a, 1 + a * x + a * x**2, x, ZERO, 3), [], "REFUTED"),
        (Asymptotic((1 + x) ** a, 1 + a * x + a * (a - 1) * x**2 / 2, x, ZERO, 3), [], "PROVED"),
        (Asymptotic(x + 1, x * (1 + 1 / x), x, sp.oo, 2), [], "PROVED"),
        (Asymptotic(2 * x, x, x, sp.oo, bound=True), [], "PROVED"),
        (Asymptotic(x * sp.log(x), x, x, sp.oo, bound=True), [], "REFUTED"),
        (Asymptotic(x**a, x**b, x, sp.oo, bound=True), [(b, a)], "PROVED"),
        (Asymptotic(x**a, x**b, x, sp.oo, bound=True), [], "REFUTED"),
    ],
)
def test_asymptotic(statement, relations, expected):
    assert status(statement, *relations) == expected


def test_two_terms_of_one_size_count_once():
    assert status(Asymptotic(a + b / x + p / x, a + b / x + p / x, x, sp.oo, 2)) == "PROVED"
    assert status(Asymptotic(a + b / x, a + b / x + p / x, x, sp.oo, 2)) == "REFUTED"


@given(
    powers=st.lists(st.fractions(-3, 3, max_denominator=5), min_size=2, max_size=4, unique=True),
    order=st.integers(1, 4),
    wrong=st.booleans(),
)
@settings(deadline=None, max_examples=25)
def test_a_sum_of_powers_against_its_largest_terms(powers, order, wrong):
    """A sum of powers is asymptotic to its n largest terms, and not when the n-th is doubled."""
    order = min(order, len(powers))
    terms = [sp.Rational(k + 1) * x ** sp.Rational(e.numerator, e.denominator) for k, e in enumerate(sorted(powers))][
        ::-1
    ]
    right = sum(terms[:order]) + (terms[order - 1] if wrong else 0)
    found = status(Asymptotic(sum(terms), right, x, sp.oo, order))
    assert found == ("REFUTED" if wrong else "PROVED")


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ((a * x) ** p, x**p, "PROVED"),
        ((a * x) ** p + (b * x) ** p, x**p, "PROVED"),
        ((a * x) ** p, x**q, "REFUTED"),
        (x**p + 1, x**p, "REFUTED"),
        (sp.log(x**2), sp.log(x), "PROVED"),
    ],
)
def test_proportional(left, right, expected):
    assert status(Proportional(left, right, x)) == expected


@pytest.mark.parametrize(
    ("printed", "expected"), [("0.54", "CONSISTENT"), ("0.55", "ROUNDING"), ("0.56", "REFUTED"), ("0.5", "CONSISTENT")]
)
def test_printed_power_laws_chain(printed, expected):
    """Kaplan et al. (6.6): N ~ C^0.73 and D ~ N^0.74 give D ~ C^0.54; the product 0.5402 lies in [0.5329, 0.5476]."""
    r = sp.Symbol("r", positive=True)
    values = ((p, "0.73"), (q, "0.74"), (r, printed))
    assert status(Proportional((a * x**p) ** q, x**r, x, values)) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (Exists((x,), Equal(x**2, a)), "PROVED"),
        (Exists((x,), Equal(a + x, a)), "REFUTED"),
        (Exists((x,), Less(a, x)), "PROVED"),
        (Exists((x,), Less(x + a, a)), "REFUTED"),
        (Exists((x,), Equal(x * a, b)), "PROVED"),
        (Exists((x,), Equal(x + a, b)), "REFUTED"),
        (Exists((x,), Equal(x + a * x**2, b), ((x, (sp.sqrt(1 + 4 * a * b) - 1) / (2 * a)),)), "PROVED"),
        (Exists((x,), Equal(x, a), ((x, -a),)), "UNDECIDED"),
        (Exists((real,), Equal(real**2, -a)), "REFUTED"),
        (Exists((x, real), Equal(a * x * real, -b)), "PROVED"),
    ],
)
def test_exists(statement, expected):
    assert status(statement) == expected


def test_the_requirement_of_m2_is_met_and_that_of_a_logarithm_is_not_shown():
    """Requirement (1) of Alabdulmohsin et al.: log(f - delta)/log x has a negative limit for some delta > 0."""
    keys = entry(
        kind="exists",
        statement="Limit(log(a*x^c + floor - delta)/log(x), x, oo) = c",
        witness={"delta": "floor"},
    )
    keys["symbols"] = {**keys["symbols"], "floor": "positive", "delta": "positive"}
    found = verify.claim(verify.claim_of({**keys, "in": "delta"}))
    assert (found.status, found.evidence[0]) == (Status.PROVED, ("witness", "delta = floor"))
    wrong = verify.claim_of({**keys, "in": "delta", "witness": {"delta": "2*floor"}})
    assert verify.claim(wrong).status is not Status.PROVED


@pytest.mark.parametrize(
    ("keys", "key"),
    [
        ({"kind": "asymptotic", "statement": "x ~ x + 1"}, "in"),
        ({"kind": "asymptotic", "statement": "x ~ x + 1", "in": "y"}, "in"),
        ({"kind": "asymptotic", "statement": "x ~ x + 1", "in": "x", "at": "1"}, "at"),
        ({"kind": "asymptotic", "statement": "x ~ x + 1", "in": "x", "order": "two"}, "order"),
        ({"kind": "asymptotic", "statement": "x ~ x + 1", "in": "x", "order": 3}, "statement"),
        ({"kind": "asymptotic", "statement": "x ~ 0", "in": "x"}, "statement"),
        ({"kind": "asymptotic", "statement": "a ~ a + 1", "in": "x"}, "statement"),
        ({"kind": "asymptotic", "statement": "x = x + 1", "in": "x"}, "statement"),
        ({"kind": "asymptotic", "statement": "x = x*O(1)", "in": "x"}, "statement"),
        ({"kind": "asymptotic", "statement": "x = O(x", "in": "x"}, "statement"),
        ({"kind": "proportional", "statement": "x = x", "in": "x"}, "statement"),
        ({"kind": "proportional", "statement": "x prop x", "in": ["x", "a"]}, "in"),
        ({"kind": "proportional", "statement": "x prop x", "in": "x", "printed": "1"}, "printed"),
        ({"kind": "equal", "statement": "x = x", "in": "x"}, "in"),
        ({"kind": "exists", "statement": "x = a", "in": "x", "witness": {"a": "x"}}, "statement"),
        ({"kind": "exists", "statement": "x = a", "in": "x", "witness": {"x": "x"}}, "statement"),
        ({"kind": "exists", "statement": "x ~ a", "in": "x"}, "statement"),
    ],
)
def test_a_wrong_key_is_named(keys, key):
    with pytest.raises(ClaimError) as error:
        verify.claim_of(entry(**keys))
    assert error.value.asked == f"claim it: {key}"


def test_latex_and_plain_text_mean_the_same():
    symbols = {"w": "positive", r"\alpha": "positive"}
    plain = {"kind": "asymptotic", "statement": "w = alpha + O(w^2)", "symbols": {"w": "positive", "alpha": "positive"}}
    latex = {"kind": "asymptotic", "latex": r"w = \alpha + \mathcal{O}\left(w^{2}\right)", "symbols": symbols}
    one, other = (verify.claim_of({"id": "it", "in": "w", "at": 0, **keys}).statement for keys in (plain, latex))
    w, alpha = sp.symbols("w alpha", positive=True)
    assert one == other == Asymptotic(w - alpha, w**2, w, ZERO, bound=True)


def test_one_line_needs_its_variable():
    with pytest.raises(ClaimError, match="no variable is named"):
        verify.claim("x ~ x + 1", symbols="x positive")
    assert verify.claim("x ~ x + 1", symbols="x positive", variable="x").status is Status.PROVED
    assert verify.claim("2*x prop x", symbols="x positive", variable="x").status is Status.PROVED


def test_a_declared_O_is_a_symbol():
    found = verify.claim_of({"id": "it", "kind": "equal", "statement": "2*O = O + O", "symbols": {"O": "positive"}})
    assert verify.claim(found).status is Status.PROVED
