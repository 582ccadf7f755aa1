"""How a refuted equality is wrong: the smallest change that makes it true, proved before it is shown.

Candidates are those of :mod:`.changes`, of the right side first. One that fails at a point is dropped; the first that
is PROVED on the claim's domain is the answer.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from .. import budget
from ..domain import Domain
from ..errors import BudgetExhausted, ClaimError, Undecided
from ..notation import text
from ..records import Equal, Statement, Status, Tends
from . import equal
from .arithmetic import as_ball
from .ball import Unclear, Undefined, Value, elementary, order, tape
from .ball import evaluate as value_of
from .changes import CATEGORIES, Change
from .limit import replace_limits
from .points import points

__all__ = ["repair"]

SECONDS = 2.0
MOST_CANDIDATES = 600
POINTS = 3
BITS = 128
MOST_OPERATIONS = 120
MOST_BITS = 256


@dataclass(frozen=True)
class _Sides:
    """Both sides without limits, and which of them may be changed."""

    left: sp.Expr
    right: sp.Expr
    open: tuple[str, ...]
    printed: Equal

    def written(self, left: sp.Expr, right: sp.Expr) -> str:
        """A changed statement; a side whose limits were taken as it was printed."""
        shown = (
            left if "left" in self.open else self.printed.left,
            right if "right" in self.open else self.printed.right,
        )
        return " = ".join(text(side) for side in shown)


def repair(statement: Statement, domain: Domain) -> tuple[tuple[str, str], ...]:
    """Evidence ``true if`` and ``corrected`` for an equality that is false; empty where no small change is proved.

    Examples
    --------
    >>> x, a, b = sp.symbols("x a b", positive=True)
    >>> repair(Equal((x/a)**b, (a/x)**-b * 2), Domain())[0]
    ('true if', 'the right side is divided by 2')
    """
    try:
        with budget.limit(min(SECONDS, budget.remaining() / 2)):
            sides = _sides(statement, domain)
            return () if sides is None else _repaired(sides, domain)
    except (BudgetExhausted, Undecided, ClaimError, ArithmeticError, NotImplementedError, RecursionError, ValueError):
        return ()


def _sides(statement: Statement, domain: Domain) -> _Sides | None:
    """The two sides of an equality or a limit; None for another statement, or one that is too long."""
    if isinstance(statement, Tends):
        limit = sp.Limit(statement.expression, statement.symbol, statement.point, _direction(statement.symbol))
        statement = Equal(limit, statement.value)
    if not isinstance(statement, Equal):
        return None
    raw = elementary(statement.left), elementary(statement.right)
    open_ = tuple(name for name, side in zip(("right", "left"), raw[::-1], strict=True) if not side.has(sp.Limit))
    left, right = replace_limits(raw, domain)[0]
    if left.has(sp.oo, sp.zoo, sp.nan) or right.has(sp.oo, sp.zoo, sp.nan) or (left.is_Atom and right.is_Atom):
        return None
    if sp.count_ops(left) + sp.count_ops(right) > MOST_OPERATIONS:
        return None
    numbers = sp.Tuple(left, right).atoms(sp.Rational)
    if any(max(abs(one.p), one.q).bit_length() > MOST_BITS for one in numbers):
        return None  # SymPy looks for perfect powers in the products that changes make
    return _Sides(left, right, open_, statement)


def _direction(symbol: sp.Symbol) -> str:
    return "-" if symbol.is_negative else "+"


def _repaired(sides: _Sides, domain: Domain) -> tuple[tuple[str, str], ...]:
    places = _places(sides, domain)
    if not places:
        return ()
    for change, on, left, right in itertools.islice(_candidates(sides, places), MOST_CANDIDATES):
        budget.check("look for the smallest change")
        if _agree((left, right), places) and equal.verify(left, right, domain).status is Status.PROVED:
            return ("true if", _worded(change, on)), ("corrected", sides.written(left, right))
    return ()


def _candidates(sides: _Sides, places: list[dict[sp.Symbol, Value]]) -> Iterator[tuple[Change, str, sp.Expr, sp.Expr]]:
    """Every change, where it is made, and both sides after it: by category, the right side first."""

    def measure(expression: sp.Expr) -> list[float] | None:
        return _values(expression, places)

    for category in CATEGORIES:
        for on in sides.open:
            side, other = (sides.right, sides.left) if on == "right" else (sides.left, sides.right)
            for change in category(side, other, measure):
                new = change.expression
                yield (change, on, other, new) if on == "right" else (change, on, new, other)
                if on == "right" and "left" in sides.open and change.again and (too := change.again(other)) != other:
                    yield change, "both", too, new


def _worded(change: Change, on: str) -> str:
    """The change in words that say where it is made; the right side is not mentioned."""
    said = change.said
    if "the side" in said:
        return said.replace("the side", f"the {on} side")
    return said if on == "right" else f"{said} (on {'both sides' if on == 'both' else 'the left side'})"


def _values(expression: sp.Expr, places: list[dict[sp.Symbol, Value]]) -> list[float] | None:
    """The expression at the points, as floats; None where it has no value."""
    if expression.has(sp.zoo, sp.nan, sp.oo):
        return None
    rows = tape(expression)
    try:
        return [float(as_ball(value_of(rows, place, BITS)).mid()) for place in places]
    except (Undefined, Unclear):
        return None


def _places(sides: _Sides, domain: Domain) -> list[dict[sp.Symbol, Value]]:
    """A few points, drawn at random, where both sides have a value."""
    free = sides.left.free_symbols | sides.right.free_symbols
    found: list[dict[sp.Symbol, Value]] = []
    for point in points(free, domain, 4 * POINTS):
        if not point.generic and free:
            continue
        try:
            for side in (sides.left, sides.right):
                value_of(tape(side), point.balls, BITS)
        except (Undefined, Unclear):
            continue
        found.append(point.balls)
        if len(found) == POINTS:
            break
    return found


def _agree(both: tuple[sp.Expr, sp.Expr], places: list[dict[sp.Symbol, Value]]) -> bool:
    """Whether no point separates the sides."""
    if any(side.has(sp.zoo, sp.nan, sp.oo) for side in both):
        return False
    for place in places:
        try:
            left, right = (value_of(tape(side), place, BITS) for side in both)
        except (Undefined, Unclear):
            return False
        if order(left, right, BITS) not in (0, None):
            return False
    return True
