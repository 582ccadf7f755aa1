"""Signs and inequalities of random expressions, on random domains of symbols of every sign, at points of the domain.

A sign that is found must be the sign at every point; an inequality that is proved must be false at none.
"""

from __future__ import annotations

import itertools
import random

import pytest
import sympy as sp

from symbolic_scaling import Domain, Interval, budget
from symbolic_scaling.algebra import order
from symbolic_scaling.errors import ScalingError
from symbolic_scaling.records import Status
from symbolic_scaling.verify import inequality
from symbolic_scaling.verify.ball import Unclear, Undefined, gap, tape
from symbolic_scaling.verify.points import points

KINDS = ("positive", "negative", "nonnegative", "real", "real")
FAST, SLOW = 400, 20_000
BOTH = pytest.mark.parametrize("count", [FAST, pytest.param(SLOW, marks=pytest.mark.slow)])


def number(rng: random.Random) -> sp.Rational:
    return sp.Rational(rng.randint(-6, 6), rng.choice((1, 2, 3)))


def interval(rng: random.Random) -> Interval:
    lo, hi = sorted((number(rng), number(rng)))
    kinds = [Interval(-sp.oo, hi), Interval(lo, sp.oo), Interval(-sp.oo, 0), Interval(0, sp.oo, lo_open=False)]
    kinds += [Interval(lo, hi), Interval(lo, hi, lo_open=False, hi_open=False)] if lo < hi else []
    return rng.choice(kinds)


def domain(rng: random.Random, symbols: list[sp.Symbol]) -> Domain:
    ranges = {symbol: interval(rng) for symbol in symbols if rng.random() < 0.6}
    tied = [rng.choice([(symbols[0], symbols[1]), (symbols[0] + symbols[1], number(rng))])] if len(symbols) > 1 else []
    return Domain.make(ranges, tied if rng.random() < 0.4 else ())


def expression(rng: random.Random, symbols: list[sp.Symbol], depth: int) -> sp.Expr:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([*symbols, *symbols, number(rng)])
    parts = [expression(rng, symbols, depth - 1) for _ in range(2)]
    powers = (2, 3, 4, -1, -2, sp.Rational(1, 2))
    made = [parts[0] + parts[1], parts[0] - parts[1], parts[0] * parts[1], parts[0] ** rng.choice(powers)]
    return rng.choices([*made, sp.exp(parts[0]), sp.log(parts[0])], weights=(40, 5, 25, 20, 7, 3))[0]


def cases(seed: int, count: int):
    """Expressions with real values somewhere, and domains that are not empty."""
    rng = random.Random(seed)
    while count:
        count -= 1
        symbols = [sp.Symbol(name, **{rng.choice(KINDS): True}) for name in ("a", "b")[: rng.randint(1, 2)]]
        try:
            where, made = domain(rng, symbols), expression(rng, symbols, rng.choice((2, 3)))
        except ScalingError:
            continue
        if made.free_symbols and not made.has(sp.I, sp.oo, sp.zoo, sp.nan):
            yield made, where


def signs_at_points(made: sp.Expr, where: Domain) -> set[int]:
    found = set()
    for point in points(made.free_symbols, where, 24):
        try:
            found.add(gap(tape(made), tape(sp.Integer(0)), point.balls)[0])
        except (Undefined, Unclear):
            continue
    return found - {None}


@BOTH
def test_a_sign_that_is_found_holds_at_every_point(count):
    known = 0
    for (made, where), strict in itertools.product(cases(1, count), (True, False)):
        try:
            with budget.limit(5):
                sign = order.sign(made, where, strict=strict)
        except ScalingError:
            continue
        if sign is not None:
            known += 1
            allowed = {sign} if strict else {sign, 0}
            assert signs_at_points(made, where) <= allowed, (made, where.facts(), sign)
    assert known > count / 4


@BOTH
def test_an_inequality_that_is_proved_is_false_at_no_point(count):
    proved = 0
    for number_, (made, where) in enumerate(cases(2, count // 4)):
        strict = bool(number_ % 2)
        with budget.limit(10):
            found = inequality.verify(sp.Integer(0), made, where, strict=strict)
        if found.status is Status.PROVED:
            proved += 1
            assert signs_at_points(made, where) <= ({1} if strict else {0, 1}), (made, where.facts())
    assert proved > count / 40
