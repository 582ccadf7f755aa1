"""Training windows and rolling origins of a table: which rows a law is fitted to, and which later ones then judge it.

The size of a row is the product of its inputs: of one input itself, of parameters and tokens up to a constant the
compute. Everything here is of logarithms of sizes, so that units do not matter.

* A window leaves out the smallest rows: a share of the range of the sizes, :data:`SHARES`. A law that describes the end
  of a curve need not describe its start (the cutoff tau of arXiv 2209.06640).
* An origin takes the rows up to a size for fitting and those beyond it, up to ``horizon`` times that size, for judging.
  Origins lie half a horizon apart below the largest row, so the last ones judge where the extrapolation begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .solve import Floats

__all__ = [
    "FACTOR",
    "SHARES",
    "Mask",
    "Origin",
    "distinct",
    "horizon",
    "inside",
    "largest_out",
    "origins",
    "running_best",
    "sizes",
]

Mask = NDArray[np.bool_]

FACTOR = 2.0  # how far beyond the largest row an extrapolation is judged at least (arXiv 2209.06640)
SHARES = (0.0, 0.15, 0.3, 0.45, 0.6)  # of the range of log sizes that a window leaves out
_ORIGINS = 4  # two horizons back
_FEWEST = 4  # sizes up to an origin: laws of three constants have one to spare, so that not M1 alone is judged
_REPEATS = 2  # one may be chance
_TOGETHER = 1e-9  # log sizes that are one


@dataclass(frozen=True, eq=False)
class Origin:
    """``train`` (n,) the rows up to an origin, ``test`` (n,) those beyond it that judge."""

    train: Mask
    test: Mask


def sizes(inputs: Sequence[Floats]) -> Floats:
    """The logarithm of the product of the inputs (n,)."""
    total: Floats = np.sum([np.log(values) for values in inputs], axis=0)
    return total


def horizon(size: Floats, beyond: float | None = None) -> float:
    """The logarithm of the factor over which rolling extrapolations run.

    Parameters
    ----------
    size : array (n,)
        Log sizes of the rows.
    beyond : float, optional
        The largest log size asked for.

    Returns
    -------
    float
        That of the extrapolation asked for, at least of a factor of two, at most a quarter of the range of the rows:
        the earliest origin then leaves half of it.

    Examples
    --------
    >>> size = np.log([1.0, 10.0, 100.0, 1000.0, 10000.0])
    >>> float(np.exp(horizon(size)).round(9)), float(np.exp(horizon(size, np.log(1e9))).round(9))
    (2.0, 10.0)
    """
    asked = 0.0 if beyond is None else beyond - size.max()
    return float(min(max(asked, np.log(FACTOR)), (size.max() - size.min()) / 4))


def origins(size: Floats, reach: float) -> tuple[Origin, ...]:
    """At most four origins, the latest first; where no row lies within reach of one, the next row judges it.

    Examples
    --------
    >>> found = origins(np.log([1.0, 2.0, 4.0, 8.0, 16.0, 32.0]), np.log(2.0))
    >>> [(int(each.train.sum()), int(each.test.sum())) for each in found]
    [(5, 1), (4, 1)]
    """
    found: list[Origin] = []
    for step in range(1, _ORIGINS + 1):
        train = size <= size.max() - step * reach / 2 + _TOGETHER
        if len(_different(size[train])) < _FEWEST:
            break
        if found and np.array_equal(train, found[-1].train):
            continue
        top = size[train].max()
        far = max(top + reach, size[~train].min())
        found.append(Origin(train, ~train & (size <= far + _TOGETHER)))
    return tuple(found)


def largest_out(size: Floats, most: int = 3) -> tuple[Origin, ...]:
    """The largest size left out, the two largest, ...: each judged by all that is left out.

    Examples
    --------
    >>> [int(each.test.sum()) for each in largest_out(np.log([1.0, 2.0, 4.0, 8.0, 8.0]))]
    [2, 3]
    """
    different = _different(size)
    cuts = different[::-1][: max(0, min(most, len(different) - 2))]
    masks = [size < cut - _TOGETHER for cut in cuts]
    return tuple(Origin(train, ~train) for train in masks)


def inside(size: Floats, train: Mask, share: float) -> Mask:
    """The rows of ``train`` (n,) without the smallest: a share of their range of log sizes is left out."""
    used = size[train]
    mask: Mask = train & (size >= used.min() + share * (used.max() - used.min()) - _TOGETHER)
    return mask


def running_best(size: Floats, y: Floats) -> bool:
    """Whether a response never turns from size to size and repeats itself exactly at two steps or more.

    Examples
    --------
    >>> running_best(np.arange(5.0), np.array([3.0, 2.0, 2.0, 1.5, 1.5]))
    True
    >>> running_best(np.arange(5.0), np.array([3.0, 2.0, 2.1, 1.5, 1.5]))
    False
    """
    order = np.lexsort((y, size))
    steps = np.diff(y[order][np.append(True, np.diff(size[order]) > _TOGETHER)])
    return bool(np.sum(steps == 0) >= _REPEATS and ((steps <= 0).all() or (steps >= 0).all()))


def distinct(inputs: Sequence[Floats], mask: Mask) -> int:
    """How many different inputs a part of the rows has."""
    return int(np.unique(np.stack(inputs)[:, mask], axis=1).shape[1])


def _different(size: Floats) -> Floats:
    """The different sizes, rising."""
    ordered = np.sort(size)
    different: Floats = ordered[np.diff(ordered, prepend=-np.inf) > _TOGETHER]
    return different
