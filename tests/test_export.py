"""Exported source stands alone: in a bare interpreter and through gcc it gives the numbers of the 50-digit target."""

import ctypes
import json
import math
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import mpmath
import numpy as np
import pytest
import sympy as sp

from symbolic_scaling import catalogue, codegen, derive, laws
from symbolic_scaling.codegen import export
from symbolic_scaling.codegen.export import lines
from symbolic_scaling.errors import ScalingError
from symbolic_scaling.law import Law
from symbolic_scaling.records import Derivation

FEW = ("chinchilla", "m4")
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


def reference(law: Law, row: Sequence[float]) -> tuple[float, list[float]]:
    """Value and gradient in inputs and constants with 50 digits and more, then rounded."""
    arguments = (*law.inputs, *law.constants)
    if law.explicit is not None:
        exact = codegen.compile(law.explicit, arguments, arguments, "mpmath", lowered=False)
        value, gradient = exact.value_and_gradient(*row, dps=DEEP)
        return value, list(gradient)
    value, constants = codegen.law(law, "mpmath").value_and_gradient(*row, dps=DEEP)
    form = law.residual
    slopes = codegen.compile(
        [-form.diff(x) / form.diff(law.response.symbol) for x in law.inputs],
        (law.response.symbol, *arguments),
        target="mpmath",
        lowered=False,
    )
    return value, [*slopes(value, *row, dps=DEEP), *constants]  # fmt: skip


def agree(found: Sequence[float], wanted: Sequence[object], where: object) -> None:
    """Relative agreement; underflow to 0 may be."""
    for one, other in zip(found, wanted, strict=True):
        assert abs(one - other) <= TOLERANCE * abs(other) + 1e-300, (where, one, other)  # type: ignore[operator]


def agree_with_slopes(found: tuple[float, Sequence[float]], name: str, row: Sequence[float]) -> None:
    """The value to 1e-12; a slope to 1e-12, or to what moves the value by 1e-14 of itself where its terms cancel."""
    value, gradient = found
    wanted, slopes = reference(laws.get(name), row)
    agree([value], [wanted], (name, row))
    for at, slope, exact in zip(row, gradient, slopes, strict=True):
        least = 1e-14 * abs(wanted / at) if at else 0
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


def check_c(name: str, folder: Path, count: int) -> None:
    law = laws.get(name)
    split, size = len(law.inputs), len(law.inputs) + len(law.constants)
    (function,) = export.module(law).functions
    prefix = name.replace("-", "_")
    call = c_function(compiled(export.source(law, "c"), folder), f"{prefix}_{function.name}", size)
    for row in points(law, count):
        agree_with_slopes(call(row[:split], row[split:]), name, row)


def check_python(name: str, folder: Path, count: int) -> None:
    law = laws.get(name)
    (function,) = export.module(law).functions
    split = len(law.inputs)
    rows = points(law, count)
    names = [symbol.name for symbol in law.constants]
    calls = ", ".join(
        f"exported.{function.name}_gradient(*{row[:split]}, **{dict(zip(names, row[split:], strict=True))})"
        for row in rows
    )
    made = bare(export.source(law, "python"), folder, f"[{calls}]")
    scope: dict[str, object] = {}
    exec(export.source(law, "numpy"), scope)  # noqa: S102
    columns = np.array(rows).T
    arrays = scope[f"{function.name}_gradient"](*columns[:split], **dict(zip(names, columns[split:], strict=True)))
    for at, (row, (value, gradient)) in enumerate(zip(rows, made, strict=True)):
        agree_with_slopes((value, gradient.values()), name, row)
        agree_with_slopes((arrays[0][at], [slope[at] for slope in arrays[1].values()]), name, row)


@pytest.mark.parametrize("name", FEW)
def test_c_agrees_with_fifty_digits(name: str, tmp_path: Path) -> None:
    check_c(name, tmp_path, 12)


@pytest.mark.parametrize("name", FEW)
def test_python_and_numpy_agree_with_fifty_digits(name: str, tmp_path: Path) -> None:
    check_python(name, tmp_path, 12)


@pytest.mark.slow
@pytest.mark.parametrize("name", laws.names())
def test_every_law_agrees(name: str, tmp_path: Path) -> None:
    for part in ("c", "python"):
        (tmp_path / part).mkdir()
    check_c(name, tmp_path / "c", 200)
    check_python(name, tmp_path / "python", 60)


# ---------------------------------------------------------------- derived results


def test_the_frontier_and_its_root_agree(tmp_path: Path) -> None:
    law = laws.get("chinchilla")
    found = derive.frontier(law, "C = 6*N*D + 2*N*D_inf")
    constants = law.published_set("besiroglu2024").exact()
    bound = [export.Constant(name, float(value), str(value), "besiroglu2024") for name, value in constants.items()]
    text = export.source(found, "python", bound)
    for C, D_inf in ((1e18, 1e9), (1e21, 1e11), (1e28, 1e3)):
        wanted = codegen.evaluate(found, {**constants, "C": C, "D_inf": D_inf}, "mpmath", 30)
        keys = ("N", "D", "L")
        got = bare(text, tmp_path, f"[{', '.join(f'exported.{key}({C}, {D_inf})' for key in keys)}]")
        assert isinstance(got, list)
        agree(got, [wanted[key] for key in keys], (C, D_inf))


def test_the_gradient_of_a_root_is_its_slope(tmp_path: Path) -> None:
    found = derive.frontier(laws.get("chinchilla"), "C = 6*N*D + 2*N*D_inf")
    values = {"E": 1.8, "A": 480.0, "B": 2085.0, "alpha": 0.35, "beta": 0.37}
    ours = {name: values[name] for name in ("A", "B", "alpha", "beta")}
    h = 1e18 * 1e-4
    calls = f"[exported.N_gradient(1e18, 1e9, **{ours}), exported.N({1e18 + h}, 1e9, **{ours}), "
    calls += f"exported.N({1e18 - h}, 1e9, **{ours})]"
    (_, gradient), above, below = bare(export.source(found, "python"), tmp_path, calls)  # type: ignore[misc]
    assert gradient["C"] == pytest.approx((above - below) / (2 * h), rel=1e-7)


def test_a_target_out_of_reach_is_not_a_number(tmp_path: Path) -> None:
    text = export.source(derive.inverse(laws.get("m2"), "x"), "python")
    constants = "beta=2.0, c=-0.5, eps_inf=0.25"
    near, far = bare(text, tmp_path, f"[exported.x(0.27, {constants}), repr(exported.x(0.2, {constants}))]")  # type: ignore[misc]
    assert near == pytest.approx(1e4)
    assert far == "nan"


def test_coupled_roots_are_named_not_guessed() -> None:
    law = laws.formula("L = E + A/N^a + B/D^b + K/R^c", ["N", "D", "R"])
    with pytest.raises(ScalingError, match="coupled"):
        export.source(derive.frontier(law, "C = 6*N*D + 2*N*R", given=["a > 0", "b > 0", "c > 0"]), "c")


def check_derivation(found: Derivation, folder: Path) -> int:
    """Compare every exported answer with the 30-digit one at a few points; how many were compared."""
    try:
        module = export.module(found)
    except ScalingError:
        return 0
    law, compared = found.law, 0
    text = export.source(found, "python")
    for row in points(law, 3):
        at = dict(zip((symbol.name for symbol in (*law.inputs, *law.constants)), row, strict=True))
        at |= {
            letter.symbol.name: 1e22 for f in module.functions for letter in f.arguments if letter.symbol.name not in at
        }
        needed = {symbol.name for f in module.functions for symbol in [letter.symbol for letter in f.arguments]}
        if law.response.symbol.name in at:  # inside its bounds
            at[law.response.symbol.name] = float(codegen.law(law)(*row))
        try:
            wanted = codegen.evaluate(found, {name: at[name] for name in sorted(needed)}, "mpmath", 30)
        except ScalingError:  # no real value there
            continue
        for function in module.functions:
            key = function.doc.partition(" of the ")[0]
            if key in wanted and mpmath.isfinite(wanted[key]):
                plan = next(plan for plan in lines.plans(module, ()) if plan.function is function)
                values = [at[letter.symbol.name] for letter in function.arguments]
                given = ", ".join(f"{n}={value!r}" for n, value in zip(plan.arguments, values, strict=True))
                found_here = bare(text, folder, f"exported.{plan.name}({given})")
                agree([found_here], [wanted[key]], (plan.name, at))  # type: ignore[list-item]
                compared += 1
    return compared


@pytest.mark.slow
@pytest.mark.parametrize("name", catalogue.names())
def test_every_derivation_agrees(name: str, tmp_path: Path) -> None:
    found = [one for one in catalogue.get(name).derivations() if not one.cases]
    if not sum(check_derivation(one, tmp_path) for one in found):
        pytest.skip("its answers are laws, cases, or limits that are infinite")


def test_results_of_one_name_stand_apart() -> None:
    m4 = laws.get("m4")
    both = [derive.series(m4, "x", order=2), derive.series(m4, "x", order=2, at="0")]
    assert [function.name for function in export.module([*both, both[0]]).functions] == ["eps_x", "eps_x_2"]


# ---------------------------------------------------------------- the file


def test_alpha_zero_is_m2(tmp_path: Path) -> None:
    constants = {"beta": 2.0, "c": -0.5, "eps_inf": 0.25}
    calls = f"exported.eps_x_gradient(1e4, alpha=0, eps_0=1.0, **{constants})"
    value, gradient = bare(export.source(laws.get("m4"), "python"), tmp_path, calls)  # type: ignore[misc]
    assert value == pytest.approx(0.27, rel=1e-14)
    assert gradient["eps_0"] == 0


@pytest.mark.parametrize("to", export.TARGETS)
def test_the_header_says_what_the_file_is(to: str) -> None:
    law = laws.get("chinchilla")
    bound = [export.Constant("E", 1.69, "1.69", "Hoffmann et al. 2022")]
    head = export.source(law, to, bound, ["Note: of today"]).split("import")[0]
    for said in (law.source, "N: ", "parameters", "E = 1.69 (Hoffmann et al. 2022)", "of today", "A/N**alpha"):
        assert said in head


@pytest.mark.parametrize("to", export.TARGETS)
def test_hostile_words_stay_in_comments(to: str, tmp_path: Path) -> None:
    law = laws.get("m1")
    note = '*/ """ \n import os\r\x0b\x85\u2028 \\end{document} ??/ %\\'
    text = export.source(law, to, [export.Constant("beta", 2.0, note, note)], [note])
    if to == "python":
        assert bare(text, tmp_path, "exported.eps_x(4.0, c=-0.5)") == 1.0
    elif to == "numpy":
        exec(text, scope := {})  # noqa: S102
        assert scope["eps_x"](4.0, c=-0.5) == 1.0
    elif to == "c":
        assert c_function(compiled(text, tmp_path), "m1_eps_x", 3)([4.0], [2.0, -0.5])[0] == 1.0
    else:
        assert text.count(r"\end{document}") == 1


def test_the_same_bytes_twice() -> None:
    assert all(export.source(laws.get("m4"), to) == export.source(laws.get("m4"), to) for to in export.TARGETS)


def test_nonsense_is_refused() -> None:
    with pytest.raises(ScalingError, match="no such target"):
        export.source(laws.get("m1"), "cobol")
    with pytest.raises(ScalingError, match="no constant gamma"):
        export.source(laws.get("m1"), "c", [export.Constant("gamma", 1.0, "1", "")])
