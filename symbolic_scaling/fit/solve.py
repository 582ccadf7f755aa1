"""Bounded least squares for many starts at once: projected Levenberg-Marquardt on QR factors.

Each row of ``u`` is one start in a box. A step solves ``min |J d + r|^2 + lam |S d|^2`` over the free coordinates, with
``S`` the column norms of ``J`` (so that units do not matter) and by QR (so that the condition of ``J`` is not squared),
and is then clipped to the box. A coordinate on its bound whose gradient points outward is held for that step.

Convergence is the relative offset of Bates and Watts (1981, Technometrics 23): the part of the residual that lies in
the column space of the free columns, against the whole residual. It does not change when parameters or residuals are
scaled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ..budget import check

__all__ = ["Floats", "Residual", "Solutions", "minimise"]

Floats: TypeAlias = NDArray[np.float64]
#: (k, p) coordinates -> residuals (k, n) and Jacobian (k, n, p)
Residual: TypeAlias = Callable[[Floats], tuple[Floats, Floats]]

_OFFSET = 1e-9
_ROUNDING = 2e-15
_RESOLVED = 1e-6  # its square is what a sum of squares can resolve when no step lowers it any more
_LARGEST_DAMPING = 1e14


@dataclass(frozen=True)
class Solutions:
    """Where each start ended.

    ``u`` (k, p) coordinates, ``r`` (k, n) residuals, ``jacobian`` (k, n, p), ``cost`` (k,) sums of squares, ``offset``
    (k,) relative offsets, ``converged`` (k,), ``at`` (k, p) -1, 0 or +1 where a coordinate is held on its lower bound,
    free, or on its upper bound, ``steps`` evaluations made.
    """

    u: Floats
    r: Floats
    jacobian: Floats
    cost: Floats
    offset: Floats
    converged: NDArray[np.bool_]
    at: NDArray[np.int_]
    steps: int


def minimise(
    residual: Residual, start: Floats, lo: Floats, hi: Floats, *, steps: int = 200, offset: float = _OFFSET
) -> Solutions:
    """Minimise the sum of squares from every start inside the box.

    Parameters
    ----------
    residual : callable
        (k, p) -> residuals (k, n) and Jacobian (k, n, p); rows that are not finite count as infinitely bad.
    start : array (k, p)
        Starts; clipped to the box.
    lo, hi : array (p,)
        The box.
    steps : int
        At most so many evaluations.
    offset : float
        Relative offset at which a start has converged.

    Examples
    --------
    >>> A, b = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]), np.array([1.0, 3.0, 5.0])
    >>> def line(u):
    ...     return u @ A.T - b, np.broadcast_to(A, (len(u), 3, 2))
    >>> minimise(line, np.zeros((1, 2)), np.full(2, -9.0), np.full(2, 9.0)).u.round(9)
    array([[1., 2.]])
    """
    u = np.clip(np.asarray(start, dtype=np.float64), lo, hi)
    state = _State(u, _finite(*residual(u)), lo, hi)
    count = 1
    while count < steps and state.active.size:
        check("fit")
        tried = np.clip(state.u[state.active] + state.step(), lo, hi)
        state.accept(tried, *_finite(*residual(tried)))
        state.retire(offset)
        count += 1
    return Solutions(state.u, state.r, state.jacobian, state.cost, state.offset, state.converged, state.at, count)


def _finite(r: Floats, jacobian: Floats) -> tuple[Floats, Floats, Floats]:
    """Costs, residuals and Jacobian; a member with anything infinite or undefined costs infinity."""
    cost = np.einsum("kn,kn->k", r, r)
    bad = ~(np.isfinite(cost) & np.isfinite(jacobian).all(axis=(1, 2)))
    if bad.any():
        cost = np.where(bad, np.inf, cost)
        r = np.where(bad[:, None], 0.0, r)
        jacobian = np.where(bad[:, None, None], 0.0, jacobian)
    return cost, r, jacobian


class _State:
    """The moving parts of :func:`minimise`; ``active`` lists the starts still moving."""

    def __init__(self, u: Floats, start: tuple[Floats, Floats, Floats], lo: Floats, hi: Floats) -> None:
        cost, r, jacobian = start
        k, p = u.shape
        self.u, self.cost, self.lo, self.hi = u.copy(), cost, lo, hi
        self.r, self.jacobian = np.array(r), np.array(jacobian)
        self.damping = np.full(k, 1e-3)
        self.growth = np.full(k, 2.0)
        self.offset = np.full(k, np.inf)
        self.converged = np.zeros(k, dtype=bool)
        self.at = np.zeros((k, p), dtype=np.int_)
        self.active = np.flatnonzero(np.isfinite(cost))
        self.factors: dict[str, NDArray[np.float64]] = {}
        self.retire(_OFFSET)

    def factor(self) -> None:
        """QR of the scaled free columns beside the residual, for the active starts."""
        a, p = self.active, self.u.shape[1]
        r, jacobian, u = self.r[a], self.jacobian[a], self.u[a]
        gradient = np.einsum("knp,kn->kp", jacobian, r)
        at = np.where((u <= self.lo) & (gradient >= 0), -1, np.where((u >= self.hi) & (gradient <= 0), 1, 0))
        norms = np.sqrt(np.einsum("knp,knp->kp", jacobian, jacobian))
        dead = (at != 0) | (norms == 0)
        scale = np.where(dead, 1.0, norms)
        jacobian = np.where(dead[:, None, :], 0.0, jacobian / scale[:, None, :])
        order = np.argsort(dead, axis=1, kind="stable")
        stacked = np.zeros((len(a), max(r.shape[1], p + 1), p + 1))
        stacked[:, : r.shape[1], :p] = np.take_along_axis(jacobian, order[:, None, :], axis=2)
        stacked[:, : r.shape[1], p] = r
        triangle = _triangle(stacked)
        self.factors = {"R": triangle[:, :p, :p], "q": triangle[:, :p, p], "scale": scale}
        self.order, self.at[a] = order, at

    def retire(self, offset: float) -> None:
        """Stop the starts whose residual has no part left in the free columns, or whose damping has run away."""
        if not self.active.size:
            return
        self.factor()
        a, n = self.active, self.r.shape[1]
        inside = np.linalg.norm(self._column_part(), axis=1)
        size = np.sqrt(self.cost[a])
        self.offset[a] = inside / np.maximum(size, 1e-300)
        done = inside <= offset * size + _ROUNDING * np.sqrt(n)
        self.converged[a] |= done
        stuck = self.damping[a] > _LARGEST_DAMPING
        self.converged[a] |= stuck & (inside <= _RESOLVED * size)
        keep = ~(done | stuck)
        if not keep.all():
            self.active, self.order = a[keep], self.order[keep]
            self.factors = {name: value[keep] for name, value in self.factors.items()}

    def _column_part(self) -> Floats:
        """The residual's coordinates in the column space; directions of rank zero are left out."""
        diagonal = np.abs(np.diagonal(self.factors["R"], axis1=1, axis2=2))
        return np.where(diagonal > 1e-12, self.factors["q"], 0.0)

    def step(self) -> Floats:
        """The damped step of each active start; where a coordinate would leave the box, it stops on the wall and the
        others are solved again."""
        R, q, scale = self.factors["R"], self.factors["q"].copy(), self.factors["scale"]
        a, (k, p) = self.active, q.shape
        room = [np.take_along_axis((wall - self.u[a]) * scale, self.order, axis=1) for wall in (self.lo, self.hi)]
        held = np.zeros((k, p), dtype=bool)
        total = np.zeros((k, p))
        for _ in range(p):
            free = np.where(held, 0.0, _damped(np.where(held[:, None, :], 0.0, R), q, self.damping[a]))
            out = ~held & ((free < room[0]) | (free > room[1]))
            if not out.any():
                break
            moved = np.where(out, np.clip(free, *room), 0.0)
            total += moved
            q += np.einsum("kij,kj->ki", R, moved)
            held |= out
        step = np.empty_like(total)
        np.put_along_axis(step, self.order, total + np.where(held, 0.0, free), axis=1)
        return step / scale

    def accept(self, tried: Floats, cost: Floats, r: Floats, jacobian: Floats) -> None:
        """Take the steps that lower the cost; adapt the damping to how well the linear model foresaw it (Nielsen)."""
        a = self.active
        moved = tried - self.u[a]
        linear = self.r[a] + np.einsum("knp,kp->kn", self.jacobian[a], moved)
        foreseen = self.cost[a] - np.einsum("kn,kn->k", linear, linear)
        gain = (self.cost[a] - cost) / np.maximum(foreseen, 1e-300)
        good = (cost < self.cost[a]) & np.isfinite(cost)
        factor = np.maximum(1 / 3, 1 - (2 * np.clip(gain, 0.0, 1.0) - 1) ** 3)
        self.damping[a] *= np.where(good, factor, self.growth[a])
        self.growth[a] = np.where(good, 2.0, 2 * self.growth[a])
        taken = a[good]
        self.u[taken], self.cost[taken] = tried[good], cost[good]
        self.r[taken], self.jacobian[taken] = r[good], jacobian[good]


def _damped(R: Floats, q: Floats, damping: Floats) -> Floats:
    """``argmin |R d + q|^2 + damping |d|^2`` for each member, by QR."""
    k, p = q.shape
    augmented = np.zeros((k, 2 * p, p + 1))
    augmented[:, :p, :p], augmented[:, :p, p] = R, q
    augmented[:, p:, :p] = np.sqrt(damping)[:, None, None] * np.eye(p)
    triangle = _triangle(augmented)
    return cast(Floats, -np.linalg.solve(triangle[:, :p, :p], triangle[:, :p, p:])[..., 0])


def _triangle(stacked: Floats) -> Floats:
    """The upper triangles of a batch of QR factorisations."""
    return cast(Floats, np.linalg.qr(stacked, mode="r"))
