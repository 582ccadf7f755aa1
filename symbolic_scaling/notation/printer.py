"""Expression to plain text that :func:`~.plain.parse` reads back to the same tree."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.printing.str import StrPrinter

from ..errors import ScalingError
from .large import LargePower
from .relation import Relation
from .source import is_name

__all__ = ["text"]

_KINDS = (
    sp.Symbol,
    sp.Rational,
    sp.Float,
    sp.Add,
    sp.Mul,
    sp.Pow,
    LargePower,
    sp.exp,
    sp.log,
    sp.Abs,
    sp.Min,
    sp.Max,
    sp.Derivative,
    sp.Limit,
    sp.Tuple,
    type(sp.E),
    type(sp.oo),
    type(-sp.oo),
)
_SIGNS = {
    sp.Equality: "=",
    sp.StrictLessThan: "<",
    sp.LessThan: "<=",
    sp.StrictGreaterThan: ">",
    sp.GreaterThan: ">=",
}


def text(expression: sp.Basic | Relation) -> str:
    """Write an expression or relation in the plain-text grammar.

    Parameters
    ----------
    expression : Expr, Eq, inequality or Relation
        As SymPy's constructors build it. A product that was kept undistributed, 2*(x + y), reads back as 2*x + 2*y;
        a Float reads back as the exact decimal that it prints as.

    Returns
    -------
    str
        Text in which names stand as they are: ``alpha_N``, ``eps_inf``.

    Raises
    ------
    ScalingError
        For nodes and names outside the grammar.

    Examples
    --------
    >>> A, N, alpha = sp.symbols("A N alpha", positive=True)
    >>> text(sp.Eq(N, A * N**-alpha / 3))
    'N = A/(3*N**alpha)'
    """
    if isinstance(expression, Relation):
        return f"{text(expression.left)} {expression.op} {text(expression.right)}"
    for kind, sign in _SIGNS.items():
        if isinstance(expression, kind):
            return f"{text(expression.args[0])} {sign} {text(expression.args[1])}"
    _require_readable(expression)
    return _Printer({"order": None}).doprint(expression)


def _require_readable(expression: sp.Basic) -> None:
    names: dict[str, sp.Symbol] = {}
    directions = {limit.args[3] for limit in expression.atoms(sp.Limit)}  # SymPy keeps "+" and "-" as symbols
    for node in sp.preorder_traversal(expression):
        if not isinstance(node, _KINDS):
            raise _refusal(f"it holds {type(node).__name__}", "rewrite it with log, exp, powers, Abs, Min and Max")
        if isinstance(node, sp.Symbol) and node not in directions:
            if not is_name(node.name):
                raise _refusal(f"{node.name!r} cannot be a name", "rename the symbol with letters, digits and _")
            if names.setdefault(node.name, node) != node:
                raise _refusal(f"two different symbols are called {node.name}", "rename one of them")


def _refusal(found: str, remedy: str) -> ScalingError:
    return ScalingError("write an expression as plain text", found, remedy)


class _Printer(StrPrinter):  # type: ignore[misc]
    """SymPy's own text, apart from the nodes that our grammar spells differently."""

    def _print_Mul(self, expr: Any) -> str:
        """x/(3*(y + z)) would read back with 3 distributed, so the number goes last: x/(y + z)/3."""
        divisor = expr.as_coeff_Mul()[0].q
        below = [item.base for item in expr.args if isinstance(item, sp.Pow) and item.exp.could_extract_minus_sign()]
        if divisor != 1 and len(below) == 1 and below[0].is_Add and 1 / below[0] in expr.args:
            return f"{self._print(expr * divisor)}/{divisor}"
        return super()._print_Mul(expr)

    def _print_Exp1(self, expr: sp.Basic) -> str:
        return "exp(1)"

    def _print_Float(self, expr: Any) -> str:
        return f"({float(expr)!r})" if expr < 0 else repr(float(expr))

    def _print_Derivative(self, expr: Any) -> str:
        inner = self._print(expr.expr)
        for variable, order in expr.variable_count:
            inner = f"diff({inner}, {variable.name})" if order == 1 else f"diff({inner}, {variable.name}, {order})"
        return inner

    def _print_Limit(self, expr: Any) -> str:
        function, variable, point, _ = expr.args
        return f"Limit({self._print(function)}, {variable.name}, {self._print(point)})"
