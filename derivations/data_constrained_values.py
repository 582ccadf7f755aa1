"""What repeated data are worth: Muennighoff et al. 2023 (arXiv 2305.16264), effective data, its limits, and U_N."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Domain, Equal, Law, Less, Number, Status, Tends, derive, laws

LAW = "data-constrained"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The law's limits, and the compute frontier of the law without repetition."""
    return derive.limits(law), derive.frontier(laws.get("chinchilla"))


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """One epoch, few epochs, many epochs; U_N is the frontier's N for U_D tokens; a decay of 1 - delta an epoch."""
    limits, frontier = derivations(law)
    plain = laws.get("chinchilla")
    U_N, U_D, R_N, R_D, R_star, R_N_star = (
        law.symbols[n] for n in ("U_N", "U_D", "R_N", "R_D", "R_D_star", "R_N_star")
    )
    E, A, B, alpha, beta = (law.symbols[name] for name in ("E", "A", "B", "alpha", "beta"))
    delta, zero = sp.Symbol("delta", positive=True), sp.Integer(0)
    effective = U_D + U_D * R_star * (1 - sp.exp(-R_D / R_star))
    own = U_N + U_N * R_N_star * (1 - sp.exp(-R_N / R_N_star))
    data_term, size_term = B / effective**beta, A / own**alpha
    G = (alpha * A / (beta * B)) ** (1 / (alpha + beta))
    compute = plain.symbols["C"]
    spends = 6 * (G * U_D) ** ((alpha + beta) / alpha)  # the budget whose frontier has D = U_D
    printed = {
        "the law in effective parameters and data": Equal(law.explicit, size_term + data_term + E),
        "one epoch": Equal(limits["R_D->0"], size_term + B / U_D**beta + E),
        "no excess parameters": Equal(limits["R_N->0"], A / U_N**alpha + data_term + E),
        "ever more epochs": Equal(limits["R_D->oo"], size_term + B / (U_D * (1 + R_star)) ** beta + E),
        "ever more parameters": Equal(limits["R_N->oo"], A / (U_N * (1 + R_N_star)) ** alpha + data_term + E),
        "the first repetitions are worth as much as new data": Tends(effective.diff(R_D), R_D, zero, U_D),
        "after R* repetitions 1 - 1/e of the most is reached": Equal(
            effective.subs(R_D, R_star) - U_D, (1 - sp.exp(-1)) * (U_D * (1 + R_star) - U_D)
        ),
        "each is worth less than the one before": Less(effective.diff(R_D, 2), zero),
        "what is lost to repetition begins at none": Tends(U_D * (1 + R_D) - effective, R_D, zero, zero),
        "and grows": Less(zero, (U_D * (1 + R_D) - effective).diff(R_D)),
        "U_N: the frontier spends D = U_D": Equal(frontier["D"].subs(compute, spends), U_D),
        "U_N: its N": Equal(frontier["N"].subs(compute, spends), (U_D * G) ** (beta / alpha) * G),
        "decay: four epochs more": Equal(
            U_D * sp.Add(*((1 - delta) ** k for k in range(5))),
            U_D + (1 - delta) * U_D * (1 - (1 - delta) ** 4) / delta,
        ),
        "decay: in the limit R* = (1 - delta)/delta": Equal(
            U_D + (1 - delta) * U_D / delta, (U_D * (1 + R_star)).subs(R_star, (1 - delta) / delta)
        ),
    }
    domains = {"decay": Domain.make({delta: (sp.Rational(1, 1000), sp.Rational(9, 10))})}
    said = tuple(
        (Claim(name, what, domains.get(name[:5], law.domain), law.source), Status.PROVED)
        for name, what in printed.items()
    )
    return said + _numbers(law, G, R_star, R_N_star)


def _numbers(law: Law, G: sp.Expr, R_star: sp.Symbol, R_N_star: sp.Symbol) -> tuple[tuple[Claim, Status], ...]:
    """At the printed fit; delta is what an epoch loses."""
    table = law.published_set("muennighoff2023")
    a, b, alpha, beta = (sp.Symbol(name, positive=True) for name in ("a", "b", "alpha", "beta"))
    ratio = (G**2).subs({law.symbols["A"]: sp.exp(a), law.symbols["B"]: sp.exp(b)}).subs(beta, alpha)
    fit = ((a, "6.255414"), (b, "7.3049974"), (alpha, "0.3526596"))
    stated = (
        ("U_N = .051 U_D", Number(ratio, printed="0.051", values=fit), Status.CONSISTENT),
        ("A = 521", Number(sp.exp(a), printed="521", values=fit[:1]), Status.CONSISTENT),
        (
            "delta = .19 for excess parameters",
            Number(1 / (1 + R_N_star), printed="0.19", values=((R_N_star, "5.309743"),)),
            Status.REFUTED,
        ),
        ("which is 1/R_N*", Number(1 / R_N_star, printed="0.19", values=((R_N_star, "5.309743"),)), Status.CONSISTENT),
        (
            "the most that data give: 16.4 U_D, ours",
            Number(1 + R_star, printed="16.4", values=((R_star, "15.387756"),)),
            Status.CONSISTENT,
        ),
    )
    return tuple((Claim(name, what, Domain(), table.source), status) for name, what, status in stated)
