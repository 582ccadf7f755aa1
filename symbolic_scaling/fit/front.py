"""``fit.curve``: one call from a law and a table to its optimum, with no start values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ..data.outlying import beyond
from ..errors import FitError
from ..law import Law
from . import chi_square, outliers, residual_runs, roles, search, twins
from .ask import Asked
from .canonical import canonical
from .ended import result_of
from .loss import Measure
from .minima import Minima
from .objective import Objective
from .prepare import Ready, noise, prepare, whole
from .result import FitProblem, FitResult
from .rows import Rows
from .solve import Floats
from .zeros import at_zero

__all__ = ["curve", "solved", "spread_of"]

_MEDIAN, _EFFICIENCY = 0.6745, 0.37  # of the size of a normal number; of its use for the deviation


def curve(
    law: Law,
    x: Mapping[str, ArrayLike] | ArrayLike,
    y: ArrayLike,
    *,
    residual: str = "response",
    loss: str = "squared",
    delta: float = 1e-3,
    reduce: str = "mean",
    sigma: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    priors: Mapping[str, tuple[float, float]] | None = None,
    tie: Mapping[str, str] | None = None,
    fix: Mapping[str, float] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    seed: int = 0,
    on_bad: str = "drop",
    target: str = "numpy",
) -> FitResult:
    """Fit a law to a table: the lowest loss in a declared box.

    Parameters
    ----------
    law : Law
        Of ``laws`` or the user's own.
    x : array (n,) or mapping of name to array (n,)
        Inputs, in any unit.
    y : array (n,)
        Response.
    residual : {"response", "equation", "relative", "absolute", "log1p"}
        ``log y - log y_hat``; ``log left - log right`` of the law's form (arXiv 2209.06640 for M1 to M4);
        ``(y - y_hat)/y`` (arXiv 2305.13035); ``y - y_hat``;
        ``log(1 + y) - log(1 + y_hat)``, whose root mean square is RMSLE.
    loss : {"squared", "huber", "soft-l1"}
        Of a residual, with ``delta`` in its unit (:mod:`symbolic_scaling.fit.loss`); ``huber`` is Chinchilla's.
    reduce : {"mean", "sum"}
        What is printed: the optimum is the same.
    sigma : array (n,) or number, optional
        Known spread of each residual, in its unit: of ``log y`` for log residuals, of y for ``absolute``.
    weights : array (n,) or number, optional
        How often each row counts.
    priors : mapping of name or expression to (value, deviation)
        ``{"alpha": (0.34, 0.05), "alpha - beta": (0, 0.02)}`` (:mod:`symbolic_scaling.fit.priors`).
    tie : mapping of name to expression
        Constants replaced by others: ``{"beta": "alpha"}``; the result's law no longer has them.
    fix : mapping of name to value
        Constants that are not fitted.
    bounds : mapping of name to (lo, hi)
        Replaces the default box of a constant (:mod:`symbolic_scaling.fit.box`).
    seed : int
        The same seed gives the same result.
    on_bad : {"drop", "raise"}
        What to do with rows that are missing, not finite or not positive.
    target : {"numpy", "numba"}
        What evaluates and searches; machine code (extra ``numba``) pays from some hundred fits of one law.

    Returns
    -------
    FitResult

    Raises
    ------
    FitError
        If there are fewer distinct inputs than constants to fit, or a name or bound is wrong.
    DataError
        If the arrays cannot be read as a table.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = curve(laws.get("m2"), x=[1e6, 1e7, 1e8], y=[3.0, 2.5, 2.25])
    >>> {name: round(value, 6) for name, value in found.estimate.items()}
    {'beta': 64.0, 'c': -0.30103, 'eps_inf': 2.0}
    >>> found.notes
    ('0 degrees of freedom: the curve passes through every row, so there are no standard errors',)
    """
    measure = Measure(residual, loss, delta)
    held = (priors or {}, tie or {}, fix or {}, bounds or {})
    asked = Asked(measure, reduce, sigma, weights, *held, seed, on_bad, target)
    problem, read = asked.problem(law, x, y)
    if problem.priors and problem.sigma is None:
        problem = replace(problem, noise=spread_of(problem))
    return solved(problem, read)


def spread_of(problem: FitProblem) -> float:
    """What priors are weighed against where no sigma is given: the spread of a row about the fit without priors."""
    alone, _, found = _search(replace(problem, priors=()))
    return noise(problem, alone, found.u[0])


def solved(problem: FitProblem, read: Rows) -> FitResult:
    """The fit of a problem and the rows that it was read from."""
    ready, objective, found = _search(problem)
    with np.errstate(all="ignore"):
        made = result_of(problem, read, ready.frame, objective, found)
        more = [*_sigma(problem, ready, objective, found), *_far(problem, ready, objective, found)]
        more += _runs(problem, objective, found)
    return replace(made, notes=(*made.notes, *more, *roles.idle(made), *at_zero(made, problem.rows_dropped)))


def _sigma(problem: FitProblem, ready: Ready, objective: Objective, found: Minima) -> list[str]:
    """What there is to say of the sigma that was given; of robust fits by the median residual."""
    if problem.sigma is None:
        return []
    z = ready.size * objective.raw(found.u[:1])[0][0]
    n, freedom = len(z), len(z) - len(objective.coordinates)
    if problem.measure.robust:
        return chi_square.refused(float(np.median(np.abs(z)) / _MEDIAN) ** 2, n, freedom, _EFFICIENCY)
    return chi_square.refused(float(objective.weights @ z**2), n, freedom)


def _runs(problem: FitProblem, objective: Objective, found: Minima) -> list[str]:
    """What there is to say of residuals that run along the only input."""
    if len(problem.x) != 1:
        return []
    n = len(problem.y)
    e = _about(objective, found)[0] if problem.measure.robust else found.r[0]
    return residual_runs.note(problem.x[0][1], e[:n])


def _far(problem: FitProblem, ready: Ready, objective: Objective, found: Minima) -> list[str]:
    """What there is to say of rows far from the curve, whatever the loss; the first look is from the optimum on."""
    n, free = len(problem.y), len(objective.coordinates)
    r, jacobian = found.r[0], np.where(found.at[0] == 0, found.jacobian[0], 0.0)
    if problem.measure.robust:
        r, jacobian = _about(objective, found)
    rows = outliers.candidates(r[None], jacobian[None], n)[0]
    if rows.size and not outliers.cheap(n, free):
        return [outliers.note(problem, rows.tolist())]
    begun = ready.frame.outside(objective.constants(found.u[:1]))
    local = bool(found.converged[0]) and not found.at[0].any()  # from a wall nothing is told by a look nearby
    while rows.size and n - len(rows) > free:
        try:
            other, on, least = _search(outliers.without(problem, rows.tolist()), begun if local else None)
        except FitError:  # the rows that stay have no fit
            return []
        r, jacobian = _about(whole(problem, other, on), least)
        stay = np.setdiff1d(np.arange(len(r)), rows)
        far = beyond(r[rows], jacobian[rows], r[stay], jacobian[stay])
        if far.all() and not local:
            constants = other.frame.outside(on.constants(least.u[:1]))[:, 0]
            estimate = [(s.name, float(value)) for s, value in zip(problem.law.constants, constants, strict=True)]
            return [outliers.note(problem, rows.tolist(), estimate)]
        rows, local = rows[far], local and not far.all()  # what is named stands beside a fit that was searched for
    return []


def _about(objective: Objective, found: Minima) -> tuple[Floats, Floats]:
    """Residuals before the loss, times the roots of the weights, and their Jacobian by what is free; priors last."""
    u, root = found.u[:1], np.sqrt(objective.weights)
    z, slopes = objective.raw(u)
    more, behind = objective.behind(u)
    jacobian = np.concatenate([(slopes * root)[:, 0].T, behind[0]])
    return np.append(z[0] * root, more[0]), np.where(found.at[0] == 0, jacobian, 0.0)


def _search(problem: FitProblem, begun: Floats | None = None) -> tuple[Ready, Objective, Minima]:
    """The problem made ready, and its minima; only the one below ``begun``, constants (p, 1), where they are given."""
    with np.errstate(all="ignore"):  # far out in the box terms saturate to 0 or infinity; none of those is kept
        ready = prepare(problem)
        objective = ready.objective
        if not objective.coordinates:
            found = search.nothing_free(objective)
        elif begun is None:
            found = search.find(objective, problem.seed)
        else:
            found = search.resume(objective, objective.locate(ready.frame.within(begun)), "from the optimum")
        objective, found = canonical(found.within or objective, found)
        found = twins.add(objective, found)
    if not len(found.u):
        raise FitError(f"fit {problem.law.name}", "the residual is finite nowhere in the box", "widen the bounds")
    return ready, objective, found
