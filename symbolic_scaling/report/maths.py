"""An expression on a page: plain text that ``notation`` reads back, or LaTeX with the names the records declare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import sympy as sp

from ..notation import text as plain

__all__ = ["Math", "symbol_latex", "to_latex", "to_text"]


@dataclass(frozen=True)
class Math:
    """An expression, or ``left = right`` with a plain name on the left."""

    right: sp.Basic
    left: str = ""
    names: tuple[tuple[sp.Symbol, str], ...] = field(default=(), repr=False)


def to_text(math: Math) -> str:
    """Plain text that ``notation`` reads back.

    Examples
    --------
    >>> N, alpha = sp.symbols("N alpha", positive=True)
    >>> to_text(Math(N**(-alpha), left="L"))
    'L = N**(-alpha)'
    """
    body = _relation_text(math.right)
    return f"{math.left} = {body}" if math.left else body


def to_latex(math: Math) -> str:
    r"""LaTeX with the names that the law's records declare.

    Examples
    --------
    >>> N, alpha = sp.symbols("N alpha", positive=True)
    >>> to_latex(Math(N**alpha, left="N_star"))
    'N^{\\star} = N^{\\alpha}'
    """
    names = dict(math.names)
    body = sp.latex(math.right, symbol_names=_latex_names(math.right, names))
    return f"{_left_latex(math.left, names)} = {body}" if math.left else body


def symbol_latex(name: str) -> str:
    r"""The LaTeX of a plain name: ``N_star`` is ``N^{\star}``, ``eps_inf`` is ``\varepsilon_\infty``."""
    stem, mark, rest = name.partition("_")
    if rest == "star":
        return rf"{symbol_latex(stem)}^{{\star}}"
    if rest.endswith("_star"):
        return rf"{symbol_latex(name.removesuffix('_star'))}^{{\star}}"
    stem = {"eps": r"\varepsilon"}.get(stem, stem)
    if mark:
        return rf"{_greek(stem)}_{{{_greek(rest)}}}"
    return _greek(stem)


def _greek(word: str) -> str:
    if word == "inf":
        return r"\infty"
    return word if word.startswith("\\") else sp.latex(sp.Symbol(word))


def _latex_names(expression: sp.Basic, names: Mapping[sp.Symbol, str]) -> dict[sp.Symbol, str]:
    free = sorted(expression.atoms(sp.Symbol), key=lambda symbol: symbol.name)
    return {symbol: names.get(symbol) or symbol_latex(symbol.name) for symbol in free}


def _left_latex(left: str, names: Mapping[sp.Symbol, str]) -> str:
    by_name = {symbol.name: latex for symbol, latex in names.items()}
    stem = left.removesuffix("_star")
    if stem in by_name:
        return by_name[stem] + (r"^{\star}" if stem != left else "")
    return symbol_latex(left)


def _relation_text(expression: sp.Basic) -> str:
    if isinstance(expression, sp.Rel):
        sign = {"==": "=", "!=": "!="}.get(expression.rel_op, expression.rel_op)
        return f"{plain(expression.lhs)} {sign} {plain(expression.rhs)}"
    return plain(expression) if isinstance(expression, sp.Expr) else str(expression)
