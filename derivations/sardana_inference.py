"""Training and inference paid together: Sardana et al. 2024 (arXiv 2401.00448), the condition at fixed loss."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Domain, Equal, Law, Less, Number, Status, derive

LAW = "chinchilla"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The slopes of the loss, the tokens that reach a loss, and the frontier without inference."""
    return derive.gradient(law), derive.inverse(law, "D"), derive.frontier(law, cost="C = 6*N*D")


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """6 N D + 2 N D_inf is stationary at fixed loss where the printed condition holds, and nowhere else."""
    gradient, inverse, frontier = derivations(law)
    L, N, D, E, A, B = (law.symbols[name] for name in ("L", "N", "D", "E", "A", "B"))
    alpha, beta = law.symbols["alpha"], law.symbols["beta"]
    D_inf = sp.Symbol("D_inf", positive=True)
    paid = 6 * N * D + 2 * N * D_inf
    along = paid.diff(N) - paid.diff(D) * gradient["N"] / gradient["D"]  # dD/dN at fixed loss is -L_N/L_D
    pull = alpha * A * N ** (-alpha) / (beta * B * D ** (-beta))
    tokens = ((L - E - A / N**alpha) / B) ** (-1 / beta)
    best = {N: frontier["N"], D: frontier["D"]}
    above = Domain((), ((L, E + A / N**alpha),))
    printed = (
        ("the tokens that hold the loss", Equal(inverse["D"], tokens), above),
        ("slope of the cost at fixed loss", Equal(along, 6 * D * (1 + D_inf / (3 * D) - pull)), Domain()),
        ("the same along D(N)", Equal(tokens.diff(N), -(gradient["N"] / gradient["D"]).subs(D, tokens)), above),
        ("without inference: the compute frontier", Equal(pull.subs(best), sp.Integer(1)), Domain()),
        ("the larger N, the smaller the pull", Less(pull.diff(N), sp.Integer(0)), Domain()),
        ("inference asks for a smaller model than the frontier", Less(sp.Integer(0), along.subs(best)), Domain()),
    )
    said = tuple((Claim(name, what, where, law.source), Status.PROVED) for name, what, where in printed)
    return said + _numbers(law, pull, 1 + D_inf / (3 * D))


def _numbers(law: Law, pull: sp.Expr, right: sp.Expr) -> tuple[tuple[Claim, Status], ...]:
    """Optima solved numerically at fixed loss, ours: they are the printed 16.4B and 3.27T, 41.6B and 7.92T."""
    letters = {**law.symbols, "D_inf": sp.Symbol("D_inf", positive=True)}
    fit = {"A": "406.4", "B": "410.7", "alpha": "0.336", "beta": "0.283"}
    runs = {
        "30B quality, 5T tokens of inference": {"N": "1.6412e10", "D": "3.2650e12", "D_inf": "5e12"},
        "70B quality, 10T tokens of inference": {"N": "4.1551e10", "D": "7.9225e12", "D_inf": "1e13"},
    }
    said = []
    for name, run in runs.items():
        values = tuple((letters[key], text) for key, text in {**fit, **run}.items())
        number = Number(pull, right=right, values=values, tolerance=sp.Rational(1, 1000))
        said.append(
            (Claim(name, number, Domain(), "Sardana et al. 2024, arXiv 2401.00448, examples"), Status.CONSISTENT)
        )
    return tuple(said)
