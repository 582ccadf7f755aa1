"""NumPy target: blocks that stay in cache, every array operation written into a preallocated buffer.

A compiled text has up to four pairs of functions: ``value`` and ``both`` (value and gradient), each *direct* and
*guarded* (see ``codegen.lower``). The first of a pair computes what depends on parameters only; the second fills one
block. A direct block answers whether its sums stayed inside the range of doubles; if not, the guarded one repeats it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...nodes import bernoulli_gap
from ..blocks import WIDTH, Array, run
from ..instructions import Instruction
from ..registers import Program

__all__ = ["NAMESPACE", "WIDTH", "defines", "print_program", "ready", "run"]

_LOW, _HIGH = 1e-100, 1e100  # so that products of three of them are doubles as well
_FADED = -707.0  # exponentials of less are no normal doubles, which take a hundred times as long
_LONG = 512  # points; below, looking costs more than it saves
# fmt: off
_UFUNCS = (
    "absolute", "add", "divide", "exp", "expm1", "heaviside", "log", "log1p", "maximum", "minimum",
    "multiply", "negative", "power", "sign", "sqrt", "subtract",
)
# fmt: on


def _log1mexp(u: Any, out: Array | None = None) -> Any:
    """``log(1 - exp(u))`` for u < 0, exact near 0 and far below it; ``out`` may be ``u``."""
    near = np.log(-np.expm1(u))
    return np.add(np.where(np.greater(u, -0.6931471805599453), near, np.log1p(-np.exp(u))), 0.0, out=out)


def _bernoulli_gap(u: Any, out: Array | None = None) -> Any:
    """``1 - u/(exp(u) - 1)``, exact near 0; ``out`` may be ``u``."""
    near = np.multiply(u, 0.5 - u * np.polyval(bernoulli_gap.WEIGHTS, np.square(u)))
    return np.add(np.where(np.absolute(u) < 0.5, near, 1.0 - u / np.expm1(u)), 0.0, out=out)


def _exp(u: Any, out: Array | None = None) -> Any:
    """``exp(u)``, 0 where that is no normal double; ``out`` may be ``u``."""
    if out is None or out.size < _LONG or np.min(u) > _FADED:
        return np.exp(u, out=out)
    faded = np.less(u, _FADED)
    np.exp(np.maximum(u, _FADED, out=out), out=out)
    np.copyto(out, 0.0, where=faded)
    return out


def _inside(*sums: Any) -> bool:
    """Whether every sum is neither tiny, huge nor NaN."""
    return all(np.min(total) > _LOW and np.max(total) < _HIGH for total in sums)


NAMESPACE: Mapping[str, Any] = {
    **{name: getattr(np, name) for name in _UFUNCS},
    "bernoulli_gap": _bernoulli_gap,
    "exp": _exp,
    "log1mexp": _log1mexp,
    "copyto": np.copyto,
    "inside": _inside,
}


def ready(functions: dict[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """The functions as they are."""
    return functions


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
    made = program.made
    for at, step in enumerate(program.block):
        lines.append(f"    {_call(step, step.to)}")
        if made.get(step.to) == at:
            lines += [f"    if not inside({step.to}):", "        return False"]
    lines += [f"    copyto({row}, {operand})" for row, operand in program.copies]
    lines += [f"    return inside({', '.join(total for total in program.checked if total not in made)})"]
    return "\n".join(lines) + "\n"


def _unpack(names: Sequence[str], source: str) -> list[str]:
    return [f"    {_tuple(names)} = {source}"] if names else []


def _tuple(names: Sequence[str]) -> str:
    return f"({', '.join(names)}{',' if len(names) == 1 else ''})"


def _call(step: Instruction, out: str = "") -> str:
    operands = [operand if isinstance(operand, str) else repr(operand) for operand in step.operands]
    return f"{step.operation}({', '.join([*operands, *([f'out={out}'] if out else [])])})"
