"""A broken power law between and at its breaks: Caballero et al. 2022 (arXiv 2210.14891); ours."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Domain, Equal, Law, Status, Tends, derive, laws

LAW = "bnsl"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """Slope and limits of a curve that falls before and after its break."""
    return derive.gradient(law, "x"), derive.limits(law, given=("c0 > 0", "c1 > 0"))


def slope(law: Law) -> sp.Expr:
    """The log-log slope of the excess over the floor."""
    a, x = law.symbols["a"], law.symbols["x"]
    return x * law.explicit.diff(x) / (law.explicit - a)


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """Slopes -c0 before and -c0 - c1 after, 2**(-c1*f1) at the break, the sharp limit, a form that never overflows."""
    gradient, limits = derivations(law)
    x, a, b, c0, c1, d1, f1 = (law.symbols[name] for name in ("x", "a", "b", "c0", "c1", "d1", "f1"))
    excess, zero = law.explicit - a, sp.Integer(0)
    before, after = Domain((), ((d1, x),)), Domain((), ((x, d1),))
    safe = sp.log(b) - c0 * sp.log(x) - c1 * (sp.log(x / d1) + f1 * sp.log(1 + (d1 / x) ** (1 / f1)))
    printed = (
        ("slope", Equal(x * gradient["x"] / excess, -c0 - c1 * (1 - 1 / (1 + (x / d1) ** (1 / f1)))), Domain()),
        ("slope before", Tends(slope(law), x, zero, -c0), Domain()),
        ("slope after", Tends(slope(law), x, sp.oo, -c0 - c1), Domain()),
        ("slope at the break", Equal(slope(law).subs(x, d1), -c0 - c1 / 2), Domain()),
        ("value at the break", Equal(law.explicit.subs(x, d1), a + b * d1 ** (-c0) * 2 ** (-c1 * f1)), Domain()),
        ("sharp, before", Tends(excess, f1, zero, b * x ** (-c0)), before),
        ("sharp, after", Tends(excess, f1, zero, b * x ** (-c0) * (x / d1) ** (-c1)), after),
        ("no power above 1 for x > d1", Equal(sp.log(excess), safe), Domain()),
        ("falls to the floor", Equal(limits["x->oo"], a), Domain()),
    )  # fmt: skip
    said = tuple((Claim(name, what, where, law.source), Status.PROVED) for name, what, where in printed)
    return said + _two_breaks(law.source)


def _two_breaks(source: str) -> tuple[tuple[Claim, Status], ...]:
    """Between two sharp breaks the slope is -c0 - c1, after both -c0 - c1 - c2."""
    law = laws.get("bnsl", n=2)
    x, c0, c1, c2, d1, d2, f1, f2 = (law.symbols[n] for n in ("x", "c0", "c1", "c2", "d1", "d2", "f1", "f2"))
    gradient = derive.gradient(law, "x")["x"]
    here = x * gradient / (law.explicit - law.symbols["a"])
    second = 1 / (1 + (x / d2) ** (-1 / f2))  # how much of the second break lies below x
    zero, between = sp.Integer(0), Domain((), ((d2, d1), (x, d1), (d2, x)))
    f = sp.Symbol("f", positive=True)
    excess = (law.explicit - law.symbols["a"]).subs({f1: f, f2: f})
    first, both = (x / d1) ** (-c1), (x / d1) ** (-c1) * (x / d2) ** (-c2)
    start, after = law.symbols["b"] * x ** (-c0), Domain((), ((d2, d1), (x, d2), (x, d1)))
    printed = (
        ("two breaks, the first sharp and below x", Tends(here, f1, zero, -c0 - c1 - c2 * second), between),
        ("two breaks, the second sharp and above x", Tends(second, f2, zero, zero), between),
        ("both breaks sharp at once, between", Tends(excess, f, zero, start * first), between),
        ("both breaks sharp at once, after both", Tends(excess, f, zero, start * both), after),
        ("after two breaks", Tends(slope(law), x, sp.oo, -c0 - c1 - c2), Domain()),
    )
    return tuple((Claim(name, what, where, source), Status.PROVED) for name, what, where in printed)
