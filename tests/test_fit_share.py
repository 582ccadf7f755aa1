"""One constant shared by many tables."""

from __future__ import annotations

import numpy as np
import pytest

from symbolic_scaling import fit, laws
from symbolic_scaling.errors import FitError

M2 = laws.get("m2")
X = np.geomspace(1e4, 1e9, 24)
Y = 0.1 + 0.6 * (X / 1e6) ** -0.3


def _three_tables(noise):
    rng = np.random.default_rng(4)
    tables = {}
    for floor, exponent in ((0.1, -0.30), (0.2, -0.35), (0.05, -0.38)):
        y = floor + 0.6 * (X / 1e6) ** exponent
        tables[floor] = (X, y * np.exp(noise * rng.standard_normal(len(X))))
    return tables


def test_a_shared_exponent_is_the_lowest_point_of_its_profile():
    tables = _three_tables(0.01)
    found = fit.shared(M2, tables, "c")
    assert -0.40 < found.value < -0.28
    assert found.objective >= found.separate
    assert found.objective <= min(objective for _, objective in found.profile)
    for step in (-1e-3, 1e-3):
        beside = [fit.curve(M2, x, y, fix={"c": found.value + step}).objective for x, y in tables.values()]
        assert np.mean(beside) > found.objective
    assert {result.estimate["c"] for _, result in found.fits} == {found.value}
    assert all("is shared by 3 tables" in result.notes[0] for _, result in found.fits)


def test_a_planted_shared_exponent_comes_back():
    tables = {floor: (X, floor + 0.6 * (X / 1e6) ** -0.35) for floor in (0.1, 0.3)}
    found = fit.shared(M2, tables, "c", residual="equation")
    assert found.value == pytest.approx(-0.35, rel=1e-6)


def test_sharing_needs_a_free_constant_and_tables():
    with pytest.raises(FitError, match="free constants are beta, c"):
        fit.shared(M2, {0: (X, Y)}, "eps_inf", fix={"eps_inf": 0.1})
    with pytest.raises(FitError, match="0 tables"):
        fit.shared(M2, {}, "c")
