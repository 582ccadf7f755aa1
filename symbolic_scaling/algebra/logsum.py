"""Reading an expression as a monotone function of monomials in one variable and a parabola in its logarithm.

In ``u = log x`` a sum ``sum_j a_j*x**e_j + l*u + q*u**2`` with positive ``a_j`` and ``q >= 0`` is convex.

Worked example: ``E + k*(log(r) - log(r0))**2`` has ``q = k``, ``l = -2*k*log(r0)`` and the outer
``E + k*log(r0)**2 + inner``.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from ..domain import Domain
from . import order
from .peel import Term, gathered, layer_of, split, summands

__all__ = ["LogSum", "logsum"]

_HOLE = sp.Dummy("inner", real=True)
_LOG = sp.Dummy("u", real=True)


@dataclass(frozen=True)
class LogSum:
    """Monomials, ``linear`` times the logarithm and ``square`` times its square, inside what surrounds them.

    ``shell`` in ``hole`` is the whole expression when the hole holds ``body``; the body is ``inside`` when the hole
    holds the inner sum. ``direction`` is +1 where the whole rises with the inner sum, -1 where it falls.
    """

    terms: tuple[Term, ...]
    linear: sp.Expr
    square: sp.Expr
    body: sp.Expr
    inside: sp.Expr
    shell: sp.Expr
    direction: int
    hole: sp.Symbol = _HOLE

    @property
    def outer(self) -> sp.Expr:
        """The whole expression when the hole holds the inner sum."""
        return self.shell.subs(self.hole, self.inside)

    def at(self, x: sp.Expr, log: sp.Expr | None = None) -> sp.Expr:
        """The inner sum at x, whose logarithm may be given."""
        u = sp.log(x) if log is None else log
        return sp.Add(*(term.at((x,)) for term in self.terms), self.linear * u, self.square * u**2)


def logsum(expression: sp.Expr, x: sp.Symbol, domain: Domain) -> LogSum | None:
    """Strip monotone outer functions down to monomials in x and a parabola in its logarithm; None if there is none.

    Raises
    ------
    Undecided
        If the domain does not fix the sign of an amplitude, of the parabola or of a factor.

    Examples
    --------
    >>> x, k = sp.symbols("x k", positive=True)
    >>> found = logsum(3 + 1 / x + k * sp.log(x**2), x, Domain())
    >>> found.at(x), found.outer
    (2*k*log(x) + 1/x, _inner + 3)
    """
    shell: sp.Expr = _HOLE
    body, direction = expression, 1
    while (parts := _parts(body, x, domain)) is None:
        layer = layer_of(body, (x,), domain, _HOLE)
        if layer is None:
            return None
        body, around, turn = layer
        shell, direction = shell.subs(_HOLE, around), direction * turn
    terms, still, linear, square = parts
    weights = [term.coefficient for term in terms] + ([square] if square != 0 else [])
    signs = {order.require_sign(weight, domain, "find the sign of an amplitude") for weight in weights}
    if len(signs) > 1:
        return None
    sign = signs.pop() if signs else 1
    terms = tuple(Term(sign * term.coefficient, term.exponents) for term in terms)
    inside = sign * _HOLE + still
    found = LogSum(terms, sign * linear, sign * square, body, inside, shell, direction * sign)
    return found if order.sign(sp.diff(found.outer, _HOLE), domain) == found.direction else None


def _parts(
    expression: sp.Expr, x: sp.Symbol, domain: Domain
) -> tuple[tuple[Term, ...], sp.Expr, sp.Expr, sp.Expr] | None:
    """Monomials, constant, and the coefficients of the logarithm and its square."""
    totals = {_LOG: sp.Integer(0), _LOG**2: sp.Integer(0), sp.Integer(1): sp.Integer(0)}
    for term in summands(_opened(expression, x, domain)):
        coefficient, power = term.as_independent(_LOG, as_Add=False)
        if power not in totals or (power != 1 and coefficient.has(x)):
            return None
        totals[power] += coefficient
    terms = gathered(totals[sp.Integer(1)], (x,))
    if terms is None:
        return None
    still = sp.Add(*(term.coefficient for term in terms if not any(term.exponents)))
    return tuple(term for term in terms if any(term.exponents)), still, totals[_LOG], totals[_LOG**2]


def _opened(expression: sp.Expr, x: sp.Symbol, domain: Domain) -> sp.Expr:
    """Logarithms of monomials as sums, and their squares multiplied out."""

    def opened(node: sp.Expr) -> sp.Expr:
        part = split(node.args[0], (x,))
        if part is None or order.sign(part.coefficient, domain) != 1:
            return node
        return sp.expand_log(sp.log(part.coefficient)) + part.exponents[0] * _LOG

    plain = expression.replace(lambda node: isinstance(node, sp.log) and node.has(x), opened)
    return plain.replace(lambda node: node.is_Pow and node.exp == 2 and node.has(_LOG), _squared)


def _squared(node: sp.Expr) -> sp.Expr:
    """The square of a line in the logarithm, its slope left as one factor."""
    slope = sp.diff(node.base, _LOG)
    if slope.has(_LOG):
        return node
    still = node.base.subs(_LOG, 0)
    return still**2 + 2 * still * slope * _LOG + slope**2 * _LOG**2
