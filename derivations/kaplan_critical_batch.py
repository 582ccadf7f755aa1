"""Steps, examples and the critical batch: Kaplan et al. 2020 (arXiv 2001.08361), (5.1) to (5.5); McCandlish 2018.

McCandlish et al. (arXiv 1812.06162): a step of size eps along a gradient from B examples gains
``eps*G2 - eps**2/2*(GHG + trHS/B)`` on average, with ``G2 = |G|**2``, ``GHG = G^T H G`` and ``trHS = tr(H Sigma)``.
"""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Equal, Law, Less, Status, Tends, derive

LAW = "critical-batch"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """How the critical batch moves with the loss, and the loss that belongs to a batch."""
    return derive.elasticity(law), derive.inverse(law, "L")


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """(5.4) and (5.5) are the solution of (5.1) with (5.2); exchanged they are not. The best step has the same form."""
    elasticity, inverse = derivations(law)
    L, B_crit, B_star, alpha_B = (law.symbols[name] for name in ("L", "B_crit", "B_star", "alpha_B"))
    B, S, S_min, G2, GHG, trHS, eps = sp.symbols("B S S_min G2 GHG trHS eps", positive=True)
    batch, stated = law.explicit, B_star / L ** (1 / alpha_B)
    E_min = batch * S_min  # (5.2)
    steps = S_min * (1 + stated / B)
    trade = (S / S_min - 1) * (B * S / E_min - 1)  # (5.1), E = B S
    noise, gain = trHS / GHG, eps * G2 - eps**2 / 2 * (GHG + trHS / B)
    best = G2 / GHG / (1 + noise / B)
    printed = {
        "(5.4) solves (5.1)": Equal(trade.subs(S, steps), sp.Integer(1)),
        "(5.4) is the only solution beside S = 0": Equal((trade - 1) * E_min * S_min, B * S * (S - steps)),
        "(5.5) C_min/C": Equal(E_min / (B * steps), 1 / (1 + B / stated)),
        "at B_crit: twice the steps": Equal((steps / S_min).subs(B, batch), sp.Integer(2)),
        "B -> oo: S_min steps": Tends(steps, B, sp.oo, S_min),
        "B -> 0: E_min examples": Tends(B * steps, B, sp.Integer(0), E_min),
        "(1.4) exponent of the loss": Equal(elasticity["L"], -1 / alpha_B),
        "the loss that belongs to a batch": Equal(inverse["L"], (B_star / B_crit) ** alpha_B),
        "a loss down by 2**-alpha_B doubles the batch": Equal(batch.subs(L, 2**-alpha_B * L), 2 * stated),
        "McCandlish: the best step": Equal(gain.diff(eps).subs(eps, best), sp.Integer(0)),
        "McCandlish: it is a maximum": Less(gain.diff(eps, 2), sp.Integer(0)),
        "McCandlish: its gain": Equal(gain.subs(eps, best), G2**2 / (2 * GHG) / (1 + noise / B)),
    }
    said = tuple((Claim(name, what, law.domain, law.source), Status.PROVED) for name, what in printed.items())
    swapped = Equal(trade.subs(S, S_min * (1 + B / batch)), sp.Integer(1))
    return (*said, (Claim("(5.4) and (5.5) exchanged", swapped, law.domain, law.source), Status.REFUTED))
