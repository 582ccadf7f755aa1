"""What a table can tell of a law before a fit: exact ranks, the combinations that are identified, and the spectrum."""

from __future__ import annotations

import re

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from planted import planted

from symbolic_scaling import codegen, fit, laws
from symbolic_scaling.errors import DataError, FitError, ScalingError
from symbolic_scaling.fit.design import read
from symbolic_scaling.fit.generic import PRIME, Field
from symbolic_scaling.fit.local import PRACTICAL

CHINCHILLA = laws.get("chinchilla")
AT = {"E": 1.69, "A": 406.4, "B": 410.7, "alpha": 0.34, "beta": 0.28}
N = np.array([5.3e7, 6.4e7, 1.6e8, 2.07e8, 3.2e8, 4.8e8])
ONE = {"N": N, "D": np.full(6, 4.4e9)}
LINE = {"N": N, "D": 20 * N}
GRID = dict(zip("ND", map(np.ravel, np.meshgrid([1e8, 3e8, 1e9, 3e9], [2e9, 8e9, 3.2e10, 1.28e11])), strict=True))


# --- designs of the field case ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", [None, AT])
def test_one_value_of_d_identifies_two_constants_and_a_sum(at):
    found = fit.identify(CHINCHILLA, ONE, at=at)
    assert (found.rank, found.structural, found.practical) == (3, False, False)
    assert found.identified == ("A", "alpha")
    assert found.combinations == ("B/D**beta + E at D = 4.4e+09",)
    assert found.notes == ("E, B, beta are not identified: rank 3 of 5",)


def test_equal_exponents_on_a_line_identify_their_sum():
    found = fit.identify(CHINCHILLA, LINE, tie={"beta": "alpha"})
    assert (found.rank, len(found.constants)) == (3, 4)
    assert found.identified == ("E", "alpha")
    assert found.combinations == ("A + B/k_D**alpha at D = k_D*N, k_D = 20",)


def test_equal_exponents_at_a_point_lower_the_rank_there():
    found = fit.identify(CHINCHILLA, LINE, at=AT | {"alpha": 0.31, "beta": 0.31})
    assert (found.rank, found.identified) == (3, ("E",))
    assert found.combinations == ("A + B/k_D**beta at D = k_D*N, k_D = 20",)
    assert found.notes[-1] == "1 more combinations of them are identified"


def test_a_line_of_other_exponents_is_practically_not_identified():
    found = fit.identify(CHINCHILLA, LINE, at=AT)
    assert found.structural
    assert not found.practical
    assert found.spread[1] == pytest.approx(4.6e-8, rel=0.05)
    assert {name for name, _ in found.sloppy} == {"A", "B", "alpha", "beta"}
    assert "practically not identified: singular values 4.7e-08 apart" in found.notes[0]


@settings(max_examples=12, deadline=None, derandomize=True)
@given(
    power=st.sampled_from([0.5, 0.8, 1.0, 1.2, 2.0]), factor=st.floats(0.1, 100), widest=st.sampled_from([4.8e8, 1e11])
)
def test_on_any_line_the_answer_before_a_fit_is_that_of_the_fit(power, factor, widest):
    """Two powers of one variable may be exchanged, whatever the exponents: FIELD_CASES 17 without ``at``."""
    n = np.geomspace(5e7, widest, 8)
    x = {"N": n, "D": factor * 1e8 * (n / 1e8) ** power}
    found = fit.identify(CHINCHILLA, x)
    assert (found.structural, found.practical, found.twofold) == (True, False, (("A", "alpha", "B", "beta"),))
    assert (found.identified, found.combinations) == (("E",), ("A/N**alpha + B/D**beta",))
    exact = " by exact data" if len(found.notes) > 1 and found.spread[1] > PRACTICAL else ""
    assert found.lines[-1].startswith(f"identified{exact}: ") and found.lines[-1].endswith("A/N**alpha + B/D**beta")
    y = codegen.law(CHINCHILLA)(*x.values(), *AT.values())
    assert fit.curve(CHINCHILLA, x, y).outcome is fit.Outcome.NOT_IDENTIFIED
    assert fit.identify(CHINCHILLA, x, fix={"alpha": 0.34}).twofold == ()


def test_many_bad_points_are_said_though_their_median_is_not_bad():
    found = fit.identify(CHINCHILLA, LINE)
    assert re.search(r"not identified at \d+ of 64 points of the law.s ranges", found.notes[0])
    assert found.lines[-1] == "identified by exact data: E; A/N**alpha + B/D**beta"
    beside = fit.identify(CHINCHILLA, {"N": N, "D": 20 * N * [1, 2, 1, 2, 1, 2]})
    assert beside.twofold == ()


def test_a_grid_of_runs_is_fine():
    found = fit.identify(CHINCHILLA, GRID, at=AT)
    assert (found.structural, found.practical, found.notes) == (True, True, ())
    assert found.spread[1] == pytest.approx(3.2e-3, rel=0.1)


# --- properties -------------------------------------------------------------------------------------------------------


def test_a_law_may_hold_more_constants_than_any_table_can_tell():
    """Rosenfeld's transition depends on ratios of a, b, c_inf and eta alone."""
    rng = np.random.default_rng(0)
    found = fit.identify(
        laws.get("rosenfeld"), {"n": np.exp(rng.normal(20, 2, 50)), "m": np.exp(rng.normal(20, 2, 50))}
    )
    assert (found.rank, len(found.constants)) == (6, 7)
    assert found.combinations == ("a/b", "a/c_inf", "a/eta")
    assert fit.identify(
        laws.get("rosenfeld"), {"n": [1e7, 1e8, 1e9] * 3, "m": np.repeat([1e7, 1e8, 1e9], 3)}, fix={"eta": 1}
    ).structural


@pytest.mark.parametrize("name", ["m2", "m4", "kaplan-nd", "sovit"])
def test_the_exact_rank_is_that_of_numbers(name):
    law, x, constants = planted(name, 3)
    y = codegen.law(law)(*x.values(), *constants.values())
    jacobian = codegen.residual(law, "response").value_and_gradient(*x.values(), y, *constants.values())[1]
    for some in (slice(None), slice(0, 3)):
        part = jacobian[:, some] * np.abs([*constants.values()])[:, None]
        sizes = np.linalg.svd(part / np.linalg.norm(part, axis=1, keepdims=True), compute_uv=False)
        found = fit.identify(law, {k: v[some] for k, v in x.items()})
        assert found.rank == int((sizes > 1e-11 * sizes[0]).sum())
        assert found.rank >= len(found.identified) + len(found.combinations)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(power=st.sampled_from([1.0, 0.5, 1.5, 2.0]), factor=st.floats(0.01, 100), rows=st.integers(4, 9))
def test_an_input_that_is_a_power_of_another_is_seen_through_rounding(power, factor, rows):
    n = np.exp(np.random.default_rng(rows).uniform(15, 25, rows))
    found = fit.identify(CHINCHILLA, {"N": n, "D": factor * n**power}, tie={"beta": f"alpha/{power}"})
    assert (found.rank, found.identified) == (3, ("E", "alpha"))
    assert len(found.combinations) == 1


@settings(max_examples=20, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_the_field_keeps_the_rules_of_powers_and_logarithms(seed):
    a, b, x, y = sp.symbols("a b x y", positive=True)
    field, row = Field((a, b, x, y), seed), {}
    same = [
        (x**a * x**b, x ** (a + b)),
        ((x * y) ** a, x**a * y**a),
        ((x + y) ** (a + 1), (x + y) ** a * (x + y)),
        (sp.exp(a + b), sp.exp(a) * sp.exp(b)),
        (sp.log(x * y**2), sp.log(x) + 2 * sp.log(y)),
    ]
    for left, right in same:
        assert field.evaluate(left, row) == field.evaluate(right, row)
    slope = field.evaluate(sp.diff(a * (x + y) ** b * sp.log(x), x), row).value
    assert field.evaluate(a * (x + y) ** b * sp.log(x), row).slopes[2] == slope
    assert 0 <= slope < PRIME


def test_what_has_no_exact_arithmetic_is_said():
    x = sp.Symbol("x", positive=True)
    with pytest.raises(ScalingError, match="function"):
        Field((x,)).evaluate(sp.sin(x), {})


def test_repeated_rows_are_one_and_wrong_tables_are_refused():
    assert read(CHINCHILLA, {"N": [1e8, 1e8, 1e8 * (1 + 1e-15)], "D": [1e9] * 3}).x.shape == (2, 1)
    with pytest.raises(DataError, match="give N, D"):
        fit.identify(CHINCHILLA, {"N": N})
    with pytest.raises(DataError, match="not positive"):
        fit.identify(CHINCHILLA, {"N": N, "D": -N})
    with pytest.raises(FitError, match="no constant"):
        fit.identify(CHINCHILLA, ONE, at={"gamma": 1.0})


def test_check_says_what_the_inputs_of_a_table_can_tell(answer, tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("n,d,loss\n" + "".join(f"{n},4.4e9,{2.5 + 400 * n**-0.34}\n" for n in N))
    asked = ("check", str(path), "--x", "N=n,D=d", "--y", "loss", "--law")
    found = [each["text"] for each in answer(*asked, "chinchilla")["findings"] if each["kind"] == "identifiability"]
    assert found == ["E, B, beta are not identified: rank 3 of 5", "identified: A, alpha; B/D**beta + E at D = 4.4e+09"]
    written = answer(*asked, "L = F + A/N^alpha")["findings"]
    assert not [each for each in written if each["kind"] == "identifiability"]
