"""The last step of Newton's (:mod:`..polish`) as machine code."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...codegen.jit import eager, types
from ..polish import LEVEL, ROUNDING
from .algebra import jit
from .descent import curvature, evaluate, kernel_type, task_type

__all__ = ["refine"]


@jit
def _pull(r, jacobian, scale, free):
    """The scaled gradient over the free coordinates, and its length."""
    pull = np.zeros(len(free))
    for b in range(len(free)):
        for i in range(len(r)):
            pull[b] += jacobian[i, free[b]] * r[i]
        pull[b] /= scale[free[b]]
    return pull, math.sqrt(np.sum(pull**2))


@jit
def _tried(problem, u, r, jacobian, lo, hi, scale, free):
    """Where Newton's step ends, along the axes on which the scaled Hessian is positive."""
    normal = curvature(problem, u, r, jacobian, hi, scale, free)
    for b in range(len(free)):
        for d in range(len(free)):
            total = 0.0
            for i in range(len(r)):
                total += jacobian[i, free[b]] * jacobian[i, free[d]]
            normal[b, d] += total / (scale[free[b]] * scale[free[d]])
    sizes, axes = np.linalg.eigh(normal)
    along = axes.T @ _pull(r, jacobian, scale, free)[0]
    for b in range(len(free)):
        along[b] = along[b] / sizes[b] if sizes[b] > 0 else 0.0
    step = axes @ along
    tried = u.copy()
    for b in range(len(free)):
        j = free[b]
        tried[j] = min(max(u[j] - step[b] / scale[j], lo[j]), hi[j])
    return tried


def _last_type() -> Any:
    kernel = types.FunctionType(kernel_type())
    problem, box, _, points, ends = task_type()
    return types.void(kernel, kernel, types.int64, problem, types.Tuple(box.types[1:]), points, ends)


@eager(_last_type, cache=True)
def refine(both, explicit, switch, problem, box, points, ends):
    """The step from each end that converged, taken where the gradient gets smaller; ``points`` and ``ends`` change."""
    problem = (both, explicit, switch, *problem)
    lo, hi = box
    (u, r, cost, offset), (jacobian, converged, at) = points, ends
    k, n, p = jacobian.shape
    new_r, new_jacobian, scale = np.empty(n), np.empty((n, p)), np.empty(p)
    for s in range(k):
        free = np.flatnonzero(at[s] == 0)
        if not converged[s] or offset[s] <= ROUNDING or len(free) == 0:
            continue
        for j in range(p):
            norm = math.sqrt(np.sum(jacobian[s, :, j] ** 2))
            scale[j] = norm if norm > 0 else 1.0
        _, before = _pull(r[s], jacobian[s], scale, free)
        tried = _tried(problem, u[s], r[s], jacobian[s], lo, hi, scale, free)
        new = evaluate(problem, tried, new_r, new_jacobian)
        _, after = _pull(new_r, new_jacobian, scale, free)
        if after < before and new <= LEVEL * cost[s]:
            u[s], cost[s], offset[s] = tried, new, after / max(math.sqrt(new), 1e-300)
            r[s], jacobian[s] = new_r, new_jacobian
