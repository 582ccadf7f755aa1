"""Every target keeps what a formula shows: products whose powers overflow alone, ``exp(u) - 1``, ``log(1 + v)``."""

import warnings
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from exported import bare, c_function, compiled
from hypothesis import assume, given
from hypothesis import strategies as st

from symbolic_scaling import codegen, laws
from symbolic_scaling.codegen import export

x, a, b = sp.symbols("x a b", positive=True)
r, s = sp.symbols("r s", real=True)
POWERS = [
    (x**1000 * a**-1000, {x: 2.0, a: 4.0}),
    (x**2 / a**2, {x: 1e200, a: 1e201}),
    (x**3 * sp.Rational(3, 7) / (a**2 * b), {x: 1e120, a: 1e170, b: 1e10}),
    (x**500 * a**500, {x: 0.1, a: 11.0}),
    (r**301 * s**-300, {r: -1e3, s: 2e3}),
    (r**301 * s**-301 * x, {r: -1e3, s: 2e3, x: 3.0}),
    ((r + s) ** 900 / (r - s) ** 900, {r: 5.0, s: -2.0}),
    (x ** sp.Rational(2001, 2) / a**1000, {x: 3.0, a: 3.5}),
    (x**400 * sp.exp(-a), {x: 1e3, a: 2760.0}),
    (r**2 * sp.exp(-(r**2)), {r: 1e160}),
    (r**3 * x**2 / a**4, {r: 0.0, x: 2.0, a: 3.0}),
]
SMALL = [
    (sp.exp(a * x) - 1, {a: 1.0, x: 1e-18}),
    (1 - sp.exp(-a * x), {a: 1.0, x: 1e-18}),
    (b - b * sp.exp(-x / a), {b: 3.0, x: 1e-18, a: 2.0}),
    (sp.exp(r * x) - 1 + s, {r: -1.0, x: 1e-18, s: 0.0}),
    (a * x**r - a, {a: 2.0, x: 3.0, r: 1e-18}),
    (sp.sqrt(1 + x) - 1, {x: 1e-18}),
    ((1 + x) ** a - 1, {x: 1e-18, a: 0.5}),
    (sp.log(1 + x), {x: 1e-18}),
    (a * sp.log(1 + r * x), {a: 2.0, r: -1e-9, x: 1e-9}),
    (sp.log(1 - x), {x: 1e-18}),
    (1 / sp.log(1 + r), {r: 1e-18}),
]


@pytest.fixture(autouse=True)
def _warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def exactly(expression: sp.Expr, at: dict[sp.Symbol, float]) -> float:
    """With 50 digits, as it is written."""
    plain = codegen.compile(expression, list(at), target="mpmath", lowered=False)
    return float(plain(*at.values(), dps=50))


@pytest.mark.parametrize("target", ["numpy", "mpmath"])
@pytest.mark.parametrize(("expression", "at"), POWERS + SMALL, ids=str)
def test_value_and_gradient_are_kept(expression: sp.Expr, at: dict[sp.Symbol, float], target: str) -> None:
    made = codegen.compile(expression, list(at), list(at), target)
    value, gradient = made.value_and_gradient(*at.values())
    assert float(value) == pytest.approx(exactly(expression, at), rel=3e-13)
    wanted = [exactly(expression.diff(symbol), at) for symbol in at]
    assert [float(slope) for slope in gradient] == pytest.approx(wanted, rel=3e-13)


@pytest.mark.parametrize(("expression", "at"), POWERS[::5] + SMALL[2::9], ids=str)
def test_machine_code_keeps_it(expression: sp.Expr, at: dict[sp.Symbol, float]) -> None:
    pytest.importorskip("numba")
    test_value_and_gradient_are_kept(expression, at, "numba")


@pytest.mark.parametrize("target", ["numpy", "mpmath"])
@given(
    base=st.tuples(st.floats(1e-30, 1e30), st.floats(1e-30, 1e30)),
    power=st.tuples(st.integers(-40, 40), st.integers(-40, 40)),
    sign=st.sampled_from([1, -1]),
)
def test_products_of_powers_are_as_large_as_they_are(base, power, sign: int, target: str) -> None:
    assume(abs(sum(p * np.log10(q) for p, q in zip(power, base, strict=True))) < 290 and all(power))
    expression = r ** power[0] * x ** power[1]
    at = {r: sign * base[0], x: base[1]}
    made = codegen.compile(expression, list(at), target=target)(*at.values())
    assert float(made) == pytest.approx(exactly(expression, at), rel=1e-12)


def test_points_that_overflow_do_not_spoil_their_neighbours() -> None:
    made = codegen.compile(x**4 / a**4, [x, a])
    rows = np.array([1e90, 3.0, 1e-90, 1e-200]), np.array([1e91, 2.0, 1e-91, 1e-199])
    assert made(*rows).tolist() == pytest.approx([1e-4, 81 / 16, 1e4, 1e-4], rel=1e-12)


FORMULAS = {
    "y = v*x^1000*k^-1000": ((2.0,), (4.0, 3.0), 3 * 2.0**-1000),
    "y = v*(exp(k*x) - 1)": ((1e-18,), (2.0, 3.0), 6e-18),
    "y = v*(1 - exp(-x/k))": ((1e-18,), (2.0, 3.0), 1.5e-18),
    "y = v + log(1 + k*x)": ((1e-18,), (2.0, 1e-19), 2.1e-18),
    "y = v*(x^k - 1)": ((3.0,), (1e-18, 2.0), 2e-18 * float(np.log(3.0))),
}


@pytest.mark.parametrize("text", FORMULAS)
def test_exports_keep_it_too(text: str, tmp_path: Path) -> None:
    inputs, constants, wanted = FORMULAS[text]
    law = laws.formula(text, ("x",))
    assert [symbol.name for symbol in law.constants] == ["k", "v"]
    (folder := tmp_path / "c").mkdir()
    call = c_function(compiled(export.source(law, "c"), folder), "formula_y", 3)
    assert call(inputs, constants)[0] == pytest.approx(wanted, rel=3e-13)
    call = f"exported.y({inputs[0]}, k={constants[0]}, v={constants[1]})"
    assert bare(export.source(law, "python"), tmp_path, call) == pytest.approx(wanted, rel=3e-13)
    exec(export.source(law, "numpy"), scope := {})  # noqa: S102
    found = scope["y"](np.array([inputs[0]]), k=constants[0], v=constants[1])
    assert float(found[0]) == pytest.approx(wanted, rel=3e-13)
