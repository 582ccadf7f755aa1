"""What a fit minimises: the mean squared log residual over the box's coordinates, with its exact Jacobian."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import sympy as sp

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
    def chart(self) -> codegen.Coordinates:
        """The map between constants and the coordinates in which the search moves."""
        box = {}
        for c in self.coordinates:
            box[c.symbol.name if c.base is None else f"{c.symbol.name} - {c.base.name}"] = (c.lo, c.hi)
        return codegen.coordinates(self.law, box, {symbol.name: value for symbol, value in self.fixed.items()})

    @cached_property
    def lo(self) -> Floats:
        """Lower ends of the coordinates (p,)."""
        return self.chart.lower

    @cached_property
    def hi(self) -> Floats:
        """Upper ends of the coordinates (p,)."""
        return self.chart.upper

    @cached_property
    def directions(self) -> Floats:
        """+1 where a constant rises with its coordinate, -1 where it falls (p,)."""
        kinds = [kind for kind in self.chart.kinds if kind != "fixed"]
        return np.array([-1.0 if kind == "negative" else 1.0 for kind in kinds])

    @cached_property
    def _compiled(self) -> Compiled:
        return codegen.residual(self.law, self.kind)

    @cached_property
    def _root(self) -> Floats:
        return np.sqrt(self.weights)

    def __call__(self, u: Floats) -> tuple[Floats, Floats]:
        """Weighted residuals and Jacobian."""
        r, jacobian = self.plain(u)
        jacobian *= self._root
        return r * self._root, jacobian.transpose(1, 2, 0)

    def plain(self, u: Floats, y: Floats | None = None) -> tuple[Floats, Floats]:
        """Residuals (k, n) before weights, and Jacobian (p, k, n); ``y`` (k, n) in place of the table's response."""
        constants, y = self.constants(u), self.table.y if y is None else y
        with np.errstate(all="ignore"):
            r, by_constant = self._compiled.value_and_gradient(*self.table.x, y, *constants[:, :, None])
            return r, self.chart.chain(by_constant, u.T)

    def constants(self, u: Floats) -> Floats:
        """All constants of the law (c, k), in its order and the units of the fit."""
        return self.chart.natural(u.T)

    def locate(self, constants: Floats) -> Floats:
        """Constants (c, k) -> coordinates (k, p) inside the box; the constants are clipped to it."""
        order = {symbol: i for i, symbol in enumerate(self.law.constants)}
        lo, hi = np.full((2, len(constants), 1), [[[-np.inf]], [[np.inf]]])
        for c in self.coordinates:
            if c.base is None:
                lo[order[c.symbol]], hi[order[c.symbol]] = c.lo, c.hi
        inside = np.clip(constants, lo, hi)
        for c in self.coordinates:
            if c.base is not None:
                under = inside[order[c.base]]
                inside[order[c.symbol]] = under + np.clip(constants[order[c.symbol]] - under, c.lo, c.hi)
        return np.clip(self.chart.fit(inside).T, self.lo, self.hi)
