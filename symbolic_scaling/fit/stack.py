"""Many tables of one law as one problem: rows stacked (k, n), boxes and fixed constants by table, one chart for all.

A :class:`Stack` is to many tables what :class:`~.objective.Objective` is to one. Shorter tables are padded by rows of
weight zero that repeat a row of their own, so that no minimum, maximum or range changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from .. import codegen
from ..law import Law
from . import box
from .box import Coordinate, Table
from .frame import changeable
from .loss import Measure
from .solve import Floats
from .units import factors

__all__ = ["Index", "Stack", "stack"]

Index = NDArray[np.int_]


@dataclass(frozen=True, eq=False)
class Stack:
    """Coordinates (k, p), one row a table -> residuals (k, n) and Jacobian (k, n, p).

    Parameters
    ----------
    law : Law
    measure : Measure
        Squared, and of any residual but ``absolute``.
    table : Table
        ``x`` (m, k, n) and ``y`` (k, n) in the units of the fit.
    root : array (k, n)
        Square roots of the rows' weights, whose squares add to one in each table.
    sizes : array (m + 1, k)
        Units of the inputs and of the response, in the user's.
    coordinates : tuple of Coordinate
        Their ends are numbers or arrays (k,).
    held : array (f, k)
        The fixed constants in the units of the fit.
    chart : Coordinates
    lo, hi : array (k, p)
    """

    law: Law
    measure: Measure
    table: Table
    root: Floats
    sizes: Floats
    coordinates: tuple[Coordinate, ...]
    fixed: tuple[sp.Symbol, ...]
    held: Floats
    chart: codegen.Coordinates
    lo: Floats
    hi: Floats

    def __len__(self) -> int:
        return len(self.root)

    def only(self, of: Index | NDArray[np.bool_] | slice) -> Stack:
        """The stack of the tables ``of``, each as often as it is named."""
        taken = {f.name: getattr(self, f.name)[of] for f in fields(self) if f.name in ("root", "lo", "hi")}
        taken |= {name: getattr(self, name)[:, of] for name in ("sizes", "held")}
        ends = tuple(replace(c, lo=_some(c.lo, of), hi=_some(c.hi, of)) for c in self.coordinates)
        return replace(self, **taken, coordinates=ends, table=Table(self.table.x[:, of], self.table.y[of]))

    @cached_property
    def directions(self) -> Floats:
        """+1 where a constant rises with its coordinate, -1 where it falls (p,)."""
        kinds = [kind for kind in self.chart.kinds if kind != "fixed"]
        return np.array([-1.0 if kind == "negative" else 1.0 for kind in kinds])

    def __call__(self, u: Floats, of: Index | None = None) -> tuple[Floats, Floats]:
        """Weighted residuals and Jacobian of the tables ``of`` (all of them in order without it)."""
        part = slice(None) if of is None or (len(of) == len(self) and of[0] == 0 and of[-1] == len(of) - 1) else of
        root, columns = self.root[part], (*self.table.x[:, part], self.table.y[part])
        r, by_constant = self.rows(columns, self.constants(u, part))
        jacobian = self.chart.chain(by_constant, u.T)
        jacobian *= root
        r *= root
        return r, jacobian.transpose(1, 2, 0)

    def rows(self, columns: Sequence[Floats], constants: Floats) -> tuple[Floats, Floats]:
        """Residuals (k, n) and their gradients (c, k, n) at inputs and response ``columns`` and constants (c, k)."""
        with np.errstate(all="ignore"):
            compiled = codegen.residual(self.law, self.measure.kind)
            r, gradient = compiled.value_and_gradient(*columns, *constants[:, :, None])
            if not self.measure.plain:
                gradient *= self.measure.slopes(r, columns[-1])
                r = self.measure.residuals(r, columns[-1])
        return r, gradient

    def constants(self, u: Floats, of: Any = slice(None)) -> Floats:
        """All constants of the law (c, k) in the units of the fit."""
        return self.chart.natural(u.T, self.held[:, of])

    def outside(self, constants: Floats) -> Floats:
        """Constants (c, k) in the user's units."""
        return constants * _factors(self.law, self.sizes, constants)

    def locate(self, constants: Floats) -> Floats:
        """Constants (c, k) -> coordinates (k, p) inside the box; the constants are clipped to it."""
        order = self.law.places
        inside = constants.copy()
        for c in sorted(self.coordinates, key=lambda c: c.base is not None):
            under = 0.0 if c.base is None else inside[order[c.base]]
            inside[order[c.symbol]] = under + np.clip(inside[order[c.symbol]] - under, c.lo, c.hi)
        return np.clip(self.chart.fit(inside).T, self.lo, self.hi)


def stack(
    law: Law,
    measure: Measure,
    rows: tuple[Floats, Floats, Floats],
    fixed: Mapping[sp.Symbol, float],
    bounds: Mapping[sp.Symbol, tuple[float, float]],
) -> Stack:
    """The problem of many tables, each in its own units and box.

    Parameters
    ----------
    rows : x (m, k, n), y (k, n), counts (k, n)
        In the user's units; rows of count zero are padding.
    fixed, bounds
        As for :func:`~.prepare.prepare`.
    """
    x, y, counts = rows
    real = counts > 0
    free = changeable(law, fixed, frozenset(bounds))
    natural = [*np.exp((np.log(x) * real).sum(axis=-1) / real.sum(axis=-1)), y.max(axis=-1)]
    sizes = np.array([size if may else np.ones_like(size) for size, may in zip(natural, free, strict=True)])
    table = Table(x / sizes[:-1, :, None], y / sizes[-1, :, None])
    held: dict[sp.Symbol, Any] = _inside(law, sizes, fixed, fixed)
    lower, upper = (_inside(law, sizes, {s: pair[end] for s, pair in bounds.items()}, fixed) for end in (0, 1))
    coordinates = box.declare(law, measure.kind, table, held, {s: (lower[s], upper[s]) for s in bounds})
    spans = {
        c.symbol.name if c.base is None else f"{c.symbol.name} - {c.base.name}": (_first(c.lo), _first(c.hi))
        for c in coordinates
    }
    chart = codegen.coordinates(law, spans, {symbol.name: _first(value) for symbol, value in held.items()})
    ends = ([np.broadcast_to(end, len(y)) for end in (c.lo, c.hi)] for c in coordinates)
    lo, hi = chart.ends(*np.array(list(ends)).reshape(-1, 2, len(y)).transpose(1, 0, 2))
    order = tuple(symbol for symbol in law.constants if symbol in held)
    return Stack(
        law=law,
        measure=measure,
        table=table,
        root=np.sqrt(counts / counts.sum(axis=-1, keepdims=True)),
        sizes=sizes,
        coordinates=coordinates,
        fixed=order,
        held=np.array([held[symbol] for symbol in order]).reshape(-1, len(y)),
        chart=chart,
        lo=lo.T,
        hi=hi.T,
    )


def _inside(
    law: Law, sizes: Floats, values: Mapping[sp.Symbol, float], fixed: Mapping[sp.Symbol, float]
) -> dict[sp.Symbol, Floats]:
    """Values of the user's in the units of each table (k,); exponents that matter are among ``fixed``."""
    if not values:
        return {}
    point = np.array([float(values.get(s, fixed.get(s, 1.0))) for s in law.constants])
    found = dict(
        zip(law.constants, _factors(law, sizes, np.repeat(point[:, None], sizes.shape[1], axis=1)), strict=True)
    )
    return {symbol: float(value) / found[symbol] for symbol, value in values.items()}


def _factors(law: Law, sizes: Floats, constants: Floats) -> Floats:
    """Constant in the user's units over constant in the fit's, (c, k)."""
    found: Floats = np.exp(factors(law)(*np.log(sizes)[:, :, None], *constants[:, :, None])[..., 0])
    return found


def _some(end: Any, of: Any) -> Any:
    return end[of] if np.ndim(end) else end


def _first(value: Any) -> float:
    return float(np.ravel(value)[0])
