"""Derivatives that are small differences of large terms: every target gives them to 1e-12 of themselves.

The points are hostile: one term of a sum outweighs the others by up to 200 orders of magnitude, the argument of a
saturating exponential is tiny, a closed constant is near its zero. The reference has 400 digits.
"""

import math
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from exported import bare, c_function, compiled, reference

from symbolic_scaling import codegen, laws
from symbolic_scaling.codegen import export, jit

COUNT = 8


def spread(rng: random.Random, low: float, high: float) -> float:
    return 10.0 ** rng.uniform(low, high)


def kaplan(rng: random.Random) -> list[float]:
    exponents = [rng.uniform(0.02, 0.5), rng.uniform(0.02, 0.5)]
    return [spread(rng, -2, 14), spread(rng, -2, 14), spread(rng, 10, 16), spread(rng, 10, 16), *exponents]


def repeated(rng: random.Random) -> list[float]:
    data = [spread(rng, 3, 12), spread(rng, -9, 2), spread(rng, 3, 12), spread(rng, -9, 2)]
    return [*data, 1.7, 400.0, 300.0, rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.6), *(spread(rng, 0, 2) for _ in "ND")]


def between(rng: random.Random) -> list[float]:
    x, c, floor, width = spread(rng, -6, 14), -rng.uniform(0.05, 1), rng.uniform(0.01, 2), spread(rng, -2, 1)
    beta = width * spread(rng, -12, -0.1) / x**c  # the response is far from its upper bound
    return [x, beta, c, spread(rng, -7, 0.5), floor, floor + width]


HOSTILE = {"kaplan-nd": kaplan, "data-constrained": repeated, "m4": between}


def rows(name: str) -> list[list[float]]:
    rng = random.Random(name)
    return [HOSTILE[name](rng) for _ in range(COUNT)]


def targets(name: str, folder: Path) -> Iterator[tuple[str, list[float], list[float]]]:
    """Target, point and derivatives; those in inputs are missing (nan) where a target has none."""
    law, points = laws.get(name), rows(name)
    split, size = len(law.inputs), len(points[0])
    (function,) = export.module(law).functions
    for target in ("numpy", "numba") if jit.HERE else ("numpy",):
        made = codegen.law(law, target)
        for row in points:
            yield target, row, [math.nan] * split + made.value_and_gradient(*row)[1].tolist()
    prefix = name.replace("-", "_")
    (folder / "c").mkdir()
    call = c_function(compiled(export.source(law, "c"), folder / "c"), f"{prefix}_{function.name}", size)
    yield from (("c", row, call(row[:split], row[split:])[1]) for row in points)
    names = [symbol.name for symbol in law.constants]
    calls = (f"*{row[:split]}, **{dict(zip(names, row[split:], strict=True))}" for row in points)
    text = ", ".join(f"exported.{function.name}_gradient({one})" for one in calls)
    for row, (_, slopes) in zip(points, bare(export.source(law, "python"), folder, f"[{text}]"), strict=True):
        yield "python", row, list(slopes.values())
    scope: dict[str, object] = {}
    exec(export.source(law, "numpy"), scope)  # noqa: S102
    columns = np.array(points).T
    both = scope[f"{function.name}_gradient"]
    slopes = both(*columns[:split], **dict(zip(names, columns[split:], strict=True)))[1]
    yield from (("array", row, [float(slope[at]) for slope in slopes.values()]) for at, row in enumerate(points))


@pytest.mark.parametrize("name", HOSTILE)
def test_every_target_gives_small_derivatives(name: str, tmp_path: Path) -> None:
    wanted = {tuple(row): reference(laws.get(name), row, 400)[1] for row in rows(name)}
    for target, row, found in targets(name, tmp_path):
        for one, exact in zip(found, wanted[tuple(row)], strict=True):
            assert math.isnan(one) or abs(one - exact) <= 1e-12 * abs(exact) + 1e-290, (target, row, one, exact)
