"""Profile likelihood intervals: a quantity is moved away from its estimate, everything else refitted.

A row ``stiff * (g(u) - target)`` is added to the problem. Its optimum is a point of the profile of g, exactly, at the
value of g that comes out and not at the target: whatever u fits best with that g. The ends are where the objective has
risen by ``k m t^2``, with k of the Gauss-Newton covariance, m the mean of rho'' (1 for squares) and t Student's
quantile (Bates and Watts 1988, chapter 6); they move with the quantity under any change of parameters. Where g stops at
a wall of the box before, the interval ends there: it is one-sided. Where it goes on and on without that rise, the
interval is open.

Both sides are solved together, each target from the point before it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import nearby
from .derived import Quantity
from .family import Family, Index
from .local import Local
from .refit import again
from .solve import Floats

__all__ = ["Side", "ends", "trace"]

_STIFF = 30.0  # of the added row, relative to the curvature of the profile
_MOST, _LOST = 60, 8  # points of a side, and how often it is asked for nearer
_ENDLESS = 1e6  # widths: an end that is not reached before is open
_FAR = 200.0  # logarithms: beyond the amplitudes that the box allows
_NEARLY = 1.15  # at least so much further, and beyond where a parabola would reach the rise
_TRACED, _TRACES = 1.25, 8  # how far beyond the ends a trace goes, in how many steps a side of a parabola
_STEPS = 25
_CLOSE = 1e-4  # of the rise: where an end is found
_STILL = 1e-3  # of the way asked for: a quantity that moves less stands at a wall


@dataclass(frozen=True)
class Side:
    """One end: its value, and whether it is ``crossed``, a ``wall`` of the box, ``open``, or ``lost`` on the way."""

    value: float
    kind: str


def ends(local: Local, quantity: Quantity, level: float) -> tuple[Side, Side]:
    """The lower and upper end of a quantity's profile interval, in the scale of :class:`Quantity`'s call.

    Raises
    ------
    FitError
        Without degrees of freedom.
    """
    width, direction = local.along(quantity)
    if not (np.isfinite(width) and width > 0):
        return Side(-np.inf, "open"), Side(np.inf, "open")
    profile = _Profile(local, quantity, width, local.reach(level))
    sides = [_Walk(profile, sign, _Point(0.0, 0.0, local.u[0]), sign * direction) for sign in (-1, 1)]
    for _ in range(_MOST):
        moving = [side for side in sides if side.seek()]
        if not moving:
            break
        points = profile.at(
            np.array([profile.middle + side.sign * side.asked for side in moving]),
            np.array([side.begin() for side in moving]),
            np.array([side.inner.u for side in moving]),
        )
        for side, point in zip(moving, points, strict=True):
            side.take(point)
    lower, upper = (side.ended() for side in sides)
    return lower, upper


@dataclass(frozen=True)
class _Point:
    """A point of a profile: how far the quantity went, the root of the rise over ``k m``, and the coordinates."""

    way: float
    rise: float
    u: Floats
    arrived: bool = True


@dataclass
class _Walk:
    """One side: the last point below the rise that is looked for, the first one above it, and how it ended.

    ``course`` (p,) is how the coordinates move along the profile, ``asked`` the way that the row is to hold.
    """

    profile: _Profile
    sign: int
    inner: _Point
    course: Floats
    outer: _Point | None = None
    asked: float = 0.0
    kind: str = ""
    still: int = 0
    lost: int = 0

    def seek(self) -> bool:
        """Set the next way to ask for; whether there is one."""
        if self.kind:
            return False
        profile, inner, outer = self.profile, self.inner, self.outer
        if outer is None:
            near = _NEARLY * profile.reach / max(inner.rise, 1e-9)
            further = 2.0 if self.still else min(2.0, max(_NEARLY, near))
            way = max(self.asked, inner.way) * further or profile.reach / 2 * profile.width
            self.asked = inner.way + (way - inner.way) / 4**self.lost
            return True
        gap = outer.way - inner.way
        if min(abs(point.rise / profile.reach - 1) for point in (inner, outer)) <= _CLOSE or gap <= _CLOSE * outer.way:
            self.kind = "crossed"
            return False
        part = (profile.reach - inner.rise) / (outer.rise - inner.rise) if not self.lost else 0.5**self.lost
        part = min(max(part, 0.02), 0.98)
        stand_off = profile.reach * (outer.rise - inner.rise) / gap * profile.width / _STIFF * profile.width
        self.asked = inner.way + part * gap + stand_off
        return True

    def begin(self) -> Floats:
        """The coordinates from which the next point is looked for."""
        if self.outer is None:
            return self.inner.u + (self.asked - self.inner.way) * self.course
        part = (self.asked - self.inner.way) / (self.outer.way - self.inner.way)
        return self.inner.u + min(part, 1.0) * (self.outer.u - self.inner.u)

    def take(self, point: _Point) -> None:
        """The point that came of it; one that did not arrive is asked for nearer."""
        if not point.arrived:
            self.lost += 1
            self.kind = "lost" if self.lost > _LOST else ""
            return
        self.lost = 0
        if point.rise >= self.profile.reach:
            self.outer = point
            return
        if self.outer is None:
            stands = point.way - self.inner.way < _STILL * (self.asked - self.inner.way)
            self.still = self.still + 1 if stands else 0
            endless = point.way > _ENDLESS * self.profile.width or self.profile.far(point.way)
            self.kind = "open" if endless else "wall" if self.still > 1 else ""
        if point.way > self.inner.way:
            self.course = (point.u - self.inner.u) / (point.way - self.inner.way)
            self.inner = point

    def ended(self) -> Side:
        """The end of the interval on this side; on the chord of the bracket."""
        middle, reach = self.profile.middle, self.profile.reach
        if self.outer is None:
            stays = self.kind == "wall"
            return Side(middle + self.sign * self.inner.way if stays else self.sign * np.inf, self.kind or "open")
        part = (reach - self.inner.rise) / max(self.outer.rise - self.inner.rise, 1e-300)
        way = self.inner.way + min(max(part, 0.0), 1.0) * (self.outer.way - self.inner.way)
        return Side(middle + self.sign * way, "crossed")


class _Profile:
    """The problem with a row that holds the quantity at a target."""

    def __init__(self, local: Local, quantity: Quantity, width: float, reach: float) -> None:
        self.local, self.quantity, self.width, self.reach = local, quantity, width, reach
        self.middle = local.gradient(quantity)[0]
        self.least = float(local.loads @ local.loss[0])
        self.bends = self._family(np.array([self.middle])).curvature(local.u[0])

    def far(self, way: float) -> bool:
        """Whether a positive quantity has left what the box stands for."""
        return self.quantity.positive and way > _FAR

    def _family(self, targets: Floats) -> Family:
        base = self.local.family
        weight = _STIFF * self.local.rise

        def rows(u: Floats, who: Index) -> tuple[Floats, Floats]:
            r, jacobian = base.rows(u, np.zeros_like(who))
            value, slopes = self.local.values(self.quantity, u)
            one = np.concatenate([jacobian, slopes[:, :, None] / self.width], axis=2)
            return np.concatenate([r, ((value - targets[who]) / self.width)[:, None]], axis=1), one

        weights = np.append(self.local.loads, weight)
        return Family(
            rows,
            lambda who: np.broadcast_to(weights, (len(who), len(weights))),
            base.lo,
            base.hi,
            base.loss,
            base.squares + 1,
        )

    def at(self, targets: Floats, begun: Floats, known: Floats) -> list[_Point]:
        """The points of the profile that the targets lead to, from the better of two starts each."""
        family, who = self._family(targets), np.arange(len(targets))
        begun = np.clip(begun, family.lo, family.hi)
        better = family.costs(begun, who) < family.costs(known, who)
        begun = np.where(better[:, None], begun, known)
        found = again(family, who, nearby.descend(family, who, begun, self.bends, _STEPS))[0]
        values = self.local.values(self.quantity, found.u)[0]
        held = _STIFF * self.local.rise * ((values - targets) / self.width) ** 2
        rises = np.sqrt(np.maximum(found.cost - held - self.least, 0.0) / self.local.rise)
        ways = np.abs(values - self.middle)
        parts = zip(ways.tolist(), rises.tolist(), found.u, found.converged.tolist(), strict=True)
        return [_Point(*part) for part in parts]


def trace(local: Local, quantity: Quantity, level: float) -> tuple[Floats, Floats]:
    """The profile of a quantity as points, for a picture of it.

    Returns
    -------
    values : array (k,)
        Rising, in the scale of :class:`Quantity`'s call.
    rises : array (k,)
        Of the objective, everything else refitted, in squares of the noise: an interval ends at ``reach**2``.

    Raises
    ------
    FitError
        Without degrees of freedom.
    """
    width, course = local.along(quantity)
    if not (np.isfinite(width) and width > 0):
        return np.empty(0), np.empty(0)
    profile = _Profile(local, quantity, width, local.reach(level))
    found = {profile.middle: 0.0}
    step = _TRACED * profile.reach * width / _TRACES
    sides = dict.fromkeys((-1, 1), local.u[0])
    for number in range(1, 2 * _TRACES + 1):
        signs = list(sides)
        known = np.array([sides[sign] for sign in signs])
        targets = np.array([profile.middle + sign * number * step for sign in signs])
        begun = known + np.array(signs)[:, None] * step * course
        for sign, point in zip(signs, profile.at(targets, begun, known), strict=True):
            if point.arrived:
                found[profile.middle + sign * point.way] = point.rise**2
                sides[sign] = point.u
            if not point.arrived or point.rise > _TRACED * profile.reach:
                del sides[sign]
        if not sides:
            break
    values = np.array(sorted(found))
    return values, np.array([found[value] for value in values.tolist()])
