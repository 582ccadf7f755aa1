"""What a verdict holds on: limits from both sides, points where the text is not defined, orders near an end."""

import pytest
import sympy as sp

from symbolic_scaling import budget, verify
from symbolic_scaling.algebra.fraction import expand, factor
from symbolic_scaling.algebra.limits import limit
from symbolic_scaling.algebra.logform import power
from symbolic_scaling.algebra.monomial import multiply
from symbolic_scaling.algebra.read import open_space, read
from symbolic_scaling.algebra.signs import sum_sign
from symbolic_scaling.domain import Domain, Interval
from symbolic_scaling.errors import BudgetExhausted, Undecided
from symbolic_scaling.records import Claim, Status, Tends

x, a = sp.Symbol("x", real=True), sp.Symbol("a", positive=True)
ZERO = sp.Integer(0)


@pytest.mark.parametrize(
    ("statement", "kind", "expected"),
    [
        ("Limit(Abs(x)/x, x, 0) = 1", "real", "REFUTED"),
        ("Limit(Abs(x)/x, x, 0) = -1", "real", "REFUTED"),
        ("Limit(Abs(x)/x, x, 0)^2 = 1", "real", "REFUTED"),
        ("Limit(Abs(x)/x, x, 0) = 1", "positive", "PROVED"),
        ("Limit(Abs(x)/x, x, 0) = 1", "nonnegative", "PROVED"),
        ("Limit(Abs(x)/x, x, 0) = -1", "negative", "PROVED"),
        ("Limit(1/x, x, 0) = oo", "real", "REFUTED"),
        ("Limit(1/x, x, 0) = -oo", "real", "REFUTED"),
        ("Limit(1/x^2, x, 0) = oo", "real", "PROVED"),
        ("Limit(exp(1/x), x, 0) = oo", "real", "REFUTED"),
        ("Limit(exp(1/x), x, 0) = 0", "real", "REFUTED"),
        ("Limit(exp(-1/x^2), x, 0) = 0", "real", "PROVED"),
        ("Limit(sqrt(x^2)/x, x, 0) = 1", "real", "REFUTED"),
        ("Limit(a + a*Abs(x)/x, x, 0) = 2*a", "real", "REFUTED"),
        ("Limit((1 + a*x)^(1/x), x, 0) = exp(a)", "real", "PROVED"),
        ("Limit((x + a*x^2)/x, x, 0) = 1", "real", "PROVED"),
        ("Limit(Abs(x)/x, x, oo) = 1", "real", "PROVED"),
        ("Limit(sqrt(x), x, 0) = 1", "real", "REFUTED"),
    ],
)
def test_a_limit_at_zero_is_taken_from_both_sides_of_a_real_symbol(statement, kind, expected):
    verdict = verify.claim(statement, symbols=f"x {kind}, a positive")
    assert verdict.status.name == expected


def test_a_root_that_exists_from_above_only_has_no_proved_limit():
    assert verify.claim("Limit(sqrt(x), x, 0) = 0", symbols="x real").status is Status.UNDECIDED


def test_both_expansions_are_the_evidence():
    evidence = dict(verify.claim("Limit(1/x, x, 0) = oo", symbols="x real").evidence)
    assert (evidence["from above"], evidence["from below"]) == ("oo", "-oo")


def test_records_are_read_alike():
    def status(domain):
        return verify.claim(Claim("it", Tends(sp.Abs(x) / x, x, ZERO, sp.Integer(1)), domain)).status

    assert status(Domain()) is Status.REFUTED
    assert status(Domain(((x, Interval(0, sp.oo)),))) is Status.PROVED
    assert status(Domain((), ((x, ZERO),))) is Status.PROVED


def test_the_limit_of_the_algebra_names_the_side_it_needs():
    with pytest.raises(Undecided, match="x > 0"):
        limit(1 / x, x, ZERO)
    assert [limit(1 / x, x, ZERO, way=way) for way in (1, -1)] == [sp.oo, -sp.oo]
    assert limit(a + x, x, ZERO) == a


@pytest.mark.parametrize(
    ("statement", "symbols", "where"),
    [
        ("(x - y)/(x - y) = 1", "x y real", "x - y != 0"),
        ("x*(1/x) = 1", "x real", "x != 0"),
        ("x/x = 1", "x nonnegative", "x != 0"),
        ("x/x = 1", "x positive", None),
        ("x/x = 1", "x negative", None),
        ("x^0 = 1", "x real", "x != 0"),
        ("0^x = 0", "x positive", None),
        ("log(x) - log(x) = 0", "x real", "x > 0"),
        ("sqrt(x)^2 = x", "x real", "x >= 0"),
        ("sqrt(x)^2 = x", "x nonnegative", None),
        ("(x*y)/(y*x) <= 1", "x y real", "x*y != 0"),
        ("diff(Max(0, x), x) = 1", "x nonnegative", "x != 0"),
        ("diff(Max(0, x), x) = 1", "x positive", None),
        ("diff(Abs(x), x) = 1", "x nonnegative", "x != 0"),
        ("Max(0, x) = x", "x nonnegative", None),
        ("Limit(x/x, x, oo) = 1", "x real", None),
    ],
)
def test_what_cancels_while_the_text_is_read_is_a_condition(statement, symbols, where):
    verdict = verify.claim(statement, symbols=symbols)
    assert verdict.status is Status.PROVED
    assert dict(verdict.evidence).get("where") == where
    assert [key for key, _ in verdict.evidence].count("where") == (where is not None)


def test_zero_to_the_power_zero_has_no_value():
    verdict = verify.claim("0^x = 0", symbols="x nonnegative")
    assert (verdict.status, dict(verdict.evidence)["where"]) == (Status.SUPPORTED, "x > 0")


@pytest.mark.parametrize("form", [{"statement": "u = 1"}, {"latex": r"\frac{x - y}{x - y} = 1"}])
def test_definitions_and_latex_keep_their_conditions(form):
    let = {"let": [["u", "(x - y)/(x - y)"]]} if "statement" in form else {}
    claim = verify.claim_of({"id": "it", "kind": "equal", "symbols": {"x": "real", "y": "real"}, **form, **let})
    verdict = verify.claim(claim)
    assert (verdict.status, dict(verdict.evidence)["where"]) == (Status.PROVED, "x - y != 0")


def test_a_relation_of_the_domain_grants_a_condition():
    y = sp.Symbol("y", real=True)
    verdict = verify.claim("(x - y)/(x - y) = 1", symbols=(x, y), domain=Domain((), ((x, y),)))
    assert "where" not in dict(verdict.evidence)


@pytest.mark.parametrize(
    ("statement", "symbols", "expected"),
    [
        ("exp(x) >= 1 + x", "x real", "PROVED"),
        ("exp(x) > 1 + x", "x positive", "PROVED"),
        ("exp(x) > 1 + x", "x negative", "PROVED"),
        ("exp(x) > 1 + x + x^2/2", "x positive", "PROVED"),
        ("exp(x) > 1 + x", "x real", "REFUTED"),
        ("exp(x) >= 1 + x", "x nonnegative", "PROVED"),
        ("R > Rs*(1 - exp(-R/Rs))", "R Rs positive", "PROVED"),
        ("R < Rs*(1 - exp(-R/Rs))", "R Rs positive", "REFUTED"),
        ("k^eta + k^(-eta) >= 2", "k eta positive", "PROVED"),
        ("k^eta + k^(-eta) > 2", "k eta positive", "REFUTED"),
        ("k^eta + 4*k^(-eta) >= 4", "k eta positive", "PROVED"),
        ("log(1 + x) < x", "x positive", "PROVED"),
        ("x - x^2/2 < log(1 + x)", "x positive", "PROVED"),
    ],
)
def test_orders_that_start_from_an_end(statement, symbols, expected):
    assert verify.claim(statement, symbols=symbols).status.name == expected


@pytest.mark.parametrize(
    "statement", ["-1/x > 0", "-1/(x - 1) > 0", "1/(1 - x)^3 > 0", "log(x^2) < 2*x - 4", "x^3 >= 0"]
)
def test_poles_and_zeros_on_the_way_are_not_jumped(statement):
    assert verify.claim(statement, symbols="x real").status is Status.REFUTED


def test_every_step_of_the_algebra_looks_at_the_clock():
    names = sp.symbols("a:j", positive=True)
    total = sp.Add(*names) - 1
    space = open_space([total], Domain())
    terms, lower, root = (read(space, one) for one in (total, total - 1, sp.sqrt(total)))
    steps = (
        lambda: multiply(terms, terms),
        lambda: expand(space, root),
        lambda: factor(space, terms),
        lambda: sum_sign(space, lower),
        lambda: power(space, terms, space.exponent(2)),
    )
    for step in steps:
        with budget.limit(1e-9), pytest.raises(BudgetExhausted):
            step()
    with budget.limit(60):
        assert len(multiply(terms, terms)) == 66
