"""The zero of a monotone function of a logarithm: a bracket by doubled steps, then secants that stay inside it.

Anderson and Bjorck's rule: an end that stays twice counts for less, so that both ends close in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ..errors import ScalingError

__all__ = ["bracket", "zero"]

_DOUBLINGS = 20  # of the step: no root is looked for at a |log| beyond 2**20

Bracket: TypeAlias = tuple[tuple[Any, Any], tuple[Any, Any]]  # (logarithm, value) on either side of the zero


def zero(context: Any, ratio: Callable[[Any], Any], between: Bracket, coarse: float) -> Any:
    """The zero between two points with values of either sign, by bracketed secants."""
    (low, at_low), (high, at_high) = between
    side = 0
    while high - low > max(8 * context.eps * max(1, abs(low), abs(high)), coarse):
        middle = (low + high) / 2
        if context.isfinite(at_low) and context.isfinite(at_high) and side < 3:
            middle = (low * at_high - high * at_low) / (at_high - at_low)
        middle = middle if low < middle < high else (low + high) / 2
        value = ratio(middle)
        if value == 0:
            return middle
        if (value > 0) == (at_high > 0):  # Anderson and Bjorck: the end that stays twice counts for less
            at_low *= max(1 - value / at_high, context.mpf(1) / 4) if side > 0 and context.isfinite(at_high) else 1
            high, at_high, side = middle, value, max(side, 0) + 1
        else:
            at_high *= max(1 - value / at_low, context.mpf(1) / 4) if side < 0 and context.isfinite(at_low) else 1
            low, at_low, side = middle, value, min(side, 0) - 1
        side = 0 if abs(side) > 3 else side
    return (low + high) / 2


def bracket(context: Any, ratio: Callable[[Any], Any], start: Any, ends: tuple[Any, Any], asked: str) -> Bracket:
    """Two logarithms with values of either sign, away from the start in doubled steps or halfway to a finite end."""
    bottom, top = ends
    if not bottom < start < top:
        inside = top - 1 if context.isfinite(top) else bottom + 1
        start = (bottom + top) / 2 if context.isfinite(bottom + top) else inside
    first = ratio(start)
    left = right = (start, first)
    step = context.one
    halvings = context.prec if context.isfinite(bottom) or context.isfinite(top) else 0
    for _ in range(_DOUBLINGS + halvings):
        if first == 0:
            return left, right
        for sign in (1, -1):
            near = right if sign > 0 else left
            end = top if sign > 0 else bottom
            point = near[0] + sign * min(step, abs(end - near[0]) / 2)
            if not context.isfinite(end) and abs(point) > context.mpf(2) ** (_DOUBLINGS + 1):
                continue
            value = ratio(point)
            if value == 0 or (value > 0) != (first > 0):
                return (near, (point, value)) if sign > 0 else ((point, value), near)
            left, right = (left, (point, value)) if sign > 0 else ((point, value), right)
        step = min(2 * step, context.mpf(2) ** _DOUBLINGS)
    raise ScalingError(asked, "no change of sign is found", "check that the numbers satisfy what is given")
