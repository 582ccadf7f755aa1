"""One law at many parts of its table: every part is solved from the minima of all rows.

A part may lie far from the optimum of the whole, so each member is a least-squares problem of its own (:mod:`.solve`),
all of them in one batch. This serves predictions that are compared with each other; :mod:`.refit` is for refits beside
the optimum that must each be certain.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import FitError
from .front import curve
from .prepare import prepare
from .refit import starts
from .result import FitResult
from .solve import Floats, minimise
from .windows import sizes

__all__ = ["optima", "smaller"]

_MINIMA = 2  # of each fit, lowest first, from which every part is started
_STEPS = 40


def optima(result: FitResult, parts: ArrayLike, beside: Sequence[FitResult] = ()) -> Floats:
    """The law's constants at each part of the rows.

    Parameters
    ----------
    result : FitResult
        Of all rows; its box stays as it is.
    parts : array of bool (k, n)
        Which of its distinct rows.
    beside : sequence of FitResult
        Other fits of the law whose minima are starts too.

    Returns
    -------
    array (k, c)
        In the user's units.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> found = fit.curve(laws.get("m1"), [1.0, 2.0, 4.0], [4.0, 2.1, 1.0])
    >>> optima(found, [[True, False, True], [True, True, False]]).round(6).tolist()
    [[4.0, -1.0], [4.0, -0.929611]]
    """
    ready = prepare(result.problem)
    objective = ready.objective
    weights = np.asarray(parts, dtype=bool) * objective.weights
    roots = np.sqrt(weights / weights.sum(axis=1, keepdims=True))
    begun = np.concatenate([starts(each, ready)[:_MINIMA] for each in (result, *beside)])
    member = np.repeat(np.arange(len(roots)), len(begun))

    def residual(u: Floats, of: NDArray[np.int_]) -> tuple[Floats, Floats]:
        r, jacobian = objective.plain(u)
        root = roots[member[of]]
        return r * root, (jacobian * root).transpose(1, 2, 0)

    with np.errstate(all="ignore"):
        solved = minimise(
            residual, np.tile(begun, (len(roots), 1)), objective.lo, objective.hi, steps=_STEPS, each=True
        )
        lowest = np.argmin(solved.cost.reshape(len(roots), len(begun)), axis=1) + len(begun) * np.arange(len(roots))
        found: Floats = ready.frame.outside(objective.constants(solved.u[lowest])).T
    return found


def smaller(result: FitResult) -> tuple[FitResult, ...]:
    """The fit of the smaller half of the log sizes, if there are enough: what the largest rows cannot have spoilt."""
    problem = result.problem
    size = sizes([values for _, values in problem.x])
    half = size <= (size.min() + size.max()) / 2
    inputs = {name: values[half] for name, values in problem.x}
    asked = {"residual": problem.residual, "loss": problem.loss, "delta": problem.delta, "seed": problem.seed}
    try:
        return (curve(result.law, inputs, problem.y[half], **asked),)  # type: ignore[arg-type]
    except FitError:
        return ()
