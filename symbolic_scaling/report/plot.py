"""Plots through matplotlib's object interface, without global state; markers and dashes, so they read in grey."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..errors import MissingExtra, ScalingError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..fit import FitResult

    Array = NDArray[Any]

__all__ = ["Curve", "Points", "axes", "check", "draw", "figure", "of_fit", "panels", "png", "render", "require"]

_STYLES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
_FEW = 40
_UNDATED: Mapping[str, str] = MappingProxyType({".png": "Software", ".pdf": "CreationDate", ".svg": "Date"})
"""Ending -> the entry of the file that would differ from day to day or from version to version."""

_LOG = ("log", "log")
_GREYS = ("0.0", "0.3", "0.45", "0.0", "0.2")


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


def figure(
    title: str, points: Sequence[Points], curves: Sequence[Curve], *, x: str, y: str, scales: tuple[str, str] = _LOG
) -> Any:
    """A matplotlib ``Figure`` with data and fitted curves; the scales of x and y are logarithmic.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    made, area = axes(title, x, y, *scales)
    draw(area, points, curves)
    area.legend(facecolor="white", edgecolor="none", framealpha=0.8)
    return made


def draw(area: Any, points: Sequence[Points], curves: Sequence[Curve]) -> None:
    """Curves over points on axes that are there; each curve in its own dashes and grey."""
    for index, curve in enumerate(curves):
        style = {"linestyle": _STYLES[index % len(_STYLES)], "color": _GREYS[index % len(_GREYS)]}
        inside = curve.x <= curve.until
        area.plot(curve.x[inside], curve.y[inside], linewidth=1.8, label=curve.label, **style)
        beyond = curve.x >= curve.until
        area.plot(curve.x[beyond], curve.y[beyond], linewidth=1.1, **style)
    for each in points:
        style = {"mfc": "white" if each.held_out else "0.75", "markersize": 5 if len(each.x) <= _FEW else 3}
        area.plot(each.x, each.y, "o", mec="0.2", mew=0.7, zorder=1.5, label=each.label, **style)
    for axis, scale, limits in (
        (area.xaxis, area.get_xscale(), area.get_xlim()),
        (area.yaxis, area.get_yscale(), area.get_ylim()),
    ):
        if scale == "log":
            _plain_ticks(axis, *limits)


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
    return render(made, ".png", dots)


def render(made: Any, ending: str, dots: int = 150) -> bytes:
    """The figure as the bytes of a file with this ending, the same for the same input."""
    import matplotlib as mpl

    stream, kind = io.BytesIO(), ending.lower()
    with mpl.rc_context({"svg.hashsalt": "symbolic_scaling"}):
        made.savefig(stream, format=kind[1:], dpi=dots, metadata={_UNDATED[kind]: None})
    return stream.getvalue()


def check(path: Path) -> None:
    """Raise unless ``path`` ends as a picture does and matplotlib is installed; for asking before a long job."""
    if path.suffix.lower() not in _UNDATED:
        raise ScalingError(f"draw {path}", f"the ending {path.suffix!r}", "end the name in .png, .pdf or .svg")
    require()


def require() -> None:
    """Raise :class:`MissingExtra` unless matplotlib is installed; for asking before a long job."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise MissingExtra(
            "draw a plot", "matplotlib is not installed", "install the extra: pip install 'symbolic-scaling[plot]'"
        ) from error


def axes(title: str, x: str, y: str, x_scale: str, y_scale: str) -> tuple[Any, Any]:
    """An empty figure and its axes with their scales.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    """
    made, (area,) = panels((title,), x, y, x_scale, y_scale, size=(6.4, 4.2))
    return made, area


def panels(
    titles: Sequence[str],
    x: str,
    y: str,
    x_scale: str,
    y_scale: str,
    *,
    columns: int = 0,
    size: tuple[float, float] = (10.0, 4.2),
    share_y: bool = False,
) -> tuple[Any, list[Any]]:
    """An empty figure with a panel a title, ``columns`` to a row; all in one row without it."""
    require()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    width = columns or len(titles)
    made = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(made)
    grid = made.subplots(-(-len(titles) // width), width, squeeze=False, sharey=share_y)
    areas = list(grid.flat)
    for place, (area, title) in enumerate(zip(areas, titles, strict=False)):
        area.set_xscale(x_scale)
        area.set_yscale(y_scale)
        area.set_title(title)
        area.set_xlabel(x)
        if place % width == 0:
            area.set_ylabel(y)
    for area in areas[len(titles) :]:
        area.set_axis_off()
    return made, areas[: len(titles)]


def _plain_ticks(axis: Any, low: float, high: float) -> None:
    """Ticks within one decade as plain numbers: 0.95 rather than 9.5 times a power of ten."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter, NullLocator

    if high < 10 * low:
        axis.set_major_locator(MaxNLocator(6))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.4g}"))
    else:
        axis.set_minor_formatter(NullFormatter())
