"""Shared by the tests of exported source: points, the reference with many digits, a bare interpreter, gcc."""

import ctypes
import json
import math
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import sympy as sp

from symbolic_scaling import codegen, laws
from symbolic_scaling.law import Law

WIDER = 1e3  # the typical range on either side, and every start range by half
TOLERANCE = 1e-12
DEEP = 60  # digits of the reference


def points(law: Law, count: int, seed: int = 7) -> list[list[float]]:
    """Arguments (inputs, constants): inputs over the widened typical range, constants over their start ranges."""
    rng = random.Random(f"{law.name}{seed}")
    found = []
    while len(found) < count:
        row = [
            math.exp(rng.uniform(math.log(v.typical[0] / WIDER), math.log(v.typical[1] * WIDER))) for v in law.variables
        ]
        for parameter in law.parameters:
            lo, hi = parameter.start
            wide = lo > 0 and hi / lo > 100
            row.append(math.exp(rng.uniform(math.log(lo), math.log(hi))) if wide else rng.uniform(lo, hi))
        if holds(law, dict(zip((*law.inputs, *law.constants), row, strict=True))):
            found.append(row)
    return found


def holds(law: Law, at: dict[sp.Symbol, float]) -> bool:
    """Whether the point is in the domain, as far as relations between inputs and constants say."""
    y = law.response.symbol
    known = [pair for pair in law.domain.relations if y not in pair[0].free_symbols | pair[1].free_symbols]
    bounds = [(b, a) for b, e in law.domain.relations if e == y for a, f in law.domain.relations if a == y for a in [f]]
    inside = all(float((more - less).subs(at)) > 1e-2 * abs(float(more.subs(at))) for more, less in known + bounds)
    return inside and all(law.domain.interval(symbol).contains(sp.Float(value)) for symbol, value in at.items())


def reference(law: Law, row: Sequence[float], digits: int = DEEP) -> tuple[float, list[float]]:
    """Value and gradient in inputs and constants with 50 digits and more, of the law as it is written."""
    arguments = (*law.inputs, *law.constants)
    if law.explicit is not None:
        exact = codegen.compile(law.explicit, arguments, arguments, "mpmath", lowered=False)
        value, gradient = exact.value_and_gradient(*row, dps=digits)
        return value, list(gradient)
    value, constants = codegen.law(law, "mpmath").value_and_gradient(*row, dps=digits)
    form = law.residual
    slopes = codegen.compile(
        [-form.diff(x) / form.diff(law.response.symbol) for x in law.inputs],
        (law.response.symbol, *arguments),
        target="mpmath",
        lowered=False,
    )
    return value, [*slopes(value, *row, dps=digits), *constants]  # fmt: skip


def agree(found: Sequence[float], wanted: Sequence[object], where: object) -> None:
    """Relative agreement; underflow to 0 may be."""
    for one, other in zip(found, wanted, strict=True):
        assert abs(one - other) <= TOLERANCE * abs(other) + 1e-300, (where, one, other)  # type: ignore[operator]


def agree_with_slopes(found: tuple[float, Sequence[float]], name: str, row: Sequence[float]) -> None:
    """The value to 1e-12; a slope to 1e-12, or to what moves the value by 1e-13 of itself where its terms cancel."""
    value, gradient = found
    wanted, slopes = reference(laws.get(name), row)
    agree([value], [wanted], (name, row))
    for at, slope, exact in zip(row, gradient, slopes, strict=True):
        least = 1e-13 * abs(wanted / at) if at else 0
        assert abs(slope - exact) <= TOLERANCE * abs(exact) + least + 1e-300, (name, row, at, slope, exact)


def bare(text: str, folder: Path, calls: str) -> object:
    """What an interpreter prints that sees the exported file and the standard library alone."""
    (folder / "exported.py").write_text(text, encoding="utf-8")
    program = f"import sys; sys.path.insert(0, {str(folder)!r})\nimport json, exported\nprint(json.dumps({calls}))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def compiled(text: str, folder: Path) -> ctypes.CDLL:
    """The shared library that gcc makes of it without a warning."""
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc here")
    (folder / "exported.c").write_text(text, encoding="utf-8")
    flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC"]
    command = ["gcc", *flags, "exported.c", "-o", "exported.so", "-lm"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(folder / "exported.so"))


def c_function(library: ctypes.CDLL, name: str, size: int) -> Callable[..., tuple[float, list[float]]]:
    """The value and gradient of an exported C function as a function of its two arrays."""
    value, both = library[name], library[f"{name}_gradient"]
    value.restype = both.restype = ctypes.c_double

    def call(x: Sequence[float], p: Sequence[float]) -> tuple[float, list[float]]:
        arrays = [(ctypes.c_double * max(len(some), 1))(*some) for some in (x, p)]
        gradient = (ctypes.c_double * size)()
        found = both(*arrays, gradient)
        assert value(*arrays) == pytest.approx(found, rel=1e-12)
        return found, list(gradient)

    return call
