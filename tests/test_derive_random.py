"""No call hangs: every question to a random law ends in a derivation or in a typed error, within its budget."""

from __future__ import annotations

import random

import pytest
import sympy as sp

from symbolic_scaling import Derivation, Law, Parameter, Variable, budget, derive
from symbolic_scaling.errors import ScalingError, Undecided

SECONDS = 3.0
INPUTS = sp.symbols("N D R", positive=True)
OUTPUT = sp.Symbol("y", positive=True)
AMPLITUDES = sp.symbols("A B K M P", positive=True)
EXPONENTS = (*sp.symbols("a b c", positive=True), sp.Symbol("s", real=True))


def exponent(rng: random.Random) -> sp.Expr:
    """A symbol of either kind, a rational, or a combination."""
    one, two = rng.choice(EXPONENTS), rng.choice(EXPONENTS)
    number = sp.Rational(rng.choice((-3, -2, -1, 1, 2, 3, 33)), rng.choice((1, 2, 3, 100)))
    return rng.choice((one, -one, number, one - two, one / (one + two), number * one))


def summand(rng: random.Random, inputs: tuple[sp.Symbol, ...]) -> sp.Expr:
    """A monomial in some of the inputs, seldom with a turned sign."""
    chosen = rng.sample(inputs, rng.randint(1, len(inputs)))
    sign = -1 if rng.random() < 0.15 else 1
    return sign * sp.Mul(rng.choice(AMPLITUDES), *(x ** exponent(rng) for x in chosen))


def expression(rng: random.Random, inputs: tuple[sp.Symbol, ...]) -> sp.Expr:
    """A sum of monomials, in half of the cases under one or two outer functions, with or without a floor."""
    found = sp.Add(*(summand(rng, inputs) for _ in range(rng.randint(1, 5))))
    for _ in range(rng.choice((0, 0, 1, 2))):
        shells = (
            lambda inner: inner ** exponent(rng),
            lambda inner: sp.exp(-inner),
            lambda inner: sp.log(1 + inner),
            lambda inner: inner + summand(rng, inputs),
            lambda inner: inner / (1 + summand(rng, inputs)),
        )
        found = rng.choice(shells)(found)
    return found + rng.choice((0, 0, rng.choice(AMPLITUDES)))


def random_law(rng: random.Random) -> tuple[Law, str]:
    """A law, explicit or with its response inside, and a cost of one to three monomials."""
    while True:
        inputs = INPUTS[: rng.randint(1, 3)]
        right = expression(rng, inputs)
        inside = rng.random() < 0.15
        right = right.xreplace({AMPLITUDES[0]: AMPLITUDES[0] * OUTPUT ** exponent(rng)}) if inside else right
        if not right.has(*inputs) or right.has(sp.zoo, sp.nan, sp.oo):
            continue
        used = tuple(x for x in inputs if right.has(x))
        constants = sorted(right.free_symbols - {*inputs, OUTPUT}, key=lambda s: s.name)
        law = Law(
            name="random",
            title="random",
            source="test",
            response=Variable(OUTPUT, "response"),
            variables=tuple(Variable(x, x.name) for x in used),
            parameters=tuple(Parameter(s, s.name) for s in constants),
            form=sp.Eq(OUTPUT, right, evaluate=False),
        )
        terms = [rng.choice((1, 6)) * sp.Mul(*(x ** rng.choice((1, 1, 2)) for x in used))]
        terms += [summand(rng, used) for _ in range(rng.choice((0, 0, 1)))]
        return law, sp.Add(*terms)


def ask(rng: random.Random) -> tuple[str, str]:
    """One law, one question; what came of it, and of what."""
    law, cost = random_law(rng)
    other, _ = random_law(rng)
    x = rng.choice(law.inputs).name
    questions = {
        "gradient": lambda: derive.gradient(law),
        "hessian": lambda: derive.hessian(law),
        "elasticity": lambda: derive.elasticity(law),
        "limits": lambda: derive.limits(law),
        "inverse": lambda: derive.inverse(law, x),
        "optimum": lambda: derive.optimum(law, x),
        "envelope": lambda: derive.envelope(law, x),
        "series": lambda: derive.series(law, x, order=3),
        "frontier": lambda: derive.frontier(law, cost),
        "suboptimality": lambda: derive.suboptimality(law, x, cost),
        "sensitivity": lambda: derive.sensitivity(law, x, cost),
        "crossover": lambda: derive.crossover(law, other, x),
    }
    name = rng.choice(sorted(questions))
    said = f"{name} of {law.form} in {x}, cost {cost}, other {other.form}"
    try:
        with budget.limit(SECONDS):
            found = questions[name]()
    except Undecided as gap:
        assert gap.question, said
        return type(gap).__name__, said
    except ScalingError as error:
        assert error.found and error.remedy, said
        return type(error).__name__, said
    except Exception as error:
        raise AssertionError(said) from error
    assert isinstance(found, Derivation)
    assert found.found or found.cases, said
    assert not any(isinstance(value, sp.Expr) and value.has(sp.nan, sp.zoo) for _, value in found.found), said
    return "Derivation", said


def run(count: int, seed: int) -> dict[str, int]:
    seen: dict[str, int] = {}
    for number in range(count):
        outcome, _ = ask(random.Random(seed + number))
        seen[outcome] = seen.get(outcome, 0) + 1
    return seen


def test_every_question_ends() -> None:
    seen = run(100, 0)
    assert seen["Derivation"] > 20, seen  # the questions are not all refused


@pytest.mark.slow
def test_every_question_ends_on_two_thousand_laws() -> None:
    assert run(2000, 10_000)["Derivation"] > 400
