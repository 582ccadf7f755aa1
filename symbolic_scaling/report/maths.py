"""An expression on a page: plain text that ``notation`` reads back, or LaTeX with the names the records declare."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy as sp

from ..notation import Relation, symbol_latex
from ..notation import text as plain
from ..notation import to_latex as latex

__all__ = ["Math", "symbol_latex", "to_latex", "to_text"]


@dataclass(frozen=True)
class Math:
    """An expression, or ``left op right``, an equation unless ``op`` says otherwise.

    A number as a paper prints it is a symbol of that name on the right.
    """

    right: sp.Basic
    left: sp.Expr | None = None
    names: tuple[tuple[sp.Symbol, str], ...] = field(default=(), repr=False)
    op: str = "="


def to_text(math: Math) -> str:
    """Plain text that ``notation`` reads back.

    Examples
    --------
    >>> N, alpha = sp.symbols("N alpha", positive=True)
    >>> to_text(Math(N**(-alpha), left=sp.Symbol("L")))
    'L = N**(-alpha)'
    """
    printed = isinstance(math.right, sp.Symbol) and not math.right.name.isidentifier()
    body = math.right.name if printed else plain(math.right)
    return body if math.left is None else f"{plain(math.left)} {math.op} {body}"


def to_latex(math: Math) -> str:
    r"""LaTeX with the names that the law's records declare, and fractions as papers print them.

    Examples
    --------
    >>> A, N, alpha = sp.symbols("A N alpha", positive=True)
    >>> to_latex(Math(A * N ** (-alpha), left=sp.Symbol("L_star")))
    'L^{\\star} = \\frac{A}{N^{\\alpha}}'
    """
    names = dict(math.names)
    if math.left is None:
        return latex(math.right, names)
    return latex(Relation(math.left, math.op, math.right), names)
