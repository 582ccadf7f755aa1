"""Derivatives by logarithmic rules, and of functions that an equation defines without solving it.

Algorithm
---------
``log_derivative`` applies four rules to the structure of an expression: products add, powers multiply, sums average
with their terms as weights, everything else is ``f'/f``. Sums of powers keep their shape.

An equation ``left = right`` between positive expressions defines y where the logarithm of ``left/right`` rises or falls
strictly with y. Then ``dy/du = -F_u/F_y`` with ``F = log(left) - log(right)``, an identity in u and y that needs no use
of the equation itself, so it may be differentiated again: ``d(y_u)/dv = (y_u)_v + (y_u)_y * y_v``.

Worked example: ``(y - e)/(k - y)**a = b*x**c`` with e < y < k has ``F_y = 1/(y - e) + a/(k - y) > 0`` and
``F_x = -c/x``, so ``dy/dx = c*(y - e)*(k - y)/(x*(k - y + a*(y - e)))``.
"""

from __future__ import annotations

import sympy as sp

from ..domain import Domain
from ..errors import ScalingError
from . import order

__all__ = ["Curve", "derivative", "log_derivative"]


def log_derivative(expression: sp.Expr, symbol: sp.Symbol) -> sp.Expr:
    """``d log(expression) / d symbol``, term by term.

    Examples
    --------
    >>> x, a, k = sp.symbols("x a k", positive=True)
    >>> log_derivative(k * x**a, x), log_derivative(k + x**a, x)
    (a/x, a*x**a/(x*(k + x**a)))
    """
    if not expression.has(symbol):
        return sp.Integer(0)
    if expression == symbol:
        return 1 / symbol
    if expression.is_Mul:
        return sp.Add(*(log_derivative(factor, symbol) for factor in expression.args))
    if isinstance(expression, (sp.Pow, sp.exp)):
        base, power = expression.as_base_exp()
        moved = derivative(power, symbol) * sp.log(base) if power.has(symbol) else sp.Integer(0)
        return power * log_derivative(base, symbol) + moved
    return derivative(expression, symbol) / expression


def derivative(expression: sp.Expr, symbol: sp.Symbol) -> sp.Expr:
    """``d expression / d symbol`` by the same rules, sums kept as sums.

    Examples
    --------
    >>> N, A, E, alpha = sp.symbols("N A E alpha", positive=True)
    >>> derivative(E + A / N**alpha, N)
    -A*alpha/(N*N**alpha)
    """
    if not expression.has(symbol):
        return sp.Integer(0)
    if expression.is_Add:
        return sp.Add(*(derivative(argument, symbol) for argument in expression.args))
    if expression.is_Symbol or expression.is_Mul or isinstance(expression, (sp.Pow, sp.exp)):
        return expression * log_derivative(expression, symbol)
    return sp.diff(expression, symbol)


class Curve:
    """The function y that ``form`` defines: its derivatives as expressions of the other symbols and y.

    Parameters
    ----------
    form : Eq
        ``left = right``.
    response : Symbol
        The unknown y.
    domain : Domain
        Must decide the sign with which the equation moves in y.

    Raises
    ------
    ScalingError
        If the equation does not move in y.
    Undecided
        If the domain leaves the direction open.

    Examples
    --------
    >>> x, y, k = sp.symbols("x y k", positive=True)
    >>> Curve(sp.Eq(y**3, k * x), y, Domain()).slope(x)
    y/(3*x)
    """

    def __init__(self, form: sp.Equality, response: sp.Symbol, domain: Domain) -> None:
        self.form = form
        self.response = response
        self.positive = order.sign(form.lhs, domain) == 1 and order.sign(form.rhs, domain) == 1
        self.rate = sp.together(self._partial(response))
        asked = f"differentiate {response} along {form}"
        self.direction = order.require_sign(self.rate, domain, asked)
        if self.direction == 0:
            raise ScalingError(asked, f"the equation does not depend on {response}", "state an equation that does")

    @property
    def level(self) -> sp.Expr:
        """Constant along the curve: the ratio of the sides, or their difference where a sign is open."""
        left, right = self.form.lhs, self.form.rhs
        return left / right if self.positive else left - right

    def _partial(self, symbol: sp.Symbol) -> sp.Expr:
        rule = log_derivative if self.positive else derivative
        return rule(self.form.lhs, symbol) - rule(self.form.rhs, symbol)

    def slope(self, symbol: sp.Symbol) -> sp.Expr:
        """``dy/d symbol``."""
        return sp.factor_terms(sp.together(-self._partial(symbol) / self.rate))

    def second(self, first: sp.Symbol, other: sp.Symbol) -> sp.Expr:
        """``d2y/(d first d other)``: the total derivative of the slope."""
        slope = self.slope(first)
        along = derivative(slope, other) + derivative(slope, self.response) * self.slope(other)
        return sp.factor_terms(sp.together(along))
