"""Hostile tables under every loss: a typed error or an honest result, never a traceback from inside."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from symbolic_scaling import fit, laws
from symbolic_scaling.errors import ScalingError

X = np.geomspace(1e4, 1e9, 24)
Y = 0.3 + 30 * X**-0.35
LAST = np.arange(24) == 23

TABLES = {
    "all NaN": (X, np.full(24, np.nan)),
    "no rows": ([], []),
    "one row": (X[:1], Y[:1]),
    "one row many times": (np.full(1000, 3.0), np.full(1000, 2.0)),
    "constant x": (np.full(24, 5.0), Y),
    "constant y": (X, np.full(24, 0.7)),
    "y all but constant": (X, 1 + 1e-15 * np.arange(24)),
    "x all but constant": (1 + 1e-14 * np.arange(24), Y),
    "1e300": (X * 1e290, Y * 1e300),
    "600 decades of x": (np.geomspace(1e-300, 1e300, 20), 1 + np.geomspace(1, 1e-3, 20)),
    "600 decades of both": (np.geomspace(1e-300, 1e300, 20), np.geomspace(1e300, 1e-300, 20)),
    "one response of 1e200": (X, np.where(LAST, 1e200, Y)),
    "one denormal response": (X, np.where(LAST, 5e-324, Y)),
    "one outlier": (X, np.where(LAST, 1e6, Y)),
    "negative losses": (X, -Y),
    "zeros": (X, np.where(X > 1e5, 0.0, Y)),
    "rising": (X, Y[::-1]),
    "a step": (X, np.where(X > 1e6, 1.0, 2.0)),
    "mixed types": ([*X[:-1], "a"], Y),
    "missing": ([*X[:-1], None], Y),
    "complex": (X + 1j, Y),
    "dates": (np.arange(24).astype("M8[D]"), Y),
    "a matrix": (np.ones((24, 2)), Y),
    "numbers alone": (3.0, 2.0),
    "another length": (X[:5], Y),
}
ASKED = {
    "squared": {},
    "equation": {"residual": "equation"},
    "relative": {"residual": "relative"},
    "absolute": {"residual": "absolute"},
    "huber": {"loss": "huber"},
    "huber, absolute": {"loss": "huber", "residual": "absolute"},
    "soft-l1": {"loss": "soft-l1", "delta": 0.01},
    "tiny delta": {"loss": "huber", "delta": 1e-300},
    "tiny sigma": {"sigma": 1e-200},
    "huge weights": {"weights": 1e300},
    "prior": {"priors": {"c": (-0.3, 0.1)}},
    "sharp prior": {"priors": {"c": (-0.3, 1e-300)}},
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("table", TABLES)
def test_a_hostile_table_gives_a_typed_error_or_an_honest_result(table, asked):
    x, y = TABLES[table]
    try:
        found = fit.curve(laws.get("m2"), x, y, **ASKED[asked])
    except ScalingError as error:
        assert error.found and error.remedy
        return
    assert np.isfinite([*found.estimate.values(), found.objective]).all()
    if table in ("constant y", "one row many times"):
        assert found.outcome in (fit.Outcome.NOT_IDENTIFIED, fit.Outcome.OPTIMUM_ON_BOUND, fit.Outcome.INFIMUM)
        assert "c" not in {name for name, *_ in found.intervals} or asked in ("prior", "sharp prior")


@pytest.mark.parametrize("asked", ["squared", "huber"])
def test_a_million_duplicates_are_a_handful_of_rows(asked):
    x, y = np.tile(X[::5], 200_000), np.tile(Y[::5], 200_000)
    found = fit.curve(laws.get("m2"), x, y, **ASKED[asked])
    assert found.degrees_of_freedom == 2
    assert found.estimate == pytest.approx({"beta": 30, "c": -0.35, "eps_inf": 0.3}, rel=1e-5)
    assert "999995 exact duplicate rows" in " ".join(found.notes)


@pytest.mark.parametrize("asked", ["squared", "huber", "soft-l1", "relative"])
def test_a_constant_curve_has_its_floor_and_no_exponent_under_every_loss(asked):
    found = fit.curve(laws.get("m2"), [1e6, 3e6, 1e7, 3e7, 1e8, 3e8], [0.7] * 6, **ASKED[asked])
    assert found.estimate["eps_inf"] == pytest.approx(0.7, rel=1e-9)
    assert any("c (exponent) is not identified" in note for note in found.notes)
    assert found.intervals == () or {name for name, *_ in found.intervals} == {"eps_inf"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--y", "price"],
        ["--y", "loss", "--sigma", "spread"],
        ["--y", "loss", "--weights", "how often"],
        ["--y", "loss", "--delta", "wide"],
        ["--y", "loss", "--prior", "c=0.3"],
        ["--y", "loss", "--prior", "c + =0.3~0.1"],
        ["--y", "loss", "--tie", "c=beta*"],
        ["--y", "text"],
    ],
)
def test_a_wrong_column_or_text_is_bad_input(symscale, tmp_path, arguments):
    path = tmp_path / "runs.csv"
    rows = [f"{x},{y},a" for x, y in zip(X, Y, strict=True)]
    path.write_text("\n".join(["n,loss,text", *rows]))
    code, out, error = symscale("fit", str(path), "--law", "m2", "--x", "x=n", *arguments)
    assert (code, out) == (2, "")
    assert "Traceback" not in error and len(error) > 20


def test_memory_grows_with_the_rows_and_not_with_their_square():
    x = np.geomspace(1e4, 1e9, 20_000)
    tracemalloc.start()
    found = fit.curve(laws.get("m2"), x, (0.3 + 30 * x**-0.35) * (1 + 0.01 * np.sin(np.arange(20_000))))
    found.interval("c", method="profile")
    fit.identify(laws.get("m2"), x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.outcome.success and peak < 10_000 * 20_000, f"{peak / 20_000:.0f} bytes a row"
