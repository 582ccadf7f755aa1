"""A law in one new file: listed, derived, compiled, fitted, printed, put through the generated tests; no other edit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from test_every_law import CHECKS

from symbolic_scaling import Law, codegen, derive, fit, laws, report, verify

FILE = '''"""Toy: a sum of two power laws without a floor, as Kaplan et al. 2020 (arXiv 2001.08361), (1.6)."""

from sympy import Eq, symbols

from symbolic_scaling import Cost, Law, Parameter, Variable

y, x, z, P, Q, a, b = symbols("y x z P Q a b", positive=True)

LAW = Law(
    name="toy-law",
    title="Toy: two power laws",
    source="test",
    response=Variable(y, "loss", typical=(1e-2, 10)),
    variables=(Variable(x, "one resource"), Variable(z, "another")),
    parameters=(
        Parameter(P, "scale of x", start=(1.0, 1e6)),
        Parameter(Q, "scale of z", start=(1.0, 1e6)),
        Parameter(a, "exponent of x", start=(0.1, 1.0)),
        Parameter(b, "exponent of z", start=(0.1, 1.0)),
    ),
    form=Eq(y, (P / x) ** a + (Q / z) ** b),
    costs=(Cost(symbols("C", positive=True), 2 * x * z, "2xz"),),
)
'''


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Law]:
    """The toy law, found by its file like every other."""
    (tmp_path / "toy_law.py").write_text(FILE, encoding="utf-8")
    monkeypatch.setattr(laws, "__path__", [*laws.__path__, str(tmp_path)])
    yield laws.get("toy-law")
    laws._get.cache_clear()
    sys.modules.pop("symbolic_scaling.laws.toy_law", None)
    vars(laws).pop("toy_law", None)


def test_it_is_listed_and_printed(toy: Law) -> None:
    assert "toy-law" in laws.names()
    assert "Toy: two power laws" in report.markdown(toy)
    assert r"\left(\frac{P}{x}\right)^{a}" in report.latex(toy)
    assert report.as_json(toy)["name"] == "toy-law"


def test_it_is_derived_and_proved(toy: Law) -> None:
    frontier = derive.frontier(toy)
    assert str(frontier["exponent of x"]) == "b/(a + b)"
    assert {verdict.status.name for verdict in verify.derivation(frontier)} == {"PROVED"}


def test_it_is_compiled_and_fitted(toy: Law) -> None:
    rng = np.random.default_rng(5)
    x, z = 10 ** rng.uniform(2, 8, (2, 60))
    planted = {"P": 50.0, "Q": 3000.0, "a": 0.4, "b": 0.25}
    y = (planted["P"] / x) ** planted["a"] + (planted["Q"] / z) ** planted["b"]
    np.testing.assert_allclose(codegen.law(toy)(x, z, *planted.values()), y, rtol=1e-13)
    found = fit.curve(toy, x={"x": x, "z": z}, y=y).estimate
    assert {name: found[name] for name in planted} == pytest.approx(planted, rel=1e-6)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_passes_the_generated_tests(toy: Law, check) -> None:
    check(toy)
