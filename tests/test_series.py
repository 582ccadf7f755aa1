"""Series of laws at both ends of an input: the remainder is the next term, inside the radius the sum converges."""

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import Status, derive, laws, verify
from symbolic_scaling.algebra import lagrange
from symbolic_scaling.derive.series import total
from symbolic_scaling.errors import DomainError, LawError, ScalingError

shapes = st.fixed_dictionaries(
    {
        "alpha": st.floats(0.05, 5),
        "beta": st.floats(0.1, 50),
        "c": st.floats(-2, -0.1),
        "eps_inf": st.floats(0.01, 1),
        "gap": st.floats(0.2, 3),
    }
)


def m4_excess(alpha: mpmath.mpf, gap: mpmath.mpf, t: mpmath.mpf) -> mpmath.mpf:
    """The root w of ``w = t*(gap - w)**alpha`` by bisection on the printed equation, without any series."""
    lo, hi = mpmath.mpf(0), gap
    for _ in range(400):
        middle = (lo + hi) / 2
        lo, hi = (middle, hi) if middle < t * (gap - middle) ** alpha else (lo, middle)
    return (lo + hi) / 2


@pytest.mark.parametrize("at", ["oo", "0"])
@given(shapes, st.integers(1, 6))
@settings(max_examples=12, deadline=None)
def test_m4_error_over_the_next_term_goes_to_one(at: str, shape: dict[str, float], order: int) -> None:
    law = laws.get("m4")
    found = derive.series(law, "x", order + 1, at)["eps_x"]
    with mpmath.workdps(80):
        alpha, beta, c, low, gap = (mpmath.mpf(shape[k]) for k in ("alpha", "beta", "c", "eps_inf", "gap"))
        small = mpmath.mpf(10) ** -20
        power = c if at == "oo" else c / alpha
        x = (small / beta ** (1 if at == "oo" else -1 / alpha)) ** ((1 if at == "oo" else -1) / power)
        values = {"alpha": alpha, "beta": beta, "c": c, "eps_inf": low, "eps_0": low + gap, "x": x}
        parts = [_value(value * found.small**power_, law, values) for value, power_ in found.terms]
        end = low + gap if at == "0" else low
        if at == "oo":
            exact = m4_excess(alpha, gap, beta * x**c)
        else:
            exact = -m4_excess(1 / alpha, gap, (beta * x**c) ** (-1 / alpha))
        error = exact - mpmath.fsum(parts[1:-1])
        assert abs(parts[0] - end) == 0
        next_term = parts[-1]  # 0 for some whole alpha
        assert abs(error - next_term) <= 1e-6 * abs(next_term) or abs(next_term) < mpmath.mpf(10) ** -78


def _value(expression: sp.Expr, law: object, values: dict[str, mpmath.mpf]) -> mpmath.mpf:
    names = sorted(values)
    symbols = [law.symbols[name] for name in names]  # type: ignore[attr-defined]
    return sp.lambdify(symbols, expression, "mpmath")(*(values[name] for name in names))


@pytest.mark.parametrize("alpha", [sp.Rational(37, 100), sp.Rational(13, 10), sp.Integer(3)])
def test_the_radius_is_where_the_terms_stop_shrinking(alpha: sp.Rational) -> None:
    w, t = sp.symbols("w t", positive=True)
    equation = lagrange.balance(w / (sp.Rational(4, 5) - w) ** alpha / t, w)
    terms = [abs(sp.N(value, 30)) for value in lagrange.invert(equation, 60)]
    # a square-root singularity: |a_n| <= k * r**-n * n**(-3/2), attained in the limit superior
    roots = [(value * n ** sp.Rational(3, 2)) ** sp.Rational(1, n) for n, value in enumerate(terms, 1)]
    assert abs(max(roots[40:]) * sp.N(lagrange.radius(equation)) - 1) < 0.05


def test_the_printed_example() -> None:
    """b = .8, alpha = 1.3, t = .05 gives .035279587 (EQUATIONS, section 1)."""
    w, t = sp.symbols("w t", positive=True)
    equation = lagrange.balance(w / (sp.Rational(4, 5) - w) ** sp.Rational(13, 10) / t, w)
    value = sum(sp.N(c, 30) * 0.05**n for n, c in enumerate(lagrange.invert(equation, 30), 1))
    assert abs(value - 0.035279587) < 5e-10


@given(st.lists(st.integers(-5, 5), min_size=5, max_size=5), st.integers(1, 4))
@settings(max_examples=40, deadline=None)
def test_reversing_twice_gives_the_series_back(rest: list[int], lead: int) -> None:
    terms = [sp.Integer(lead), *map(sp.Integer, rest)]
    assert list(lagrange.reverse(list(lagrange.reverse(terms)))) == terms


def test_the_general_recurrence_agrees_with_the_binomial() -> None:
    w, t, a, b = sp.symbols("w t a b", positive=True)
    one = lagrange.balance(w / (b - w) ** (2 * a) / t, w)
    two = lagrange.Balance(w, t, (((b - w), a), ((b - w), a)))
    for left, right in zip(lagrange.invert(one, 5), lagrange.invert(two, 5), strict=True):
        assert verify.claim(f"{left} = {right}", symbols="a b positive").status is Status.PROVED


@pytest.mark.parametrize(
    ("name", "variable", "order", "at"),
    [("m1", "x", 1, "oo"), ("m2", "x", 1, "0"), ("m3", "x", 2, "oo"), ("m3", "x", 2, "0"), ("m4", "x", 3, "oo"),
     ("m4", "x", 3, "0"), ("chinchilla", "D", 1, "oo"), ("sovit", "t", 1, "oo")],
)  # fmt: skip
def test_every_step_of_a_series_is_proved(name: str, variable: str, order: int, at: str) -> None:
    found = derive.series(laws.get(name), variable, order, at)
    assert found.claims
    assert {verdict.status for verdict in verify.derivation(found)} == {Status.PROVED}


def test_m3_always_falls_like_one_over_x() -> None:
    found = derive.series(laws.get("m3"), "x", 1)["eps_x"]
    x, beta, gamma, c = (laws.get("m3").symbols[name] for name in ("x", "beta", "gamma", "c"))
    assert found.small == 1 / x
    assert [power for _, power in found.terms] == [0, 1]
    assert sp.expand(found.terms[1][0] + c * beta * gamma ** (-c - 1)) == 0
    assert total(found).has(x)


def test_wrong_questions_are_refused() -> None:
    with pytest.raises(LawError, match="find y"):
        derive.series(laws.get("m4"), "y")
    with pytest.raises(ScalingError, match="order 0"):
        derive.series(laws.get("m4"), "x", 0)


def test_an_end_that_the_domain_excludes_has_no_series() -> None:
    with pytest.raises(DomainError, match="not claimed there"):
        derive.series(laws.get("routed"), "E", at=0)  # experts are counted from 1


@pytest.mark.parametrize(
    ("name", "x", "at"), [("m3", "x", "oo"), ("m3", "x", "0"), ("m4", "x", "oo"), ("kaplan-nd", "D", "oo")]
)
def test_the_remainder_is_the_power_of_the_first_term_left_out(name, x, at):
    law = laws.get(name)
    some, more = (derive.series(law, x, order=n, at=at)[law.response.symbol.name] for n in (2, 3))
    assert some.terms == more.terms[: len(some.terms)]
    assert sp.simplify(some.remainder - more.terms[len(some.terms)][1]) == 0
