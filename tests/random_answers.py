"""Answers to random laws looked at numerically: at a point of their domain, from the law's raw form alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import mpmath
import sympy as sp
from random_laws import AMPLITUDES, EXPONENTS
from strategies import DIGITS, numeric

from symbolic_scaling import Derivation, Law, Series, notation

__all__ = ["LOOKS", "look"]


def some_point(law: Law, given: tuple[str, ...], rng: random.Random) -> dict[sp.Symbol, Any] | None:
    """Numbers for the letters at which the law has a value and what is given holds; None where few are so."""
    assert law.explicit is not None
    y = law.response.symbol
    names = {**law.symbols, **{s.name: s for s in (*AMPLITUDES, *EXPONENTS)}}
    assumed = [notation.relation(text, names).ordered for text in given if ">" in text]
    for _ in range(30):
        point = {s: sp.Rational(rng.randint(20, 300), 100) for s in (*law.inputs, *law.constants)}
        point = {s: -v if not s.is_positive and rng.random() < 0.5 else v for s, v in point.items()}
        try:
            whole: dict[sp.Symbol, Any] = {**point, y: value_at(law, point)}
            if mpmath.isfinite(whole[y]) and all(numeric(a - b, whole) > 0 for a, b in filter(None, assumed)):
                return whole
        except (TypeError, KeyError, ZeroDivisionError, ValueError):  # a complex value, or a letter of the answer
            continue
    return None


def value_at(law: Law, point: dict[sp.Symbol, Any]) -> Any:
    assert law.explicit is not None
    return numeric(law.explicit, point)


def plain(value: Any) -> Any:
    return mpmath.mpf(value.p) / value.q if isinstance(value, sp.Rational) else value


def moved(law: Law, point: dict[sp.Symbol, Any], **logs: Any) -> Any:
    """The raw law where inputs are multiplied by ``exp(log)``."""
    shift = {s: plain(point[s]) * mpmath.exp(logs[s.name]) for s in law.inputs if s.name in logs}
    return value_at(law, {**point, **shift})


def gradient_agrees(law: Law, found: Derivation, point: dict[sp.Symbol, Any], rng: random.Random) -> None:
    h = mpmath.mpf(10) ** -25
    for name, slope in found.found:
        x = law.symbols[name]
        measured = (moved(law, point, **{name: h}) - moved(law, point, **{name: -h})) / (2 * h)
        got = numeric(x * slope, point)
        assert abs(got - measured) <= mpmath.mpf(10) ** -15 * (
            abs(got) + abs(measured) + abs(point[law.response.symbol])
        )


def hessian_agrees(law: Law, found: Derivation, point: dict[sp.Symbol, Any], rng: random.Random) -> None:
    """The second differences in plain coordinates."""
    h = mpmath.mpf(10) ** -20
    for name, bend in found.found:
        u, v = (law.symbols[part] for part in name.split(","))

        def at(i: int, j: int) -> Any:
            shift = {s: plain(point[s]) for s in (u, v)}  # noqa: B023
            shift[u] += i * h  # noqa: B023
            shift[v] += j * h  # noqa: B023
            return value_at(law, {**point, **shift})

        corners = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
        measured = sum(i * j * at(i, j) for i, j in corners) / (4 * h**2)
        got = numeric(bend, point)
        assert abs(got - measured) <= mpmath.mpf(10) ** -10 * (1 + abs(got) + abs(point[law.response.symbol])), name


def elasticity_agrees(law: Law, found: Derivation, point: dict[sp.Symbol, Any], rng: random.Random) -> None:
    h, y = mpmath.mpf(10) ** -25, point[law.response.symbol]
    for name, value in found.found:
        measured = (moved(law, point, **{name: h}) - moved(law, point, **{name: -h})) / (2 * h) / y
        assert abs(numeric(value, point) - measured) <= mpmath.mpf(10) ** -15 * (1 + abs(measured)), name


def inverse_agrees(law: Law, found: Derivation, point: dict[sp.Symbol, Any], rng: random.Random) -> None:
    for name, value in found.found:
        if isinstance(value, sp.Expr):
            assert abs(mpmath.log(numeric(value, point) / plain(point[law.symbols[name]]))) < 1e-30, name


def optimum_agrees(law: Law, found: Derivation, point: dict[sp.Symbol, Any], rng: random.Random) -> None:
    """No input does better, and the response there is as said."""
    for x in law.inputs:
        at = dict(found.found).get(x.name)
        if not isinstance(at, sp.Expr):
            continue
        best = {**point, x: numeric(at, point)}
        least = value_at(law, best)
        said = dict(found.found).get(law.response.symbol.name)
        if said is not None:
            assert abs(numeric(said, point) - least) <= mpmath.mpf(10) ** -30 * (1 + abs(least))
        for move in (*(rng.uniform(-3, 3) for _ in range(6)), 0.01, -0.01):
            assert moved(law, best, **{x.name: move}) > least, (move, found.title)


def limits_agree(law: Law, found: Derivation, point: dict[sp.Symbol, Any], rng: random.Random) -> None:
    """Ever nearer the limit, or ever larger."""
    for name, value in found.found:
        x, end = name.split("->")
        sign = 1 if end == "oo" else -1
        place = law.symbols[x]
        near, far = (value_at(law, {**point, place: mpmath.mpf(10) ** (sign * k)}) for k in (300, 3000))
        if value.is_infinite:
            assert far * sp.sign(value) > near * sp.sign(value), name
        else:
            goal = numeric(value, point)
            assert abs(far - goal) <= abs(near - goal) + mpmath.mpf(10) ** (20 - DIGITS) * (1 + abs(goal)), name


def series_agrees(law: Law, found: Derivation, point: dict[sp.Symbol, Any], rng: random.Random) -> None:
    """What is left over the last term goes to zero."""
    ((_, value),) = found.found
    assert isinstance(value, Series)
    x, sign = value.variable, 1 if value.at == sp.oo else -1
    total, last = sp.Add(*(c * value.small**p for c, p in value.terms)), value.terms[-1]
    rest: list[Any] = []
    for k in (100, 1000):
        there = {**point, x: mpmath.mpf(10) ** (sign * k)}
        whole = value_at(law, there)
        term = numeric(last[0] * value.small ** last[1], there)
        if abs(term) < mpmath.mpf(10) ** (20 - DIGITS) * abs(whole):
            return  # the digits do not show the last term
        rest.append(abs((whole - numeric(total, there)) / term))
    assert rest[1] <= rest[0] + mpmath.mpf(10) ** -15, (rest, found.title)


LOOKS: dict[str, Callable[[Law, Derivation, dict[sp.Symbol, Any], random.Random], None]] = {
    "gradient": gradient_agrees,
    "hessian": hessian_agrees,
    "elasticity": elasticity_agrees,
    "inverse": inverse_agrees,
    "optimum": optimum_agrees,
    "limits": limits_agree,
    "series": series_agrees,
}


def look(name: str, found: Derivation, rng: random.Random) -> bool:
    """Whether an answer could be looked at; it agrees with the raw law if so."""
    law = found.law
    if name not in LOOKS or law.explicit is None:
        return False
    with mpmath.workdps(DIGITS):
        point = some_point(law, found.given, rng)
        if point is None:
            return False
        try:
            LOOKS[name](law, found, point, rng)
        except (TypeError, OverflowError, ZeroDivisionError, NameError):  # complex, too large, or a kink's delta
            return False
        except AssertionError as error:
            raise AssertionError((law.form, found.found, point)) from error
    return True
