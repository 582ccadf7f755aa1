"""Constants taken from more than one printed table."""

from __future__ import annotations

import warnings

import sympy as sp

from ..errors import LawError, MixedTables
from ..law import PublishedSet

__all__ = ["combine"]


def combine(*sets: PublishedSet) -> dict[str, sp.Expr]:
    """The constants of several printed sets in one dictionary.

    Sets of one name come from one fit of one paper and belong together. Constants fitted with different others, or by
    another paper, need not: Kaplan's tables 2, 3 and 5 have three values for N_c.

    Parameters
    ----------
    *sets : PublishedSet
        For instance ``law.published_set("kaplan2020-table3")``.

    Returns
    -------
    dict
        Name -> exact number, as :meth:`PublishedSet.exact`.

    Raises
    ------
    LawError
        If two sets print different values of one constant.

    Warns
    -----
    MixedTables
        If the sets have different names.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> table = "kaplan2020-table5"
    >>> combine(laws.get("kaplan-n").published_set(table), laws.get("kaplan-d").published_set(table))["alpha_D"]
    19/200
    """
    asked = f"take constants from {', '.join(one.name for one in sets)}"
    found: dict[str, tuple[sp.Expr, str]] = {}
    for one in sets:
        for name, value in one.exact().items():
            known, where = found.setdefault(name, (value, one.name))
            if known != value:
                said = f"{name} is {known} in {where} and {value} in {one.name}"
                raise LawError(asked, said, "take each constant from one of them")
    if len({one.name for one in sets}) > 1:
        warnings.warn(f"{asked}: they were not fitted together", MixedTables, stacklevel=2)
    return {name: value for name, (value, _) in found.items()}
