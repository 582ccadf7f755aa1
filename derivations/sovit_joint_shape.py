"""SoViT's joint form against its single form: Alabdulmohsin et al. 2023 (arXiv 2305.13035), equations (2), (3), (4)."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Equal, Law, Less, Status, derive, laws

LAW = "sovit-joint"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """The optimum in each dimension, the others held."""
    return tuple(derive.optimum(law, x) for x in law.inputs[:-1])


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """The other dimensions, held, only move xi and the floor: the optimum of each does not depend on them."""
    found = derivations(law)
    single = laws.get("sovit")
    t, c, xi, eps_inf = (law.symbols[name] for name in ("t", "c", "xi", "eps_inf"))
    names = [x.name.removeprefix("x_") for x in law.inputs[:-1]]
    letters = {name: [law.symbols[f"{k}_{name}"] for k in ("x", "alpha", "a", "beta", "b")] for name in names}
    stars = {x: (alpha * a * t**c / (beta * b)) ** (1 / (a + b)) for x, alpha, a, beta, b in letters.values()}
    printed: dict[str, Equal | Less] = {}
    for name, one in zip(names, found, strict=True):
        x, alpha, a, beta, b = letters[name]
        others = [letters[other] for other in names if other != name]
        held = {
            "x_k": x, "alpha_k": alpha, "a_k": a, "beta_k": beta, "b_k": b, "t": t, "c": c,
            "xi_k": xi + sp.Add(*(q * y**e for y, _, _, q, e in others)),
            "eps_k": eps_inf + sp.Add(*(p * y ** (-e) for y, p, e, _, _ in others)),
        }  # fmt: skip
        alone = single.form.rhs.subs({single.symbols[k]: v for k, v in held.items()}, simultaneous=True)
        printed |= {
            f"(2) is (3) with all but {name} held": Equal(law.explicit, alone),
            f"(4) for {name}, jointly": Equal(one[x.name], stars[x]),
            f"(4) all at once: stationary in {name}": Equal(law.explicit.diff(x).subs(stars), sp.Integer(0)),
            f"(4) s_k of {name}": Equal(one[f"exponent of {x.name}"], c / (a + b)),
            f"in {name} the curvature in logs is positive": Less(sp.Integer(0), x * (x * law.explicit.diff(x)).diff(x)),
        }
    first, second = (law.inputs[k] for k in (0, 1))
    printed["no dimension bends another"] = Equal(law.explicit.diff(first, second), sp.Integer(0))
    at_all = (
        eps_inf
        + xi * t ** (-c)
        + sp.Add(*(alpha * (a + b) / b * stars[x] ** (-a) for x, alpha, a, beta, b in letters.values()))
    )
    printed["(5) jointly: each dimension adds its F"] = Equal(law.explicit.subs(stars), at_all)
    return tuple((Claim(name, what, law.domain, law.source), Status.PROVED) for name, what in printed.items())
