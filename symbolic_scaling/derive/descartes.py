"""The only positive zero of a sum of monomials: Descartes' rule of signs for real exponents.

Order the terms of ``sum_j c_j x**e_j`` by exponent. If the coefficients change sign once, divide by ``x**m`` with m
between the exponents on both sides of the change: every term then moves the same way, from -oo to oo or back. There is
one zero, in closed form for two terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key

import sympy as sp

from ..algebra import order
from ..algebra.balance import bound
from ..algebra.peel import Term
from ..domain import Domain
from ..errors import Undecided
from ..records import Root
from .common import Maker

__all__ = ["only_zero", "ranked"]


def ranked(terms: Sequence[Term], domain: Domain, asked: str) -> list[tuple[int, Term]]:
    """The terms of one variable by rising exponent, each with its coefficient's sign.

    Raises
    ------
    Undecided
        If the domain leaves an order or a sign open.
    """

    def by_exponent(left: Term, right: Term) -> int:
        return order.require_sign(left.exponents[0] - right.exponents[0], domain, asked)

    ordered = sorted(terms, key=cmp_to_key(by_exponent))
    return [(order.require_sign(term.coefficient, domain, asked), term) for term in ordered]


def only_zero(
    made: Maker, ordered: Sequence[tuple[int, Term]], sides: tuple[sp.Expr, sp.Expr], x: sp.Symbol, asked: str
) -> sp.Expr | Root | None:
    """Where the two sides, whose difference the terms are, are equal; None where no sign changes.

    Raises
    ------
    Undecided
        If the signs change more than once.
    """
    changes = [k for k in range(1, len(ordered)) if ordered[k][0] != ordered[k - 1][0]]
    if not changes:
        return None
    if len(changes) > 1:
        raise Undecided(asked, f"they meet once: the terms change sign {len(changes)} times in the order of exponents")
    (place,) = changes
    low, high = ordered[place - 1][1], ordered[place][1]
    difference = sides[0] - sides[1]
    if len(ordered) == 2:
        ratio, power = -low.coefficient / high.coefficient, sp.factor(1 / (high.exponents[0] - low.exponents[0]))
        bound((ratio,), (power,), asked)
        value = ratio**power
        equal = made.equal(f"both sides are equal at that {x}", *(side.subs(x, value) for side in sides))
        made.step("solve", "two monomials", difference, sp.Eq(x, value, evaluate=False), equal)
        return value
    middle = (low.exponents[0] + high.exponents[0]) / 2
    shifted = sp.Add(*(term.coefficient * x ** (term.exponents[0] - middle) for _, term in ordered))
    rises = ordered[place][0] * shifted
    owes = [
        made.equal("the difference of the sides", difference, shifted * x**middle),
        made.positive("every term rises", sp.Derivative(rises, x)),
        made.tends("below zero at first", rises, x, sp.Integer(0), -sp.oo),
        made.tends("above zero at last", rises, x, sp.oo, sp.oo),
    ]
    made.step("root", "one change of sign in the order of exponents", difference, shifted, *owes)
    why = f"the terms change sign once in the order of their exponents: divided by {x}**({middle}) every term rises"
    return Root(x, difference, (sp.Integer(0), sp.oo), why)
