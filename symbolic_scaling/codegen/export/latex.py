"""LaTeX: an article that compiles, with the formula, its gradient, the conditions of roots, and the constants."""

from __future__ import annotations

import sympy as sp

from ...notation import to_latex
from .header import header
from .lines import one_line
from .model import Function, Module

__all__ = ["write_latex"]

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{letter: rf"\ensuremath{{{letter}}}" for letter in "<>|"},
    **{letter: rf"\{letter}" for letter in "&%$#_{}"},
}


def write_latex(module: Module) -> str:
    r"""The text of a LaTeX file.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> from .functions import of_law
    >>> m1 = laws.get("m1")
    >>> text = write_latex(Module("m1", m1.title, m1.source, m1.form, (of_law(m1),)))
    >>> "beta x^{c}" in text
    True
    """
    names = dict(module.names)
    lines = [*(f"% {line}".rstrip() for line in header(module, [])), "", r"\documentclass{article}"]
    lines += [r"\usepackage{amsmath}", r"\begin{document}", rf"\section*{{{_escape(module.title)}}}"]
    lines += [_escape(f"Source: {module.source}."), *_display(to_latex(module.form, names))]
    for function in module.functions:
        lines += _function(function, module.form, names)
    if module.constants:
        lines += [r"\subsection*{Constants}", r"\begin{tabular}{lll}"]
        symbols = {letter.symbol.name: letter.symbol for f in module.functions for letter in f.constants}
        for c in module.constants:
            symbol = symbols.get(c.name, sp.Symbol(c.name))
            lines.append(rf"${to_latex(symbol, names)}$ & {_escape(c.printed)} & {_escape(c.origin)} \\")
        lines.append(r"\end{tabular}")
    return "\n".join([*lines, r"\end{document}"]) + "\n"


def _function(function: Function, form: sp.Eq, names: dict[sp.Symbol, str]) -> list[str]:
    lines = ["", rf"\subsection*{{{_escape(function.name)}}}", _escape(f"{function.doc}.")]
    lines += [r"\begin{itemize}"]
    for letter in function.arguments:
        unit = f" [{letter.unit}]" if letter.unit else ""
        lines.append(rf"\item ${to_latex(letter.symbol, names)}$: {_escape((letter.doc or 'a number') + unit)}")
    lines += [r"\end{itemize}"]
    if function.solve is not None:
        condition = function.solve.condition
        shown = "It is the root of" if condition != form else "It is the root of the law's own equation"
        lines += [shown, *_display(to_latex(condition, names))]
    if function.shown is None:
        return lines
    value = sp.Symbol(function.name)
    lines += _display(f"{to_latex(value, names)} = {to_latex(function.shown, names)}")
    for letter in function.arguments:
        left = rf"\frac{{\partial {to_latex(value, names)}}}{{\partial {to_latex(letter.symbol, names)}}}"
        if function.solve is None:
            lines += _display(f"{left} = {to_latex(function.shown.diff(letter.symbol), names)}")
    return lines


def _display(formula: str) -> list[str]:
    return [r"\begin{equation*}", formula, r"\end{equation*}"]


def _escape(text: str) -> str:
    return "".join(_SPECIAL.get(letter, letter) for letter in one_line(text))
