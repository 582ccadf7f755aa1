"""Noise-free tables with known constants: the design on which each law must give its constants back.

Constants are drawn in units in which the inputs are 1 at their geometric mean and carried to real units by the law's
own scaling, so that every term matters somewhere in the table.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from symbolic_scaling import laws
from symbolic_scaling.fit.units import factors
from symbolic_scaling.law import Law

__all__ = ["DESIGNS", "inside", "planted"]

#: law -> (inputs: range and number of values, in a grid), (constants: range in centred units)
DESIGNS = {
    "m1": ({"x": (1e3, 1e13, 12)}, {"beta": (0.1, 3), "c": (-0.8, -0.05)}),
    "m2": ({"x": (1e3, 1e13, 20)}, {"beta": (0.1, 3), "c": (-0.6, -0.05), "eps_inf": (0.05, 2)}),
    "m3": ({"x": (1e3, 1e13, 20)}, {"beta": (0.1, 3), "gamma": (0.01, 30), "c": (-0.8, -0.05)}),
    "m4": (
        {"x": (1e3, 1e13, 30)},
        {"beta": (0.3, 3), "c": (-0.6, -0.1), "alpha": (0.3, 2), "eps_inf": (0.05, 0.3), "eps_0": (0.7, 1.5)},
    ),
    "chinchilla": (
        {"N": (1e7, 1e11, 6), "D": (1e9, 1e13, 6)},
        {"E": (0.5, 2), "A": (0.1, 2), "B": (0.1, 2), "alpha": (0.2, 0.6), "beta": (0.2, 0.6)},
    ),
    "kaplan-nd": (
        {"N": (1e6, 1e10, 6), "D": (1e8, 1e12, 6)},
        {"N_c": (0.3, 30), "D_c": (0.3, 30), "alpha_N": (0.05, 0.3), "alpha_D": (0.05, 0.3)},
    ),
    "routed": (
        {"N": (1e6, 1e10, 6), "E": (2, 512, 8)},
        {"a": (-0.15, -0.03), "b": (-0.2, -0.05), "c": (0.004, 0.02), "d": (0.5, 2), "E_s": (1.2, 3), "E_m": (50, 500)},
    ),
    "sovit": (
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
}


def planted(name: str, seed: int) -> tuple[Law, dict[str, np.ndarray], dict[str, float]]:
    """The law, its inputs (n,) by name, and constants drawn log-uniformly for ``seed``."""
    law, rng = laws.get(name), np.random.default_rng(seed)
    ranges, constants = DESIGNS[name]
    axes = [np.geomspace(*ranges[symbol.name]) for symbol in law.inputs]
    grid = [axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")]
    drawn = np.array([_draw(*constants[symbol.name], rng) for symbol in law.constants])
    sizes = [float(np.log(axis).mean()) for axis in axes]
    real = drawn * np.exp(factors(law)(*sizes, 0.0, *drawn[:, None]))[:, 0]
    inputs = {symbol.name: values for symbol, values in zip(law.inputs, grid, strict=True)}
    return law, inputs, {s.name: float(v) for s, v in zip(law.constants, real, strict=True)}


def _draw(lo: float, hi: float, rng: np.random.Generator) -> float:
    near, far = sorted((abs(lo), abs(hi)))
    return float(np.sign(lo) * np.exp(rng.uniform(np.log(near), np.log(far))))


def inside(symbol: sp.Symbol, rng: np.random.Generator) -> float:
    """A number that a constant may have, floors below and ceilings above a response of order 1."""
    special = {"eps_inf": 0.05, "eps_0": 6.0}
    return special.get(symbol.name, float(rng.uniform(0.2, 0.8)) * (-1 if symbol.is_negative else 1))
