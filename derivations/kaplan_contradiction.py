"""Where compute-efficient training would outrun its data: Kaplan et al. 2020 (arXiv 2001.08361), (6.6) to (6.8)."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Domain, Equal, Law, Less, Number, Status, derive, laws

LAW = "kaplan-c"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The compute that reaches a loss, and the tokens that reach it."""
    return derive.inverse(law, "C_min"), derive.inverse(laws.get("kaplan-d"), "D")


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """L(D(C)) meets L(C) once, a floor does not move the crossing; the four numbers of (6.8) do not fit together."""
    compute, tokens = derivations(law)
    data = laws.get("kaplan-d")
    L, C, C_c, alpha_C = (law.symbols[name] for name in ("L", "C_min", "C_c", "alpha_C"))
    D, D_c, alpha_D = (data.symbols[name] for name in ("D", "D_c", "alpha_D"))
    k, p, floor = sp.symbols("k p floor", positive=True)  # D(C) = k C**p: (6.7) or table 6
    limited = data.form.rhs.subs(D, k * C**p)
    meeting = (C_c**alpha_C * (k / D_c) ** alpha_D) ** (1 / (alpha_C - alpha_D * p))
    slower = Domain((), ((alpha_C, alpha_D * p),))
    distance = sp.log(law.explicit) - sp.log(limited)
    printed = {
        "both laws agree there": Equal(law.explicit.subs(C, meeting), limited.subs(C, meeting)),
        "the compute that reaches L": Equal(compute["C_min"], C_c * L ** (-1 / alpha_C)),
        "the tokens at the crossing": Equal(
            tokens["D"].subs(data.symbols["L"], law.explicit.subs(C, meeting)), k * meeting**p
        ),
        "they meet once: the distance of the logs falls": Equal(C * distance.diff(C), alpha_D * p - alpha_C),
        "and its slope is negative": Less(C * distance.diff(C), sp.Integer(0)),
        "a floor under both does not move the crossing": Equal(
            (law.explicit + floor).subs(C, meeting), (limited + floor).subs(C, meeting)
        ),
    }
    said = tuple((Claim(name, what, slower, law.source), Status.PROVED) for name, what in printed.items())
    return said + _numbers(law, data, meeting)


def _numbers(law: Law, data: Law, meeting: sp.Expr) -> tuple[tuple[Claim, Status], ...]:
    """With D(C) of (6.7), 4e10 C**.26, and of table 6, 2e10 C**.27; L(C) and L(D) of table 5, N = 1.3e9 C**.73.

    (6.7) as printed puts C* at 1.1e5, ten times the printed one. Table 6 gives C*, N* and L*, but D* = 2.5e11.
    """
    k, p = sp.symbols("k p", positive=True)
    letters = {**law.symbols, **data.symbols, "k": k, "p": p}
    table = dict(
        (*law.published_set("kaplan2020-table5").constants, *data.published_set("kaplan2020-table5").constants)
    )
    as_printed, table6 = {"k": "4e10", "p": "0.26"}, {"k": "2e10", "p": "0.27"}
    size = sp.Rational("1.3e9") * meeting ** sp.Rational("0.73")
    stated: tuple[tuple[str, sp.Expr, str, dict[str, str], Status], ...] = (
        ("(6.6) D ~ C**.54", sp.Rational("0.74") * sp.Rational("0.73"), "0.54", {}, Status.CONSISTENT),
        ("(6.8) C* = 1e4 by (6.7)", meeting, "1e4", as_printed, Status.REFUTED),
        ("(6.8) C* = 1e4 by table 6", meeting, "1e4", table6, Status.CONSISTENT),
        ("(6.8) N* = 1e12 by table 6", size, "1e12", table6, Status.CONSISTENT),
        ("(6.8) D* = 1e12 by table 6", k * meeting**p, "1e12", table6, Status.REFUTED),
        (
            "(6.8) L* = 1.7 by table 6",
            (law.symbols["C_c"] / meeting) ** law.symbols["alpha_C"],
            "1.7",
            table6,
            Status.CONSISTENT,
        ),
    )
    said = []
    for name, form, text, given, status in stated:
        values = tuple((letters[key], digits) for key, digits in {**table, **given}.items() if form.has(letters[key]))
        said.append((Claim(name, Number(form, printed=text, values=values), Domain(), law.source), status))
    return tuple(said)
