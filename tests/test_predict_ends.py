"""Predictions where an input ends, at 0 and oo, of a law without inputs, and from what is no number."""

from __future__ import annotations

import numpy as np
import pytest

from symbolic_scaling import codegen, fit, laws
from symbolic_scaling.errors import DataError, ScalingError

X = np.geomspace(1e4, 1e9, 12)


@pytest.fixture(scope="module")
def runs():
    n, d = (axis.ravel() for axis in np.meshgrid(np.geomspace(1e7, 1e10, 4), np.geomspace(1e9, 1e12, 4)))
    noise = np.exp(1e-4 * np.sin(np.arange(16)))
    return fit.curve(laws.get("chinchilla"), {"N": n, "D": d}, (1.7 + 400 / n**0.34 + 410 / d**0.28) * noise)


@pytest.mark.parametrize("endless", ["oo", "+oo", "inf", "Infinity"])
def test_an_endless_input_leaves_the_other_terms(runs, endless, tmp_path, answer):
    runs.save(tmp_path / "fit.json")
    (made,) = answer("predict", str(tmp_path / "fit.json"), "--x", f"N={endless},D=1e11")["predictions"]
    expected = runs.estimate["E"] + runs.estimate["B"] / 1e11 ** runs.estimate["beta"]
    assert made["value"] == pytest.approx(expected, rel=1e-12)
    assert made["interval"][0] < expected < made["interval"][1]


@pytest.mark.parametrize(("n", "beyond"), [("1e9", False), ("{most}", False), ("{more}", True), ("oo", False)])
def test_a_prediction_beyond_the_rows_says_so(runs, n, beyond, tmp_path, symscale):
    runs.save(tmp_path / "fit.json")
    most = dict(runs.problem.x)["N"].max()
    asked = n.format(most=f"{most:.17g}", more=f"{most * 1.01:.17g}")
    code, out, _ = symscale("predict", str(tmp_path / "fit.json"), "--x", f"N={asked},D=1e10")
    assert code == 0 and ("Beyond the rows fitted: N = " in out) == beyond


def test_a_law_without_inputs_is_predicted_as_it_is(tmp_path, answer, symscale):
    path, saved = tmp_path / "runs.csv", tmp_path / "fit.json"
    path.write_text("loss,spread\n2.0,0.1\n2.2,0.2\n")
    asked = ["fit", str(path), "--law", "y = a", "--y", "loss", "--residual", "absolute", "--reduce", "sum"]
    (found,) = answer(*asked, "--sigma", "spread", "--save", str(saved))["fits"]
    assert found["estimate"]["a"] == pytest.approx(2.04)
    assert found["standard_errors"]["a"] == pytest.approx(0.0894427191)
    (made,) = answer("predict", str(saved))["predictions"]
    assert made["value"] == pytest.approx(2.04)
    for more in (["--x", "loss"], ["--x", "x=loss"]):
        code, _, error = symscale(*asked, *more)
        assert code == 2 and "leave --x away" in error
    for command in (["best", str(path), "--at", "3"], ["backtest", str(path)]):
        code, _, error = symscale(*command, "--law", "y = a", "--y", "loss")
        assert code == 2 and "Traceback" not in error


@pytest.mark.parametrize("bad", [{"N": "large", "D": 1.0}, {"N": 10**400, "D": 1.0}, {"N": [1.0, 2.0], "D": [1.0] * 3}])
def test_inputs_that_are_no_arrays_of_numbers_are_refused(runs, bad):
    with pytest.raises(DataError, match="no arrays"):
        runs.predict(bad)


@pytest.mark.parametrize("bad", ["x=-oo", "x=nan", "x=1e400", "x=", "y=3"])
def test_a_text_that_is_no_input_is_refused_in_words(bad, tmp_path, symscale):
    fit.curve(laws.get("m2"), X, 0.3 + 30 * X**-0.35).save(tmp_path / "fit.json")
    code, out, error = symscale("predict", str(tmp_path / "fit.json"), "--x", bad)
    assert (code, out) == (2, "") and "Traceback" not in error and len(error) > 20


def test_where_terms_fight_there_is_no_limit():
    n, d = (axis.ravel() for axis in np.meshgrid([1.0, 2.0, 5.0], [1.0, 3.0, 9.0]))
    found = fit.curve(laws.formula("y = a + b*N/D", ("N", "D")), {"N": n, "D": d}, 1 + 2 * n / d)
    with pytest.raises(ScalingError, match="no limit there"):
        fit.forecast.predict(found, {"N": np.inf, "D": np.inf})


def test_outside_the_domain_there_is_no_prediction_and_it_is_said_per_row():
    n = np.geomspace(1e6, 1e10, 9)
    found = fit.curve(laws.get("logarithm"), n, 10 - 0.35 * np.log(n))
    values = found.predict([1e9, 1e20, 1e11])
    assert np.isnan(values).tolist() == [False, True, False]
    with pytest.raises(DataError, match=r"N = 1e\+20.*logarithm does not hold there"):
        fit.forecast.predict(found, {"N": 1e20})
    assert fit.forecast.predict(found, {"N": 1e11}).value == pytest.approx(values[2])


@pytest.mark.parametrize("b", [0.005, 1e-6, 1e-9])
def test_ways_to_an_end_that_differ_a_little_leave_no_limit(b):
    """``N/(N + D)`` is 1/2 where both go to oo together and 1 where N goes further."""
    law = laws.formula("y = a + b*N/(N + D)", ("N", "D"))
    assert np.isnan(codegen.law(law)(np.inf, np.inf, 1.0, b))
    assert codegen.law(law)(np.inf, 5.0, 1.0, b) == pytest.approx(1 + b, rel=1e-15)
