"""The normal form, signs and limits: statements of the mathematics on random expressions."""

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling.algebra import limits, order, zero
from symbolic_scaling.domain import Domain, Interval
from symbolic_scaling.errors import Undecided

x, y, a, b, c = SYMBOLS = sp.symbols("x y a b c", positive=True)
n = sp.Symbol("n", negative=True)
q = sp.Symbol("q", real=True)
g = sp.Symbol("g", nonnegative=True)

rationals = st.builds(sp.Rational, st.integers(1, 9), st.integers(1, 4))
exponents = st.one_of(
    st.integers(-3, 3).map(sp.Integer),
    st.sampled_from([a, b, -a, a / b, a + b, 1 / a, b - a, a * b / (a + b), n, sp.Rational(1, 2), sp.Rational(-2, 3)]),
)


def positive(depth: int = 2) -> st.SearchStrategy[sp.Expr]:
    """Expressions that are positive for all positive symbols."""
    leaves = st.one_of(st.sampled_from([x, y, c]), rationals)
    if depth == 0:
        return leaves
    inner = positive(depth - 1)
    return st.one_of(
        leaves,
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
        st.tuples(inner, exponents).map(lambda pair: pair[0] ** pair[1]),
    )


def rewritten(expression: sp.Expr, seed: int) -> sp.Expr:
    """The same function written another way."""
    ways = [
        sp.expand,
        sp.together,
        sp.expand_power_base,
        sp.expand_power_exp,
        sp.powsimp,
        lambda e: sp.exp(sp.expand_log(sp.log(e))),
        lambda e: e.replace(lambda node: node.is_Pow, lambda node: sp.exp(node.exp * sp.log(node.base))),
        lambda e: (e * (a + b) ** c) / (b + a) ** c,
        lambda e: 1 / (1 / e),
    ]
    return ways[seed % len(ways)](ways[(seed // len(ways)) % len(ways)](expression))


@given(positive(3), st.integers(0, 80))
@settings(max_examples=150, deadline=None)
def test_rewriting_is_proved(expression: sp.Expr, seed: int) -> None:
    assert zero.prove_zero(expression - rewritten(expression, seed)) is not None


@given(positive(3), st.integers(0, 80), st.sampled_from([x * y, 1 + x, sp.Rational(1001, 1000), x**a, 1 + sp.exp(-x)]))
@settings(max_examples=150, deadline=None)
def test_a_changed_factor_is_never_proved(expression: sp.Expr, seed: int, factor: sp.Expr) -> None:
    assert zero.prove_zero(expression - rewritten(expression, seed) * factor) is None


@pytest.mark.parametrize(
    "text",
    [
        "sqrt(q**2) - q",  # true for q >= 0 only
        "(q*x)**y - q**y*x**y if q < 0",
        "log(q*q) - 2*log(q)",
        "exp(pi*sqrt(163)) - 262537412640768744",  # agrees to 30 digits
        "sin(pi*x) on integers",
    ],
)
def test_what_holds_on_part_of_the_domain_is_not_proved(text: str) -> None:
    cases = {
        "sqrt(q**2) - q": sp.sqrt(q**2) - q,
        "(q*x)**y - q**y*x**y if q < 0": (q * n) ** y - q**y * n**y,
        "log(q*q) - 2*log(q)": sp.log(q * q) - 2 * sp.log(q),
        "exp(pi*sqrt(163)) - 262537412640768744": sp.exp(sp.pi * sp.sqrt(163)) - 262537412640768744,
        "sin(pi*x) on integers": sp.sin(sp.pi * x),
    }
    assert zero.prove_zero(cases[text]) is None


@pytest.mark.parametrize(
    "expression",
    [
        sp.sqrt(a + 2 * sp.sqrt(a * b) + b) - sp.sqrt(a) - sp.sqrt(b),
        sp.sqrt(2) * sp.sqrt(8) - 4,
        sp.log(sp.Rational(99, 1000)) - sp.log(sp.Rational(1, 10)) - sp.log(sp.Rational(99, 100)),
        (x**n) ** (1 / n) - x,
        sp.log(x * y**a / 6) - sp.log(x) - a * sp.log(y) + sp.log(2) + sp.log(3),
        sp.Derivative(x**a, x) - a * x**a / x,
        sp.Max(x, x + y) - x - y,
        sp.Abs(n) + n,
        1 / (a + 1 / (b + 1 / c)) - (b * c + 1) / (a * b * c + a + c),
    ],
)
def test_identities_that_need_every_part_of_the_zero_test(expression: sp.Expr) -> None:
    assert zero.prove_zero(expression) is not None


def test_a_sign_that_the_domain_fixes_opens_a_power() -> None:
    hi, lo, e = sp.symbols("hi lo e", positive=True)
    expression = ((hi - lo) * x) ** a - (hi - lo) ** a * x**a
    where = Domain.make({}, [(hi, e), (e, lo)])
    assert zero.prove_zero(expression, where) == ("e > lo", "hi - lo > 0", "hi > e")


SIGNED = [
    (1 - b, {b: (sp.Rational(1, 10), 1)}, None),  # zero at an end that belongs to the domain
    (1 - b, {b: Interval(0, 1)}, 1),
    (x**a - y**a, {x: (2, 3), y: (sp.Rational(1, 2), 1)}, 1),
    (x ** (a + b) - 1, {x: (sp.Rational(1, 20), sp.Rational(19, 20))}, -1),
    (x * y - x - y + 1, {x: (1, 2), y: (1, 2)}, None),
    (x * y - x - y + 2, {x: (1, 2), y: (1, 2)}, 1),
    (q**2 + 1, {}, 1),
    (q**2, {}, None),
    (1 / x + g, {}, 1),
    (g, {}, None),
    (a - b, {}, None),
    (sp.log(1 + x), {}, 1),
    (1 - sp.exp(-x), {}, 1),
    (x**n - 1, {x: (2, 3)}, -1),
]


@pytest.mark.parametrize(("expression", "ranges", "expected"), SIGNED, ids=str)
def test_signs(expression: sp.Expr, ranges: dict[sp.Symbol, object], expected: int | None) -> None:
    assert order.sign(expression, Domain.make(ranges)) == expected


@given(positive(2), positive(2), st.integers(0, 1000))
@settings(max_examples=120, deadline=None)
def test_a_decided_sign_agrees_with_every_point(left: sp.Expr, right: sp.Expr, seed: int) -> None:
    where = Domain.make({x: (1, 3), y: (sp.Rational(1, 2), 1), c: (1, 2), a: (1, 2), b: (sp.Rational(1, 4), 2)})
    sign = order.sign(left - right, where)
    for point in where.sample((left - right).free_symbols | {x}, 5, seed):
        value = (left - right).evalf(30, subs=point | {n: -1})  # exact substitution can build huge integers
        assert sign is None or (sign == 0 and abs(value) < 1e-20) or sign * value > 0


def test_a_relation_between_real_symbols_fixes_the_sign_of_their_difference() -> None:
    u, v = sp.symbols("u v", real=True)
    assert order.sign(u - v, Domain.make({}, [(u, v)])) == 1
    assert order.sign(v - u, Domain.make({}, [(u, v)])) == -1
    assert order.sign(u + v, Domain.make({}, [(u, v)])) is None


def test_an_open_question_is_named() -> None:
    with pytest.raises(Undecided) as caught:
        order.smallest([a, b], None, "order exponents")
    assert caught.value.question == "a - b > 0"
    assert order.smallest([a, b], Domain.make({}, [(a, b)]), "order exponents") == 1


LIMITS = [
    (a + b * x**n, sp.oo, {}, a),
    (a + b * x**n, 0, {}, sp.oo),
    (x * (b * (1 / x + c) ** a - b * c**a), sp.oo, {}, a * b * c ** (a - 1)),
    (sp.sqrt(x**2 + x) - x, sp.oo, {}, sp.Rational(1, 2)),
    ((1 + a / x) ** x, sp.oo, {}, sp.exp(a)),
    (sp.log(a + b * x**c) / sp.log(x), sp.oo, {}, c),
    (sp.log(x) / x**a, sp.oo, {}, 0),
    (x**x, 0, {}, 1),
    ((1 + 3 ** (1 / x)) ** (-x), 0, {}, sp.Rational(1, 3)),
    (((y / c) ** (1 / x) + 1) ** (-b * x), 0, {y: (2, 3), c: (1, sp.Rational(3, 2))}, (y / c) ** (-b)),
    (((y / c) ** (1 / x) + 1) ** (-b * x), 0, {c: (2, 3), y: (1, sp.Rational(3, 2))}, 1),
    (x**a * sp.exp(-x) + b, sp.oo, {}, b),
    ((1 - sp.exp(-x)) / x, 0, {}, 1),
    ((2**x + 3**x) ** (1 / x), sp.oo, {}, 3),
    ((y**x + b**x) ** (1 / x), 0, {}, sp.oo),
    ((y**x / 2 + b**x / 2) ** (1 / x), 0, {}, sp.sqrt(b * y)),
    ((1 + 2 ** (1 / x)) ** x / 3**x, sp.oo, {}, 0),
    (y * (1 - (1 - b) ** x) / b, sp.oo, {b: (sp.Rational(1, 20), sp.Rational(9, 10))}, y / b),
]


@pytest.mark.parametrize(("expression", "point", "ranges", "expected"), LIMITS, ids=str)
def test_limits(expression: sp.Expr, point: object, ranges: dict[sp.Symbol, object], expected: object) -> None:
    found = limits.limit(expression, x, sp.sympify(point), Domain.make(ranges))
    assert found == expected or zero.prove_zero(found - expected) is not None


def test_an_undecidable_limit_is_a_question() -> None:
    with pytest.raises(Undecided):
        limits.limit(x**a - x**b, x, sp.oo)
    assert limits.limit(x**a - x**b, x, sp.oo, Domain.make({}, [(a, b)])) == sp.oo
    with pytest.raises(Undecided):
        limits.limit(sp.sin(x), x, sp.oo)


@given(positive(2), positive(2))
@settings(max_examples=60, deadline=None)
def test_a_finite_limit_is_where_the_function_goes(top: sp.Expr, bottom: sp.Expr) -> None:
    point = {
        y: sp.Rational(3, 2),
        c: sp.Rational(5, 7),
        a: sp.Rational(4, 3),
        b: sp.Rational(3, 4),
        n: sp.Rational(-5, 6),
    }
    ratio = (top / bottom).subs(point)
    try:
        found = limits.limit(ratio, x, sp.oo)
    except Undecided:
        return
    with mpmath.workdps(60):
        far = sp.lambdify(x, ratio, "mpmath")
        values = [far(mpmath.mpf(10) ** k) for k in (120, 240)]
        if found == sp.oo:
            assert values[1] > values[0] > 0
        elif found == 0:
            assert 0 < values[1] < values[0]
        else:
            assert mpmath.almosteq(values[1], mpmath.mpf(str(sp.N(found, 50))), 1e-6)
