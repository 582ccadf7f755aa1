"""An objective as a family of problems that :mod:`.nearby` solves by Newton's method with the loss's own curvature."""

from __future__ import annotations

import numpy as np

from .family import Family, Index, squared
from .objective import Objective
from .solve import Floats

__all__ = ["family"]


def family(objective: Objective, weights: Floats | None = None, y: Floats | None = None) -> Family:
    """The objective for members with weights and responses of their own; costs are its sums of squares.

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
    priors = 0 if objective.priors is None else len(objective.priors.given)
    share = objective.weights[None] if weights is None else weights

    def rows(u: Floats, who: Index) -> tuple[Floats, Floats]:
        r, jacobian = objective.raw(u, None if y is None else y[who])
        if not priors:
            return r, jacobian
        more, slopes = objective.behind(u)
        return np.hstack([r, more]), np.concatenate([jacobian, slopes.transpose(2, 0, 1)], axis=2)

    def loads(who: Index) -> Floats:
        own = np.broadcast_to(share, (len(who), share.shape[1])) if weights is None else share[who]
        return np.hstack([own, np.ones((len(who), priors))]) if priors else own

    def loss(z: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        one, two, three, four = (part / objective.measure.share for part in objective.measure.parts(z))
        return one, two, three, four

    return Family(rows, loads, objective.lo, objective.hi, loss if objective.measure.robust else squared, priors)
