"""The descent of :mod:`..solve` as machine code, one start after another, residuals by a law's own kernel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...codegen.jit import eager, types
from ..live import AHEAD, APART, APART_FROM, DAMPING, EASE, OFF_WALL, TURN
from ..solve import PLAIN
from .algebra import arrived, foreseen, jit, newton, solved, triangle, walled

__all__ = ["curvature", "descend", "evaluate", "kernel_type", "task_type"]


def kernel_type() -> Any:
    """The signature of a law's kernel: data, parameters, sets, and the value and gradient that it fills."""
    cube, table = types.float64[:, :, ::1], types.float64[:, ::1]
    return types.void(cube, table, types.int64[::1], cube, cube)


def task_type() -> tuple[Any, ...]:
    """The types of what :func:`descend` gets after the kernels."""
    cube, table, line, whole = types.float64[:, :, ::1], types.float64[:, ::1], types.float64[::1], types.int64[::1]
    return (
        types.Tuple((cube, line, whole, whole, whole, table, line)),  # data, root, kind, place, base, span, constants
        types.Tuple((table, line, line)),  # start, lo, hi
        types.Tuple((types.int64, types.boolean)),
        types.Tuple((table, table, line, line)),
        types.Tuple((cube, types.boolean[::1], types.int64[:, ::1])),
    )


@jit
def evaluate(problem, u, r, jacobian):
    """Weighted residuals (n,) and slopes (n, p) at the coordinates u; their sum of squares, infinite if undefined."""
    both, explicit, switch, data, root, kind, place, base, span, constants = problem
    p, n, c = len(u), len(root), len(constants)
    given, value, gradient = np.empty((1, c)), np.empty((1, 1, n)), np.empty((c, 1, n))
    slope = np.ones(p)
    given[0] = constants
    for j in range(p):
        given[0, place[j]] = u[j]
        if kind[j] == 3:
            share = 1 / (1 + math.exp(-u[j]))
            given[0, place[j]] = span[j, 0] + (span[j, 1] - span[j, 0]) * share
            slope[j] = (span[j, 1] - span[j, 0]) * share / (1 + math.exp(u[j]))
        elif kind[j] != 0:
            given[0, place[j]] = slope[j] = kind[j] * math.exp(u[j])
    for j in range(p):
        if base[j] >= 0:
            given[0, place[j]] += given[0, base[j]]
    if switch >= 0 and given[0, switch] == 0.0:
        explicit(data, given, np.zeros(1, np.int64), value, gradient)
    else:
        both(data, given, np.zeros(1, np.int64), value, gradient)
    for j in range(p - 1, -1, -1):
        if base[j] >= 0:
            gradient[base[j]] += gradient[place[j]]
    cost, total = 0.0, 0.0
    for i in range(n):
        r[i] = value[0, 0, i] * root[i]
        cost += r[i] ** 2
        for j in range(p):
            jacobian[i, j] = gradient[place[j], 0, i] * slope[j] * root[i]
            total += jacobian[i, j]
    if math.isfinite(cost + total):
        return cost
    r[:] = 0.0
    jacobian[:] = 0.0
    return math.inf


@jit
def _factor(u, r, jacobian, lo, hi, scale, at):
    """Which coordinates are free, R and q over them; ``scale`` and ``at`` are filled."""
    n, p = jacobian.shape
    live = np.zeros(p, np.bool_)
    for j in range(p):
        pull, norm = 0.0, 0.0
        for i in range(n):
            pull += jacobian[i, j] * r[i]
            norm += jacobian[i, j] ** 2
        low = u[j] <= lo[j] + OFF_WALL * abs(lo[j]) and pull >= 0
        high = u[j] >= hi[j] - OFF_WALL * abs(hi[j]) and pull <= 0
        live[j] = not (low or high or norm == 0)
        scale[j], at[j] = math.sqrt(norm) if live[j] else 1.0, int(high) - int(low)
    free = np.flatnonzero(live)
    f = len(free)
    stacked = np.zeros((max(n, f), f + 1))
    for i in range(n):
        for b in range(f):
            stacked[i, b] = jacobian[i, free[b]] / scale[free[b]]
        stacked[i, f] = r[i]
    triangle(stacked)
    R = np.zeros((f, f))
    for b in range(f):
        for d in range(b, f):
            R[b, d] = stacked[b, d]
    return free, R, stacked[:f, f].copy()


@jit
def _bent(problem, u, r, jacobian, lo, hi, scale, at, free, R, damping, step):
    """The step with half its acceleration, where that is the smaller part."""
    n = len(r)
    ahead, slopes = np.empty(n), np.empty(jacobian.shape)
    evaluate(problem, np.minimum(np.maximum(u + AHEAD * step, lo), hi), ahead, slopes)
    pull = np.zeros(len(free))
    for i in range(n):
        along = 0.0
        for j in range(len(u)):
            along += jacobian[i, j] * step[j]
        second = 2 / AHEAD * ((ahead[i] - r[i]) / AHEAD - along)
        if math.isfinite(second):
            for b in range(len(free)):
                pull[b] += jacobian[i, free[b]] * second * (at[free[b]] == 0) / scale[free[b]]
    turn = -0.5 * solved(R, damping, pull)
    size = 0.0
    for j in range(len(u)):
        size += (step[j] * scale[j]) ** 2
    found = step.copy()
    if np.sum(turn**2) <= TURN**2 * size:
        for b in range(len(free)):
            found[free[b]] += turn[b] / scale[free[b]]
    return found


@jit
def curvature(problem, u, r, jacobian, hi, scale, free):
    """``sum r * second derivatives of r`` over the free coordinates, by differences of the Jacobian."""
    f = len(free)
    own, beside, slopes = np.zeros((f, f)), np.empty(len(r)), np.empty(jacobian.shape)
    for b in range(f):
        j = free[b]
        h = APART * max(abs(u[j]), APART_FROM)
        h = -h if u[j] + h > hi[j] else h
        moved = u.copy()
        moved[j] += h
        evaluate(problem, moved, beside, slopes)
        for d in range(f):
            total = 0.0
            for i in range(len(r)):
                total += (slopes[i, free[d]] - jacobian[i, free[d]]) * r[i]
            if math.isfinite(total):
                total /= h * scale[j] * scale[free[d]]
                own[b, d] += total / 2
                own[d, b] += total / 2
    return own


@jit
def _whole_step(problem, u, r, jacobian, hi, scale, free, R, q, damping):
    """The step of the whole Hessian."""
    step = np.zeros(len(u))
    own = curvature(problem, u, r, jacobian, hi, scale, free)
    step[free] = newton(R, q, own, damping) / scale[free]
    return step


@jit
def _tried(problem, here, lo, hi, scale, at, factors, how, new_r, new_jacobian):
    """Where a step leads and the cost there; residuals and slopes are filled. A slow start tries Newton's step too."""
    (u, r, jacobian), (free, R, q), (damping, bend, slow) = here, factors, how
    step = np.zeros(len(u))
    step[free] = walled(R, q, damping, (lo - u)[free] * scale[free], (hi - u)[free] * scale[free]) / scale[free]
    if bend or slow:
        step = _bent(problem, u, r, jacobian, lo, hi, scale, at, free, R, damping, step)
    tried = np.minimum(np.maximum(u + step, lo), hi)
    new = evaluate(problem, tried, new_r, new_jacobian)
    if slow:
        step = _whole_step(problem, u, r, jacobian, hi, scale, free, R, q, damping)
        other, other_r, other_jacobian = (
            np.minimum(np.maximum(u + step, lo), hi),
            np.empty_like(r),
            np.empty_like(jacobian),
        )
        lower = evaluate(problem, other, other_r, other_jacobian)
        if lower < new:
            new, tried = lower, other
            new_r[:], new_jacobian[:] = other_r, other_jacobian
    return tried, new


def _descent_type() -> Any:
    kernel = types.FunctionType(kernel_type())
    return types.void(kernel, kernel, types.int64, *task_type())


@eager(_descent_type, cache=True)
def descend(both, explicit, switch, problem, box, options, points, ends):
    """Every start to its minimum: ``points`` and ``ends`` are filled (:class:`..solve.Solutions`)."""
    problem = (both, explicit, switch, *problem)
    (start, lo, hi), (steps, bend) = box, options
    (u, r, cost, offset), (jacobian, converged, at) = points, ends
    k, n, p = jacobian.shape
    new_r, new_jacobian, scale = np.empty(n), np.empty((n, p)), np.ones(p)
    for s in range(k):
        u[s] = np.minimum(np.maximum(start[s], lo), hi)
        cost[s] = evaluate(problem, u[s], r[s], jacobian[s])
        damping, growth = DAMPING, 2.0
        for turn in range(steps):
            if not math.isfinite(cost[s]):
                break
            factors = _factor(u[s], r[s], jacobian[s], lo, hi, scale, at[s])
            offset[s], converged[s], stuck = arrived(factors[1], factors[2], cost[s], damping)
            if converged[s] or stuck or turn == steps - 1:
                break
            how = (damping, bend, turn >= PLAIN and not bend)
            here = (u[s], r[s], jacobian[s])
            tried, new = _tried(problem, here, lo, hi, scale, at[s], factors, how, new_r, new_jacobian)
            if new < cost[s]:
                fall = cost[s] - foreseen(r[s], jacobian[s], tried - u[s])
                gain = min((cost[s] - new) / max(fall, 1e-300), 1.0)
                damping *= max(EASE, 1 - (2 * gain - 1) ** 3)
                growth = 2.0
                u[s], cost[s] = tried, new
                r[s], jacobian[s] = new_r, new_jacobian
            else:
                damping *= growth
                growth *= 2
