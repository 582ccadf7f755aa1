"""The printed objective of arXiv 2209.06640 searched densely, without the package's solver, on a sample of its curves.

M2 and M3 leave one constant after the linear ones, M4 two. Each is put on a fine grid, the rest is least squares in
closed form; no grid point may lie below the fit's optimum.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from curves import needs_tables, read

from symbolic_scaling import fit, laws

pytestmark = [pytest.mark.slow, needs_tables]
EVERY = 9
STEEPEST = 10.0  # the default box of c ends here


def sample():
    """Every ninth curve of the 92: x and y of its training rows, exact duplicates once."""
    curves = read()
    keys = sorted(curves)[::EVERY]
    counts = {key: Counter(zip(*(column.tolist() for column in curves[key][:2]), strict=True)) for key in keys}
    return [(key, np.array([(*pair, n) for pair, n in counts[key].items()]).T) for key in keys]


def mean_square(target, columns, weight):
    """Least squares of target (m, n) on columns, each (m, n) or (n,), weighted: the mean squared residual (m,)."""
    root = np.sqrt(weight / weight.sum())
    shape = target.shape
    design = np.stack([np.broadcast_to(column, shape) * root for column in (np.ones(shape[1]), *columns)], axis=-1)
    scaled = (target * root)[..., None]
    solution = np.linalg.pinv(design) @ scaled
    return np.sum((scaled - design @ solution)[..., 0] ** 2, axis=-1), solution[..., 0]


def approaching(end, near, count):
    """Values from 0 towards ``end``, in equal ratios of the distance."""
    return end - np.geomspace(near, end, count)


def dense_m2(x, y, weight):
    floor = np.append(0.0, approaching(y.min(), 1e-3 * y.max(), 20_000))[:, None]
    return mean_square(np.log(y - floor), [np.log(x)], weight)[0].min()


def dense_m3(x, y, weight):
    gamma = np.append(0.0, np.geomspace(1e-4 / x.max(), 1e3 / x.min(), 20_000))[:, None]
    target = np.broadcast_to(np.log(y), (len(gamma), len(y)))
    cost, solution = mean_square(target, [np.log(1 / x + gamma)], weight)
    return cost[solution[:, 1] <= STEEPEST].min()


def dense_m4(x, y, weight):
    floors = np.append(0.0, approaching(y.min(), 1e-3 * y.max(), 250))
    ceilings = y.max() + np.geomspace(1e-3 * y.max(), 9 * y.max(), 250)
    best = np.inf
    for floor in floors:
        target = np.broadcast_to(np.log(y - floor), (len(ceilings), len(y)))
        cost, solution = mean_square(target, [np.log(x), np.log(ceilings[:, None] - y)], weight)
        free = cost[solution[:, 2] >= 0]
        without = mean_square(target[:1], [np.log(x)], weight)[0]
        best = min(best, *free[:], *without)
    return best


@pytest.mark.parametrize(("name", "dense"), [("m2", dense_m2), ("m3", dense_m3), ("m4", dense_m4)])
def test_no_point_of_a_dense_grid_lies_below_the_optimum(name, dense):
    seen = 0
    for key, (x, y, count) in sample():
        rows = np.repeat(np.arange(len(x)), count.astype(int))
        found = fit.curve(laws.get(name), x=x[rows], y=y[rows], residual="equation")
        lowest = dense(x, y, count)
        assert found.objective <= lowest * (1 + 1e-6), key
        assert lowest <= found.objective * 1.02, key  # the grid is fine enough to see the optimum
        seen += 1
    assert seen == len(range(0, 92, EVERY))
