"""An expression on a page: plain text that ``notation`` reads back, or LaTeX with the names the records declare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import sympy as sp

from ..notation import text as plain

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
    r"""LaTeX with the names that the law's records declare.

    Examples
    --------
    >>> N, alpha = sp.symbols("N alpha", positive=True)
    >>> to_latex(Math(N**alpha, left=sp.Symbol("N_star")))
    'N^{\\star} = N^{\\alpha}'
    """
    names = dict(math.names)
    sides = [side for side in (math.left, math.right) if side is not None]
    return " = ".join(sp.latex(side, symbol_names=_latex_names(side, names)) for side in sides)


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
