"""What a fit minimises: the mean squared log residual over the box's coordinates, with its exact Jacobian."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import sympy as sp

from .. import codegen
from ..law import Law
from .box import Coordinate, Table
from .solve import Floats

__all__ = ["Objective"]


@dataclass(frozen=True, eq=False)
class Objective:
    """Coordinates (k, p) -> residuals (k, n) and Jacobian (k, n, p), each row weighted so that squares add to the mean.

    Parameters
    ----------
    law : Law
    kind : {"response", "equation"}
    table : Table
        Rows in the units of the fit.
    weights : array (n,)
        Share of each distinct row; they add to one.
    coordinates : tuple of Coordinate
        The free constants.
    fixed : mapping of Symbol to float
        The others, in the units of the fit.
    """

    law: Law
    kind: str
    table: Table
    weights: Floats
    coordinates: tuple[Coordinate, ...]
    fixed: Mapping[sp.Symbol, float] = field(default_factory=dict)

    @property
    def lo(self) -> Floats:
        """Lower ends of the coordinates (p,)."""
        return np.array([_coordinate(c, c.lo) for c in self.coordinates])

    @property
    def hi(self) -> Floats:
        """Upper ends of the coordinates (p,)."""
        return np.array([_coordinate(c, c.hi) for c in self.coordinates])

    def __call__(self, u: Floats) -> tuple[Floats, Floats]:
        """Weighted residuals and Jacobian."""
        constants = self.constants(u)
        with np.errstate(all="ignore"):
            compiled = codegen.residual(self.law, self.kind)
            r, by_constant = compiled.value_and_gradient(*self.table.x, self.table.y, *constants[:, :, None])
        root = np.sqrt(self.weights)
        return r * root, self._chain(by_constant, constants) * root[None, :, None]

    def constants(self, u: Floats) -> Floats:
        """All constants of the law (c, k), in its order and the units of the fit."""
        found = np.empty((len(self.law.constants), len(u)))
        for symbol, value in self.fixed.items():
            found[self._place(symbol)] = value
        for j, c in enumerate(self.coordinates):
            found[self._place(c.symbol)] = _constant(c, u[:, j])
        for c in self.coordinates:
            if c.base is not None:
                found[self._place(c.symbol)] += found[self._place(c.base)]
        return found

    def locate(self, constants: Floats) -> Floats:
        """Constants (c, k) -> coordinates (k, p) inside the box."""
        columns = []
        for c in self.coordinates:
            value = constants[self._place(c.symbol)]
            if c.base is not None:
                value = value - constants[self._place(c.base)]
            columns.append(_coordinate(c, np.clip(value, c.lo, c.hi)))
        return np.stack(columns, axis=1)

    def _place(self, symbol: sp.Symbol) -> int:
        return self.law.constants.index(symbol)

    def _chain(self, by_constant: Floats, constants: Floats) -> Floats:
        """Jacobian (k, n, p) by the coordinates from the one (c, k, n) by the constants."""
        shape = (constants.shape[1], len(self.table.y), len(self.coordinates))
        found = np.empty(shape)
        for j, c in enumerate(self.coordinates):
            column, value = by_constant[self._place(c.symbol)], constants[self._place(c.symbol)]
            if c.kind == "linear":
                found[:, :, j] = column
            else:
                height = value if c.base is None else value - constants[self._place(c.base)]
                found[:, :, j] = column * height[:, None]
        places = {c.symbol: j for j, c in enumerate(self.coordinates)}
        for c in self.coordinates:
            if c.base in places:
                found[:, :, places[c.base]] += by_constant[self._place(c.symbol)]
        return found


def _constant(c: Coordinate, u: Floats) -> Floats:
    """The constant, or its height over its base, at a coordinate."""
    if c.kind == "linear":
        return u
    return -np.exp(u) if c.kind == "minus" else np.exp(u)


def _coordinate(c: Coordinate, value: Floats | float) -> Floats:
    """The inverse of :func:`_constant`."""
    if c.kind == "linear":
        return np.asarray(value, dtype=np.float64)
    return np.log(-np.asarray(value) if c.kind == "minus" else np.asarray(value))
