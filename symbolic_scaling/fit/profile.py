"""Profiles: one constant held on a grid, the rest refitted, training error beside extrapolation error.

The thesis of arXiv 2209.06640 (figure 3): the exponent that fits best is not the one that extrapolates best.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..errors import FitError
from .backtest import Contender, Row, judge
from .curves import Curve
from .jobs import ordered

__all__ = ["Profile", "free", "run"]

GRID = 2.0 ** (np.arange(-8, 9) / 8)  # from half to twice the fitted value, which is the middle


@dataclass(frozen=True)
class Profile:
    """One curve's errors along a constant: ``free`` is the fit of all constants, ``rows`` hold this one at ``values``.

    A row's ``objective`` and ``training_rmse`` say how well it fits, its ``rmse`` how well it extrapolates.
    """

    constant: str
    free: Row
    values: tuple[float, ...]
    rows: tuple[Row, ...]

    @property
    def fits_best(self) -> float:
        """The value on the grid with the lowest training objective; NaN if nothing was fitted."""
        return self._best([row.objective for row in self.rows])

    @property
    def extrapolates_best(self) -> float:
        """The value on the grid with the lowest extrapolation error; NaN if there is none."""
        return self._best([row.rmse for row in self.rows])

    def _best(self, errors: Sequence[float]) -> float:
        known = [(error, value) for error, value in zip(errors, self.values, strict=True) if math.isfinite(error)]
        return min(known)[1] if known else math.nan


def free(contender: Contender) -> tuple[str, ...]:
    """The constants that a contender fits, in the law's order.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> free(Contender(laws.get("m2"), fixed=(("c", -0.3),)))
    ('beta', 'eps_inf')
    """
    return tuple(symbol.name for symbol in contender.law.constants if symbol.name not in dict(contender.fixed))


def run(
    curves: Sequence[Curve],
    contender: Contender,
    constant: str,
    values: Sequence[float] = (),
    *,
    executor: Executor | None = None,
    progress: Callable[[], None] = lambda: None,
) -> tuple[Profile, ...]:
    """Profile one contender along one constant on every curve.

    Parameters
    ----------
    curves, contender, executor, progress
        As for :func:`~symbolic_scaling.fit.backtest.run`; ``progress`` is called after every curve.
    constant : str
        Of the contender's law, and not among those it holds fixed.
    values : sequence of float
        The grid; without it, 17 values from half to twice what each curve's free fit gives.

    Raises
    ------
    FitError
        If the law has no such free constant.

    Examples
    --------
    >>> from symbolic_scaling import data, laws
    >>> from symbolic_scaling.fit.curves import split
    >>> x = np.geomspace(1e4, 1e8, 12)
    >>> curves = split(data.read({"n": x, "loss": 0.2 + 30 * x**-0.4}), {"x": "n"}, "loss")
    >>> (profile,) = run(curves, Contender(laws.get("m2")), "c", [-0.5, -0.4, -0.3])
    >>> profile.fits_best, profile.extrapolates_best
    (-0.4, -0.4)
    """
    able = free(contender)
    if constant not in able:
        asked = f"profile {contender.law.name} along {constant}"
        raise FitError(asked, "it has no such free constant", f"try {', '.join(able)}")
    job = partial(_profile, contender=contender, constant=constant, values=tuple(values))
    found = []
    for profile in ordered(job, curves, executor):
        found.append(profile)
        progress()
    return tuple(found)


def _profile(curve: Curve, contender: Contender, constant: str, values: tuple[float, ...]) -> Profile:
    whole = judge(curve, contender)
    around = whole.estimate.get(constant, math.nan)
    grid = values or tuple(float(value) for value in around * GRID if math.isfinite(around) and around)
    held = (replace(contender, fixed=(*contender.fixed, (constant, value))) for value in grid)
    return Profile(constant, whole, grid, tuple(judge(curve, each) for each in held))
