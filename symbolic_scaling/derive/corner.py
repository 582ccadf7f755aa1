"""The larger of what falls and what rises is least where both are equal: a law with one bottleneck at a time.

Worked example: under ``6*N*D = C`` the law ``Max(A/N**a, B/D**b)`` is least where ``A/N**a = B*(6*N/C)**b``.
"""

from __future__ import annotations

import sympy as sp

from ..algebra import order
from ..algebra.limits import limit
from ..algebra.peel import gathered, layer_of
from ..domain import Domain
from ..errors import NoOptimum
from ..records import Found, Root
from .common import Maker
from .descartes import only_zero, ranked
from .extremum import Problem, along, put, turned

__all__ = ["corner"]

_HOLE = sp.Dummy("larger", positive=True)


def corner(made: Maker, problem: Problem) -> list[tuple[str, Found]] | None:
    """Inputs and response of one input, or of two under a monomial budget; None where the law is no such maximum.

    Raises
    ------
    NoOptimum
        If both fall or both rise along the budget, or one is always the larger.
    Undecided
        If the domain leaves an order open.
    """
    (x, *others), budget, y = problem.variables, problem.budget, made.law.response.symbol
    inside = problem.raw.has(y) or (budget is not None and budget.amount.has(y))
    if inside or len(others) != (0 if budget is None else 1):
        return None
    raw = along(problem, problem.raw)
    if (peeled := _larger(raw, x, made.domain)) is None:
        return None
    shell, body, direction = peeled
    ways = [order.sign(sp.diff(part, x), made.domain) for part in body.args]
    terms = gathered(sp.Add(body.args[0], -body.args[1]), (x,)) if len(body.args) == 2 else None
    if terms is None or not all(ways):
        return None
    if ways[0] == ways[1]:
        raise NoOptimum(problem.asked, f"both sides of the larger go the same way in {x}", "bound it or add a cost")
    turned(problem, direction)
    rising, falling = body.args if ways[0] == 1 else body.args[::-1]
    rises = made.positive("what surrounds the larger is monotone", sp.Derivative(shell, _HOLE), direction)
    goes = [made.positive("one rises", sp.Derivative(rising, x)), made.positive("one falls", sp.diff(falling, x), -1)]
    made.step("corner", "the larger is least where both are equal", raw, sp.Eq(rising, falling), rises, *goes)
    at = _meeting(made, problem, (rising, falling), x)
    there = at.symbol if isinstance(at, Root) else at
    found: list[tuple[str, Found]] = [(x.name, at)]
    if budget is not None:
        (z,), (p, q) = others, budget.cost.exponents
        spent = (budget.amount / budget.cost.coefficient / there**p) ** (1 / q)
        met = made.equal("the budget is met", put(problem.spent, (x, z), (there, spent)), budget.amount)
        made.step("spend", f"the budget leaves {z} to {x}", problem.spent, sp.Eq(z, spent, evaluate=False), met)
        found.append((z.name, spent))
    value = raw if isinstance(at, Root) else shell.subs(_HOLE, falling.subs(x, at))
    return [*found, (y.name, value)]


def _larger(raw: sp.Expr, x: sp.Symbol, domain: Domain) -> tuple[sp.Expr, sp.Expr, int] | None:
    """What surrounds the maximum, the maximum, and whether the whole rises with it (+1) or falls."""
    shell, body, direction = _HOLE, raw, 1
    while not isinstance(body, sp.Max):
        layer = layer_of(body, (x,), domain, _HOLE)
        if layer is None:
            return None
        body, around, turn = layer
        shell, direction = shell.subs(_HOLE, around), direction * turn
    return shell, body, direction


def _meeting(made: Maker, problem: Problem, sides: tuple[sp.Expr, sp.Expr], x: sp.Symbol) -> sp.Expr | Root:
    """Where what rises reaches what falls: in closed form for two monomials."""
    gap = sides[0] - sides[1]
    terms = gathered(gap, (x,)) or ()
    if len(terms) == 2 and all(term.exponents[0] != 0 for term in terms):
        at = only_zero(made, ranked(terms, made.domain, problem.asked), sides, x, problem.asked)
        assert at is not None
        return at
    owes = []
    for point, sign in ((sp.Integer(0), -1), (sp.oo, 1)):
        end = limit(gap, x, point, made.domain)
        known = int(sp.sign(end)) if end.is_infinite else order.require_sign(end, made.domain, problem.asked)
        if known != sign:
            raise NoOptimum(problem.asked, "one side is always the larger", "bound an input")
        owes.append(made.tends(f"what rises less what falls as {x} -> {point}", gap, x, point, end))
    made.step("root", "from below zero to above: one zero", gap, sp.Eq(gap, 0, evaluate=False), *owes)
    return Root(x, gap, (sp.Integer(0), sp.oo), "one side rises, the other falls")
