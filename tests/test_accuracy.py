"""An accuracy is known as one by check, fit and best alike, and predictions of it stay below its limit."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import data, fit, laws
from symbolic_scaling.cli import main
from symbolic_scaling.data.accuracy import limit
from symbolic_scaling.fit import forecast

X = np.geomspace(1e4, 1e7, 14)
POWER = laws.formula("y = a*x^b", ["x"])
FAR = [1e8, 1e12, 1e30]
SAID = "taken for an accuracy: predictions, their intervals and bands stay inside (0, {})"


def accuracy(seed: int) -> np.ndarray:
    """A power of the input that would pass 1 soon, with 1 % of noise."""
    noise = np.exp(0.01 * np.random.default_rng(seed).standard_normal(14))
    return np.minimum(0.3 * (X / 1e4) ** 0.15 * noise, 0.99)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("most", [1, 100])
def test_bands_and_intervals_of_an_accuracy_stay_inside(seed, most):
    y = accuracy(seed) * most
    found = fit.curve(POWER, X, y)
    assert SAID.format(most) in found.notes
    assert found.predict(FAR[-1]) > most
    best = fit.best([found.law], x=X, y=y, at=FAR)
    assert SAID.format(most) in best.against
    for at, each in zip(FAR, best.predictions, strict=True):
        made = forecast.predict(found, {"x": at})
        for ends in (made.interval, *(band[1:] for band in each.bands)):
            assert 0 < ends[0] <= ends[1] < most
        assert 0 < made.value < most and 0 < each.value < most
    lo, hi = found.interval("y", values={"x": FAR[0]})
    assert 0 < lo <= hi < most < float(found.predict(FAR[0])) * 1.2


def test_what_rises_above_and_what_falls_is_left_alone():
    falling, above = 1.7 - 0.1 * np.log10(X), 3 + accuracy(0)
    for y in (falling, falling * 0.1, above, 20 * falling):
        assert limit([X], y) == np.inf
        assert "accuracy" not in " ".join(fit.curve(laws.get("m1"), X, y).notes)
    found = fit.curve(laws.formula("y = a*x^b", ["x"]), X, above)
    assert forecast.predict(found, {"x": 1e30}).value == pytest.approx(float(found.predict(1e30)))


@settings(max_examples=30)
@given(st.lists(st.floats(0.01, 1.0), min_size=3, max_size=12), st.sampled_from([0.5, 1, 30, 100, 300]))
def test_check_and_fit_know_the_same_tables(shares, unit):
    x, y = np.geomspace(1, 1e4, len(shares)), unit * np.array(shares)
    kinds = {each.kind: each.text for each in data.check(data.select(data.read({"x": x, "y": y}), "x", "y"))}
    found = fit.curve(laws.get("m1"), x, y).notes
    known = "accuracy" in kinds or "1-y/100" in kinds.get("percent", "")
    assert known == any(note.startswith("taken for an accuracy") for note in found)
    (line,) = fit.many({"g": ["a"] * len(x), "x": x, "y": y}, by="g", x="x", y="y", law=laws.get("m1"))
    assert known == any(note.startswith("taken for an accuracy") for note in line.notes)


def test_the_commands_keep_an_accuracy_inside(tmp_path, capsys):
    rows = "\n".join(f"{a:.9g},{b:.9g}" for a, b in zip(X, accuracy(3), strict=True))
    (tmp_path / "t.csv").write_text(f"x,acc\n{rows}\n")

    def asked(*more: str):
        with pytest.raises(SystemExit):
            main([*more, "--json"])
        return json.loads(capsys.readouterr().out)

    table = (str(tmp_path / "t.csv"), "--x", "x=x", "--y", "acc")
    (best,) = asked("best", *table, "--at", "1e12")["best"]
    (made,) = best["predictions"]
    assert max(made["value"], *(hi for _, hi in made["bands"].values())) < 1 and SAID.format(1) in best["against"]
    (found,) = asked("fit", *table, "--law", "y = a*x^b", "--save", str(tmp_path / "f.json"))["fits"]
    assert SAID.format(1) in found["notes"]
    (made,) = asked("predict", str(tmp_path / "f.json"), "--x", "x=1e20")["predictions"]
    assert made["value"] < 1 and made["interval"][1] < 1
