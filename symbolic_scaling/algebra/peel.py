"""Reading an expression as a monotone function of a sum of positive monomials in chosen variables.

Additive constants, factors and monotone outer functions (powers, logarithms, exponentials) come off one by one; what
is left must be a sum of monomials whose amplitudes have one sign.

Worked example: ``E + ((k/x)**a + b*x)**c`` has the inner sum ``k**a*x**(-a) + b*x`` and the outer ``E + inner**c``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp

from ..domain import Domain
from . import order

__all__ = ["Peeled", "Term", "gathered", "layer_of", "peel", "split", "summands"]

_HOLE = sp.Dummy("inner", positive=True)


@dataclass(frozen=True)
class Term:
    """``coefficient * prod(variable**exponent)``, the coefficient free of the variables."""

    coefficient: sp.Expr
    exponents: tuple[sp.Expr, ...]

    def at(self, values: Sequence[sp.Expr]) -> sp.Expr:
        """The monomial with its variables replaced by ``values``."""
        return sp.Mul(self.coefficient, *(v**e for v, e in zip(values, self.exponents, strict=True)))


@dataclass(frozen=True)
class Peeled:
    """``outer`` in ``hole`` is the whole expression when the hole holds ``sum(terms)``.

    ``direction`` is +1 where the whole rises with the inner sum (a least sum is a least value), -1 where it falls.
    """

    terms: tuple[Term, ...]
    outer: sp.Expr
    direction: int
    hole: sp.Symbol = _HOLE

    def inner(self, variables: Sequence[sp.Symbol]) -> sp.Expr:
        """The inner sum."""
        return sp.Add(*(term.at(variables) for term in self.terms))


def split(expression: sp.Expr, variables: Sequence[sp.Symbol]) -> Term | None:
    """An expression as one monomial in ``variables``, or None if it is not one.

    Examples
    --------
    >>> x, a, k = sp.symbols("x a k", positive=True)
    >>> split((k / x) ** a, (x,))
    Term(coefficient=k**a, exponents=(-a,))
    >>> split((x + k * x) ** a, (x,))
    Term(coefficient=(k + 1)**a, exponents=(a,))
    """
    if not expression.has(*variables):
        return Term(expression, (sp.Integer(0),) * len(variables))
    if expression in variables:
        return Term(sp.Integer(1), tuple(sp.Integer(int(v == expression)) for v in variables))
    if expression.is_Mul:
        parts = [split(factor, variables) for factor in expression.args]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        totals = (sp.Add(*column) for column in zip(*(part.exponents for part in known), strict=True))
        return Term(sp.Mul(*(part.coefficient for part in known)), tuple(totals))
    if isinstance(expression, (sp.Pow, sp.exp)):
        base, power = expression.as_base_exp()
        part = None if power.has(*variables) else split(base, variables)
        return part and Term(part.coefficient**power, tuple(sp.expand_mul(e * power) for e in part.exponents))
    return _alike(expression, variables) if expression.is_Add else None


def _alike(total: sp.Expr, variables: Sequence[sp.Symbol]) -> Term | None:
    """A sum of multiples of one monomial as that monomial."""
    found = gathered(total, variables)
    return found[0] if found is not None and len(found) == 1 else None


def peel(expression: sp.Expr, variables: Sequence[sp.Symbol], domain: Domain) -> Peeled | None:
    """Strip additive constants and monotone outer functions down to a sum of monomials with positive amplitudes.

    Raises
    ------
    Undecided
        If the domain does not fix the sign of an amplitude, a factor or an outer exponent.

    Examples
    --------
    >>> x, a, k = sp.symbols("x a k", positive=True)
    >>> shell = peel(1 + (x + 1 / x) ** a, (x,), Domain())
    >>> shell.inner((x,)), shell.outer
    (x + 1/x, _inner**a + 1)
    """
    outer: sp.Expr = _HOLE
    direction = 1
    while True:
        found = _terms(expression, variables)
        if found is not None:
            terms, constant = found
            signs = {order.require_sign(term.coefficient, domain, "find the sign of an amplitude") for term in terms}
            if len(signs) > 1:
                return None
            sign = signs.pop() if signs else 1
            terms = tuple(Term(sign * term.coefficient, term.exponents) for term in terms)
            return Peeled(terms, outer.subs(_HOLE, sign * _HOLE + constant), direction * sign)
        layer = layer_of(expression, variables, domain, _HOLE)
        if layer is None:
            return None
        expression, shell, turn = layer
        outer, direction = outer.subs(_HOLE, shell), direction * turn


def layer_of(
    expression: sp.Expr, variables: Sequence[sp.Symbol], domain: Domain, hole: sp.Symbol
) -> tuple[sp.Expr, sp.Expr, int] | None:
    """The one argument that holds the variables, the expression around it, and whether it rises (+1) or falls."""
    inside = [argument for argument in expression.args if argument.has(*variables)]
    if len(inside) != 1:
        return None
    (inner,) = inside
    shell = expression.func(*(hole if argument is inner else argument for argument in expression.args))
    if expression.is_Add or isinstance(expression, (sp.log, sp.exp)):
        return inner, shell, 1
    if expression.is_Mul:
        rest = sp.Mul(*(argument for argument in expression.args if argument is not inner))
        return inner, shell, order.require_sign(rest, domain, "find the sign of a factor")
    if expression.is_Pow and expression.base is inner and order.sign(inner, domain) == 1:
        return inner, shell, order.require_sign(expression.exp, domain, "find the sign of an outer exponent")
    return None


def gathered(expression: sp.Expr, variables: Sequence[sp.Symbol]) -> tuple[Term, ...] | None:
    """A sum as monomials in ``variables`` of distinct exponents, a constant among them; None if it is not one.

    Examples
    --------
    >>> x, a, k = sp.symbols("x a k", positive=True)
    >>> gathered(k * x**a + 2 * x**a - 3, (x,))
    (Term(coefficient=-3, exponents=(0,)), Term(coefficient=k + 2, exponents=(a,)))
    """
    found = _terms(expression, variables)
    if found is None:
        return None
    terms, constant = found
    constant = sp.expand_mul(constant)
    still = (Term(constant, (sp.Integer(0),) * len(variables)),) if constant != 0 else ()
    return (*still, *(term for term in terms if term.coefficient != 0))


def _terms(expression: sp.Expr, variables: Sequence[sp.Symbol]) -> tuple[tuple[Term, ...], sp.Expr] | None:
    """The monomials of a sum, equal exponents added, and the part free of the variables."""
    by_exponents: dict[tuple[sp.Expr, ...], sp.Expr] = {}
    constant: sp.Expr = sp.Integer(0)
    for argument in summands(expression):
        part = split(argument, variables)
        if part is None:
            return None
        key = tuple(sp.cancel(exponent) for exponent in part.exponents)
        if not any(key):
            constant += argument
            continue
        by_exponents[key] = by_exponents.get(key, sp.Integer(0)) + part.coefficient
    ordered = sorted(by_exponents.items(), key=lambda pair: sp.default_sort_key(pair[0]))
    return tuple(Term(coefficient, key) for key, coefficient in ordered), constant


def summands(expression: sp.Expr) -> list[sp.Expr]:
    """The summands with products multiplied out, bases of powers left as they are."""
    found: list[sp.Expr] = []
    for part in sp.Add.make_args(expression):
        wide = sp.expand_mul(part, deep=False)
        found += [part] if wide == part else summands(wide)
    return found
