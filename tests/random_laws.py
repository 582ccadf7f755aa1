"""Random laws: sums of monomials under outer functions, floors, kinks and fractions, explicit or with y inside."""

from __future__ import annotations

import random
from collections.abc import Callable

import sympy as sp

from symbolic_scaling import Law, Parameter, Variable

INPUTS = sp.symbols("N D R", positive=True)
OUTPUT = sp.Symbol("y", positive=True)
AMPLITUDES = A, _, K, M, P = sp.symbols("A B K M P", positive=True)
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
    """A sum of monomials, in half of the cases under up to three outer functions, with or without a floor."""
    found = sp.Add(*(summand(rng, inputs) for _ in range(rng.randint(1, 5))))
    shells: tuple[Callable[[sp.Expr], sp.Expr], ...] = (
        lambda inner: inner ** exponent(rng),
        lambda inner: sp.exp(-inner),
        lambda inner: sp.exp(inner) * summand(rng, inputs),
        lambda inner: 1 - sp.exp(-inner),
        lambda inner: sp.log(1 + inner),
        lambda inner: sp.log(inner) ** 2 + summand(rng, inputs),
        lambda inner: inner + summand(rng, inputs),
        lambda inner: inner * (1 + summand(rng, inputs)),
        lambda inner: inner / (1 + summand(rng, inputs)),
        lambda inner: sp.Max(inner, summand(rng, inputs)),
        lambda inner: sp.Min(inner, rng.choice(AMPLITUDES)),
    )
    for _ in range(rng.choice((0, 0, 0, 1, 2, 3))):
        found = rng.choice(shells)(found)
    return found + rng.choice((0, 0, rng.choice(AMPLITUDES)))


def tame(rng: random.Random, inputs: tuple[sp.Symbol, ...]) -> sp.Expr:
    """A falling power of each input and seldom a rising one, with or without a floor."""
    falling = [A * x**-e for A, x, e in zip(AMPLITUDES, inputs, rng.sample(EXPONENTS[:3], 3), strict=False)]
    beside = [AMPLITUDES[3] * rng.choice(inputs) ** rng.choice(EXPONENTS[:3])] * rng.randint(0, 1)
    return sp.Add(*falling, *beside) + rng.choice((0, AMPLITUDES[4]))


FORMS: dict[str, Callable[[random.Random], sp.Expr]] = {
    "plain": lambda rng: OUTPUT,
    "inside": lambda rng: OUTPUT,
    "own side": lambda rng: rng.choice((OUTPUT / (P - OUTPUT) ** exponent(rng), OUTPUT + OUTPUT ** EXPONENTS[0])),
    "between": lambda rng: (OUTPUT - M) / (P - OUTPUT) ** rng.choice((EXPONENTS[0], rng.randint(1, 3))),
}


def random_law(rng: random.Random, kinds: str = "plain plain plain inside own-side between", size: int = 0) -> Law:
    """A law, explicit or with its response inside; bounds for a response that stands in a difference."""
    while True:
        inputs = INPUTS[: size or rng.randint(1, 3)]
        kind = rng.choice(kinds.split()).replace("-", " ")
        try:
            left, right = FORMS[kind](rng), (expression if rng.random() < 0.6 else tame)(rng, inputs)
        except ValueError:  # the larger of two complex numbers
            continue
        if kind == "inside":
            right = right.xreplace({A: A * OUTPUT ** exponent(rng)})
        if kind == "between":
            right = right.xreplace({M: K, P: K})
        if not right.has(*inputs) or right.has(sp.zoo, sp.nan, sp.oo):
            continue
        constants = sorted((left - right).free_symbols - {*inputs, OUTPUT}, key=lambda s: s.name)
        bounds = {P: {"above": OUTPUT}, M: {"below": OUTPUT}} if left.has(P) else {}
        return Law(
            name="random",
            title="random",
            source="test",
            response=Variable(OUTPUT, "response"),
            variables=tuple(Variable(x, x.name) for x in inputs if right.has(x)),
            parameters=tuple(Parameter(s, s.name, **(bounds.get(s, {}) if left.has(s) else {})) for s in constants),
            form=sp.Eq(left, right, evaluate=False),
        )


def power_law(rng: random.Random) -> Law:
    """One or two falling powers of N."""
    terms = [AMPLITUDES[i] * INPUTS[0] ** -EXPONENTS[rng.randrange(i, 3)] for i in range(rng.choice((1, 1, 2)))]
    constants = sorted(sp.Add(*terms).free_symbols - {INPUTS[0]}, key=lambda s: s.name)
    return Law(
        name="powers",
        title="powers",
        source="test",
        response=Variable(OUTPUT, "response"),
        variables=(Variable(INPUTS[0], "N"),),
        parameters=tuple(Parameter(s, s.name) for s in constants),
        form=sp.Eq(OUTPUT, sp.Add(*terms)),
    )


def random_cost(rng: random.Random, law: Law) -> sp.Expr:
    """One monomial, or seldom two."""
    terms = [rng.choice((1, 6)) * sp.Mul(*(x ** rng.choice((1, 1, 2)) for x in law.inputs))]
    return sp.Add(*terms, *(summand(rng, law.inputs) for _ in range(rng.choice((0, 0, 0, 1)))))
