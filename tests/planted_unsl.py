"""Random instances of UNSL with tables of 1 % noise, and rows one decade further out.

Constants are drawn in natural ranges: exponents of the paper's figures, breaks and turning points at least half a
decade inside the training range (of a break its whole width of two units on either side), floors up to half of the
least loss. The only instances that are drawn again are those that no estimator could extrapolate: the Cramer-Rao bound
of the law itself, at its own constants and on the same rows, must lie below the noise on the rows further out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symbolic_scaling import codegen, laws
from symbolic_scaling.law import Law

__all__ = ["KINDS", "NOISE", "Instance", "instance", "rmsle"]

NOISE, LATER = 0.01, 500
DECADE = float(np.log(10))
ALL = (1, 2)

#: law, decades of each input in training, and whether it is scaled further out
KINDS = {
    **{f"breaks-{n}": ({"m": 1, "n": n, "signs": 0}, {"x": (2, 8)}, ("x",)) for n in (1, 2, 3)},
    "bottlenecks": ({"m": 2, "n": 0, "inputs": ("N", "D")}, {"N": (6, 10), "D": (8, 12)}, ("N", "D")),
    "hyperbreak": (
        {"m": 2, "n": {(3, 0): 1}, "inputs": ("N", "D"), "U": {3: ALL}, "T": {3: (2,)}, "signs": 0},
        {"N": (6, 10), "D": (8, 12)},
        ("N", "D"),
    ),
    "overfitting": (
        {"m": 2, "n": 0, "inputs": ("steps", "D"), "overfitting": True, "U": {4: ALL}, "T": {4: ()}},
        {"steps": (2, 7), "D": (4, 8)},
        ("steps", "D"),
    ),
    "learning-rate": (
        {"m": 2, "n": 0, "inputs": ("N", "lr"), "S": 1, "U": {4: ALL}, "T": {4: ()}},
        {"N": (6, 10), "lr": (-5, -1)},
        ("N",),
    ),
}


@dataclass(frozen=True, eq=False)
class Instance:
    """A law, its constants, the table ``x``, ``y`` and the rows further out ``later``, ``later_y``."""

    law: Law
    constants: dict[str, float]
    x: dict[str, np.ndarray]
    y: np.ndarray
    later: dict[str, np.ndarray]
    later_y: np.ndarray


def rmsle(said: np.ndarray, y: np.ndarray) -> float:
    """The root mean square of the logarithm's error."""
    return float(np.sqrt(np.mean((np.log(said) - np.log(y)) ** 2)))


def instance(kind: str, seed: int) -> Instance:
    """The first instance of a kind, drawn with this seed, that can be extrapolated at all."""
    rng = np.random.default_rng([list(KINDS).index(kind), seed])
    while True:
        drawn = _drawn(kind, rng)
        if _bound(drawn) <= NOISE:
            return drawn


def _drawn(kind: str, rng: np.random.Generator) -> Instance:
    sizes, box, further = KINDS[kind]
    law = laws.get("unsl", **sizes)
    constants = _breaks(sizes["n"], box["x"], rng) if "breaks" in kind else _several(kind, list(box.values()), rng)
    rows = int(rng.integers(500, 5001))
    x = {name: 10 ** rng.uniform(lo, hi, rows) for name, (lo, hi) in box.items()}
    far = {name: 10 ** rng.uniform(lo, hi + (name in further), 20 * LATER) for name, (lo, hi) in box.items()}
    beyond = np.any([far[name] > 10.0 ** box[name][1] for name in further], axis=0)
    later = {name: values[beyond][:LATER] for name, values in far.items()}
    values = [constants[s.name] for s in law.constants]
    tables = []
    for inputs in (x, later):
        exact = codegen.law(law)(*inputs.values(), *values)
        tables.append(exact * np.exp(NOISE * rng.standard_normal(exact.shape)))
    return Instance(law, constants, x, tables[0], later, tables[1])


def _bound(drawn: Instance) -> float:
    """The root mean square of the least standard errors of log predictions further out."""
    values = [drawn.constants[s.name] for s in drawn.law.constants]
    slopes = []
    for inputs in (drawn.x, drawn.later):
        y, gradient = codegen.law(drawn.law).value_and_gradient(*inputs.values(), *values)
        slopes.append((gradient / y).T)
    scale = np.linalg.norm(slopes[0], axis=0)
    _, s, vt = np.linalg.svd(slopes[0] / scale, full_matrices=False)
    along = (slopes[1] / scale) @ vt.T / s
    return float(NOISE * np.sqrt(np.mean(np.sum(along**2, axis=1))))


def _breaks(n: int, box: tuple[float, float], rng: np.random.Generator) -> dict[str, float]:
    """One term with n breaks: slopes, places and widths (in decades of x) are drawn."""
    (lo, hi), slopes = box, rng.uniform(0.05, 0.8, n + 1)
    width = 10 ** rng.uniform(np.log10(0.03), np.log10(0.3), n)
    place = rng.uniform(lo + 0.5 + 2 * width, hi - 0.5 - 2 * width)
    order = np.argsort(place)
    size = 10 ** rng.uniform(-1, 1)
    made = {"b_7": size * 10 ** (lo * slopes[0]), "c_1_0_7": slopes[0]}
    least = size * 10.0 ** (-slopes[0] * (np.append(place[order], hi)[0] - lo))
    ends = [*place[order], hi]
    for j, i in enumerate(order, 1):
        turn = slopes[j] - slopes[j - 1]
        made |= {f"c_1_{j}_7": abs(turn), f"d_{j}_7": 10 ** (place[i] * abs(turn))}
        made[f"f_{j}_7"] = turn * width[i] * DECADE
        least *= 10.0 ** (-slopes[j] * (ends[j] - ends[j - 1]))
    return {**made, "a_0": rng.uniform(0, 0.5) * least}


def _several(kind: str, box: list[tuple[float, float]], rng: np.random.Generator) -> dict[str, float]:
    """Terms that are of order 1 at the middle of the ranges."""
    middle = [(lo + hi) / 2 for lo, hi in box]
    made = {"a_0": rng.uniform(0, 1)}

    def term(k: int, exponents: dict[int, float], size: float, at: list[float]) -> None:
        made.update({f"c_{i}_0_{k}": c for i, c in exponents.items()})
        made[f"b_{k}"] = size * 10 ** sum(c * at[i - 1] for i, c in exponents.items())

    term(11, {2: rng.uniform(0.1, 0.6)}, rng.uniform(0.3, 2), middle)
    if kind == "hyperbreak":
        term(9, {1: rng.uniform(0.05, 0.4), 2: rng.uniform(0.05, 0.4)}, rng.uniform(0.5, 2), middle)
        width, angle, turn = (
            10 ** rng.uniform(np.log10(0.03), np.log10(0.3)),
            rng.uniform(0, 2 * np.pi),
            rng.uniform(0.1, 0.5),
        )
        at = [rng.uniform(lo + 0.5 + 2 * width, hi - 0.5 - 2 * width) for lo, hi in box]
        c = turn * np.array([np.cos(angle), np.sin(angle)])
        made |= {"c_1_1_9": c[0], "c_2_1_9": c[1], "d_1_9": 10 ** float(c @ at)}
        return {**made, "f_1_9": rng.choice([-1, 1]) * turn * width * DECADE}
    term(10, {1: rng.uniform(0.1, 0.6)}, rng.uniform(0.3, 2), middle)
    if kind != "bottlenecks":
        _counter(made, 0 if kind == "overfitting" else 1, box, rng)
    if kind == "overfitting":
        made["a_1"] *= 10 ** rng.uniform(0.5, 1.5)
    else:
        made.pop("a_1", None)
    return made


def _counter(made: dict[str, float], turned: int, box: list[tuple[float, float]], rng: np.random.Generator) -> None:
    """A counterforce whose rise in one input meets the fall of that input's bottleneck at a point inside the ranges."""
    at = [rng.uniform(lo + 0.5, hi - 0.5) for lo, hi in box]
    rise = (
        (rng.uniform(0.5, 1.5), rng.uniform(-1.2, -0.3))
        if turned == 0
        else (rng.uniform(0.05, 0.4), rng.uniform(0.5, 1.5))
    )
    c, k = made[f"c_{turned + 1}_0_{10 + turned}"], 10 + turned
    size = c * made[f"b_{k}"] * 10 ** (-c * at[turned]) / rise[turned]
    made |= {"c_1_0_12": rise[0], "c_2_0_12": rise[1], "b_12": 10 ** (rise[0] * at[0] + rise[1] * at[1]) / size}
    made["a_1"] = size
