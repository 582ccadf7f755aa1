"""Large random instances of UNSL: 18 to 77 constants, each component drawn where the rows show it, some breaks absent.

Inputs run over five decades. Main terms are of order 1 at the middle of the ranges, counterforces towards one end;
breaks lie from 0.3 to 0.7 of the ranges, in any direction, and a share of them is not there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from symbolic_scaling import codegen, laws
from symbolic_scaling.law import Law

__all__ = ["SIZES", "Large", "large"]

DECADES = 5.0
ALL = (1, 2, 3)

#: constants -> sizes of the law
SIZES: dict[int, dict[str, Any]] = {
    18: {"m": 2, "n": 1, "U": {3: (1, 2)}},
    37: {
        "m": 2,
        "n": 1,
        "S": 1,
        "U": {4: (1, 2), 6: (1, 2)},
        "T": {4: (), 6: ()},
        "overfitting": True,
        "ceilings": 2,
    },
    49: {"m": 3, "n": 1, "S": 1, "U": {3: ALL, 4: ALL}},
    77: {"m": 3, "n": 2, "S": 1, "U": {3: ALL, 4: ALL}},
}


@dataclass(frozen=True, eq=False)
class Large:
    """A law, the table ``x``, ``y``, the curve without noise, and the switches of the breaks that are not there."""

    law: Law
    x: dict[str, np.ndarray]
    y: np.ndarray
    exact: np.ndarray
    absent: tuple[str, ...]


def large(constants: int, seed: int, rows: int = 3000, share: float = 0.3, noise: float = 0.01) -> Large:
    """An instance with so many constants, of which a ``share`` of the breaks is absent."""
    rng = np.random.default_rng([constants, seed])
    law = laws.get("unsl", signs=0, **SIZES[constants])
    names = [s.name for s in law.constants]
    made: dict[str, float] = {}
    for k in sorted({int(name.split("_")[1]) for name in names if name.startswith("b_")}):
        made |= _component(k, names, constants, rng)
    ceilings = [name for name in names if name.startswith("a_") and name != "a_0"]
    made |= {"a_0": rng.uniform(0.05, 0.5), **{name: 10 ** rng.uniform(0.3, 1.0) for name in ceilings}}
    absent = tuple(name for name in names if name.startswith("d_") and rng.uniform() < share)
    made |= dict.fromkeys(absent, 1e200)
    x = {s.name: 10 ** rng.uniform(0, DECADES, rows) for s in law.inputs}
    exact = codegen.law(law)(*x.values(), *(made[name] for name in names))
    return Large(law, x, exact * np.exp(noise * rng.standard_normal(rows)), exact, absent)


def _component(k: int, names: list[str], constants: int, rng: np.random.Generator) -> dict[str, float]:
    """The k-th broken power law."""
    inputs = [i for i in ALL if f"c_{i}_0_{k}" in names]
    fall, at = {i: rng.uniform(0.1, 0.5) for i in inputs}, dict.fromkeys(inputs, DECADES / 2)
    size = rng.uniform(0.4, 2)
    if k // (SIZES[constants]["m"] + 1) > 3:  # no main term
        along = inputs[rng.integers(len(inputs))]
        fall = {i: rng.uniform(-0.3, 0.3) for i in inputs} | {along: rng.uniform(0.5, 1.2)}
        size, at[along] = rng.uniform(0.8, 3), 0.75 * DECADES
    made = {f"c_{i}_0_{k}": c for i, c in fall.items()}
    made[f"b_{k}"] = size * 10 ** sum(fall[i] * at[i] for i in inputs)
    breaks = sum(name.startswith("d_") and name.endswith(f"_{k}") for name in names)
    places = rng.uniform(0.3, 0.7, 1) if breaks < 2 else np.array([0.3, 0.7]) + rng.uniform(-0.1, 0.1, 2)
    for j in range(1, breaks + 1):
        turn, width = rng.uniform(0.2, 0.6), 10 ** rng.uniform(-1.3, -0.5)
        way = rng.standard_normal(len(inputs)) if len(inputs) > 1 else np.ones(1)
        c = turn * way / np.linalg.norm(way)
        made |= {f"c_{i}_{j}_{k}": value for i, value in zip(inputs, c, strict=True)}
        made[f"d_{j}_{k}"] = 10 ** (c.sum() * places[j - 1] * DECADES)
        made[f"f_{j}_{k}"] = rng.choice([-1, 1]) * turn * width * np.log(10)
    return made
