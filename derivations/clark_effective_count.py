"""The dense model that a routed one is worth: Clark et al. 2022 (arXiv 2202.01169), parameter count and cutoff."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Domain, Equal, Law, Less, Number, Status, Tends, derive

LAW = "routed"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The elasticity in parameters."""
    return (derive.elasticity(law, "N"),)


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """Experts saturate between E_s and E_m; N-bar has a dense model's loss; experts stop helping at 10**(-b/c)."""
    (elasticity,) = derivations(law)
    N, E, E_s, E_m = (law.symbols[name] for name in ("N", "E", "E_s", "E_m"))
    a, b, c, d = (law.symbols[name] for name in ("a", "b", "c", "d"))
    saturated = 1 / (1 / (E - 1 + 1 / (1 / E_s - 1 / E_m)) + 1 / E_m)
    ten = sp.log(10)

    def alpha(experts: sp.Expr) -> sp.Expr:
        return a + c * sp.log(experts) / ten

    dense = law.explicit.subs(E, 1)
    count = N ** (alpha(saturated) / alpha(E_s)) * (saturated / E_s) ** (b / alpha(E_s))
    cutoff = 10 ** (-b / c)
    log10 = sp.log(law.explicit) / ten
    printed = {
        "log L, logarithms to base 10": Equal(
            log10,
            (a * sp.log(N) + b * sp.log(saturated) + c * sp.log(N) * sp.log(saturated) / ten) / ten + d,
        ),
        "one expert: E_s": Equal(saturated.subs(E, 1), E_s),
        "experts without end: E_m": Tends(saturated, E, sp.oo, E_m),
        "more experts, more saturated experts": Less(sp.Integer(0), saturated.diff(E)),
        "exponent of the size": Equal(elasticity["N"], alpha(saturated)),
        "N-bar has the dense model's loss": Equal(sp.log(dense.subs(N, count)), sp.log(law.explicit)),
        "at the cutoff experts do not matter": Equal(
            sp.log(law.explicit.subs(N, cutoff)), d * ten + a * sp.log(cutoff)
        ),
    }
    falls = Domain(law.domain.ranges, (*law.domain.relations, (sp.Integer(0), alpha(E_s))))
    said = tuple(
        (Claim(name, what, falls if "N-bar" in name else law.domain, law.source), Status.PROVED)
        for name, what in printed.items()
    )
    values = ((b, "-0.108"), (c, "0.009"))
    number = Number(cutoff, printed="937e9", values=values)
    return (*said, (Claim("cutoff 937e9 for S-BASE", number, Domain(), law.source), Status.ROUNDING))
