"""Random formulas with rows drawn from them: denominators, logarithms of sums, nested powers, products, exponentials.

Every formula is a sum of one to three terms of :data:`TERMS`, now and then in the denominator, the logarithm or a power
of another sum. Constants are planted where the rows see them: each formula is drawn anew until no combination of its
constants is hidden (singular values of the relative Jacobian).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from symbolic_scaling import codegen, laws
from symbolic_scaling.law import Law

__all__ = ["Planted", "planted"]

HIDDEN = 3e-3  # the least singular value of the Jacobian in the logarithms of the constants, over the largest

# text and, by name, where a constant lies: "share" of the response, "x" or "w" among the values of an input, "one",
# "power", "log x" among the logarithms of an input, "1/x" one over an input
TERMS: tuple[tuple[str, dict[str, str]], ...] = (
    ("{a}*{x}^{p}", {"a": "share/x^p", "p": "power"}),
    ("{a}/{x}^{p}", {"a": "share*x^p", "p": "power"}),
    ("{a}", {"a": "share"}),
    ("{x}/{R}", {"R": "x/share"}),
    ("{a}/(1 + {x})", {"a": "share*(1+x)"}),
    ("{x}/({C} + 1)", {"C": "x/share"}),
    ("{a}*{x}/({C} + {x})", {"a": "share", "C": "x"}),
    ("{a}/(1 + ({x}/{h})^{p})", {"a": "share", "h": "x", "p": "power"}),
    ("{a}/({C} + {x})^{p}", {"a": "share*x^p", "C": "x", "p": "power"}),
    ("{a}*log(1 + {x}/{h})", {"a": "share", "h": "x"}),
    ("{a}*log({b}*{x} + {k}*{w} + 1)", {"a": "share", "b": "1/x", "k": "1/w"}),
    ("{a}*exp(-{x}/{h})", {"a": "share", "h": "x"}),
    ("{a}*(1 - exp(-{s}*{x}))", {"a": "share", "s": "1/x"}),
    ("{a}/(1 + exp(-{p}*(log({x}) - {m})))", {"a": "share", "p": "power", "m": "log x"}),
    ("{a}*({x}^{p} + {b}*{w}^{q})^{r}", {"p": "power", "q": "power", "r": "power", "b": "x^p/w^q", "a": "share/x^pr"}),
    ("{a}*{x}^{p}*exp(-{w}/{h})", {"a": "share/x^p", "p": "power", "h": "w"}),
    ("{a}*sqrt({x} + {C})", {"a": "share/sqrt", "C": "x"}),
    ("{a}*{x}^{p}*{w}^{q}", {"a": "share/x^p/w^q", "p": "power", "q": "power"}),
)
# what sums of terms of order 1 are put into
SHELLS = (
    "{A}/(1 + {sum})",
    "{A}*log(1 + {sum})",
    "{A}*({sum})^{P}",
    "{A}*exp(-({sum}))",
    "{A}*(1 + {sum})/({sum} + {B})",
)
SHELLED = 0.4  # of the formulas


@dataclass(frozen=True)
class Planted:
    """A law, its rows, and the constants that they were drawn from."""

    law: Law
    x: dict[str, np.ndarray]
    y: np.ndarray
    constants: dict[str, float]

    def objective(self, residual: str) -> float:
        """The mean square at the planted constants."""
        return mean_square(self.law, self.x, self.y, self.constants, residual)


def mean_square(law: Law, x: dict[str, np.ndarray], y: np.ndarray, constants: dict[str, float], residual: str) -> float:
    """The mean square of a residual, from its definition."""
    hat = codegen.law(law)(**x, **constants)
    made = {
        "absolute": lambda: y - hat,
        "relative": lambda: (y - hat) / y,
        "response": lambda: np.log(y / hat),
        "equation": lambda: np.log(y / hat),
        "log1p": lambda: np.log1p(y) - np.log1p(hat),
    }[residual]()
    return float(np.mean(made**2))


def planted(seed: int, noise: float, decades: float = 0.0, rows: int = 40) -> Planted:
    """A random formula and rows of it; ``decades`` is how far the scales of inputs and response lie from 1."""
    rng = np.random.default_rng(seed)
    while True:
        text, constants, x = _drawn(rng, decades, rows)
        if not (names := [name for name in x if name in _letters(text)]):
            continue
        law = laws.formula(f"y = {text}", names)
        inputs = {name: x[name] for name in names}
        hat, slopes = _evaluated(law, inputs, constants)
        if hat is not None and _seen(hat, slopes):
            return Planted(law, inputs, hat * np.exp(noise * rng.normal(size=rows)), constants)


def _drawn(rng: np.random.Generator, decades: float, rows: int) -> tuple[str, dict[str, float], dict[str, np.ndarray]]:
    x = {
        name: 10.0 ** (rng.uniform(-decades, decades) + rng.uniform(0.5, 1.5) * rng.uniform(-1, 1, rows))
        for name in ("u", "v")
    }
    size = 10 ** rng.uniform(-decades, decades)
    if rng.random() > SHELLED:
        return *_summed(rng, x, size, int(rng.choice((1, 2, 2, 3)))), x
    text, constants = _summed(rng, x, 1.0, int(rng.choice((1, 2))))
    shell = SHELLS[rng.integers(len(SHELLS))]
    own = {"A": size, "P": rng.uniform(0.3, 1.2), "B": rng.uniform(0.5, 3.0)}
    constants |= {key: float(value) for key, value in own.items() if f"{{{key}}}" in shell}
    return shell.format(sum=text, A="A", P="P", B="B"), constants, x


def _summed(
    rng: np.random.Generator, x: dict[str, np.ndarray], size: float, count: int
) -> tuple[str, dict[str, float]]:
    """Terms of one size, with their constants."""
    parts: list[str] = []
    constants: dict[str, float] = {}
    for _ in range(count):
        template, places = TERMS[rng.integers(len(TERMS))]
        one, two = rng.permutation(["u", "v"])
        letters = {key: f"{key}{len(constants) + i}" for i, key in enumerate(places)}
        parts.append(template.format(x=one, w=two, **letters))
        values = _values(rng, places, x[one], x[two], size)
        constants.update({letters[key]: values[key] for key in places})
    return " + ".join(parts), constants


def _values(
    rng: np.random.Generator, places: dict[str, str], x: np.ndarray, w: np.ndarray, size: float
) -> dict[str, float]:
    """Constants of one term at places that the rows see."""
    share = size * rng.uniform(0.3, 1.0)
    at, beside = (float(np.exp(np.median(np.log(values)))) for values in (x, w))
    made = {key: float(rng.uniform(0.2, 1.2)) for key, where in places.items() if where == "power"}
    p, q, r = (made.get(key, 1.0) for key in "pqr")

    def near(value: float) -> float:
        return float(value * np.exp(rng.uniform(-0.7, 0.7)))

    rules: dict[str, Any] = {
        "share": lambda: share,
        "share/x^p": lambda: share / at**p,
        "share*x^p": lambda: share * at**p,
        "x/share": lambda: at / share,
        "share*(1+x)": lambda: share * (1 + at),
        "x": lambda: near(at),
        "w": lambda: near(beside),
        "1/x": lambda: 1 / near(at),
        "1/w": lambda: 1 / near(beside),
        "log x": lambda: float(np.log(at)) + rng.uniform(-0.7, 0.7),
        "x^p/w^q": lambda: near(at**p / beside**q),
        "share/x^pr": lambda: share / at ** (p * r),
        "share/sqrt": lambda: share / at**0.5,
        "share/x^p/w^q": lambda: share / at**p / beside**q,
    }
    return {key: made[key] if where == "power" else rules[where]() for key, where in places.items()}


def _letters(text: str) -> set[str]:
    return {letter for letter in "uv" if letter in text.replace("log", "").replace("exp", "").replace("sqrt", "")}


def _evaluated(law: Law, x: dict[str, np.ndarray], constants: dict[str, float]) -> tuple[Any, Any]:
    """The response and its slopes by the logarithms of the constants, over itself; None for constants of no use."""
    if min(constants.values()) <= 0:
        return None, None
    ordered = {s.name: constants[s.name] for s in law.constants}
    hat, slopes = codegen.law(law).value_and_gradient(**x, **ordered)
    return hat, slopes * np.array([*ordered.values()])[:, None] / hat


def _seen(hat: np.ndarray, slopes: np.ndarray) -> bool:
    if not (np.isfinite(hat).all() and (hat > 0).all() and np.isfinite(slopes).all()):
        return False
    sizes = np.linalg.svd(slopes, compute_uv=False)
    return bool(len(sizes) and np.ptp(hat) > 0 and sizes[-1] > HIDDEN * max(sizes[0], 1.0))
