"""One model in many spellings: shifts beside logarithms, scales, rates, exponentials of sums, products of constants."""

from __future__ import annotations

import numpy as np

__all__ = ["model", "respelled"]

# by model: kernels of one shape in x, each with its own constants
KERNELS: dict[str, tuple[str, ...]] = {
    "logistic": (
        "1/(1 + exp(-{s}*(log(x) - {m})))",
        "1/(1 + exp({t} - {s}*log(x)))",
        "1/(1 + (x/{h})^(-{s}))",
        "1/(1 + ({h}/x)^{s})",
        "1/(1 + {k}*x^(-{s}))",
        "x^{s}/({k} + x^{s})",
        "(x/{h})^{s}/(1 + (x/{h})^{s})",
        "exp({s}*(log(x) - {m}))/(1 + exp({s}*(log(x) - {m})))",
    ),
    "saturation": ("x/({C} + x)", "1/(1 + {C}/x)", "{b}*x/(1 + {b}*x)", "(x/{C})/(1 + x/{C})", "1/(1 + 1/({b}*x))"),
    "decay": ("exp(-x/{h})", "exp(-{s}*x)", "1/exp(x/{h})", "exp(-{p}*{q}*x)"),
    "power": ("x^(-{p})", "1/x^{p}", "exp(-{p}*log(x))"),
    "logarithm": ("log(1 + x/{h})", "log(1 + {b}*x)", "(log({h} + x) - log({h}))", "log(({h} + x)/{h})"),
}
AMPLITUDES = ("{a}*{K}", "{K}/{R}", "{a}*{g}*{K}")


def model(rng: np.random.Generator, rows: int = 30, noise: float = 0.01) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Names of kernels, and rows of their sum above a floor."""
    names = [str(name) for name in rng.choice([*KERNELS], size=rng.integers(1, 3), replace=False)]
    middle = rng.uniform(2, 50)
    logs = middle + np.sort(rng.uniform(-4, 4, rows))
    place = middle + rng.uniform(-1, 1)
    total = np.full(rows, rng.uniform(0.1, 0.5))
    for name in names:
        p, z = rng.uniform(0.4, 1.5), logs - place
        shape = {
            "logistic": 1 / (1 + np.exp(-p * z)),
            "saturation": 1 / (1 + np.exp(-z)),
            "decay": np.exp(-np.exp(z - 1)),
            "power": np.exp(-p / 3 * z),
            "logarithm": np.log1p(np.exp(z)),
        }[name]
        total = total + rng.uniform(0.5, 1.5) * shape
    return names, np.exp(logs), total * np.exp(noise * rng.normal(size=rows))


def respelled(names: list[str], rng: np.random.Generator) -> str:
    """A sum above a floor in one of its spellings, terms in any order."""
    terms = ["f"]
    for i, name in enumerate(names):
        letters = {letter: f"{letter}{i}" for letter in "abCghkmpqRst"}
        kernel = KERNELS[name][rng.integers(len(KERNELS[name]))].format(**letters)
        terms.append(AMPLITUDES[rng.integers(len(AMPLITUDES))].format(K=f"({kernel})", **letters))
    return "y = " + " + ".join(rng.permutation(terms))
