"""``fit.certify``: how far below a fit's optimum any point of its box can be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...errors import FitError
from ..result import Certificate, FitResult
from ..solve import Floats
from .cells import Search, search
from .problem import Problem, read

__all__ = ["FLOOR", "certify", "claim"]

FLOOR = 1e-12  # gaps are relative to the objective or to this: residuals of 1e-6 are exact
_ROUNDING = 1e-9  # of the objective that is claimed, as in :mod:`.balls`
_AIM = 0.5  # of the gap, so that another arithmetic agrees


def certify(result: FitResult, gap: float = 1e-6, budget: int = 100_000) -> Certificate:
    """Prove how far below the optimum of a fit any point of its box can be.

    Parameters
    ----------
    result : FitResult
    gap : float
        What is asked for, relative to the objective (the mean squared log residual, or 1e-12 where that is smaller).
    budget : int
        Cells that may be looked at; a deadline around the call counts too.

    Returns
    -------
    Certificate
        Of kind ``certified`` if the gap is reached; ``bounded`` if the budget ended before, with the gap that is
        proved; ``refuted`` if a lower point was met. A fit that does not separate keeps what it has, how many starts
        agree, and ``why`` says what keeps it from a proof and what to do.

    Raises
    ------
    FitError
        If ``gap`` or ``budget`` is not positive, or the fit's constants do not have its objective.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> x = np.geomspace(1e3, 1e7, 9)
    >>> found = fit.curve(laws.get("m2"), x, 0.2 + 30 * x**-0.4 + 0.01 * np.sin(np.arange(9)), residual="equation")
    >>> proved = certify(found)
    >>> proved.kind, proved.gap < 1e-6
    ('certified', True)
    >>> certify(fit.curve(laws.get("m2"), x, 0.2 + 30 * x**-0.4, residual="absolute")).why
    'the residual is absolute, and proofs are for log residuals; fit it under "response" or "equation"'
    """
    if not (gap > 0 and budget > 0):
        raise FitError("certify a fit", f"gap {gap:g}, budget {budget}", "give positive numbers")
    try:
        problem = read(result.problem)
    except FitError as error:
        return replace(result.certificate, why=f"{error.found}; {error.remedy}")
    value, near = claim(problem, result)
    _stands(problem, result, value)
    unit = max(value, FLOOR)
    found = search(problem, near, value - _AIM * gap * unit, value - gap * unit, budget)
    if found.lowest < value - gap * unit:
        return _refuted(problem, result.certificate, found, (value - found.lowest) / unit)
    reached = max(0.0, (value - found.bound) / unit)
    kind, asked = ("certified", "") if reached <= gap else ("bounded", f", not the {gap:g} asked for")
    text = f"no point of the box is lower by {reached:.2g} of the objective{asked}: proved on {found.leaves} cells"
    return replace(result.certificate, kind=kind, gap=reached, text=text, edges=found.edges, tree=found.tree, why="")


def claim(problem: Problem, result: FitResult) -> tuple[float, Floats]:
    """The objective that a fit claims, as a sum of squares, and its searched constants (d,)."""
    near, _ = problem.located(problem.constants(result.estimate))
    return result.objective / problem.objective.printed, np.clip(near, problem.lo, problem.hi)


def _stands(problem: Problem, result: FitResult, value: float) -> None:
    """The objective that is claimed is that of the fit's constants."""
    asked, constants = problem.objective, problem.constants(result.estimate)
    with np.errstate(all="ignore"):
        r = asked.compiled(*asked.table.x, asked.table.y, *constants[:, None])
        z = asked.measure(r, asked.table.y, asked.inverse)[0]
    here = float(np.sum(asked.weights * z**2))
    if not abs(here - value) <= _ROUNDING * max(value, FLOOR):
        found = f"its constants have the objective {here * asked.printed:.9g}, not the {result.objective:.9g} it says"
        raise FitError("certify a fit", found, "fit again: a result is taken as it was saved")


def _refuted(problem: Problem, given: Certificate, found: Search, gap: float) -> Certificate:
    said = {c.symbol: problem.frame.walled(c) for c in problem.objective.coordinates}
    pairs = zip(problem.terms.rest, found.at, strict=True)
    where = ", ".join(f"{said[s][0]} = {value * said[s][1]:.6g}" for s, value in pairs) or "elsewhere"
    text = f"refuted: the objective is lower by {gap:.2g} of itself at {where}"
    return replace(given, kind="refuted", gap=gap, text=text, edges=(), tree=())
