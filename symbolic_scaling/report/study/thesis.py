"""The paper's two arguments, repeated: its figure 2 on a simulated curve, and its figure 3 on every curve."""

from __future__ import annotations

import math
from statistics import median

from ...fit.profile import Profile
from .. import of_backtest
from ..blocks import Block, Heading, Paragraph, Picture, Table
from . import simulated
from .figures import widest
from .runs import Study

__all__ = ["profiles", "simulated_curve"]

AS_IN_THE_PAPER = (
    "M1 falls through the floor and M3, whose own floor lies too high, levels off, whatever the cutoff; M2 "
    "extrapolates once the curved start is cut away; M4 does so from the start."
)


def simulated_curve(study: Study, pictures: dict[str, Picture]) -> list[Block]:
    """Slopes of log excess against log x at three cutoffs."""
    found = study.simulated
    lines = tuple(
        (
            f"{each.tau:.0e}",
            each.fit.law.name,
            *("below the floor" if math.isnan(slope) else f"{slope:.3f}" for slope in each.at),
            "yes" if each.straight else "no",
        )
        for each in found.slopes
    )
    height = simulated.TOP - simulated.FLOOR
    counts = ", ".join(f"{name} {sum(answers)} of {len(answers)}" for name, answers in found.straight.items())
    return [
        Heading("A simulated curve with a known floor", 2),
        Paragraph(
            f"y = {simulated.FLOOR:g} + {height:g}*(1 + x/{simulated.BEND:g})^({simulated.C:g}), {simulated.NOISE:.1%} "
            f"noise (seed {simulated.SEED}), {simulated.POINTS} points up to x = {simulated.LAST:.0e}. None of the "
            "four laws contains it. Each is fitted on x >= tau for three cutoffs tau; a law that extrapolates keeps "
            f"log excess against log x a straight line of slope {simulated.C:g} beyond the last x. Straight here: "
            f"within a quarter of that slope for another decade. Cutoffs from which it is: {counts}."
            f"{' ' + AS_IN_THE_PAPER if found.as_in_the_paper else ''}"
        ),
        Table(("tau", "law", "slope at the last x", "ten times as far", "a hundred times", "straight"), lines),
        pictures["excess"],
    ]


def profiles(study: Study, pictures: dict[str, Picture]) -> list[Block]:
    """The exponent that fits best beside the one that extrapolates best."""
    known = [each for each in study.profiles if math.isfinite(each.extrapolates_best)]
    groups = dict.fromkeys(each.free.group for each in known)
    columns = ("group", "curves", "steeper", "the same", "flatter", "c fits best", "c extrapolates best", "error ratio")
    page: list[Block] = [
        Heading("The exponent that fits best is not the one that extrapolates best", 2),
        Paragraph(
            "M2 under response with c held at 17 values from half to twice its fitted value, the rest refitted. "
            "Counted: curves on which the best extrapolating c is steeper than, the same as or flatter than the fitted "
            "one. Then medians: of both c, and of the extrapolation error at the fitted c over the lowest on the grid."
        ),
        Table(columns, tuple(_line(group, [each for each in known if each.free.group == group]) for group in groups)),
        pictures["profiles"],
    ]
    chosen = widest(study.profiles)
    if chosen:
        name = ", ".join(value for _, value in chosen.free.by)
        page += [
            Paragraph(
                f"The curve nearest to the paper's figure 3 is {name}: fitted best with c = {chosen.fits_best:.3f}, "
                f"extrapolated best with c = {chosen.extrapolates_best:.3f}."
            ),
            pictures["profile-c"],
        ]
    return page


def _line(group: str, found: list[Profile]) -> tuple[str, ...]:
    steeper = sum(each.extrapolates_best < each.fits_best for each in found)
    same = sum(each.extrapolates_best == each.fits_best for each in found)
    ratios = [each.free.rmse / min(row.rmse for row in each.rows if math.isfinite(row.rmse)) for each in found]
    best = [median(each.fits_best for each in found), median(each.extrapolates_best for each in found)]
    counts = map(str, (len(found), steeper, same, len(found) - steeper - same))
    return (group, *counts, *(f"{c:.3f}" for c in best), of_backtest.number(median(ratios)))
