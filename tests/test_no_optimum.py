"""Where there is no interior optimum, or a family of them, the engine says so; the raw law says what is true."""

from __future__ import annotations

import math
import random
from itertools import pairwise
from typing import Any

import mpmath
import pytest
import sympy as sp

from symbolic_scaling import derive, laws
from symbolic_scaling.errors import NoOptimum


def powers_drawn(rng: random.Random) -> tuple[list[sp.Rational], sp.Rational]:
    """Exponents of N and D in two terms, and of D in the cost; one in four draws has the cost's own direction."""
    size = lambda: sp.Rational(f"{10 ** rng.uniform(-2, math.log10(5)):.2g}") * rng.choice((-1, -1, 1))  # noqa: E731
    price, first = abs(size()), size()
    if rng.random() < 0.25:
        return [first, first * price], price
    return [first, size()], price


def turns(rng: random.Random, terms: list[tuple[sp.Rational, sp.Rational]], price: sp.Rational) -> str:
    """What the raw law does along the budget, from its values alone."""
    sizes = [mpmath.mpf(10) ** rng.uniform(-12, 30) for _ in terms]

    def at(u: Any) -> Any:
        log_d = -u * price.q / price.p
        return sum(k * mpmath.exp((u * n.p) / n.q + log_d * d.p / d.q) for k, (n, d) in zip(sizes, terms, strict=True))

    with mpmath.workdps(60):
        walk = [at(mpmath.mpf(u)) for u in range(-400_000, 400_001, 50_000)]
        moves = {
            mpmath.sign(after / before - 1) * (abs(after / before - 1) > 1e-40) for before, after in pairwise(walk)
        }
    if moves == {0}:
        return "family"
    return "optimum" if {1, -1} <= moves else "none"


def two_terms(rng: random.Random) -> tuple[str, str]:
    """The engine's word and that of the raw law, for A*N**e + B*D**f, or A*(N*D**p)**e alone, under N*D**p."""
    (e, f), p = powers_drawn(rng)
    one_term = f == e * p
    text = "L = E + A*N^e*D^(e*p)" if one_term else "L = E + A*N^e + B*D^f"
    terms = [(e, f)] if one_term else [(e, sp.Integer(0)), (sp.Integer(0), f)]
    signs = [f"{name} {'>' if value > 0 else '<'} 0" for name, value in (("e", e), ("f", f), ("p", p))]
    law = laws.formula(text, ["N", "D"])
    try:
        derive.frontier(law, "C = N*D^p", given=[sign for sign in signs if sign[0] != "f" or not one_term])
        said = "optimum"
    except NoOptimum as error:
        said = "family" if "family" in error.found else "none"
    return said, turns(rng, terms, p)


def agree_on_optima(count: int) -> None:
    seen: dict[str, int] = {}
    for seed in range(count):
        said, true = two_terms(random.Random(f"kinds {seed}"))
        assert said == true, (seed, said, true)
        seen[said] = seen.get(said, 0) + 1
    assert len(seen) == 3 and min(seen.values()) > count / 20, seen


def test_no_optimum_and_families_are_told_apart() -> None:
    agree_on_optima(20)


@pytest.mark.slow
def test_no_optimum_and_families_are_told_apart_at_two_hundred() -> None:
    agree_on_optima(200)
