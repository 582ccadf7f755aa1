"""An expression on a page: plain text that ``notation`` reads back, or LaTeX with the names the records declare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import sympy as sp
from sympy.printing.latex import LatexPrinter

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
    r"""LaTeX with the names that the law's records declare, and fractions as papers print them.

    Examples
    --------
    >>> A, N, alpha = sp.symbols("A N alpha", positive=True)
    >>> to_latex(Math(A * N ** (-alpha), left=sp.Symbol("L_star")))
    'L^{\\star} = \\frac{A}{N^{\\alpha}}'
    """
    names = dict(math.names)
    sides = [side for side in (math.left, math.right) if side is not None]
    return " = ".join(_Printer({"symbol_names": _latex_names(side, names)}).doprint(side) for side in sides)


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


class _Printer(LatexPrinter):  # type: ignore[misc]
    """SymPy's LaTeX, but powers with a written minus sign stand below a bar, and sums do not begin with a minus."""

    def _as_ordered_terms(self, expr: sp.Add, order: str | None = None) -> list[sp.Expr]:
        terms = list(super()._as_ordered_terms(expr, order))
        first = next((i for i, term in enumerate(terms) if term.as_coeff_Mul()[0] > 0), 0)
        return [terms[first], *terms[:first], *terms[first + 1 :]]

    def _print_Mul(self, expr: sp.Mul) -> str:
        above, below = _bar(expr)
        return super()._print_Mul(expr) if below == 1 else self._fraction(above, below)

    def _print_Pow(self, expr: sp.Pow) -> str:
        above, below = _bar(expr)
        return super()._print_Pow(expr) if below == 1 or expr.exp.is_Rational else self._fraction(above, below)

    def _fraction(self, above: sp.Expr, below: sp.Expr) -> str:
        if above.as_coeff_Mul()[0] < 0:
            return f"- {self._fraction(-above, below)}"
        return rf"\frac{{{self._print(above)}}}{{{self._print(below)}}}"


def _bar(expression: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """What stands above and below the bar: below are the powers whose exponent is written with a minus sign."""
    above, below = [], []
    for factor in sp.Mul.make_args(expression):
        if factor.is_Rational:
            above.append(sp.Integer(factor.p))
            below.append(sp.Integer(factor.q))
        elif factor.is_Pow and all(term.as_coeff_Mul()[0] < 0 for term in sp.Add.make_args(factor.exp)):
            below.append(factor.base ** (-factor.exp))
        else:
            above.append(factor)
    return sp.Mul(*above), sp.Mul(*below)


def _greek(word: str) -> str:
    if word == "inf":
        return r"\infty"
    return word if word.startswith("\\") else sp.latex(sp.Symbol(word))


def _latex_names(expression: sp.Basic, names: Mapping[sp.Symbol, str]) -> dict[sp.Symbol, str]:
    free = sorted(expression.atoms(sp.Symbol), key=lambda symbol: symbol.name)
    return {symbol: names.get(symbol) or symbol_latex(symbol.name) for symbol in free}
