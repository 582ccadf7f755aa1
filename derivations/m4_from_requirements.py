"""M4 rebuilt from what is asked of it: Alabdulmohsin, Neyshabur, Zhai 2022 (arXiv 2209.06640), (1) and (2)."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Domain, Equal, Law, Status, Tends, derive, laws

LAW = "m4"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The input at which the response has a given value, and the laws that M4 contains."""
    return derive.inverse(law, "x"), derive.reduction(law, [laws.get("m1"), laws.get("m2")])


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """A convex combination of random guessing and floor, with weights driven by a power law, is M4 at alpha = 1.

    Requirement (1), a log-log slope c of the excess over some floor, then fixes how the weights may fall; the exponent
    alpha leaves it untouched, and alpha = 0 keeps M2.
    """
    inverse, contained = derivations(law)
    alpha, beta, c, x = (law.symbols[name] for name in ("alpha", "beta", "c", "x"))
    eps_x, eps_0, eps_inf = (law.symbols[name] for name in ("eps_x", "eps_0", "eps_inf"))
    g, w = sp.symbols("g w", positive=True)
    mixed = g / (1 + g) * eps_0 + 1 / (1 + g) * eps_inf
    ratio = law.form.lhs.subs(alpha, 1)
    seen_at = inverse["x"].subs(eps_x, eps_inf + w)
    printed = {
        "(2) laid bare: the ratio of the gaps is g": Equal(ratio.subs(eps_x, mixed), g),
        "(2) weights sum to one": Equal(g / (1 + g) + 1 / (1 + g), sp.Integer(1)),
        "(2) g -> 0 gives the floor": Tends(mixed, g, sp.Integer(0), eps_inf),
        "(2) g -> oo gives random guessing": Tends(mixed, g, sp.oo, eps_0),
        "g = beta*x**c is the law's other side": Equal(law.form.rhs, beta * x**c),
        "(1) M2: slope c over the floor": Tends(sp.log(beta * x**c) / sp.log(x), x, sp.oo, c),
        "(1) M4 for every alpha: log excess over log x, the excess going to 0": Tends(
            sp.log(w) / sp.log(seen_at), w, sp.Integer(0), c
        ),
    }
    given = Domain((), ((eps_0, eps_inf),))
    said = tuple((Claim(name, what, given, law.source), Status.PROVED) for name, what in printed.items())
    count = Equal(sp.Integer(len(contained.found)), sp.Integer(2))
    return (*said, (Claim("M1 and M2 are contained", count, Domain(), law.source), Status.PROVED))
