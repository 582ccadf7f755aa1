"""Noise-free tables with known constants: the design on which each law must give its constants back.

Constants are drawn in units in which the inputs are 1 at their geometric mean and carried to real units by the law's
own scaling, so that every term matters somewhere in the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import sympy as sp

from symbolic_scaling import laws
from symbolic_scaling.fit.units import factors
from symbolic_scaling.law import Law

__all__ = ["DESIGNS", "Design", "inside", "planted"]

Range = tuple[float, float]


@dataclass(frozen=True)
class Design:
    """``inputs``: range and number of values, in a grid, or one at a time from the middle (``star``) before the last.

    ``constants``: range in centred units, drawn log-uniformly; of those in ``either`` the sign is drawn too. ``fix``
    are constants that no table determines.
    """

    inputs: dict[str, tuple[float, float, int]]
    constants: dict[str, Range]
    law: str = ""
    sizes: dict[str, object] = field(default_factory=dict)
    either: tuple[str, ...] = ()
    fix: tuple[str, ...] = ()
    star: bool = False


X = {"x": (1e3, 1e13, 60)}
BROKEN = {"a": (0.05, 0.5), "b": (0.3, 3), "c0": (0.05, 0.3)}
CHINCHILLA = {"E": (0.5, 2), "A": (0.1, 2), "B": (0.1, 2), "alpha": (0.2, 0.6), "beta": (0.2, 0.6)}
JOINT = ("width", "depth", "mlp")


def _break(i: int, where: Range) -> dict[str, Range]:
    return {f"c{i}": (0.15, 0.5), f"d{i}": where, f"f{i}": (0.3, 1.5)}


DESIGNS = {
    "m1": Design({"x": (1e3, 1e13, 12)}, {"beta": (0.1, 3), "c": (-0.8, -0.05)}),
    "m2": Design({"x": (1e3, 1e13, 20)}, {"beta": (0.1, 3), "c": (-0.6, -0.05), "eps_inf": (0.05, 2)}),
    "m3": Design({"x": (1e3, 1e13, 20)}, {"beta": (0.1, 3), "gamma": (0.01, 30), "c": (-0.8, -0.05)}),
    "m4": Design(
        {"x": (1e3, 1e13, 30)},
        {"beta": (0.3, 3), "c": (-0.6, -0.1), "alpha": (0.3, 2), "eps_inf": (0.05, 0.3), "eps_0": (0.7, 1.5)},
    ),
    "chinchilla": Design({"N": (1e7, 1e11, 6), "D": (1e9, 1e13, 6)}, CHINCHILLA),
    "kaplan-nd": Design(
        {"N": (1e6, 1e10, 6), "D": (1e8, 1e12, 6)},
        {"N_c": (0.3, 30), "D_c": (0.3, 30), "alpha_N": (0.05, 0.3), "alpha_D": (0.05, 0.3)},
    ),
    "kaplan-ns": Design(
        {"N": (1e6, 1e10, 6), "S_min": (1e2, 1e6, 6)},
        {"N_c": (0.3, 30), "S_c": (0.03, 3), "alpha_N": (0.05, 0.3), "alpha_S": (0.4, 1.2)},
    ),
    "routed": Design(
        {"N": (1e6, 1e10, 6), "E": (2, 512, 8)},
        {"a": (-0.15, -0.03), "b": (-0.2, -0.05), "c": (0.004, 0.02), "d": (0.5, 2), "E_s": (1.2, 3), "E_m": (50, 500)},
    ),
    "sovit": Design(
        {"x_k": (64, 4096, 7), "t": (1e9, 1e13, 7)},
        {
            "alpha_k": (0.05, 0.5),
            "a_k": (0.3, 1.2),
            "beta_k": (0.05, 0.5),
            "b_k": (0.3, 1.2),
            "xi_k": (0.05, 0.5),
            "c": (0.2, 0.7),
            "eps_k": (0.05, 0.3),
        },
    ),
    "sovit-joint": Design(
        {**{f"x_{name}": (100, 4000, 8) for name in JOINT}, "t": (1e9, 1e13, 6)},
        {
            **{f"alpha_{name}": (0.1, 0.5) for name in JOINT},
            **{f"a_{name}": (0.3, 1.2) for name in JOINT},
            **{f"beta_{name}": (0.1, 0.5) for name in JOINT},
            **{f"b_{name}": (0.3, 1.2) for name in JOINT},
            **{"xi": (0.05, 0.5), "c": (0.2, 0.7), "eps_inf": (0.05, 0.3)},
        },
        star=True,
    ),
    "data-constrained": Design(
        {"U_N": (1e7, 1e10, 4), "R_N": (0.1, 100, 4), "U_D": (1e8, 1e11, 4), "R_D": (0.1, 100, 4)},
        {**CHINCHILLA, "R_N_star": (2, 20), "R_D_star": (2, 20)},
    ),
    "precision": Design(
        {"N": (1e7, 1e10, 4), "D": (1e9, 1e12, 4), **{f"P_{name}": (2, 16, 4) for name in ("w", "a", "kv")}},
        {**CHINCHILLA, "gamma_w": (0.3, 1.5), "gamma_a": (0.3, 1.5), "gamma_kv": (0.3, 1.5)},
    ),
    "rosenfeld": Design(
        {"n": (1e4, 1e8, 6), "m": (1e4, 1e8, 6)},
        {
            "a": (0.1, 2),
            "alpha": (0.2, 0.8),
            "b": (0.1, 2),
            "beta": (0.2, 0.8),
            "c_inf": (0.05, 0.5),
            "eps_0": (1, 5),
            "eta": (1, 5),
        },
        fix=("eta",),
    ),
    "bnsl": Design(X, {**BROKEN, **_break(1, (3e-3, 3e2))}, either=("c1",)),
    "bnsl-2": Design(
        X, {**BROKEN, **_break(1, (3e-4, 0.1)), **_break(2, (10, 3e3))}, "bnsl", {"n": 2}, either=("c1", "c2")
    ),
    "bnsl-3": Design(
        X,
        {**BROKEN, **_break(1, (2e-4, 3e-3)), **_break(2, (0.2, 5)), **_break(3, (3e2, 5e3))},
        "bnsl",
        {"n": 3},
        either=("c1", "c2", "c3"),
    ),
}


def planted(name: str, seed: int) -> tuple[Law, dict[str, np.ndarray], dict[str, float]]:
    """The law, its inputs (n,) by name, and constants drawn for ``seed``."""
    design, rng = DESIGNS[name], np.random.default_rng(seed)
    law = laws.get(design.law or name, **design.sizes)
    axes = [np.geomspace(*design.inputs[symbol.name]) for symbol in law.inputs]
    drawn = np.array([_draw(*design.constants[s.name], s.name in design.either, rng) for s in law.constants])
    sizes = [float(np.log(axis).mean()) for axis in axes]
    real = drawn * np.exp(factors(law)(*sizes, 0.0, *drawn[:, None]))[:, 0]
    grid = _star(axes) if design.star else np.stack([a.ravel() for a in np.meshgrid(*axes, indexing="ij")])
    inputs = {symbol.name: values for symbol, values in zip(law.inputs, grid, strict=True)}
    return law, inputs, {s.name: float(v) for s, v in zip(law.constants, real, strict=True)}


def _star(axes: list[np.ndarray]) -> np.ndarray:
    """Each axis but the last moved alone from the others' middle, at every value of the last."""
    *moved, last = axes
    centre = [np.exp(np.log(axis).mean()) for axis in moved]
    arms = [[*centre[:i], value, *centre[i + 1 :], t] for i, axis in enumerate(moved) for value in axis for t in last]
    return np.array(arms).T


def _draw(lo: float, hi: float, either: bool, rng: np.random.Generator) -> float:
    near, far = sorted((abs(lo), abs(hi)))
    sign = rng.choice([-1.0, 1.0]) if either else np.sign(lo)
    return float(sign * np.exp(rng.uniform(np.log(near), np.log(far))))


def inside(symbol: sp.Symbol, rng: np.random.Generator) -> float:
    """A number that a constant may have, floors below and ceilings above a response of order 1."""
    special = {"eps_inf": 0.05, "eps_0": 6.0}
    return special.get(symbol.name, float(rng.uniform(0.2, 0.8)) * (-1 if symbol.is_negative else 1))
