"""Every kind of plan beside a blind search over the printed formulas, at drawn constants, with 40 digits."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import mpmath
import pytest
import sympy as sp

from symbolic_scaling import laws, plan

CHINCHILLA, KAPLAN, SOVIT = (laws.get(name) for name in ("chinchilla", "kaplan-nd", "sovit"))
CLOSE = mpmath.mpf("1e-12")
exp, log = mpmath.exp, mpmath.log


def least(height: Callable[[Any], Any], lo: float, hi: float) -> tuple[Any, Any]:
    """Where a function is least between two ends, and how much it is: a grid, then thirds about its lowest point."""
    step = (mpmath.mpf(hi) - lo) / 400
    at = min((lo + k * step for k in range(401)), key=height)
    a, b = at - step, at + step
    for _ in range(190):
        c, d = a + (b - a) / 3, b - (b - a) / 3
        a, b = (a, d) if height(c) < height(d) else (c, b)
    return (a + b) / 2, height((a + b) / 2)


def number(value: object) -> Any:
    return mpmath.mpf(str(sp.N(value, 45)))


def close(found: object, wanted: Any, within: Any = CLOSE) -> bool:
    return bool(abs(number(found) / wanted - 1) < within)


class Drawn:
    """Constants of Chinchilla's law, and the law by hand."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.rng = rng
        self.constants = {
            "E": rng.uniform(0.5, 3), "A": math.exp(rng.uniform(2, 9)), "B": math.exp(rng.uniform(2, 9)),
            "alpha": rng.uniform(0.15, 0.8), "beta": rng.uniform(0.15, 0.8),
        }  # fmt: skip
        self.source = plan.source(CHINCHILLA, constants=self.constants)
        self.E, self.A, self.B, self.a, self.b = (number(v) for v in self.source.constants.values())
        self.C = mpmath.mpf(10) ** rng.randint(18, 28)

    def loss(self, n: Any, d: Any) -> Any:
        return self.E + self.A * n**-self.a + self.B * d**-self.b

    def tokens(self, n: Any, target: Any) -> Any:
        """The data at which a size reaches a loss; none where it never does."""
        left = target - self.E - self.A * n**-self.a
        return (self.B / left) ** (1 / self.b) if left > 0 else mpmath.inf

    def reached(self) -> Any:
        """A loss that about 1e22 FLOP buy."""
        n = mpmath.mpf(10) ** 10
        return self.loss(n, mpmath.mpf(10) ** 22 / (6 * n))


def allocated(one: Drawn) -> None:
    made = plan.allocate(one.source, str(one.C))
    at, low = least(lambda u: one.loss(exp(u), one.C / (6 * exp(u))), -10, 90)
    assert close(made["N"], exp(at)) and close(made["D"], one.C / (6 * exp(at))) and close(made["L"], low, 1e-25)


def served(one: Drawn) -> None:
    many = one.C / mpmath.mpf(10) ** one.rng.randint(9, 13)
    made = plan.allocate(one.source, str(one.C), "C = 6*N*D + 2*N*D_inf", beside={"D_inf": str(many)})
    size = lambda u: one.C / (6 * exp(u) + 2 * many)  # noqa: E731
    at, low = least(lambda u: one.loss(size(u), exp(u)), 0, 80)
    assert close(made["N"], size(at)) and close(made["D"], exp(at)) and close(made["L"], low, 1e-20)


def inverted(one: Drawn) -> None:
    target = one.reached()
    made = plan.invert(one.source, sp.Float(str(target), 50))
    at, low = least(lambda u: 6 * exp(u) * one.tokens(exp(u), target), 0, 80)
    assert close(made["N"], exp(at)) and close(made["C"], low, 1e-20)


def inverted_served(one: Drawn) -> None:
    target, many = one.reached(), mpmath.mpf(10) ** one.rng.randint(9, 13)
    cost = "C = 6*N*D + 2*N*D_inf"
    made = plan.invert(one.source, sp.Float(str(target), 50), cost, beside={"D_inf": str(many)})
    at, low = least(lambda u: exp(u) * (6 * one.tokens(exp(u), target) + 2 * many), 0, 80)
    assert close(made["N"], exp(at), 1e-8) and close(made["C"], low, 1e-12)


def held(one: Drawn) -> None:
    n, target = mpmath.mpf(10) ** 12, one.reached()
    made = plan.invert(one.source, sp.Float(str(target), 50), held={"N": str(n)})
    assert close(one.loss(n, number(made["D"])), target, 1e-30) and close(made["C"], 6 * n * number(made["D"]), 1e-30)


def capped(one: Drawn) -> None:
    target = one.reached()
    free = plan.invert(one.source, sp.Float(str(target), 50))
    cap = number(free["D"]) * mpmath.mpf("0.7")
    made = plan.invert(one.source, sp.Float(str(target), 50), most={"D": str(cap)})
    price = lambda u: 6 * exp(u) * one.tokens(exp(u), target) if one.tokens(exp(u), target) <= cap else mpmath.inf  # noqa: E731
    start = float(log(number(free["N"])))
    at, low = least(price, start - 2, start + 25)
    assert close(made["C"], low, 1e-12) and close(made["N"], exp(at), 1e-12) and close(made["D"], cap, 1e-15)


def judged(one: Drawn) -> None:
    n, d = (mpmath.mpf(10) ** one.rng.randint(*ends) for ends in ((8, 11), (9, 13)))
    made = plan.judge(one.source, {"N": str(n), "D": str(d)})
    reached = one.loss(n, d)
    _, low = least(lambda u: one.loss(exp(u), n * d / exp(u)), 0, 80)
    _, cheap = least(lambda u: 6 * exp(u) * one.tokens(exp(u), reached), 0, 80)
    assert close(made["best L at this budget"], low, 1e-20) and close(made["C over the least"], 6 * n * d / cheap)


def multiplied(one: Drawn) -> None:
    other = Drawn(one.rng.randint(10**6, 10**7))
    pair = (one, other) if one.E > other.E else (other, one)  # the other's floor lies below what the first reaches
    made = plan.multiplier(pair[0].source, pair[1].source, str(one.C))
    _, low = least(lambda u: pair[0].loss(exp(u), one.C / (6 * exp(u))), -10, 90)
    _, cheap = least(lambda u: 6 * exp(u) * pair[1].tokens(exp(u), low), -40, 120)
    assert close(made["multiplier"], cheap / one.C)


def kaplan(one: Drawn) -> None:
    a, d = one.rng.uniform(0.05, 0.5), one.rng.uniform(0.05, 0.5)
    own = {"N_c": 10 ** one.rng.uniform(10, 14), "D_c": 10 ** one.rng.uniform(10, 14), "alpha_N": a, "alpha_D": d}
    chosen = plan.source(KAPLAN, constants=own)
    n_c, d_c, a, d = (number(chosen.constants[name]) for name in ("N_c", "D_c", "alpha_N", "alpha_D"))
    made = plan.allocate(chosen, str(one.C))
    at, low = least(lambda u: ((n_c / exp(u)) ** (a / d) + 6 * exp(u) * d_c / one.C) ** d, 0, 80)
    assert close(made["N"], exp(at)) and close(made["L"], low, 1e-25)


def shaped(one: Drawn) -> None:
    rng = one.rng
    own = {
        "alpha_k": rng.uniform(1, 50), "a_k": rng.uniform(0.2, 1), "beta_k": rng.uniform(0.01, 1),
        "b_k": rng.uniform(0.2, 1.5), "xi_k": rng.uniform(0, 2), "c": rng.uniform(0.2, 1), "eps_k": rng.uniform(0, 1),
    }  # fmt: skip
    chosen = plan.source(SOVIT, constants=own)
    k = {name: number(value) for name, value in chosen.constants.items()}
    made = {t: plan.best_size(chosen, t) for t in (10**9, 10**12)}

    def error(u: Any, t: Any) -> Any:
        grows = k["beta_k"] * exp(u) ** k["b_k"] + k["xi_k"]
        return k["alpha_k"] * exp(u) ** -k["a_k"] + grows * mpmath.mpf(t) ** -k["c"] + k["eps_k"]

    sizes = {t: least(lambda u, t=t: error(u, t), -30, 60)[0] for t in made}
    assert all(close(made[t]["x_k"], exp(at)) for t, at in sizes.items())
    assert close(made[10**9]["s_k"], (sizes[10**12] - sizes[10**9]) / log(1000))


def sliced(one: Drawn) -> None:
    """Slices of the law itself: with the bias off, each vertex is the optimum of its budget."""
    budgets = [mpmath.mpf(10) ** power for power in (19, 20, 21)]
    rows = []
    for budget in budgets:
        at, _ = least(lambda u, budget=budget: one.loss(exp(u), budget / (6 * exp(u))), -10, 90)
        sizes = [exp(at + mpmath.mpf(step) / 2) for step in (-3, -1, 0, 1, 2)]
        rows += [(*(sp.Float(str(v), 45) for v in (n, budget, one.loss(n, budget / (6 * n)))),) for n in sizes]
    made = plan.isoflop(rows, chosen=one.source)
    for row, budget in zip(made.sheets[0].rows, budgets, strict=True):
        at, _ = least(lambda u, budget=budget: one.loss(exp(u), budget / (6 * exp(u))), -10, 90)
        assert close(row[5], exp(at)), (row, exp(at))


def repeated(one: Drawn) -> None:
    law = laws.get("data-constrained")
    own = {**one.constants, "R_N_star": one.rng.uniform(2, 20), "R_D_star": one.rng.uniform(2, 30)}
    chosen = plan.source(law, constants=own)
    k = {name: number(value) for name, value in chosen.constants.items()}
    unique = one.C ** mpmath.mpf("0.45")
    made = plan.repeat(chosen, str(one.C), str(unique), CHINCHILLA)
    G = (one.a * one.A / (one.b * one.B)) ** (1 / (one.a + one.b))

    def loss(u: Any) -> Any:
        n = exp(u)
        d = one.C / (6 * n)
        u_d = min(unique, d)
        u_n = min((u_d * G) ** (one.b / one.a) * G, n)
        size = u_n * (1 + k["R_N_star"] * (1 - exp(-(n / u_n - 1) / k["R_N_star"])))
        data = u_d * (1 + k["R_D_star"] * (1 - exp(-(d / u_d - 1) / k["R_D_star"])))
        return one.loss(size, data)

    at, low = least(loss, float(log(one.C)) / 2 - 45, float(log(one.C)) / 2 + 45)
    assert close(made["L"], low, 1e-20)
    if made["epochs"] < 100:  # beyond, neither size nor repetition is worth anything, and the valley is flat
        assert close(made["N"], exp(at), 1e-8)
    else:
        assert any("more unique tokens" in note for note in made.notes)


KINDS = (
    allocated, served, inverted, inverted_served, held, capped, judged, multiplied, kaplan, shaped, sliced, repeated
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_blind_search_finds_the_same(kind: Callable[[Drawn], None]) -> None:
    with mpmath.workdps(40):
        kind(Drawn(7))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_blind_search_finds_the_same_at_twenty_more(kind: Callable[[Drawn], None], seed: int) -> None:
    with mpmath.workdps(40):
        kind(Drawn(seed))


def test_inputs_that_are_roots_of_their_own_are_planned_with_their_response() -> None:
    """No input has a closed form and the response is in none of the roots: it is that of the law at the best inputs."""
    law = laws.formula("L = E + A/N^a + B/D^b + K/(N*D)^c", ["N", "D"])
    numbers = {"E": 1.7, "A": 480, "a": 0.35, "B": 2100, "b": 0.37, "K": 5, "c": 0.2}
    made = plan.allocate(plan.source(law, constants=numbers), "1e22", "6*N*D")
    N, D = float(made["N"]), float(made["D"])
    paid = 6 * N * D
    assert paid == pytest.approx(1e22, rel=1e-12)

    def loss(n: float) -> float:
        d = 1e22 / 6 / n
        return 1.7 + 480 / n**0.35 + 2100 / d**0.37 + 5 / (n * d) ** 0.2

    assert float(made["L"]) == pytest.approx(loss(N), rel=1e-12)
    assert loss(N) < min(loss(N * 1.001), loss(N / 1.001))
