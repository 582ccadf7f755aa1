"""Where a grid looks for one constant: inside its box, spaced by what the data can show."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..law import Law
from .box import Coordinate, Table
from .solve import Floats
from .units import exponents, scales

__all__ = ["axis"]

_STEEPEST = 40.0  # an exponent that moves a term by e**40 over the range of the data is a step
_FLATTEST = 0.05  # one that moves it by 5 % is a constant
_BEYOND = 100.0  # a scale this far outside the data no longer bends the curve inside


def axis(law: Law, c: Coordinate, table: Table, count: int) -> Floats:
    """Values of one constant in the units of the fit, (count,), or (count, k) for stacked tables.

    Parameters
    ----------
    law : Law
    c : Coordinate
        The constant and its box.
    table : Table
        The rows.
    count : int
        How many values.
    """
    parameter = law.parameters[law.places[c.symbol]]
    least, most = table.y.min(axis=-1), table.y.max(axis=-1)
    if parameter.below == law.response.symbol and np.all(c.hi < least):
        return least - _ratios(least - c.lo, least - c.hi, count)
    if parameter.above == law.response.symbol and np.all(c.lo > most):
        return most + _ratios(c.lo - most, c.hi - most, count)
    if parameter.below is not None or c.given:
        return np.linspace(c.lo, c.hi, count)
    spread = np.ptp(np.log(table.x), axis=-1).max(axis=0)
    if c.symbol in exponents(law) - scales(law):
        return _signed(c, _FLATTEST / spread, _STEEPEST / spread, count)
    if parameter.above == law.response.symbol:
        return most * _ratios(1.01, c.hi / most, count)
    reach = np.exp(spread / 2) * _BEYOND
    return _signed(c, 1 / reach, reach, count)


def _ratios(near: Any, far: Any, count: int) -> Floats:
    """Positive numbers in equal ratios, along the first axis; the ends as they are given."""
    found: Floats = np.exp(np.linspace(np.log(near), np.log(far), count))
    found[0], found[-1] = near, far
    return found


def _signed(c: Coordinate, near: Any, far: Any, count: int) -> Floats:
    """Equal ratios from ``near`` to ``far`` with the constant's sign, and its bound where that is zero."""
    values = _ratios(near, far, count)
    if np.all(c.hi <= 0):
        values = -values[::-1]
    elif np.all(c.lo < 0):
        values = np.concatenate([-values[::-2], values[::2]])[:count]
    values = np.clip(values, c.lo, c.hi)
    if np.all(c.lo == 0):
        values[0] = 0.0
    if np.all(c.hi == 0):
        values[-1] = 0.0
    return values
