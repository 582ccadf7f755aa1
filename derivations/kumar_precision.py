"""Size, data and bits at a given cost: Kumar et al. 2024 (arXiv 2411.04330), section 4.3."""

from __future__ import annotations

from functools import cache
from typing import Any

import sympy as sp

from symbolic_scaling import Claim, Derivation, Equal, Law, Less, Number, Status, Tends, derive, laws

LAW = "precision"

BITS = ("P_w", "P_a", "P_kv")


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The least loss under 6ND = C, the bits held."""
    return (derive.frontier(law, cost="C = 6*N*D", fixed=BITS),)


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """N* and D* of Chinchilla times powers of what few bits leave; the best bits, one sensitivity for all."""
    (frontier,) = derivations(law)
    N, D, C, E, A, B = (law.symbols[name] for name in ("N", "D", "C", "E", "A", "B"))
    alpha, beta = law.symbols["alpha"], law.symbols["beta"]
    P, gamma, u = sp.symbols("P gamma u", positive=True)
    left = sp.Mul(*(1 - sp.exp(-law.symbols[p] / law.symbols[p.replace("P", "gamma")]) for p in BITS))
    G = (alpha * A / (beta * B)) ** (1 / (alpha + beta))
    a, b = beta / (alpha + beta), alpha / (alpha + beta)
    N_opt, D_opt = G * (C / 6) ** a, G**-1 * (C / 6) ** b
    waste = P / (1 - sp.exp(-P / gamma)) ** 3  # the loss at C = (6/16) N D P rises with it
    excess = frontier["L"] - E
    spent = {C: 16 * C / P}  # 6ND that (6/16) N D P = C leaves
    alike = {law.symbols[p]: P for p in BITS} | {law.symbols[p.replace("P", "gamma")]: gamma for p in BITS}
    one = 1 - sp.exp(-P / gamma)
    printed = {
        "N_eff in the law": Equal(law.explicit, A / (N * left) ** alpha + B / D**beta + E),
        "N*": Equal(frontier["N"], N_opt * left ** (-b)),
        "D*": Equal(frontier["D"], D_opt * left**b),
        "N* N_eff: the size that counts grows with the bits": Equal(frontier["N"] * left, N_opt * left**a),
        "the loss at N* and D*": Equal(
            excess, (A * G**-alpha + B * G**beta) * (C / 6) ** (-alpha * beta / (alpha + beta)) * left ** (-alpha * a)
        ),
        "N* at P bits for all": Equal(
            frontier["N"].subs(spent).subs(alike), G * (8 * C / (3 * P)) ** a * one ** (-3 * b)
        ),
        "the loss at P bits for all": Equal(
            excess.subs(spent).subs(alike) / excess.subs(left, 1).subs(C, 16 * C), waste ** (alpha * a)
        ),
        "its slope in P": Equal(
            (P * waste.diff(P) / waste * one).subs(P, u * gamma), 1 - sp.exp(-u) - 3 * u * sp.exp(-u)
        ),
        "which vanishes at 3 u e**-u = 1 - e**-u, once: e**u times it is convex": Less(
            sp.Integer(0), (sp.exp(u) - 1 - 3 * u).diff(u, 2)
        ),
        "few bits: no gain": Tends(waste, P, sp.Integer(0), sp.oo),
        "many bits: no gain": Tends(waste, P, sp.oo, sp.oo),
    }
    said = tuple((Claim(name, what, law.domain, law.source), Status.PROVED) for name, what in printed.items())
    values = ((law.symbols["gamma_w"], "2.6745"),)
    share = Number(1 - sp.exp(-4 / law.symbols["gamma_w"]), printed="0.776", values=values)
    root = Number(
        3 * u * sp.exp(-u), right=1 - sp.exp(-u), values=((u, "1.90381369444"),), tolerance=sp.Rational("1e-6")
    )
    best = Number(sp.Rational("1.90381369444") * law.symbols["gamma_w"], printed="7.5", values=values)
    return (
        *said,
        *_after_training(law),
        (Claim("4 bits keep .776", share, source=law.source), Status.CONSISTENT),
        (Claim("u* = 1.904, ours", root, source=law.source), Status.CONSISTENT),
        (Claim("7 to 8 bits are best; the printed gamma_w gives 5.1", best, source=law.source), Status.REFUTED),
    )


def _after_training(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """Bits taken away after training add C_T D**g_D/N**g_N e**(-P/g_post): beyond some D more data hurts; ours."""
    added = "C_T*D^g_D*N^(-g_N)*exp(-P/g_post)"
    cut = laws.formula(f"L = E + A/N^alpha + B/D^beta + {added}", ["N", "D", "P"])
    signs = ("g_D > 0", "g_N > 0", "beta > 0", "alpha > 0")
    N, D, P, B, C_T = (cut.symbols[name] for name in ("N", "D", "P", "B", "C_T"))
    beta, g_D, g_N, g_post = (cut.symbols[name] for name in ("beta", "g_D", "g_N", "g_post"))
    best: Any = derive.optimum(cut, "D", given=signs)["D"]
    where, power = cut.domain.assume([(x, sp.Integer(0)) for x in (g_D, g_N, beta, cut.symbols["alpha"])]), beta + g_D
    loss = C_T * D**g_D * N ** (-g_N) * sp.exp(-P / g_post)
    printed = {
        "the data beyond which more hurts": Equal(
            best, (beta * B * N**g_N * sp.exp(P / g_post) / (g_D * C_T)) ** (1 / power)
        ),
        "each bit moves it by one factor": Equal(best.subs(P, P + 1), best * sp.exp(1 / (g_post * power))),
        "larger models take more data": Equal(N * best.diff(N) / best, g_N / power),
        "what is lost falls with the bits": Less(loss.diff(P), sp.Integer(0)),
        "all bits kept: nothing is lost": Tends(loss, P, sp.oo, sp.Integer(0)),
    }
    return tuple((Claim(name, what, where, law.source), Status.PROVED) for name, what in printed.items())
