"""All fits of the study: M1 to M4 under both residuals, the ablations, the profiles and the simulated curve."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from ... import laws
from ...fit import backtest, profile
from ...fit.backtest import Backtest, Contender, Curve, Row
from ...fit.metrics import rmse
from ...fit.profile import Profile
from . import simulated
from .simulated import Simulated

__all__ = ["CEILING", "RESIDUALS", "Study", "fits", "mean", "run", "swapped"]

RESIDUALS = ("response", "equation")
CEILING = 1.0  # random guessing: an error of 1 - 1/k for k classes, at least .99 here; the text losses start below 1


@dataclass(frozen=True)
class Study:
    """``main`` has M1 to M4 under both residuals; the other backtests hold one row of M4 (or M2) a curve and residual.

    ``alpha_one``: M4 with alpha = 1, a logistic curve in log x. ``ceiling``: M4 with eps_0 held at random guessing,
    on the curves that stay below it.
    ``raised``: M2 and M4 under ``equation`` at the lowest local minimum with a floor above 0, where there is one.
    ``profiles``: M2 under ``response`` along c.
    """

    curves: tuple[Curve, ...]
    main: Backtest
    alpha_one: Backtest
    ceiling: Backtest
    raised: Backtest
    profiles: tuple[Profile, ...]
    simulated: Simulated


def fits(curves: Sequence[Curve]) -> int:
    """How often :func:`run` reports progress."""
    return 11 * len(curves) + 2 * len(_below_ceiling(curves)) + 4 * len(simulated.CUTOFFS)


def run(
    curves: Sequence[Curve], executor: Executor | None = None, progress: Callable[[], None] = lambda: None
) -> Study:
    """Fit everything.

    Parameters
    ----------
    curves : sequence of Curve
        Of one input named x.
    executor, progress
        As for :func:`symbolic_scaling.fit.backtest.run`.
    """
    whole = laws.learning_curves()
    m2, m4 = laws.get("m2"), laws.get("m4")

    def judge(candidates: Sequence[Contender], some: Sequence[Curve] = curves) -> Backtest:
        return backtest.run(some, candidates, executor=executor, progress=progress)

    main = judge(backtest.contenders(whole, RESIDUALS))
    return Study(
        curves=tuple(curves),
        main=main,
        alpha_one=judge(backtest.contenders([m4], RESIDUALS, fix={"alpha": 1.0})),
        ceiling=judge(backtest.contenders([m4], RESIDUALS, fix={"eps_0": CEILING}), _below_ceiling(curves)),
        raised=_raised(curves, main),
        profiles=profile.run(curves, Contender(m2), "c", executor=executor, progress=progress),
        simulated=simulated.run(whole, progress=progress),
    )


def swapped(main: Backtest, variant: Backtest, residual: str) -> Backtest:
    """The rows of one residual, with a variant's rows in place of those of the same law and curve."""
    there = {(row.by, row.contender.law.name): row for row in variant.rows if row.contender.residual == residual}
    here = [row for row in main.rows if row.contender.residual == residual]
    return Backtest(tuple(there.get((row.by, row.contender.law.name), row) for row in here))


def mean(ran: Backtest, group: str, law: str, residual: str) -> float:
    """The mean error of one law under one residual over a group; NaN without a row."""
    found = backtest.summarise(ran.of(law, residual, group))
    return found[0].mean_rmse if found else math.nan


def _below_ceiling(curves: Sequence[Curve]) -> list[Curve]:
    """The curves that ``eps_0 = CEILING`` can describe."""
    return [curve for curve in curves if curve.y.max() < CEILING]


def _raised(curves: Sequence[Curve], main: Backtest) -> Backtest:
    """M2 and M4 under ``equation`` where the floor is above 0; a row without such a minimum stays as it is."""
    by = {curve.by: curve for curve in curves}
    rows = [row for name in ("m2", "m4") for row in main.of(name, "equation")]
    return Backtest(tuple(_with_floor(row, by[row.by]) for row in rows))


def _with_floor(row: Row, curve: Curve) -> Row:
    minima = [m for m in row.fit.minima if m.estimate["eps_inf"] > 0] if row.fit else []
    if not row.fit or not minima:
        return row
    fit = replace(row.fit, minima=(min(minima, key=lambda minimum: minimum.objective),))
    error = rmse(fit.predict(curve.later_x), curve.later_y)
    why = "" if math.isfinite(error) else row.why
    return replace(row, fit=fit, rmse=error, training_rmse=rmse(fit.predict(curve.x), curve.y), why=why)
