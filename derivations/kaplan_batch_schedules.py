"""Constant against variable batch: Kaplan et al. 2020 (arXiv 2001.08361), appendix B, a remark to be checked.

A step at batch B is worth ``1/(1 + B_crit(L)/B)`` steps at a batch far above the critical one, (5.4). The paper says
that the batch ``B(L_target)`` from the start and the batch ``B(L)`` along the way take the same number of steps.
By (5.4) as printed, with B_crit at the target, both take ``2 S_min``. By (5.4) step by step, the constant batch is far
above the critical one early on and takes fewer: ``(2 + r)/(1 + r)`` times S_min, N unlimited, ``r = alpha_S/alpha_B``.
"""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Domain, Equal, Law, Less, Number, Status, Tends, derive, laws

LAW = "kaplan-ns"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The limits of the law: N unlimited leaves the step term."""
    return (derive.limits(law),)


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """Steps done as a function of steps s at an unlimited batch, for both schedules."""
    (limits,) = derivations(law)
    batch = laws.get("critical-batch")
    B_star, alpha_B = batch.constants
    S_min, S_c, alpha_S = (law.symbols[name] for name in ("S_min", "S_c", "alpha_S"))
    s, B = sp.symbols("s B", positive=True)
    r = alpha_S / alpha_B
    critical = batch.form.rhs.subs(batch.symbols["L"], limits["N->oo"].subs(S_min, s))  # B_crit after s steps
    target = critical.subs(s, S_min)
    constant = s + s * critical / (target * (1 + r))
    printed = {
        "(5.4) at the target, constant batch": Equal(S_min * (1 + target / B).subs(B, target), 2 * S_min),
        "N -> oo leaves the steps": Equal(limits["N->oo"], (S_c / S_min) ** alpha_S),
        "S -> oo leaves the size": Equal(
            limits["S_min->oo"], (law.symbols["N_c"] / law.symbols["N"]) ** law.symbols["alpha_N"]
        ),
        "the critical batch grows like s**r": Equal(critical, B_star * (s / S_c) ** r),
        "step by step, variable batch: twice as many": Equal(1 + critical / B.subs(B, critical), sp.Integer(2)),
        "step by step, constant batch": Equal(constant.diff(s), 1 + (s / S_min) ** r),
        "beginning at none": Tends(constant, s, sp.Integer(0), sp.Integer(0)),
        "at the target": Equal(constant.subs(s, S_min), S_min * (2 + r) / (1 + r)),
        "fewer than twice": Less(constant.subs(s, S_min), 2 * S_min),
    }
    said = tuple((Claim(name, what, law.domain, law.source), Status.PROVED) for name, what in printed.items())
    same = Claim("the same number, step by step", Equal(constant.subs(s, S_min), 2 * S_min), law.domain, law.source)
    values = ((alpha_S, "0.76"), (alpha_B, "0.21"))
    ours = Number((2 + r) / (1 + r), printed="1.2", values=values)
    return (*said, (same, Status.REFUTED), (Claim("which is, ours", ours, Domain(), law.source), Status.CONSISTENT))
