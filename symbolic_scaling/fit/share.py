"""One constant shared by many tables, the others fitted to each: ``min_c sum_i n_i min_rest f_i(c, rest)``.

The outer problem has one unknown. It is searched on a grid over what the tables give alone, then its slope is brought
to zero: by the envelope theorem the slope is that of the residuals in ``c`` alone, at each table's own optimum.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .. import codegen
from ..errors import FitError
from ..law import Law
from .front import curve
from .loss import Measure
from .result import FitResult
from .tie import tied

__all__ = ["Shared", "shared"]

Tables: TypeAlias = Mapping[Any, tuple[Mapping[str, ArrayLike] | ArrayLike, ArrayLike]]

_GRID = 17
_BEYOND = 0.25  # of the range of the separate fits, on both sides


@dataclass(frozen=True)
class Shared:
    """The outcome of :func:`shared`.

    Parameters
    ----------
    constant, value : str, float
        What is shared.
    objective : float
        Mean squared log residual over all rows of all tables.
    separate : float
        The same when every table has its own value: what sharing costs.
    fits : tuple of (key, FitResult)
        Each table with the constant held.
    profile : tuple of (value, objective)
        The grid that was searched.
    """

    constant: str
    value: float
    objective: float
    separate: float
    fits: tuple[tuple[Any, FitResult], ...]
    profile: tuple[tuple[float, float], ...]


def shared(
    law: Law,
    tables: Tables,
    constant: str,
    *,
    residual: str = "response",
    loss: str = "squared",
    delta: float = 1e-3,
    tie: Mapping[str, str] | None = None,
    fix: Mapping[str, float] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    seed: int = 0,
) -> Shared:
    """Fit a law to many tables with one constant in common.

    Parameters
    ----------
    law : Law
    tables : mapping of key to (x, y)
        As for :func:`~symbolic_scaling.fit.curve`.
    constant : str
        The shared one; a pure number such as an exponent if the tables differ in their units.
    residual, loss, delta, tie, fix, bounds, seed
        As for :func:`~symbolic_scaling.fit.curve`.

    Raises
    ------
    FitError
        If there is no table, or the law has no such free constant.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> x = np.geomspace(1e4, 1e9, 8)
    >>> tables = {floor: (x, floor + 30 * x**-0.4) for floor in (0.1, 0.2)}
    >>> round(shared(laws.get("m2"), tables, "c").value, 9)
    -0.4
    """
    held = dict(fix or {})
    law = tied(law, tie or {})
    names = [symbol.name for symbol in law.constants]
    if not tables or constant not in names or constant in held:
        found = f"the free constants are {', '.join(name for name in names if name not in held)}"
        raise FitError(f"share {constant} of {law.name} among {len(tables)} tables", found, "name one, and give tables")
    asked = {"residual": residual, "loss": loss, "delta": delta, "bounds": dict(bounds or {}), "seed": seed}
    problem = _Problem(law, tables, constant, asked, held)
    alone = problem.fits()
    own = [fit.estimate[constant] for fit in alone if fit.outcome.success] or [fit.estimate[constant] for fit in alone]
    grid = problem.grid(min(own), max(own))
    profile = tuple((value, _mean(problem.fits(value))) for value in grid)
    value = problem.refine(grid, [objective for _, objective in profile])
    fits = problem.fits(value)
    note = f"{constant} = {value:.6g} is shared by {len(fits)} tables"
    noted = tuple((key, replace(fit, notes=(note, *fit.notes))) for key, fit in zip(tables, fits, strict=True))
    return Shared(constant, value, _mean(fits), _mean(alone), noted, profile)


@dataclass(frozen=True)
class _Problem:
    """The tables and how each is fitted."""

    law: Law
    tables: Tables
    constant: str
    options: dict[str, Any]
    held: dict[str, float]

    def fits(self, value: float | None = None) -> list[FitResult]:
        """Every table's fit, with the shared constant at ``value`` or free."""
        options = {**self.options, "fix": self.held if value is None else {**self.held, self.constant: value}}
        if value is not None:
            options["bounds"] = {name: pair for name, pair in options["bounds"].items() if name != self.constant}
        return [curve(self.law, x, y, **options) for x, y in self.tables.values()]

    def grid(self, low: float, high: float) -> list[float]:
        """Values around those of the separate fits, on their side of zero and inside the user's bounds."""
        reach = _BEYOND * ((high - low) or abs(low))
        least, most = self.options["bounds"].get(self.constant, (-np.inf, np.inf))
        if low * high > 0:
            least, most = (max(least, low / 2), most) if low > 0 else (least, min(most, high / 2))
        first, last = (min(max(end, least), most) for end in (low - reach, high + reach))
        return [float(value) for value in np.linspace(first, last, _GRID)]

    def slope(self, value: float) -> float:
        """The derivative of the mean loss in the shared constant."""
        place = [symbol.name for symbol in self.law.constants].index(self.constant)
        measure = Measure(*(self.options[name] for name in ("residual", "loss", "delta")))
        compiled = codegen.residual(self.law, measure.kind)
        total = rows = 0.0
        for fit in self.fits(value):
            inputs = [values for _, values in fit.problem.x]
            with np.errstate(all="ignore"):
                r, by = compiled.value_and_gradient(*inputs, fit.problem.y, *fit.estimate.values())
                y = fit.problem.y
                s, slope = measure(r, y)
            total += float(np.sum(fit.problem.counts * s * slope * by[place]))
            rows += float(fit.problem.counts.sum())
        return 2 * total / rows

    def refine(self, grid: list[float], objectives: list[float]) -> float:
        """The zero of the slope beside the lowest grid point; the point itself where the slope keeps its sign."""
        from scipy.optimize import brentq

        best = int(np.argmin(objectives))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
        if not low < high or self.slope(low) * self.slope(high) >= 0:
            return grid[best]
        return float(brentq(self.slope, low, high, xtol=1e-12 * max(abs(low), abs(high)), rtol=1e-12))


def _mean(fits: list[FitResult]) -> float:
    """The objective over all rows of all tables."""
    weights = [fit.problem.counts.sum() for fit in fits]
    return float(np.average([fit.objective for fit in fits], weights=weights))
