"""Where the response turns in one input, the others held: minima and maxima inside a range.

The slope ``d log y/d log x`` is exact. It is looked at along an even grid of ``log x`` and closely around every smooth
break, however sharp; where its sign changes, the zero is halved down to the last digits and certified: in 40 digits the
slope has one sign just below and the other just above. The best learning rate is a least point; the epoch at which
overfitting turns the curve is the first least point in the steps.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np

from ..sources import Chosen, chosen_source
from .model import DIGITS, Array, Model

__all__ = ["Turn", "crossings", "proved", "turns"]

_GRID = 2001
_NEAR = (1e-12, 1e-9, 1e-6, 1e-4)
"""How far from a zero, in the logarithm, its certificate looks; the first distance that shows two signs counts."""


@dataclass(frozen=True)
class Turn:
    """A minimum (``least``) or maximum of the response in one input.

    Parameters
    ----------
    input : str
    least : bool
    at, response : float
    certificate : tuple of (float, float)
        Distance in ``log x`` on either side, and the slopes there as (distance, below, above); empty if not certified.
    """

    input: str
    least: bool
    at: float
    response: float
    certificate: tuple[float, ...]


def turns(
    source: Chosen, name: str, held: Mapping[str, Any] | None = None, span: Sequence[Any] | None = None
) -> tuple[Turn, ...]:
    """Every turning point of the response in the input ``name`` that the grid sees, from left to right.

    Parameters
    ----------
    source : Source, Law or FitResult
        A law with numbers; of a law its first printed ones.
    name : str
        The input that moves.
    held : mapping of input to number, optional
        All others.
    span : (lo, hi), optional
        Where to look; a thousandfold beyond the rows of a fit, or far beyond what is typical, without it.

    Raises
    ------
    LawError
        If the law is implicit.
    DataError
        If an input is missing, unknown or not positive.

    Examples
    --------
    >>> from symbolic_scaling import laws, plan
    >>> law = laws.formula("y = a + b*x + c/x", ["x"])
    >>> (found,) = turns(plan.source(law, constants={"a": 1, "b": 3, "c": 12}), "x", span=(1e-3, 1e3))
    >>> found.least, round(found.at, 12), round(found.response, 12)
    (True, 2.0, 13.0)
    """
    source = chosen_source(source)
    model = Model(source, f"find where {source.law.name} turns in {name}")
    fixed = model.held(held or {}, (name,))
    around = model.spans({} if span is None else {name: tuple(span)}, (name,))[name]
    place = model.inputs.index(name)

    def slope(logs: Array) -> Array:
        return model.slopes({**fixed, name: np.exp(logs)})[1][place]

    with mpmath.workdps(DIGITS):
        logs = {other: mpmath.log(value) for other, value in fixed.items()}

        def precise(at: Any) -> Any:
            return model.precise({**logs, name: at})[1][place]

        return tuple(
            Turn(name, rising, math.exp(log), float(model.precise({**logs, name: log})[0]), proved(precise, log))
            for log, rising in crossings(slope, model.grid(name, fixed, around, _GRID))
        )


def crossings(slope: Callable[[Array], Array], logs: Array) -> list[tuple[float, bool]]:
    """Zeros of a slope between points of a grid, and whether it rises there; zeros of a flat stretch do not count."""
    values = slope(logs)
    known = np.flatnonzero(np.isfinite(values) & (values != 0))
    found = []
    for left, right in pairwise(known):
        if (values[left] > 0) == (values[right] > 0):
            continue
        lo, hi, rising = float(logs[left]), float(logs[right]), bool(values[right] > 0)
        while (middle := (lo + hi) / 2) not in (lo, hi):
            at = float(slope(np.array([middle]))[0])
            if at == 0:
                lo = hi = middle
            else:
                lo, hi = (middle, hi) if (at > 0) != rising else (lo, middle)
        found.append(((lo + hi) / 2, rising))
    return found


def proved(slope: Callable[[Any], Any], log: float) -> tuple[float, ...]:
    """The distance at which the slope has two signs around a zero, and both slopes; empty where it has not."""
    for near in _NEAR:
        gap = mpmath.mpf(near) * max(1, abs(log))
        below, above = slope(log - gap), slope(log + gap)
        if below * above < 0:
            return float(gap), float(below), float(above)
    return ()
