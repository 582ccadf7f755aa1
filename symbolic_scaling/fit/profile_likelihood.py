"""Profile likelihood intervals: a quantity is moved away from its estimate, everything else refitted.

A row ``stiff * (g(u) - target)`` is added to the problem. Its optimum is a point of the profile of g, exactly, at the
value of g that comes out and not at the target: whatever u fits best with that g. The ends are where the objective has
risen by ``k t^2``, with k of the Gauss-Newton covariance and t Student's quantile (Bates and Watts 1988, chapter 6);
they move with the quantity under any change of parameters. Where g stops at a wall of the box before, the interval ends
there: it is one-sided. Where it goes on and on without that rise, the interval is open.

Both sides are solved together, each target from the point before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from . import nearby
from .derived import Quantity
from .local import Local
from .nearby import Family, Index
from .refit import again
from .solve import Floats

__all__ = ["Side", "ends"]

_STIFF = 30.0  # of the added row, relative to the curvature of the profile
_DOUBLINGS, _ROUNDS = 24, 12
_ENDLESS = 1e6  # widths: an end that is not reached before is open
_FAR = 200.0  # logarithms: beyond the amplitudes that the box allows
_CLOSE = 1e-5  # of the rise: where an end is found
_STILL = 1e-3  # of the way asked for: a quantity that moves less stands at a wall


@dataclass(frozen=True)
class Side:
    """One end: its value, and whether it is ``crossed``, a ``wall`` of the box or ``open``."""

    value: float
    kind: str


def ends(local: Local, quantity: Quantity, level: float) -> tuple[Side, Side]:
    """The lower and upper end of a quantity's profile interval, in the scale of :class:`Quantity`'s call.

    Raises
    ------
    FitError
        Without degrees of freedom.
    """
    width = local.width(quantity)
    if not (np.isfinite(width) and width > 0):
        return Side(-np.inf, "open"), Side(np.inf, "open")
    profile = _Profile(local, quantity, width)
    reach = local.reach(level)
    sides = [_Walk(sign, _Point(0.0, 0.0, local.u[0])) for sign in (-1, 1)]
    for step in (_outward, _inward):
        for _ in range(_DOUBLINGS if step is _outward else _ROUNDS):
            asked = [(side, *ask) for side in sides if (ask := step(side, reach, profile)) is not None]
            if not asked:
                break
            targets = np.array([profile.middle + side.sign * way for side, way, _ in asked])
            points = profile.at(targets, np.array([begun for *_, begun in asked]))
            for (side, way, _), point in zip(asked, points, strict=True):
                side.take(way, point, reach, profile)
    lower, upper = (side.ended(reach, profile.middle) for side in sides)
    return lower, upper


@dataclass(frozen=True)
class _Point:
    """A point of a profile: how far the quantity went, the root of the rise in units of k, and the coordinates."""

    way: float
    rise: float
    u: Floats


@dataclass
class _Walk:
    """One side: the last point below the rise that is looked for, the first one above it, and how it ended."""

    sign: int
    inner: _Point
    outer: _Point | None = None
    asked: float = 0.0
    kind: str = ""
    still: int = field(default=0)

    def take(self, way: float, point: _Point, reach: float, profile: _Profile) -> None:
        """A new point, after ``way`` was asked for."""
        seeking = self.outer is None
        if point.rise >= reach:
            self.outer = point
        else:
            if seeking and point.way - self.inner.way < _STILL * (way - self.inner.way):
                self.still += 1
                self.kind = "wall" if self.still > 1 else ""
            if seeking and (point.way > _ENDLESS * profile.width or profile.far(point.way)):
                self.kind = "open"
            self.inner = point if point.way >= self.inner.way else self.inner
        self.asked = way

    def ended(self, reach: float, middle: float) -> Side:
        """The end of the interval on this side."""
        if self.outer is None:
            open_end = self.kind != "wall"
            return Side(self.sign * np.inf if open_end else middle + self.sign * self.inner.way, self.kind or "open")
        return Side(middle + self.sign * _between(self.inner, self.outer, reach), "crossed")


def _between(inner: _Point, outer: _Point, reach: float) -> float:
    """Where the rise is reached, on the chord."""
    part = (reach - inner.rise) / max(outer.rise - inner.rise, 1e-300)
    return inner.way + min(max(part, 0.0), 1.0) * (outer.way - inner.way)


def _outward(side: _Walk, reach: float, profile: _Profile) -> tuple[float, Floats] | None:
    """The next way to ask for and where to begin, while the rise is not reached."""
    if side.outer is not None or side.kind:
        return None
    return (2 * side.asked or reach * profile.width), side.inner.u


def _inward(side: _Walk, reach: float, profile: _Profile) -> tuple[float, Floats] | None:
    """The same inside the bracket, until its end is near enough."""
    if side.outer is None or side.outer.rise <= reach * (1 + _CLOSE) or side.inner.rise >= reach * (1 - _CLOSE):
        return None
    inner, outer = side.inner, side.outer
    gap = outer.way - inner.way
    if gap <= _CLOSE * outer.way:
        return None
    way = min(max(_between(inner, outer, reach), inner.way + 0.02 * gap), outer.way - 0.02 * gap)
    part = (way - inner.way) / gap
    pull = reach * (outer.rise - inner.rise) / gap * profile.width**2 / _STIFF  # how far the row's end stands off
    return way + pull, inner.u + part * (outer.u - inner.u)


class _Profile:
    """The problem with a row that holds the quantity at a target."""

    def __init__(self, local: Local, quantity: Quantity, width: float) -> None:
        self.local, self.quantity, self.width = local, quantity, width
        self.middle = local.gradient(quantity)[0]
        self.least = float(local.weights @ local.loss[0])
        self.bends = self._family(np.array([self.middle])).curvature(local.u[0])

    def far(self, way: float) -> bool:
        """Whether a positive quantity has left what the box stands for."""
        return self.quantity.positive and way > _FAR

    def _family(self, targets: Floats) -> Family:
        base = self.local.family
        weight = _STIFF * self.local.scale / self.width**2

        def rows(u: Floats, who: Index) -> tuple[Floats, Floats]:
            r, jacobian = base.rows(u, np.zeros_like(who))
            value, slopes = self.local.values(self.quantity, u)
            one = np.concatenate([jacobian, slopes[:, :, None]], axis=2)
            return np.concatenate([r, (value - targets[who])[:, None]], axis=1), one

        weights = np.append(self.local.weights, weight)
        return Family(
            rows,
            lambda who: np.broadcast_to(weights, (len(who), len(weights))),
            base.lo,
            base.hi,
            base.loss,
            base.squares + 1,
        )

    def at(self, targets: Floats, begun: Floats) -> list[_Point]:
        """The points of the profile that the targets lead to."""
        family, who = self._family(targets), np.arange(len(targets))
        found = again(family, who, nearby.descend(family, who, begun, self.bends), self.bends)[0]
        values = self.local.values(self.quantity, found.u)[0]
        held = _STIFF * self.local.scale / self.width**2 * (values - targets) ** 2
        rises = np.sqrt(np.maximum(found.cost - held - self.least, 0.0) / self.local.scale)
        ways = np.abs(values - self.middle)
        return [_Point(float(w), float(r), u) for w, r, u in zip(ways, rises, found.u, strict=True)]
