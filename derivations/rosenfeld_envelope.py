"""From random guessing to the power laws: Rosenfeld et al. 2019 (arXiv 1909.12673)."""

from __future__ import annotations

from functools import cache

import sympy as sp

from symbolic_scaling import Claim, Derivation, Equal, Law, Less, Status, Tends, derive

LAW = "rosenfeld"


@cache
def derivations(law: Law) -> tuple[Derivation, ...]:
    """Limits in data and model size, and the data that reach an error."""
    return derive.limits(law), derive.inverse(law, "n")


def claims(law: Law) -> tuple[tuple[Claim, Status], ...]:
    """The modulus without complex numbers; both ends; eta is where the error is eps_0/sqrt(2)."""
    limits, inverse = derivations(law)
    eps, n, m, a, b, alpha, beta = (law.symbols[name] for name in ("eps", "n", "m", "a", "b", "alpha", "beta"))
    c_inf, eps_0, eta = (law.symbols[name] for name in ("c_inf", "eps_0", "eta"))
    tilde, w = a * n ** (-alpha) + b * m ** (-beta) + c_inf, sp.Symbol("w", positive=True)
    envelope = eps_0 * w / sp.sqrt(w**2 + eta**2)  # |w/(w - i*eta)| = w/sqrt(w**2 + eta**2)
    zero = sp.Integer(0)
    printed = {
        "the modulus": Equal(law.explicit, envelope.subs(w, tilde)),
        "no data: random guessing": Equal(limits["n->0"], eps_0),
        "no model: random guessing": Equal(limits["m->0"], eps_0),
        "data without end": Equal(limits["n->oo"], envelope.subs(w, b * m ** (-beta) + c_inf)),
        "a model without end": Equal(limits["m->oo"], envelope.subs(w, a * n ** (-alpha) + c_inf)),
        "a, b, c_inf and eta together have no scale: one of them must be held in a fit": Equal(
            law.explicit, law.explicit.subs({a: w * a, b: w * b, c_inf: w * c_inf, eta: w * eta}, simultaneous=True)
        ),
        "far below eta the error is a power law times eps_0/eta": Tends(envelope / w, w, zero, eps_0 / eta),
        "far above eta it is that of random guessing": Tends(envelope, w, sp.oo, eps_0),
        "at eta it is eps_0/sqrt(2)": Equal(envelope.subs(w, eta), eps_0 / sp.sqrt(2)),
        "it rises with e~": Less(zero, envelope.diff(w)),
        "and never passes e~*eps_0/eta": Less(envelope**2, (w * eps_0 / eta) ** 2),
        "the data that reach an error": Equal(
            inverse["n"], (a / (eta * eps / sp.sqrt(eps_0**2 - eps**2) - b * m ** (-beta) - c_inf)) ** (1 / alpha)
        ),
    }
    return tuple((Claim(name, what, law.domain, law.source), Status.PROVED) for name, what in printed.items())
