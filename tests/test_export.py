"""Exported laws stand alone: in a bare interpreter and through gcc they give the numbers of the 50-digit target."""

from pathlib import Path

import numpy as np
import pytest
from exported import agree_with_slopes, bare, c_function, compiled, points

from symbolic_scaling import laws
from symbolic_scaling.codegen import export
from symbolic_scaling.errors import ScalingError

FEW = ("chinchilla", "m4")


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
