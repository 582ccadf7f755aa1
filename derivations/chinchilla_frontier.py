"""Chinchilla's compute frontier: Hoffmann et al. 2022 (arXiv 2203.15556), equation (4), and the loss along it."""

from __future__ import annotations

from functools import cache

from symbolic_scaling import Claim, Derivation, Equal, Law, Less, Status, derive

LAW = "chinchilla"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The least loss under 6ND = C."""
    return (derive.frontier(law, cost="C = 6*N*D"),)


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """Equation (4) as printed; that it is the optimum; the loss on the frontier and the drift of D/N, ours."""
    (frontier,) = derivations(law)
    N, D, C, E = (law.symbols[name] for name in ("N", "D", "C", "E"))
    A, B, alpha, beta = (law.symbols[name] for name in ("A", "B", "alpha", "beta"))
    G = (alpha * A / (beta * B)) ** (1 / (alpha + beta))
    a, b = beta / (alpha + beta), alpha / (alpha + beta)
    N_opt, D_opt = G * (C / 6) ** a, G**-1 * (C / 6) ** b
    loss = law.explicit.subs(D, C / (6 * N))
    excess = (A * G**-alpha + B * G**beta) * (C / 6) ** (-alpha * beta / (alpha + beta))
    printed = {
        "(4) N_opt": Equal(frontier["N"], N_opt),
        "(4) D_opt": Equal(frontier["D"], D_opt),
        "(4) G": Equal(frontier["G"], G),
        "(4) a": Equal(frontier["exponent of N"], a),
        "(4) b": Equal(frontier["exponent of D"], b),
        "the slope along 6ND = C vanishes at N_opt": Equal(loss.diff(N).subs(N, N_opt), 0 * C),
        "the budget is met": Equal(6 * N_opt * D_opt, C),
        "the second derivative in log N is positive": Less(0 * C, N * (N * loss.diff(N)).diff(N)),
        "loss above the floor": Equal(loss.subs(N, N_opt) - E, excess),
        "loss on the frontier": Equal(frontier["L"], E + excess),
        "its exponent": Equal(frontier["exponent of L"], -alpha * beta / (alpha + beta)),
        "its constant": Equal(frontier["prefactor of L"], (1 + alpha / beta) * A * G**-alpha),
        "tokens per parameter drift": Equal(
            frontier["D"] / frontier["N"], G**-2 * (C / 6) ** ((alpha - beta) / (alpha + beta))
        ),
    }
    return tuple((Claim(name, said, law.domain, law.source), Status.PROVED) for name, said in printed.items())
