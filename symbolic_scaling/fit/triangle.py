"""Triangles of many small least-squares problems at once, by QR, and damped steps from them."""

from __future__ import annotations

from typing import cast

import numpy as np

from ..budget import cached
from ..codegen.arrays import Array

__all__ = ["damped", "rooted", "triangle"]


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


def rooted(squares: Array, scale: Array, dead: Array) -> Array | None:
    """Those triangles by Cholesky's method, half as many digits but far faster; None where one has none.

    Parameters
    ----------
    squares : array (k, p + 1, p + 1)
        Products of p columns and of the right side.
    scale, dead : array (k, p)
        What columns are divided by, and which take no part.

    Examples
    --------
    >>> A = np.array([[3.0, 1.0], [4.0, 2.0], [0.0, 2.0]])
    >>> R = rooted((A.T @ A)[None], np.ones((1, 1)), np.zeros((1, 1), dtype=bool))
    >>> bool(np.allclose(np.abs(R[0, 0]), np.abs(triangle(A[None])[0, 0])))
    True
    """
    p = scale.shape[1]
    unit = np.where(dead, 0.0, 1 / scale)
    made = np.empty_like(squares)
    np.multiply(squares[:, :p, :p], unit[:, :, None] * unit[:, None], out=made[:, :p, :p])
    made[:, :p, :p] += dead[:, :, None] * np.eye(p)
    made[:, :p, p] = made[:, p, :p] = squares[:, :p, p] * unit
    made[:, p, p] = 1 + 2 * squares[:, p, p]
    try:
        return cast(Array, np.swapaxes(np.linalg.cholesky(made), 1, 2))
    except np.linalg.LinAlgError:
        return None


@cached
def _upper(size: int) -> Array:
    mask = np.triu(np.ones((size, size)))
    mask.flags.writeable = False
    return mask
