"""Optima in closed form beside SymPy's ``solve`` on the same stationarity equations, in one run.

``solve`` runs in a process of its own that is ended after ``CAP`` seconds; ``extra_info`` says what came back.
"""

from __future__ import annotations

import time

import pytest
import sympy as sp

from symbolic_scaling import derive, laws
from symbolic_scaling.budget import killable
from symbolic_scaling.errors import BudgetExhausted

CAP = 30.0


def ours(name: str) -> object:
    """The derivation with all its steps."""
    if name == "kaplan-b":
        return derive.frontier(laws.get("kaplan-ns"), cost="C = 6*N*S_min*B_star*L**(-1/alpha_B)")
    return derive.frontier(laws.get("chinchilla")) if name == "chinchilla" else derive.optimum(laws.get("sovit"), "x_k")


def solved(name: str) -> tuple[int, float]:
    """How many solutions SymPy's ``solve`` returns, and in which time."""
    law = laws.get("kaplan-ns" if name == "kaplan-b" else name)
    start = time.perf_counter()
    if name == "kaplan-b":
        N, S, L = (law.symbols[letter] for letter in ("N", "S_min", "L"))
        C, price, B_star, alpha_B = sp.symbols("C price B_star alpha_B", positive=True)
        paid = 6 * N * S * B_star * L ** (-1 / alpha_B)
        slopes = [law.explicit.diff(s) + price * N * S / s for s in (N, S)]
        answer = sp.solve([*slopes, law.explicit - L, paid - C], [N, S, price, L], dict=True)
    elif name == "chinchilla":
        N, D, C = (law.symbols[letter] for letter in "NDC")
        price = sp.Symbol("price", positive=True)
        lagrangian = law.explicit + price * (6 * N * D - C)
        answer = sp.solve([lagrangian.diff(s) for s in (N, D, price)], [N, D, price], dict=True)
    else:
        x = law.symbols["x_k"]
        answer = sp.solve(law.explicit.diff(x), x, dict=True)
    return len(answer), time.perf_counter() - start


@pytest.mark.parametrize("name", ["chinchilla", "sovit", "kaplan-b"])
def test_optimum(benchmark, name: str) -> None:
    sp.core.cache.clear_cache()
    start = time.perf_counter()
    ours(name)
    first = time.perf_counter() - start
    try:
        solutions, seconds = killable(solved, name, seconds=CAP)
    except BudgetExhausted:
        solutions, seconds = 0, CAP
    benchmark.extra_info |= {"first_call": first, "solve_solutions": solutions, "solve_seconds": seconds}
    benchmark(ours, name)
