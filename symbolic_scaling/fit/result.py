"""What a fit is and what came of it: frozen records that repeat, predict and save."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from os import PathLike

import numpy as np
from numpy.typing import ArrayLike

from .. import codegen
from ..errors import DataError, FitError
from ..law import Law
from .solve import Floats

__all__ = ["Certificate", "FitProblem", "FitResult", "Minimum", "Outcome"]


class Outcome(Enum):
    """How a fit ended; the value is the help text."""

    OPTIMUM_REACHED = "the gradient vanishes on every constant, and no start or restart ends lower"
    OPTIMUM_ON_BOUND = "an optimum of the declared box, with constants on the walls that the notes name"
    INFIMUM = "the lowest value is approached at an edge of the box and attained nowhere: the notes name the edge"
    NOT_IDENTIFIED = "an optimum, but the rows do not determine every constant: the notes name those"
    WRONG_SHAPE = "an optimum, but the data turn where the fitted curve does not: this law does not apply"
    NOT_CONVERGED = "the lowest point found is not one where the gradient vanishes"

    @property
    def success(self) -> bool:
        """Whether an optimum of a law that applies was reached; the notes say what else there is to know."""
        return self not in (Outcome.WRONG_SHAPE, Outcome.NOT_CONVERGED)


@dataclass(frozen=True)
class Certificate:
    """How the fit knows: ``kind`` is ``grid`` or ``starts``, ``agree`` of ``starts`` ended in the best minimum."""

    kind: str
    agree: int
    starts: int
    text: str
    gap: float | None = None


@dataclass(frozen=True)
class Minimum:
    """One local minimum: mean squared residual, constants, how many starts ended in it, and the walls it touches."""

    objective: float
    constants: tuple[tuple[str, float], ...]
    reached: int
    converged: bool
    walls: tuple[str, ...] = ()

    @property
    def estimate(self) -> dict[str, float]:
        """Constant -> value."""
        return dict(self.constants)


@dataclass(frozen=True, eq=False)
class FitProblem:
    """All that is needed to repeat a fit.

    Parameters
    ----------
    law : Law
    residual : {"response", "equation"}
    x : tuple of (name, array (n,))
        The rows used, distinct ones only.
    y, counts : array (n,)
        Response, and how often each row stood in the table.
    fix : tuple of (name, value)
        Constants that are not fitted.
    bounds : tuple of (name, (lo, hi))
        Bounds of the user's.
    seed : int
        For scattered starts and the restart.
    rows_used, rows_dropped : tuple
        Row numbers from 1; dropped ones with their reason.
    digest : str
        SHA-256 of the rows used.
    versions : tuple of (package, version)
    """

    law: Law
    residual: str
    x: tuple[tuple[str, Floats], ...]
    y: Floats
    counts: Floats
    fix: tuple[tuple[str, float], ...] = ()
    bounds: tuple[tuple[str, tuple[float, float]], ...] = ()
    seed: int = 0
    rows_used: tuple[int, ...] = ()
    rows_dropped: tuple[tuple[int, str], ...] = ()
    digest: str = ""
    versions: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for array in (*(values for _, values in self.x), self.y, self.counts):
            array.flags.writeable = False


@dataclass(frozen=True, eq=False)
class FitResult:
    """The outcome of a fit.

    Parameters
    ----------
    problem : FitProblem
    outcome : Outcome
    minima : tuple of Minimum
        Distinct local minima, the lowest first.
    box : tuple of (text, lo, hi)
        What was searched, in the user's units.
    certificate : Certificate
    degrees_of_freedom : int
        Distinct rows less fitted constants.
    standard_errors, intervals : tuple
        Gauss-Newton, of the constants that are free, identified and off the walls; intervals are nominal 95 %.
    notes : tuple of str
    pure_error : (variance, degrees of freedom), optional
        Of the response among rows of equal inputs.
    """

    problem: FitProblem
    outcome: Outcome
    minima: tuple[Minimum, ...]
    box: tuple[tuple[str, float, float], ...]
    certificate: Certificate
    degrees_of_freedom: int
    standard_errors: tuple[tuple[str, float], ...] = ()
    intervals: tuple[tuple[str, float, float], ...] = ()
    notes: tuple[str, ...] = ()
    pure_error: tuple[float, int] | None = None

    @property
    def law(self) -> Law:
        """The law that was fitted."""
        return self.problem.law

    @property
    def estimate(self) -> dict[str, float]:
        """Constant -> value at the lowest minimum, fixed ones included."""
        return self.minima[0].estimate

    @property
    def objective(self) -> float:
        """The mean squared log residual over the rows at the lowest minimum."""
        return self.minima[0].objective

    def interval(self, name: str) -> tuple[float, float]:
        """The nominal 95 % interval of a constant.

        Raises
        ------
        FitError
            If there is none: the notes say why.
        """
        for known, lo, hi in self.intervals:
            if known == name:
                return lo, hi
        why = "; ".join(note for note in self.notes if name in note or "degrees of freedom" in note)
        raise FitError(f"interval of {name}", why or "there is none", f"there are {[k for k, *_ in self.intervals]}")

    def predict(self, x: Mapping[str, ArrayLike] | ArrayLike) -> Floats:
        """The response at new inputs.

        Parameters
        ----------
        x : array or mapping of name to array
            Positive; an array alone serves a law of one input.

        Returns
        -------
        array
            Of the inputs' broadcast shape.

        Raises
        ------
        DataError
            If an input is missing or not positive.
        """
        names = [symbol.name for symbol in self.law.inputs]
        given = x if isinstance(x, Mapping) else {names[0]: x}
        if set(given) != set(names):
            raise DataError("predict", f"inputs {sorted(given)}", f"give {', '.join(names)}")
        arrays = np.broadcast_arrays(*(np.asarray(given[name], dtype=np.float64) for name in names))
        if not all((array > 0).all() for array in arrays):
            raise DataError("predict", "an input is not positive", "give positive inputs")
        constants = [self.estimate[symbol.name] for symbol in self.law.constants]
        with np.errstate(all="ignore"):
            flat = codegen.law(self.law)(*(array.ravel() for array in arrays), *constants)
        return np.asarray(flat).reshape(arrays[0].shape)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the fit as JSON: to a temporary file beside ``path`` first, then renamed."""
        from .store import save

        save(self, path)
