"""Which term of a law is active where: shares of the response, and the borders between regions.

The share of a part is the slope of ``log y`` in the logarithm of that part. In a sum it is the term over the sum; in
``1/(1/A + 1/B)`` a part counts as far as it is the smaller one; a counterforce, which makes the response smaller as it
grows, has a negative share. All shares add to the degree of the law in its parts, 1 without counterforces. The active
part is the one of the largest share by size, among those that an input moves; without any it is a constant.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..sources import Chosen, chosen_source
from .model import Array, Model
from .parts import Part, read

__all__ = ["Border", "Shares", "borders", "shares"]

_HALVINGS = 60


@dataclass(frozen=True)
class Shares:
    """What holds the response at one point: ``active`` is the part that does most, ``shares`` what each does."""

    inputs: tuple[tuple[str, float], ...]
    response: float
    active: str
    shares: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Border:
    """A point of the plane of two inputs where the active part changes from ``below`` to ``above`` in the second."""

    first: float
    second: float
    below: str
    above: str


def shares(source: Chosen, points: Mapping[str, Any]) -> tuple[Shares, ...]:
    """Shares of every part at points.

    Parameters
    ----------
    source : Source, Law or FitResult
        A law with numbers; of a law its first printed ones.
    points : mapping of input to number or array
        All inputs, broadcast against one another.

    Raises
    ------
    LawError
        If the law is implicit.
    DataError
        If an input is missing, unknown or not positive.

    Examples
    --------
    >>> from symbolic_scaling import laws, plan
    >>> found = shares(plan.source(laws.get("chinchilla"), "besiroglu2024"), {"N": [1e8, 1e11], "D": 1e10})
    >>> [(each.active, round(dict(each.shares)["B"], 3)) for each in found]
    [('A', 0.149), ('B', 0.195)]
    """
    source = chosen_source(source)
    model = Model(source, f"share the response of {source.law.name}")
    model.held(dict.fromkeys(points, 1.0), ())
    listed = {name: [model.number(name, value) for value in np.ravel(values)] for name, values in points.items()}
    columns = dict(zip(listed, np.broadcast_arrays(*listed.values()), strict=True))
    parts = read(source.law).parts
    value, found = model.shares(columns)
    leading = _leading(parts, found)
    return tuple(
        Shares(
            tuple((name, float(columns[name][j])) for name in model.inputs),
            float(value[j]),
            parts[leading[j]].name,
            tuple((part.name, float(share)) for part, share in zip(parts, found[:, j], strict=True)),
        )
        for j in range(len(value))
    )


def borders(
    source: Chosen,
    first: str,
    second: str,
    *,
    held: Mapping[str, Any] | None = None,
    spans: Mapping[str, Any] | None = None,
    lines: int = 25,
) -> tuple[Border, ...]:
    """Where the active part changes along the second input, on ``lines`` values of the first.

    Parameters
    ----------
    source : Source, Law or FitResult
    first, second : str
        Two inputs.
    held : mapping, optional
        The others.
    spans : mapping of input to (lo, hi), optional
        Where to look; a thousandfold beyond the rows of a fit, or far beyond what is typical, without it.
    lines : int
        How many values of the first input.

    Raises
    ------
    LawError
        If the law is implicit.
    DataError
        If an input is missing or unknown.

    Examples
    --------
    >>> from symbolic_scaling import laws, plan
    >>> named = plan.source(laws.get("chinchilla"), "besiroglu2024")
    >>> one, *_ = borders(named, "N", "D", spans={"N": (1e8, 1e10), "D": (1e7, 1e13)}, lines=3)
    >>> one.below, one.above, f"{one.second:.4g}"
    ('B', 'A', '2.215e+09')
    """
    source = chosen_source(source)
    model = Model(source, f"find the regions of {source.law.name}")
    fixed = model.held(held or {}, (first, second))
    around = model.spans(spans or {}, (first, second))
    parts, made = read(source.law).parts, []
    for x in np.geomspace(*around[first], lines):
        line = {**fixed, first: float(x)}
        logs = model.grid(second, line, around[second], 241)

        def leading(at: Array, line: Mapping[str, float] = line) -> tuple[Any, Array]:
            found = model.shares({**line, second: np.exp(at)})[1]
            return _leading(parts, found), np.abs(found)

        active, _ = leading(logs)
        for j in np.flatnonzero(active[1:] != active[:-1]):
            lo, hi, below, above = float(logs[j]), float(logs[j + 1]), int(active[j]), int(active[j + 1])
            for _ in range(_HALVINGS):
                middle = (lo + hi) / 2
                sizes = leading(np.array([middle]))[1][:, 0]
                lo, hi = (middle, hi) if sizes[below] > sizes[above] else (lo, middle)
            made.append(Border(float(x), math.exp((lo + hi) / 2), parts[below].name, parts[above].name))
    return tuple(made)


def _leading(parts: tuple[Part, ...], found: Array) -> Any:
    """The place of the largest share by size at each point, among the parts that move."""
    moving = np.array([bool(part.inputs) for part in parts])
    sizes = np.abs(found)
    return np.argmax(np.where(moving[:, None] | ~moving.any(), sizes, -1.0), axis=0)
