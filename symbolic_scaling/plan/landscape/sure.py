"""Landscapes as roots, for what a fit says of how sure it is of them: a turning point, two inputs that share a budget.

Where a cost is linear in the second input, the budget gives it: ``6*N*D = C`` is ``D = C/(6*N)``. What is left is one
root of Lagrange's condition ``y_N*C_D = y_D*C_N``.
"""

from __future__ import annotations

import sympy as sp

from ...errors import LawError
from ...law import Cost, Law
from ...records import Root
from ..sources import Source
from .spend import Spent
from .turns import Turn

__all__ = ["slope_root", "spent_root"]

_AROUND = 1.25


def slope_root(source: Source, one: Turn) -> Root:
    """The turning point as the root of the response's slope.

    Examples
    --------
    >>> from symbolic_scaling import laws, plan
    >>> named = plan.source(laws.formula("y = b*x + c/x", ["x"]), constants={"b": 3, "c": 12})
    >>> slope_root(named, Turn("x", True, 2.0, 12.0, ())).condition
    x*(b - c/x**2)
    """
    x = source.law.symbols[one.input]
    return Root(x, x * _explicit(source.law).diff(x), _near(one.at), "the slope changes its sign once nearby")


def spent_root(source: Source, paid: Cost, one: Spent, free: tuple[str, ...]) -> tuple[Root, dict[str, sp.Expr]] | None:
    """The first of two free inputs as a root, and both inputs in terms of it; None where the cost is not linear."""
    if len(free) != 2:
        return None
    first, second = (source.law.symbols[name] for name in free)
    slope = paid.expression.diff(second)
    if slope.has(second):
        return None
    other = (paid.symbol - paid.expression.subs(second, 0)) / slope
    y = _explicit(source.law)
    condition = (y.diff(first) * slope - y.diff(second) * paid.expression.diff(first)).subs(second, other) * first
    root = Root(first, condition, _near(dict(one.inputs)[first.name]), "Lagrange's condition, met once nearby")
    return root, {first.name: first, second.name: other}


def _explicit(law: Law) -> sp.Expr:
    """The response of a law that gives it."""
    if law.explicit is None:
        raise LawError(f"differentiate {law.name}", "it is implicit", "take a law that gives its response")
    return law.explicit


def _near(at: float) -> tuple[sp.Expr, sp.Expr]:
    return sp.Float(at) / _AROUND, sp.Float(at) * _AROUND
