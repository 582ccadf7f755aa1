"""Sums that saturate, and counterforces: equation (2) of UNSL alone, Caballero et al. 2026 (arXiv 2605.26248).

``y = (R(3)^-1 + a_3^-1)^-1 + sum over s of (R(3+s) + a_(3+s)^-1)^-1``, its constants as they stand in Q(3) of (1).
"""

from __future__ import annotations

from typing import Any

from ..errors import LawError
from ..law import Law
from ._unsl_sizes import switch, whole
from .unsl import Builder

__all__ = ["law"]


def law(
    m: int = 1, n: Any = 1, S: int = 0, *, U: Any = (), T: Any = (), ceilings: Any = (3,), inputs: Any = (),
    signs: Any = 1, floor: bool = False,
) -> Law:  # fmt: skip
    """Equation (2); sizes as for ``unsl``, ``floor`` adds a_0.

    Raises
    ------
    LawError
        If a size is impossible.

    Examples
    --------
    >>> law(n=0).form
    Eq(y, 1/(x**c_1_0_7/b_7 + 1/a_3))
    """
    if not whole(S) or not 0 <= S <= 3:
        raise LawError("get saturated", f"S = {S!r}", "S from 0 to 3")
    build = Builder.of(m, n, U=U, T=T, ceilings=ceilings, inputs=inputs, signs=signs)
    with_floor = switch("saturated", "floor", floor)
    return build.law("saturated", "UNSL: sum that saturates", build.Q(3, S), floor=with_floor)
