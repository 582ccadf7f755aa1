"""What UNSL contains, and its slopes, hyperbreaks and limits: Caballero et al. 2026 (arXiv 2605.26248); ours."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Domain, Equal, Law, Less, Status, Tends, derive, laws
from symbolic_scaling.statements import Statement

LAW = "unsl"
ZERO = sp.Integer(0)
g, u, v = sp.symbols("g u v", positive=True)


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The slope of one input, and the frontier of two bottlenecks, which is Chinchilla's."""
    return derive.gradient(law, "x"), derive.frontier(_bottlenecks(), "6*N*D", given=("c_1_0_10 > 0", "c_2_0_11 > 0"))


def _bottlenecks(**sizes: object) -> Law:
    return laws.get("unsl", m=2, n=0, inputs=("N", "D"), **sizes)


def _broken(sign: int, n: int = 1) -> Law:
    """One MBNSL of two inputs whose widths have a sign."""
    return laws.get("unsl", m=2, n={(3, 0): n}, inputs=("N", "D"), level="K", signs=sign)


def _at(law: Law, values: Mapping[str, sp.Expr]) -> sp.Expr:
    """The right side with constants replaced by their names."""
    made: sp.Expr = law.form.rhs.subs({law.symbols[name]: value for name, value in values.items()}, simultaneous=True)
    return made


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """Containments, additive symmetry, slopes, the value at a hyperbreak, sharp limits, bottlenecks, saturation."""
    said = (*_bnsl(law), *_others(), *_symmetry(), *_slopes(), *_sums(), *_optima())
    return tuple((Claim(name, what, where, law.source), Status.PROVED) for name, what, where in said)


Said = tuple[str, Statement, Domain]


def _bnsl(law: Law) -> tuple[Said, ...]:
    """BNSL with c1 of either sign: f' = c1 f, c' = |c1|, d' = d**|c1|."""
    bnsl = laws.get("bnsl")
    a, b, c0, c1, d, f = (bnsl.symbols[name] for name in ("a", "b", "c0", "c1", "d1", "f1"))
    made = []
    for name, change, one in (("steepens", u, law), ("flattens", -u, laws.get("unsl", signs=-1))):
        values = {"a_0": a, "b_7": b, "c_1_0_7": c0, "c_1_1_7": u, "d_1_7": d**u, "f_1_7": change * f}
        ours, theirs = _at(one, values), bnsl.form.rhs.subs(c1, change)
        made.append((f"BNSL whose fall {name} at the break", Equal(ours, theirs), Domain()))
    two, ours = laws.get("bnsl", n=2), laws.get("mbnsl", n=2, signs=0, floor=True)
    turned = {f"c{j}": sign * w for j, sign, w in ((1, 1, u), (2, -1, v))}
    values = {"a_0": two.symbols["a"], "b": two.symbols["b"], "c_1_0": two.symbols["c0"]}
    for j, w in ((1, u), (2, v)):
        width = turned[f"c{j}"] * two.symbols[f"f{j}"]
        values |= {f"c_1_{j}": w, f"d_{j}": two.symbols[f"d{j}"] ** w, f"f_{j}": width}
    theirs = two.form.rhs.subs({two.symbols[name]: value for name, value in turned.items()}, simultaneous=True)
    made.append(("BNSL of two breaks, one of either sign", Equal(_at(ours, values), theirs), Domain()))
    return tuple(made)


def _others() -> tuple[Said, ...]:
    """Kaplan (1.5), M4 at alpha = 1, Chinchilla with its floor outside and inside."""
    kaplan, m4, hoffmann = laws.get("kaplan-nd"), laws.get("m4"), laws.get("chinchilla")
    N_c, D_c, aN, aD = (kaplan.symbols[name] for name in ("N_c", "D_c", "alpha_N", "alpha_D"))
    one = {"a_0": ZERO, "b_9": N_c**aN, "c_1_0_9": aN, "c_2_0_9": ZERO, "c_1_1_9": aN, "c_2_1_9": -aD}
    one |= {"d_1_9": N_c**aN / D_c**aD, "f_1_9": -aD}
    beta, c, eps_0, eps_inf = (m4.symbols[name] for name in ("beta", "c", "eps_0", "eps_inf"))
    gap = eps_0 - eps_inf
    mixed = _at(
        laws.get("unsl", n=0, ceilings=(2,)),
        {"a_0": eps_inf, "a_2": gap, "b_7": gap * beta, "c_1_0_7": -c},
    )
    form = m4.residual.subs({m4.symbols["alpha"]: 1, m4.response.symbol: mixed})
    E, A, B, alpha, beta_ = (hoffmann.symbols[name] for name in ("E", "A", "B", "alpha", "beta"))
    terms = {"b_10": A, "c_1_0_10": alpha, "b_11": B, "c_2_0_11": beta_}
    inside = _bottlenecks(U={3: ()})
    return (
        ("Kaplan (1.5) is one MBNSL", Equal(_at(_broken(-1), one), kaplan.explicit), Domain()),
        ("M4 at alpha = 1", Equal(form, ZERO), Domain((), ((eps_0, eps_inf),))),
        ("Chinchilla, floor a_0", Equal(_at(_bottlenecks(), {"a_0": E, **terms}), hoffmann.explicit), Domain()),
        (
            "Chinchilla, floor in R",
            Equal(_at(inside, {"a_0": ZERO, "b_9": E, **terms}), hoffmann.explicit),
            Domain(),
        ),
    )


def _symmetry() -> tuple[Said, ...]:
    """Equation (5): a sum of two power laws is one hyperbreak with f = -1, from either side; and for n > 1."""
    law, deep, shallow = _broken(-1), _broken(-1, 2), _broken(-1, 1)
    N, D, b = (law.symbols[name] for name in ("N", "D", "b_9"))
    p, q, h, k = sp.symbols("p q h k", real=True)
    total = b * N**-p * D**-q + g * N**-h * D**-k
    first = {"c_1_0_9": p, "c_2_0_9": q, "c_1_1_9": p - h, "c_2_1_9": q - k, "d_1_9": b / g}
    second = {"b_9": g, "c_1_0_9": h, "c_2_0_9": k, "c_1_1_9": h - p, "c_2_1_9": k - q, "d_1_9": g / b}
    fixed = {"a_0": ZERO, "f_1_9": sp.Integer(-1)}
    last = {"a_0": ZERO, "f_2_9": sp.Integer(-1), "c_1_2_9": p, "c_2_2_9": q, "d_2_9": g}
    c1, c2 = shallow.symbols["c_1_0_9"], shallow.symbols["c_2_0_9"]
    other = _at(shallow, {"a_0": ZERO, "b_9": b / g, "c_1_0_9": c1 - p, "c_2_0_9": c2 - q})
    back = {"b_9": b / g, "c_1_0_9": c1 - p, "c_2_0_9": c2 - q, "c_1_2_9": -p, "c_2_2_9": -q, "d_2_9": 1 / g}
    return (
        ("(5) a sum is one MBNSL", Equal(_at(law, first | fixed), total), Domain()),
        ("(5) with the roles exchanged", Equal(_at(law, second | fixed), total), Domain()),
        ("(5) for n > 1", Equal(_at(deep, last), _at(shallow, {"a_0": ZERO}) + other), Domain()),
        (
            "(5) for n > 1 with the roles exchanged",
            Equal(_at(deep, {"a_0": ZERO, "f_2_9": sp.Integer(-1), **back}), _at(shallow, {"a_0": ZERO}) + other),
            Domain(),
        ),
    )


def _slopes() -> tuple[Said, ...]:
    """The log gradient is -c_i0 before a hyperbreak and changes by -c_ij sign(f); the factor at the break is 2**-f."""
    made: list[Said] = []
    for sign, word in ((1, "f > 0"), (-1, "f < 0")):
        law = _broken(sign)
        N, c0, c1, d, f = (law.symbols[name] for name in ("N", "c_1_0_9", "c_1_1_9", "d_1_9", "f_1_9"))
        D, e = law.symbols["D"], law.symbols["c_2_1_9"]
        excess = law.explicit - law.symbols["a_0"]
        here = N * excess.diff(N) / excess
        rising = Domain((), ((c1, ZERO),))
        plain = law.symbols["b_9"] * N**-c0 * D ** -law.symbols["c_2_0_9"]
        made += [
            (f"slope before, {word}", Tends(here, N, ZERO, -c0), rising),
            (f"slope after, {word}", Tends(here, N, sp.oo, -c0 - sign * c1), rising),
            (f"at the hyperbreak, {word}", Equal(excess.subs(d, N**c1 * D**e), plain * 2**-f), Domain()),
        ]
        below = Domain((), ((v, u),))
        factor = (1 + (u / v) ** sp.Abs(1 / f)) ** -f
        made += [
            (f"sharp, below the break, {word}", Tends(factor, f, ZERO, sp.Integer(1)), below),
            (f"sharp, above it, {word}", Tends(factor, f, ZERO, (v / u) ** sign), Domain((), ((u, v),))),
        ]
    return tuple(made)


def _sums() -> tuple[Said, ...]:
    """Bottlenecks, saturation and the overfitting switch."""
    two = _bottlenecks()
    N, c, a0 = two.symbols["N"], two.symbols["c_1_0_10"], two.symbols["a_0"]
    left = a0 + two.symbols["b_11"] * two.symbols["D"] ** -two.symbols["c_2_0_11"]
    falls = Domain((), ((c, ZERO),))
    top = laws.get("unsl", n=0, ceilings=(2,))
    x, k, a2 = top.symbols["x"], top.symbols["c_1_0_7"], top.symbols["a_2"]
    over = laws.get("unsl", n=0, ceilings=(2,), overfitting=True)
    off = laws.get("unsl", n=0, ceilings=(2,))
    a1, b9 = over.symbols["a_1"], over.symbols["b_9"]
    X = over.symbols["x"]
    late = over.symbols["b_7"] * X ** -over.symbols["c_1_0_7"] + a1
    turned = over.symbols["a_0"] + 1 / (1 / late + 1 / over.symbols["a_2"])
    return (
        ("no bottleneck of N is left", Tends(two.explicit, N, sp.oo, left), falls),
        (
            "the bottleneck of N is all that is left",
            Tends(two.explicit / (two.symbols["b_10"] * N**-c), N, ZERO, sp.Integer(1)),
            falls,
        ),
        ("a ceiling at oo is none", Tends(top.explicit, a2, sp.oo, laws.get("unsl", n=0).explicit), Domain()),
        ("saturation at a_0 + a_2", Tends(top.explicit, x, ZERO, top.symbols["a_0"] + a2), Domain((), ((k, ZERO),))),
        ("never above a_0 + a_2", Less(top.explicit, top.symbols["a_0"] + a2), Domain()),
        ("overfitting off: a_1 -> 0", Tends(over.explicit, a1, ZERO, off.explicit), Domain()),
        ("overfitting off: Q(S+4) -> oo", Tends(over.explicit, b9, sp.oo, off.explicit), Domain()),
        ("overfitting saturates at a_1", Tends(over.explicit, b9, ZERO, turned), Domain()),
    )


def _optima() -> tuple[Said, ...]:
    """Lagrange's condition under 6*N*D, and the input at which a counterforce balances a bottleneck."""
    two, one = _bottlenecks(), laws.get("unsl", n=0, S=1)
    A, B, a, b = (two.symbols[name] for name in ("b_10", "b_11", "c_1_0_10", "c_2_0_11"))
    N, D, C = two.symbols["N"], two.symbols["D"], sp.Symbol("C", positive=True)
    G = (a * A / (b * B)) ** (1 / (a + b))
    best = {N: G * (C / 6) ** (b / (a + b)), D: (C / 6) ** (a / (a + b)) / G}
    both = Domain((), ((a, ZERO), (b, ZERO)))
    balance = (N * two.form.rhs.diff(N) - D * two.form.rhs.diff(D)).subs(best, simultaneous=True)
    x, low, high = one.symbols["x"], one.symbols["c_1_0_7"], one.symbols["c_1_0_9"]
    turn = (one.symbols["b_7"] * one.symbols["b_9"] * low / high) ** (1 / (low + high))
    slope = (x * one.form.rhs.diff(x)).subs(x, turn)
    return (
        ("Lagrange under 6*N*D: equal slopes", Equal(balance, ZERO), both),
        ("Lagrange under 6*N*D: the budget is spent", Equal((6 * N * D).subs(best, simultaneous=True), C), both),
        ("a counterforce turns the curve", Equal(slope, ZERO), Domain((), ((low, ZERO), (high, ZERO)))),
    )
