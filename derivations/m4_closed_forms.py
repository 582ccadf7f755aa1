"""M4 in closed form at alpha = 0, 1/2, 1 and 2: Alabdulmohsin, Neyshabur, Zhai 2022 (arXiv 2209.06640), section 2."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Domain, Equal, Law, Status, derive

LAW = "m4"

EXPONENTS = (sp.Integer(0), sp.Rational(1, 2), sp.Integer(1), sp.Integer(2))


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The response where the equation is linear or quadratic in the excess."""
    return tuple(derive.closed_form(law, {"alpha": value}) for value in EXPONENTS)


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """The roots in their usual form; alpha = 0 is M2 and alpha = 1 a logistic curve in log x."""
    found = {value: one["eps_x"] for value, one in zip(EXPONENTS, derivations(law), strict=True)}
    beta, c, x = (law.symbols[name] for name in ("beta", "c", "x"))
    eps_0, eps_inf = law.symbols["eps_0"], law.symbols["eps_inf"]
    t, gap = beta * x**c, eps_0 - eps_inf
    usual = {
        0: eps_inf + t,
        1: eps_inf + gap / (1 + sp.exp(-sp.log(beta) - c * sp.log(x))),
        2: eps_0 + (1 - sp.sqrt(1 + 4 * gap * t)) / (2 * t),
        sp.Rational(1, 2): eps_inf + (sp.sqrt(t**4 + 4 * gap * t**2) - t**2) / 2,
    }
    given = Domain((), ((eps_0, eps_inf),))
    return tuple(
        (Claim(f"alpha = {value}", Equal(found[value], form), given, law.source), Status.PROVED)
        for value, form in usual.items()
    )
