"""Many problems beside one whose optimum is known: damped Newton steps on normal equations, all members at once.

The members share rows and box and differ in their weights, responses or targets. Each minimises
``sum_n w_n rho(r_n(u))``; a step solves ``(H + damping * diag M) d = -g`` with

    g = sum w rho'(r) J,      M = sum w (rho'(r)/r) J J^T,      H = sum w (rho''(r) J J^T + rho'(r) C).

``C`` is the curvature of each residual, taken once, at the known optimum: for a family close to it this is Newton's
method at the price of Gauss-Newton's, and it stays one where a robust loss leaves ``J J^T`` few rows. A step stops on
the walls of the box and the free coordinates are solved again; a coordinate on its wall whose gradient points outward
is held.

Convergence is the decrement that the step foresees, relative to the cost: the square of the relative offset of
:mod:`.solve`. Normal equations square the condition of ``J``: that slows the last steps of a problem that is hardly
identified and moves no optimum, for the gradient is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..budget import check
from .family import Family, Index
from .solve import Floats

__all__ = ["Found", "descend"]

_OFFSET = 1e-12  # the square of the relative offset
_ROUNDING = 1e-29  # the same, absolute: residuals that are rounding
_RESOLVED = 1e-11  # what a cost can resolve when no step lowers it any more
_DAMPING, _EASE, _LEAST, _LARGEST = 1e-4, 0.1, 1e-12, 1e14
_SAME = 1e-9  # of the cost: two ends that a refit cannot tell apart
_CACHED = 1 << 16  # numbers of a Jacobian at a time
_LEVEL = 1e-15  # of the cost: what rounding may raise it by


@dataclass(frozen=True, eq=False)
class Found:
    """Where members ended: ``u`` (k, p), ``cost`` (k,), ``converged`` (k,)."""

    u: Floats
    cost: Floats
    converged: NDArray[np.bool_]

    def lower(self, other: Found, where: Index | None = None) -> Found:
        """The better of each two: an end that has arrived before one that has not, then the lower one.

        Parameters
        ----------
        other : Found
            Of the same members, or of those ``where`` numbers.
        """
        at = np.arange(len(self.u)) if where is None else where
        worse = self.cost[at] * (1 - _SAME)
        better = other.converged & (~self.converged[at] | (other.cost < worse))
        better |= ~self.converged[at] & (other.cost < worse)
        at, u, cost, converged = at[better], self.u.copy(), self.cost.copy(), self.converged.copy()
        u[at], cost[at], converged[at] = other.u[better], other.cost[better], other.converged[better]
        return Found(u, cost, converged)

    @classmethod
    def joined(cls, parts: list[Found]) -> Found:
        """All members of all parts."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("u", "cost", "converged")))


def descend(family: Family, who: Index, start: Floats, bends: Floats, steps: int = 60) -> Found:
    """Lower the cost of each member from its start.

    Parameters
    ----------
    family : Family
    who : array (k,)
        The numbers of the members.
    start : array (k, p)
    bends : array (n, p, p)
        The curvature of the residuals, see :meth:`Family.curvature`.
    steps : int
        At most so many evaluations.

    Examples
    --------
    >>> A = np.array([[1.0, 1.0, 1.0], [0.0, 1.0, 2.0]])
    >>> def line(u, who):
    ...     return u @ A - np.array([1.0, 3.0, 5.0]), np.broadcast_to(A[:, None], (2, len(u), 3))
    >>> weights = np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 0.0]])
    >>> family = Family(line, lambda who: weights[who], np.array([-9.0, -9.0]), np.array([9.0, 1.5]))
    >>> descend(family, np.arange(2), np.zeros((2, 2)), np.zeros((3, 2, 2))).u.round(9).tolist()
    [[1.5, 1.5], [1.25, 1.5]]
    """
    live = _Live(family, np.asarray(who), np.clip(start, family.lo, family.hi), bends)
    ended = Found(live.u.copy(), live.cost.copy(), np.zeros(len(who), dtype=bool))
    live.keep(np.isfinite(live.cost))
    for _ in range(steps):
        check("refit")
        if not live.place.size:
            break
        step, fall = live.step(live.damping)
        done, stuck, last = live.finished(fall)
        if (over := done | stuck).any():
            at = live.place[over]
            live.u[done] = np.clip(live.u + last, family.lo, family.hi)[done]
            ended.u[at], ended.cost[at], ended.converged[at] = live.u[over], live.cost[over], done[over]
            live.keep(~over)
            step, fall = step[~over], fall[~over]
        live.accept(step, fall)
    ended.u[live.place], ended.cost[live.place] = live.u, live.cost
    return ended


class _Live:
    """The members that still move; ``place`` says where they stand among all."""

    def __init__(self, family: Family, who: Index, u: Floats, bends: Floats) -> None:
        self.family, self.who, self.u = family, who, u
        self.bends = bends.reshape(len(bends), -1)
        self.place = np.arange(len(who))
        self.damping, self.growth = np.full(len(who), _DAMPING), np.full(len(who), 2.0)
        self.weights = family.weights(who)
        self.cost, self.gradient, self.whole, self.scale = self.system(who, u, self.weights)

    def system(self, who: Index, u: Floats, weights: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Cost (k,), gradient (k, p), H (k, p, p) and the diagonal of M (k, p); infinite costs where undefined."""
        r, jacobian = self.family.rows(u, who)
        with np.errstate(all="ignore"):
            rho, slope, bend, ratio = self.family.lost(r)
            cost = np.einsum("kn,kn->k", weights, rho)
            slope, steep = weights * slope, weights * bend
            columns = jacobian.transpose(1, 0, 2)
            gradient = (columns @ slope[..., None])[..., 0]
            whole = _gram(columns, steep)
            if ratio is bend:
                scale = np.diagonal(whole, axis1=1, axis2=2).copy()
            else:
                scale = np.einsum("pkn,pkn,kn->kp", jacobian, jacobian, weights * ratio, optimize=False)
            whole += _product(slope, self.bends).reshape(whole.shape)
        good = np.isfinite(cost + gradient.sum(axis=1) + whole.sum(axis=(1, 2)))
        if not good.all():
            cost = np.where(good, cost, np.inf)
            gradient, scale = np.where(good[:, None], gradient, 0.0), np.where(good[:, None], scale, 1.0)
            whole = np.where(good[:, None, None], whole, 0.0)
        return cost, gradient, whole, scale

    def keep(self, mask: NDArray[np.bool_]) -> None:
        """Drop the members outside ``mask``."""
        if not mask.all():
            names = ("place", "who", "u", "damping", "growth", "weights", "cost", "gradient", "whole", "scale")
            for name in names:
                setattr(self, name, getattr(self, name)[mask])

    def step(self, damping: Floats, which: NDArray[np.bool_] | slice = slice(None)) -> tuple[Floats, Floats]:
        """The steps (k, p) of some members, and how far the quadratic model falls along them (k,)."""
        u, scale, gradient = self.u[which], self.scale[which], self.gradient[which]
        lo, hi = self.family.lo - u, self.family.hi - u
        held = ((lo >= 0) & (gradient >= 0)) | ((hi <= 0) & (gradient <= 0)) | (scale <= 0)
        unit = 1 / np.sqrt(np.where(scale > 0, scale, 1.0))
        with np.errstate(over="ignore", invalid="ignore"):
            whole, pull = self.whole[which] * unit[:, :, None] * unit[:, None, :], gradient * unit
        lo, hi = lo / unit, hi / unit
        moved = np.zeros_like(u)
        eye = np.eye(u.shape[1])
        damped = whole + damping[:, None, None] * eye
        while True:
            right = np.where(held, moved, -pull - np.einsum("kij,kj->ki", damped, np.where(held, moved, 0.0)))
            matrix = np.where(held[:, :, None] | held[:, None, :], eye, damped)
            moved = _solved(matrix, right)
            out = ~held & ((moved < lo) | (moved > hi))
            if not out.any():
                break
            held, moved = held | out, np.clip(moved, lo, hi)
        fall = -np.einsum("kp,kp->k", pull, moved) - np.einsum("ki,kij,kj->k", moved, whole, moved) / 2
        return moved * unit, fall

    def finished(self, fall: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_], Floats]:
        """Who has arrived, whose damping has run away, and the undamped steps (k, p) of these.

        Who seems to have arrived and would fall further without damping goes on without.
        """
        least = _OFFSET * self.cost + _ROUNDING
        near, stuck, last = np.abs(fall) <= least, self.damping > _LARGEST, np.zeros_like(self.u)
        some = near | stuck
        if not some.any():
            return near, stuck, last
        free = np.full(len(near), np.inf)
        last[some], free[some] = self.step(np.full(int(some.sum()), _LEAST), some)
        arrived = near & (np.abs(free) <= least)
        self.damping = np.where(near & ~arrived & ~stuck, np.minimum(self.damping, _LEAST), self.damping)
        return arrived | (stuck & (np.abs(free) <= _RESOLVED * self.cost)), stuck, last

    def accept(self, step: Floats, fall: Floats) -> None:
        """Take the steps that lower the cost; adapt the damping to how well the model foresaw it (Nielsen)."""
        if not self.place.size:
            return
        tried = np.clip(self.u + step, self.family.lo, self.family.hi)
        cost, gradient, whole, scale = self.system(self.who, tried, self.weights)
        good = cost <= self.cost * (1 + _LEVEL)
        good &= fall > 0
        gain = np.where(good, self.cost - np.where(good, cost, 0.0), 0.0) / np.maximum(fall, 1e-300)
        eased = np.maximum(_EASE, 1 - (2 * np.clip(gain, 0.0, 1.0) - 1) ** 3)
        self.damping = np.maximum(self.damping * np.where(good, eased, self.growth), _LEAST)
        self.growth = np.where(good, 2.0, 2 * self.growth)
        self.u, self.cost = np.where(good[:, None], tried, self.u), np.where(good, cost, self.cost)
        self.gradient = np.where(good[:, None], gradient, self.gradient)
        self.scale = np.where(good[:, None], scale, self.scale)
        self.whole = np.where(good[:, None, None], whole, self.whole)


def _gram(columns: Floats, weights: Floats) -> Floats:
    """``sum_n w_n J_n J_n^T`` (k, p, p) of columns (k, p, n), as many rows at a time as the cache holds."""
    k, p, n = columns.shape
    size, found = max(_CACHED // (k * p), 1024), np.zeros((k, p, p))
    for first in range(0, n, size):
        some = columns[..., first : first + size]
        found += (some * weights[:, None, first : first + size]) @ some.transpose(0, 2, 1)
    return found


def _product(left: Floats, right: Floats) -> Floats:
    """``left @ right`` of shapes (k, n) and (n, m), as many rows at a time as the cache holds."""
    size = max(_CACHED // right.shape[1], 1024)
    parts = (left[:, first : first + size] @ right[first : first + size] for first in range(0, len(right), size))
    return np.asarray(sum(parts))


def _solved(matrix: Floats, right: Floats) -> Floats:
    """The solutions of small systems; singular ones by least squares."""
    try:
        return np.asarray(np.linalg.solve(matrix, right[..., None])[..., 0])
    except np.linalg.LinAlgError:
        return np.asarray((np.linalg.pinv(matrix) @ right[..., None])[..., 0])
