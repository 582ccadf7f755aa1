"""Where training overfits, in steps: Kaplan et al. 2020 (arXiv 2001.08361), equation (5.7)."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Domain, Equal, Law, Less, Status, Tends, derive, laws

LAW = "kaplan-ns"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The steps that reach a loss, unlimited data, and the loss after unlimited steps."""
    return derive.inverse(law, "S_min"), derive.limits(law)


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """Training on unlimited data reaches L(N,D) after the printed number of steps: before it D is no limit."""
    inverse, limits = derivations(law)
    L, N, S_min, S_c, N_c = (law.symbols[name] for name in ("L", "N", "S_min", "S_c", "N_c"))
    alpha_N, alpha_S = law.symbols["alpha_N"], law.symbols["alpha_S"]
    finite = laws.get("kaplan-nd")
    D_c, D, alpha_D = (finite.symbols[name] for name in ("D_c", "D", "alpha_D"))
    gap = finite.form.rhs - derive.limits(finite)["D->oo"]  # L(N,D) - L(N,oo)
    stop = S_c / gap ** (1 / alpha_S)
    above = Domain((), ((L, (N_c / N) ** alpha_N), (finite.form.rhs, (N_c / N) ** alpha_N)))
    printed = {
        "L(N,oo) is the loss after unlimited steps": Equal(limits["S_min->oo"], (N_c / N) ** alpha_N),
        "steps that reach L": Equal(inverse["S_min"], S_c / (L - (N_c / N) ** alpha_N) ** (1 / alpha_S)),
        "L(N,D) > L(N,oo)": Less((N_c / N) ** alpha_N, finite.form.rhs),
        "(5.7) reaches L(N,D)": Equal(law.explicit.subs(S_min, stop), finite.form.rhs),
        "(5.7) more data, later": Less(sp.Integer(0), stop.diff(D)),
        "(5.7) for much data S grows like D**(1/alpha_S)": Tends(
            stop / D ** (1 / alpha_S),
            D,
            sp.oo,
            S_c / (alpha_D * D_c * (N_c / N) ** (alpha_N - alpha_N / alpha_D)) ** (1 / alpha_S),
        ),
    }
    return tuple(
        (Claim(name, what, above if "reach" in name else law.domain, law.source), Status.PROVED)
        for name, what in printed.items()
    )
