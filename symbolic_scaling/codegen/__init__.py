"""Expressions and laws as fast functions: value and gradient from one generated, overflow-safe text.

``residual(law)`` is what a fit minimises, ``law(law)`` predicts the response, ``compile`` takes any expressions,
``coordinates`` maps parameters to the coordinates in which a fit searches, ``evaluate`` gives the numbers of a
derivation, its roots solved. ``target="numpy"`` evaluates arrays,
``target="mpmath"`` any number of digits.
"""

from __future__ import annotations

from .api import compile, law, residual
from .compiled import Compiled
from .coordinates import Coordinates, coordinates
from .evaluate import evaluate

__all__ = ["Compiled", "Coordinates", "compile", "coordinates", "evaluate", "law", "residual"]
