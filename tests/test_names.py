"""Symbols may be called anything: keywords, builtins, macros and the package's own helpers break no generated code."""

import builtins
import keyword
import random
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from exported import bare, c_function, compiled

from symbolic_scaling import codegen
from symbolic_scaling.codegen import export, jit
from symbolic_scaling.codegen.export import helpers, helpers_c, lines, python
from symbolic_scaling.codegen.printers import numpy as printer
from symbolic_scaling.law import Law, Parameter, Variable
from symbolic_scaling.notation.source import is_name

C_WORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while asm typeof
    alignas bool constexpr nullptr thread_local M_PI M_E M_SQRT1_2 FP_NAN FP_ZERO NAN INFINITY HUGE_VAL NULL EOF I
    complex errno linux unix j0 y1 gamma tgamma signgam size_t float_t fabs fmax isnan main _Complex _Bool __LINE__
"""
OWN = """
    eval exec import lambda a__b __class__ __builtins__ __debug__ _s0 _v0 _u _at _out _rows v0 a0 u x p self data out
    scalars parameters shared mixed at gradient block CONSTANTS find_root math np L_gradient f_constants
"""
NAMES = sorted(
    {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *dir(np), *C_WORDS.split(), *OWN.split()}
    | {*printer.NAMESPACE, *helpers.MATH, *helpers.NUMPY, *helpers_c.FUNCTIONS, *helpers_c.RESERVED}
)


def macros() -> list[str]:
    """What the C compiler here and its headers define."""
    if shutil.which("gcc") is None:
        return []
    command = ["gcc", "-dM", "-E", "-D_GNU_SOURCE", "-include", "math.h", "-x", "c", "/dev/null"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [line.split()[1].partition("(")[0] for line in listed.splitlines()]


def law_of(name: str, response: str, names: list[str]) -> Law:
    """``y = x + p_1*x + 2*p_2*x + ...`` with the first name for x."""
    y, x, *parameters = (sp.Symbol(one, positive=True) for one in (response, *names))
    return Law(
        name=name,
        title="names",
        source="no paper",
        response=Variable(y, "response", typical=(1, 10)),
        variables=(Variable(x, "input", typical=(1, 10)),),
        parameters=tuple(Parameter(p, "a constant", start=(1, 2)) for p in parameters),
        form=sp.Eq(y, x + sum(k * p * x for k, p in enumerate(parameters, 1))),
    )


def at_a_point(law: Law) -> tuple[list[float], float, list[float]]:
    """Arguments, x = 2 and the constants 1, 2, 3, ..., the value there and its slopes in the constants."""
    numbers = range(1, len(law.constants) + 1)
    return [2.0, *map(float, numbers)], 2.0 + 2.0 * sum(k * k for k in numbers), [2.0 * k for k in numbers]


def check_targets(law: Law, *targets: str) -> None:
    point, total, slopes = at_a_point(law)
    for target in targets:
        value, gradient = codegen.law(law, target).value_and_gradient(*point)
        assert float(value) == pytest.approx(total) and [float(one) for one in gradient] == pytest.approx(slopes)


def check(law: Law, folder: Path) -> None:
    """NumPy, mpmath and every export give value and slopes."""
    check_targets(law, "numpy", "mpmath")
    point, total, slopes = at_a_point(law)
    (folder / "c").mkdir()
    (plan,) = lines.plans(export.module(law), python.RESERVED)
    given = dict(zip(plan.arguments[1:], point[1:], strict=True))
    text = export.source(law, "python")
    value, gradient = bare(text, folder, f"exported.{plan.name}_gradient(2.0, **{given})")
    assert value == pytest.approx(total) and list(gradient.values())[1:] == pytest.approx(slopes)
    assert all(
        f"{name} is written {made}" in text
        for made, name in zip(plan.arguments, map(str, law.inputs), strict=False)
        if made != name
    )
    scope: dict[str, object] = {}
    exec(export.source(law, "numpy"), scope)  # noqa: S102
    value, gradient = scope[f"{plan.name}_gradient"](2.0, **given)
    assert value == pytest.approx(total) and list(gradient.values())[1:] == pytest.approx(slopes)
    text = export.source(law, "c")
    (called,) = {
        line.split()[1].partition("(")[0]
        for line in text.splitlines()
        if line.startswith("double ") and "_gradient(" in line
    }
    value, gradient = c_function(compiled(text, folder / "c"), called.removesuffix("_gradient"), len(point))(
        [2.0], point[1:]
    )
    assert value == pytest.approx(total) and gradient[1:] == pytest.approx(slopes)


def all_names() -> list[str]:
    names = sorted(filter(is_name, {*NAMES, *macros()} - {"y"}))
    random.Random(5).shuffle(names)
    return names


def test_constants_may_have_any_name(tmp_path: Path) -> None:
    names = list(filter(is_name, dict.fromkeys(["x", *OWN.split(), *C_WORDS.split(), "float", "zip", "map", "abs"])))
    check(law_of("names", "y", [*names, *(name for name in all_names()[:20] if name not in names)]), tmp_path)


@pytest.mark.slow
def test_constants_may_have_each_name(tmp_path: Path) -> None:
    names = all_names()
    for place in range(0, len(names), 50):
        (tmp_path / str(place)).mkdir()
        check(law_of("names", "y", names[place : place + 50]), tmp_path / str(place))


def test_every_target_takes_any_name() -> None:
    names = ["eval", "exec", "import", "lambda", "a__b", "float", "M_PI", "log", "at", "data", "v0", "_s0", "x y", "α"]
    check_targets(law_of("names", "exp", names), "numpy", "mpmath", *(["numba"] if jit.HERE else []))


def some(count: int) -> list[tuple[str, str, list[str]]]:
    """Names of a law, its response, its input and its constants; a law's own name is a word in lower case."""
    rng = random.Random(3)
    fixed = [("size", "t", ["x", "p"]), ("find", "root", ["abs", "zip"]), ("block", "L_value", ["L", "u"])]
    fixed += [("abs", "abs", ["np", "map"]), ("float", "abs", ["math", "range"]), ("m", "M_PI", ["FP_NAN", "expm1"])]
    names = list(filter(is_name, NAMES))
    laws = [name for name in NAMES if name.isalpha() and name.islower()]
    drawn = [(rng.choice(laws), *rng.sample(names, 4)) for _ in range(count)]
    return fixed + [(name, response, list(names)) for name, response, *names in drawn]


@pytest.mark.parametrize(("name", "response", "names"), some(3))
def test_laws_and_responses_may_have_any_name(name: str, response: str, names: list[str], tmp_path: Path) -> None:
    check(law_of(name, response, names), tmp_path)


@pytest.mark.slow
def test_many_laws_and_responses_may_have_any_name(tmp_path: Path) -> None:
    for place, (name, response, names) in enumerate(some(300)):
        (tmp_path / str(place)).mkdir()
        check(law_of(name, response, names), tmp_path / str(place))
