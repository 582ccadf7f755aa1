"""The laws once more, each straight from its paper into mpmath, by hand: nothing here comes from the package.

A function takes the inputs and constants by the paper's letters; numbers are mpmath's at the working precision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mpmath import exp, fabs, log, log10, mpc, power

Number = Any


def kaplan_n(N: Number, N_c: Number, alpha_N: Number) -> Number:
    """arXiv 2001.08361, (1.1)."""
    return exp(alpha_N * (log(N_c) - log(N)))


def kaplan_d(D: Number, D_c: Number, alpha_D: Number) -> Number:
    """arXiv 2001.08361, (1.2)."""
    return exp(alpha_D * (log(D_c) - log(D)))


def kaplan_c(C_min: Number, C_c: Number, alpha_C: Number) -> Number:
    """arXiv 2001.08361, (1.3)."""
    return exp(alpha_C * (log(C_c) - log(C_min)))


def critical_batch(L: Number, B_star: Number, alpha_B: Number) -> Number:
    """arXiv 2001.08361, (1.4)."""
    return B_star / exp(log(L) / alpha_B)


def kaplan_nd(*, N: Number, D: Number, N_c: Number, D_c: Number, alpha_N: Number, alpha_D: Number) -> Number:
    """arXiv 2001.08361, (1.5)."""
    return power(power(N_c / N, alpha_N / alpha_D) + D_c / D, alpha_D)


def kaplan_ns(*, N: Number, S_min: Number, N_c: Number, S_c: Number, alpha_N: Number, alpha_S: Number) -> Number:
    """arXiv 2001.08361, (1.6)."""
    return power(N_c / N, alpha_N) + power(S_c / S_min, alpha_S)


def logarithm(N: Number, a: Number, b: Number) -> Number:
    """arXiv 2001.08361, figure 23."""
    return a - b * log(N)


def sovit_joint(t: Number, xi: Number, c: Number, eps_inf: Number, **shape: Number) -> Number:
    """arXiv 2305.13035, (3)."""
    total = xi / power(t, c) + eps_inf
    for k in ("width", "depth", "mlp"):
        x = shape[f"x_{k}"]
        total += shape[f"alpha_{k}"] / power(x, shape[f"a_{k}"])
        total += shape[f"beta_{k}"] * power(x, shape[f"b_{k}"]) / power(t, c)
    return total


def bnsl(x: Number, a: Number, b: Number, c0: Number, **breaks: Number) -> Number:
    """arXiv 2210.14891, any number of breaks."""
    total = b / power(x, c0)
    for i in range(1, len(breaks) // 3 + 1):
        c, d, f = (breaks[f"{letter}{i}"] for letter in "cdf")
        total /= power(1 + power(x / d, 1 / f), c * f)
    return a + total


def data_constrained(
    *,
    U_N: Number,
    R_N: Number,
    U_D: Number,
    R_D: Number,
    E: Number,
    A: Number,
    B: Number,
    alpha: Number,
    beta: Number,
    R_N_star: Number,
    R_D_star: Number,
) -> Number:
    """arXiv 2305.16264: effective parameters N' and effective data D' in Chinchilla's law."""
    N_prime = U_N + U_N * R_N_star * (1 - exp(-R_N / R_N_star))
    D_prime = U_D + U_D * R_D_star * (1 - exp(-R_D / R_D_star))
    return A / power(N_prime, alpha) + B / power(D_prime, beta) + E


def precision(
    *,
    N: Number,
    D: Number,
    P_w: Number,
    P_a: Number,
    P_kv: Number,
    E: Number,
    A: Number,
    B: Number,
    alpha: Number,
    beta: Number,
    gamma_w: Number,
    gamma_a: Number,
    gamma_kv: Number,
) -> Number:
    """arXiv 2411.04330: Chinchilla's law in N_eff."""
    N_eff = N
    for P, gamma in ((P_w, gamma_w), (P_a, gamma_a), (P_kv, gamma_kv)):
        N_eff *= 1 - exp(-P / gamma)
    return A / power(N_eff, alpha) + B / power(D, beta) + E


def routed(*, N: Number, E: Number, a: Number, b: Number, c: Number, d: Number, E_s: Number, E_m: Number) -> Number:
    """arXiv 2202.01169: log10 L is bilinear in log10 N and log10 of the saturated number of experts."""
    saturated = 1 / (1 / (E - 1 + 1 / (1 / E_s - 1 / E_m)) + 1 / E_m)
    return power(10, a * log10(N) + b * log10(saturated) + c * log10(N) * log10(saturated) + d)


def rosenfeld(
    *,
    n: Number,
    m: Number,
    a: Number,
    alpha: Number,
    b: Number,
    beta: Number,
    c_inf: Number,
    eps_0: Number,
    eta: Number,
) -> Number:
    """arXiv 1909.12673: the envelope with the complex number as printed."""
    tilde = a / power(n, alpha) + b / power(m, beta) + c_inf
    return eps_0 * fabs(tilde / mpc(tilde, -eta))


TRANSCRIBED: dict[str, Callable[..., Number]] = {
    "bnsl": bnsl,
    "critical-batch": critical_batch,
    "data-constrained": data_constrained,
    "kaplan-c": kaplan_c,
    "kaplan-d": kaplan_d,
    "kaplan-n": kaplan_n,
    "kaplan-nd": kaplan_nd,
    "kaplan-ns": kaplan_ns,
    "logarithm": logarithm,
    "precision": precision,
    "rosenfeld": rosenfeld,
    "routed": routed,
    "sovit-joint": sovit_joint,
}
