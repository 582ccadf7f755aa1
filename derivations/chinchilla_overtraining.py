"""Chinchilla's law by tokens per parameter: Gadre et al. 2024 (arXiv 2403.08540), (4); drift of the optimum."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Equal, Law, Status, derive

LAW = "chinchilla"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The least loss under 6ND = C."""
    return (derive.frontier(law, cost="C = 6*N*D"),)


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """With equal exponents the loss is a power of C at every M = D/N; what a ratio off the optimum costs, ours."""
    (frontier,) = derivations(law)
    N, D, C, E, A, B = (law.symbols[name] for name in ("N", "D", "C", "E", "A", "B"))
    alpha, beta = law.symbols["alpha"], law.symbols["beta"]
    M, k = sp.symbols("M k", positive=True)
    eta = alpha / 2
    a, b = A * 6**eta, B * 6**eta
    size = (C / (6 * M)) ** sp.Rational(1, 2)
    ratio = frontier["D"] / frontier["N"]
    at_ratio = law.explicit.subs({N: size, D: M * size}).subs(beta, alpha)
    best = (B / A) ** (1 / alpha)
    excess = at_ratio - E
    printed = {
        "(4)": Equal(at_ratio, E + (a * M**eta + b * M ** (-eta)) * C ** (-eta)),
        "the budget is met": Equal(6 * size * M * size, C),
        "equal exponents: the optimal M does not depend on C": Equal(ratio.subs(beta, alpha), best),
        "M at another ratio: (k**eta + k**-eta)/2 times the excess": Equal(
            excess.subs(M, k * best) / excess.subs(M, best), (k**eta + k ** (-eta)) / 2
        ),
        "which is 1 and half a square": Equal(
            (k**eta + k ** (-eta)) / 2, 1 + (k ** (eta / 2) - k ** (-eta / 2)) ** 2 / 2
        ),
        "drift: the elasticity of D/N in C": Equal(C * ratio.diff(C) / ratio, (alpha - beta) / (alpha + beta)),
        "drift: the optimal D/N": Equal(
            ratio, (beta * B / (alpha * A)) ** (2 / (alpha + beta)) * (C / 6) ** ((alpha - beta) / (alpha + beta))
        ),
    }
    return tuple((Claim(name, what, law.domain, law.source), Status.PROVED) for name, what in printed.items())
