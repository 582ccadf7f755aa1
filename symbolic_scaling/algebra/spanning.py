"""Whether a sum of monomials has a least value, and only one: its exponent vectors must surround the origin.

In ``u = log x`` the sum is convex. It grows in every direction, and so has a minimum, where positive weights w balance
the exponents, ``sum_j w_j*e_j = 0``, and their rank is full (Stiemke); it is then strictly convex. Every such w is a
sum of circuits: dependencies with positive weights among as few terms as possible. There are finitely many, each the
null space of a few columns.

Worked example: ``x + y + 1/(x*y)`` has the one circuit (1, 1, 1); ``x + 1/x + y`` has one that leaves out y, so there
is no minimum.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import sympy as sp
from sympy.polys.matrices import DomainMatrix

from .. import budget
from ..domain import Domain
from ..errors import NoOptimum, ScalingError, Undecided
from . import order
from .peel import Term

__all__ = ["MOST_TERMS", "surrounding"]

MOST_TERMS = 12


def surrounding(terms: Sequence[Term], domain: Domain, asked: str = "find the optimum") -> tuple[sp.Expr, ...]:
    """Weights under which the exponents of the terms cancel: positive on terms of full rank, 0 on others.

    The terms of weight 0 are positive too, so they leave a minimum a minimum.

    Raises
    ------
    NoOptimum
        If there are none, or the exponents do not tell all directions apart.
    Undecided
        If the domain does not fix a weight's sign.
    ScalingError
        If there are more than ``MOST_TERMS`` terms.

    Examples
    --------
    >>> a, b = sp.symbols("a b", positive=True)
    >>> one = sp.Integer(1)
    >>> surrounding([Term(one, (a, sp.S.Zero)), Term(one, (sp.S.Zero, b)), Term(one, (-one, -one))], Domain())
    (1/a, 1/b, 1)
    """
    if len(terms) > MOST_TERMS:
        raise ScalingError(asked, f"{len(terms)} terms in several directions", "join terms or hold inputs")
    size = len(terms[0].exponents)
    if _matrix(terms).rank() < size:
        raise NoOptimum(asked, "a family of optima: the terms do not tell its members apart", "fix a variable")
    total = [sp.Integer(0)] * len(terms)
    question = ""
    for count in range(2, size + 2):
        for chosen in combinations(range(len(terms)), count):
            budget.check(asked)
            try:
                weights = _circuit([terms[k] for k in chosen], domain, asked)
            except Undecided as gap:
                question = question or gap.question
                continue
            if weights and any(total[k] == 0 for k in chosen):
                for k, weight in zip(chosen, weights, strict=True):
                    total[k] += weight
    held = [term for term, weight in zip(terms, total, strict=True) if weight != 0]
    if held and _matrix(held).rank() == size:
        return tuple(sp.factor(weight) for weight in total)
    if question:
        raise Undecided(asked, question)
    raise NoOptimum(asked, "no interior optimum: a direction makes every term fall", "bound a variable or add a cost")


def _matrix(terms: Sequence[Term]) -> DomainMatrix:
    """Exponents, one column a term, over the field of rational functions."""
    return DomainMatrix.from_Matrix(sp.Matrix([list(term.exponents) for term in terms]).T).to_field()


def _circuit(terms: Sequence[Term], domain: Domain, asked: str) -> list[sp.Expr] | None:
    """The only dependency among the terms' exponents if all of its weights are positive, the last of them 1."""
    null = _matrix(terms).nullspace().to_Matrix()
    if null.rows != 1 or any(entry == 0 for entry in null):
        return None
    weights = [sp.factor(sp.cancel(entry / null[len(terms) - 1])) for entry in null]
    if all(order.require_sign(weight, domain, asked) == 1 for weight in weights):
        return weights
    return None
