"""The arrays of a call: data of one shape, parameters as numbers or columns, and results that start on a cache line."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import DataError

__all__ = ["Array", "Arrays", "aligned", "arranged"]

Array: TypeAlias = npt.NDArray[np.float64]

_SHORT = 2048  # below, finding the cache line costs more than it saves


@dataclass
class Arrays:
    """Arguments and results of one call.

    Parameters
    ----------
    data : list of array
        Each (n,) or (k, n).
    parameters : list
        Numbers or columns (k, 1).
    sets : int or None
        How many parameter sets; None for plain numbers.
    outputs : tuple of array
        The results, of the shape that the caller sees.
    rows : list of array
        Views of the results, one an expression or slope: (n,), or (k, n) with k parameter sets.
    """

    data: list[Array]
    parameters: list[Any]
    sets: int | None
    outputs: tuple[Array, ...]
    rows: list[Array]


def arranged(
    arguments: tuple[Mapping[str, Any], Mapping[str, Any]],
    leads: Sequence[tuple[int, ...]],
    out: Sequence[Array] | None = None,
) -> Arrays:
    """Check the arguments of a call and make room for its results.

    Parameters
    ----------
    arguments : (data, parameters)
        Name -> value. Data of one common shape after broadcasting; parameters numbers or shape (k, 1).
    leads : sequence of tuple of int
        Leading axes of each output.
    out : sequence of array, optional
        Where the outputs go.

    Raises
    ------
    DataError
        If shapes do not fit or a value is no number.
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
    return Arrays(arrays, values, sets, outputs, rows)


def aligned(*shape: int) -> Array:
    """An uninitialised array that starts on a cache line: vector instructions on others take up to twice as long."""
    size = math.prod(shape)
    if size < _SHORT:
        return np.empty(shape)
    raw = np.empty(size + 8)
    start = -raw.ctypes.data // 8 % 8
    return raw[start : start + size].reshape(shape)


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
