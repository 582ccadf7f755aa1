"""Small dense problems of one start, as machine code: triangles, damped steps inside a box, corrections of a step."""

from __future__ import annotations

import math

import numpy as np

from ...codegen.jit import jit as translated
from ..live import LARGEST_DAMPING, OFFSET, RANK, RESOLVED, ROUNDING

__all__ = ["arrived", "damped", "foreseen", "jit", "newton", "solved", "triangle", "walled"]

jit = translated(cache=True)


@jit
def triangle(a):
    """The upper triangle of QR in place of ``a`` (m, c), by Householder reflections."""
    m, c = a.shape
    for j in range(min(m, c)):
        size = 0.0
        for i in range(j, m):
            size += a[i, j] ** 2
        size = math.copysign(math.sqrt(size), a[j, j])
        if size == 0.0:
            continue
        head = a[j, j] + size
        for i in range(j + 1, m):
            a[i, j] /= head
        share = head / size
        for k in range(j + 1, c):
            total = a[j, k]
            for i in range(j + 1, m):
                total += a[i, j] * a[i, k]
            total *= share
            a[j, k] -= total
            for i in range(j + 1, m):
                a[i, k] -= total * a[i, j]
        a[j, j] = -size


@jit
def damped(R, q, damping, held, step):
    """``argmin |R d + q|^2 + damping |d|^2`` over the coordinates that are not ``held``; the others get 0."""
    p = len(q)
    free = np.flatnonzero(held == 0.0)
    count = len(free)
    augmented = np.zeros((p + count, count + 1))
    for b in range(count):
        for i in range(p):
            augmented[i, b] = R[i, free[b]]
        augmented[p + b, b] = math.sqrt(damping)
    for i in range(p):
        augmented[i, count] = q[i]
    triangle(augmented)
    step[:] = 0.0
    for b in range(count - 1, -1, -1):
        total = -augmented[b, count]
        for j in range(b + 1, count):
            total -= augmented[b, j] * step[free[j]]
        step[free[b]] = total / augmented[b, b]


@jit
def walled(R, q, damping, lo, hi):
    """The damped step in which a coordinate that would leave the box stops on its wall and the others go on."""
    p = len(q)
    held, walls, step, left = np.zeros(p), np.zeros(p), np.empty(p), q.copy()
    damped(R, left, damping, held, step)
    while True:
        leaving = False
        for j in range(p):
            if held[j] == 0.0 and not lo[j] <= step[j] <= hi[j]:
                moved = min(max(step[j], lo[j]), hi[j])
                held[j], walls[j], leaving = 1.0, moved, True
                for i in range(j + 1):
                    left[i] += R[i, j] * moved
        if not leaving:
            return walls + step
        damped(R, left, damping, held, step)


@jit
def solved(R, damping, pull):
    """The solution of ``(R^T R + damping) d = pull``."""
    normal = R.T @ R
    for j in range(len(pull)):
        normal[j, j] += damping
    return np.linalg.solve(normal, pull)


@jit
def newton(R, q, own, damping):
    """The step of the Hessian ``R^T R + own`` with its curvatures taken as positive."""
    sizes, axes = np.linalg.eigh(R.T @ R + own)
    along = axes.T @ (R.T @ q)
    for j in range(len(q)):
        along[j] /= max(abs(sizes[j]), RANK) + damping
    return -(axes @ along)


@jit
def arrived(R, q, cost, damping):
    """The relative offset of the free columns, whether that is convergence, and whether the damping has run away."""
    inside = 0.0
    for b in range(len(q)):
        inside += q[b] ** 2 if abs(R[b, b]) > RANK else 0.0
    inside, size, stuck = math.sqrt(inside), math.sqrt(cost), damping > LARGEST_DAMPING
    converged = inside <= OFFSET * size + ROUNDING or (stuck and inside <= RESOLVED * size)
    return inside / max(size, 1e-300), converged, stuck


@jit
def foreseen(r, jacobian, step):
    """The sum of squares that the linear model sees behind a step."""
    total = 0.0
    for i in range(len(r)):
        linear = r[i]
        for j in range(len(step)):
            linear += jacobian[i, j] * step[j]
        total += linear**2
    return total
