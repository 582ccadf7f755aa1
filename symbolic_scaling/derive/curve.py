"""Frontiers along a curve of equal cost: two inputs and a cost that is a sum of monomials, no single one.

Such as ``6*N*D + 2*N*D_inf``, or ``6*N*D`` and attention's ``k*N**q*D`` beside it. In ``u = log x``, ``v = log z`` the
budget ``sum_k G_k = C`` makes z a function of x with the slope ``v' = -e``, ``e = sum(p_k*G_k)/sum(q_k*G_k)`` (p and q
the exponents of x and z), and the sum ``sum_j T_j`` of the loss moves with ``sum(T_j*(a_j - b_j*e))``. Once more:

    sum_j T_j*(a_j - b_j*e)**2 + (sum_j -b_j*T_j) * sum_k G_k*(p_k - q_k*e)**2 / sum_k q_k*G_k

which is positive where no term of the loss rises with z. The slope rises: one zero, and it is the minimum.

Worked example: ``A/N**a + B/D**b`` under ``6*N*D + 2*N*D_inf = C`` has ``e = 1 + D_inf/(3*D)`` and the condition
``a*A/N**a = e*b*B/D**b``, Sardana's, with ``D = C/(6*N) - D_inf/3``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp

from ..algebra import order
from ..algebra.isolate import Isolated, isolate
from ..algebra.limits import limit
from ..algebra.peel import Peeled, Term, gathered
from ..domain import Domain
from ..errors import NoOptimum
from ..law import Cost
from ..records import Claim, Found, Root
from .common import Maker, letter
from .convex import full_rank
from .extremum import Problem

__all__ = ["along_curve"]


@dataclass(frozen=True)
class _Curve:
    """x is free, z is spent: ``z = way.value``; ``price`` are the monomials of the cost in (x, z)."""

    x: sp.Symbol
    z: sp.Symbol
    price: tuple[Term, ...]
    way: Isolated
    paid: Cost

    @property
    def swap(self) -> sp.Expr:
        """``-d log z / d log x`` along the curve."""
        pulls = [sp.Add(*(g.exponents[k] * g.at((self.x, self.z)) for g in self.price)) for k in (0, 1)]
        return sp.factor_terms(pulls[0] / pulls[1])


def along_curve(made: Maker, problem: Problem, paid: Cost, peeled: Peeled) -> list[tuple[str, Found]] | None:
    """The minimum of a two-input problem along a curve of equal cost; None where the cost gives no input
    with which the whole loss falls.

    Returns
    -------
    list of (str, Expr or Root)
        A root for one input, the other input and the response as expressions in it.

    Raises
    ------
    NoOptimum
        If the slope does not change its sign along the curve.
    Undecided
        If a sign is open.
    """
    for turned in (problem.variables, problem.variables[::-1]):
        way = 1 if turned == problem.variables else -1
        terms = tuple(Term(term.coefficient, term.exponents[::way]) for term in peeled.terms)
        falls = all(order.sign(term.exponents[1], made.domain) in (0, -1) for term in terms)
        curve = _curve(made, turned, paid) if falls else None
        top = None if curve is None else _top(made, curve)
        if curve is not None and top is not None:
            break
    else:
        return None
    root = _root(made, problem, peeled, (curve, top), terms)
    raw = problem.raw.subs(curve.z, curve.way.value)
    return [(curve.x.name, root), (curve.z.name, curve.way.value), (made.law.response.symbol.name, raw)]


def _curve(made: Maker, variables: Sequence[sp.Symbol], paid: Cost) -> _Curve | None:
    """The cost solved for the second variable; None where it cannot be."""
    x, z = variables
    price = gathered(paid.expression, (x, z))
    if price is None or any(order.sign(term.coefficient, made.domain) != 1 for term in price):
        return None
    if any(order.sign(term.exponents[1], made.domain) not in (0, 1) for term in price):
        return None
    way = isolate(sp.Eq(paid.symbol, paid.expression, evaluate=False), z, made.domain)
    return None if way is None else _Curve(x, z, price, way, paid)


def _root(made: Maker, problem: Problem, peeled: Peeled, way: tuple[_Curve, sp.Expr], terms: Sequence[Term]) -> Root:
    curve, top = way
    x, z, swap = curve.x, curve.z, curve.swap
    slope = sp.Add(*(t.at((x, z)) * (t.exponents[0] - t.exponents[1] * swap) for t in terms))
    narrowed = made.domain.meet(Domain((), curve.way.conditions))
    left = sp.Eq(z, curve.way.value, evaluate=False)
    met = made.equal("the budget is met", paid_at(curve), curve.paid.symbol, narrowed)
    made.step("spend", f"the budget leaves {z} to {x}", curve.paid.expression, left, met)
    made.step(
        "bend",
        f"along the curve the slope in log {x} rises",
        problem.raw,
        slope,
        *_bends(made, curve, terms, peeled.inner(problem.variables), slope),
    )
    condition = slope.subs(z, curve.way.value)
    claims = _ends(made, problem, curve, condition, top)
    made.step("slope", "from below zero to above: one zero", slope, sp.Eq(condition, 0, evaluate=False), *claims)
    why = f"a geometric program: along the budget the sum is strictly convex in log {x}, its slope passes zero"
    return Root(x, condition, (sp.Integer(0), top), why)


def paid_at(curve: _Curve) -> sp.Expr:
    """The cost with the spent input put in."""
    return curve.paid.expression.subs(curve.z, curve.way.value)


def _bends(made: Maker, curve: _Curve, terms: Sequence[Term], inner: sp.Expr, slope: sp.Expr) -> list[Claim]:
    """The slope is the raw one along the curve, its own slope is the sum above, and every part of that is positive."""
    x, z, swap = curve.x, curve.z, curve.swap
    cost = curve.paid.expression

    def moved(expression: sp.Expr) -> sp.Expr:
        return x * sp.Derivative(expression, x) - swap * z * sp.Derivative(expression, z)

    each = [t.at((x, z)) * (t.exponents[0] - t.exponents[1] * swap) ** 2 for t in terms]
    squares = sp.Add(*each)
    falls = sp.Add(*(-t.exponents[1] * t.at((x, z)) for t in terms))
    parts = [g.at((x, z)) * (g.exponents[0] - g.exponents[1] * swap) ** 2 for g in curve.price]
    weight = sp.Add(*(g.exponents[1] * g.at((x, z)) for g in curve.price))
    claims = [
        made.equal("the cost stays the same along the curve", moved(cost), sp.Integer(0)),
        made.equal("the slope along the curve", moved(inner), slope),
        made.equal("its own slope", moved(slope), squares + falls * sp.Add(*parts) / weight),
        *_squares(made, each, (*terms, *curve.price)),
        made.positive("the loss falls in what is spent", falls),
        made.positive("the cost rises in what is spent", weight),
    ]
    return claims + [made.nonnegative("a weighted square", part) for part in parts if part != 0]


def _squares(made: Maker, each: Sequence[sp.Expr], terms: Sequence[Term]) -> list[Claim]:
    """Their sum is positive; where that is not plain, none is negative and no direction leaves all terms alone."""
    if order.sign(sp.Add(*each), made.domain) == 1:
        return [made.positive("the squares", sp.Add(*each))]
    return [*(made.nonnegative("a square", square) for square in each if square != 0), full_rank(made, terms, 2)]


def _top(made: Maker, curve: _Curve) -> sp.Expr | None:
    """Up to where the free input leaves something to spend on the other; None without a closed form."""
    if not curve.way.conditions:
        return sp.oo
    ends = [isolate(sp.Eq(more, less, evaluate=False), curve.x, made.domain) for more, less in curve.way.conditions]
    return ends[0].value if len(ends) == 1 and ends[0] is not None else None


def _ends(made: Maker, problem: Problem, curve: _Curve, condition: sp.Expr, top: sp.Expr) -> list[Claim]:
    """The slope is negative where the free input is small and positive where it is large or leaves nothing."""
    x, zero = curve.x, sp.Integer(0)
    last: tuple[sp.Expr, sp.Symbol, sp.Expr] = (condition, x, sp.oo)
    if top != sp.oo:
        gap = letter(made.law, "gap")
        last = (condition.subs(x, top / (1 + gap)), gap, zero)
    claims = []
    for sign, (expression, symbol, point) in ((-1, (condition, x, zero)), (1, last)):
        end = limit(expression, symbol, point, made.domain)
        known = int(sp.sign(end)) if end.is_infinite else order.require_sign(end, made.domain, problem.asked)
        if known != sign:
            raise NoOptimum(problem.asked, f"the slope tends to {end} as {symbol} -> {point}", "bound an input")
        claims.append(made.tends(f"the slope as {symbol} -> {point}", expression, symbol, point, end))
    return claims
