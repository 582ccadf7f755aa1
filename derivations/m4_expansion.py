"""M4's series at both ends: Alabdulmohsin, Neyshabur, Zhai 2022 (arXiv 2209.06640), equation (3) and its remark."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Asymptotic, Claim, Derivation, Domain, Equal, Law, Status, Tends, derive

LAW = "m4"

TERMS = 6


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The series in ``beta*x**c`` as x -> oo, and in its power -1/alpha as x -> 0."""
    return derive.series(law, "x", TERMS, "oo"), derive.series(law, "x", TERMS, "0")


def general_term(n: int, alpha: sp.Expr, gap: sp.Expr) -> sp.Expr:
    """``(-1)**(n-1)/n * binomial(n*alpha, n-1) * gap**(n*alpha-n+1)``, the binomial written out."""
    binomial = sp.Mul(*(n * alpha - k for k in range(n - 1))) / sp.factorial(n - 1)
    return (-1) ** (n - 1) * binomial * gap ** (n * alpha - n + 1) / n


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """Equation (3), the general term, and what is true of the remark "the difference from M2 is O(alpha x^(2c))"."""
    far, near = (found["eps_x"] for found in derivations(law))
    alpha, beta, c, x = (law.symbols[name] for name in ("alpha", "beta", "c", "x"))
    eps_0, eps_inf = law.symbols["eps_0"], law.symbols["eps_inf"]
    gap, w = eps_0 - eps_inf, sp.Symbol("w", positive=True)
    t = w / (gap - w) ** alpha  # beta*x**c of the point whose excess over the floor is w
    printed = {
        "(3) first term": Equal(far.terms[1][0], gap**alpha),
        "(3) second term": Equal(far.terms[2][0], -alpha * gap ** (2 * alpha - 1)),
        "(3) small monomial": Equal(far.small, beta * x**c),
        "the other end": Equal(near.small, (beta * x**c) ** (-1 / alpha)),
        "difference from M2 with amplitude beta*gap**alpha": Tends(
            (w - gap**alpha * t) / t**2, w, 0 * x, -alpha * gap ** (2 * alpha - 1)
        ),
        "difference from M2 with the same beta, over x**c": Tends((w - t) / t, w, 0 * x, gap**alpha - 1),
    }
    for n in range(1, TERMS + 1):
        printed[f"term {n} as x -> oo"] = Equal(far.terms[n][0], general_term(n, alpha, gap))
        printed[f"term {n} as x -> 0"] = Equal(-near.terms[n][0], general_term(n, 1 / alpha, gap))
    given = Domain((), ((eps_0, eps_inf),))
    remark = _remark(law, w, t)
    found = [(Claim(name, said, given, law.source), Status.PROVED) for name, said in printed.items()]
    return *found, *((Claim(name, said, given, law.source), status) for name, (said, status) in remark.items())


def _remark(law: Law, w: sp.Symbol, t: sp.Expr) -> dict[str, tuple[Asymptotic, Status]]:
    """ "The difference is O(alpha x^(2c))": true of M2 with amplitude ``beta*gap**alpha``, not with the same beta.

    x -> oo is w -> 0, and ``x**c`` is ``t/beta``.
    """
    alpha, beta, eps_0, eps_inf = (law.symbols[name] for name in ("alpha", "beta", "eps_0", "eps_inf"))
    gap, power = eps_0 - eps_inf, t / beta

    def within(m2: sp.Expr) -> Asymptotic:
        return Asymptotic(w - m2, alpha * power**2, w, sp.Integer(0), bound=True)

    same, unit = within(t), {eps_0: eps_inf + 1}
    at_one = Asymptotic(same.left.subs(unit), same.right.subs(unit), w, sp.Integer(0), bound=True)
    return {
        "the remark, M2 with amplitude beta*gap**alpha": (within(gap**alpha * t), Status.PROVED),
        "the remark, M2 with the same beta": (same, Status.REFUTED),
        "the remark, M2 with the same beta, for eps_0 - eps_inf = 1": (at_one, Status.PROVED),
    }
