"""Why the response is fitted: what the paper's objective does to the floor, and what M4's freedom is worth."""

from __future__ import annotations

from ... import laws
from .. import of_backtest
from ..blocks import Block, Cell, Formula, Heading, Paragraph, Table
from ..maths import Math
from ..of_law import names_of
from .runs import CEILING, RESIDUALS, Study, mean

__all__ = ["ablations", "objective"]

CODE = (
    "Of M4 the paper minimises the mean square of log(y - eps_inf) - alpha*log(eps_0 - y) - log(beta) - c*log(x). Its "
    "code (google-research, revisiting_neural_scaling_laws, methods/m4.py) starts the floor a thousandth below the "
    "lowest y; solves the linear least squares for log(beta), c and alpha, none of them allowed to change its sign; "
    "moves eps_inf and eps_0 by a thousand gradient steps of size 1e-8; and repeats this, after a hundred rounds with "
    "damped Newton steps, until beta stands still. The regression keeps the column log(eps_0 - y) of the first eps_0. "
    "Predictions are looked up among 10,000 values from eps_inf to eps_0. Where it stops depends on where it starts."
)
FLOOR = (
    "A better optimiser does not help, because the objective itself prefers low floors. Where y is off by dy, "
    "log(y - eps_inf) is off by dy/(y - eps_inf): the same error counts for less, the lower the floor, and without a "
    "bound the objective goes to 0 as eps_inf goes to minus infinity. log(y - eps_inf) is not invariant to the floor. "
    "In log y - log y_hat an error counts the same whatever the constants are, and only a better curve lowers the "
    "objective. That is why the response is fitted unless something else is asked for."
)


def objective(study: Study) -> list[Block]:
    """The paper's objective and code in words, and the floors that come of it."""
    m4 = laws.get("m4")
    return [
        Heading("What the paper's code does, and why the response is fitted here", 2),
        Formula(Math(m4.form, names=names_of(m4))),
        Paragraph(CODE),
        Paragraph(FLOOR),
        Paragraph("Curves on which the fitted floor is exactly 0, where M2 is M1:"),
        _zero_floors(study),
        Paragraph(
            "Mean errors at the global minimum of the paper's objective, at its lowest local minimum with a floor "
            "above 0 (on the other curves the global one), and at the minimum under response:"
        ),
        _raised(study),
    ]


def _zero_floors(study: Study) -> Table:
    lines: list[tuple[Cell, ...]] = []
    for group in dict.fromkeys(curve.group for curve in study.curves):
        cells = [group]
        for name in ("m2", "m4"):
            for residual in RESIDUALS:
                rows = [row for row in study.main.of(name, residual, group) if row.fit]
                cells.append(f"{sum(row.estimate['eps_inf'] == 0 for row in rows)} of {len(rows)}")
        lines.append(tuple(cells))
    return Table(("group", *(f"{name}, {residual}" for name in ("m2", "m4") for residual in RESIDUALS)), tuple(lines))


def _raised(study: Study) -> Table:
    lines: list[tuple[Cell, ...]] = []
    for group in dict.fromkeys(curve.group for curve in study.curves):
        for name in ("m2", "m4"):
            lowest = {row.by: row.objective for row in study.main.of(name, "equation", group)}
            differ = sum(row.objective > lowest[row.by] for row in study.raised.of(name, "equation", group))
            errors = [mean(ran, group, name, "equation") for ran in (study.main, study.raised)]
            errors.append(mean(study.main, group, name, "response"))
            lines.append((group, name, str(differ), *map(of_backtest.number, errors)))
    columns = ("group", "law", "curves where they differ", "equation, global", "equation, floor above 0", "response")
    return Table(columns, tuple(lines))


def ablations(study: Study) -> list[Block]:
    """M4 with eps_0 or alpha held."""
    lines = []
    for group in dict.fromkeys(curve.group for curve in study.curves):
        for residual in RESIDUALS:
            errors = (mean(ran, group, "m4", residual) for ran in (study.main, study.ceiling, study.alpha_one))
            lines.append((group, residual, *map(of_backtest.number, errors)))
    return [
        Heading("M4 with less freedom", 2),
        Paragraph(
            f"Mean RMSE with all constants free; with eps_0 held at {CEILING:g}, which stands for random guessing, "
            "on the curves that stay below it; and with alpha held at 1, which makes M4 a logistic curve in log x."
        ),
        Table(("group", "residual", "all free", f"eps_0 = {CEILING:g}", "alpha = 1"), tuple(lines)),
    ]
