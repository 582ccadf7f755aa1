"""Many tables with one constant in common as one problem in that constant, the others at their best for each value.

By the envelope theorem its slope is that of the residuals in the constant alone, at each table's own optimum.

A prior on the shared constant alone counts once; one that holds another constant counts in every table. Without sigma a
table's priors are weighed against its own noise, as its fit without priors leaves it, and those that count once
against the noise of all tables together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import codegen, notation
from ..law import Law
from . import priors as known_priors
from . import tie as ties
from .ask import Asked
from .front import solved, spread_of
from .priors import Given, Priors
from .result import FitProblem, FitResult
from .rows import Rows
from .solve import Floats

__all__ = ["Together"]

_GRID = 17
_BEYOND = 0.25  # of the range of the separate fits, on both sides
_MOVES = 8  # of the grid
_INSIDE = 1e-9  # a floor below the least response, relative to it


@dataclass(frozen=True, eq=False)
class Together:
    """Tables with one constant in common.

    Parameters
    ----------
    law : Law
        Before its constants are tied.
    tables : tuple of (x, y)
    rows : list of mapping
        ``sigma`` and ``weights`` of each table's rows, where they are given.
    constant : str
    asked : Asked
        How each table is fitted.
    """

    law: Law
    tables: tuple[tuple[Mapping[str, ArrayLike] | ArrayLike, ArrayLike], ...]
    rows: list[dict[str, Any]]
    constant: str
    asked: Asked

    @cached_property
    def priors(self) -> tuple[dict[str, Any], Given]:
        """Those that count in every table, and those that count once."""
        replaced = ties.expressions(self.law, self.asked.tie)
        law, every, once = ties.tied(self.law, self.asked.tie), dict(self.asked.priors), []
        for text, pair in self.asked.priors.items():
            (prior,) = known_priors.read(law, {text: pair}, replaced)
            used = notation.parse(prior[0], {symbol.name: symbol for symbol in law.constants}).free_symbols
            if {symbol.name for symbol in used} == {self.constant}:
                once.append(prior)
                del every[text]
        return every, tuple(once)

    @cached_property
    def noise(self) -> tuple[tuple[float, ...], float]:
        """What priors are weighed against in each table, and over all of them."""
        if not self.asked.priors or "sigma" in self.rows[0]:
            return (1.0,) * len(self.tables), 1.0
        problems = [problem for problem, _ in self._read(None)]
        each = tuple(spread_of(problem) for problem in problems)
        return each, float(np.sqrt(np.average(np.square(each), weights=[p.loads.sum() for p in problems])))

    def _read(self, value: float | None) -> list[tuple[FitProblem, Rows]]:
        """Every table's problem, with the shared constant at ``value`` or free, and its rows."""
        asked = replace(self.asked, priors=self.priors[0])
        if value is not None:
            bounds = {name: pair for name, pair in asked.bounds.items() if name != self.constant}
            asked = replace(asked, fix={**asked.fix, self.constant: value}, bounds=bounds)
        return [
            replace(asked, **more).problem(self.law, x, y) for (x, y), more in zip(self.tables, self.rows, strict=True)
        ]

    def fits(self, value: float | None = None) -> list[FitResult]:
        """Every table's fit, with the shared constant at ``value`` or free."""
        read = zip(self._read(value), self.noise[0], strict=True)
        return [solved(replace(problem, noise=noise), rows) for (problem, rows), noise in read]

    def objective(self, fits: list[FitResult], value: float | None = None) -> float:
        """Over all rows of all tables; with the priors on the shared constant where it has one value."""
        loads = [float(fit.problem.loads.sum()) for fit in fits]
        mean = self.asked.reduce == "mean"
        total = sum(fit.objective * (load if mean else 1.0) for fit, load in zip(fits, loads, strict=True))
        if value is not None:
            total += self._once(fits[0].law, value)[0]
        return total / sum(loads) if mean else total

    def _once(self, law: Law, value: float) -> tuple[float, float]:
        """What the priors on the shared constant add to the sum, and its slope."""
        names = [symbol.name for symbol in law.constants]
        point = np.array([value if name == self.constant else 1.0 for name in names])
        return self._behind(law, self.priors[1], point, self.noise[1])

    def _behind(self, law: Law, given: Given, point: Floats, noise: float) -> tuple[float, float]:
        """What priors add to the sum at constants (c,), and its slope in the shared one."""
        if not given:
            return 0.0, 0.0
        place = [symbol.name for symbol in law.constants].index(self.constant)
        with np.errstate(all="ignore"):
            z, by = Priors(law, given, (1.0,) * (len(law.inputs) + 1), noise)(point[:, None])
            share = self.asked.measure.share
            return share * float(z[0] @ z[0]), 2 * share * float(z[0] @ by[place, 0])

    def search(self, alone: list[FitResult]) -> tuple[tuple[float, float], ...]:
        """(value, objective) on a grid around the values of the separate fits, which moves on where its end is lowest.

        It stays on their side of zero, inside the user's bounds, and below or above all responses where the law does.
        """
        own = [fit.estimate[self.constant] for fit in alone if fit.outcome.success]
        own = own or [fit.estimate[self.constant] for fit in alone]
        low, high = min(own), max(own)
        found: dict[float, float] = {}
        for _ in range(_MOVES):
            grid = self._grid(low, high, *self._limits(alone))
            found |= {value: self.objective(self.fits(value), value) for value in grid if value not in found}
            best = min(found, key=lambda value: found[value])
            if min(found) < best < max(found):
                break
            low, high = (best, best) if best else (low, high)
        return tuple(sorted(found.items()))

    def _limits(self, alone: list[FitResult]) -> tuple[float, float]:
        least, most = self.asked.bounds.get(self.constant, (-np.inf, np.inf))
        law = alone[0].law
        (parameter,) = (p for p in law.parameters if p.symbol.name == self.constant)
        if parameter.below == law.response.symbol:
            most = min(most, min(float(fit.problem.y.min()) for fit in alone) * (1 - _INSIDE))
        if parameter.above == law.response.symbol:
            least = max(least, max(float(fit.problem.y.max()) for fit in alone) * (1 + _INSIDE))
        return least, most

    @staticmethod
    def _grid(low: float, high: float, least: float, most: float) -> list[float]:
        reach = _BEYOND * ((high - low) or abs(low))
        if low * high > 0:
            least, most = (max(least, low / 2), most) if low > 0 else (least, min(most, high / 2))
        first, last = (min(max(end, least), most) for end in (low - reach, high + reach))
        return [float(value) for value in np.linspace(first, last, _GRID)]

    def slope(self, value: float) -> float:
        """The derivative of the summed loss in the shared constant."""
        fits = self.fits(value)
        return sum(map(self._pull, fits)) + self._once(fits[0].law, value)[1]

    def _pull(self, fit: FitResult) -> float:
        """What one table adds to the slope."""
        problem, measure, law = fit.problem, fit.problem.measure, fit.law
        place = [symbol.name for symbol in law.constants].index(self.constant)
        inputs, constants = [values for _, values in problem.x], np.array(list(fit.estimate.values()))
        with np.errstate(all="ignore"):
            r, by = codegen.residual(law, measure.kind).value_and_gradient(*inputs, problem.y, *constants)
            s, slope = measure(r, problem.y, None if problem.sigma is None else 1 / problem.sigma)
        rows = 2 * measure.share * float(np.sum(problem.loads * s * slope * by[place]))
        return rows + self._behind(law, problem.priors, constants, problem.noise)[1]

    def refine(self, profile: tuple[tuple[float, float], ...]) -> float:
        """The zero of the slope beside the lowest grid point; the point itself where the slope keeps its sign."""
        from scipy.optimize import brentq

        grid, objectives = zip(*profile, strict=True)
        best = int(np.argmin(objectives))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
        if not low < high or self.slope(low) * self.slope(high) >= 0:
            return float(grid[best])
        return float(brentq(self.slope, low, high, xtol=1e-12 * max(abs(low), abs(high)), rtol=1e-12))

    def notes(self, value: float, fits: list[FitResult]) -> list[str]:
        """What each of the fits says first."""
        law = fits[0].law
        point = np.array([value if s.name == self.constant else 1.0 for s in law.constants])
        said = known_priors.notes(law, self.priors[1], point)
        return [f"{self.constant} = {value:.6g} is shared by {len(fits)} tables", *said]
