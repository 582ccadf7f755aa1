"""Structures that a search has tried: their errors on the rows held out, and which of them are worth taking."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..parts import Part
from ..solve import Floats
from .records import Candidate

__all__ = ["LEAST", "Tried", "because", "better", "inside"]

LEAST = 0.1  # a gain that counts


@dataclass(frozen=True, eq=False)
class Tried:
    """A structure with its parts, its constants on each fold and its mean squares (b,) on blocks of rows held out."""

    candidate: Candidate
    parts: tuple[Part, ...]
    strange: bool
    constants: list[dict[str, float]]
    errors: Floats


def better(each: Sequence[Candidate | Tried]) -> list[Tried]:
    """Those that extrapolate better by more than their uncertainty."""
    tried = [one for one in each if isinstance(one, Tried)]
    return [one for one in tried if one.candidate.gain > max(one.candidate.uncertainty, LEAST)]


def inside(one: Tried, best: Tried) -> bool:
    """Whether a structure is a part of another one and extrapolates worse."""
    return set(one.parts) < set(best.parts) and one.candidate.error > best.candidate.error


def because(taken: Candidate, best: Candidate) -> str:
    """Why a structure is taken, in words."""
    said = f"the mean square falls to {math.exp(-taken.gain):.3g} of what it was"
    said += f" (logarithm -{taken.gain:.2g}, give or take {taken.uncertainty:.2g})"
    return said if taken is best else f"{said}; as good as {best.what} and simpler"
