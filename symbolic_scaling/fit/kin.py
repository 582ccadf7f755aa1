"""An objective as a family of problems that :mod:`.nearby` solves by Newton's method with the loss's own curvature."""

from __future__ import annotations

import numpy as np

from .nearby import Family, Index
from .objective import Objective
from .solve import Floats

__all__ = ["family"]


def family(objective: Objective, weights: Floats | None = None, y: Floats | None = None) -> Family:
    """The objective for members with weights and responses of their own.

    Parameters
    ----------
    objective : Objective
    weights : array (k, n), optional
        One row a member; the objective's own otherwise.
    y : array (k, n), optional
        Responses in the units of the fit; the table's otherwise.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> from symbolic_scaling.fit.prepare import prepare
    >>> found = fit.curve(laws.get("m1"), [1.0, 2.0, 4.0], [4.0, 2.1, 1.0], loss="huber")
    >>> one = family(prepare(found.problem).objective)
    >>> r, jacobian = one.rows(np.zeros((1, 2)), np.array([0]))
    >>> r.shape, jacobian.shape, [part.shape for part in one.loss(r)]
    ((1, 3), (2, 1, 3), [(1, 3), (1, 3), (1, 3), (1, 3)])
    """
    n, priors = len(objective.table.y), objective.priors
    count = 0 if priors is None else len(priors.given)

    def rows(u: Floats, who: Index) -> tuple[Floats, Floats]:
        r, jacobian = objective.raw(u, None if y is None else y[who])
        if not count:
            return r, jacobian
        more, slopes = objective.behind(u)
        return np.hstack([r, more]), np.concatenate([jacobian, slopes.transpose(2, 0, 1)], axis=2)

    def loads(who: Index) -> Floats:
        own = np.broadcast_to(objective.weights, (len(who), n)) if weights is None else weights[who]
        return np.hstack([own, np.ones((len(who), count))]) if count else own

    def loss(r: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        of_rows = objective.measure.parts(r[:, :n])
        if not count:
            return of_rows
        size = 2 * objective.measure.share
        more = r[:, n:]
        of_priors = (size / 2 * more**2, size * more, np.full_like(more, size), np.full_like(more, size))
        one, two, three, four = (np.hstack(pair) for pair in zip(of_rows, of_priors, strict=True))
        return one, two, three, four

    return Family(rows, loads, objective.lo, objective.hi, loss)
