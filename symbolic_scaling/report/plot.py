"""Plots through matplotlib's object interface, without global state; markers and dashes, so they read in grey."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import MissingExtra

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..fit import FitResult

    Array = NDArray[Any]

__all__ = ["Curve", "Points", "figure", "of_fit", "png", "require"]

_STYLES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
_GREYS = ("0.0", "0.25", "0.4", "0.5", "0.15")


@dataclass(frozen=True, eq=False)
class Points:
    """Measured points; ``held_out`` ones are drawn open."""

    label: str
    x: Array
    y: Array
    held_out: bool = False


@dataclass(frozen=True, eq=False)
class Curve:
    """A fitted curve; ``until`` is the last x it was fitted on, beyond it the line is thin."""

    label: str
    x: Array
    y: Array
    until: float = float("inf")


def figure(title: str, points: Sequence[Points], curves: Sequence[Curve], *, x: str, y: str, scale: str = "log") -> Any:
    """A matplotlib ``Figure`` with data and fitted curves on logarithmic axes.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    made, axes = _axes(title, x, y, scale)
    for index, curve in enumerate(curves):
        style = {"linestyle": _STYLES[index % len(_STYLES)], "color": _GREYS[index % len(_GREYS)]}
        inside = curve.x <= curve.until
        axes.plot(curve.x[inside], curve.y[inside], linewidth=1.8, label=curve.label, **style)
        beyond = curve.x >= curve.until
        axes.plot(curve.x[beyond], curve.y[beyond], linewidth=0.9, **style)
    for each in points:
        face = "none" if each.held_out else "black"
        axes.plot(each.x, each.y, linestyle="none", marker="o", markersize=5, color="black", mfc=face, label=each.label)
    axes.legend(frameon=False)
    return made


def of_fit(fit: FitResult) -> Any:
    """A fit with its data: the curve and a tenfold extrapolation for one input, else predicted against measured.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    import numpy as np

    law, problem = fit.law, fit.problem
    response = f"{law.response.symbol.name} ({law.response.doc})"
    columns = dict(problem.x)
    if len(columns) > 1:
        points = [Points("runs", problem.y, fit.predict(columns))]
        ends = np.array([problem.y.min(), problem.y.max()])
        return figure(law.title, points, [Curve("equal", ends, ends)], x=response, y="predicted")
    (name, x), variable = next(iter(columns.items())), law.variables[0]
    last = float(x.max())
    grid = np.append(np.geomspace(x.min(), last, 200), np.geomspace(last, 10 * last, 50)[1:])
    curves = [Curve(law.title, grid, fit.predict(grid), last)]
    return figure(law.title, [Points("runs", x, problem.y)], curves, x=f"{name} ({variable.doc})", y=response)


def png(made: Any, dots: int = 150) -> bytes:
    """The figure as a PNG file's bytes, the same for the same input."""
    stream = io.BytesIO()
    made.savefig(stream, format="png", dpi=dots, metadata={"Software": None})
    return stream.getvalue()


def require() -> None:
    """Raise :class:`MissingExtra` unless matplotlib is installed; for asking before a long job."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise MissingExtra(
            "draw a plot", "matplotlib is not installed", "install the extra: pip install 'symbolic-scaling[plot]'"
        ) from error


def _axes(title: str, x: str, y: str, scale: str) -> tuple[Any, Any]:
    require()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(figsize=(6.4, 4.2), layout="constrained")
    FigureCanvasAgg(made)
    axes = made.add_subplot()
    axes.set_xscale("log")
    axes.set_yscale(scale)
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    return made, axes
