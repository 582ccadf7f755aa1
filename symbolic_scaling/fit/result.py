"""What a fit is and what came of it: frozen records that repeat, predict and save."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import codegen
from ..errors import DataError
from ..law import Law
from ..shown import Shown
from . import short
from .ends import Interval
from .problem import FitProblem
from .solve import Floats
from .tie import values

__all__ = ["Certificate", "FitProblem", "FitResult", "Interval", "Minimum", "Outcome", "outside"]


class Outcome(Enum):
    """How a fit ended; the value is the help text."""

    OPTIMUM_REACHED = "the gradient vanishes on every constant, and no start or restart ends lower"
    OPTIMUM_ON_BOUND = "an optimum of the declared box, with constants on the walls that the notes name"
    INFIMUM = "the lowest value is approached at an edge of the box and attained nowhere: the notes name the edge"
    NOT_IDENTIFIED = "an optimum in all that the rows determine, and that is not every constant: the notes name those"
    WRONG_SHAPE = "an optimum, but the data turn where the fitted curve does not: this law does not apply"
    NOT_CONVERGED = "the lowest point found is not one where the gradient vanishes"

    @property
    def success(self) -> bool:
        """Whether an optimum of a law that applies was reached; the notes say what else there is to know."""
        return self not in (Outcome.WRONG_SHAPE, Outcome.NOT_CONVERGED)


@dataclass(frozen=True)
class Certificate:
    """How the fit knows: ``kind`` is ``grid`` or ``starts``, ``agree`` of ``starts`` ended in the best minimum.

    After :func:`~symbolic_scaling.fit.certify` it is ``certified``, ``bounded`` or ``refuted``: ``gap`` is by how much
    a point of the box may be lower, relative to the objective; ``edges`` and ``tree`` are the cells that prove it.
    Where no proof applies to the fit, ``why`` says so and what to do.
    """

    kind: str
    agree: int
    starts: int
    text: str
    gap: float | None = None
    edges: tuple[tuple[float, ...], ...] = ()
    tree: tuple[str, ...] = ()
    why: str = ""


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
class FitResult(Shown):
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
        Gauss-Newton, of the constants that are free, identified and off the walls; intervals are nominal 95 %,
        cut at the ends of a constant's domain, such as 0.
    notes : tuple of str
    pure_error : (variance, degrees of freedom), optional
        Of the response among rows of equal inputs.
    derived : tuple of Interval
        Of quantities that were asked for with the fit.
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
    derived: tuple[Interval, ...] = ()

    def __str__(self) -> str:
        return short.fit(self)

    def __repr__(self) -> str:
        return f"<FitResult of {self.law.name}: {self.outcome.name} on {len(self.problem.y)} rows>"

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
        """The mean, or sum, of the loss over the rows at the lowest minimum, priors included."""
        return self.minima[0].objective

    @property
    def tied(self) -> dict[str, float]:
        """Tied constant -> value at the lowest minimum.

        Examples
        --------
        >>> from symbolic_scaling import fit, laws
        >>> x = np.array([1.0, 10.0, 100.0])
        >>> found = fit.curve(laws.get("m2"), x, 2 + 2 / x, tie={"eps_inf": "beta"})
        >>> {name: round(value, 9) for name, value in found.tied.items()}
        {'eps_inf': 2.0}
        """
        return values(self.law, dict(self.problem.tie), self.estimate)

    def interval(self, what: Any, method: str = "delta", level: float = 0.95, **options: Any) -> tuple[float, float]:
        """The interval of a constant, or of any expression of the constants.

        Parameters
        ----------
        what : str, Expr or Root
            ``"c"``, ``"A*B"``, the response's name for its value at inputs, or what ``derive`` found.
        method : {"delta", "sandwich", "profile", "bootstrap", "residuals"}
        level : float
            Nominal coverage.
        **options
            ``values`` of inputs and of other names in the expression; ``samples``, ``basic`` and ``seed`` of a
            bootstrap: see :func:`symbolic_scaling.fit.interval.interval`.

        Raises
        ------
        FitError
            If there is none: the error says why.
        """
        from .interval import interval

        made = interval(self, what, method, level, **options)
        return float(made.lo), float(made.hi)

    def predict(self, x: Mapping[str, ArrayLike] | ArrayLike) -> Floats:
        """The response at new inputs.

        Parameters
        ----------
        x : array or mapping of name to array
            Positive, 0 and oo included by their limits; an array alone serves a law of one input.

        Returns
        -------
        array
            Of the inputs' broadcast shape; NaN where inputs 0 and oo leave no limit, and outside the law's domain,
            where an input or the response leaves its interval, as a loss that would be negative does.

        Raises
        ------
        DataError
            If an input is missing, negative or no number.
        """
        names = [symbol.name for symbol in self.law.inputs]
        given = x if isinstance(x, Mapping) else {names[0]: x}
        if set(given) != set(names):
            raise DataError("predict", f"inputs {sorted(given)}", f"give {', '.join(names)}")
        try:
            arrays = np.broadcast_arrays(*(np.asarray(given[name], dtype=np.float64) for name in names))
        except (TypeError, ValueError, OverflowError) as error:
            raise DataError("predict", f"inputs that are no arrays: {error}", "give numbers, of one shape") from None
        if not all((array >= 0).all() for array in arrays):
            raise DataError("predict", "an input is negative or no number", "give inputs from 0 to oo")
        constants = [self.estimate[symbol.name] for symbol in self.law.constants]
        with np.errstate(all="ignore"):
            flat = codegen.law(self.law)(*(array.ravel() for array in arrays), *constants)
        found = np.asarray(flat).reshape(arrays[0].shape if arrays else ())
        return np.asarray(np.where(outside(self.law, arrays, found), np.nan, found))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the fit as JSON: to a temporary file beside ``path`` first, then renamed."""
        from .store import save

        save(self, path)


def outside(law: Law, inputs: Sequence[Floats], response: Floats) -> NDArray[np.bool_]:
    """Where an input or the response is beyond an end of its interval in the law's domain; ends are limits.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> outside(laws.get("logarithm"), [np.array([1e9, 1e20])], np.array([2.5, -8.9])).tolist()
    [False, True]
    """
    found = np.zeros(response.shape, dtype=bool)
    for symbol, column in zip((*law.inputs, law.response.symbol), (*inputs, response), strict=True):
        interval = law.domain.interval(symbol)
        found |= (column < float(interval.lo)) | (column > float(interval.hi))
    return found
