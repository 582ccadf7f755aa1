"""SoViT's optimal shape: Alabdulmohsin, Zhai, Kolesnikov, Beyer 2023 (arXiv 2305.13035), equations (4), (5) and (6)."""

from __future__ import annotations

from functools import cache

from symbolic_scaling import Claim, Derivation, Equal, Law, Less, Status, derive

LAW = "sovit"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The optimum in x_k at fixed compute, and the error there as a function of compute."""
    return derive.optimum(law, "x_k"), derive.envelope(law, over="x_k")


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """Equations (4), (5) and (6) as printed; F and G are ours."""
    optimum, envelope = derivations(law)
    x_k, t, a_k, b_k, c = (law.symbols[name] for name in ("x_k", "t", "a_k", "b_k", "c"))
    alpha_k, beta_k, xi_k, eps_k = (law.symbols[name] for name in ("alpha_k", "beta_k", "xi_k", "eps_k"))
    x_star = (alpha_k * a_k * t**c / (beta_k * b_k)) ** (1 / (a_k + b_k))
    s_k = c / (a_k + b_k)
    F, G = alpha_k * (a_k + b_k) / b_k, xi_k
    error = law.explicit.subs(x_k, x_star)
    signed = x_k ** (a_k + 1) * law.explicit.diff(x_k)
    rise = (a_k + b_k) * b_k * beta_k * x_k ** (a_k + b_k - 1) * t ** (-c)
    printed = {
        "(4) x_k*": Equal(optimum["x_k"], x_star),
        "(4) x_k* grows as t**s_k": Equal(optimum["exponent of x_k"], s_k),
        "(4) elasticity of x_k* in t": Equal(t * x_star.diff(t) / x_star, s_k),
        "(5) F": Equal(envelope["F"], F),
        "(5) G": Equal(envelope["G"], G),
        "(5) the error at x_k*": Equal(error, F * x_star ** (-a_k) + G * t ** (-c) + eps_k),
        "(5) the envelope": Equal(envelope["f_k"], F * x_star ** (-a_k) + G * t ** (-c) + eps_k),
        "(6) x**(a_k + 1) times the slope has this derivative": Equal(signed.diff(x_k), rise),
        "(6) which is positive: the slope changes its sign once": Less(0 * t, rise),
    }
    return tuple((Claim(name, said, law.domain, law.source), Status.PROVED) for name, said in printed.items())
