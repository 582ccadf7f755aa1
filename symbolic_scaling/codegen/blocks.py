"""Runs generated NumPy functions block by block, so that all scratch arrays stay in cache.

A block of :data:`WIDTH` points is the fastest from 8192 to 32768 on the machines tried: smaller ones pay for calls,
larger ones leave the second-level cache. With k parameter sets a block holds k times fewer points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .arrays import Array, aligned, arranged

__all__ = ["WIDTH", "Array", "Call", "Functions", "branches", "pairs", "run"]

Functions: TypeAlias = Mapping[str, Callable[..., Any]]
Pairs: TypeAlias = list[tuple[Callable[..., Any], Callable[..., Any]]]
Solve: TypeAlias = Callable[[list[Array]], Array]

WIDTH = 16384
_SHORT = 2048  # points; buffers below share an allocation


@dataclass
class Call:
    """Arguments of one call, and the scratch arrays of its blocks.

    Parameters
    ----------
    data : list of array
        Each (n,) or (k, n).
    parameters : list
        Numbers or columns (k, 1).
    buffers : (int, int)
        Data and mixed buffers that the largest function needs.
    sets : tuple of int
        () or (k,).
    """

    data: list[Array]
    parameters: list[Any]
    buffers: tuple[int, int]
    sets: tuple[int, ...]

    def __post_init__(self) -> None:
        points = self.data[0].shape[-1] if self.data else 1
        lead = max((array.shape[:-1] for array in self.data), default=())
        self.points = points
        self.width = min(points, max(64, WIDTH // max([1, *self.sets, *lead])))
        self.shared = _scratch(self.buffers[0], (*lead, self.width))
        self.mixed = _scratch(self.buffers[1], (*self.sets, self.width))

    def fill(self, functions: Pairs, rows: list[Array], solve: Callable[[Call, list[Array]], Array] | None) -> None:
        """Every block into ``rows``: directly, and guarded where a sum leaves the range of doubles."""
        once = [first(self.parameters) for first, _ in functions]
        for start in range(0, self.points, max(self.width, 1)):
            stop = min(start + self.width, self.points)
            if stop - start < self.width:
                self.shrink(stop - start)
            block = [array[..., start:stop] for array in self.data]
            if solve is not None:
                block.append(solve(self, block))
            self.block(functions, once, block, [row[..., start:stop] for row in rows])

    def block(self, functions: Pairs, once: list[Any], block: list[Array], rows: list[Array]) -> None:
        """One block by the first of the functions that stays inside the range of doubles."""
        for (_, fill), known in zip(functions, once, strict=True):
            if fill(block, known, rows, self.shared, self.mixed):
                break

    def shrink(self, width: int) -> None:
        """Views of the scratch arrays for the last, shorter block."""
        self.width = width
        self.shared = [buffer[..., :width] for buffer in self.shared]
        self.mixed = [buffer[..., :width] for buffer in self.mixed]


def run(
    functions: Functions,
    what: str,
    arguments: tuple[Mapping[str, Any], Mapping[str, Any]],
    leads: Sequence[tuple[int, ...]],
    *,
    buffers: tuple[int, int],
    out: Sequence[Array] | None = None,
    implicit: bool = False,
    switch: str = "",
) -> tuple[Array, ...]:
    """All outputs over all points.

    Parameters
    ----------
    functions : mapping
        The loaded functions.
    what : {"value", "both"}
        Which of them.
    arguments : (data, parameters)
        Name -> value. Data of one common shape after broadcasting; parameters numbers or shape (k, 1).
    leads : sequence of tuple of int
        Leading axes of each output.
    buffers : (int, int)
        Data and mixed buffers that the largest of the functions needs.
    out : sequence of array, optional
        Where the outputs go.
    implicit : bool
        Whether the functions take a root's coordinate as a last data array.
    switch : str
        The parameter at whose zero the functions ``*_explicit`` apply.

    Returns
    -------
    outputs : tuple of array
        Each of shape (*lead, *shape of the data), or (*lead, k, n) with k parameter sets.
    """
    given = arranged(arguments, leads, out)
    sets, rows = given.sets, given.rows
    zero = given.parameters[list(arguments[1]).index(switch)] == 0.0 if switch else False
    with np.errstate(all="ignore"):
        for where, name in branches(what, zero, sets):
            count = () if sets is None else (sets if where is None else int(where.sum()),)
            data, values = (_some(some, where) for some in (given.data, given.parameters))
            part = rows if where is None else [aligned(*count, row.shape[-1]) for row in rows]
            call = Call(data, values, buffers, count)
            call.fill(pairs(functions, name), part, _solver(functions, call) if implicit and name == what else None)
            if where is not None:
                for row, piece in zip(rows, part, strict=True):
                    row[where] = piece
    return given.outputs


def pairs(functions: Functions, what: str) -> Pairs:
    """(once, block) of the direct functions, then of the guarded ones where there are any."""
    names = [name for name in (what, f"{what}_guarded") if f"{name}_once" in functions]
    return [(functions[f"{name}_once"], functions[f"{name}_block"]) for name in names]


def _scratch(count: int, shape: tuple[int, ...]) -> list[Array]:
    """Arrays of one shape; short ones share an allocation."""
    return list(np.empty((count, *shape))) if math.prod(shape) < _SHORT else [aligned(*shape) for _ in range(count)]


def _solver(functions: Functions, call: Call) -> Callable[[Call, list[Array]], Array]:
    from .newton import Newton

    return Newton(functions, call).solve


def branches(what: str, zero: Any, sets: int | None) -> Iterator[tuple[npt.NDArray[np.bool_] | None, str]]:
    """Which parameter sets (None: all) go by which function: through the root, or explicit where ``zero``."""
    if zero is False or not np.any(zero):
        yield None, what
    elif np.all(zero):
        yield None, f"{what}_explicit"
    else:
        explicit = np.broadcast_to(zero, (sets or 1, 1))[:, 0]
        yield explicit, f"{what}_explicit"
        yield ~explicit, what


def _some(values: list[Any], where: npt.NDArray[np.bool_] | None) -> list[Any]:
    """The rows of some parameter sets; what all sets share stays as it is."""
    if where is None:
        return values
    return [value if np.ndim(value) < 2 or np.shape(value)[0] == 1 else value[where] for value in values]
