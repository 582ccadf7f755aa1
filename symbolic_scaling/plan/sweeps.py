"""Sweep designs of vision transformers: a star around a centre, and a grid, each shape with its counts.

A star sweep moves one dimension at a time down from a centre; a grid sweep takes all combinations. Sizes stand in equal
ratios and are rounded to the multiples that hardware likes. Alabdulmohsin et al. 2023 (arXiv 2305.13035), section 4.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TypeVar

import sympy as sp

from ..errors import DomainError, LawError
from . import vit
from .records import Sheet
from .units import DIGITS, whole

__all__ = ["MULTIPLES", "grid", "ladder", "rounded", "size_of", "star"]

MULTIPLES = {"width": 16, "depth": 1, "mlp": 16}
Size = TypeVar("Size")


def ladder(least: object, most: object, count: int, multiple: int = 1) -> tuple[int, ...]:
    """Sizes in equal ratios from ``least`` to ``most``, rounded to multiples; doubles are left out.

    Raises
    ------
    DomainError
        If ``least`` is not below ``most``, or there are fewer than two sizes.

    Examples
    --------
    >>> ladder(608, 1968, 7, 16)
    (608, 736, 896, 1088, 1328, 1616, 1968)
    """
    lo, hi = whole(least, "the least size"), whole(most, "the largest size")
    if lo >= hi or count < 2:
        raise DomainError(
            f"make {count} sizes from {lo} to {hi}", "there is no room", "give least < most and two sizes"
        )
    ratio = (sp.Float(hi, DIGITS) / lo) ** sp.Rational(1, count - 1)
    return tuple(dict.fromkeys(rounded(lo * ratio**step, multiple) for step in range(count)))


def rounded(value: sp.Expr, multiple: int) -> int:
    """The nearest positive multiple."""
    return max(multiple, int(sp.floor(value / multiple + sp.Rational(1, 2))) * multiple)


def star(centre: Mapping[str, object], least: Mapping[str, object], count: int = 7) -> Sheet:
    """A star sweep: each dimension in ``count`` equal ratios from its least size up to the centre, the others held.

    Examples
    --------
    >>> made = star({"width": 1968, "depth": 40, "mlp": 6144}, {"width": 608, "depth": 8, "mlp": 1088})
    >>> len(made.rows), [float(cell) for cell in made.rows[0][1:4]]
    (19, [1968.0, 40.0, 6144.0])
    """
    middle = {name: int(whole(size_of(centre, name), name)) for name in vit.DIMENSIONS}
    rows = [("centre", middle)]
    for name in vit.DIMENSIONS:
        for size in ladder(size_of(least, name), middle[name], count, MULTIPLES[name]):
            if size != middle[name]:
                rows.append((name, {**middle, name: size}))
    return _sheet("Star sweep", rows)


def grid(sizes: Mapping[str, Sequence[object]]) -> Sheet:
    """A grid sweep: every combination of the sizes.

    Examples
    --------
    >>> len(grid({"width": [416, 512], "depth": [6, 8, 10], "mlp": [768]}).rows)
    6
    """
    lists = [[int(whole(one, name)) for one in size_of(sizes, name)] for name in vit.DIMENSIONS]
    rows = [("grid", dict(zip(vit.DIMENSIONS, each, strict=True))) for each in itertools.product(*lists)]
    return _sheet("Grid sweep", rows)


def _sheet(title: str, rows: Sequence[tuple[str, Mapping[str, int]]]) -> Sheet:
    made = []
    for moved, sizes in rows:
        counted = vit.image(sizes)
        made.append((moved, *(sp.Integer(v) for v in sizes.values()), counted["parameters"], counted["GFLOP at 224"]))
    return Sheet(title, ("moved", *vit.DIMENSIONS, "parameters", "GFLOP at 224"), tuple(made))


def size_of(sizes: Mapping[str, Size], name: str) -> Size:
    """The size of a dimension; ``LawError`` names what is missing."""
    if name not in sizes:
        raise LawError("read a shape", f"no {name}", f"give {', '.join(vit.DIMENSIONS)}")
    return sizes[name]
