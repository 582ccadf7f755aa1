"""Which structure a table asks for: terms, breaks and counterforces of a law put on one after the other.

:func:`structure` begins with the simplest structure of a rich law and takes the part that extrapolates best to large
values held out inside the table, as long as one does better by more than its uncertainty.
"""

from __future__ import annotations

from .records import Candidate, Step, Structure
from .search import structure

__all__ = ["Candidate", "Step", "Structure", "structure"]
