"""A picture of every curve of a backtest with what the laws made of it, and its numbers beside it as CSV."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..escape import sheet
from ..fit.backtest import Backtest, Curve, Row
from ..fit.profile import Profile
from ..fit.result import FitResult
from . import plot
from .of_backtest import title
from .write import folder

__all__ = ["csv_text", "curve_csv", "curve_figure", "curve_parts", "profile_csv", "profile_figure", "slug", "write"]


def write(place: Path, curves: Sequence[Curve], ran: Backtest, profiled: Sequence[Profile] = ()) -> list[Path]:
    """One picture and one CSV a curve, residual and profile, in a folder that is written whole or not at all.

    Returns
    -------
    list of Path

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.
    ScalingError
        If something else stands at ``place``.
    """
    plot.require()
    return folder(place, lambda made: _fill(made, curves, ran, profiled))


def _fill(made: Path, curves: Sequence[Curve], ran: Backtest, profiled: Sequence[Profile]) -> None:
    residuals = list(dict.fromkeys(row.contender.residual for row in ran.rows))
    for place, curve in enumerate(curves):
        for residual in residuals:
            rows = [row for row in ran.rows if row.by == curve.by and row.contender.residual == residual]
            stem = f"{place + 1:03d}-{slug(curve.name)}-{residual}"
            (made / f"{stem}.png").write_bytes(plot.png(curve_figure(curve, rows)))
            (made / f"{stem}.csv").write_text(curve_csv(curve, rows), encoding="utf-8")
    for place, found in enumerate(profiled):
        stem = slug(f"profile {found.constant} {place + 1:03d} {_profile_title(found)}")
        (made / f"{stem}.png").write_bytes(plot.png(profile_figure(found)))
        (made / f"{stem}.csv").write_text(profile_csv(found), encoding="utf-8")


def curve_figure(curve: Curve, rows: Sequence[Row]) -> Any:
    """Fitted and held-out rows with every fitted law; several inputs: predicted against measured."""
    if len(curve.x) > 1:
        return _against_measured(curve, _fits(rows))
    response = rows[0].contender.law.response.symbol.name if rows else "response"
    points, lines = curve_parts(curve, rows)
    return plot.figure(curve.name, points, lines, x=next(iter(curve.x)), y=response)


def curve_parts(curve: Curve, rows: Sequence[Row]) -> tuple[list[plot.Points], list[plot.Curve]]:
    """What a picture of a curve of one input shows."""
    (x,), (later,) = curve.x.values(), curve.later_x.values()
    until = float(x.max())
    grid = np.unique(np.append(np.geomspace(x.min(), max(until, later.max()), 300), until))
    lines = [plot.Curve(label, grid, fit.predict(grid), until) for label, fit in _fits(rows)]
    return [plot.Points("fitted", x, curve.y), plot.Points("held out", later, curve.later_y, held_out=True)], lines


def _fits(rows: Sequence[Row]) -> list[tuple[str, FitResult]]:
    return [(title(row.contender), row.fit) for row in rows if row.fit]


def _against_measured(curve: Curve, fits: Sequence[tuple[str, FitResult]]) -> Any:
    ends = np.array([min(curve.y.min(), curve.later_y.min()), max(curve.y.max(), curve.later_y.max())])
    points = [
        plot.Points(f"{label}, {kind}", y, fit.predict(x), held_out=kind == "held out")
        for label, fit in fits
        for kind, x, y in (("fitted", curve.x, curve.y), ("held out", curve.later_x, curve.later_y))
    ]
    return plot.figure(curve.name, points, [plot.Curve("equal", ends, ends)], x="measured", y="predicted")


def curve_csv(curve: Curve, rows: Sequence[Row]) -> str:
    """Inputs, response, whether held out, and what each law gives there."""
    fits = _fits(rows)
    lines = []
    for held, x, y in ((0, curve.x, curve.y), (1, curve.later_x, curve.later_y)):
        columns = [*x.values(), y, np.full(len(y), held), *(fit.predict(x) for _, fit in fits)]
        lines += [[value.item() for value in line] for line in zip(*columns, strict=True)]
    return csv_text([*curve.x, "response", "held_out", *(label for label, _ in fits)], lines)


def profile_figure(found: Profile) -> Any:
    """Training and extrapolation error along the constant, both lowest points marked."""
    made, axes = plot.axes(_profile_title(found), f"{found.constant}, held", "RMSE of log predictions", "linear", "log")
    for kind, style, label, best in (
        ("training_rmse", {"linestyle": "--", "color": "0.45"}, "rows fitted", found.fits_best),
        ("rmse", {"linestyle": "-", "color": "0.0"}, "rows held out", found.extrapolates_best),
    ):
        errors = [getattr(row, kind) for row in found.rows]
        axes.plot(found.values, errors, marker=".", label=label, **style)
        at = dict(zip(found.values, errors, strict=True)).get(best, math.nan)
        axes.plot([best], [at], linestyle="none", marker="o", markersize=9, mfc="none", color=style["color"])
    axes.legend(frameon=False)
    return made


def _profile_title(found: Profile) -> str:
    curve = ", ".join(value for _, value in found.free.by) or "all rows"
    return f"{title(found.free.contender, True)}: {curve}"


def profile_csv(found: Profile) -> str:
    """The constant, the objective and both errors."""
    return csv_text(
        [found.constant, "objective", "training_rmse", "rmse"],
        [(v, r.objective, r.training_rmse, r.rmse) for v, r in zip(found.values, found.rows, strict=True)],
    )


def csv_text(columns: Iterable[str], lines: Iterable[Iterable[Any]]) -> str:
    """Lines as CSV; a number that is none is an empty cell.

    Examples
    --------
    >>> csv_text(["a", "b"], [(0.5, float("nan"))])
    'a,b\\n0.5,\\n'
    """
    stream = io.StringIO()
    made = csv.writer(stream, lineterminator="\n")
    made.writerow(map(sheet, columns))
    made.writerows(["" if isinstance(v, float) and math.isnan(v) else sheet(v) for v in line] for line in lines)
    return stream.getvalue()


def slug(text: str) -> str:
    """A file name of plain characters.

    Examples
    --------
    >>> slug("('date', '1-shot'), 262M")
    'date-1-shot-262m'
    """
    return re.sub(r"[^a-z0-9.+]+", "-", text.lower()).strip("-.") or "curve"
