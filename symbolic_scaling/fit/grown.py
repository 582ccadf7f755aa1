"""Starts for laws with parts: the core by the grids, the parts by :mod:`.growth`."""

from __future__ import annotations

import numpy as np

from .atoms import separation
from .begin import approximate
from .growth import grow
from .objective import Objective
from .parts import gathered, parts
from .solve import Floats
from .stages import core_of, embedded

__all__ = ["able", "starts"]


def able(objective: Objective) -> bool:
    """Whether the law has parts that can be put on one after the other."""
    return objective.kind == "response" and bool(parts(objective.law))


def starts(objective: Objective, seed: int) -> tuple[Floats, str]:
    """Coordinates (k, p), the best first, and how they were found."""
    small = core_of(objective)
    first, method = approximate(small, frozenset(small.fixed), seed)
    constants = embedded(objective, small.constants(first))
    found = grow(objective, constants, (), gathered(objective.law), seed)
    switches = ", ".join(part.switch.name for part in found.on)
    begun, method = objective.locate(found.constants), f"{method}; then the parts of {switches} put on one by one"
    if separation(objective.law, frozenset(objective.fixed)) is None:
        return begun, method
    others, also = approximate(objective, frozenset(objective.fixed), seed)
    return np.concatenate([begun, others]), f"{method}; and {also}"
