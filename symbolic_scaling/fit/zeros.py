"""Rows in which an input is 0: a fit takes logarithms of its inputs, though some laws hold there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import codegen
from ..data.reasons import is_zero
from .result import FitResult

__all__ = ["at_zero"]

_NEAR, _SAME = 1e-6, 1e-5  # of the least input used, and of the response there


def at_zero(fit: FitResult, dropped: Sequence[tuple[int, str]]) -> list[str]:
    """What to do with rows that were dropped for an input of 0, where the fitted law is continuous there.

    Parameters
    ----------
    dropped : sequence of (row, reason)

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> law, x = laws.formula("y = a + b/(1 + x)^c", ["x"]), np.array([0.0, 1, 2, 4, 8, 16, 32])
    >>> fit.curve(law, x, 1 + 2 / (1 + x) ** 0.5).notes[-1][-48:]
    'there: give x = 1e-06 in place of 0 to keep them'
    """
    if not dropped:
        return []
    law, inputs = fit.law, {name: np.asarray(values, dtype=np.float64) for name, values in fit.problem.x}
    constants = [fit.estimate[symbol.name] for symbol in law.constants]
    middle = {name: float(np.exp(np.log(values).mean())) for name, values in inputs.items()}
    said = []
    for name, values in inputs.items():
        if not any(is_zero(name, why) for _, why in dropped):
            continue
        near = float(f"{_NEAR * values.min():.0e}")
        with np.errstate(all="ignore"):
            there, beside = (float(codegen.law(law)(*(middle | {name: v}).values(), *constants)) for v in (0.0, near))
        if 0 < there < np.inf and abs(beside / there - 1) < _SAME:
            why = "a fit takes logarithms of its inputs, though the law holds there"
            said.append(f"rows of {name} = 0 are left out, as {why}: give {name} = {near:g} in place of 0 to keep them")
    return said
