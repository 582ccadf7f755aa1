"""The starts of a search that still move: their factors, and the steps they take.

``Live`` holds a batch of starts; a step of all of them is a few array operations. The algorithm is that of
:mod:`.solve`, which drives it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .solutions import Floats, Residual, Solutions, Values
from .triangle import damped, rooted, triangle

__all__ = [
    "AHEAD",
    "APART",
    "APART_FROM",
    "DAMPING",
    "EASE",
    "IDLE",
    "LARGEST_DAMPING",
    "OFFSET",
    "OFF_WALL",
    "RANK",
    "RESOLVED",
    "ROUNDING",
    "TURN",
    "Live",
    "finite",
]

OFFSET = 1e-6
ROUNDING = 4e-15
RANK = 1e-10
DAMPING = 1e-4
EASE = 0.1
OFF_WALL = 1e-9  # of a wall's own size: as good as on it
APART, APART_FROM = 1e-6, 1e-3  # differences of the Jacobian, relative to a coordinate or to this size
AHEAD = 0.1  # of a step: where its acceleration is measured
TURN = 0.375  # of a step: the largest correction that is trusted
RESOLVED = 1e-6  # its square is what a sum of squares can resolve when no step lowers it any more
LEAST_DAMPING, LARGEST_DAMPING = 1e-14, 1e14
IDLE = 1e-18  # norm of a column that changes no digit of a residual from wall to wall
MANY, POOR = 16, 1e-3  # columns whose squares are taken first, and a diagonal entry that asks for QR


def finite(r: Floats, jacobian: Floats) -> tuple[Floats, Floats, Floats]:
    """Costs, residuals and Jacobian; a member with anything infinite or undefined costs infinity."""
    cost = np.einsum("kn,kn->k", r, r)
    size = cost + np.einsum("knp->k", jacobian)
    if np.isfinite(size).all():
        return cost, r, jacobian
    bad = ~np.isfinite(size)
    return np.where(bad, np.inf, cost), np.where(bad[:, None], 0.0, r), np.where(bad[:, None, None], 0.0, jacobian)


class Live:
    """The starts that still move, and their factors; ``index`` says which they are."""

    def __init__(self, u: Floats, at_start: tuple[Floats, Floats, Floats], lo: Floats, hi: Floats) -> None:
        self.u, (self.cost, self.r, self.jacobian) = u.copy(), at_start
        self.lo, self.hi = lo, hi = np.broadcast_to(lo, u.shape), np.broadcast_to(hi, u.shape)
        self.near_lo, self.near_hi = lo + OFF_WALL * np.abs(lo), hi - OFF_WALL * np.abs(hi)
        self.index = np.arange(len(u))
        self.damping, self.growth = np.full(len(u), DAMPING), np.full(len(u), 2.0)
        self.at = np.zeros(u.shape, dtype=np.int_)
        self.scale, self.R, self.q, self.offset, self.done = u, u, u, self.damping, np.zeros(len(u), dtype=bool)

    def keep(self, mask: NDArray[np.bool_]) -> None:
        """Drop the starts outside ``mask``."""
        if not mask.all():
            for name in (
                "index",
                "u",
                "lo",
                "hi",
                "near_lo",
                "near_hi",
                "cost",
                "r",
                "jacobian",
                "damping",
                "growth",
                "at",
                "scale",
                "R",
                "q",
                "offset",
                "done",
            ):
                setattr(self, name, getattr(self, name)[mask])

    def factor(self) -> None:
        """QR of the scaled free columns beside the residual; of many columns by their squares, where that is as good.

        A held column is replaced by a unit row of its own below the data: orthogonal to everything, it takes no part.
        """
        p = self.u.shape[1]
        squares = self._squares() if p >= MANY else None
        if squares is None:
            gradient = np.einsum("knp,kn->kp", self.jacobian, self.r)
            norms = np.sqrt(np.einsum("knp,knp->kp", self.jacobian, self.jacobian))
        else:
            gradient, norms = squares[:, :p, p], np.sqrt(np.diagonal(squares, axis1=1, axis2=2)[:, :p])
        low = (self.u <= self.near_lo) & (gradient >= 0)
        high = (self.u >= self.near_hi) & (gradient <= 0)
        dead = low | high | (norms <= IDLE)
        self.scale = np.where(dead, 1.0, norms)
        upper = None if squares is None else rooted(squares, self.scale, dead)
        if upper is None:
            upper = self._triangle(np.arange(len(self.u)), dead)
        else:
            poor = np.flatnonzero(np.diagonal(upper, axis1=1, axis2=2)[:, :p].min(axis=1) < POOR)
            if poor.size:
                upper[poor] = self._triangle(poor, dead[poor])
        self.R, self.q, self.at = upper[:, :p, :p], upper[:, :p, p], high.astype(np.int_) - low

    def _squares(self) -> Floats:
        """Products of the columns of the Jacobian and the residual (k, p + 1, p + 1)."""
        (k, _), p = self.r.shape, self.u.shape[1]
        made, turned = np.empty((k, p + 1, p + 1)), self.jacobian.transpose(0, 2, 1)
        np.matmul(turned, self.jacobian, out=made[:, :p, :p])
        made[:, :p, p] = made[:, p, :p] = np.matmul(turned, self.r[:, :, None])[..., 0]
        made[:, p, p] = self.cost
        return made

    def _triangle(self, which: NDArray[np.int_], dead: NDArray[np.bool_]) -> Floats:
        """The triangles of some of the starts, by QR."""
        (k, n), p = self.r[which].shape, self.u.shape[1]
        stacked = np.zeros((k, n + p, p + 1))
        np.divide(self.jacobian[which], self.scale[which][:, None, :], out=stacked[:, :n, :p])
        if dead.any():
            stacked[:, :n, :p] *= ~dead[:, None, :]
            stacked[:, n:, :p] = dead[:, None, :] * np.eye(p)
        stacked[:, :n, p] = self.r[which]
        return triangle(stacked)

    def write(self, ended: Solutions) -> None:
        """Put down where the starts are now."""
        i = self.index
        ended.u[i], ended.cost[i], ended.at[i] = self.u, self.cost, self.at
        ended.r[i], ended.jacobian[i] = self.r, self.jacobian
        ended.offset[i], ended.converged[i] = self.offset, self.done

    def finished(self) -> NDArray[np.bool_]:
        """Whose residual has no part left in the free columns, or whose damping has run away."""
        diagonal = np.abs(np.diagonal(self.R, axis1=1, axis2=2))
        inside = np.sqrt(np.einsum("kp,kp->k", self.q, self.q))
        poor = np.flatnonzero(diagonal.min(axis=1, initial=1.0) <= RANK)
        if poor.size:  # some directions change nothing
            left, sizes, _ = np.linalg.svd(self.R[poor])
            part = np.einsum("kij,ki->kj", left, self.q[poor])
            inside[poor] = np.linalg.norm(np.where(sizes > RANK, part, 0.0), axis=1)
        size = np.sqrt(self.cost)
        stuck = self.damping > LARGEST_DAMPING
        self.done = (inside <= OFFSET * size + ROUNDING) | (stuck & (inside <= RESOLVED * size))
        self.offset = inside / np.maximum(size, 1e-300)
        return self.done | stuck

    def step(self) -> Floats:
        """The damped steps; a coordinate that would leave the box stops on the wall and the others are solved again."""
        lo, hi = (self.lo - self.u) * self.scale, (self.hi - self.u) * self.scale
        step = damped(self.R, self.q, self.damping)
        out = (step < lo) | (step > hi)
        held, q, walls = out, self.q, np.zeros_like(step)
        while out.any():
            moved = np.where(out, np.clip(step, lo, hi), 0.0)
            walls, q = walls + moved, q + np.einsum("kij,kj->ki", self.R, moved)
            step = np.where(held, 0.0, damped(np.where(held[:, None, :], 0.0, self.R), q, self.damping))
            out = ~held & ((step < lo) | (step > hi))
            held = held | out
        return (walls + step) / self.scale

    def better(self, residual: Residual, values: Values) -> tuple[Floats, Floats, Floats, Floats]:
        """The lower of the bent step and Newton's for each start: where it leads, cost, residuals and Jacobian."""
        k, bent = len(self.u), self.bent(self.step(), values)
        both = np.concatenate([self.u + bent, self.u + self.newton(residual)])
        both = np.clip(both, np.tile(self.lo, (2, 1)), np.tile(self.hi, (2, 1)))
        cost, r, jacobian = finite(*residual(both, np.tile(self.index, 2)))
        lower = np.arange(k) + k * (cost[k:] < cost[:k])
        return both[lower], cost[lower], r[lower], jacobian[lower]

    def newton(self, residual: Residual) -> Floats:
        """The steps of the whole Hessian, the residual's own curvature by differences of the Jacobian."""
        k, p = self.u.shape
        h = APART * np.maximum(np.abs(self.u), APART_FROM)
        h = np.where(self.u + h > self.hi, -h, h)
        around = (self.u[:, None] + h[:, :, None] * np.eye(p)).reshape(k * p, p)
        _, beside = residual(around, np.repeat(self.index, p))
        change = beside.reshape(k, p, *self.jacobian.shape[1:]) - self.jacobian[:, None]
        free = (self.at == 0) / self.scale
        own = np.einsum("kjnp,kn->kjp", change, self.r) / h[:, :, None] * free[:, :, None] * free[:, None]
        normal = np.einsum("kij,kil->kjl", self.R, self.R) + np.nan_to_num(own + np.swapaxes(own, 1, 2)) / 2
        sizes, axes = np.linalg.eigh(normal)
        along = np.einsum("kij,kli,kl->kj", axes, self.R, self.q)
        sizes = np.maximum(np.abs(sizes), RANK) + self.damping[:, None]
        return -np.einsum("kij,kj->ki", axes, along / sizes) / self.scale

    def bent(self, step: Floats, values: Values) -> Floats:
        """The steps with half their acceleration, where that is the smaller part."""
        ahead = values(np.clip(self.u + AHEAD * step, self.lo, self.hi), self.index)
        slope = np.einsum("knp,kp->kn", self.jacobian, step)
        second = np.nan_to_num(2 / AHEAD * ((ahead - self.r) / AHEAD - slope), nan=0.0, posinf=0.0, neginf=0.0)
        pull = np.einsum("knp,kn->kp", self.jacobian, second) * (self.at == 0) / self.scale
        normal = np.einsum("kij,kil->kjl", self.R, self.R)
        normal += np.maximum(self.damping, LEAST_DAMPING)[:, None, None] * np.eye(step.shape[1])
        turn = -0.5 * np.linalg.solve(normal, pull[..., None])[..., 0] / self.scale
        small = np.linalg.norm(turn * self.scale, axis=1) <= TURN * np.linalg.norm(step * self.scale, axis=1)
        return step + np.where(small[:, None], turn, 0.0)

    def accept(self, tried: Floats, cost: Floats, r: Floats, jacobian: Floats) -> None:
        """Take the steps that lower the cost; adapt the damping to how well the linear model foresaw it (Nielsen)."""
        linear = self.r + np.einsum("knp,kp->kn", self.jacobian, tried - self.u)
        foreseen = self.cost - np.einsum("kn,kn->k", linear, linear)
        good = cost < self.cost
        gain = np.where(good, self.cost - np.where(good, cost, 0.0), 0.0) / np.maximum(foreseen, 1e-300)
        eased = np.maximum(EASE, 1 - (2 * np.minimum(gain, 1.0) - 1) ** 3)
        self.damping *= np.where(good, eased, self.growth)
        self.growth = np.where(good, 2.0, 2 * self.growth)
        if good.all():
            self.u, self.cost, self.r, self.jacobian = tried, cost, r, jacobian
        else:
            self.u = np.where(good[:, None], tried, self.u)
            self.cost = np.where(good, cost, self.cost)
            self.r = np.where(good[:, None], r, self.r)
            self.jacobian = np.where(good[:, None, None], jacobian, self.jacobian)
