"""mpmath target: the same instructions at any precision, in a context of its own, so that ``mp.dps`` never changes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from types import SimpleNamespace
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from ...errors import DataError, ScalingError
from ...nodes import bernoulli_gap
from ..instructions import Operand
from ..registers import Program

__all__ = ["NAMESPACE", "WIDTH", "defines", "operations", "print_program", "ready", "run", "steady"]

_GUARD = 15  # digits carried beyond those asked for

WIDTH = 1
NAMESPACE: Mapping[str, Any] = {}


def ready(functions: dict[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """The functions as they are."""
    return functions


def defines(name: str) -> list[str]:
    """Names of the functions that :func:`print_program` writes."""
    return [name]


def print_program(name: str, program: Program, data: Sequence[str], parameters: Sequence[str], rows: int) -> str:
    """Text of ``name(data, parameters, at)``, which returns the rows; ``at`` holds the operations."""
    places = dict(program.copies)
    lines = [f"def {name}(data, parameters, at):"]
    lines += [
        f"    ({', '.join(names)},) = {source}"
        for names, source in ((data, "data"), (parameters, "parameters"))
        if names
    ]
    lines += [f"    {step.to} = at.{step.operation}({', '.join(map(_text, step.operands))})" for step in program.once]
    lines += [f"    return ({', '.join(_text(places[f'_o{j}']) for j in range(rows))},)"]
    return "\n".join(lines) + "\n"


def _text(operand: Operand) -> str:
    """A name, or a double as an exact ratio."""
    if isinstance(operand, str):
        return operand
    above, below = operand.as_integer_ratio()
    return f"at.ratio({above}, {below})"


def operations(dps: int) -> tuple[Any, Any]:
    """A context with ``dps`` + 15 digits, and the operations in it."""
    context = mpmath.MPContext()
    context.dps = dps + _GUARD
    table = SimpleNamespace(
        absolute=abs,
        add=lambda a, b: a + b,
        bernoulli_gap=partial(bernoulli_gap._at, context),
        divide=lambda a, b: a / b,
        exp=context.exp,
        expm1=context.expm1,
        heaviside=lambda a, b: context.mpf(a > 0) if a else b,
        log=lambda a: context.log(a) if a else context.ninf,
        log1mexp=lambda a: context.log(-context.expm1(a)) if a > -context.ln2 else context.log1p(-context.exp(a)),
        log1p=context.log1p,
        maximum=max,
        minimum=min,
        multiply=lambda a, b: a * b,
        negative=lambda a: -a,
        pi=lambda: +context.pi,
        power=lambda a, b: a**b,
        ratio=lambda p, q: context.mpf(p) / q,
        sign=context.sign,
        sqrt=context.sqrt,
        subtract=lambda a, b: a - b,
    )
    return context, table


def run(
    functions: Mapping[str, Callable[..., Any]],
    what: str,
    arguments: tuple[Mapping[str, Any], Mapping[str, Any]],
    leads: Sequence[tuple[int, ...]],
    *,
    dps: int = 50,
    implicit: bool = False,
    switch: str = "",
) -> tuple[Any, ...]:
    """All outputs, as numbers or object arrays of mpmath numbers over the broadcast shape of the arguments."""
    context, table = operations(dps)
    names = [*arguments[0], *arguments[1]]
    arrays = [np.asarray(value, dtype=object) for value in (*arguments[0].values(), *arguments[1].values())]
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(names, arrays, strict=True))
        raise DataError(
            "evaluate compiled code", f"the lengths differ: {shapes}", "give arrays of one length"
        ) from None
    columns = [np.broadcast_to(array, shape).ravel().tolist() for array in arrays]
    split = len(arguments[0])
    points = []
    for point in range(math.prod(shape)):
        values = [_read(context, column[point]) for column in columns]
        data, parameters = values[:split], values[split:]
        name = what
        if switch and parameters[list(arguments[1]).index(switch)] == 0:
            name = f"{what}_explicit"
        elif implicit:
            data.append(_root(functions, context, data, parameters, table))
        row = functions[name](data, parameters, table)
        points.append([mpmath.mp.make_mpf(context.mpf(v)._mpf_) for v in row])
    table_of = np.empty((len(points[0]), len(points)), dtype=object)
    table_of[:] = np.array(points, dtype=object).T
    made, row = [], 0
    for lead in leads:
        count = int(np.prod(lead))
        made.append(table_of[row : row + count].reshape((*lead, *shape))[()])
        row += count
    return tuple(made)


def steady(
    functions: Mapping[str, Callable[..., Any]], dps: int
) -> tuple[Any, Callable[[str, Sequence[Any]], list[Any]]]:
    """A context and a function of all arguments as data, for many evaluations of one point each."""
    context, table = operations(dps)

    def call(what: str, numbers: Sequence[Any]) -> list[Any]:
        return list(functions[what]([_read(context, number) for number in numbers], (), table))

    return context, call


def _root(
    functions: Mapping[str, Callable[..., Any]], context: Any, data: list[Any], parameters: list[Any], at: Any
) -> Any:
    """The coordinate of the root (``codegen.root``): Newton from the nearer asymptote until the steps end."""
    level, left, right, bend = functions["start"](data, parameters, at)
    u = min(left, right) if bend >= 0 else max(left, right)
    for _ in range(20 + context.prec.bit_length()):
        value, slope = functions["step"]([*data, u], parameters, at)
        step = (value - level) / slope
        u -= step
        if abs(step) <= context.eps * (1 + abs(u)) * 16:
            return u
    raise ScalingError("solve a law for its response", f"no root after Newton from {left} and {right}", "check the law")


def _read(context: Any, value: Any) -> Any:
    """A number of the context: integers, fractions and SymPy's exact numbers to all its digits; text as a decimal."""
    if isinstance(value, Fraction | sp.Rational) and math.isfinite(value):
        return context.mpf(int(value.numerator)) / int(value.denominator)
    if isinstance(value, sp.Expr) and value.is_number:
        value = value.evalf(context.dps + 3) if value.is_finite else float(value)
    return context.mpf(value.item() if isinstance(value, np.generic) else value)
