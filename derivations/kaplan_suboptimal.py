"""Training short of convergence and at other sizes: Kaplan et al. 2020 (arXiv 2001.08361), (B.11) to (B.17)."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Domain, Equal, Law, Less, Number, Status, derive, laws

LAW = "kaplan-ns"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The steps that reach a loss, and the loss after unlimited steps."""
    return derive.inverse(law, "S_min"), derive.limits(law)


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """Sizes, steps and compute for a loss f above the converged one, and the cost of a size off the optimum."""
    inverse, limits = derivations(law)
    B_star, alpha_B = laws.get("critical-batch").constants
    L, N, N_c, S_c = (law.symbols[name] for name in ("L", "N", "N_c", "S_c"))
    alpha_N, alpha_S = law.symbols["alpha_N"], law.symbols["alpha_S"]
    f, g, N_eff = sp.symbols("f g N_eff", positive=True)  # g is f'
    batch = laws.get("critical-batch").form.rhs

    def size(excess: sp.Expr) -> sp.Expr:
        return N_c * ((1 + excess) / L) ** (1 / alpha_N)

    def steps(excess: sp.Expr) -> sp.Expr:
        return inverse["S_min"].subs(N, size(excess))

    compute = 6 * batch * N * inverse["S_min"]
    ratio_N = ((1 + f) / (1 + g)) ** (1 / alpha_N)
    ratio_S = ((1 + 1 / f) / (1 + 1 / g)) ** (1 / alpha_S)
    at_best = {L: (1 + alpha_N / alpha_S) * (N_c / N_eff) ** alpha_N}  # (B.5)
    off, best = compute.subs(at_best), compute.subs(at_best).subs(N, N_eff)
    bracket = 1 + alpha_S / alpha_N * (1 - (N_eff / N) ** alpha_N)
    printed = {
        "(B.11) L = (1 + f) L(N, oo)": Equal((1 + f) * limits["S_min->oo"].subs(N, size(f)), L),
        "(B.11) f = alpha_N/alpha_S on the frontier": Equal(
            steps(alpha_N / alpha_S), S_c * ((1 + alpha_S / alpha_N) / L) ** (1 / alpha_S)
        ),
        "(B.12)": Equal(size(f) / size(g), ratio_N),
        "(B.13)": Equal(steps(f) / steps(g), ratio_S),
        "(B.14)": Equal(size(f) * steps(f) / (size(g) * steps(g)), ratio_N * ratio_S),
        "(B.15)": Equal(
            compute, 6 * B_star * S_c * N / L ** (1 / alpha_B) * (L - (N_c / N) ** alpha_N) ** (-1 / alpha_S)
        ),
    }
    inside = Domain((), ((bracket, sp.Integer(0)),))
    beside = {
        "(B.16)": Equal(off / best, N / N_eff * bracket ** (-1 / alpha_S)),
        "(B.17)": Equal(off / best * N_eff / N, bracket ** (-1 / alpha_S)),
        "(B.16) is least at N_eff": Equal(
            (N / N_eff * bracket ** (-1 / alpha_S)).diff(N).subs(N, N_eff), sp.Integer(0)
        ),
        "(B.16) its slope in logs": Equal(
            N * sp.log(N / N_eff * bracket ** (-1 / alpha_S)).diff(N), 1 - (N_eff / N) ** alpha_N / bracket
        ),
        "(B.16) which is positive beyond N_eff": Less((N_eff / N) ** alpha_N, bracket),
    }
    domains = {"(B.16) which is positive beyond N_eff": Domain((), ((N, N_eff),))}
    said = tuple((Claim(name, what, law.domain, law.source), Status.PROVED) for name, what in printed.items())
    said += tuple(
        (Claim(name, what, domains.get(name, inside), law.source), Status.PROVED) for name, what in beside.items()
    )
    return said + _numbers(law, ratio_N, ratio_S, N / N_eff * bracket ** (-1 / alpha_S), bracket ** (-1 / alpha_S))


def _numbers(
    law: Law, ratio_N: sp.Expr, ratio_S: sp.Expr, extra: sp.Expr, fewer: sp.Expr
) -> tuple[tuple[Claim, Status], ...]:
    """At f = 10 %, f' = 2 % and the exponents of table 5."""
    table = {law.symbols[name]: text for name, text in law.published_set("kaplan2020-table5").constants}
    letters = sp.symbols("f g N_eff", positive=True)
    fixed = dict(zip(letters, (sp.Rational(1, 10), sp.Rational(1, 50), sp.Integer(1)), strict=True))
    N = law.symbols["N"]
    stated = (
        ("(B.12) 2.7", ratio_N, "2.7", Status.CONSISTENT),
        ("(B.13) .13", ratio_S, "0.13", Status.CONSISTENT),
        ("(B.14) .35", ratio_N * ratio_S, "0.35", Status.ROUNDING),
        ("(B.16) at .6 N_eff", extra.subs(N, sp.Rational(6, 10)), "1.2", Status.CONSISTENT),
        ("(B.16) at 2.2 N_eff", extra.subs(N, sp.Rational(22, 10)), "1.2", Status.CONSISTENT),
        ("(B.17) at 2.2 N_eff: 45 % fewer steps", 1 - fewer.subs(N, sp.Rational(22, 10)), "0.45", Status.CONSISTENT),
    )
    said = []
    for name, form, text, status in stated:
        number = form.subs(fixed)
        values = tuple((symbol, digits) for symbol, digits in table.items() if number.has(symbol))
        said.append((Claim(name, Number(number, printed=text, values=values), Domain(), law.source), status))
    return tuple(said)
