"""Slices and surfaces of a law with numbers, its hyperbreaks and turning points drawn; the numbers as CSV beside.

A slice is the response against one input, the others held, with a line at each break that lies there and a point where
the response turns. A surface is the response over two inputs as lines of equal response, with the hyperbreaks, which
are straight in the logarithms, and the borders between the regions of the active terms.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DataError
from ..escape import sheet
from ..plan.landscape import borders, hyperbreaks, turns
from ..plan.landscape.model import Model
from ..plan.sources import Chosen, Source, chosen_source
from . import plot
from .figures import Figure
from .plot import Curve, Points

if TYPE_CHECKING:
    from .plot import Array

__all__ = ["Surface", "save", "slice_of", "surface"]

_ALONG = 400
_GRID = 81
_LINES = 40
_MARKERS = "os^vDx+"


def slice_of(
    source: Chosen, name: str, held: Mapping[str, Any] | None = None, span: Sequence[Any] | None = None
) -> Figure:
    """The response against one input, as :func:`symbolic_scaling.plan.landscape.turns` takes its arguments.

    Examples
    --------
    >>> from symbolic_scaling import laws, plan
    >>> named = plan.source(laws.get("bnsl"), constants=dict(a=1, b=2, c0=0.2, c1=0.3, d1=1e4, f1=0.1))
    >>> made = slice_of(named, "x", span=(1, 1e8))
    >>> [curve.label for curve in made.curves], made.table().splitlines()[0]
    (['bnsl', 'break d1'], 'series,x,y')
    """
    source = chosen_source(source)
    model = Model(source, f"draw a slice of {source.law.name}")
    fixed = model.held(held or {}, (name,))
    around = model.spans({} if span is None else {name: tuple(span)}, (name,))[name]
    x = np.exp(model.grid(name, fixed, around, _ALONG))
    y, _ = model.slopes({**fixed, name: x})
    curves = [Curve(source.law.name, x, y)]
    ends = np.array([y.min(), y.max()])
    for one in hyperbreaks(source, fixed):
        at = dict(one.at).get(name, math.nan)
        if around[0] <= at <= around[1]:
            curves.append(Curve(f"break {one.kind.name}", np.full(2, at), ends))
    points = []
    for least, label in ((True, "minimum"), (False, "maximum")):
        found = [one for one in turns(source, name, fixed, around) if one.least is least]
        if found:
            points.append(
                Points(label, np.array([one.at for one in found]), np.array([one.response for one in found]), not least)
            )
    said = "".join(f", {other} = {value:g}" for other, value in fixed.items())
    doc = source.law.variables[model.inputs.index(name)].doc
    response = source.law.response
    return Figure(
        f"slice-{name}", f"{source.law.title}{said}", tuple(points), tuple(curves), f"{name} ({doc})",
        f"{response.symbol} ({response.doc})",
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Surface:
    """The response over two inputs: ``height[j, i]`` at ``x[i]``, ``y[j]``; lines of breaks, points of borders."""

    caption: str
    names: tuple[str, str, str]
    x: Array
    y: Array
    height: Array
    breaks: tuple[Curve, ...]
    borders: tuple[Points, ...]

    def picture(self, ending: str = ".png") -> bytes:
        """The bytes of the picture; :class:`MissingExtra` without matplotlib."""
        made, area = plot.axes(self.caption, *self.names[:2], "log", "log")
        levels = np.unique(np.quantile(self.height, np.linspace(0.02, 0.98, 12)))
        if len(levels) > 1:
            lines = area.contour(self.x, self.y, self.height, levels=levels, colors="0.55", linewidths=0.8)
            area.clabel(lines, fmt=lambda level: f"{level:.4g}", fontsize=7)
        plot.draw(area, (), self.breaks)
        for each, marker in zip(self.borders, cycle(_MARKERS)):
            area.plot(each.x, each.y, marker, mfc="white", mec="0.2", mew=0.7, markersize=4, label=each.label)
        area.set_xlim(self.x[0], self.x[-1])
        area.set_ylim(self.y[0], self.y[-1])
        if self.breaks or self.borders:
            area.legend(frameon=False, fontsize=7)
        return plot.render(made, ending)

    def table(self) -> str:
        """The numbers of the picture as CSV: series, the two inputs, the response on the surface."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("series", *self.names))
        for j, y in enumerate(self.y):
            writer.writerows(
                ("surface", repr(float(x)), repr(float(y)), repr(float(z)))
                for x, z in zip(self.x, self.height[j], strict=True)
            )
        drawn: tuple[Curve | Points, ...] = (*self.breaks, *self.borders)
        for each in drawn:
            writer.writerows(
                (sheet(each.label), repr(float(x)), repr(float(y)), "") for x, y in zip(each.x, each.y, strict=True)
            )
        return stream.getvalue()


def surface(
    source: Chosen,
    first: str,
    second: str,
    *,
    held: Mapping[str, Any] | None = None,
    spans: Mapping[str, Any] | None = None,
) -> Surface:
    """The response over two inputs, as :func:`symbolic_scaling.plan.landscape.borders` takes its arguments.

    Examples
    --------
    >>> from symbolic_scaling import laws, plan
    >>> made = surface(plan.source(laws.get("chinchilla"), "besiroglu2024"), "N", "D")
    >>> [each.label for each in made.borders], made.height.shape
    (['B below, A above'], (81, 81))
    """
    source = chosen_source(source)
    model = Model(source, f"draw a surface of {source.law.name}")
    fixed = model.held(held or {}, (first, second))
    around = model.spans(spans or {}, (first, second))
    x, y = (np.geomspace(*around[name], _GRID) for name in (first, second))
    across, up = np.meshgrid(x, y)
    height, _ = model.slopes({**fixed, first: across.ravel(), second: up.ravel()})
    edges: dict[str, list[tuple[float, float]]] = {}
    for one in borders(source, first, second, held=fixed, spans=around, lines=_LINES):
        edges.setdefault(f"{one.below} below, {one.above} above", []).append((one.first, one.second))
    response = source.law.response.symbol.name
    said = "".join(f", {name} = {value:g}" for name, value in fixed.items())
    return Surface(
        f"{response} of {source.law.title}{said}", (first, second, response), x, y, height.reshape(across.shape),
        tuple(_lines(source, (first, second), fixed, around)),
        tuple(Points(label, *np.array(pairs).T) for label, pairs in sorted(edges.items())),
    )  # fmt: skip


def _lines(
    source: Source, plane: tuple[str, str], fixed: Mapping[str, float], around: Mapping[str, Any]
) -> list[Curve]:
    """Each break where it crosses the plane: straight in the logarithms."""
    made = []
    first, second = plane
    x, y = ([math.log(end) for end in around[name]] for name in plane)
    for one in hyperbreaks(source):
        slopes = {name: exponent for name, exponent in one.exponents if exponent}
        rest = math.log(one.level) - sum(slopes.get(name, 0.0) * math.log(value) for name, value in fixed.items())
        a, b = slopes.get(first, 0.0), slopes.get(second, 0.0)
        if b:
            at = np.linspace(x[0], x[1], 2 * _ALONG)
            line = np.array([at, (rest - a * at) / b])
        elif a:
            at = np.linspace(y[0], y[1], 2)
            line = np.array([np.full(2, rest / a), at])
        else:
            continue
        inside = (line[0] >= x[0]) & (line[0] <= x[1]) & (line[1] >= y[0]) & (line[1] <= y[1])
        if inside.any():
            made.append(Curve(f"break {one.kind.name}", *np.exp(line[:, inside])))
    return made


def save(made: Figure | Surface, path: Path) -> tuple[Path, Path]:
    """Write the picture to ``path`` and its numbers to the CSV beside it.

    Raises
    ------
    MissingExtra, ScalingError
        Without matplotlib, or with an ending that is no picture's.
    DataError
        If the place cannot be written to.
    """
    plot.check(path)
    table = path.with_suffix(".csv")
    try:
        path.write_bytes(made.picture(path.suffix.lower()))
        table.write_text(made.table(), encoding="utf-8")
    except OSError as error:
        raise DataError(f"draw {path}", error.strerror or str(error), "name a file in a folder that exists") from None
    return path, table
