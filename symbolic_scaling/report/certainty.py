"""How sure a fit is, drawn: the profile of every constant, and the floor as the largest runs are left out.

A profile is the objective's rise as one constant moves and the others are refitted; where it is a parabola the delta
method is right. A floor that moves as runs are left out is not determined by them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import ScalingError
from .plot import Curve, Points

if TYPE_CHECKING:
    from ..fit import FitResult

__all__ = ["floors", "profiles"]

_LEVEL, _MOST = 0.95, 8

Drawn = tuple[tuple[Points, ...], tuple[Curve, ...]]


def profiles(fit: FitResult) -> dict[str, Drawn]:
    """Constant -> its profile, and the rise at which a 95 % interval ends; constants without one are left out.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> x = np.array([1e5, 1e6, 1e7, 1e8])
    >>> found = fit.curve(laws.get("m1"), x, 3 * x**-0.1 * [1.001, 0.999, 0.999, 1.001])
    >>> sorted(profiles(found))
    ['beta', 'c']
    """
    from ..fit.derived import quantity
    from ..fit.local import at_optimum
    from ..fit.profile_likelihood import trace

    fixed = dict(fit.problem.fix)
    made: dict[str, Drawn] = {}
    if not fit.outcome.success:
        return {}
    local = at_optimum(fit)
    for symbol in fit.law.constants:
        if symbol.name in fixed:
            continue
        of = quantity(fit.law, symbol.name, ties=fit.problem.tie)
        try:
            values, rises = trace(local, of, _LEVEL)
        except ScalingError:
            return {}
        shown = of.shown(values)
        if len(shown) > 2 and np.isfinite(shown).all():
            ends = shown[[0, -1]]
            limit = Curve("where 95 % ends", ends, np.full(2, local.reach(_LEVEL) ** 2))
            best = Points("estimate", np.array([fit.estimate[symbol.name]]), np.zeros(1))
            made[symbol.name] = ((best,), (Curve("profile", shown, rises), limit))
    return made


def floors(fit: FitResult) -> Drawn | None:
    """The floor against the largest size that stays; None unless the law has one free floor and rows to spare.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> x = np.geomspace(1e4, 1e8, 9)
    >>> found = fit.curve(laws.get("m2"), x, 0.2 + 30 * x**-0.4)
    >>> (points,), _ = floors(found)
    >>> points.y.round(6).tolist()[:2]
    [0.2, 0.2]
    """
    from ..fit.select import leave_largest_out
    from ..fit.windows import sizes

    name = floor_of(fit)
    if name is None:
        return None
    size = np.exp(sizes([values for _, values in fit.problem.x]))
    largest = np.unique(size)[::-1]
    left = [(0, fit.estimate[name]), *((each.sizes, each.floor) for each in leave_largest_out(fit, _MOST))]
    known = [(largest[out], floor) for out, floor in left if floor is not None and out < len(largest)]
    if len(known) < 2:
        return None
    at, values = np.array(known).T
    ends = np.array([at.min(), at.max()])
    band = {
        label: level for each, *both in fit.intervals if each == name for label, level in zip(_BAND, both, strict=True)
    }
    lines = [Curve("with all runs", ends, np.full(2, values[0]))]
    lines += [Curve(label, ends, np.full(2, level)) for label, level in band.items()]
    return (Points("without larger runs", at, values),), tuple(lines)


_BAND = ("95 % from", "95 % to")


def floor_of(fit: FitResult) -> str | None:
    """The one free constant that lies below the response; None where there is none or several."""
    law, fixed = fit.law, dict(fit.problem.fix)
    found = [p.symbol.name for p in law.parameters if p.closed and p.below == law.response.symbol]
    return found[0] if len(found) == 1 and found[0] not in fixed else None
