"""The sum of bottlenecks, equation (3) of UNSL alone: Caballero et al. 2026 (arXiv 2605.26248).

``y = K(U, n_0, 0) + sum over t in T of K({t}, n_t, t)``: one MBNSL of all inputs in U, one of each in T alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import LawError
from ..law import Law
from ._unsl_sizes import counts, members, named, switch
from .unsl import Builder

__all__ = ["law"]


def law(
    m: int = 1, n: Any = 1, *, U: Any = None, T: Any = None, inputs: Any = (), signs: Any = 1, floor: bool = False
) -> Law:
    """Equation (3), its terms numbered 0 for the first and t for input t; ``floor`` adds a_0.

    Parameters
    ----------
    m : int
        Inputs, 1 to 9.
    n : int or mapping
        Hyperbreaks of every term, or t -> hyperbreaks.
    U, T : collection of inputs
        Of the first term, none without it; those with a bottleneck, all without it.
    inputs, signs
        As for ``unsl``.
    floor : bool

    Raises
    ------
    LawError
        If a size is impossible.

    Examples
    --------
    >>> law(inputs=("N", "D"), n=0).form
    Eq(y, b_1/N**c_1_0_1 + b_2/D**c_2_0_2)
    """
    names = named(m, inputs)
    by_term = {(0, t): count for (t,), count in counts(n, "n", 1).items()} if isinstance(n, Mapping | tuple) else n
    build = Builder.of(len(names), by_term, U=(), T=(), ceilings=(), inputs=names, signs=signs)
    build.U |= {} if U is None else {0: members(names, U, "U")}
    build.T |= {} if T is None else {0: members(names, T, "T")}
    if isinstance(by_term, dict) and not {t for _, t in by_term} <= {0, *build.all}:
        raise LawError("get bottlenecks", f"n = {n!r}", f"its terms are 0 to {len(names)}")
    with_floor = switch("bottlenecks", "floor", floor)
    return build.law("bottlenecks", "UNSL: sum of bottlenecks", build.R(0), floor=with_floor)
