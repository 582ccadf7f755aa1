"""What a fit says elsewhere: the response at new inputs, and the input at which a response is reached.

Both carry a nominal 95 % interval by the delta method: the covariance ``s^2 (J^T J)^-1`` of the constants that are
free and off their walls, carried to ``log y_hat``, or to the logarithm of the input at a fixed response; there is none
where the rows do not determine every constant. It
knows the scatter of the rows about the law, and nothing of the law being wrong beyond them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .. import codegen
from ..data.accuracy import inside, limit
from ..derive import invert_value
from ..errors import DataError
from .result import FitResult, Outcome
from .spread import LEVEL, covariance_root, reach_of

__all__ = ["Forecast", "predict", "reach"]


@dataclass(frozen=True)
class Forecast:
    """A response at inputs; ``interval`` is of the response, or of the input ``solved`` for, and may be missing."""

    inputs: tuple[tuple[str, float], ...]
    value: float
    interval: tuple[float, float] | None = None
    solved: str | None = None


def predict(fit: FitResult, inputs: Mapping[str, float]) -> Forecast:
    """The response at one point.

    Parameters
    ----------
    fit : FitResult
    inputs : mapping of input to positive number
        0 and ``inf`` included, by their limits.

    Returns
    -------
    Forecast
        Of an accuracy (:mod:`symbolic_scaling.data.accuracy`) below its limit.

    Raises
    ------
    DataError
        If an input is missing, unknown or negative, the response has no limit there, or the law's domain ends before.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> x = np.array([1e5, 1e6, 1e7, 1e8])
    >>> found = fit.curve(laws.get("m1"), x=x, y=3 * x**-0.1 * [1.001, 0.999, 0.999, 1.001])
    >>> made = predict(found, {"x": 1e10})
    >>> round(made.value, 4), [round(end, 3) for end in made.interval]
    (0.3, [0.297, 0.303])
    """
    value = float(fit.predict({name: np.array(float(given)) for name, given in inputs.items()}))
    if math.isnan(value):
        point = ", ".join(f"{name} = {given:g}" for name, given in inputs.items())
        if all(0 < given < math.inf for given in inputs.values()):
            beyond = (
                f"the law {fit.law.name} does not hold there: an input or its {fit.law.response.symbol.name} leaves"
            )
            raise DataError(f"predict at {point}", f"{beyond} its domain", "ask nearer to the rows, or fit another law")
        raise DataError(f"predict at {point}", "the response has no limit there", "give numbers in place of 0 and oo")
    ordered = tuple((symbol.name, float(inputs[symbol.name])) for symbol in fit.law.inputs)
    around = _around(value, _half_width(fit, dict(ordered)))
    most = limit([values for _, values in fit.problem.x], fit.problem.y)
    value, *ends = inside([value, *(around or ())], most).tolist()
    return Forecast(ordered, value, (ends[0], ends[1]) if around else None)


def reach(fit: FitResult, target: float, held: Mapping[str, float] | None = None) -> Forecast:
    """The input at which the response is ``target``, the others held.

    Parameters
    ----------
    fit : FitResult
    target : float
        In the response's unit.
    held : mapping, optional
        All inputs but one; ``inf`` for as much as one likes.

    Raises
    ------
    DataError
        If not exactly one input is left open.
    Unattainable
        If no input gives that response; the error states the floor, or the best there is.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> found = fit.curve(laws.get("m2"), x=[1e6, 1e7, 1e8], y=[3.0, 2.5, 2.25])
    >>> float(f"{reach(found, 2.125).inputs[0][1]:.6g}")
    1000000000.0
    """
    given = dict(held or {})
    names = [symbol.name for symbol in fit.law.inputs]
    unknown = sorted(set(given) - set(names))
    left = [name for name in names if name not in given]
    if unknown or len(left) != 1:
        found = f"unknown inputs {unknown}" if unknown else f"open inputs: {', '.join(left) or 'none'}"
        raise DataError(f"reach {target:g}", found, f"hold all inputs but one of {', '.join(names)}")
    at = {name: "oo" if math.isinf(value) else value for name, value in given.items()}
    solved = invert_value(fit.law, left[0], target, fit.estimate, at)
    inputs = tuple((name, given.get(name, solved)) for name in names)
    width = None
    if all(math.isfinite(value) for _, value in inputs):
        width = _half_width(fit, dict(inputs), left[0])
    return Forecast(inputs, target, _around(solved, width), left[0])


def _around(value: float, width: float | None) -> tuple[float, float] | None:
    """From value / e^width to value * e^width; none where that is not finite."""
    if width is None or not 0 < value < math.inf or not width < 600:
        return None
    return value * math.exp(-width), value * math.exp(width)


def _half_width(fit: FitResult, inputs: Mapping[str, float], solved: str | None = None) -> float | None:
    """Half the interval of ``log y_hat`` at the inputs, or of the logarithm of an input at fixed ``y_hat``."""
    if fit.outcome is Outcome.NOT_IDENTIFIED or _extreme(fit):
        return None
    by_name = {symbol.name: symbol for symbol in fit.law.constants}
    free = [by_name[name] for name, _ in fit.standard_errors]
    constants = [fit.estimate[name] for name in by_name]
    columns = [*(dict(fit.problem.x)[symbol.name] for symbol in fit.law.inputs), fit.problem.y]
    freedom = fit.degrees_of_freedom
    kind = fit.problem.measure.kind
    root = covariance_root(fit.law, kind, columns, constants, free=free, freedom=freedom, problem=fit.problem)
    if root is None:
        return None
    point = [np.array([inputs[symbol.name]]) for symbol in fit.law.inputs]
    with np.errstate(all="ignore"):
        there, by_constant = codegen.law(fit.law).value_and_gradient(*point, *constants)
        by_constant = by_constant.reshape(len(constants), -1)
        slope = -by_constant[[fit.law.places[symbol] for symbol in free], 0] / there
        slope = slope / _log_elasticity(fit, inputs, solved) if solved is not None else slope
    if not np.isfinite(slope).all():
        return None
    return float(reach_of(0 if fit.problem.known else freedom, LEVEL) * np.linalg.norm(root @ slope))


def _extreme(fit: FitResult) -> bool:
    """Whether constants are numbers whose products with others are none."""
    return any(value and not 1e-200 < abs(value) < 1e200 for value in fit.estimate.values())


def _log_elasticity(fit: FitResult, inputs: Mapping[str, float], name: str) -> float:
    """d log y_hat / d log input, by a central difference."""
    step = 1e-4
    sides = [fit.predict({**inputs, name: inputs[name] * math.exp(sign * step)}) for sign in (1, -1)]
    return float(np.log(sides[0]) - np.log(sides[1])) / (2 * step)
