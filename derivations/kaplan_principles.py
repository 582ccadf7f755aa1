"""What L(N,D) was made for: Kaplan et al. 2020 (arXiv 2001.08361), section 4.1, the three design principles."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Equal, Law, Status, Tends, derive

LAW = "kaplan-nd"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The limits in each variable, and the series at D = oo."""
    return derive.limits(law), derive.series(law, "D", 2, "oo")


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """Rescaling, the laws of one variable as limits, integer powers of 1/D; the other form has no such series."""
    limits, series = derivations(law)
    N, D, N_c, D_c, alpha_N, alpha_D = (law.symbols[n] for n in ("N", "D", "N_c", "D_c", "alpha_N", "alpha_D"))
    k, power = sp.symbols("k power", positive=True)
    whole, terms = law.explicit, series["L"].terms
    scaled = whole.subs({N_c: k ** (1 / alpha_N) * N_c, D_c: k ** (1 / alpha_D) * D_c}, simultaneous=True)
    other = ((N_c / N) ** alpha_N + (D_c / D) ** alpha_D) ** power
    slope = power * (N_c / N) ** (alpha_N * (power - 1)) * D_c**alpha_D
    printed = {
        "1: another vocabulary rescales N_c and D_c": Equal(k * whole, scaled),
        "2: L(N, oo) = L(N)": Equal(limits["D->oo"], (N_c / N) ** alpha_N),
        "2: L(oo, D) = L(D)": Equal(limits["N->oo"], (D_c / D) ** alpha_D),
        "3: the series is in 1/D": Equal(series["L"].small, 1 / D),
        "3: in integer powers": Equal(terms[1][1] + terms[2][1], sp.Integer(3)),
        "3: term 1": Equal(terms[1][0], alpha_D * D_c * (N_c / N) ** (alpha_N - alpha_N / alpha_D)),
        "3: term 2": Equal(
            terms[2][0], alpha_D * (alpha_D - 1) / 2 * D_c**2 * (N_c / N) ** (alpha_N - 2 * alpha_N / alpha_D)
        ),
        "footnote 4: the other form falls like D**-alpha_D": Tends(
            D**alpha_D * (other - (N_c / N) ** (alpha_N * power)), D, sp.oo, slope
        ),
    }
    return tuple((Claim(name, said, law.domain, law.source), Status.PROVED) for name, said in printed.items())
