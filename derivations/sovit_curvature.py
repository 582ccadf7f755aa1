"""SoViT's curve in one dimension is quasiconvex, not convex: Alabdulmohsin et al. 2023 (arXiv 2305.13035), A.1."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Domain, Equal, Law, Less, Status, derive

LAW = "sovit"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """Slope, curvature and the optimum."""
    return derive.gradient(law, "x_k"), derive.hessian(law, "x_k"), derive.optimum(law, "x_k")


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """One sign change of the slope, at x*; for b < 1 the curve bends down beyond its inflection, for b >= 1 nowhere."""
    gradient, hessian, optimum = derivations(law)
    x, t, a, b, c = (law.symbols[name] for name in ("x_k", "t", "a_k", "b_k", "c"))
    alpha, beta, xi, eps = (law.symbols[name] for name in ("alpha_k", "beta_k", "xi_k", "eps_k"))
    r = sp.Symbol("r", positive=True)
    best = (alpha * a * t**c / (beta * b)) ** (1 / (a + b))
    turn = best * ((1 + a) / (1 - b)) ** (1 / (a + b))
    zero = sp.Integer(0)
    slope, bend = gradient["x_k"], hessian["x_k,x_k"]
    everywhere, flat = Domain(), Domain((), ((sp.Integer(1), b),))
    below, above = Domain((), ((sp.Integer(1), r),)), Domain((), ((r, sp.Integer(1)),))
    printed = (
        ("the slope is 0 at x*", Equal(slope.subs(x, optimum["x_k"]), zero), everywhere),
        ("x*", Equal(optimum["x_k"], best), everywhere),
        (
            "the slope at r x*",
            Equal(slope.subs(x, r * best), a * alpha * best ** (-a - 1) * (r ** (b - 1) - r ** (-a - 1))),
            everywhere,
        ),
        ("it falls below x*", Less(r ** (b - 1) - r ** (-a - 1), zero), below),
        ("it rises above x*", Less(zero, r ** (b - 1) - r ** (-a - 1)), above),
        ("at x* the curve bends up", Equal(bend.subs(x, best), alpha * a * (a + b) * best ** (-a - 2)), everywhere),
        ("b >= 1: the curve bends up everywhere", Less(zero, bend), Domain((), ((b, sp.Integer(1)),))),
        ("b < 1: an inflection", Equal(bend.subs(x, turn), zero), flat),
        (
            "b < 1: the bend at r times the inflection",
            Equal(bend.subs(x, r * turn), alpha * a * (1 + a) * turn ** (-a - 2) * (r ** (-a - 2) - r ** (b - 2))),
            flat,
        ),
        ("b < 1: negative beyond it", Less(r ** (-a - 2) - r ** (b - 2), zero), flat.meet(above)),
        (
            "what stands beside",
            Equal(law.explicit.subs(x, best), alpha * (a + b) / b * best ** (-a) + xi * t ** (-c) + eps),
            everywhere,
        ),
    )
    said = tuple((Claim(name, what, where, law.source), Status.PROVED) for name, what, where in printed)
    return (*said, (Claim("convex for every b", Less(zero, bend), law.domain, law.source), Status.REFUTED))
