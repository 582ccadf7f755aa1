"""What a search for least squares is given and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Floats", "Residual", "Solutions", "Values"]

Floats: TypeAlias = NDArray[np.float64]
#: (k, p) coordinates -> residuals (k, n) and Jacobian (k, n, p); with ``each`` also which start each row is of (k,)
Residual: TypeAlias = Callable[..., tuple[Floats, Floats]]
#: coordinates and numbers of the starts -> residuals alone
Values: TypeAlias = Callable[[Floats, NDArray[np.int_]], Floats]


@dataclass(frozen=True)
class Solutions:
    """Where each start ended.

    ``u`` (k, p) coordinates, ``r`` (k, n) residuals, ``jacobian`` (k, n, p), ``cost`` (k,) sums of squares, ``offset``
    (k,) relative offsets, ``converged`` (k,), ``at`` (k, p) -1, 0 or +1 where a coordinate is held on its lower bound,
    free, or on its upper bound.
    """

    u: Floats
    r: Floats
    jacobian: Floats
    cost: Floats
    offset: Floats
    converged: NDArray[np.bool_]
    at: NDArray[np.int_]

    def only(self, mask: NDArray[np.bool_] | NDArray[np.int_]) -> Solutions:
        """Those that ``mask`` (k,), or numbers of them, pick."""
        return Solutions(*(getattr(self, f.name)[mask] for f in fields(Solutions)))

    @staticmethod
    def joined(*parts: Solutions) -> Solutions:
        """Several, one after the other."""
        return Solutions(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Solutions)))
