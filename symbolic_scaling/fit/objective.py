"""What a fit minimises: the mean loss of the residuals over the box's coordinates, with its exact Jacobian."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from .. import codegen
from ..codegen import Compiled
from ..law import Law
from .box import Coordinate, Table
from .loss import Measure
from .priors import Priors
from .solve import Floats

if TYPE_CHECKING:
    from .machine import Machine

__all__ = ["Objective"]


@dataclass(frozen=True, eq=False)
class Objective:
    """Coordinates (k, p) -> residuals (k, n) and Jacobian (k, n, p), each row weighted so that squares add to the mean.

    Parameters
    ----------
    law : Law
    kind : {"response", "equation"}
        The compiled residual.
    table : Table
        Rows in the units of the fit.
    weights : array (n,)
        Share of each distinct row; they add to one.
    coordinates : tuple of Coordinate
        The free constants.
    fixed : mapping of Symbol to float
        The others, in the units of the fit.
    measure : Measure
        What is made of a compiled residual before it is squared.
    inverse : array (n,), optional
        What multiplies each row's residual: 1/sigma, so scaled that the largest residuals are of order 1.
    priors : Priors, optional
        Rows behind those of the table.
    printed : float
        The objective that is printed over the sum of squares.
    target : {"numpy", "numba"}
        What evaluates and searches.
    """

    law: Law
    kind: str
    table: Table
    weights: Floats
    coordinates: tuple[Coordinate, ...]
    fixed: Mapping[sp.Symbol, float] = field(default_factory=dict)
    measure: Measure = field(default_factory=Measure)
    inverse: Floats | None = None
    priors: Priors | None = None
    printed: float = 1.0
    target: str = "numpy"

    def on(self, rows: slice | NDArray[np.int_]) -> Objective:
        """The objective on some of its rows."""
        inverse = None if self.inverse is None else self.inverse[rows]
        weights = self.weights[rows] / self.weights[rows].sum()
        table = Table(self.table.x[:, rows], self.table.y[rows])
        return replace(self, table=table, weights=weights, inverse=inverse)

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
    def compiled(self) -> Compiled:
        """The law's residual and its gradient in the constants."""
        return codegen.residual(self.law, self.kind, self.target)

    @cached_property
    def _bare(self) -> bool:
        return self.measure.plain and self.inverse is None

    @property
    def by_machine(self) -> bool:
        """Whether the search runs as machine code: for means of squares."""
        return self.target == "numba" and self._bare and self.priors is None

    @cached_property
    def machine(self) -> Machine:
        """That search."""
        from .machine import Machine

        return Machine(self)

    @cached_property
    def _root(self) -> Floats:
        return np.sqrt(self.weights)

    @cached_property
    def pull(self) -> Floats:
        """The weight of each row's log or relative residual while residuals are small (n,)."""
        weights: Floats = self.weights * self.measure.factor(self.table.y, self.inverse) ** 2
        return weights

    def __call__(self, u: Floats) -> tuple[Floats, Floats]:
        """Weighted residuals and Jacobian, the rows of priors last."""
        r, jacobian = self.plain(u)
        jacobian *= self._root
        if self.priors is None:
            return r * self._root, jacobian.transpose(1, 2, 0)
        more, slopes = self.behind(u)
        return np.hstack([r * self._root, more]), np.concatenate([jacobian.transpose(1, 2, 0), slopes], axis=1)

    def values(self, u: Floats) -> Floats:
        """Weighted residuals alone (k, n), the rows of priors last."""
        with np.errstate(all="ignore"):
            r = self.compiled(*self.table.x, self.table.y, *self.constants(u)[:, :, None])
            z = r if self._bare else self.measure(r, self.table.y, self.inverse)[0]
        return np.asarray(z * self._root if self.priors is None else np.hstack([z * self._root, self.behind(u)[0]]))

    def plain(self, u: Floats, y: Floats | None = None) -> tuple[Floats, Floats]:
        """What is squared (k, n) before weights, and Jacobian (p, k, n).

        ``y`` (k, n) stands in place of the table's response. Priors have no row here: see :meth:`behind`.
        """
        r, jacobian = self._logs(u, y)
        if self._bare:
            return r, jacobian
        with np.errstate(all="ignore"):
            r, slope = self.measure(r, self.table.y if y is None else y, self.inverse)
            jacobian *= slope
        return r, jacobian

    def raw(self, u: Floats, y: Floats | None = None) -> tuple[Floats, Floats]:
        """As :meth:`plain`, before the loss: residuals of the kind over their sigma."""
        r, jacobian = self._logs(u, y)
        if self._bare:
            return r, jacobian
        y = self.table.y if y is None else y
        with np.errstate(all="ignore"):
            jacobian *= self.measure.slopes(r, y, self.inverse)
            return self.measure.residuals(r, y, self.inverse), jacobian

    def _logs(self, u: Floats, y: Floats | None) -> tuple[Floats, Floats]:
        """Compiled residuals (k, n) and their Jacobian (p, k, n)."""
        constants, y = self.constants(u), self.table.y if y is None else y
        with np.errstate(all="ignore"):
            r, by_constant = self.compiled.value_and_gradient(*self.table.x, y, *constants[:, :, None])
            return r, self.chart.chain(by_constant, u.T)

    def behind(self, u: Floats) -> tuple[Floats, Floats]:
        """The rows of the priors (k, m), which weights leave alone, and their Jacobian (k, m, p)."""
        if self.priors is None:
            return np.empty((len(u), 0)), np.empty((len(u), 0, u.shape[1]))
        with np.errstate(all="ignore"):
            more, slopes = self.priors(self.constants(u))
            return more, self.chart.chain(slopes, u.T).transpose(1, 2, 0)

    def scores(self, u: Floats) -> tuple[Floats, Floats]:
        """The slope and the curvature of the loss at each row's residual (k, n)."""
        with np.errstate(all="ignore"):
            r = self.compiled(*self.table.x, self.table.y, *self.constants(u)[:, :, None])
            z = self.measure.residuals(r, self.table.y, self.inverse)
            return z * self.measure.weights(z), self.measure.curvatures(z)

    def bent(self, u: Floats) -> NDArray[np.bool_]:
        """At which rows, priors last, the loss is curved at a point (p,), (n,)."""
        _, curvature = self.scores(u[None])
        return np.append(curvature[0] > 0, np.ones(self.behind(u[None])[0].shape[1], dtype=bool))

    def constants(self, u: Floats) -> Floats:
        """All constants of the law (c, k), in its order and the units of the fit."""
        return self.chart.natural(u.T)

    def locate(self, constants: Floats) -> Floats:
        """Constants (c, k) -> coordinates (k, p) inside the box; the constants are clipped to it."""
        order = self.law.places
        lo, hi = np.full((2, len(constants), 1), [[[-np.inf]], [[np.inf]]])
        for c in self.coordinates:
            if c.base is None:
                lo[order[c.symbol]], hi[order[c.symbol]] = c.lo, c.hi
        inside = np.clip(constants, lo, hi)
        for c in self.coordinates:
            if c.base is not None:
                under = inside[order[c.base]]
                above = under + np.clip(constants[order[c.symbol]] - under, c.lo, c.hi)
                inside[order[c.symbol]] = np.maximum(above, np.nextafter(under, np.inf)) if c.lo > 0 else above
        return np.clip(self.chart.fit(inside).T, self.lo, self.hi)
