"""M4's slope and fall: Alabdulmohsin, Neyshabur, Zhai 2022 (arXiv 2209.06640), section 2; implicit function theorem."""

from __future__ import annotations

from functools import cache

from symbolic_scaling import Claim, Derivation, Domain, Equal, Law, Less, Status, Tends, derive

LAW = "m4"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """Slope, curvature and limits of a curve that the equation defines implicitly."""
    return derive.gradient(law), derive.hessian(law), derive.limits(law)


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """The curve falls from eps_0 to eps_inf, M2 is its limit at alpha = 0, the logistic curve its case alpha = 1."""
    gradient, _, limits = derivations(law)
    x, c, alpha, beta = (law.symbols[name] for name in ("x", "c", "alpha", "beta"))
    eps_x, eps_0, eps_inf = (law.symbols[name] for name in ("eps_x", "eps_0", "eps_inf"))
    above, below, slope = eps_x - eps_inf, eps_0 - eps_x, gradient["x"]
    logistic = (eps_inf + eps_0 * beta * x**c) / (1 + beta * x**c)
    printed = {
        "slope": Equal(slope, c * above * below / (x * (below + alpha * above))),
        "slope along both sides of the equation": Equal(
            slope * law.form.lhs.diff(eps_x) / law.form.lhs, law.form.rhs.diff(x) / law.form.rhs
        ),
        "eps_x falls for every alpha": Less(slope, 0 * x),
        "the excess never falls faster than x**c": Less(c, x * slope / above),
        "alpha -> 0 is the slope of M2": Tends(slope, alpha, 0 * x, c * above / x),
        "alpha = 1 is the logistic curve": Equal(*(s.subs(alpha, 1).subs(eps_x, logistic) for s in law.form.args)),
        "alpha = 1 is the logistic slope": Equal(slope.subs(alpha, 1).subs(eps_x, logistic), logistic.diff(x)),
        "x -> oo": Equal(limits["x->oo"], eps_inf),
        "x -> 0": Equal(limits["x->0"], eps_0),
    }
    given = law.domain.meet(Domain((), ((eps_0, eps_inf),)))
    return tuple((Claim(name, said, given, law.source), Status.PROVED) for name, said in printed.items())
