"""One law at many parts of its table: every part is solved from the minima of all rows.

A part may lie far from the optimum of the whole, so each member is a least-squares problem of its own (:mod:`.solve`),
all of them in one batch. This serves predictions that are compared with each other; :mod:`.refit` is for refits beside
the optimum that must each be certain.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .prepare import prepare
from .refit import starts
from .result import FitResult
from .solve import Floats, minimise

__all__ = ["optima"]

_MINIMA = 3  # of the whole, lowest first, from which every part is started
_STEPS = 40


def optima(result: FitResult, parts: ArrayLike) -> Floats:
    """The law's constants at each part of the rows.

    Parameters
    ----------
    result : FitResult
        Of all rows; its box stays as it is.
    parts : array of bool (k, n)
        Which of its distinct rows.

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
    begun = starts(result, ready)[:_MINIMA]
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
