"""The box of a fit: declared, printed, and the same in any units.

All numbers here are in units in which the inputs are near 1 and the largest response is 1 (see :mod:`units`), so one
rule serves every law and every table:

==============================  ==============================================================================
below the response (floors)     ``equation``: [0, min y - 1e-3 max y];  ``response``: [0, 2 min y]
above the response (ceilings)   ``equation``: [max y + 1e-3 max y, 10 max y];  ``response``: ceiling - floor <= 10 max y
exponents                       from 1/10,000 of the law's ``start`` to 10 times it; from 0 where 0 is admissible
above another constant          their difference from 1e-6 to 1e6 times the largest value of its unit in the table
other constants with 0 allowed  [0, 1000 times the largest value of their unit in the table]
other positive constants        [1e-100, 1e100]: the logarithm is what is fitted
==============================  ==============================================================================

Under ``equation`` the box is needed: a floor that goes to minus infinity, or a ceiling that meets the largest response,
sends the objective down without a better curve.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sp

from ..law import Law, Parameter
from .solve import Floats
from .units import exponents, limited, rates, scales, shifts, weights

__all__ = ["FAR", "Coordinate", "Table", "declare"]

_OPEN = 1e-6  # of a domain: how near to an end that no coordinate reaches
MARGIN, FLOOR_REACH, CEILING_REACH, EXPONENT_REACH, AMPLITUDE = 1e-3, 2.0, 10.0, 10.0, 1e100
ORDERED_REACH = 1e6
FAR = 1e90  # walls beyond stand for none


@dataclass(frozen=True)
class Coordinate:
    """The bounds of one constant, or of its height above the constant ``base``; ``given`` where they are the user's.

    For stacked tables ``lo`` and ``hi`` are numbers or arrays (k,).
    """

    symbol: sp.Symbol
    lo: Any
    hi: Any
    base: sp.Symbol | None = None
    given: bool = False


@dataclass(frozen=True, eq=False)
class Table:
    """The rows in the units of the fit: ``x`` (m, n) and ``y`` (n,), or (m, k, n) and (k, n) for stacked tables."""

    x: Floats
    y: Floats


def declare(
    law: Law,
    residual: str,
    table: Table,
    fixed: Mapping[sp.Symbol, float],
    bounds: Mapping[sp.Symbol, tuple[Any, Any]],
) -> tuple[Coordinate, ...]:
    """One coordinate for every constant that is not fixed, in the law's order."""
    floors = [p.symbol for p in law.parameters if p.below == law.response.symbol]
    made = []
    for parameter in law.parameters:
        symbol = parameter.symbol
        if symbol in fixed:
            continue
        base = parameter.above if parameter.above in law.constants else (floors or [None])[0]
        default = _default(law, parameter, residual, table, base)
        c = _given(parameter, bounds[symbol]) if symbol in bounds else default
        if c.base is None and symbol in (ends := limited(law)):
            lo, hi = ends[symbol]
            if np.isfinite(lo) and np.isfinite(hi):  # its coordinate is infinite at both ends
                lo, hi = lo + _OPEN * (hi - lo), hi - _OPEN * (hi - lo)
            c = replace(c, lo=c.lo if np.all(c.lo >= lo) else lo, hi=c.hi if np.all(c.hi <= hi) else hi)
        made.append(c)
    return tuple(made)


def _default(law: Law, parameter: Parameter, residual: str, table: Table, base: sp.Symbol | None) -> Coordinate:
    symbol, y = parameter.symbol, law.response.symbol
    least, most = table.y.min(axis=-1), table.y.max(axis=-1)
    if parameter.below == y:
        top = np.maximum(least - MARGIN * most, least / 2) if residual == "equation" else FLOOR_REACH * least
        return Coordinate(symbol, 0.0, top)
    if parameter.above == y and residual == "equation":
        return Coordinate(symbol, most * (1 + MARGIN), CEILING_REACH * most)
    if parameter.above == y:
        return Coordinate(symbol, MARGIN * least, CEILING_REACH * most, base)
    if parameter.above is not None:
        size = _largest_unit(law, symbol, table)
        return Coordinate(symbol, size / ORDERED_REACH, size * ORDERED_REACH, base)
    if symbol in exponents(law) - scales(law) - shifts(law) - rates(law):
        return _exponent(parameter)
    if parameter.closed:
        reach = 1e3 * _largest_unit(law, symbol, table)
        return Coordinate(symbol, 0.0 if symbol.is_nonnegative else -reach, reach)
    if symbol.is_positive:
        return Coordinate(symbol, 1 / AMPLITUDE, AMPLITUDE)
    if symbol.is_negative:
        return Coordinate(symbol, -AMPLITUDE, -1 / AMPLITUDE)
    reach = 1e3 * _largest_unit(law, symbol, table)
    return Coordinate(symbol, -reach, reach)


def _exponent(parameter: Parameter) -> Coordinate:
    """The range of an exponent, from where its law says to look first."""
    near, far = sorted(abs(end) for end in parameter.start)
    lo, hi = (0.0 if parameter.closed else near / 1e4), EXPONENT_REACH * far
    if parameter.symbol.is_positive:
        return Coordinate(parameter.symbol, lo, hi)
    return Coordinate(parameter.symbol, -hi, -lo if parameter.symbol.is_negative else hi)


def _largest_unit(law: Law, symbol: sp.Symbol, table: Table) -> Any:
    """The largest value in the table of the unit that a constant carries; 1 where an exponent decides it."""
    total = np.zeros_like(table.y)
    position = law.places[symbol]
    for unit, values in zip((*law.inputs, law.response.symbol), (*table.x, table.y), strict=True):
        power = weights(law, unit)
        if power is not None and power[position].is_number:
            total = total + float(power[position]) * np.log(values)
    return np.exp(total.max(axis=-1))


def _given(parameter: Parameter, pair: tuple[Any, Any]) -> Coordinate:
    """The user's own bounds in place of the default ones."""
    lo, hi = pair
    symbol = parameter.symbol
    if symbol.is_positive and not parameter.closed:
        lo = np.maximum(lo, hi / AMPLITUDE)
    if symbol.is_negative and not parameter.closed:
        hi = np.minimum(hi, lo / AMPLITUDE)
    return Coordinate(symbol, lo, hi, given=True)
