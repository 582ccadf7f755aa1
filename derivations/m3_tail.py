"""M3's true asymptotic exponent, -1 whatever c: Alabdulmohsin, Neyshabur, Zhai 2022 (arXiv 2209.06640), M3; ours."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Equal, Law, Status, Tends, derive

LAW = "m3"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The series in 1/x and the limits."""
    return derive.series(law, "x", 2, "oo"), derive.limits(law)


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """With gamma > 0 the excess over the floor falls like 1/x."""
    series, limits = derivations(law)
    beta, gamma, c, x = (law.symbols[name] for name in ("beta", "gamma", "c", "x"))
    floor = beta * gamma ** (-c)
    excess = law.explicit - floor
    printed = {
        "the floor": Equal(limits["x->oo"], floor),
        "the small monomial": Equal(series["eps_x"].small, 1 / x),
        "the leading excess": Equal(series["eps_x"].terms[1][0], -c * beta * gamma ** (-c - 1)),
        "excess times x": Tends(x * excess, x, sp.oo, -c * beta * gamma ** (-c - 1)),
        "log-log slope of the excess": Tends(x * excess.diff(x) / excess, x, sp.oo, sp.Integer(-1)),
        "requirement (1) with exponent -1": Tends(sp.log(excess) / sp.log(x), x, sp.oo, sp.Integer(-1)),
        "gamma -> 0 is M1": Tends(law.explicit, gamma, sp.Integer(0), beta * x**c),
    }
    return tuple((Claim(name, said, law.domain, law.source), Status.PROVED) for name, said in printed.items())
