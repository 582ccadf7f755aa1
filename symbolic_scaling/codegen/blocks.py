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

from ..errors import DataError

__all__ = ["WIDTH", "Array", "Call", "Functions", "pairs", "run"]

Array: TypeAlias = npt.NDArray[np.float64]
Functions: TypeAlias = Mapping[str, Callable[..., Any]]
Pairs: TypeAlias = list[tuple[Callable[..., Any], Callable[..., Any]]]
Solve: TypeAlias = Callable[[list[Array]], Array]

WIDTH = 16384
_SHORT = 2048  # below, finding the cache line costs more than it saves


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
    data, parameters = arguments
    arrays, shape = _data(data)
    sets, values = _sets(parameters)
    if sets is None:
        arrays, final = [array.reshape(-1) for array in arrays], shape
    else:
        _check_batch(data, shape, sets)
        arrays, final = arrays if shape else [array.reshape(1) for array in arrays], (sets, *(shape[-1:] or (1,)))
    outputs = tuple(aligned(*lead, *final) for lead in leads) if out is None else _checked(out, leads, final)
    inner = final if sets is not None else (math.prod(final),)
    rows = [row for output in outputs for row in output.reshape(-1, *inner)]
    zero = values[list(parameters).index(switch)] == 0.0 if switch else False
    with np.errstate(all="ignore"):
        for where, name in _branches(what, zero, sets):
            count = () if sets is None else (sets if where is None else int(where.sum()),)
            if where is None:
                call, part = Call(arrays, values, buffers, count), rows
            else:
                call = Call([_some(a, where) for a in arrays], [_some(v, where) for v in values], buffers, count)
                part = [aligned(*count, row.shape[-1]) for row in rows]
            call.fill(pairs(functions, name), part, _solver(functions, call) if implicit and name == what else None)
            if where is not None:
                for row, piece in zip(rows, part, strict=True):
                    row[where] = piece
    return outputs


def pairs(functions: Functions, what: str) -> Pairs:
    """(once, block) of the direct functions, then of the guarded ones where there are any."""
    names = [name for name in (what, f"{what}_guarded") if f"{name}_once" in functions]
    return [(functions[f"{name}_once"], functions[f"{name}_block"]) for name in names]


def aligned(*shape: int) -> Array:
    """An uninitialised array that starts on a cache line: vector instructions on others take up to twice as long."""
    size = math.prod(shape)
    if size < _SHORT:
        return np.empty(shape)
    raw = np.empty(size + 8)
    start = -raw.ctypes.data // 8 % 8
    return raw[start : start + size].reshape(shape)


def _scratch(count: int, shape: tuple[int, ...]) -> list[Array]:
    """Arrays of one shape; short ones share an allocation."""
    return list(np.empty((count, *shape))) if math.prod(shape) < _SHORT else [aligned(*shape) for _ in range(count)]


def _solver(functions: Functions, call: Call) -> Callable[[Call, list[Array]], Array]:
    from .newton import Newton

    return Newton(functions, call).solve


def _branches(what: str, zero: Any, sets: int | None) -> Iterator[tuple[npt.NDArray[np.bool_] | None, str]]:
    """Which parameter sets (None: all) go through the root and which are explicit."""
    if zero is False or not np.any(zero):
        yield None, what
    elif np.all(zero):
        yield None, f"{what}_explicit"
    else:
        explicit = np.broadcast_to(zero, (sets or 1, 1))[:, 0]
        yield explicit, f"{what}_explicit"
        yield ~explicit, what


def _some(value: Any, where: npt.NDArray[np.bool_] | None) -> Any:
    """The rows of some parameter sets; what all sets share stays as it is."""
    return value if where is None or np.ndim(value) < 2 or np.shape(value)[0] == 1 else value[where]


def _checked(out: Sequence[Array], leads: Sequence[tuple[int, ...]], final: tuple[int, ...]) -> tuple[Array, ...]:
    """``out`` if every array has the shape and layout that the results need."""
    wanted = [((*lead, *final), np.dtype(np.float64), True, True) for lead in leads]
    found = [(a.shape, a.dtype, a.flags.c_contiguous, a.flags.writeable) for a in map(np.asanyarray, out)]
    if found != wanted:
        shapes = [shape for shape, *_ in wanted]
        raise DataError("evaluate into out", f"{found}", f"give writeable contiguous float64 arrays of shapes {shapes}")
    return tuple(out)


def _check_batch(data: Mapping[str, Any], shape: tuple[int, ...], sets: int) -> None:
    if len(shape) > 2 or (len(shape) == 2 and shape[0] not in (1, sets)):
        raise DataError(
            "evaluate compiled code",
            f"data {', '.join(data)} of shape {shape} beside {sets} parameter sets",
            f"give data of shape (n,) or ({sets}, n)",
        )


def _floats(name: str, value: Any) -> Array:
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"evaluate at {name}", f"{value!r:.60} is not numeric", "give numbers") from None


def _data(data: Mapping[str, Any]) -> tuple[list[Array], tuple[int, ...]]:
    """Float arrays of one common shape."""
    arrays = [_floats(name, value) for name, value in data.items()]
    if len({array.shape for array in arrays}) == 1:
        return arrays, arrays[0].shape
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(data, arrays, strict=True))
        raise DataError(
            "evaluate compiled code", f"the lengths differ: {shapes}", "give arrays of one length, or numbers"
        ) from None
    return [np.broadcast_to(array, shape) for array in arrays], shape


def _sets(parameters: Mapping[str, Any]) -> tuple[int | None, list[Any]]:
    """How many parameter sets, None for plain numbers, and the values as numbers or columns of shape (k, 1)."""
    arrays = [_floats(name, value) for name, value in parameters.items()]
    shapes = [array.shape if array.ndim > 1 or array.size != 1 else () for array in arrays]
    if not any(shapes):
        return None, [float(array.item()) for array in arrays]
    sets = max((shape[0] for shape in shapes if shape), default=None)
    for name, shape in zip(parameters, shapes, strict=True):
        if shape and (len(shape) != 2 or shape[1] != 1 or shape[0] not in (1, sets)):
            raise DataError(
                f"evaluate at parameter {name}",
                f"it has shape {shape}",
                "give a number, or columns of shape (k, 1), one row a parameter set, the same k for all",
            )
    return sets, [array if shape else float(array.item()) for array, shape in zip(arrays, shapes, strict=True)]
