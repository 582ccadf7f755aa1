"""A simulated learning curve with a known floor: figure 2 of arXiv 2209.06640.

``y = floor + (top - floor)*(1 + x/bend)**c`` starts flat at ``top`` and ends as a power law above ``floor``; it belongs
to none of M1 to M4. A law extrapolates it if its own curve over that floor keeps the slope ``c`` beyond the rows
fitted: a straight line of log excess against log x.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...fit import FitResult, curve
from ...fit.metrics import local_slopes
from ...law import Law

__all__ = ["CUTOFFS", "Simulated", "Slopes", "exact", "run"]

Floats = NDArray[np.float64]

FLOOR, TOP, BEND, C = 0.1, 1.0, 1e5, -0.3
POINTS, FIRST, LAST = 100, 1e4, 1e9
SEED, NOISE = 20220914, 0.001
CUTOFFS = (1e4, 1e6, 3e7)
STRAIGHT = 0.25  # of c
FAR = (1.0, 10.0, 100.0)


@dataclass(frozen=True)
class Slopes:
    """One law fitted on x >= tau: slopes of its log excess at the last x, ten and a hundred times as far."""

    tau: float
    fit: FitResult
    at: tuple[float, float, float]

    @property
    def straight(self) -> bool:
        """Whether the slope stays within a quarter of the true one over the next decade of x."""
        return all(abs(slope - C) <= STRAIGHT * abs(C) for slope in self.at[:2])


@dataclass(frozen=True, eq=False)
class Simulated:
    """The noisy curve, ``x`` and ``y`` (n,), and what the laws make of it at every cutoff."""

    x: Floats
    y: Floats
    slopes: tuple[Slopes, ...]

    @property
    def straight(self) -> dict[str, list[bool]]:
        """Law -> whether it is straight, cutoff by cutoff."""
        found: dict[str, list[bool]] = {}
        for each in self.slopes:
            found.setdefault(each.fit.law.name, []).append(each.straight)
        return found

    @property
    def as_in_the_paper(self) -> bool:
        """M1 and M3 are straight from no cutoff on, M2 from a late one, M4 from all."""
        found = self.straight
        late = not found["m2"][0] and found["m2"][-1]
        return late and all(found["m4"]) and not any(found["m1"] + found["m3"])


def exact(x: Floats) -> Floats:
    """The curve without noise.

    Examples
    --------
    >>> exact(np.array([1e-9, 1e30])).round(6)
    array([1. , 0.1])
    """
    found: Floats = FLOOR + (TOP - FLOOR) * (1 + x / BEND) ** C
    return found


def run(laws: tuple[Law, ...], seed: int = SEED, progress: Callable[[], None] = lambda: None) -> Simulated:
    """Simulate the curve and fit every law at the three cutoffs.

    Parameters
    ----------
    laws : tuple of Law
        Of one input.
    seed : int
        Of the multiplicative noise.
    progress : callable
        Called after every fit.
    """
    x = np.geomspace(FIRST, LAST, POINTS)
    y = exact(x) * np.exp(NOISE * np.random.default_rng(seed).standard_normal(POINTS))
    found = []
    for tau in CUTOFFS:
        for law in laws:
            found.append(_slopes(law, tau, x[x >= tau], y[x >= tau]))
            progress()
    return Simulated(x, y, tuple(found))


def _slopes(law: Law, tau: float, x: Floats, y: Floats) -> Slopes:
    fit = curve(law, x=x, y=y)
    near, far, farther = (_slope(fit, LAST * times) for times in FAR)
    return Slopes(tau, fit, (near, far, farther))


def _slope(fit: FitResult, x: float) -> float:
    pair = x * np.array([1.0, 1.01])
    return float(local_slopes(pair, fit.predict(pair) - FLOOR)[0])
