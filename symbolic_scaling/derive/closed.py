"""Implicit laws solved for their response where a parameter's value makes the equation linear or quadratic."""

from __future__ import annotations

import math
from collections.abc import Mapping

import sympy as sp

from ..algebra import lagrange, order
from ..domain import Domain
from ..errors import ScalingError
from ..law import Law
from ..records import Derivation, Question
from .common import Given, Maker, facts, letter, pick, where

__all__ = ["closed_form"]


def closed_form(law: Law, fix: Mapping[str, object], given: Given = ()) -> Derivation:
    """The response of an implicit law as an expression, some parameters held at numbers.

    Parameters
    ----------
    law : Law
        Implicit, its response between two bounds.
    fix : mapping of name to int, Fraction or Rational
        The exponent that makes the equation a polynomial.
    given : sequence of str or (Expr, Expr)
        Relations that hold beside the law's own.

    Returns
    -------
    Derivation
        ``found`` by the response.

    Raises
    ------
    ScalingError
        If the equation is no polynomial of degree 1 or 2 in the excess over the bound.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> closed_form(laws.get("m4"), {"alpha": 1})["eps_x"]
    beta*x**c*(eps_0 - eps_inf)/(beta*x**c + 1) + eps_inf
    """
    y = law.response.symbol
    asked = f"solve {law.name} for {y}"
    if law.explicit is not None:
        raise ScalingError(asked, "the law is explicit already", "use law.explicit")
    values = {pick(law, name, law.constants): sp.Rational(value) for name, value in fix.items()}
    domain = where(law, given)
    lower = next((lesser for greater, lesser in domain.relations if greater == y), None)
    upper = next((greater for greater, lesser in domain.relations if lesser == y), None)
    if lower is None or upper is None:
        raise ScalingError(asked, "the response has no two bounds", "give relations that bound it")
    free = tuple(pair for pair in domain.relations if not any(side.has(y) for side in pair))
    made = Maker(law, Domain(domain.ranges, (*free, (upper, lower))))
    form = law.form.subs(values)
    w, t, b = (letter(law, name) for name in ("w_excess", "t_driver", "b_gap"))
    equation = lagrange.balance((form.lhs / form.rhs).subs(y, lower + w), w)
    excess, degree = _solve(equation, (t, b), upper - lower, asked)
    value = excess.subs({t: equation.small, b: upper - lower})
    sides = tuple(side.subs(y, lower + value) for side in (form.lhs, form.rhs))
    made.step(
        "isolate",
        f"{y} = {lower} + {w}: a polynomial of degree {degree} in {w}; the root between the bounds",
        form,
        sp.Eq(y, lower + value, evaluate=False),
        made.equal("put back into the law", *sides),
        made.positive("above the lower bound", excess, domain=Domain()),
        *([made.positive("below the upper bound", b - excess, domain=Domain())] if equation.factors else []),
    )
    title = f"{law.name} with {', '.join(f'{symbol} = {number}' for symbol, number in values.items())}"
    found, question = (
        ((y.name, lower + value),),
        Question("closed form", made.domain, (y,), values=tuple(values.items())),
    )
    return Derivation(title, law, facts(made.domain), tuple(made.steps), found, question=question)


def _solve(
    equation: lagrange.Balance, letters: tuple[sp.Symbol, sp.Symbol], gap: sp.Expr, asked: str
) -> tuple[sp.Expr, int]:
    """The root between 0 and the gap, in the letters t and b; with it the degree of the polynomial."""
    w, (t, b) = equation.unknown, letters
    exponents = [exponent for _, exponent in equation.factors]
    if not all(exponent.is_Rational for exponent in exponents):
        raise ScalingError(asked, f"the exponents {exponents} are no numbers", "fix the parameters in them")
    power = math.lcm(*(int(exponent.q) for exponent in exponents))
    left, right = w**power, t**power
    for base, exponent in equation.factors:
        plain = base.subs(gap, b)
        if exponent > 0:
            right *= plain ** (exponent * power)
        else:
            left *= plain ** (-exponent * power)
    polynomial = sp.Poly(sp.expand(left - right), w)
    if polynomial.degree() > 2:
        raise ScalingError(asked, f"the polynomial has degree {polynomial.degree()}", "evaluate the root numerically")
    for root in _roots(polynomial):
        if not equation.factors or (order.sign(root), order.sign(b - root)) == (1, 1):
            return root, polynomial.degree()
    raise ScalingError(asked, "no root is known to lie between the bounds", "give relations that decide it")


def _roots(polynomial: sp.Poly) -> list[sp.Expr]:
    """The root of a linear polynomial, or both of a quadratic as ``2*c/(-b +- root)``: no cancellation for small t."""
    if polynomial.degree() == 1:
        slope, constant = polynomial.all_coeffs()
        return [sp.factor(-constant / slope)]
    square, slope, constant = polynomial.all_coeffs()
    root = sp.sqrt(sp.factor_terms(sp.expand(slope**2 - 4 * square * constant)))
    return [sp.factor_terms(2 * constant / (-slope + sign * root)) for sign in (1, -1)]
