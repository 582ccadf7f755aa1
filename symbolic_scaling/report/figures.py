"""The figures of a fit as data: what is drawn is what the CSV beside the picture holds.

Curve: data, the fitted law with the 95 % band of its mean (delta method), and its extrapolation. Residuals:
``log(measured/predicted)``. Excess: what is above the fitted floor, and the power law that it tends to. Slices: the
fitted law at equal cost, with the frontier that touches them. Contours: lines of equal response with the frontier.
Profiles: the rise of the objective as a constant moves. Floors: the floor as the largest runs are left out.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .. import codegen, derive
from ..errors import ScalingError
from ..escape import sheet
from ..fit import forecast
from ..records import Series
from . import certainty, contours, plot, slices
from .plot import Curve, Points

if TYPE_CHECKING:
    from ..fit import FitResult
    from .plot import Array

__all__ = ["Figure", "of_fit", "residuals"]

_BEYOND = 10.0
_BAND = 25
_DECADES = 30.0  # a constant that ranges over more is drawn on a logarithmic axis
_ABOVE = 3.0  # times the largest response: an asymptote is drawn so far


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
    x_scale: str = "log"

    def picture(self, ending: str = ".png") -> bytes:
        """The bytes of the picture; :class:`MissingExtra` without matplotlib."""
        scales = (self.x_scale, self.scale)
        made = plot.figure(self.caption, self.points, self.curves, x=self.x, y=self.y, scales=scales)
        return plot.render(made, ending)

    def table(self) -> str:
        """The numbers of the picture as CSV: series, x, y."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("series", "x", "y"))
        drawn: tuple[Points | Curve, ...] = (*self.points, *self.curves)
        for each in drawn:
            writer.writerows(
                (sheet(each.label), repr(float(x)), repr(float(y))) for x, y in zip(each.x, each.y, strict=True)
            )
        return stream.getvalue()


def of_fit(fit: FitResult) -> tuple[Figure, ...]:
    """Every figure that a fit has; of a constant law there is no curve."""
    if not fit.law.inputs:
        return tuple(_profiles(fit))
    planes = (*_slices(fit), *_contours(fit))
    return (_curve(fit), _residuals(fit), *_excess(fit), *planes, *_profiles(fit), *_floors(fit))


def residuals(fit: FitResult) -> Iterator[tuple[dict[str, float], float, float, float]]:
    """Inputs, measured, predicted and ``log(measured/predicted)`` of every distinct row, in the fit's order."""
    columns = dict(fit.problem.x)
    predicted = np.broadcast_to(fit.predict(columns), fit.problem.y.shape)
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
    law, problem, name = fit.law, fit.problem, certainty.floor_of(fit)
    if len(law.inputs) != 1 or name is None or not fit.estimate[name] > 0:
        return ()
    floor, x = fit.estimate[name], problem.x[0][1]
    above = problem.y > floor
    if not above.any():
        return ()
    grid = _grid(float(x.min()), float(x.max()))
    over = fit.predict(grid) - floor
    far = over > 1e-12 * floor
    curves = [Curve(f"{law.name} less {name}", grid[far], over[far], float(x.max())), *_asymptote(fit, name, grid)]
    points = Points("runs", x[above], problem.y[above] - floor)
    caption = f"Excess above {name} = {floor:.4g}"
    left_out = int((~above).sum())
    more = f" ({left_out} runs at or below it are not drawn)" if left_out else ""
    return (
        Figure(
            "excess", caption + more, (points,), tuple(curves), law.inputs[0].name, f"excess of {law.response.symbol}"
        ),
    )


def _asymptote(fit: FitResult, floor: str, grid: Array) -> list[Curve]:
    """The leading term of the expansion at infinity beyond the floor; none where the law has no expansion."""
    law = fit.law
    try:
        series = next(value for _, value in derive.series(law, law.inputs[0], order=1).found)
    except ScalingError:
        return []
    if not isinstance(series, Series):
        return []
    terms = [(coefficient, power) for coefficient, power in series.terms if coefficient != law.symbols[floor]]
    if len(terms) != 1 or len(series.terms) != 2:
        return []
    leading = terms[0][0] * series.small ** terms[0][1]
    value = codegen.compile(leading, (*law.inputs, *law.constants), domain=law.domain)
    with np.errstate(all="ignore"):
        over = np.asarray(value(grid, *(fit.estimate[symbol.name] for symbol in law.constants)))
    kept = np.isfinite(over) & (over <= _ABOVE * float(fit.problem.y.max())) & (over > 1e-12)
    return [Curve("asymptote", grid[kept], over[kept])] if kept.sum() > 1 else []


def _slices(fit: FitResult) -> tuple[Figure, ...]:
    found = slices.drawn(fit)
    if found is None:
        return ()
    response = fit.law.response.symbol
    return (Figure("slices", "Slices of equal cost and the frontier", *found, fit.law.inputs[0].name, str(response)),)


def _contours(fit: FitResult) -> tuple[Figure, ...]:
    found = contours.drawn(fit)
    if found is None:
        return ()
    first, second = fit.law.inputs
    return (Figure("contours", "Lines of equal response and the frontier", *found, first.name, second.name),)


def _profiles(fit: FitResult) -> tuple[Figure, ...]:
    said = "rise of the objective, in its noise"
    made = []
    for name, (points, curves) in certainty.profiles(fit).items():
        at = curves[0].x
        scale = "log" if at.min() > 0 and at.max() > _DECADES * at.min() else "linear"
        made.append(Figure(f"profile-{name}", f"Profile of {name}", points, curves, name, said, "linear", scale))
    return tuple(made)


def _floors(fit: FitResult) -> tuple[Figure, ...]:
    found, name = certainty.floors(fit), certainty.floor_of(fit)
    if found is None or name is None:
        return ()
    sizes = " ".join(symbol.name for symbol in fit.law.inputs)
    caption = f"{name} as the largest runs are left out"
    return (Figure("floor", caption, *found, f"largest {sizes} that stays", name, "linear"),)
