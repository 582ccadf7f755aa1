"""One constant shared by many tables."""

from __future__ import annotations

import math

import numpy as np
import pytest
from referee import least_sum_of_squares

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


def _two_tables(noise):
    return dict(list(_three_tables(noise).items())[:2])


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


def test_the_objective_is_that_of_the_shared_value_and_the_separate_one_is_not():
    """Means over all rows of tables that differ in length, from what the fits predict."""
    tables = {key: (x[: 24 - 6 * i], y[: 24 - 6 * i]) for i, (key, (x, y)) in enumerate(_two_tables(0.01).items())}
    found = fit.shared(M2, tables, "c")

    def mean(fits):
        left = [np.log(y / one.predict(x)) for (x, y), one in zip(tables.values(), fits, strict=True)]
        return np.mean(np.concatenate(left) ** 2)

    assert found.objective == pytest.approx(mean([one for _, one in found.fits]), rel=1e-9)
    assert found.separate == pytest.approx(mean([fit.curve(M2, x, y) for x, y in tables.values()]), rel=1e-6)
    assert found.objective > 1.01 * found.separate


def test_a_planted_shared_exponent_comes_back():
    tables = {floor: (X, floor + 0.6 * (X / 1e6) ** -0.35) for floor in (0.1, 0.3)}
    found = fit.shared(M2, tables, "c", residual="equation")
    assert found.value == pytest.approx(-0.35, rel=1e-6)


def _jointly(tables, spread, prior):
    """The shared exponent of M2 by one least-squares problem in all constants: rows over sigma, the prior once."""
    truth = [(math.log(0.6 * 1e6**0.33), math.log(floor)) for floor in tables]

    def rows(p):
        parts = [p[:1] * 0 + (p[0] - prior[0]) / prior[1]]
        for i, (floor, (x, y)) in enumerate(tables.items()):
            amplitude, least = np.exp(p[1 + 2 * i : 3 + 2 * i])
            parts.append((np.log(y) - np.log(amplitude * x ** p[0] + least)) / spread[floor])
        return np.concatenate(parts)

    starts = [[c, *np.ravel(truth)] for c in (-0.33, -0.45)]
    return least_sum_of_squares(rows, *starts)[0][0]


@pytest.mark.parametrize("prior", [(-0.45, 1e-3), (-0.35, 10.0)])
def test_sigma_and_a_prior_on_the_shared_constant_count_as_in_one_problem(prior):
    tables = _two_tables(0.01)
    spread = {floor: 0.01 * (1 + floor) * np.linspace(0.5, 2, len(X)) for floor in tables}
    found = fit.shared(M2, tables, "c", sigma=spread, priors={"c": prior})
    assert found.value == pytest.approx(_jointly(tables, spread, prior), rel=1e-6)
    assert found.objective >= found.separate
    for _, each in found.fits:
        assert each.notes[0] == f"c = {found.value:.6g} is shared by 2 tables"
        assert each.notes[1].startswith(f"prior c = {prior[0]:g}, give or take {prior[1]:g}: found")


@pytest.mark.slow
def test_a_prior_without_sigma_is_worth_what_the_noise_of_all_tables_makes_it():
    """A prior on ``c`` and one on ``2*c`` are one prior; a weak one changes nothing, a strong one decides."""
    tables = _two_tables(0.01)
    free = fit.shared(M2, tables, "c").value
    assert fit.shared(M2, tables, "c", priors={"c": (-0.3, 1e3)}).value == pytest.approx(free, rel=1e-5)
    found = fit.shared(M2, tables, "c", priors={"c": (-0.3, 1e-6)})
    assert found.value == pytest.approx(-0.3, rel=1e-5)
    double = fit.shared(M2, tables, "c", priors={"2*c": (-0.6, 2e-6)}, reduce="sum")
    assert double.value == pytest.approx(found.value, rel=1e-9)
    assert double.objective == pytest.approx(found.objective * 2 * len(X), rel=1e-9)


@pytest.mark.slow
def test_a_prior_on_another_constant_counts_in_every_table():
    tables = _two_tables(0.01)
    found = fit.shared(M2, tables, "c", priors={"eps_inf": (0.05, 1e-6)})
    assert [each.estimate["eps_inf"] for _, each in found.fits] == pytest.approx([0.05] * 2, rel=1e-3)
    held = fit.shared(M2, tables, "c", fix={"eps_inf": 0.05})
    assert found.value == pytest.approx(held.value, rel=1e-4)


@pytest.mark.slow
def test_weights_are_how_often_rows_stand_in_their_table():
    tables = _two_tables(0.02)
    often = {floor: np.arange(1, len(X) + 1) % 3 + 1 for floor in tables}
    again = {floor: (np.repeat(x, often[floor]), np.repeat(y, often[floor])) for floor, (x, y) in tables.items()}
    found, same = fit.shared(M2, tables, "c", weights=often), fit.shared(M2, again, "c")
    assert found.value == pytest.approx(same.value, rel=1e-8)
    assert found.objective == pytest.approx(same.objective, rel=1e-8)


def test_a_floor_that_tables_share_stays_below_all_of_them_and_ties_are_said():
    tables = {1: (X, Y), 2: (X, 0.1 + 3 * (X / 1e6) ** -0.4)}
    assert fit.shared(M2, tables, "eps_inf").value == pytest.approx(0.1, rel=1e-6)
    law, x = (
        laws.get("chinchilla"),
        dict(zip("ND", np.meshgrid(np.geomspace(1e7, 1e10, 5), [1e9, 1e10, 1e11]), strict=True)),
    )
    x = {name: values.ravel() for name, values in x.items()}
    tables = {e: (x, e + 400 / x["N"] ** 0.3 + 500 / x["D"] ** 0.3) for e in (1.5, 2.0)}
    found = fit.shared(law, tables, "alpha", tie={"beta": "alpha"})
    assert found.value == pytest.approx(0.3, rel=1e-6)
    assert [each.tied["beta"] for _, each in found.fits] == [found.value] * 2


def test_sigma_is_given_for_every_table():
    with pytest.raises(FitError, match="sigma is not of the same tables"):
        fit.shared(M2, _two_tables(0.01), "c", sigma={0.1: 0.01})


def test_the_command_shares_with_all_options(tmp_path, answer):
    path, tables = tmp_path / "runs.csv", _two_tables(0.01)
    rows = [
        f"{floor},{x},{y},{0.01 * (1 + floor)}" for floor, table in tables.items() for x, y in zip(*table, strict=True)
    ]
    path.write_text("\n".join(["task,n,loss,spread", *rows]))
    asked = ["fit", str(path), "--law", "m2", "--x", "n", "--y", "loss", "--by", "task", "--share", "c"]
    fits = answer(*asked, "--sigma", "spread", "--prior", "c=-0.3~0.001", "--reduce", "sum")["fits"]
    spread = {floor: 0.01 * (1 + floor) for floor in tables}
    for each in fits:
        assert each["estimate"]["c"] == pytest.approx(_jointly(tables, spread, (-0.3, 1e-3)), rel=1e-6)


def test_sharing_needs_a_free_constant_and_tables():
    with pytest.raises(FitError, match="free constants are beta, c"):
        fit.shared(M2, {0: (X, Y)}, "eps_inf", fix={"eps_inf": 0.1})
    with pytest.raises(FitError, match="0 tables"):
        fit.shared(M2, {}, "c")
