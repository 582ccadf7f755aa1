"""Looking at a claim in exact points of its domain by ball arithmetic: where both sides exist, and which is larger.

A counterexample is certain: the point satisfies every fact of the domain exactly and the two balls do not meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import sympy as sp

from .. import budget
from ..domain import Domain
from ..records import Status
from .ball import LADDER, Unclear, Undefined, Value, evaluate, gap, show, tape
from .finding import Finding
from .points import Point, points, show_point

__all__ = ["Look", "certificate", "counterexample", "look", "look_at", "lopsided", "undefined_note"]


POINTS = 36


@dataclass(frozen=True)
class Look:
    """Both sides at one point.

    ``sign`` is the certain sign of ``left - right``, 0 only when both are the same exact number, None when no
    precision separates them. ``missing`` names the sides that certainly have no value, and why; ``unclear`` is set
    where no precision shows a value. In both cases there is no sign.
    """

    point: Point
    sign: int | None = None
    left: Value | None = None
    right: Value | None = None
    missing: tuple[tuple[str, str], ...] = ()
    unclear: bool = False

    @property
    def defined(self) -> bool:
        """Whether both sides have a value here."""
        return not self.missing and not self.unclear


def look(
    left: sp.Expr, right: sp.Expr, domain: Domain, first: int | None = None, *, ladder: Sequence[int] = LADDER
) -> Iterator[Look]:
    """Both sides at the ``first`` points inside the domain, all of some fifty by default; the same every time.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> {seen.sign for seen in look(x + 1, x, Domain(), 6)}
    {1}
    """
    yield from look_at(left, right, points(left.free_symbols | right.free_symbols, domain, POINTS)[:first], ladder)


def look_at(left: sp.Expr, right: sp.Expr, where: Iterable[Point], ladder: Sequence[int] = LADDER) -> Iterator[Look]:
    """Both sides at given points."""
    sides = tape(left), tape(right)
    for point in where:
        budget.check("look for a counterexample")
        try:
            yield Look(point, *gap(*sides, point.balls, ladder))
        except (Undefined, Unclear):
            both = (("left", left), ("right", right))
            missing = tuple((name, why) for name, side in both if (why := _no_value(side, point, ladder)))
            yield Look(point, missing=missing, unclear=not missing)


def _no_value(side: sp.Expr, point: Point, ladder: Sequence[int]) -> str:
    """Why a side certainly has no value at the point; empty if it has one or no precision tells."""
    for bits in ladder:
        try:
            evaluate(tape(side), point.balls, bits)
            return ""
        except Undefined as reason:
            return str(reason)
        except Unclear:
            continue
    return ""


def counterexample(seen: Iterable[Look], violates: Callable[[int], bool]) -> Look | None:
    """The first look whose certain sign violates the claim."""
    return next((one for one in seen if one.sign is not None and violates(one.sign)), None)


def certificate(
    found: Look, method: str = "ball arithmetic at an exact point", sides: tuple[str, str] = ("left", "right")
) -> Finding:
    """REFUTED with the point and both balls."""
    assert found.left is not None and found.right is not None
    values = (sides[0], show(found.left)), (sides[1], show(found.right))
    return Finding(Status.REFUTED, method, (("point", show_point(found.point.exact)), *values))


def lopsided(seen: list[Look]) -> bool:
    """Whether one side alone lacks a value at a point drawn at random, which no removable point explains."""
    return any(one.point.generic and len(one.missing) == 1 for one in seen)


def undefined_note(seen: list[Look]) -> str:
    """A sentence on the points where a side has no value; empty if there are none."""
    gaps = [one for one in seen if one.missing]
    if not gaps:
        return ""
    first = gaps[0]
    sides = " and ".join(f"{name} ({why})" for name, why in first.missing)
    return (
        f"at {len(gaps)} of {len(seen)} points a side is not defined, first {sides} at {show_point(first.point.exact)}"
    )
