"""Every law has every property: a new file in ``laws/`` is covered without an edit here.

Each check takes a law; ``CHECKS`` lists them, so that a law from elsewhere can be put through all of them.
Tolerances: the difference quotients at 80 digits are right to 1e-30 of the response; 1e-15 leaves room for responses
of which the term in question is a small part.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import mpmath
import pytest
import sympy as sp
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from strategies import DIGITS, Point, numeric, points, response

from symbolic_scaling import Derivation, Law, Less, Root, Status, derive, laws, notation, report, verify
from symbolic_scaling.errors import NoOptimum, ParseError, ScalingError, Unattainable, Undecided

CLOSE = mpmath.mpf(10) ** -15
STEP = mpmath.mpf(10) ** -25
FEW = settings(
    max_examples=4, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)


ONE = settings(FEW, max_examples=1)


def each_point(check: Callable[[Law, Point], None], few: settings = FEW) -> Callable[[Law], None]:
    """A check at one point as a check at random points of the law."""

    def run(law: Law) -> None:
        @few
        @given(point=points(law))
        def inner(point: Point) -> None:
            with mpmath.workdps(DIGITS):
                check(law, point)

        inner()

    run.__name__ = check.__name__
    return run


def moved(law: Law, point: Point, symbols: tuple[sp.Symbol, ...]) -> Callable[..., Any]:
    """The response as a function of relative changes of ``symbols``."""
    start = {symbol: numeric(value, {}) for symbol, value in point.items()}

    def function(*logs: Any) -> Any:
        moves = {s: start[s] * mpmath.exp(u) for s, u in zip(symbols, logs, strict=True)}
        return response(law, {**start, **moves})

    return function


def close(left: Any, right: Any, scale: Any = 0) -> bool:
    return bool(abs(left - right) <= CLOSE * (abs(left) + abs(right) + scale))


def slope_of(function: Callable[[Any], Any]) -> Any:
    """A central difference: the step is 1e-25, so its error is 1e-50 and 80 digits leave 1e-55."""
    return (function(STEP) - function(-STEP)) / (2 * STEP)


def bend_of(function: Callable[[Any], Any]) -> Any:
    """The second derivative likewise, to about 1e-30."""
    return (function(STEP) - 2 * function(mpmath.mpf(0)) + function(-STEP)) / STEP**2


def twist_of(function: Callable[[Any, Any], Any]) -> Any:
    """The mixed second derivative likewise."""
    ends = [(sign * other, function(sign * STEP, other * STEP)) for sign in (1, -1) for other in (1, -1)]
    return sum(sign * value for sign, value in ends) / (4 * STEP**2)


def decided(question: Callable[..., Derivation], law: Law, point: Point, *about: Any) -> Derivation | None:
    """An answer on the part of the domain around the point: each fact that is asked for is read off there.

    None where the engine asks for something that is no relation between constants, or repeats itself.
    """
    given: list[tuple[sp.Expr, sp.Expr]] = []
    while True:
        try:
            return question(law, *about, given=given)
        except Undecided as gap:
            assert gap.question
            try:
                asked = notation.relation(gap.question, law.symbols)
            except ParseError:
                return None
            gap_there = numeric(asked.left - asked.right, point)
            pair = (asked.left, asked.right) if gap_there > 0 else (asked.right, asked.left)
            if asked.op != ">" or pair in given:
                return None
            given.append(pair)


def at_the_end(law: Law, point: Point, x: sp.Symbol, end: str) -> tuple[Any, Any]:
    """The response far out and ten times nearer in the logarithm; less far where 80 digits do not reach."""
    sign = 1 if end == "oo" else -1
    for exponent in (30000, 60):  # with the first an exponent of .01 leaves 1e-300
        try:
            near, far = (
                response(law, {**point, x: mpmath.mpf(10) ** (sign * power)}) for power in (exponent // 10, exponent)
            )
        except ZeroDivisionError:
            continue
        if mpmath.isfinite(far):
            return near, far
    raise AssertionError(f"{law.name} has no value towards {x} = {end}")


@each_point
def gradient_is_the_derivative(law: Law, point: Point) -> None:
    y = response(law, point)
    whole = {**point, law.response.symbol: y}
    for name, slope in derive.gradient(law, over=(*law.inputs, *law.constants)).found:
        symbol = law.symbols[name]
        measured = slope_of(moved(law, point, (symbol,)))
        assert close(numeric(symbol * slope, whole), measured, abs(y) * mpmath.mpf(10) ** -15), name


@each_point
def hessian_is_the_second_derivative(law: Law, point: Point) -> None:
    y = response(law, point)
    whole = {**point, law.response.symbol: y}
    first = dict(derive.gradient(law).found)
    for name, bend in derive.hessian(law).found:
        u, v = (law.symbols[part] for part in name.split(","))
        again = u * first[u.name] if u == v else 0
        expected = numeric(u * v * bend + again, whole)
        function = moved(law, point, (u,) if u == v else (u, v))
        measured = bend_of(function) if u == v else twist_of(function)
        assert close(expected, measured, abs(y) * mpmath.mpf(10) ** -10), name


@each_point
def elasticity_ignores_units(law: Law, point: Point) -> None:
    y = response(law, point)
    for name, value in derive.elasticity(law).found:
        x, unit = law.symbols[name], sp.Rational(1000)
        form = sp.Eq(law.form.lhs.subs(x, x / unit), law.form.rhs.subs(x, x / unit), evaluate=False)
        other = derive.elasticity(replace(law, form=form, costs=()))[name]
        here = {**point, law.response.symbol: y}
        assert close(numeric(value, here), numeric(other, {**here, x: point[x] * unit})), name
        assert close(numeric(value, here), slope_of(moved(law, point, (x,))) / y, CLOSE), name


@each_point
def limits_are_reached_far_out(law: Law, point: Point) -> None:
    found = decided(derive.limits, law, point)
    for name, value in found.found if found else ():
        x, end = name.split("->")
        near, far = at_the_end(law, point, law.symbols[x], end)
        if value.is_infinite:
            assert far * sp.sign(value) > 3 * abs(near), name  # a logarithm grows tenfold, a power more
        else:
            limit = numeric(value, point)
            assert abs(far - limit) <= mpmath.mpf(10) ** -20 * (1 + abs(limit)), name


@each_point
def inverse_gives_the_input_back(law: Law, point: Point) -> None:
    target = sp.Rational(mpmath.nstr(response(law, point), 60))
    constants = {symbol.name: point[symbol] for symbol in law.constants}
    for x in law.inputs:
        held = {symbol.name: point[symbol] for symbol in law.inputs if symbol != x}
        try:
            found = derive.invert_value(law, x, target, constants, held)
        except Undecided:
            assert several_inputs_may_give_it(law, x)
            continue
        except Unattainable:
            # the input moves the response by less than the digits of the evaluation
            assert abs(slope_of(moved(law, point, (x,)))) < mpmath.mpf(10) ** -15 * abs(response(law, point))
            continue
        slope = abs(slope_of(moved(law, point, (x,)))) / abs(response(law, point))
        assert abs(mpmath.log(found / numeric(point[x], {}))) <= 1e-14 + mpmath.mpf(10) ** -25 / slope


def several_inputs_may_give_it(law: Law, x: sp.Symbol) -> bool:
    """Whether the law is known to fall and rise in x, or not known to be monotone."""
    try:
        return len(derive.inverse(law, x).cases) == 2
    except Undecided as gap:
        return bool(gap.question)


@each_point
def optimum_is_where_the_response_is_least(law: Law, point: Point) -> None:
    for x in law.inputs:
        profile = moved(law, point, (x,))
        try:
            found = decided(derive.optimum, law, point, x)
        except NoOptimum:
            samples = [profile(u) for u in range(-60, 61, 5)]
            rises = [after - before for before, after in itertools.pairwise(samples)]
            assert all(r >= 0 for r in rises) or all(r <= 0 for r in rises)
            continue
        except ScalingError as error:
            assert "not a monotone function of a sum" in error.found
            continue
        best = found[x.name] if found else None
        if best is None or isinstance(best, Root):
            continue
        least = golden(profile)
        assert abs(mpmath.log(numeric(best, point) / numeric(point[x], {})) - least) < mpmath.mpf(10) ** -12


@each_point
def frontier_is_the_least_response(law: Law, point: Point) -> None:
    for cost in law.costs if len(law.inputs) == 2 else ():
        found = decided(derive.frontier, law, point, cost)
        assert found is not None
        spent = numeric(cost.expression, point)
        first, second = law.inputs
        left = sp.solve(sp.Eq(cost.expression, cost.symbol), second)[0]  # linear in one input
        start = {s: numeric(v, {}) for s, v in point.items()} | {cost.symbol: spent}

        def profile(u: Any) -> Any:
            here = {**start, first: start[first] * mpmath.exp(u)}  # noqa: B023
            return response(law, {**here, second: numeric(left, here)})  # noqa: B023

        least = golden(profile)
        best = numeric(found[first.name], start)
        assert abs(mpmath.log(best / start[first]) - least) < mpmath.mpf(10) ** -12
        assert close(numeric(found[law.response.symbol.name], start), profile(least))


def golden(profile: Callable[[Any], Any], lo: int = -3000, hi: int = 3000) -> Any:
    """The minimum of a quasiconvex function of a log coordinate, by golden sections at ``DIGITS`` digits."""
    ratio = (mpmath.sqrt(5) - 1) / 2
    low, high = mpmath.mpf(lo), mpmath.mpf(hi)
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = profile(left), profile(right)
    while high - low > mpmath.mpf(10) ** -14:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = profile(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = profile(right)
    return (low + high) / 2


def text_reads_back(law: Law) -> None:
    expressions = [law.form.lhs, law.form.rhs, *(value for _, value in derive.gradient(law).found)]
    for expression in expressions:
        assert notation.parse(notation.text(expression), law.symbols) == expression
    assert law.name in report.text(law) or law.title in report.text(law)
    assert "\\" in report.latex(law)
    assert law._repr_latex_().count("$") == 2


def no_step_is_refuted(law: Law, point: Point) -> None:
    """Equalities are proved or hold to many digits; the first laws' are all proved in ``test_derive``."""
    asked = [(derive.gradient,), (derive.limits,), *((derive.inverse, x) for x in law.inputs)]
    for question, *about in asked:
        found = decided(question, law, point, *about)
        for claim in found.claims if found else ():
            verdict = verify.claim(claim, budget=5.0)
            allowed = {Status.PROVED, Status.SUPPORTED} | (
                {Status.UNDECIDED} if isinstance(claim.statement, Less) else set()
            )
            assert verdict.status in allowed, (found.title, claim.name, verdict.evidence)


CHECKS: tuple[Callable[[Law], None], ...] = (
    gradient_is_the_derivative,
    hessian_is_the_second_derivative,
    elasticity_ignores_units,
    limits_are_reached_far_out,
    inverse_gives_the_input_back,
    optimum_is_where_the_response_is_least,
    frontier_is_the_least_response,
    text_reads_back,
    each_point(no_step_is_refuted, few=ONE),
)


@pytest.mark.parametrize("name", laws.names())
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_law(name: str, check: Callable[[Law], None]) -> None:
    check(laws.get(name))


@pytest.mark.parametrize("name", laws.names())
@FEW
@given(data=st.data())
def test_the_strategy_stays_inside_the_domain(name: str, data: st.DataObject) -> None:
    law = laws.get(name)
    point = data.draw(points(law))
    y = response(law, point)
    for greater, lesser in law.domain.relations:
        assert numeric(greater - lesser, {**point, law.response.symbol: y}) > 0
