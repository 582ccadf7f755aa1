"""Numba target: the same instructions as machine code, one loop over parameter sets and points.

Each compiled text has pairs ``{name}_once(parameters, scalars)``, what depends on parameters only, and
``{name}_point(at, scalars, out)``, one point; ``at`` holds its data. As for NumPy there are *direct* and *guarded*
pairs; a direct point answers whether its sums stayed inside the range of doubles and only then stands. A root is solved
point by point (``codegen.newton`` says how). The first call of each function translates it, in about a second; the
loops hold no interpreter lock.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...nodes import bernoulli_gap
from ..arrays import Array, arranged
from ..blocks import branches
from ..instructions import Instruction
from ..jit import jit as _jit
from ..newton import BISECTIONS, SMALL, STEPS, WIDEST
from ..registers import Program

__all__ = ["NAMESPACE", "WIDTH", "defines", "print_program", "ready", "run"]

WIDTH = 1
_LOW, _HIGH = 1e-100, 1e100  # as for NumPy
_WEIGHTS = bernoulli_gap.WEIGHTS
_INFIX = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "power": "**"}


@_jit
def _maximum(a: float, b: float) -> float:
    return a if a > b or math.isnan(a) else b


@_jit
def _minimum(a: float, b: float) -> float:
    return a if a < b or math.isnan(a) else b


@_jit
def _heaviside(a: float, b: float) -> float:
    return 1.0 if a > 0 else 0.0 if a < 0 else b


@_jit
def _sign(a: float) -> float:
    return 1.0 if a > 0 else -1.0 if a < 0 else a


@_jit
def _log1mexp(u: float) -> float:
    return math.log(-math.expm1(u)) if u > -0.6931471805599453 else math.log1p(-math.exp(u))


@_jit
def _bernoulli_gap(u: float) -> float:
    if abs(u) >= 0.5:
        return 1.0 - u / math.expm1(u)
    total, square = 0.0, u * u
    for weight in _WEIGHTS:
        total = total * square + weight
    return u * (0.5 - u * total)


@_jit
def _inside(total: float) -> bool:
    return _LOW < total < _HIGH


NAMESPACE: Mapping[str, Any] = {
    **{name: getattr(math, name) for name in ("exp", "expm1", "log", "log1p", "sqrt")},
    "absolute": math.fabs,
    "bernoulli_gap": _bernoulli_gap,
    "heaviside": _heaviside,
    "inside": _inside,
    "log1mexp": _log1mexp,
    "maximum": _maximum,
    "minimum": _minimum,
    "sign": _sign,
}


def defines(name: str) -> list[str]:
    """Names of the functions that :func:`print_program` writes."""
    return [f"{name}_once", f"{name}_point"]


def print_program(name: str, program: Program, data: Sequence[str], parameters: Sequence[str], rows: int) -> str:
    """Text of the pair ``{name}_once(parameters, scalars)`` and ``{name}_point(at, scalars, out)``."""
    scalars = [*parameters, *(step.to for step in program.once)]
    lines = [f"def {name}_once(parameters, scalars):"]
    lines += [f"    {scalar} = parameters[{j}]" for j, scalar in enumerate(parameters)]
    lines += [_line(step) for step in program.once]
    lines += [f"    scalars[{j}] = {scalar}" for j, scalar in enumerate(scalars)]
    lines += [f"    return {len(scalars)}", "", ""]
    lines += [f"def {name}_point(at, scalars, out):"]
    lines += [f"    {symbol} = at[{j}]" for j, symbol in enumerate(data)]
    lines += [f"    {scalar} = scalars[{j}]" for j, scalar in enumerate(scalars)]
    stops = {at: [f"    if not inside({total}):", "        return False"] for total, at in program.made.items()}
    lines += [line for at, step in enumerate(program.block) for line in (_line(step), *stops.get(at, ()))]
    copies = {row: _text(operand) for row, operand in program.copies}
    lines += [f"    out[{j}] = {copies.get(f'_o{j}', f'_o{j}')}" for j in range(rows)]
    left = [total for total in program.checked if total not in program.made]
    lines += [f"    return {' and '.join(f'inside({total})' for total in left) or 'True'}"]
    return "\n".join(lines) + "\n"


def _line(step: Instruction) -> str:
    operands = [_text(operand) for operand in step.operands]
    if step.operation in _INFIX:
        return f"    {step.to} = {f' {_INFIX[step.operation]} '.join(operands)}"
    if step.operation == "negative":
        return f"    {step.to} = -{operands[0]}"
    return f"    {step.to} = {step.operation}({', '.join(operands)})"


def _text(operand: Any) -> str:
    """A name, or a number that is safe under an operator."""
    return operand if isinstance(operand, str) else f"({operand!r})" if operand < 0 else repr(operand)


def ready(functions: Mapping[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """Kernels ``(data, parameters, chosen, value, gradient)`` by what they compute, translated when first called."""
    names = [name for name in ("value", "both", "value_explicit", "both_explicit") if f"{name}_once" in functions]
    root = _root(functions) if "start_once" in functions else None
    return {name: _kernel(_Pair(functions, name), None if name.endswith("_explicit") else root) for name in names}


class _Pair:
    """The translated functions of one text, direct and guarded as one."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]], name: str) -> None:
        pairs = [
            (functions[f"{n}_once"], functions[f"{n}_point"])
            for n in (name, f"{name}_guarded")
            if f"{n}_once" in functions
        ]
        self.size = max(once.__code__.co_nlocals for once, _ in pairs)
        (once, point), (other_once, other_point) = ([_jit(f) for f in pair] for pair in (pairs[0], pairs[-1]))

        @_jit
        def begin(parameters: Array, scalars: Array) -> None:
            once(parameters, scalars[0])
            other_once(parameters, scalars[1])

        @_jit
        def fill(at: Array, scalars: Array, out: Array) -> None:
            if not point(at, scalars[0], out):
                other_point(at, scalars[1], out)

        self.begin, self.fill = begin, fill


def _root(functions: Mapping[str, Callable[..., Any]]) -> tuple[_Pair, _Pair, Callable[..., Any]]:
    """The solver of one point: Newton from the nearer asymptote, bisection where it fails; u goes into ``at[-1]``.

    G is convex or concave, so that a step from anywhere ends on the asymptotes' side of the root: where ``at[-1]``
    holds the root of other constants, the step from there may begin nearer still.
    """
    starts, steps = _Pair(functions, "start"), _Pair(functions, "step")
    begun, moved = starts.fill, steps.fill

    @_jit
    def value(at: Array, u: float, known: Array, out: Array) -> float:
        at[-1] = u
        moved(at, known, out)
        return out[0]

    @_jit
    def solve(at: Array, first: Array, known: Array, out: Array) -> None:
        begun(at, first, out)
        level, bend = out[0], out[3]
        u, last = min(out[1], out[2]) if bend >= 0 else max(out[1], out[2]), at[-1]
        if math.isfinite(last):
            near = last - (value(at, last, known, out) - level) / out[1]
            if (near < u) == (bend >= 0) and math.isfinite(near):
                u = near
        for _ in range(STEPS):
            step = (value(at, u, known, out) - level) / out[1]
            u -= step
            if abs(step) <= SMALL * max(1.0, abs(u)):
                at[-1] = u
                return
        if math.isfinite(level):
            lo, hi = -WIDEST, WIDEST
            rising = value(at, hi, known, out) >= level
            for _ in range(BISECTIONS):
                middle = (lo + hi) / 2
                if (value(at, middle, known, out) > level) == rising:
                    hi = middle
                else:
                    lo = middle
            u = (lo + hi) / 2
        at[-1] = u

    return starts, steps, solve


def _kernel(pair: _Pair, root: tuple[_Pair, _Pair, Callable[..., Any]] | None) -> Callable[..., Any]:
    """The loops over parameter sets ``chosen`` and points of ``data`` (1 or k, n, d), with or without a root."""
    begin, fill, size = pair.begin, pair.fill, pair.size
    implicit = root is not None
    starts, steps, solve = root or (pair, pair, fill)
    begin_start, begin_step, start_size, step_size = starts.begin, steps.begin, starts.size, steps.size

    @_jit
    def run(data: Array, parameters: Array, chosen: Array, value: Array, gradient: Array) -> None:
        scalars, first, known = np.empty((2, size)), np.empty((2, start_size)), np.empty((2, step_size))
        row, four = np.empty(len(value) + len(gradient)), np.empty(4)
        for k in chosen:
            begin(parameters[k], scalars)
            if implicit:
                begin_start(parameters[k], first)
                begin_step(parameters[k], known)
            for i in range(data.shape[1]):
                at = data[min(k, len(data) - 1), i]
                if implicit:
                    solve(at, first, known, four)
                fill(at, scalars, row)
                for j in range(len(value)):
                    value[j, k, i] = row[j]
                for j in range(len(gradient)):
                    gradient[j, k, i] = row[len(value) + j]

    return run


def run(
    functions: Mapping[str, Callable[..., Any]],
    what: str,
    arguments: tuple[Mapping[str, Any], Mapping[str, Any]],
    leads: Sequence[tuple[int, ...]],
    *,
    out: Sequence[Array] | None = None,
    implicit: bool = False,
    switch: str = "",
) -> tuple[Array, ...]:
    """All outputs over all points; arguments and results as for NumPy (``codegen.blocks.run``)."""
    given = arranged(arguments, leads, out)
    sets, points = given.sets or 1, given.outputs[0].size and given.rows[0].shape[-1]
    lead = max([1, *(array.shape[0] for array in given.data if array.ndim > 1)])
    data = np.empty((lead, points, len(given.data) + implicit))
    for j, array in enumerate(given.data):
        data[..., j] = array
    if implicit:
        data[..., -1] = np.nan
    parameters = np.empty((sets, len(given.parameters)))
    for j, column in enumerate(given.parameters):
        parameters[:, j] = np.ravel(column)
    value, *rest = (output.reshape(-1, sets, points) for output in given.outputs)
    gradient = rest[0] if rest else np.empty((0, sets, points))
    zero = parameters[:, list(arguments[1]).index(switch)][:, None] == 0 if switch else False
    for where, name in branches(what, zero, sets):
        chosen = np.arange(sets) if where is None else np.flatnonzero(where)
        functions[name](data, parameters, chosen, value, gradient)
    return given.outputs
