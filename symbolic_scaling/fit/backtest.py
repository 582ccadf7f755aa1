"""Backtests: every law fitted to the first part of every curve and judged on the rest (arXiv 2209.06640).

Laws are arguments, as :class:`Contender`: a law with its residual and what is held fixed. :func:`run` gives one row for
each curve and contender, :func:`summarise` the means, medians and win rates by group. Many curves at once take any
``concurrent.futures.Executor``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import product
from statistics import fmean, median

from ..errors import FitError, ScalingError
from ..law import Law
from . import require
from .curves import Curve, Key, split
from .front import curve as fit_curve
from .jobs import ordered
from .metrics import rmse, share_wins, strict_wins
from .result import FitResult

__all__ = ["Backtest", "Contender", "Curve", "Row", "Summary", "contenders", "judge", "run", "split", "summarise"]

Pairs = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Contender:
    """A law with its residual, the constants held fixed, and bounds of the user's."""

    law: Law
    residual: str = "response"
    fixed: Pairs = ()
    bounds: tuple[tuple[str, tuple[float, float]], ...] = ()


@dataclass(frozen=True)
class Row:
    """One contender on one curve.

    Parameters
    ----------
    by : tuple of (column, value)
        The curve.
    group : str
    contender : Contender
    rmse : float
        Of log predictions on the held-out rows; NaN where there is no fit or no prediction: ``why`` says so.
    training_rmse : float
        The same on the rows fitted.
    fit : FitResult, optional
    why : str
    """

    by: Key
    group: str
    contender: Contender
    rmse: float
    training_rmse: float = math.nan
    fit: FitResult | None = None
    why: str = ""

    @property
    def estimate(self) -> dict[str, float]:
        """Constant -> value, empty without a fit."""
        return self.fit.estimate if self.fit else {}

    @property
    def objective(self) -> float:
        """What the fit minimised: the mean squared log residual of its kind; NaN without a fit."""
        return self.fit.objective if self.fit else math.nan


@dataclass(frozen=True)
class Summary:
    """One contender over the curves of a group: ``missing`` of ``curves`` have no error, and lose.

    The mean and median are over the others. ``win_rate`` and ``win_rate_strict`` are shares of all curves, against the
    contenders with the same residual (:mod:`symbolic_scaling.fit.metrics` has the rules).
    """

    group: str
    contender: Contender
    mean_rmse: float
    median_rmse: float
    win_rate: float
    win_rate_strict: float
    curves: int
    missing: int


@dataclass(frozen=True)
class Backtest:
    """Every row, curve by curve, and the summary by group and contender."""

    rows: tuple[Row, ...]

    @property
    def summary(self) -> tuple[Summary, ...]:
        """See :func:`summarise`."""
        return summarise(self.rows)

    def of(self, law: str, residual: str = "response", group: str | None = None) -> tuple[Row, ...]:
        """The rows of one law by name under one residual, of one group or of all."""
        return tuple(
            row
            for row in self.rows
            if (row.contender.law.name, row.contender.residual) == (law, residual) and group in (None, row.group)
        )


def contenders(
    laws: Iterable[Law],
    residuals: Iterable[str] = ("response",),
    *,
    fix: Mapping[str, float] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
) -> tuple[Contender, ...]:
    """Every law under every residual; ``fix`` and ``bounds`` apply to the laws that have the constant.

    Raises
    ------
    FitError
        If no law has a constant that is named.

    Examples
    --------
    >>> from symbolic_scaling.laws import learning_curves
    >>> [(each.law.name, each.fixed) for each in contenders(learning_curves(), fix={"alpha": 1.0})]
    [('m1', ()), ('m2', ()), ('m3', ()), ('m4', (('alpha', 1.0),))]
    """
    candidates = tuple(laws)
    for law in candidates:
        require.law_given(law)
    known = {symbol.name for law in candidates for symbol in law.constants}
    for name in (*(fix or {}), *(bounds or {})):
        if name not in known:
            raise FitError(f"fix or bound {name}", "no law has this constant", f"they have {', '.join(sorted(known))}")

    def own(law: Law, residual: str) -> Contender:
        names = {symbol.name for symbol in law.constants}
        fixed = tuple((name, float(value)) for name, value in (fix or {}).items() if name in names)
        return Contender(law, residual, fixed, tuple((n, pair) for n, pair in (bounds or {}).items() if n in names))

    return tuple(own(law, residual) for residual in residuals for law in candidates)


def judge(curve: Curve, contender: Contender) -> Row:
    """Fit one contender to the first part of a curve and judge it on the rest; never raises for a bad fit."""
    try:
        fit = fit_curve(
            contender.law,
            x=curve.x,
            y=curve.y,
            residual=contender.residual,
            fix=dict(contender.fixed),
            bounds=dict(contender.bounds),
        )
    except ScalingError as refused:
        return Row(curve.by, curve.group, contender, math.nan, why=str(refused))
    error, trained = rmse(fit.predict(curve.later_x), curve.later_y), rmse(fit.predict(curve.x), curve.y)
    why = "" if math.isfinite(error) else "the fitted law has no positive value at a held-out row"
    return Row(curve.by, curve.group, contender, error, trained, fit, why)


def _judge(job: tuple[Curve, Contender]) -> Row:
    return judge(*job)


def run(
    curves: Sequence[Curve],
    candidates: Sequence[Contender],
    *,
    executor: Executor | None = None,
    progress: Callable[[], None] = lambda: None,
) -> Backtest:
    """Judge every contender on every curve.

    Parameters
    ----------
    curves : sequence of Curve
        From :func:`split`.
    candidates : sequence of Contender
        From :func:`contenders`, or one by one.
    executor : concurrent.futures.Executor, optional
        A process pool or a cluster's; without one the fits run here, one after the other.
    progress : callable
        Called after every fit.

    Examples
    --------
    >>> import numpy as np
    >>> from symbolic_scaling import data, laws
    >>> x = np.geomspace(1e4, 1e8, 12)
    >>> curves = split(data.read({"n": x, "loss": 0.2 + 30 * x**-0.4}), {"x": "n"}, "loss")
    >>> for row in run(curves, contenders([laws.get("m1"), laws.get("m2")])).rows:
    ...     print(row.contender.law.name, round(row.rmse, 6))
    m1 0.28383
    m2 0.0
    """
    rows = []
    for row in ordered(_judge, product(curves, candidates), executor):
        rows.append(row)
        progress()
    return Backtest(tuple(rows))


def summarise(rows: Iterable[Row]) -> tuple[Summary, ...]:
    """Mean, median and win rates by group and contender, in order of first appearance.

    Win rates compare contenders of one residual, curve by curve; the curve of a contender is missing if it has no row.
    """
    rows = tuple(rows)
    found = []
    for group in dict.fromkeys(row.group for row in rows):
        for residual in dict.fromkeys(row.contender.residual for row in rows):
            found += _rates(group, [r for r in rows if r.group == group and r.contender.residual == residual])
    return tuple(found)


def _rates(group: str, rows: list[Row]) -> list[Summary]:
    """The summaries of contenders that meet on the same curves."""
    meeting = list(dict.fromkeys(row.contender for row in rows))
    errors: dict[Key, dict[Contender, float]] = {}
    for row in rows:
        errors.setdefault(row.by, {})[row.contender] = row.rmse
    table = [[errors[by].get(contender, math.nan) for contender in meeting] for by in errors]
    shared, strict = [share_wins(line) for line in table], [strict_wins(line) for line in table]
    made = []
    for i, contender in enumerate(meeting):
        known = [line[i] for line in table if math.isfinite(line[i])]
        made.append(
            Summary(
                group=group,
                contender=contender,
                mean_rmse=fmean(known) if known else math.nan,
                median_rmse=median(known) if known else math.nan,
                win_rate=fmean(line[i] for line in shared),
                win_rate_strict=fmean(line[i] for line in strict),
                curves=len(table),
                missing=len(table) - len(known),
            )
        )
    return made
