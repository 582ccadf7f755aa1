"""Balls, boxes and points: what certificates rest on, against mpmath and against points inside."""

import mpmath
import sympy as sp
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling.domain import Domain
from symbolic_scaling.verify.ball import evaluate, tape
from symbolic_scaling.verify.boxes import Field, cover, enclose
from symbolic_scaling.verify.points import points


@given(st.fractions(min_value="1/50", max_value=50), st.fractions(min_value="1/50", max_value=5), st.integers(64, 300))
@settings(max_examples=60, deadline=None)
def test_a_ball_holds_the_value_that_mpmath_finds(base, power, bits):
    x, c = sp.symbols("x c", positive=True)
    expression = sp.log(1 + x**c) * sp.exp(-c) / (x + sp.sqrt(c)) + sp.Max(x, c) ** sp.Rational(2, 3)
    found = evaluate(
        tape(expression), {x: fmpq(base.numerator, base.denominator), c: fmpq(power.numerator, power.denominator)}, bits
    )
    with mpmath.workprec(2 * bits):
        u, v = (mpmath.mpf(one.numerator) / one.denominator for one in (base, power))
        value = mpmath.log(1 + u**v) * mpmath.exp(-v) / (u + mpmath.sqrt(v)) + mpmath.cbrt(max(u, v)) ** 2
        digits = mpmath.nstr(value, int(bits * 0.6))
    with ctx.workprec(2 * bits):
        # the reference carries twice the digits; its own last digit is allowed for
        slack = abs(arb(digits)) * arb(10) ** -int(bits * 0.58)
        assert abs(arb(found) - arb(digits)).lower() <= slack
        assert arb(found).rad() < arb(2) ** (20 - bits)


@given(
    st.lists(st.fractions(min_value="1/10", max_value=4), min_size=4, max_size=4),
    st.fractions(0, 1),
    st.fractions(0, 1),
)
@settings(max_examples=60, deadline=None)
def test_an_enclosure_holds_every_value_of_the_box(ends, s, t):
    x, y = sp.symbols("x y", positive=True)
    field = Field.of(x * sp.exp(-x * y) + (x - y) ** 2 / (x + y))
    box = {x: sorted(ends[:2]), y: sorted(ends[2:])}
    low, high, _ = enclose(
        field, {symbol: tuple(fmpq(e.numerator, e.denominator) for e in pair) for symbol, pair in box.items()}
    )
    inner = {symbol: lo + (hi - lo) * share for (symbol, (lo, hi)), share in zip(box.items(), (s, t), strict=True)}
    value = evaluate(field.value, {symbol: fmpq(e.numerator, e.denominator) for symbol, e in inner.items()}, 96)
    assert not value < arb(low).lower() and not value > arb(high).upper()


def test_cover_refuses_what_is_false_somewhere():
    x = sp.Symbol("x", positive=True)
    box = {x: (fmpq(0), fmpq(2))}
    assert cover(Field.of(x**2 - x + sp.Rational(26, 100)), box, lambda low, _: bool(low > 0), 500)
    assert cover(Field.of(x**2 - x + sp.Rational(24, 100)), box, lambda low, _: bool(low > 0), 500) is None


def test_points_keep_to_ranges_relations_and_integers():
    a, b = sp.symbols("a b", positive=True)
    k = sp.Symbol("k", integer=True)
    domain = Domain.make({b: (2, 3)}, [(a, b**2)])
    found = list(points([a, k], domain, 24))
    assert len(found) > 10
    for point in found:
        exact = point.exact
        assert exact[a] > exact[b] ** 2 and 2 <= exact[b] <= 3 and exact[k].is_integer
