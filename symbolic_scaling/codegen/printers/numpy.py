"""NumPy target: blocks that stay in cache, every array operation written into a preallocated buffer.

A compiled text has up to four pairs of functions: ``value`` and ``both`` (value and gradient), each *direct* and
*guarded* (see ``codegen.lower``). The first of a pair computes what depends on parameters only; the second fills one
block. A direct block answers whether its sums stayed inside the range of doubles; if not, the guarded one repeats it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ...errors import DataError
from ..schedule import Instruction, Program

__all__ = ["NAMESPACE", "WIDTH", "Array", "defines", "print_program", "run"]

Array: TypeAlias = npt.NDArray[np.float64]
Functions: TypeAlias = Mapping[str, Callable[..., Any]]

WIDTH = 16384  # points a block: with ten buffers 1.3 MB, inside a second-level cache
_LOW, _HIGH = 1e-290, 1e290
# fmt: off
_UFUNCS = (
    "absolute", "add", "divide", "exp", "expm1", "heaviside", "log", "log1p", "logaddexp", "maximum", "minimum",
    "multiply", "negative", "power", "sign", "sqrt", "subtract",
)
# fmt: on


def _log1mexp(u: Any, out: Array | None = None) -> Any:
    """``log(1 - exp(u))`` for u < 0, exact near 0 and far below it; ``out`` may be ``u``."""
    near = np.log(-np.expm1(u))
    return np.add(np.where(np.greater(u, -0.6931471805599453), near, np.log1p(-np.exp(u))), 0.0, out=out)


def _inside(*sums: Any) -> bool:
    """Whether every sum is neither tiny, huge nor NaN."""
    return all(np.min(total) > _LOW and np.max(total) < _HIGH for total in sums)


NAMESPACE: Mapping[str, Any] = {
    **{name: getattr(np, name) for name in _UFUNCS},
    "log1mexp": _log1mexp,
    "copyto": np.copyto,
    "inside": _inside,
}


def defines(name: str) -> list[str]:
    """Names of the functions that :func:`print_program` writes."""
    return [f"{name}_once", f"{name}_block"]


def print_program(name: str, program: Program, data: Sequence[str], parameters: Sequence[str], rows: int) -> str:
    """Text of the pair ``{name}_once(parameters)`` and ``{name}_block(data, scalars, out, shared, mixed)``."""
    scalars = [*parameters, *(step.to for step in program.once)]
    lines = [f"def {name}_once(parameters):"]
    lines += _unpack(parameters, "parameters")
    lines += [f"    {step.to} = {_call(step)}" for step in program.once]
    lines += [f"    return {_tuple(scalars)}", "", ""]
    lines += [f"def {name}_block(data, scalars, out, shared, mixed):"]
    lines += _unpack(data, "data") + _unpack(scalars, "scalars")
    lines += _unpack([f"_o{j}" for j in range(rows)], "out")
    for letter, count, source in zip("dm", program.buffers, ("shared", "mixed"), strict=True):
        lines += _unpack([f"_{letter}{j}" for j in range(count)], f"{source}[:{count}]")
    lines += [f"    {_call(step, step.to)}" for step in program.block]
    lines += [f"    copyto({row}, {operand})" for row, operand in program.copies]
    lines += [f"    return inside({', '.join(name for _, name in program.checked)})"]
    return "\n".join(lines) + "\n"


def _unpack(names: Sequence[str], source: str) -> list[str]:
    return [f"    {_tuple(names)} = {source}"] if names else []


def _tuple(names: Sequence[str]) -> str:
    return f"({', '.join(names)}{',' if len(names) == 1 else ''})"


def _call(step: Instruction, out: str = "") -> str:
    operands = [operand if isinstance(operand, str) else repr(operand) for operand in step.operands]
    return f"{step.operation}({', '.join([*operands, *([f'out={out}'] if out else [])])})"


def run(
    functions: Functions,
    what: str,
    arguments: tuple[Mapping[str, Any], Mapping[str, Any]],
    leads: Sequence[tuple[int, ...]],
    *,
    buffers: tuple[int, int] = (0, 0),
    out: Sequence[Array] | None = None,
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

    Returns
    -------
    outputs : tuple of array
        Each of shape (*lead, *shape of the data), or (*lead, k, n) with k parameter sets.
    """
    data, parameters = arguments
    arrays, shape = _data(data)
    sets, values = _sets(parameters)
    if sets is None:
        flat = [np.ravel(array) for array in arrays]
        final = shape
    else:
        _check_batch(data, shape, sets)
        flat = arrays if shape else [array.reshape(1) for array in arrays]
        final = (sets, *(shape[-1:] or (1,)))
    outputs = tuple(_aligned(*lead, *final) for lead in leads) if out is None else _checked(out, leads, final)
    inner = final if sets is not None else (math.prod(final),)
    rows = [row for output in outputs for row in output.reshape(-1, *inner)]
    with np.errstate(all="ignore"):
        _loop(_pairs(functions, what), buffers, flat, values, rows)
    return outputs


def _checked(out: Sequence[Array], leads: Sequence[tuple[int, ...]], final: tuple[int, ...]) -> tuple[Array, ...]:
    """``out`` if every array has the shape and layout that the results need."""
    wanted = [(*lead, *final) for lead in leads]
    found = [(np.shape(array), getattr(array, "dtype", None)) for array in out]
    good = len(out) == len(wanted) and all(array.flags.c_contiguous and array.flags.writeable for array in out)
    if not good or found != [(shape, np.dtype(np.float64)) for shape in wanted]:
        raise DataError("evaluate into out", f"{found}", f"give writeable contiguous float64 arrays of shapes {wanted}")
    return tuple(out)


def _pairs(functions: Functions, what: str) -> list[tuple[Callable[..., Any], Callable[..., Any]]]:
    """(once, block) of the direct functions, then of the guarded ones where there are any."""
    names = [name for name in (what, f"{what}_guarded") if f"{name}_once" in functions]
    return [(functions[f"{name}_once"], functions[f"{name}_block"]) for name in names]


def _check_batch(data: Mapping[str, Any], shape: tuple[int, ...], sets: int) -> None:
    if len(shape) > 2 or (len(shape) == 2 and shape[0] not in (1, sets)):
        raise DataError(
            "evaluate compiled code",
            f"data {', '.join(data)} of shape {shape} beside {sets} parameter sets",
            f"give data of shape (n,) or ({sets}, n)",
        )


def _loop(
    pairs: Sequence[tuple[Callable[..., Any], Callable[..., Any]]],
    buffers: tuple[int, int],
    data: list[Array],
    parameters: list[Any],
    rows: list[Array],
) -> None:
    """Block after block into ``rows``."""
    points, sets = rows[0].shape[-1], rows[0].shape[:-1]
    lead = max((array.shape[:-1] for array in data), default=())
    width = min(points, max(64, WIDTH // max([1, *sets, *lead])))
    shared = [_aligned(*lead, width) for _ in range(buffers[0])]
    mixed = [_aligned(*sets, width) for _ in range(buffers[1])]
    scalars = [once(parameters) for once, _ in pairs]
    for start in range(0, points, max(width, 1)):
        stop = min(start + width, points)
        if stop - start < width:
            shared = [buffer[..., : stop - start] for buffer in shared]
            mixed = [buffer[..., : stop - start] for buffer in mixed]
        block = [array[..., start:stop] for array in data]
        piece = [row[..., start:stop] for row in rows]
        for (_, fill), known in zip(pairs, scalars, strict=True):
            if fill(block, known, piece, shared, mixed):
                break


def _aligned(*shape: int) -> Array:
    """An uninitialised array that starts on a cache line: vector instructions on others take up to twice as long."""
    size = math.prod(shape)
    raw = np.empty(size + 8)
    start = -raw.ctypes.data // 8 % 8
    return raw[start : start + size].reshape(shape)


def _data(data: Mapping[str, Any]) -> tuple[list[Array], tuple[int, ...]]:
    """Float arrays of one common shape."""
    arrays = [np.asarray(value, dtype=np.float64) for value in data.values()]
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
    arrays = {name: np.asarray(value, dtype=np.float64) for name, value in parameters.items()}
    columns = {name: array.shape for name, array in arrays.items() if array.size != 1 or array.ndim > 1}
    sets = max((shape[0] for shape in columns.values() if shape), default=None)
    for name, shape in columns.items():
        if len(shape) != 2 or shape[1] != 1 or shape[0] not in (1, sets):
            raise DataError(
                f"evaluate at parameter {name}",
                f"it has shape {shape}",
                "give a number, or columns of shape (k, 1), one row a parameter set, the same k for all",
            )
    return sets, [array if name in columns else float(array.item()) for name, array in arrays.items()]
