"""Bootstrap intervals: the fit's problem solved again for rows drawn with replacement, or for new noise on its curve.

Pairs
    each distinct row counts as often as it was drawn (Efron 1979, doi 10.1214/aos/1176344552): makes no assumption on
    the noise, and needs rows enough.
Residuals
    the fitted curve with noise drawn from the residuals, each over the root of one less its leverage and centred: keeps
    the design, and takes the noise to be alike in all rows. Rows that the curve passes through only because a robust
    loss is nearly the absolute value are not drawn from.

Percentile intervals are quantiles of what the refits give; basic ones mirror them at the estimate (Davison and Hinkley
1997, chapter 5).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from ..errors import FitError
from .derived import Quantity
from .local import Local, lost
from .refit import Refits, in_parts
from .solve import Floats
from .sparsity import beside

__all__ = ["draw", "ends", "pairs", "responses"]

_NUMBERS = 1 << 22  # rows times samples drawn at a time


Draws: TypeAlias = Iterator[Floats]


def pairs(rows: int, samples: int, seed: int) -> Draws:
    """How often each of some rows is drawn, (samples, rows) in parts."""
    rng = np.random.default_rng(seed)
    for part in _parts(rows, samples):
        drawn = rng.integers(rows, size=(part, rows)) + rows * np.arange(part)[:, None]
        yield np.bincount(drawn.ravel(), minlength=part * rows).reshape(part, rows).astype(np.float64)


def _parts(rows: int, samples: int) -> Iterator[int]:
    """How many samples are drawn at a time, so that memory does not grow with their number."""
    size = max(1, _NUMBERS // rows)
    return (min(size, samples - first) for first in range(0, samples, size))


def responses(local: Local, samples: int, seed: int) -> Draws:
    """The fitted curve with noise drawn from the residuals, (samples, n) in parts, in the user's unit.

    Raises
    ------
    FitError
        If a response would not be positive.
    """
    result, problem = local.result, local.result.problem
    fitted = result.predict(dict(problem.x))
    absolute = problem.residual == "absolute"
    noise = problem.y - fitted if absolute else np.log(problem.y) - np.log(fitted)
    scale = np.ones_like(noise) if problem.sigma is None else problem.sigma
    noise = noise / scale / np.sqrt(np.maximum(1 - local.leverage[: len(noise)], 0.1))
    own = beside(local.ready.objective.measure, local.residuals[: len(noise)], local.freedom)
    noise = noise[own] - np.average(noise[own], weights=problem.counts[own])
    rng = np.random.default_rng(seed)
    for part in _parts(len(scale), samples):
        chosen = rng.choice(noise, size=(part, len(scale))) * scale
        with np.errstate(all="ignore"):
            made = fitted + chosen if absolute else fitted * np.exp(chosen)
        if not ((made > 0) & np.isfinite(made)).all():
            asked = f"draw responses of {result.law.name}"
            raise FitError(asked, "a drawn response is not positive and finite", "draw pairs of x and y")
        yield made


def draw(local: Local, kind: str, samples: int, seed: int) -> Refits:
    """The refits of a bootstrap.

    Parameters
    ----------
    local : Local
    kind : {"pairs", "residuals"}
    samples, seed : int

    Raises
    ------
    FitError
        For less than 20 samples, or another kind.
    """
    result = local.result
    asked = f"bootstrap {result.law.name}"
    if samples < 20:
        raise FitError(asked, f"{samples} samples", "draw at least 20; 1000 give two digits of a 95 % interval")
    if kind == "pairs":
        often, share = pairs(len(result.problem.y), samples, seed), local.ready.objective.weights
        return in_parts(result, ((drawn * share, None) for drawn in often), seed=seed)
    if kind == "residuals":
        return in_parts(result, ((None, y) for y in responses(local, samples, seed)), seed=seed)
    raise FitError(asked, f"kind {kind!r}", 'give "pairs" or "residuals"')


def ends(local: Local, quantity: Quantity, refits: Refits, level: float, basic: bool = False) -> tuple[float, float]:
    """The ends of the interval, in the scale of :class:`Quantity`'s call; refits that did not arrive are left out.

    Raises
    ------
    FitError
        If half of them did not arrive, or the quantity is not finite in them.
    """
    constants = refits.constants[refits.converged].T
    values = quantity(constants)[0] if refits.converged.any() else np.empty(0)
    values = values[~(np.isnan(values) | lost(local.result.law, quantity, constants))]
    if 2 * len(values) < len(refits):
        found = f"{len(values)} of {len(refits)} refits arrived with a finite value"
        raise FitError(f"bootstrap {quantity.name}", found, 'take method="profile", or fix what is not identified')
    tail = (1 - level) / 2
    lo, hi = (float(end) for end in np.quantile(values, [tail, 1 - tail], method="inverted_cdf"))
    middle, _ = local.gradient(quantity)
    return (2 * middle - hi, 2 * middle - lo) if basic else (lo, hi)
