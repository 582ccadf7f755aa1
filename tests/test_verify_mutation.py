"""Random identities: an equivalent rewriting is never refuted, a perturbed identity is never proved.

Expressions are built at random from positive symbols with the operations of scaling laws. What is equivalent is made
by SymPy's own rewritings; whether a perturbation changed the function is decided by mpmath at 40 digits.
"""

import random

import mpmath
import pytest
import sympy as sp

from symbolic_scaling import verify
from symbolic_scaling.records import Claim, Equal, Status

LETTERS = sp.symbols("A N alpha b x", positive=True)
REWRITINGS = {
    "expand": sp.expand,
    "expand_log": sp.expand_log,
    "factor": sp.factor,
    "together": sp.together,
    "powsimp": sp.powsimp,
    "powdenest": sp.powdenest,
    "commuted": lambda e: e.func(*reversed(e.args), evaluate=False) if e.is_Add or e.is_Mul else e,
    "times one": lambda e: e * ((LETTERS[0] + 1) / (LETTERS[4] + 1)) * (1 + LETTERS[4]) / (1 + LETTERS[0]),
    "plus nothing": lambda e: e + sp.log(LETTERS[1] ** 2) - 2 * sp.log(LETTERS[1]),
    "through log": lambda e: sp.exp(sp.log(e, evaluate=False), evaluate=False),
    "squared": lambda e: sp.sqrt(sp.expand(e) ** 2 * LETTERS[3] ** 2) / LETTERS[3],
}


def expression(rng, depth=3):
    """A positive expression of the kind that scaling laws are made of."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([*LETTERS, *LETTERS, sp.Rational(rng.randint(1, 9), rng.randint(1, 4))])
    first, second = expression(rng, depth - 1), expression(rng, depth - 1)
    kind = rng.randrange(7)
    if kind <= 1:
        return first + second
    if kind == 2:
        return first * second
    if kind == 3:
        return first / second
    if kind == 4:
        return first ** rng.choice([2, -1, sp.Rational(1, 2), LETTERS[2], -LETTERS[2], LETTERS[3] / LETTERS[2]])
    return sp.log(1 + first) if kind == 5 else sp.exp(-first) + second


def perturbed(rng, e):
    """The expression with one node changed: a sign, a number, a symbol, an exponent, or a lost term."""
    nodes = [node for node in sp.preorder_traversal(e) if node.args or node.is_Symbol or node.is_Number]
    node = rng.choice(nodes)
    if node.is_Symbol:
        changed = rng.choice([other for other in LETTERS if other != node] + [2 * node])
    elif node.is_Number:
        changed = node + rng.choice([1, -1, sp.Rational(1, 100)])
    elif node.is_Pow:
        changed = rng.choice([node.base ** (-node.exp), node.base ** (node.exp + 1), node.base])
    elif len(node.args) > 1:
        changed = node.func(*node.args[1:])
    else:
        changed = node.args[0]
    return e.xreplace({node: changed})


def values(e, seed):
    """The value at two points with 40 digits; None where it is not a finite real number."""
    rng = random.Random(seed)
    found = []
    with mpmath.workdps(60):
        for _ in range(2):
            point = [mpmath.mpf(rng.randint(110, 290)) / 100 for _ in LETTERS]
            try:
                value = sp.lambdify(LETTERS, e, "mpmath")(*point)
            except (ZeroDivisionError, OverflowError, ValueError):
                return None
            if (
                not isinstance(value, mpmath.mpf | int)
                or not mpmath.isfinite(value)
                or abs(value) > mpmath.mpf("1e1000")
            ):
                return None
            found.append(mpmath.mpf(value))
    return found


def differ(e, other, seed):
    """Whether the two are both real and certainly different functions."""
    first, second = values(e, seed), values(other, seed)
    if first is None or second is None:
        return False
    with mpmath.workdps(60):
        return any(abs(u - v) > mpmath.mpf(10) ** -40 * (abs(u) + abs(v)) for u, v in zip(first, second, strict=True))


def rewriting(rng):
    """A random expression, the name of a rewriting that changes it, and what it becomes."""
    while True:
        e = expression(rng)
        name = rng.choice(sorted(REWRITINGS))
        if not e.free_symbols or e.has(sp.zoo, sp.nan, sp.oo) or e.count_ops() > 40:
            continue
        other = REWRITINGS[name](e)
        if other != e:
            return e, name, other


def check_rewritings(count, seed):
    rng = random.Random(seed)
    proved = 0
    for _ in range(count):
        e, name, other = rewriting(rng)
        verdict = verify.claim(Claim(name, Equal(e, other)), budget=10.0)
        assert verdict.status is not Status.REFUTED, (e, other, verdict.evidence)
        proved += verdict.status is Status.PROVED
    return proved / count


def check_perturbations(count, seed):
    rng = random.Random(seed)
    refuted = done = 0
    while done < count:
        e, name, other = rewriting(rng)
        wrong = perturbed(rng, other)
        if wrong.has(sp.zoo, sp.nan, sp.oo) or not differ(e, wrong, seed):
            continue
        done += 1
        verdict = verify.claim(Claim(name, Equal(e, wrong)), budget=10.0, mend=False)
        assert verdict.status not in (Status.PROVED, Status.SUPPORTED), (e, wrong, verdict.evidence)
        refuted += verdict.status is Status.REFUTED
    return refuted / count


def test_rewritings_are_never_refuted():
    # most are proved, so the test would notice a zero test that has gone blind
    assert check_rewritings(500, seed=1) > 0.9


def test_perturbations_are_never_proved():
    assert check_perturbations(500, seed=2) > 0.99


@pytest.mark.slow
def test_many_rewritings_are_never_refuted():
    assert check_rewritings(10_000, seed=3) > 0.9


@pytest.mark.slow
def test_many_perturbations_are_never_proved():
    assert check_perturbations(10_000, seed=4) > 0.99
