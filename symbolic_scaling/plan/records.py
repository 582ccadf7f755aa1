"""What a plan is: amounts with units and intervals, tables beside them, and the convention they are counted in."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..shown import Shown

__all__ = ["Amount", "Plan", "Sheet"]


@dataclass(frozen=True)
class Amount:
    """A named number.

    Parameters
    ----------
    name : str
    value : Expr
        A real number, computed with 50 digits.
    unit : str
    intervals : tuple of (method, lo, hi)
        How sure a fit is of it; nothing for printed constants.
    note : str
        Why there is no interval, or what else is to be known.
    """

    name: str
    value: sp.Expr
    unit: str = ""
    intervals: tuple[tuple[str, float, float], ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Sheet:
    """A table: a title, named columns, rows of numbers and words."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[sp.Expr | str, ...], ...]


@dataclass(frozen=True)
class Plan(Shown):
    """An answer to what to train.

    Parameters
    ----------
    title : str
    convention : str
        How parameters and FLOPs are counted.
    budget, allocation : tuple of Amount
        What is spent or asked for, and what follows.
    sheets : tuple of Sheet
    notes : tuple of str
    """

    title: str
    convention: str
    budget: tuple[Amount, ...]
    allocation: tuple[Amount, ...]
    sheets: tuple[Sheet, ...] = ()
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> sp.Expr:
        """The value of the amount called ``name``; ``KeyError`` if there is none."""
        return {one.name: one.value for one in (*self.budget, *self.allocation)}[name]
