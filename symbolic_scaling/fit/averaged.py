"""What ``fit.best`` returns: an average of laws and windows that predicts with a band, and the reasons for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..data.accuracy import inside, limit
from ..errors import DataError, FitError
from ..shown import Shown
from . import average
from .average import Calibration
from .result import FitResult
from .rolling import Candidate
from .select import Left, Score
from .solve import Floats
from .windows import sizes

__all__ = ["LEVELS", "Best", "Extrapolation", "Weighted"]

LEVELS = (0.8, 0.95)


@dataclass(frozen=True, eq=False)
class Weighted:
    """A candidate with its weight, prior weight, and root mean square log error at each origin, the latest first.

    An error is NaN where the candidate is not judged for want of rows.
    """

    candidate: Candidate
    weight: float
    prior: float
    errors: tuple[float, ...]

    @property
    def name(self) -> str:
        """The law's name, or ``last value``."""
        return self.candidate.law.name if self.candidate.law is not None else "last value"

    @property
    def error(self) -> float:
        """Root mean square over the origins that judge; NaN without any."""
        known = [error for error in self.errors if not np.isnan(error)]
        return float(np.sqrt(np.mean(np.square(known)))) if known else float("nan")


@dataclass(frozen=True)
class Extrapolation:
    """The response at inputs and its bands, (level, lo, hi) each; none where the noise of the rows is not known."""

    inputs: tuple[tuple[str, float], ...]
    value: float
    bands: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, eq=False)
class Best(Shown):
    """An extrapolation, and why.

    Parameters
    ----------
    fits : tuple of FitResult
        Each law fitted to all rows.
    fit : FitResult
        The law with the largest weight in its heaviest window, alone: to be saved, or asked for its constants.
    candidates : tuple of Weighted
        Laws and windows, the heaviest first; ``last value`` is the response staying where it is.
    noise : float or None
        Standard deviation of log y about the closest law; None where no law has rows to spare.
    records : bool
        Whether the rows are a running best (:mod:`symbolic_scaling.fit.average`).
    calibration : Calibration
    reach, farthest : float
        The factors of size over which rolling extrapolations ran, and by which what is asked for lies beyond the rows.
    predictions : tuple of Extrapolation
        At what was asked for.
    scores : tuple of Score
        AICc and BIC of each law on all rows.
    left : tuple of Left
        The chosen law, and the one of the lowest BIC, as the largest sizes are left out.
    because, against : tuple of str
        What decided, and what contradicts.
    refused : tuple of (law, reason)
        Laws that could not be fitted.
    """

    fits: tuple[FitResult, ...]
    fit: FitResult
    candidates: tuple[Weighted, ...]
    noise: float | None
    records: bool
    calibration: Calibration
    reach: float
    farthest: float
    predictions: tuple[Extrapolation, ...] = ()
    scores: tuple[Score, ...] = ()
    left: tuple[Left, ...] = ()
    because: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs."""
        return tuple(symbol.name for symbol in self.fit.law.inputs)

    @cached_property
    def limit(self) -> float:
        """What predictions and bands stay below: 1 or 100 for an accuracy (:mod:`symbolic_scaling.data.accuracy`)."""
        problem = self.fits[0].problem
        return limit([values for _, values in problem.x], problem.y)

    @property
    def by_law(self) -> dict[str, float]:
        """The weight of each law over its windows, ``last value`` among them, the heaviest first."""
        total: dict[str, float] = {}
        for each in self.candidates:
            total[each.name] = total.get(each.name, 0.0) + each.weight
        return dict(sorted(total.items(), key=lambda pair: -pair[1]))

    @property
    def chosen(self) -> Weighted:
        """The heaviest window of ``fit``'s law."""
        return next(each for each in self.candidates if each.candidate.law == self.fit.law)

    def window(self, candidate: Weighted) -> str:
        """The rows of a candidate, in words."""
        rows = candidate.candidate.rows
        if rows.all():
            return "on all rows"
        used = [values[rows] for _, values in self.fits[0].problem.x]
        first = int(np.argmin(sizes(used)))
        start = ", ".join(f"{name} = {values[first]:.4g}" for name, values in zip(self.inputs, used, strict=True))
        return f"on the {int(rows.sum())} rows from {start} on"

    def predict(self, x: Mapping[str, ArrayLike] | ArrayLike) -> Floats:
        """The response at new inputs, as :meth:`FitResult.predict` takes them: the weighted geometric mean.

        An accuracy stays below its limit.
        """
        columns, shape = self._columns(x)
        found: Floats = np.exp(self._average(columns)[0]).reshape(shape)
        return inside(found, self.limit)

    def band(self, x: Mapping[str, ArrayLike] | ArrayLike, level: float = 0.8) -> tuple[Floats, Floats]:
        """Where a new measurement at these inputs lies with probability ``level``, nominally: (lo, hi).

        Raises
        ------
        FitError
            If the level is not between 0 and 1, or the noise of the rows is not known: too few of them.
        """
        if not 0 < level < 1:
            raise FitError(f"band at level {level:g}", "it is not between 0 and 1", "give 0.8, say")
        if self.noise is None:
            raise FitError("band", "no law has a row to spare, so nothing is known of the noise", "add rows")
        from scipy.special import stdtrit

        columns, shape = self._columns(x)
        centre, among = self._average(columns)
        wide = float(stdtrit(self.calibration.freedom, (1 + level) / 2)) * self.calibration.scale
        half = wide * np.sqrt(self.noise**2 + among)
        with np.errstate(over="ignore"):
            lo, hi = np.exp(centre - half).reshape(shape), np.exp(centre + half).reshape(shape)
        return inside(lo, self.limit), inside(hi, self.limit)

    def _average(self, columns: Sequence[Floats]) -> tuple[Floats, Floats]:
        logs = np.array([each.candidate.log_predict(columns) for each in self.candidates])
        return average.mean(np.array([each.weight for each in self.candidates]), logs)

    def _columns(self, x: Mapping[str, ArrayLike] | ArrayLike) -> tuple[list[Floats], tuple[int, ...]]:
        given = x if isinstance(x, Mapping) else {self.inputs[0]: x}
        if set(given) != set(self.inputs):
            raise DataError("predict", f"inputs {sorted(given)}", f"give {', '.join(self.inputs)}")
        try:
            arrays = np.broadcast_arrays(*(np.asarray(given[name], dtype=np.float64) for name in self.inputs))
        except (TypeError, ValueError) as error:
            raise DataError("predict", str(error), "give numbers, of one length for all inputs") from None
        if not all(((array > 0) & np.isfinite(array)).all() for array in arrays):
            raise DataError("predict", "an input is not positive and finite", "give positive inputs")
        return [array.ravel() for array in arrays], arrays[0].shape
