"""Overfitting and the data that avoid it: Kaplan et al. 2020 (arXiv 2001.08361), equations (4.2) to (4.4)."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Domain, Equal, Law, Less, Number, Status, derive

LAW = "kaplan-nd"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The loss with unlimited data, and the data that reach a given loss."""
    return derive.limits(law), derive.inverse(law, "D")


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """(4.3) follows from (4.2); (4.4) with its exponent and constant, table 2."""
    limits, inverse = derivations(law)
    L, N, D, N_c, D_c = (law.symbols[name] for name in ("L", "N", "D", "N_c", "D_c"))
    alpha_N, alpha_D = law.symbols["alpha_N"], law.symbols["alpha_D"]
    delta = sp.Symbol("delta", positive=True)
    excess = law.explicit / limits["D->oo"] - 1  # (4.2)
    stated = (1 + (N / N_c) ** (alpha_N / alpha_D) * D_c / D) ** alpha_D - 1
    enough = D_c * (N / N_c) ** (alpha_N / alpha_D) / ((1 + delta) ** (1 / alpha_D) - 1)
    table = law.published_set("kaplan2020-table2")
    values = tuple((law.symbols[name], text) for name, text in table.constants)
    constant = enough.subs({N: 1, delta: sp.Rational(2, 100)})
    printed = {
        "(4.3)": Equal(excess, stated),
        "(4.3) depends on N**(alpha_N/alpha_D)/D alone": Equal(
            N * excess.diff(N) / alpha_N, -D * excess.diff(D) / alpha_D
        ),
        "(4.4) this much data leave an excess delta": Equal(excess.subs(D, enough), delta),
        "(4.4) is the inverse at (1 + delta) L(N, oo)": Equal(
            inverse["D"].subs(L, (1 + delta) * limits["D->oo"]), enough
        ),
        "(4.4) more data, less excess": Less(excess.diff(D), sp.Integer(0)),
    }
    numbers = {
        "(4.4) exponent .74": (Number(alpha_N / alpha_D, printed="0.74", values=values), Status.CONSISTENT),
        "(4.4) constant 5e3 at 2 %": (Number(constant, printed="5e3", values=values), Status.ROUNDING),
    }
    said = tuple((Claim(name, what, law.domain, law.source), Status.PROVED) for name, what in printed.items())
    return said + tuple((Claim(name, what, Domain(), table.source), status) for name, (what, status) in numbers.items())
