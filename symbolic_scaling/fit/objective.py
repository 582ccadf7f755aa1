"""What a fit minimises: the mean squared log residual over the box's coordinates, with its exact Jacobian."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from .. import codegen
from ..codegen import Compiled
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

    @cached_property
    def lo(self) -> Floats:
        """Lower ends of the coordinates (p,)."""
        return np.array([_coordinate(c, c.lo) for c in self.coordinates])

    @cached_property
    def hi(self) -> Floats:
        """Upper ends of the coordinates (p,)."""
        return np.array([_coordinate(c, c.hi) for c in self.coordinates])

    @cached_property
    def _layout(self) -> _Layout:
        return _Layout.of(self.law, self.coordinates, self.fixed)

    def __call__(self, u: Floats) -> tuple[Floats, Floats]:
        """Weighted residuals and Jacobian."""
        constants = self.constants(u)
        with np.errstate(all="ignore"):
            r, by_constant = self._compiled.value_and_gradient(*self.table.x, self.table.y, *constants[:, :, None])
        root = self._root
        return r * root, self._layout.chain(by_constant, constants, root)

    @cached_property
    def _compiled(self) -> Compiled:
        return codegen.residual(self.law, self.kind)

    @cached_property
    def _root(self) -> Floats:
        return np.sqrt(self.weights)

    def constants(self, u: Floats) -> Floats:
        """All constants of the law (c, k), in its order and the units of the fit."""
        return self._layout.constants(u)

    def locate(self, constants: Floats) -> Floats:
        """Constants (c, k) -> coordinates (k, p) inside the box."""
        order = {symbol: i for i, symbol in enumerate(self.law.constants)}
        columns = []
        for c in self.coordinates:
            value = constants[order[c.symbol]]
            if c.base is not None:
                value = value - constants[order[c.base]]
            columns.append(_coordinate(c, np.clip(value, c.lo, c.hi)))
        return np.stack(columns, axis=1)


@dataclass(frozen=True, eq=False)
class _Layout:
    """Where each coordinate goes among the law's constants, as index arrays.

    ``places`` (p,) of the coordinates, ``curved`` those that are logarithms, ``signs`` of their constants;
    ``gaps`` are (place, place of the base, coordinate of the base or None); ``template`` (c, 1) holds fixed values.
    """

    places: NDArray[np.int_]
    curved: NDArray[np.int_]
    signs: Floats
    gaps: tuple[tuple[int, int, int, int | None], ...]
    template: Floats

    @classmethod
    def of(cls, law: Law, coordinates: tuple[Coordinate, ...], fixed: Mapping[sp.Symbol, float]) -> _Layout:
        order = {symbol: i for i, symbol in enumerate(law.constants)}
        own = {c.symbol: j for j, c in enumerate(coordinates)}
        template = np.array([[fixed.get(symbol, np.nan)] for symbol in law.constants])
        return cls(
            np.array([order[c.symbol] for c in coordinates], dtype=np.int_),
            np.array([j for j, c in enumerate(coordinates) if c.kind != "linear"], dtype=np.int_),
            np.array([[-1.0 if c.kind == "minus" else 1.0] for c in coordinates if c.kind != "linear"]),
            tuple(
                (order[c.symbol], order[c.base], j, own.get(c.base))
                for j, c in enumerate(coordinates)
                if c.base is not None
            ),
            template,
        )

    def constants(self, u: Floats) -> Floats:
        """(k, p) -> (c, k)."""
        values = u.T.copy()
        if self.curved.size:
            values[self.curved] = self.signs * np.exp(values[self.curved])
        found = np.repeat(self.template, len(u), axis=1)
        found[self.places] = values
        for place, base, _, _ in self.gaps:
            found[place] += found[base]
        return found

    def chain(self, by_constant: Floats, constants: Floats, root: Floats) -> Floats:
        """Jacobian (k, n, p) by the coordinates, rows times ``root``, from the one (c, k, n) by the constants."""
        slopes = np.ones((len(self.places), constants.shape[1]))
        if self.curved.size:
            slopes[self.curved] = constants[self.places[self.curved]]
        for _, base, j, _ in self.gaps:
            slopes[j] -= constants[base]
        found: Floats = by_constant[self.places] * slopes[:, :, None]
        for place, _, _, own in self.gaps:
            if own is not None:
                found[own] += by_constant[place]
        return (found * root).transpose(1, 2, 0)


def _coordinate(c: Coordinate, value: Floats | float) -> Floats:
    """A constant, or its height over its base, as a coordinate."""
    plain = np.asarray(value, dtype=np.float64)
    if c.kind == "linear":
        return plain
    return np.log(-plain if c.kind == "minus" else plain)
