"""Limits where exponentials, powers and logarithms of one variable stand in each other: what is decided is right."""

from __future__ import annotations

import random

import mpmath as mp
import pytest
import sympy as sp

from symbolic_scaling import budget, verify
from symbolic_scaling.algebra.limits import limit
from symbolic_scaling.errors import Undecided

x = sp.Symbol("x", positive=True)
HALF = sp.Rational(1, 2)
FADE = (1 / x, x**-HALF, sp.exp(-x), x * sp.exp(-x), sp.log(x) / x, x * 3 ** (-x))
GROW = (x, x**2, sp.sqrt(x), sp.log(x), x * sp.log(x), sp.exp(x), 2**x, sp.exp(x) / x)

LIMITS = [
    ((2**x + 1) ** (1 / x) + sp.log(x), sp.oo),
    (sp.log(1 + sp.exp(x) / x), sp.oo),
    (sp.log(1 + sp.exp(x) / x) / x, 1),
    (x * sp.log(1 + x * 3 ** (-x)), 0),
    (sp.exp(x) * sp.log(1 + 3 * x * sp.exp(-x)) / x, 3),
    ((1 + sp.exp(-x)) ** x, 1),
    ((1 + 2 ** (-x)) ** (2**x), sp.E),
    ((1 + x**-2) ** (x**3), sp.oo),
    ((HALF + 1 / x) ** x, 0),
    (sp.log(sp.log(x) + 1), sp.oo),
]


@pytest.mark.parametrize(("expression", "expected"), LIMITS, ids=str)
def test_mixed_growth(expression: sp.Expr, expected: object) -> None:
    assert limit(expression, x, sp.oo) == expected


@pytest.mark.parametrize(
    "expression",
    [
        (1 + 1 / x) ** (sp.exp(x) / x),
        2**x * (2 + 2 ** (-x)) ** (sp.exp(x) / x) * sp.exp(-x),
        sp.log(x) / sp.log(sp.log(x) + 1),
    ],
    ids=str,
)
def test_what_two_scales_do_not_order_is_a_question(expression: sp.Expr) -> None:
    with pytest.raises(Undecided):
        limit(expression, x, sp.oo)


def drawn(rng: random.Random, depth: int) -> sp.Expr:
    """A random expression of x out of what limits must order."""
    number, fade, grow = rng.choice((1, 2, HALF, 3)), rng.choice(FADE), rng.choice(GROW)
    if depth == 0:
        return rng.choice((fade, grow, sp.Integer(1)))
    kinds = (
        lambda: drawn(rng, depth - 1) + drawn(rng, depth - 1),
        lambda: drawn(rng, depth - 1) * drawn(rng, depth - 1),
        lambda: (rng.choice((1, 2, HALF)) + number * fade) ** (rng.choice((1, -1, 2)) * grow),
        lambda: sp.log(1 + number * fade) * grow,
        lambda: sp.log(number + grow),
        lambda: (number + grow) ** rng.choice((HALF, -1, 2, 1 / x)),
    )
    return rng.choice(kinds)()


def goes_there(expression: sp.Expr, value: sp.Expr) -> bool:
    """Whether the expression comes closer to the value from x = 400 to x = 3000, at 4000 digits."""
    with mp.workdps(4000):
        near, far = (sp.lambdify(x, expression, "mpmath")(mp.mpf(place)) for place in (400, 3000))
        if value.is_infinite:
            return bool(far > max(near, 0)) if value == sp.oo else bool(far < min(near, 0))
        aim = mp.mpf(sp.N(value, 60))
        return bool(abs(far - aim) < max(abs(near - aim), mp.mpf("1e-50")))


def test_a_decided_limit_is_where_the_function_goes() -> None:
    rng = random.Random(5)
    decided = 0
    for _ in range(150):
        expression = drawn(rng, 2)
        try:
            with budget.limit(5):
                value = limit(expression, x, sp.oo)
        except Undecided:
            continue
        decided += 1
        assert goes_there(expression, value), (expression, value)
    assert decided > 80


def test_no_infinite_limit_is_proved_against_its_values() -> None:
    text = "Limit(log(1 + exp(x)/x), x, oo) = "
    assert [verify.claim(text + end, symbols="x positive").status.name for end in ("oo", "-oo")] == [
        "PROVED",
        "REFUTED",
    ]
