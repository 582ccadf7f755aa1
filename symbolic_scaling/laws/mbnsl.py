"""MBNSL: one multivariate broken neural scaling law, equation (4) of UNSL alone (Caballero et al. 2026, 2605.26248).

``y = b prod x_i^-c_i0 prod_j (1 + (prod x_i^c_ij/d_j)^|1/f_j|)^-f_j``: n + 1 power laws joined by n smooth hyperbreaks.
"""

from __future__ import annotations

from typing import Any

from ..errors import LawError
from ..law import Law
from ._unsl_sizes import switch, whole
from .unsl import Builder

__all__ = ["law"]


def law(m: int = 1, n: int = 1, *, inputs: Any = (), signs: Any = 1, floor: bool = False) -> Law:
    """Equation (4) with m inputs and n hyperbreaks; ``floor`` adds a_0.

    Parameters
    ----------
    m, n : int
        Inputs, 1 to 9, and hyperbreaks.
    inputs : sequence of str
        Names, as for ``unsl``.
    signs : int
        Widths f positive (1), negative (-1) or of open sign (0).
    floor : bool

    Raises
    ------
    LawError
        If a size is impossible.

    Examples
    --------
    >>> law(inputs=("N", "D")).constants
    (c_1_0, c_2_0, c_1_1, c_2_1, d_1, f_1, b)
    """
    if not whole(n) or not 0 <= n <= 9 or not whole(signs) or signs not in (-1, 0, 1):
        raise LawError("get mbnsl", f"n = {n!r}, signs = {signs!r}", "n from 0 to 9, signs -1, 0 or 1")
    build = Builder.of(m, n, U=(), T=(), ceilings=(), inputs=inputs, signs=signs)
    title = "MBNSL: multivariate broken neural scaling law"
    return build.law("mbnsl", title, build.K(build.all, n, None), floor=switch("mbnsl", "floor", floor))
