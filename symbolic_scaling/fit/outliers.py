"""Rows that a robust fit all but leaves out: far from the curve, against the rows between them.

A row is flagged whose residual is beyond ``delta`` and beyond thirty times the median one; what the fit would be
without it is said beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .result import FitProblem
from .solve import Floats

__all__ = ["flagged", "note", "without"]

_FAR = 30.0  # times the median residual
_MOST = 3


def flagged(problem: FitProblem, z: Floats) -> list[int]:
    """The distinct rows far off, the farthest first; none where more than a few are.

    Parameters
    ----------
    z : array (n,)
        Residuals before the loss.

    Examples
    --------
    >>> import numpy as np
    >>> from symbolic_scaling import fit, laws
    >>> found = fit.curve(laws.get("m1"), [1.0, 2.0, 4.0, 8.0], [4.0, 2.1, 1.0, 0.5])
    >>> problem = replace(found.problem, loss="huber")
    >>> flagged(problem, np.array([1e-3, -2e-3, 1.0, 1e-3])), flagged(problem, np.array([1.0, 2.0, -1.0, 1.5]))
    ([2], [])
    """
    size = np.abs(z)
    far = np.flatnonzero(size > max(problem.delta, _FAR * float(np.median(size))))
    few = 0 < len(far) <= min(_MOST, len(z) // 4)
    return [int(row) for row in far[np.argsort(-size[far], kind="stable")]] if few else []


def without(problem: FitProblem, rows: Sequence[int]) -> FitProblem:
    """The problem without some distinct rows."""
    keep = np.setdiff1d(np.arange(len(problem.y)), rows)
    weights, sigma = (None if each is None else each[keep] for each in (problem.weights, problem.sigma))
    x = tuple((name, values[keep]) for name, values in problem.x)
    y, counts = problem.y[keep], problem.counts[keep]
    return replace(problem, x=x, y=y, counts=counts, weights=weights, sigma=sigma, places=())


def note(problem: FitProblem, rows: Sequence[int], estimate: Sequence[tuple[str, float]]) -> str:
    """The flagged rows in words, with the estimate without them."""
    label = problem.law.response.symbol.name
    each = [
        " ".join([*(f"{name} = {values[row]:.6g}," for name, values in problem.x), f"{label} = {problem.y[row]:.6g}"])
        for row in rows
    ]
    found = ", ".join(f"{name} = {value:.6g}" for name, value in estimate)
    return f"far from the curve: {'; '.join(each)}; without {'it' if len(rows) == 1 else 'them'}: {found}"
