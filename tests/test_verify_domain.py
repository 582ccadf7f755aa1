"""What a verdict holds on: limits from both sides, points where the text is not defined, orders near an end."""

import pytest
import sympy as sp

from symbolic_scaling import verify
from symbolic_scaling.algebra.limits import limit
from symbolic_scaling.domain import Domain, Interval
from symbolic_scaling.errors import Undecided
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
