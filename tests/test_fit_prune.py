"""Parts that a table does not need are taken off, and no others; what is left is a law of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from symbolic_scaling import fit, laws

X = np.geomspace(1.0, 1e6, 150)
NOISE = np.exp(0.01 * np.random.default_rng(1).standard_normal(150))
PLAIN = 0.2 + 3 * X**-0.35
BROKEN = PLAIN * (1 + (X / 300) ** 3) ** 0.1


def names(result):
    return [s.name for s in result.law.constants]


@pytest.mark.parametrize(
    "law", [pytest.param(laws.get("bnsl"), marks=pytest.mark.slow), laws.get("unsl", signs=0)], ids=["bnsl", "unsl"]
)
def test_a_break_that_is_not_there_goes_and_one_that_is_there_stays(law):
    full = fit.curve(law, X, PLAIN * NOISE)
    small = fit.pruned(full)
    assert len(names(small)) == len(names(full)) - 3
    assert small.outcome is fit.Outcome.OPTIMUM_REACHED
    assert small.notes[0].startswith("dropped ") and "constants are worth" in small.notes[0]
    assert small.objective <= full.objective * 1.05
    np.testing.assert_allclose(small.predict(X), PLAIN, rtol=0.01)
    other = fit.curve(laws.get("m2"), X, PLAIN * NOISE)
    assert small.objective == pytest.approx(other.objective, rel=1e-9)
    there = fit.curve(law, X, BROKEN * NOISE)
    kept = fit.pruned(there)
    assert kept.estimate == there.estimate
    assert kept.notes[-1] == "nothing is dropped: the rows ask for every part"


def test_a_break_beyond_all_rows_goes():
    law = laws.get("unsl", signs=0)
    far = fit.curve(law, X, PLAIN * NOISE, seed=3)
    values = {
        "a_0": 0.2,
        "b_7": 3.0 * 1e-9**0.2,
        "c_1_0_7": 0.35 - 0.2,
        "c_1_1_7": 0.2,
        "d_1_7": 1e-9**0.2,
        "f_1_7": 0.1,
    }
    assert set(values) == set(far.estimate)
    minimum = replace(far.minima[0], constants=tuple((s.name, values[s.name]) for s in law.constants))
    small = fit.pruned(replace(far, minima=(minimum,)))
    assert names(small) == ["a_0", "c_1_0_7", "b_7"]
    assert small.estimate["c_1_0_7"] == pytest.approx(0.35, abs=0.02)


def test_what_the_user_holds_or_has_a_prior_on_stays():
    law = laws.get("unsl", n=1, signs=0)
    for asked in ({"fix": {"f_1_7": 0.3}}, {"priors": {"c_1_1_7": (0.2, 0.1)}}, {"bounds": {"d_1_7": (0.1, 1e4)}}):
        small = fit.pruned(fit.curve(law, X, PLAIN * NOISE, **asked))
        assert "d_1_7" in names(small)
        assert small.notes[-1] == "no part can be dropped"
    assert fit.pruned(fit.curve(laws.get("m4"), X, PLAIN * NOISE)).notes[-1] == "no part can be dropped"


def test_terms_and_their_inputs_go_and_the_fit_is_saved_and_read_back(tmp_path):
    rng = np.random.default_rng(2)
    n, d = 10 ** rng.uniform(6, 10, 300), 10 ** rng.uniform(8, 12, 300)
    y = (1.7 + 400 * n**-0.34) * np.exp(0.01 * rng.standard_normal(300))
    small = fit.pruned(fit.curve(laws.get("unsl", n=0, inputs=("N", "D")), {"N": n, "D": d}, y))
    assert names(small) == ["a_0", "c_1_0_10", "b_10"]
    assert [s.name for s in small.law.inputs] == ["N"]
    small.save(tmp_path / "small.json")
    again = fit.load(tmp_path / "small.json")
    np.testing.assert_array_equal(again.predict(n), small.predict(n))


def test_the_command_prunes(answer, tmp_path):
    rows = "\n".join(f"{a!r},{b!r}" for a, b in zip(X.tolist(), (PLAIN * NOISE).tolist(), strict=True))
    (tmp_path / "runs.csv").write_text(f"n,loss\n{rows}\n")
    found = answer("fit", str(tmp_path / "runs.csv"), "--law", "bnsl", "--x", "x=n", "--y", "loss", "--prune")
    assert found["fits"][0]["notes"][0].startswith("dropped c1, d1, f1")
