"""What the rows determine at an estimate: which constants, and whether it is an optimum in those."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..law import Law
from .box import FAR, Coordinate
from .solve import Floats

__all__ = ["identified", "settled"]

_NOTHING = 1e-9  # log response changed by a unit step of a coordinate
_RANK = 1e-10
_PRACTICAL = 1e-6
_PART = 1e-3  # of a direction that the rows do not determine
_PUSH = 1e-6  # cosine between residual and column
_OFFSET = 1e-6
_EXACT = 1e-9  # residuals below are rounding


def identified(
    law: Law,
    coordinates: tuple[Coordinate, ...],
    r: Floats,
    jacobian: Floats,
    at: NDArray[np.int_],
    *,
    bent: NDArray[np.bool_] | None = None,
) -> tuple[list[str], list[str]]:
    """Constants that the rows do not determine at the estimate, and the notes that say so.

    Parameters
    ----------
    r, jacobian : array (n,), (n, p)
        The weighted residuals and their slopes by the coordinates.
    at : array (p,)
        Nonzero where a coordinate is held on a wall; one that the rows do not push against it counts as free.
    bent : array (n,), optional
        Rows at which the loss is curved; along a straight piece of it a row determines nothing.
    """
    docs = {p.symbol: p.doc for p in law.parameters}
    pull = np.abs(r @ jacobian)
    if bent is not None:
        jacobian = jacobian * bent[:, None]
    norms = np.linalg.norm(jacobian, axis=0)
    pushed = pull > _PUSH * norms * max(float(np.linalg.norm(r)), _EXACT)
    still = zip(coordinates, norms, at, strict=True)
    idle = [c.symbol for c, norm, side in still if norm < _NOTHING and not (side and _endless(c))]
    missing = [symbol.name for symbol in idle]
    notes = [f"{s.name} ({docs[s]}) is not identified: no row changes with it at the estimate" for s in idle]
    live = [j for j, norm in enumerate(norms) if norm >= _NOTHING and not (at[j] and pushed[j])]
    if len(live) < 2:
        return missing, notes
    names = [coordinates[j].symbol.name for j in live]
    lost, said = _undetermined(names, jacobian[:, live] / norms[live])
    return sorted({*missing, *lost}), notes + said


def _undetermined(names: list[str], unit: Floats) -> tuple[list[str], list[str]]:
    """Which constants combinations of columns of norm 1, (n, p), leave open, and the notes that say so."""
    _, sizes, right = np.linalg.svd(unit, full_matrices=len(unit) < len(names))
    sizes = np.concatenate([sizes, np.zeros(len(names) - len(sizes))])
    if sizes[-1] > _PRACTICAL * sizes[0]:
        return [], []
    missing, notes = [], []
    flat = sizes <= _RANK * sizes[0]
    steep = sizes > _PRACTICAL * sizes[0]
    if lost := [names[i] for i in _involved(right[flat])]:
        left = len(lost) - int(flat.sum())
        are = "a combination of them is" if left <= 1 else f"{left} combinations of them are"
        missing += lost
        notes.append(f"{', '.join(lost)} are not identified: only {are} (rank of the Jacobian)")
    for size, direction in zip(sizes[~flat & ~steep], right[~flat & ~steep], strict=True):
        some = [names[i] for i in _involved(direction[None])]
        missing += some
        apart = f"singular values {size / sizes[0]:.1e} apart"
        notes.append(f"{', '.join(some)} are practically not identified: {apart}")
    return missing, notes


def settled(r: Floats, jacobian: Floats, at: NDArray[np.int_]) -> bool:
    """Whether the gradient vanishes in every direction that the rows determine, though not along the flat ones.

    Parameters
    ----------
    r, jacobian, at
        As for :func:`identified`.

    Examples
    --------
    >>> J = np.array([[1.0, 1.0], [1.0, 1.0 + 1e-9], [1.0, 1.0]])
    >>> settled(np.array([-1.0, 2.0, -1.0]), J, np.zeros(2, dtype=int))
    True
    >>> settled(np.array([1.0, 1.0, 1.0]), J, np.zeros(2, dtype=int))
    False
    """
    norms = np.linalg.norm(jacobian, axis=0)
    live = (norms >= _NOTHING) & (at == 0)
    left, sizes, _ = np.linalg.svd(jacobian[:, live] / norms[live], full_matrices=False)
    part = left[:, sizes > _PRACTICAL * sizes.max(initial=0.0)].T @ r
    return bool(np.linalg.norm(part) <= _OFFSET * np.linalg.norm(r) + _EXACT)


def _endless(c: Coordinate) -> bool:
    """Whether a wall of a constant stands for none: there an amplitude goes to 0 and takes no part."""
    return not all(wall == 0 or 1 / FAR < abs(wall) < FAR for wall in (c.lo, c.hi))


def _involved(directions: Floats) -> list[int]:
    """Which coordinates (k, p) directions move."""
    return np.flatnonzero((np.abs(directions) > _PART).any(axis=0)).tolist()
