"""A sigma that chi square refuses is said to be off, and by how much."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling import fit, laws
from symbolic_scaling.cli import main

M2 = laws.get("m2")
X = np.geomspace(1e4, 1e8, 25)


def said(found) -> list[str]:
    return [note for note in found.notes if note.startswith("sigma is too")]


def planted(seed: int) -> np.ndarray:
    return (0.3 + 50 * X**-0.3) * np.exp(0.02 * np.random.default_rng(seed).standard_normal(25))


@settings(max_examples=8)
@given(
    st.integers(0, 10**6),
    st.one_of(
        st.tuples(st.sampled_from([1 / 30, 1 / 5, 4.0, 50.0]), st.sampled_from([{}, {"priors": {"c": (-0.3, 0.05)}}])),
        st.tuples(st.sampled_from([1 / 30, 50.0]), st.just({"loss": "huber", "delta": 100.0})),
    ),
)
def test_the_factor_of_a_wrong_sigma_is_found(seed, case):
    factor, options = case
    (note,) = said(fit.curve(M2, X, planted(seed), sigma=0.02 * factor, **options))
    assert ("small" if factor < 1 else "large") in note
    found = float(re.search(r"factor of (\S+?):", note)[1])
    assert found == pytest.approx(max(factor, 1 / factor), rel=0.8 if "loss" in options else 0.5)


def test_a_sigma_of_y_is_measured_in_its_unit():
    y = 0.3 + 50 * X**-0.3 + 1e-3 * np.random.default_rng(0).standard_normal(25)
    for unit in (1.0, 1e6):
        (note,) = said(fit.curve(M2, X, unit * y, residual="absolute", sigma=unit * 1e-4))
        assert float(re.search(r"factor of (\S+?):", note)[1]) == pytest.approx(10, rel=0.4)


def test_a_right_sigma_is_seldom_refused():
    refused = sum(bool(said(fit.curve(M2, X, planted(seed), sigma=0.02))) for seed in range(60))
    assert refused <= 1


def test_many_fits_and_the_command_say_so_too(tmp_path, capsys):
    y = planted(1)
    lines = "\n".join(f"{a:.9g},{b:.9g},0.004" for a, b in zip(X, y, strict=True))
    (tmp_path / "t.csv").write_text(f"x,y,s\n{lines}\n")
    with pytest.raises(SystemExit):
        main(["fit", str(tmp_path / "t.csv"), "--law", "m2", "--x", "x=x", "--y", "y", "--sigma", "s", "--json"])
    (asked,) = json.loads(capsys.readouterr().out)["fits"]
    alone = said(fit.curve(M2, X, y, sigma=0.004))
    assert len(alone) == 1 and alone[0] in asked["notes"]
    columns = {"of": ["a"] * 25, "x": X, "y": y, "s": np.full(25, 0.004)}
    (line,) = fit.many(columns, by="of", x="x", y="y", law=M2, sigma="s")
    assert alone[0] in line.notes
