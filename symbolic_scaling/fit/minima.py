"""The distinct local minima that a search met, with how many of its starts ended in each."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from .objective import Objective
from .solve import Solutions

__all__ = ["Minima"]


@dataclass(frozen=True, eq=False)
class Minima(Solutions):
    """Distinct local minima, lowest first.

    ``reached`` (k,) starts that ended in each, of ``starts``; ``kind`` is ``grid`` or ``starts``, ``method`` says it in
    words. ``within`` is the objective in whose box they are, where that is not the whole one, and ``loose`` are the
    numbers of the coordinates that drift at the best.
    """

    reached: NDArray[np.int_]
    starts: int
    kind: str
    method: str
    within: Objective | None = None
    loose: tuple[int, ...] = ()

    @property
    def ends(self) -> Solutions:
        """The minima alone."""
        return Solutions(*(getattr(self, f.name) for f in fields(Solutions)))
