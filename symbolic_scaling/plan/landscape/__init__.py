"""A law with numbers read as a landscape: where it bends, what holds it up where, where it turns, where a budget goes.

:func:`hyperbreaks` says where smooth breaks lie; :func:`shares` and :func:`borders` which term is active where;
:func:`turns` where the response is least or largest in one input, the others held: the best learning rate, the epoch at
which overfitting turns the curve; :func:`spend` which inputs make it least under a cost. They need no geometric
program: any explicit law will do, of UNSL (arXiv 2605.26248) any instance. Derivatives are exact; zeros are bracketed
and certified by signs on either side, in 40 digits.
"""

from __future__ import annotations

from .breaks import Hyperbreak, crossings, hyperbreaks
from .parts import Break, Part, Reading, border, read
from .regions import Border, Shares, borders, shares
from .spend import Spent, spend
from .turns import Turn, turns

__all__ = [
    "Border", "Break", "Hyperbreak", "Part", "Reading", "Shares", "Spent", "Turn",
    "border", "borders", "crossings", "hyperbreaks", "read", "shares", "spend", "turns",
]  # fmt: skip
