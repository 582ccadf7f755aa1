"""The study of M1 to M4 on learning curves (arXiv 2209.06640): fitted, judged, and written as a page with pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path

from ...errors import ScalingError
from ...fit.backtest import Backtest, Curve
from .. import as_markdown, of_backtest, plot
from ..write import folder, json_text
from .figures import all_figures
from .page import blocks
from .runs import Study, fits, run

__all__ = ["Study", "fits", "run", "write"]


def write(
    place: Path,
    curves: Sequence[Curve],
    *,
    executor: Executor | None = None,
    progress: Callable[[], None] = lambda: None,
) -> tuple[Study, list[Path]]:
    """Fit everything and leave the page, its pictures and their numbers at ``place``, whole or not at all.

    Parameters
    ----------
    place : Path
        A new folder, an empty one, or one that an earlier study left.
    curves : sequence of Curve
        From :func:`symbolic_scaling.fit.backtest.split`, of one input x.
    executor, progress
        As for :func:`symbolic_scaling.fit.backtest.run`; :func:`fits` says how often ``progress`` is called.

    Returns
    -------
    Study, list of Path

    Raises
    ------
    MissingExtra
        If matplotlib is not installed; before any work.
    ScalingError
        If the curves have another input, or something else stands at ``place``; before any work.
    """
    plot.require()
    foreign = sorted({name for curve in curves for name in curve.x} - {"x"})
    if foreign:
        raise ScalingError("study M1 to M4", f"inputs {', '.join(foreign)}", "name the input x: --x x=column")
    found: list[Study] = []

    def fill(made: Path) -> None:
        found.append(run(curves, executor, progress))
        _fill(made, found[0])

    files = folder(place, fill)
    return found[0], files


def _fill(made: Path, study: Study) -> None:
    figures = all_figures(study)
    for figure in figures:
        (made / f"{figure.name}.png").write_bytes(plot.png(figure.draw()))
        (made / f"{figure.name}.csv").write_text(figure.numbers, encoding="utf-8")
    (made / "report.md").write_text(as_markdown.render(blocks(study, figures)), encoding="utf-8")
    everything = Backtest((*study.main.rows, *study.alpha_one.rows, *study.ceiling.rows))
    profiled = [of_backtest.profile_json(each) for each in study.profiles]
    (made / "fits.json").write_text(json_text({**of_backtest.as_json(everything), "profile": profiled}))
