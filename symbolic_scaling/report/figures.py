"""The figures of a fit as data: what is drawn is what the CSV beside the picture holds.

Curve: data, the fitted law with the 95 % band of its mean (delta method), and its extrapolation. Residuals:
``log(measured/predicted)``. Excess: what is above the fitted floor. Slices: the fitted law at equal cost, with the
frontier that touches them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..fit import forecast
from . import plot, slices
from .plot import Curve, Points

if TYPE_CHECKING:
    from ..fit import FitResult
    from .plot import Array

__all__ = ["Figure", "of_fit", "residuals"]

_BEYOND = 10.0
_BAND = 25


@dataclass(frozen=True, eq=False)
class Figure:
    """Points and curves on axes with their labels; ``name`` is what its files are called."""

    name: str
    caption: str
    points: tuple[Points, ...]
    curves: tuple[Curve, ...]
    x: str
    y: str
    scale: str = "log"

    def picture(self, ending: str = ".png") -> bytes:
        """The bytes of the picture; :class:`MissingExtra` without matplotlib."""
        return plot.render(
            plot.figure(self.caption, self.points, self.curves, x=self.x, y=self.y, scale=self.scale), ending
        )

    def table(self) -> str:
        """The numbers of the picture as CSV: series, x, y."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("series", "x", "y"))
        drawn: tuple[Points | Curve, ...] = (*self.points, *self.curves)
        for each in drawn:
            writer.writerows((each.label, repr(float(x)), repr(float(y))) for x, y in zip(each.x, each.y, strict=True))
        return stream.getvalue()


def of_fit(fit: FitResult) -> tuple[Figure, ...]:
    """Every figure that a fit has."""
    return (_curve(fit), _residuals(fit), *_excess(fit), *_slices(fit))


def residuals(fit: FitResult) -> Iterator[tuple[dict[str, float], float, float, float]]:
    """Inputs, measured, predicted and ``log(measured/predicted)`` of every distinct row, in the fit's order."""
    columns = dict(fit.problem.x)
    predicted = fit.predict(columns)
    for at, (y, fitted) in enumerate(zip(fit.problem.y, predicted, strict=True)):
        with np.errstate(all="ignore"):
            gap = float(np.log(y / fitted))
        yield {name: float(values[at]) for name, values in columns.items()}, float(y), float(fitted), gap


def _curve(fit: FitResult) -> Figure:
    law, problem = fit.law, fit.problem
    y = f"{law.response.symbol.name} ({law.response.doc})"
    columns = dict(problem.x)
    if len(columns) > 1:
        ends = np.array([problem.y.min(), problem.y.max()])
        runs = Points("runs", problem.y, fit.predict(columns))
        return Figure("predicted", "Predicted against measured", (runs,), (Curve("equal", ends, ends),), y, "predicted")
    (name, x), variable = next(iter(columns.items())), law.variables[0]
    last = float(x.max())
    grid = _grid(float(x.min()), last)
    curves = [Curve(law.name, grid, fit.predict(grid), last), *_band(fit, name, grid)]
    label = f"{name} ({variable.doc})"
    return Figure("curve", law.title, (Points("runs", x, problem.y),), tuple(curves), label, y)


def _grid(first: float, last: float) -> Array:
    return np.append(np.geomspace(first, last, 200), np.geomspace(last, _BEYOND * last, 50)[1:])


def _band(fit: FitResult, name: str, grid: Array) -> list[Curve]:
    """The ends of the interval of the mean; none where the constants are not determined."""
    places = np.geomspace(grid[0], grid[-1], _BAND)
    made = [(x, forecast.predict(fit, {name: float(x)}).interval) for x in places]
    known = [(x, *ends) for x, ends in made if ends is not None]
    if len(known) < 2:
        return []
    x, low, high = np.array(known).T
    return [Curve("95 % from", x, low), Curve("95 % to", x, high)]


def _residuals(fit: FitResult) -> Figure:
    """``log(measured/predicted)`` against the input, or against the prediction where there are several inputs."""
    rows = list(residuals(fit))
    single = len(fit.problem.x) == 1
    at = np.array([next(iter(inputs.values())) if single else fitted for inputs, _, fitted, _ in rows])
    gaps = np.array([gap for *_, gap in rows])
    line = np.array([at.min(), at.max()])
    axis = fit.law.inputs[0].name if single else "predicted"
    points, curve = Points("runs", at, gaps), Curve("equal", line, np.zeros(2))
    return Figure("residuals", "Residuals", (points,), (curve,), axis, "log(measured/predicted)", "linear")


def _excess(fit: FitResult) -> tuple[Figure, ...]:
    """Above the fitted floor, for one input and one constant that lies below the response."""
    law, problem = fit.law, fit.problem
    floors = [p.symbol.name for p in law.parameters if p.closed and p.below == law.response.symbol]
    if len(law.inputs) != 1 or len(floors) != 1 or not fit.estimate[floors[0]] > 0:
        return ()
    floor, x = fit.estimate[floors[0]], problem.x[0][1]
    above = problem.y > floor
    if not above.any():
        return ()
    grid = _grid(float(x.min()), float(x.max()))
    over = fit.predict(grid) - floor
    far = over > 1e-12 * floor
    curve = Curve(f"{law.name} less {floors[0]}", grid[far], over[far], float(x.max()))
    points = Points("runs", x[above], problem.y[above] - floor)
    caption = f"Excess above {floors[0]} = {floor:.4g}"
    left_out = int((~above).sum())
    more = f" ({left_out} runs at or below it are not drawn)" if left_out else ""
    return (
        Figure("excess", caption + more, (points,), (curve,), law.inputs[0].name, f"excess of {law.response.symbol}"),
    )


def _slices(fit: FitResult) -> tuple[Figure, ...]:
    found = slices.drawn(fit)
    if found is None:
        return ()
    response = fit.law.response.symbol
    return (Figure("slices", "Slices of equal cost and the frontier", *found, fit.law.inputs[0].name, str(response)),)
