"""Triangles of many small least-squares problems at once, by QR, and damped steps from them."""

from __future__ import annotations

from functools import cache
from typing import cast

import numpy as np

from ..codegen.arrays import Array

__all__ = ["damped", "triangle"]


def damped(R: Array, q: Array, damping: Array) -> Array:
    """``argmin |R d + q|^2 + damping |d|^2`` for each member, by QR."""
    k, p = q.shape
    augmented = np.zeros((k, 2 * p, p + 1))
    augmented[:, :p, :p], augmented[:, :p, p] = R, q
    augmented[:, p:, :p] = np.sqrt(damping)[:, None, None] * np.eye(p)
    solved = triangle(augmented)
    try:
        found = np.linalg.solve(solved[:, :p, :p], solved[:, :p, p:])
    except np.linalg.LinAlgError:
        found = np.linalg.pinv(solved[:, :p, :p]) @ solved[:, :p, p:]
    return cast(Array, -found[..., 0])


def triangle(stacked: Array) -> Array:
    """The upper triangles of a batch of QR factorisations."""
    reflectors, _ = np.linalg.qr(stacked, mode="raw")
    columns = stacked.shape[-1]
    return cast(Array, np.swapaxes(reflectors, -1, -2)[..., :columns, :] * _upper(columns))


@cache
def _upper(size: int) -> Array:
    mask = np.triu(np.ones((size, size)))
    mask.flags.writeable = False
    return mask
