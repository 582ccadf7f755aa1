"""An expression on a page: plain text that ``notation`` reads back, or LaTeX with the names the records declare."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy as sp

from ..notation import symbol_latex
from ..notation import text as plain
from ..notation import to_latex as latex

__all__ = ["Math", "symbol_latex", "to_latex", "to_text"]


@dataclass(frozen=True)
class Math:
    """An expression, or ``left = right``."""

    right: sp.Basic
    left: sp.Expr | None = None
    names: tuple[tuple[sp.Symbol, str], ...] = field(default=(), repr=False)


def to_text(math: Math) -> str:
    """Plain text that ``notation`` reads back.

    Examples
    --------
    >>> N, alpha = sp.symbols("N alpha", positive=True)
    >>> to_text(Math(N**(-alpha), left=sp.Symbol("L")))
    'L = N**(-alpha)'
    """
    body = plain(math.right)
    return body if math.left is None else f"{plain(math.left)} = {body}"


def to_latex(math: Math) -> str:
    r"""LaTeX with the names that the law's records declare, and fractions as papers print them.

    Examples
    --------
    >>> A, N, alpha = sp.symbols("A N alpha", positive=True)
    >>> to_latex(Math(A * N ** (-alpha), left=sp.Symbol("L_star")))
    'L^{\\star} = \\frac{A}{N^{\\alpha}}'
    """
    names = dict(math.names)
    return " = ".join(latex(side, names) for side in (math.left, math.right) if side is not None)
