"""Which law the rows ask for: AICc, BIC, and what becomes of error and floor as the largest rows are left out.

The information criteria judge how well a law describes the rows; leaving the largest out judges how well it foretells
them, which is another question. Rows count once however often they stand in the table. A constant counts if it was free
when the search began: one that was fixed or tied does not, one that ended on a wall or has a prior does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .result import FitResult, Outcome
from .rolling import log_prediction
from .subsets import optima
from .windows import Origin, distinct, largest_out, sizes

__all__ = ["Left", "Score", "leave_largest_out", "preferred", "score", "worth"]


@dataclass(frozen=True)
class Score:
    """``constants`` of ``law`` that were free; ``aicc`` and ``bic`` up to a constant of the table.

    ``note`` says why neither may decide, and is empty where they may.
    """

    law: str
    rows: int
    constants: int
    aicc: float
    bic: float
    note: str = ""


@dataclass(frozen=True)
class Left:
    """The law without the largest sizes.

    ``law``; ``sizes`` and ``rows`` left out; ``error`` at them and ``inside`` the rows that stay, root mean square of
    log y; ``spare`` rows that stay beyond the law's constants; ``floor`` as it then is, None for a law without one.
    """

    law: str
    sizes: int
    rows: int
    error: float
    inside: float
    spare: int
    floor: float | None


def score(result: FitResult) -> Score:
    """Compute AICc and BIC of a fit of log residuals: k counts its free constants and the variance.

    ``n log(RSS/n) + 2 k n/(n - k - 1)`` (Hurvich and Tsai 1989) and ``n log(RSS/n) + k log n`` (Schwarz 1978).
    AICc is infinite where n - k - 1 is not positive. Neither has a meaning where the rows leave constants open: the
    expansion about one optimum that both rest on does not hold there. The ``note`` says so.

    Parameters
    ----------
    result : FitResult

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> x = np.geomspace(1e4, 1e8, 9)
    >>> y = (0.2 + 30 * x**-0.4) * np.exp(0.01 * np.cos(40 * np.arange(9)))
    >>> m1, m2 = (score(fit.curve(laws.get(name), x, y)) for name in ("m1", "m2"))
    >>> m2.aicc < m1.aicc, m2.bic < m1.bic, m2.constants
    (True, True, 3)
    >>> score(fit.curve(laws.get("m2"), x[:5], y[:5])).note
    'AICc is infinite: 3 free constants and a variance on 5 rows'
    """
    n = len(result.problem.y)
    free = len(result.law.constants) - len(result.problem.fix)
    k = free + 1
    squared = _rms(result, np.array([value for _, value in result.minima[0].constants]), np.ones(n, dtype=bool)) ** 2
    level = n * math.log(max(squared, 1e-300))
    aicc = level + 2 * k * n / (n - k - 1) if n > k + 1 else math.inf
    note = ""
    if result.outcome is Outcome.NOT_IDENTIFIED:
        note = "AICc and BIC have no meaning: the rows leave constants open"
    elif aicc == math.inf:
        note = f"AICc is infinite: {free} free constants and a variance on {n} rows"
    return Score(result.law.name, n, free, aicc, level + worth(k, n), note)


def worth(constants: int, rows: int) -> float:
    """Compute what so many constants must take off ``n log(RSS/n)`` for BIC to keep them.

    Examples
    --------
    >>> round(worth(2, 10), 6)
    4.60517
    """
    return constants * math.log(rows)


def preferred(scores: Sequence[Score], criterion: str) -> Score | None:
    """Find the lowest ``aicc`` or ``bic`` among the laws that these may judge; None without any.

    Examples
    --------
    >>> rough, full = Score("m1", 6, 2, -20.0, -25.0), Score("m4", 6, 5, math.inf, -90.0, "AICc is infinite: ...")
    >>> [preferred([rough, full], criterion).law for criterion in ("aicc", "bic")]
    ['m1', 'm1']
    """
    return min((each for each in scores if not each.note), key=lambda each: getattr(each, criterion), default=None)


def leave_largest_out(result: FitResult, most: int = 3) -> tuple[Left, ...]:
    """The law refitted without the largest size, without the two largest, ...: its error there, and its floor.

    Parameters
    ----------
    result : FitResult
        Of log residuals.
    most : int
        How many sizes; fewer where the law then had no row to spare.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> x = np.geomspace(1e4, 1e8, 9)
    >>> found = leave_largest_out(fit.curve(laws.get("m2"), x, 0.2 + 30 * x**-0.4), 2)
    >>> [(each.sizes, round(each.error, 6), round(each.floor, 6)) for each in found]
    [(1, 0.0, 0.2), (2, 0.0, 0.2)]
    """
    kept = _without(result, most)
    if not kept:
        return ()
    response, names = result.law.response.symbol, [symbol.name for symbol in result.law.constants]
    floors = [names.index(p.symbol.name) for p in result.law.parameters if p.below == response]
    constants = optima(result, [each.train for each in kept])
    return tuple(
        Left(
            law=result.law.name,
            sizes=place + 1,
            rows=int(each.test.sum()),
            error=_rms(result, values, each.test),
            inside=_rms(result, values, each.train),
            spare=int(each.train.sum()) - len(names) + len(result.problem.fix),
            floor=float(values[floors[0]]) if floors else None,
        )
        for place, (each, values) in enumerate(zip(kept, constants, strict=True))
    )


def _rms(result: FitResult, constants: np.ndarray, mask: np.ndarray) -> float:
    """Root mean square of log y about the law; infinite where it has no positive value."""
    inputs = [values[mask] for _, values in result.problem.x]
    wrong = log_prediction(result.law, constants, inputs) - np.log(result.problem.y[mask])
    found = float(np.sqrt(np.mean(wrong**2)))
    return found if math.isfinite(found) else math.inf


def _without(result: FitResult, most: int) -> list[Origin]:
    """The tables without the largest sizes in which the law has a row to spare."""
    inputs = [values for _, values in result.problem.x]
    needs = len(result.law.constants) - len(result.problem.fix) + 1
    return [each for each in largest_out(sizes(inputs), most) if distinct(inputs, each.train) >= needs]
