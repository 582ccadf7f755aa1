"""Fitting: from a law and a table to its optimum in a declared box, without start values.

What to use when: :func:`curve` fits one table, :func:`many` every curve of a large one. Residual ``response`` compares
predictions and is the default; ``equation`` compares the two sides of the law's form as arXiv 2209.06640 does, which is
exact and fast for M1 to M4 but rewards floors at zero; there :func:`certify` proves that no point of the box is lower.
:func:`best` extrapolates by an average of laws and windows, with a band and the reasons. :func:`structure` finds
which terms and breaks of a rich law a table asks for, :func:`roles` says what each does, :func:`pruned` takes off
those that the rows do not need. :func:`load` reads a saved fit. Extrapolation is judged in
:mod:`symbolic_scaling.fit.backtest`, one constant against its errors in :mod:`symbolic_scaling.fit.profile`.
"""

from __future__ import annotations

from .averaged import Best
from .certify import certify, recheck
from .ends import Interval
from .extrapolate import best
from .front import curve
from .identify import Identified, identify
from .interval import interval_table
from .many import Fits, many
from .prune import pruned
from .refit import Refits, refit
from .result import Certificate, FitProblem, FitResult, Minimum, Outcome
from .roles import Role, roles
from .select import Left, Score, leave_largest_out, score
from .share import Shared, shared
from .store import load
from .structure import Structure, structure

__all__ = [
    "Best",
    "Certificate",
    "FitProblem",
    "FitResult",
    "Fits",
    "Identified",
    "Interval",
    "Left",
    "Minimum",
    "Outcome",
    "Refits",
    "Role",
    "Score",
    "Shared",
    "Structure",
    "best",
    "certify",
    "curve",
    "identify",
    "interval_table",
    "leave_largest_out",
    "load",
    "many",
    "pruned",
    "recheck",
    "refit",
    "roles",
    "score",
    "shared",
    "structure",
]
