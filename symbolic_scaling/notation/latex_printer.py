r"""Expression to LaTeX that :func:`~.latex.parse_latex` reads back, with fractions as papers print them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter

from .relation import Relation
from .spelling import EULER, symbol_latex, whole

__all__ = ["to_latex"]

_OPERATORS = {
    "=": "=",
    "<": "<",
    "<=": r"\leq",
    ">": ">",
    ">=": r"\geq",
    "~": r"\sim",
    "prop": r"\propto",
    "approx": r"\approx",
    "<~": r"\lesssim",
    ">~": r"\gtrsim",
}


def to_latex(expression: sp.Basic | Relation, names: Mapping[sp.Symbol, str] | None = None) -> str:
    r"""Write an expression or relation in LaTeX.

    Parameters
    ----------
    expression : Basic or Relation
        What :func:`~.printer.text` takes reads back to the same tree, where its symbols are declared by the same names;
        so do sums, products, functions and indexed symbols. Other nodes are printed as SymPy does.
    names : mapping of Symbol to str, optional
        The LaTeX of symbols; :func:`~.names.symbol_latex` makes that of the others. Where two symbols of the
        expression would look alike, both stand as ``\mathrm`` of their plain names.

    Examples
    --------
    >>> A, N, alpha = sp.symbols("A N alpha", positive=True)
    >>> print(to_latex(sp.Eq(sp.Symbol("L_star"), A * N**-alpha)))
    L^{\star} = \frac{A}{N^{\alpha}}
    """
    if isinstance(expression, Relation):
        sides = sp.Tuple(expression.left, expression.right)
        left, right = (_printer(sides, names).doprint(side) for side in sides)
        return f"{left} {_OPERATORS[expression.op]} {right}"
    return _printer(expression, names).doprint(expression)


def _printer(expression: sp.Basic, names: Mapping[sp.Symbol, str] | None) -> _Printer:
    symbols = sorted(expression.atoms(sp.Symbol), key=lambda symbol: symbol.name)
    printed = {symbol: (names or {}).get(symbol) or symbol_latex(symbol.name) for symbol in symbols}
    shown = list(printed.values())
    printed |= {symbol: whole(symbol.name) for symbol in symbols if shown.count(printed[symbol]) > 1}
    return _Printer({"symbol_names": printed})


class _Printer(LatexPrinter):  # type: ignore[misc]
    """SymPy's LaTeX, but powers with a written minus sign stand below a bar, and sums do not begin with a minus.

    What would read as something else gets brackets: the argument of a derivative, the base of a function's power.
    """

    def _as_ordered_terms(self, expr: sp.Add, order: str | None = None) -> list[sp.Expr]:
        terms = list(super()._as_ordered_terms(expr, order))
        first = next((i for i, term in enumerate(terms) if term.as_coeff_Mul()[0] > 0), 0)
        return [terms[first], *terms[:first], *terms[first + 1 :]]

    def _print_Mul(self, expr: sp.Mul) -> str:
        return self._fraction(expr) or super()._print_Mul(expr)

    def _print_Pow(self, expr: sp.Pow) -> str:
        if not expr.exp.is_Rational and (fraction := self._fraction(expr)):
            return fraction
        if isinstance(expr.base, sp.log | sp.exp) and not expr.exp.is_negative:
            return rf"\left({self._print(expr.base)}\right)^{{{self._print(expr.exp)}}}"
        return super()._print_Pow(expr)

    def _needs_mul_brackets(self, expr: Any, first: bool = False, last: bool = False) -> bool:
        reaches = isinstance(expr, sp.Derivative) and not last
        return reaches or bool(super()._needs_mul_brackets(expr, first, last))

    def _fraction(self, expr: sp.Expr) -> str:
        """The expression over its bar; empty where nothing stands below."""
        sign, above, below = _bar(expr)
        return rf"{sign}\frac{{{self._print(above)}}}{{{self._print(below)}}}" if below != 1 else ""

    def _print_exp(self, expr: Any, exp: Any = None) -> str:
        inner = self._print(sp.Integer(1) if expr == sp.E else expr.args[0])
        if "e" in self._settings["symbol_names"].values():
            return rf"\exp{{\left({inner} \right)}}"
        return EULER if expr == sp.E else f"{EULER}^{{{inner}}}"

    def _print_ExpBase(self, expr: Any, exp: Any = None) -> str:
        return self._print_exp(expr)

    def _print(self, expr: Any, **settings: Any) -> str:
        if expr == sp.E:  # SymPy prints it by a method of its own
            return self._print_exp(expr)
        return super()._print(expr, **settings)

    def _print_Abs(self, expr: Any, exp: Any = None) -> str:
        inner = rf"\left|{self._print(expr.args[0])}\right|"
        return inner if exp is None else f"{inner}^{{{exp}}}"

    def _print_AppliedUndef(self, expr: Any, exp: Any = None) -> str:
        inner = ", ".join(map(self._print, expr.args))
        called = rf"{symbol_latex(expr.func.__name__)}\left({inner}\right)"
        return called if exp is None else f"{called}^{{{exp}}}"

    def _print_Indexed(self, expr: Any) -> str:
        return rf"{symbol_latex(str(expr.base))}_{{{', '.join(map(self._print, expr.indices))}}}"

    def _print_Derivative(self, expr: Any) -> str:
        variables = [symbol for symbol, _ in expr.variable_count]
        mark = "d" if len(expr.expr.free_symbols) < 2 and len(variables) == 1 else r"\partial"
        if any(self._print(symbol) == "d" for symbol in expr.free_symbols):
            mark = r"\partial"
        order = sum(count for _, count in expr.variable_count)
        below = " ".join(f"{mark} {_raised(self._print(symbol), count)}" for symbol, count in expr.variable_count)
        above = _raised(mark, order)
        inner = self._print(expr.expr)
        plain = expr.expr.is_Symbol or (expr.expr.is_Pow and not inner.startswith(r"\frac"))
        return rf"\frac{{{above}}}{{{below}}} " + (inner if plain else rf"\left({inner}\right)")

    def _print_Sum(self, expr: Any) -> str:
        return self._series(r"\sum", expr)

    def _print_Product(self, expr: Any) -> str:
        return self._series(r"\prod", expr)

    def _series(self, sign: str, expr: Any) -> str:
        index, low, high = map(self._print, expr.limits[0])
        inner = self._print(expr.function)
        whole_term = expr.function.is_Mul and sign == r"\sum" and not inner.startswith("-")
        if not (whole_term or expr.function.is_Atom or expr.function.is_Pow):
            inner = rf"\left({inner}\right)"
        return rf"{sign}_{{{index}={low}}}^{{{high}}} {inner}"

    def _print_Limit(self, expr: Any) -> str:
        function, variable, point, side = expr.args
        mark = "" if point == sp.oo else f"^{side}"
        inner = self._print(function)
        inner = rf"\left({inner}\right)" if function.is_Add or function.is_Mul else inner
        return rf"\lim_{{{self._print(variable)} \to {self._print(point)}{mark}}} {inner}"


def _raised(text: str, order: object) -> str:
    return text if order == 1 else f"{text}^{{{order}}}"


def _bar(expression: sp.Expr) -> tuple[str, sp.Expr, sp.Expr]:
    """Sign, what stands above and what stands below the bar: the powers whose exponent is written with a minus sign."""
    sign, above, below = "", [], []
    for factor in sp.Mul.make_args(expression):
        if factor.is_Rational:
            sign = "- " if factor < 0 else ""
            above += [sp.Integer(abs(factor.p))] if abs(factor.p) != 1 else []
            below += [sp.Integer(factor.q)] if factor.q != 1 else []
        elif factor.is_Pow and all(term.as_coeff_Mul()[0] < 0 for term in sp.Add.make_args(factor.exp)):
            below.append(factor.base ** (-factor.exp))
        else:
            above.append(factor)
    return sign, _product(above), _product(below)


def _product(factors: list[sp.Expr]) -> sp.Expr:
    """The product, in which no number goes into a sum: 3*(x + y)."""
    return sp.Mul(*factors, evaluate=not any(factor.is_Add for factor in factors))
