"""A second judge of what is PROVED, which shares nothing with the proof: ball arithmetic where mistakes would show.

Equalities and inequalities are evaluated at hostile points (:mod:`.hostile`). Limits and bounds are followed far out,
to the moving letter at 2**(2**180), with the other letters at hostile points too. A certain conflict is no verdict but
a fault of the package, and is raised as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpz

from ..errors import ClaimError, InternalError
from ..records import Asymptotic, Claim, Equal, Less, Tends
from .arithmetic import as_ball
from .ball import QUICK, Tape, Unclear, Undefined, Value, elementary, evaluate, gap, tape
from .follow import approached
from .hostile import Place, as_point, places
from .points import Point, show_point

__all__ = ["check", "met"]

POINTS, FAR_POINTS, SEED = 50, 8, 11
FAR_BITS = 512
SIZES = (20, 60, 180)
"""The letter that moves goes through 2**(2**k)."""
HARDLY = arb(0.999)


def check(claimed: Claim) -> None:
    """Look for a certain conflict with a claim that is said to be proved.

    Raises
    ------
    InternalError
        If there is one; it names the claim and the point.

    Examples
    --------
    >>> a, b = sp.symbols("a b", positive=True)
    >>> check(Claim("wrong", Less(a, b)))
    Traceback (most recent call last):
    ...
    symbolic_scaling.errors.InternalError: judge wrong: it was proved, and is false at ...
    """
    said = claimed.statement
    parts = [part for part in vars(said).values() if isinstance(part, sp.Basic)]
    bad: Point | None = None
    try:
        if isinstance(said, Equal | Less) and not any(part.has(sp.Limit) for part in parts):
            bad = _between(claimed)
        elif isinstance(said, Equal) and isinstance(said.left, sp.Limit) and not said.right.has(sp.Limit):
            body, symbol, end = said.left.args[:3]
            bad = _limit(claimed, body, symbol, end, said.right)
        elif isinstance(said, Tends):
            bad = _limit(claimed, said.expression, said.symbol, said.point, said.value)
        elif isinstance(said, Asymptotic) and said.bound:
            bad = _far(claimed, (said.left / said.right,), said.symbol, said.point, _grows)
        elif isinstance(said, Asymptotic) and said.order == 1:
            bad = _limit(claimed, said.left / said.right, said.symbol, said.point, sp.Integer(1))
    except ClaimError:  # a function that balls do not know
        return
    if bad is not None:
        found = f"it was proved, and is false at {show_point(bad.exact)}"
        raise InternalError(f"judge {claimed.name}", found, "report it: the proof is wrong")


def met(needs: Iterable[tuple[sp.Expr, str]], place: Place) -> bool:
    """Whether everything that a text needs is certainly so at a point."""
    holds: dict[str, Callable[[int | None], bool]] = {
        ">": lambda sign: sign == 1,
        ">=": lambda sign: sign in (0, 1),
        "!=": lambda sign: sign in (1, -1),
    }
    for u, op in needs:
        if op in holds and u.free_symbols <= set(place):
            try:
                if not holds[op](gap(tape(u), tape(sp.Integer(0)), place, QUICK)[0]):
                    return False
            except (Undefined, Unclear):
                return False
    return True


def _between(claimed: Claim) -> Point | None:
    """A point where two sides certainly do not stand as claimed."""
    said = claimed.statement
    assert isinstance(said, Equal | Less)
    low, high = (said.left, said.right) if isinstance(said, Equal) else (said.lesser, said.greater)
    wrong = (1, -1) if isinstance(said, Equal) else (1, 0) if said.strict else (1,)
    sides = tape(low), tape(high)
    parts = (low, high) if isinstance(said, Equal) else (low, high, low - high)
    for place in places(parts, claimed.domain, POINTS, SEED):
        try:
            sign = gap(*sides, place, QUICK)[0]
        except (Undefined, Unclear):
            continue
        if sign in wrong and sign is not None and met(claimed.needs, place):
            return as_point(place)
    return None


def _limit(claimed: Claim, body: sp.Expr, symbol: sp.Symbol, end: sp.Expr, value: sp.Expr) -> Point | None:
    """A point of the other letters where the expression certainly stays away from its limit."""
    if value.has(sp.oo, -sp.oo, sp.zoo, sp.nan) or value.has(symbol):
        return None
    return _far(claimed, (body, value), symbol, end, _stays_away)


def _far(
    claimed: Claim,
    parts: Sequence[sp.Expr],
    symbol: sp.Symbol,
    end: sp.Expr,
    wrong: Callable[[Sequence[Any]], bool],
) -> Point | None:
    """A point of the other letters where what the parts are far out is wrong."""
    if any(part.has(sp.Limit) for part in parts):
        return None
    plain = tuple(elementary(part) for part in parts)
    where = approached(claimed.domain, symbol)
    below = symbol.is_negative or where.interval(symbol).hi <= 0
    others = tuple(part for part in plain if part.free_symbols - {symbol})
    tapes = tuple(tape(part) for part in plain)
    steep = tuple(part.xreplace({symbol: sp.Integer(2)}) for part in others)
    for place in places(steep, where, FAR_POINTS, SEED) if others else iter([{}]):
        course = [_course(tapes, symbol, size if end == sp.oo else -size, bool(below), place) for size in SIZES]
        if None not in course and wrong(course) and met(claimed.needs, place):
            return as_point(place)
    return None


def _course(tapes: tuple[Tape, ...], symbol: sp.Symbol, size: int, below: bool, place: Place) -> Any:
    """The first part less the second, the moving letter at 2**(+-2**size); None where balls do not tell."""
    with ctx.workprec(FAR_BITS):
        power = fmpz(2) ** abs(size)
        moving = arb((1, power if size > 0 else -power))
        values: dict[sp.Symbol, Value] = {**place, symbol: -moving if below else moving}
        try:
            first, *rest = [as_ball(evaluate(rows, values, FAR_BITS)) for rows in tapes]
        except (Undefined, Unclear):
            return None
        return abs(first - rest[0]) if rest else abs(first)


def _stays_away(course: Sequence[Any]) -> bool:
    """Whether the distance certainly hardly shrinks."""
    first, second, third = course
    return bool(third > 0 and third > first * HARDLY and third > second * HARDLY)


def _grows(course: Sequence[Any]) -> bool:
    """Whether the size certainly doubles at every step."""
    first, second, third = course
    return bool(second > 2 * first and third > 2 * second)
