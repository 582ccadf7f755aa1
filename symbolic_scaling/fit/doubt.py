"""When the end of a search is not believed before ordinary starts were tried.

A law whose units the rows cannot set is searched at sizes that nothing ties to its constants; and a constant that no
row sees, or that lies on a wall that only ends the numbers, may have been thrown there by one step.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from ..budget import cached
from ..law import Law
from .box import Coordinate
from .solve import Floats
from .units import shifts, weights

__all__ = ["of_end", "of_law"]

_NOTHING = 1e-9  # log response changed by a unit step of a coordinate
_RANK = 1e-6  # of the largest singular value


@cached
def of_law(law: Law, rest: tuple[sp.Symbol, ...]) -> bool:
    """Whether a law has constants to search whose sizes its units do not set.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> law = laws.formula("y = a/(1 + x) + w/(C + 1)", ["x", "w"])
    >>> of_law(law, (law.symbols["C"],)), of_law(laws.get("chinchilla"), laws.get("chinchilla").constants)
    (True, False)
    """
    units = (*law.inputs, law.response.symbol)
    return bool(rest) and (bool(shifts(law)) or any(weights(law, unit) is None for unit in units))


def of_end(law: Law, coordinates: tuple[Coordinate, ...], jacobian: Floats, at: Floats) -> bool:
    """Whether constants at an end are on walls that say nothing of the rows, or left open by the rows.

    Never of an implicit law: the grid of its equation is exhaustive.

    Parameters
    ----------
    jacobian : array (n, p)
        Of the weighted residuals.
    at : array (p,)
        Nonzero where a coordinate is held on a wall.
    """
    if law.explicit is None:
        return False
    y = law.response.symbol
    sided = {p.symbol for p in law.parameters if y in (p.above, p.below)}  # their boxes follow the rows
    free = np.array([c.symbol not in sided for c in coordinates], dtype=bool)
    walls = zip(coordinates, at, free, strict=True)
    if any(side and inner and not (side < 0 and c.lo == 0) for c, side, inner in walls):
        return True
    columns = jacobian[:, free & (at == 0)]
    norms = np.linalg.norm(columns, axis=0)
    if norms.min(initial=np.inf) < _NOTHING:
        return True
    sizes = np.linalg.svd(columns / norms, compute_uv=False)
    return bool(len(sizes) < len(norms) or (sizes.size and sizes[-1] <= _RANK * sizes[0]))
