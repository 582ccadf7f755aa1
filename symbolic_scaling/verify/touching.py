"""Where two sides certainly touch: a place that need not be rational, at which their difference is proved to vanish.

Worked example: ``x**2 + 2 > 2*sqrt(2)*x`` fails at ``x = sqrt(2)``, the vertex of the difference.
"""

from __future__ import annotations

import itertools

import sympy as sp

from .. import budget
from ..algebra.differentiate import differentiate
from ..algebra.zero import prove_zero
from ..domain import Domain
from ..errors import DomainError
from ..records import Status
from .ball import Unclear, Undefined, evaluate, gap, tape
from .finding import Finding
from .hostile import wall_solutions, walls
from .points import points
from .support import placed
from .surds import is_small

__all__ = ["touching"]

POINTS = 3
MOST_PLACES = 24
MOST_SIZE = 100
BITS = 256


def touching(lesser: sp.Expr, greater: sp.Expr, domain: Domain) -> Finding | None:
    """REFUTED for a strict inequality whose sides are equal at a place of the domain; None where none is found.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> touching(2 * sp.sqrt(2) * x, x**2 + 2, Domain()).evidence
    (('point', 'x = sqrt(2)'), ('equality', 'proved by the normal form at this point'))
    """
    difference = greater - lesser
    parted = [wall for part in (*_where_flat(difference), lesser, greater) for wall in walls(part)]
    solved = dict.fromkeys(pair for wall in parted for pair in wall_solutions(wall))
    drawn = points(difference.free_symbols, domain, 6 * POINTS)
    starts = [p.exact for p in drawn if all(max(abs(v.p), v.q) <= MOST_SIZE for _, v in p.values)][:POINTS]
    for (symbol, value), start in itertools.islice(itertools.product(solved, starts), MOST_PLACES):
        budget.check("look for a place where both sides touch")
        there = _place(symbol, value, start, domain)
        if there is None:
            continue
        left = placed(difference, there)
        if left is not None and prove_zero(left) is not None:
            point = ", ".join(f"{one.name} = {there[one]}" for one in sorted(there, key=lambda one: str(one.name)))
            said = (("point", point), ("equality", "proved by the normal form at this point"))
            return Finding(Status.REFUTED, "both sides are equal at a point", said)
    return None


def _where_flat(difference: sp.Expr) -> list[sp.Expr]:
    """The difference in factors, and its slopes: where it touches zero its slope is zero too."""
    parts = [difference]
    if not is_small(difference):
        return parts
    for symbol in sorted(difference.free_symbols, key=lambda one: str(one.name)):
        parts.append(sp.fraction(sp.factor(differentiate(difference, symbol)))[0])
    return [sp.fraction(sp.factor(difference))[0], *parts]


def _place(
    symbol: sp.Symbol, value: sp.Expr, start: dict[sp.Symbol, sp.Rational], domain: Domain
) -> dict[sp.Symbol, sp.Expr] | None:
    """The start with the symbol at a value, if that certainly lies in the domain."""
    there = placed(value, {one: number for one, number in start.items() if one != symbol})
    if there is None or not there.is_number or not there.is_real or (symbol.is_integer and not there.is_integer):
        return None
    place = {**start, symbol: there}
    try:
        balls = {one: evaluate(tape(number), {}, BITS) for one, number in place.items()}
        inside = domain.interval(symbol).contains(there)
        kept = all(gap(tape(more), tape(less), balls)[0] == 1 for more, less in domain.relations)
    except (Undefined, Unclear, DomainError, KeyError, TypeError):
        return None
    return place if inside and kept else None
