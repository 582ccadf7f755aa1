"""Every frontier and optimum beside a minimisation of the raw law that shares nothing with the engine.

The minimisation is that of ``minimise``. Constants are drawn as an exponent, from .01 to 5, or a scale, from 1e-12 to
1e30.
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath
import pytest
import sympy as sp
from minimise import REACH, Raw, minimised

from symbolic_scaling import Derivation, Law, Root, derive, laws, notation

EXPONENT, SCALE = (0.01, 5.0), (1e-12, 1e30)
CLOSE = mpmath.mpf(10) ** -7
FALLING = ("a > 0", "b > 0", "c > 0", "p > 0", "q > 0", "r > 0")


@dataclass(frozen=True)
class Case:
    """A law by its name or formula, its cost or the one variable that is chosen, and what is held."""

    law: str
    cost: str = ""
    variable: str = ""
    fixed: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    inputs: str = ""
    within: tuple[tuple[str, float, float], ...] = ()
    narrow: bool = False

    def __str__(self) -> str:
        return f"{self.law} {self.cost or self.variable}".replace(" ", "_").replace("/", "|")

    def build(self) -> Law:
        return laws.formula(self.law, self.inputs.split()) if self.inputs else laws.get(self.law)

    def chosen(self, law: Law) -> list[sp.Symbol]:
        return [s for s in law.inputs if (s.name == self.variable if self.variable else s.name not in self.fixed)]

    def derive(self, law: Law) -> Derivation:
        if self.variable:
            return derive.optimum(law, self.variable, given=self.given)
        return derive.frontier(law, self.cost, given=self.given, fixed=self.fixed)


CASES = (
    Case("chinchilla", "C = 6*N*D"),
    Case("chinchilla", "C = k*N^p*D^q", given=("p > 0", "q > 0")),
    Case("chinchilla", "C = 6*N*D + 2*N*D_inf"),
    Case("chinchilla", "C = 6*N*D + k*N^q*D", given=("1 > q",), within=(("q", 0.01, 0.99),)),
    Case("chinchilla", "C = 6*N*D + k*N^2"),
    Case("chinchilla", "C = 6*N*D/L^g"),
    Case("kaplan-nd", "C = 6*N*D"),
    Case("kaplan-ns", "C = N*S_min"),
    Case("kaplan-ns", "C = 6*N*S_min*B_star*L^(-1/alpha_B)"),
    Case("sovit", "C = t"),
    Case("sovit", variable="x_k"),
    Case("sovit-joint", "C = t"),
    Case("sovit-joint", variable="x_depth"),
    Case("data-constrained", "C = 6*U_N*(1+R_N)*U_D*(1+R_D)", fixed=("R_N", "R_D")),
    Case("precision", "C = 6*N*D", fixed=("P_w", "P_a", "P_kv")),
    Case("rosenfeld", "C = n*m", narrow=True),
    Case("L = A/N + B/D + K/D^3", "C = N*D", inputs="N D"),
    Case("L = E + A/N^a + B/D^b + K/(N^c*D^d)", "C = 6*N*D", given=(*FALLING[:3], "d > 0"), inputs="N D"),
    Case("L = E + A/N^a + B/D^b + K/(N*D)^c", "C = N^2*D", given=FALLING[:3], inputs="N D"),
    Case("L = (E + (A/N)^a + B/D^b)^g", "C = N*D", given=(*FALLING[:2], "g > 0"), inputs="N D"),
    Case("L = log(1 + A/N^a + B/D^b)", "C = N*D", given=FALLING[:2], inputs="N D"),
    Case("L = A/N^a + B/D^b + K/R^c", "C = k*N^p*D^q*R^r", given=FALLING, inputs="N D R"),
    Case(
        "L = A/N^a + B/D^b + K/R^c + M/(N*D) + P/R^(2*c)",
        "C = k*N^p*D^q*R",
        given=FALLING[:5],
        inputs="N D R",
    ),
    Case("L = A/x + B*x + K*x^3", variable="x", inputs="x"),
    Case("L = A/x^a + B*x^b + K*x^c", variable="x", given=FALLING[:3], inputs="x"),
)


# ---------------------------------------------------------------- the engine's answer


def exponents_of(*expressions: sp.Expr) -> set[sp.Symbol]:
    """The letters that stand in an exponent."""
    return {s for e in expressions for power in e.atoms(sp.Pow) for s in power.exp.free_symbols}


def draw(rng: random.Random, lo: float, hi: float) -> sp.Rational:
    return sp.Rational(f"{10 ** rng.uniform(math.log10(lo), math.log10(hi)):.4g}")


def value_of(expression: sp.Expr, point: dict[sp.Symbol, Any]) -> Any:
    """With as many digits as there are."""
    names, function = _function(expression)
    return mpmath.mpf(function(*(point[s] for s in names)))


@functools.cache
def _function(expression: sp.Expr) -> tuple[list[sp.Symbol], Callable[..., Any]]:
    names = sorted(expression.free_symbols, key=lambda s: s.name)
    return names, sp.lambdify(names, expression, "mpmath")


def root_of(root: Root, point: dict[sp.Symbol, Any]) -> Any:
    """The logarithm of the one zero of a condition inside its bracket."""
    low, high = (
        mpmath.mpf(-REACH if end == 0 else REACH) if end in (0, sp.oo) else mpmath.log(value_of(end, point))
        for end in root.bracket
    )
    nudge = (high - low) * mpmath.mpf(10) ** (20 - mpmath.mp.dps)
    names, gap = _function(root.condition)

    def at(u: Any) -> Any:
        return gap(*(mpmath.exp(u) if s == root.symbol else point[s] for s in names))

    sign = 1 if at(high - nudge) > 0 else -1
    low, high = low + nudge, high - nudge
    assert sign * at(low) < 0, "the condition does not change its sign inside the bracket"
    while high - low > 2 * nudge:  # halving: the condition may be all but singular beside an end
        middle = (low + high) / 2
        low, high = (low, middle) if sign * at(middle) > 0 else (middle, high)
    return (low + high) / 2


def floors_of(law: Law) -> tuple[sp.Symbol, ...]:
    """The constants that are only added: they do not move the minimum, and would hide it behind thousands of digits."""
    return tuple(s for s in law.constants if s in sp.Add.make_args(law.explicit))


def agrees(found: Derivation, raw: Raw, best: dict[sp.Symbol, Any]) -> None:
    """The answer's inputs are those of the minimum, and its response is the raw law there."""
    answer = dict(found.found)
    wanted = {s: answer[s.name] for s in best}
    roots = {s: r for s, r in {**wanted, raw.y: answer.get(raw.y.name)}.items() if isinstance(r, Root)}
    names = {s.name: s for s in (*best, raw.y)}
    point = dict(raw.point)
    if len(roots) > 1:  # coupled: every condition changes its sign at the minimum, the others held there
        for s, root in roots.items():
            sides = []
            for sign in (1, -1):
                here = {**point, **{o: mpmath.exp(u) for o, u in best.items()}}
                here[s] = mpmath.exp(best[s] + sign * CLOSE)
                order = sorted(root.condition.free_symbols, key=lambda o: o.name)
                sides.append(sp.lambdify(order, root.condition, "mpmath")(*(here[o] for o in order)) > 0)
            assert sides[0] != sides[1], s
            point[s] = mpmath.exp(best[s])
    for s, root in roots.items() if len(roots) == 1 else ():
        point[names[s.name]] = mpmath.exp(root_of(root, point))
    for s, u in best.items():
        value = wanted[s]
        got = point[s] if isinstance(value, Root) else value_of(value, point)
        assert abs(mpmath.log(got) - u) < CLOSE * (1 + abs(u) * mpmath.mpf(10) ** -8), (s, mpmath.log(got), u)
    said = answer.get(raw.y.name)
    if said is not None and len(roots) < 2:
        value = point[raw.y] if isinstance(said, Root) else value_of(said, point)
        assert abs(value / raw.loss(best) - 1) < mpmath.mpf(10) ** -8


def confirm(case: Case, count: int) -> None:
    """The engine's one answer at ``count`` sets of constants."""
    law = case.build()
    found = case.derive(law)
    money, spent = None, None
    if case.cost:
        left, right = case.cost.split("=", 1)
        letters = {s.name: s for v in (*dict(found.found).values(),) for s in free_symbols(v)} | law.symbols
        spent = notation.parse(right.strip(), letters)
        money = letters[left.strip()]
    own = [law.explicit, *([spent] if spent is not None else [])]
    powers = exponents_of(*own)
    unknown = sorted({s for e in own for s in e.free_symbols} - {law.response.symbol}, key=lambda s: s.name)
    bounds = {name: (lo, hi) for name, lo, hi in case.within}
    for seed in range(count):
        rng = random.Random(f"{case} {seed}")
        values = {s: draw(rng, *bounds.get(s.name, EXPONENT if s in powers else SCALE)) for s in unknown}
        amount = draw(rng, *SCALE)
        sizes = sorted(float(values[s]) for s in law.constants if s in powers)
        reach, step = (500 / sum(sizes), 20 / max(sizes)) if case.narrow else (REACH, 0.0)
        with mpmath.workdps(4000):
            exact = {s: mpmath.mpf(v.p) / v.q for s, v in values.items()}
            amount = mpmath.mpf(amount.p) / amount.q
        whole = exact if money is None else {**exact, money: amount}
        inside = spent is not None and spent.has(law.response.symbol)
        bare = {s: mpmath.mpf(0) for s in (() if inside else floors_of(law))}
        raw = Raw(law, case.chosen(law), {**whole, **bare}, spent, amount)
        try:
            best = minimised(raw, reach, step)
            raw.point = whole
            with mpmath.workdps(1000 if case.narrow else 300):
                agrees(found, raw, best)
        except AssertionError as error:
            raise AssertionError((seed, values, amount)) from error


def free_symbols(value: object) -> set[sp.Symbol]:
    if isinstance(value, Root):
        return value.condition.free_symbols | {s for end in value.bracket for s in end.free_symbols}
    return value.free_symbols if isinstance(value, sp.Expr) else set()


@pytest.mark.parametrize("case", CASES[:1], ids=str)
def test_a_frontier_is_where_the_raw_law_is_least(case: Case) -> None:
    confirm(case, 3)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_frontier_is_where_the_raw_law_is_least(case: Case) -> None:
    confirm(case, 200)
