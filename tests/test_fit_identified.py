"""Designs that cannot identify a law: no constant, interval or outcome claims more than the rows say."""

from __future__ import annotations

import numpy as np
import pytest

from symbolic_scaling import fit, laws
from symbolic_scaling.fit.forecast import predict
from symbolic_scaling.fit.result import Outcome
from symbolic_scaling.fit.twins import exchanged

CHINCHILLA = laws.get("chinchilla")
N = np.array([5.3e7, 6.4e7, 1.6e8, 2.07e8, 3.2e8, 4.8e8])
WIDE = np.geomspace(1e7, 1e10, 12)


def loss(n, d, alpha=0.34, beta=0.28):
    return 1.69 + 406.4 * n**-alpha + 410.7 * d**-beta


def fitted(n, d, y, **options):
    return fit.curve(CHINCHILLA, x={"N": n, "D": d}, y=y, **options)


@pytest.mark.parametrize("n", [N, WIDE], ids=["six runs", "twelve runs"])
@pytest.mark.parametrize("power", [1.0, 1.5])
def test_runs_on_one_line_leave_two_equivalent_optima(n, power):
    d = 20 * (n / 1e8) ** power * 1e8
    found = fitted(n, d, loss(n, d))
    assert found.outcome is Outcome.NOT_IDENTIFIED
    assert not {"A", "B", "alpha", "beta"} & {name for name, *_ in found.intervals + found.standard_errors}
    first, second = (minimum.estimate for minimum in found.minima[:2])
    planted, other = (first, second) if first["alpha"] == pytest.approx(0.34, rel=1e-5) else (second, first)
    assert planted == pytest.approx({"E": 1.69, "A": 406.4, "B": 410.7, "alpha": 0.34, "beta": 0.28}, rel=1e-5)
    assert (other["alpha"], other["beta"]) == pytest.approx((0.28 * power, 0.34 / power), rel=1e-5)
    np.testing.assert_allclose(
        loss(n, d), other["E"] + other["A"] * n ** -other["alpha"] + other["B"] * d ** -other["beta"]
    )
    assert any("2 equivalent optima, practically not identified" in note for note in found.notes)
    assert predict(found, {"N": 1e9, "D": 1e9}).interval is None


@pytest.mark.parametrize("options", [{}, {"loss": "huber"}, {"residual": "relative"}], ids=str)
@pytest.mark.parametrize("exponents", [(0.34, 0.28), (0.31, 0.31)])
@pytest.mark.parametrize("power", [1.1, 1.2])
def test_a_valley_along_a_line_is_not_identified_however_slow_its_floor(power, exponents, options):
    d = 20 * (N / 1e8) ** power * 1e8
    y = loss(N, d, *exponents)
    found = fitted(N, d, y, **options)
    assert found.outcome is Outcome.NOT_IDENTIFIED
    np.testing.assert_allclose(found.predict({"N": N, "D": d}), y, rtol=1e-6)


def test_scatter_does_not_hide_the_second_optimum():
    y = loss(WIDE, 20 * WIDE) * np.exp(1e-4 * np.sin(np.arange(12)))
    found = fitted(WIDE, 20 * WIDE, y)
    assert found.outcome is Outcome.NOT_IDENTIFIED
    assert {name for name, *_ in found.intervals} <= {"E"}


def test_a_grid_of_runs_is_identified():
    n, d = (axis.ravel() for axis in np.meshgrid([1e8, 3e8, 1e9, 3e9], [2e9, 8e9, 3.2e10, 1.28e11]))
    found = fitted(n, d, loss(n, d))
    assert found.outcome is Outcome.OPTIMUM_REACHED
    assert {name for name, *_ in found.intervals} == set(found.estimate)
    assert not [note for note in found.notes if "identified" in note]


def test_a_fixed_exponent_tells_the_terms_apart():
    found = fitted(WIDE, 20 * WIDE, loss(WIDE, 20 * WIDE), fix={"alpha": 0.34})
    assert found.outcome is Outcome.OPTIMUM_REACHED
    assert found.estimate["beta"] == pytest.approx(0.28, rel=1e-6)


def test_one_value_of_an_input_names_what_is_identified():
    d = np.full(6, 4.4e9)
    found = fitted(N, d, loss(N, d))
    assert "identified: A, alpha, B/D**beta + E = 2.50913966" in found.notes
    assert {name for name, *_ in found.intervals} == {"A", "alpha"}


def test_equal_exponents_on_a_line_identify_the_sum_of_the_terms():
    found = fitted(N, 20 * N, loss(N, 20 * N, 0.31, 0.31))
    assert found.outcome is Outcome.NOT_IDENTIFIED
    assert {name for name, *_ in found.intervals} <= {"E"}
    assert "identified: E, A/N**alpha + B/D**beta = 568.657733/N**0.31" in found.notes


def test_a_constant_that_stands_in_another_term_changes_rows():
    n = np.geomspace(1e7, 1e10, 8)
    found = fit.curve(laws.get("chinchilla"), {"N": n, "D": 20 * n}, 1.69 + 950 / n**0.34, tie={"beta": "alpha"})
    said = [note for note in found.notes if "no row" in note]
    assert all("alpha" not in note.partition(" change")[0] for note in said)
    assert any(note.startswith("identified: E, alpha, ") for note in found.notes)


def test_errors_of_what_is_identified_allow_for_what_is_not():
    """The error of alpha with all D equal is that of ``F + A*N**(-alpha)``, whose floor is free."""
    y = loss(N, 4.4e9) * np.exp(1e-3 * np.array([1, -1, 1, 1, -1, -1.0]))
    found = fitted(N, np.full(6, 4.4e9), y)
    alone = fit.curve(laws.get("m2"), N, y)
    ours, theirs = dict(found.standard_errors)["alpha"], dict(alone.standard_errors)["c"]
    freedom = (alone.degrees_of_freedom / found.degrees_of_freedom) ** 0.5
    assert ours == pytest.approx(theirs * freedom, rel=1e-4)


def test_exchanging_twice_comes_back():
    values = dict(zip(CHINCHILLA.constants, (1.69, 406.4, 410.7, 0.34, 0.28), strict=True))
    (once,) = exchanged(CHINCHILLA, np.array([WIDE, 3 * WIDE**1.1]), values)
    (twice,) = exchanged(CHINCHILLA, np.array([WIDE, 3 * WIDE**1.1]), once)
    assert once[CHINCHILLA.constants[3]] != values[CHINCHILLA.constants[3]]
    assert {s: twice[s] for s in values} == pytest.approx(values, rel=1e-9)


@pytest.mark.parametrize("residual", ["response", "equation"])
@pytest.mark.parametrize("name", ["m1", "m2", "m3", "m4", "bnsl"])
def test_constant_data_are_called_constant(name, residual):
    x = [1e6, 3e6, 1e7, 3e7, 1e8, 3e8, 1e9]
    found = fit.curve(laws.get(name), x, [0.7] * 7, residual=residual)
    assert any(note.startswith("the data are constant: ") and "= 0.7 in every row" in note for note in found.notes)
    assert "the data are constant" not in " ".join(fit.curve(laws.get(name), x, 1 + np.array(x) ** -0.1).notes)


def test_only_monotone_laws_are_called_monotone():
    n = [8, 16, 32, 64, 128, 192, 256, 328, 408, 512]
    y = [7.27, 6.13, 4.82, 3.83, 4.36, 5.33, 5.05, 4.67, 4.37, 4.12]
    for name, monotone in (("m1", True), ("m4", True), ("bnsl", False)):
        said = " ".join(fit.curve(laws.get(name), n, y).notes)
        assert ("monotone laws do not apply" in said) is monotone
