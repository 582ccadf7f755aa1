"""From a law with numbers, printed or fitted, and a budget to what to train.

:func:`source` names the numbers; :func:`allocate`, :func:`invert`, :func:`judge`, :func:`multiplier` and
:func:`compare` plan with them; :func:`account` counts parameters and FLOPs by the conventions that papers use.
:func:`repeat` plans with fewer unique tokens than a budget asks for, :func:`kaplan` with the critical batch of arXiv
2001.08361; :func:`image`, :func:`star`, :func:`grid`, :func:`best_size` and :func:`scale` with the shapes of arXiv
2305.13035; :func:`isoflop` reads slices of equal budget. :mod:`.landscape` answers for any explicit law where it
breaks and turns, which term is active where, and where a budget goes. Formulas are those of ``derive``, numbers have
50 digits, and every :class:`Plan` says how it counts.
"""

from __future__ import annotations

from .accounting import account
from .allocate import allocate, judge, multiplier
from .compare import compare
from .conventions import CONVENTIONS
from .efficient import Tables, kaplan
from .frontiers import Frontier, frontier
from .invert import invert
from .records import Amount, Plan, Sheet
from .repeated import repeat
from .shapes import best_size, scale
from .slices import isoflop
from .sources import Source, source
from .sweeps import grid, star
from .units import Machine
from .vit import image

__all__ = [
    "CONVENTIONS",
    "Amount",
    "Frontier",
    "Machine",
    "Plan",
    "Sheet",
    "Source",
    "Tables",
    "account",
    "allocate",
    "best_size",
    "compare",
    "frontier",
    "grid",
    "image",
    "invert",
    "isoflop",
    "judge",
    "kaplan",
    "multiplier",
    "repeat",
    "scale",
    "source",
    "star",
]
