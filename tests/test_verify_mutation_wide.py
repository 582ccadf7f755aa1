"""Random identities with real letters, functions on part of the domain, and every law: rewritten, then perturbed.

As in test_verify_mutation.py an equivalent rewriting is never refuted and a perturbed identity never proved. Here the
letters are also real and not negative, the functions include Abs, Max, Min, log and roots of what may be negative, sums
have up to five terms, and a third of the statements is about a law or its derivatives on its own domain. What is
certainly different is decided by mpmath at 60 digits, at points drawn here.
"""

import functools
import random

import mpmath
import pytest
import sympy as sp

from symbolic_scaling import laws, notation, verify
from symbolic_scaling.domain import Domain
from symbolic_scaling.records import Claim, Equal, Status

POSITIVE = sp.symbols("A_1 N_1 alpha_1 b_1", positive=True)  # names that no law has
REAL = sp.symbols("u_1 v_1", real=True)
OTHERS = (sp.Symbol("z_1", nonnegative=True), sp.Symbol("c_1", negative=True))
LETTERS = (*POSITIVE, *REAL, *OTHERS)
U, V = REAL
A, N, ALPHA, B = POSITIVE

REWRITINGS = {
    "expand": sp.expand,
    "expand_log": sp.expand_log,
    "logcombine": sp.logcombine,
    "factor": sp.factor,
    "together": sp.together,
    "cancel": sp.cancel,
    "powsimp": sp.powsimp,
    "powdenest": sp.powdenest,
    "times a hole": lambda e: e * sp.expand((U - 2) * (U + 1)) / (U**2 - U - 2),
    "plus a real root": lambda e: e + sp.sqrt(V**2, evaluate=False) - sp.Abs(V),
    "plus partial logarithms": lambda e: e + sp.log(U * N) - sp.log(U) - sp.log(N),
    "Max and Min": lambda e: e + sp.Max(U, V) + sp.Min(U, V) - U - V,
    "Max of a difference": lambda e: e + sp.Max(A, N) - (A + N + sp.Abs(A - N)) / 2,
    "through exp": lambda e: sp.log(sp.exp(e, evaluate=False), evaluate=False),
    "squares": lambda e: (sp.expand((e + B) ** 2) - sp.expand(e**2) - B**2) / (2 * B),
    "an even power": lambda e: e * (U**2) ** ALPHA / sp.Abs(U) ** (2 * ALPHA),
    "powers taken apart": lambda e: e * (A * N) ** U / (A**U * N**U),
    "powers of powers": lambda e: e * (A**U) ** V / A ** (U * V),
}


def expression(rng, depth=3):
    """A real expression, not always defined."""
    if depth == 0 or rng.random() < 0.15:
        number = sp.Rational(rng.randint(-9, 9) or 1, rng.randint(1, 4))
        return rng.choice([*LETTERS, *POSITIVE, number])
    kind = rng.randrange(12)
    if kind <= 2:
        return sp.Add(*(expression(rng, depth - 1) for _ in range(rng.randint(2, 5))))
    first = expression(rng, depth - 1)
    if kind <= 4:
        return first * expression(rng, depth - 1)
    if kind == 5:
        return first / expression(rng, depth - 1)
    if kind == 6:
        return (sp.Abs(first) + rng.choice(POSITIVE)) ** rng.choice([ALPHA, -ALPHA, OTHERS[1], B / ALPHA, U])
    if kind == 7:
        return first ** rng.choice([2, -1, 3, -2, sp.Rational(1, 2), sp.Rational(3, 2)])
    if kind == 8:
        return rng.choice([sp.Max, sp.Min])(first, expression(rng, depth - 1))
    return {9: sp.log, 10: sp.Abs, 11: lambda e: sp.exp(-e)}[kind](first)


def made(build, *arguments):
    """What ``build`` makes; None where SymPy refuses, such as Max of what is not real, or where it is no formula."""
    try:
        e = build(*arguments)
    except (ValueError, TypeError):
        return None
    return None if e.has(sp.zoo, sp.nan, sp.oo, sp.I, sp.pi) else e


def perturbed(rng, e):
    """The expression with one node changed."""
    nodes = [node for node in sp.preorder_traversal(e) if node.args or node.is_Symbol or node.is_Number]
    node = rng.choice(nodes)
    if node.is_Symbol:
        changed = rng.choice([-node, 2 * node, node + 1, *(one for one in POSITIVE if one != node)])
    elif node.is_Number:
        changed = node + rng.choice([1, -1, sp.Rational(1, 1000)])
    elif node.is_Pow:
        changed = rng.choice([node.base ** (-node.exp), node.base ** (node.exp + 1), sp.Abs(node.base)])
    elif len(node.args) > 1:
        changed = node.func(*node.args[1:])
    else:
        changed = rng.choice([node.args[0], -node])
    return e.xreplace({node: changed})


def free_point(rng):
    """A value for every letter, of its sign."""
    signs = [*(1 for _ in POSITIVE), *(rng.choice([-1, 1]) for _ in REAL), 1, -1]
    return dict(zip(LETTERS, (sign * sp.Rational(rng.randint(20, 390), 100) for sign in signs), strict=True))


def law_point(law, rng):
    """A point of a law's domain: constants from their starts, inputs from their typical range; None outside."""
    point = {}
    for one in law.parameters:
        lo, hi = one.start
        point[one.symbol] = sp.Rational(f"{rng.uniform(float(lo), float(hi)):.6g}")
    for one in law.variables:
        lo, hi = map(float, one.typical)
        point[one.symbol] = sp.Rational(f"{lo * (hi / lo) ** rng.random():.6g}")
    inside = all(law.domain.interval(symbol).contains(value) for symbol, value in point.items())
    free = set(point) - {law.response.symbol}
    held = all(bool((more - less).xreplace(point).evalf(40) > 0)
               for more, less in law.domain.relations if (more - less).free_symbols <= free)  # fmt: skip
    return point if inside and held else None


@functools.cache
def compiled(e):
    """The letters of an expression and its function in mpmath."""
    names = sorted(e.free_symbols, key=str)
    return names, sp.lambdify(names, e, "mpmath")


def value(e, point):
    """The value with 60 digits; None where it is not a finite real number."""
    names, function = compiled(e)
    with mpmath.workdps(90):
        try:
            found = function(*(mpmath.mpf(point[name].p) / point[name].q for name in names))
            real = isinstance(found, mpmath.mpf | int | float) and mpmath.isfinite(found) and abs(found) < 1e300
        except (ZeroDivisionError, OverflowError, ValueError, TypeError):
            return None
        return mpmath.mpf(found) if real else None


def differ(e, other, points):
    """Whether both are real and certainly different at one of the points."""
    with mpmath.workdps(90):
        pairs = [(value(e, point), value(other, point)) for point in points]
        return any(
            None not in pair and abs(pair[0] - pair[1]) > mpmath.mpf(10) ** -50 * (1 + abs(pair[0]) + abs(pair[1]))
            for pair in pairs
        )


LAWS = [law for law in map(laws.get, laws.names()) if law.explicit is not None]


def about_law(rng):
    """A law's formula or derivative, its domain and points of it."""
    law = rng.choice(LAWS)
    made = [point for point in (law_point(law, rng) for _ in range(40)) if point][:3]
    e = law.explicit
    if rng.random() < 0.5:
        e = sp.diff(e, rng.choice(sorted(e.free_symbols, key=str)))
    return e, law.domain, made


def identity(rng):
    """Both sides of a true statement, its domain, and points of that."""
    while True:
        lawful = rng.random() < 0.3
        if lawful:
            e, domain, points = about_law(rng)
        else:
            e, domain, points = made(expression, rng), Domain(), [free_point(rng) for _ in range(4)]
        name = rng.choice(sorted(REWRITINGS))
        if e is None or not e.free_symbols or e.count_ops() > 60 or not points:
            continue
        points = [{**free_point(rng), **point} for point in points]
        other = made(REWRITINGS[name], e)
        if other is not None and other != e:
            return name, e, other, domain, points


def judged(rng, name, left, right, domain, **options):
    """The verdict on the record, or on its text."""
    if rng.random() < 0.5:
        return verify.claim(Claim(name, Equal(left, right), domain), budget=10.0, **options)
    said = f"{notation.text(left)} = {notation.text(right)}"
    symbols = sorted(left.free_symbols | right.free_symbols, key=str)
    return verify.claim(said, symbols=symbols, domain=domain, budget=10.0, **options)


def check_rewritings(count, seed):
    """How often the verdict is PROVED; never REFUTED."""
    rng = random.Random(seed)
    proved = 0
    for _ in range(count):
        name, e, other, domain, points = identity(rng)
        assert not differ(e, other, points), (name, e, other)
        verdict = judged(rng, name, e, other, domain)
        assert verdict.status is not Status.REFUTED, (name, e, other, verdict.evidence)
        proved += verdict.status is Status.PROVED
    return proved / count


def check_perturbations(count, seed):
    """How often the verdict is REFUTED; never PROVED or SUPPORTED."""
    rng = random.Random(seed)
    refuted = done = 0
    while done < count:
        name, e, other, domain, points = identity(rng)
        wrong = made(perturbed, rng, other)
        if wrong is None or not differ(e, wrong, points):
            continue
        done += 1
        verdict = judged(rng, name, e, wrong, domain, mend=False)
        assert verdict.status not in (Status.PROVED, Status.SUPPORTED), (name, e, wrong, verdict.evidence)
        refuted += verdict.status is Status.REFUTED
    return refuted / count


def test_rewritings_are_never_refuted():
    assert check_rewritings(40, seed=11) > 0.7


def test_perturbations_are_never_proved():
    assert check_perturbations(40, seed=12) > 0.95


@pytest.mark.slow
def test_many_rewritings_are_never_refuted():
    assert check_rewritings(10_000, seed=13) > 0.7


@pytest.mark.slow
def test_many_perturbations_are_never_proved():
    assert check_perturbations(10_000, seed=14) > 0.95
