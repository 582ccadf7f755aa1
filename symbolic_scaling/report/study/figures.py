"""The study's pictures, each with its numbers as CSV: dashes, markers and open symbols, so they read in grey."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import Any

import numpy as np

from ...fit.backtest import Backtest, Curve, Row
from ...fit.profile import Profile
from .. import of_curves, plot
from ..of_backtest import title
from . import simulated
from .runs import RESIDUALS, Study

__all__ = ["Figure", "all_figures", "typical", "widest"]

_MARKS = ("o", "s", "^", "D", "v")
_FILLS = ("white", "0.75", "0.45", "black", "0.9")
PAPER = (-0.24, -0.40)  # figure 3: where one curve is fitted best by M2, and where it is extrapolated best


@dataclass(frozen=True)
class Figure:
    """A picture, its numbers, and what it shows; both files take the name."""

    name: str
    caption: str
    draw: Callable[[], Any]
    numbers: str


def all_figures(study: Study) -> tuple[Figure, ...]:
    """In the order of the page."""
    chosen = widest(study.profiles)
    figures = [
        Figure(
            "errors", "Mean extrapolation RMSE by group, law and residual", lambda: _errors(study), _errors_csv(study)
        ),
        *(_examples(study, residual) for residual in RESIDUALS),
        Figure(
            "excess",
            "Excess over the known floor of a simulated curve, fitted from three cutoffs on; thin: beyond the fit",
            lambda: _excess(study),
            _excess_csv(study),
        ),
        Figure(
            "profiles",
            "M2: the exponent that fits best and the one that extrapolates best, a mark a curve",
            lambda: _all_profiles(study),
            _profiles_csv(study),
        ),
    ]
    if chosen:
        caption = "M2 with c held: error on the rows fitted and on the rows held out; rings mark the lowest"
        figures.append(
            Figure("profile-c", caption, lambda: of_curves.profile_figure(chosen), of_curves.profile_csv(chosen))
        )
    return tuple(figures)


def typical(study: Study) -> tuple[Curve, ...]:
    """Of every group the curve on which M4's error under ``response`` is the median."""
    found = []
    for group in dict.fromkeys(curve.group for curve in study.curves):
        rows = {row.by: row.rmse for row in study.main.of("m4", "response", group) if np.isfinite(row.rmse)}
        curves = [curve for curve in study.curves if curve.group == group and curve.by in rows]
        if curves:
            middle = median_low(rows[curve.by] for curve in curves)
            found.append(next(curve for curve in curves if rows[curve.by] == middle))
    return tuple(found)


def widest(profiles: Sequence[Profile]) -> Profile | None:
    """The profile whose two best exponents come nearest to those of the paper's figure 3."""
    known = [each for each in profiles if np.isfinite(each.extrapolates_best)]
    far = [np.hypot(each.fits_best - PAPER[0], each.extrapolates_best - PAPER[1]) for each in known]
    return known[int(np.argmin(far))] if known else None


def _errors(study: Study) -> Any:
    made, areas = plot.panels(
        [f"residual: {residual}" for residual in RESIDUALS],
        "",
        "mean RMSE of log predictions",
        "linear",
        "log",
        share_y=True,
    )
    groups = list(dict.fromkeys(curve.group for curve in study.curves))
    for area, residual in zip(areas, RESIDUALS, strict=True):
        found = [each for each in study.main.summary if each.contender.residual == residual]
        for place, law in enumerate(dict.fromkeys(each.contender.law for each in found)):
            at = [(groups.index(s.group) + 0.15 * (place - 1.5), s.mean_rmse) for s in found if s.contender.law == law]
            style = {"marker": _MARKS[place % 5], "mfc": _FILLS[place % 5]}
            area.plot(*zip(*at, strict=True), linestyle="none", mec="black", markersize=8, label=law.name, **style)
        area.set_xticks(range(len(groups)), groups)
        area.grid(axis="y", color="0.9")
    areas[0].legend(frameon=False)
    return made


def _errors_csv(study: Study) -> str:
    columns = ["group", "law", "residual", "mean_rmse", "median_rmse", "win_rate", "win_rate_strict"]
    lines = [
        (s.group, title(s.contender), s.contender.residual, s.mean_rmse, s.median_rmse, s.win_rate, s.win_rate_strict)
        for s in study.main.summary
    ]
    return of_curves.csv_text(columns, lines)


def _examples(study: Study, residual: str) -> Figure:
    curves = typical(study)
    caption = f"M1 to M4 fitted under {residual} to the curve of median M4 error in every group; thin: beyond the fit"
    lines: list[str] = []
    for curve in curves:
        rows = _rows(study.main, curve, residual)
        text = of_curves.curve_csv(curve, rows).splitlines()
        lines += [f"curve,{text[0]}"] * (not lines) + [f'"{curve.name}",{line}' for line in text[1:]]
    return Figure(f"curves-{residual}", caption, lambda: _panels(study, curves, residual), "\n".join(lines) + "\n")


def _panels(study: Study, curves: Sequence[Curve], residual: str) -> Any:
    names = [f"{curve.group}: {curve.name}" for curve in curves]
    made, areas = plot.panels(names, "examples or tokens seen", "error or loss", "log", "log", columns=2, size=(10, 8))
    for area, curve in zip(areas, curves, strict=True):
        plot.draw(area, *of_curves.curve_parts(curve, _rows(study.main, curve, residual)))
    areas[0].legend(frameon=False)
    return made


def _rows(ran: Backtest, curve: Curve, residual: str) -> list[Row]:
    return [row for row in ran.rows if row.by == curve.by and row.contender.residual == residual]


def _excess(study: Study) -> Any:
    found = study.simulated
    titles = [f"fitted on x >= {tau:.0e}" for tau in simulated.CUTOFFS]
    made, areas = plot.panels(titles, "x", "excess over the known floor", "log", "log", share_y=True)
    grid = _grid()
    truth = simulated.exact(grid) - simulated.FLOOR
    for area, tau in zip(areas, simulated.CUTOFFS, strict=True):
        area.plot(grid, truth, color="0.8", linewidth=6, label="truth", zorder=1)
        used = found.x >= tau
        points = [plot.Points("fitted", found.x[used], found.y[used] - simulated.FLOOR)]
        lines = []
        for each in (slopes for slopes in found.slopes if slopes.tau == tau):
            excess = each.fit.predict(grid) - simulated.FLOOR
            shown = np.where((excess > 0) & (grid >= tau), excess, np.nan)
            lines.append(plot.Curve(each.fit.law.name, grid, shown, simulated.LAST))
        plot.draw(area, points, lines)
        area.set_ylim(truth.min() / 3, 2)
    areas[0].legend(frameon=False)
    return made


def _grid() -> Any:
    return np.unique(np.append(np.geomspace(simulated.FIRST, 100 * simulated.LAST, 200), simulated.LAST))


def _excess_csv(study: Study) -> str:
    grid = _grid()
    columns = [f"{each.fit.law.name} from {each.tau:.0e}" for each in study.simulated.slopes]
    values = [each.fit.predict(grid) - simulated.FLOOR for each in study.simulated.slopes]
    lines = np.stack([grid, simulated.exact(grid) - simulated.FLOOR, *values], axis=1).tolist()
    return of_curves.csv_text(["x", "truth", *columns], lines)


def _all_profiles(study: Study) -> Any:
    made, area = plot.axes("", "c that fits best", "c that extrapolates best", "linear", "linear")
    known = [each for each in study.profiles if np.isfinite(each.extrapolates_best)]
    for place, group in enumerate(dict.fromkeys(each.free.group for each in known)):
        at = [(each.fits_best, each.extrapolates_best) for each in known if each.free.group == group]
        style = {"marker": _MARKS[place % 5], "mfc": _FILLS[place % 5]}
        area.plot(*zip(*at, strict=True), linestyle="none", mec="black", label=group, **style)
    low = min([each.extrapolates_best for each in known] + [each.fits_best for each in known], default=-1.0)
    area.plot([low, 0], [low, 0], color="0.6", linewidth=0.8, label="equal")
    area.legend(frameon=False)
    return made


def _profiles_csv(study: Study) -> str:
    lines = [
        (each.free.group, ", ".join(value for _, value in each.free.by), each.fits_best, each.extrapolates_best)
        for each in study.profiles
    ]
    return of_curves.csv_text(["group", "curve", "fits_best", "extrapolates_best"], lines)
