"""``symscale backtest``, ``predict`` and ``check``: the objects they print, and what they refuse."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from symbolic_scaling import fit, laws
from symbolic_scaling.fit import forecast

X = np.geomspace(1e4, 1e8, 13)


# ---------------------------------------------------------------- backtest


@pytest.fixture
def curves(tmp_path: Path) -> str:
    """Two power laws above a floor, in one group."""
    path = tmp_path / "curves.csv"
    rows = [
        f"{name},a,{x!r},{h * (0.2 + 30 * x**-0.4)!r}\n" for name, h in (("one", 1), ("two", 2)) for x in X.tolist()
    ]
    path.write_text("task,kind,n,loss\n" + "".join(rows))
    return str(path)


OPTIONS = ("--by", "task", "--group", "kind", "--x", "x=n", "--y", "loss")


def test_backtest_prints_rows_and_summary(answer, curves) -> None:
    value = answer("backtest", curves, *OPTIONS)
    assert set(value) == {"rows", "summary"}
    assert [(row["by"]["task"], row["law"]) for row in value["rows"]] == [
        (task, law) for task in ("one", "two") for law in ("m1", "m2", "m3", "m4")
    ]
    assert set(value["rows"][0]) >= {"by", "law", "residual", "fixed", "group", "rmse", "estimate"}
    assert set(value["summary"][0]) >= {
        "group", "law", "residual", "mean_rmse", "median_rmse", "win_rate", "win_rate_strict",
    }  # fmt: skip
    rates = {each["law"]: each["win_rate"] for each in value["summary"]}
    assert sum(rates.values()) == pytest.approx(1) and rates["m2"] == rates["m4"] == 0.5  # M4 at alpha = 0 is M2
    assert all(each["group"] == "a" for each in value["summary"])


def test_backtest_takes_residuals_fixed_constants_and_formulas(answer, curves) -> None:
    chosen = ("--law", "m1,m2", "--law", "y = a*x^b", "--objective", "equation", "--fix", "eps_inf=0.1")
    value = answer("backtest", curves, *OPTIONS, *chosen)
    assert {row["law"] for row in value["rows"]} == {"m1", "m2", "y = a*x^b"}
    assert {row["residual"] for row in value["rows"]} == {"equation"}
    assert [row["fixed"] for row in value["rows"][:2]] == [{}, {"eps_inf": 0.1}]
    m1, _, formula = value["rows"][:3]
    assert formula["rmse"] == pytest.approx(m1["rmse"], rel=1e-6)


def test_backtest_profiles_a_constant(answer, symscale, curves) -> None:
    value = answer("backtest", curves, *OPTIONS, "--law", "m2", "--profile", "c")
    assert [each["by"]["task"] for each in value["profile"]] == ["one", "two"]
    for each in value["profile"]:
        assert each["constant"] == "c" and len(each["along"]) == 17
        assert each["fits_best"] == each["extrapolates_best"] == pytest.approx(-0.4, abs=1e-4)
    assert "fits best at" in symscale("backtest", curves, *OPTIONS, "--law", "m2", "--profile", "c")[1]


def test_backtest_tables_read_as_text(symscale, curves) -> None:
    code, out, err = symscale("backtest", curves, *OPTIONS, "--law", "m1", "--law", "m2")
    assert code == 0 and err == ""
    assert "Backtest on 2 curves" in out and "strict wins" in out and "Exponent c by curve" in out


def test_backtest_draws_every_curve_with_its_numbers(answer, curves, tmp_path) -> None:
    pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    place = tmp_path / "plots"
    files = answer("backtest", curves, *OPTIONS, "--law", "m1", "--profile", "c", "--plots", str(place))["files"]
    names = sorted(Path(name).name for name in files)
    assert [name for name in names if "profile" not in name] == [
        f"{place}-{task}-response.{ending}"
        for place, task in (("001", "one"), ("002", "two"))
        for ending in ("csv", "png")
    ]
    numbers = (place / "001-one-response.csv").read_text().splitlines()
    assert numbers[0] == "x,response,held_out,m1" and len(numbers) == 1 + len(X)
    assert sum(line.split(",")[2] == "1" for line in numbers[1:]) == np.count_nonzero(X[-1] / 2 < X)
    assert len([name for name in names if "profile" in name]) == 4


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--profile", "gamma", "--law", "m1"), "gamma"),
        (("--law", "m1", "--law", "chinchilla"), "different inputs"),
        (("--fix", "zeta=1"), "zeta"),
        (("--split", "nope"), "nope"),
        (("--group", "n"), "--by"),
        (("--where", "n < 0"), "no row"),
        (("--report", "out", "--law", "m1"), "--law"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value,
)
def test_backtest_refuses_what_it_cannot_use(symscale, curves, options, word) -> None:
    pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    given = (*OPTIONS[:2], *OPTIONS[4:]) if "--group" in options else OPTIONS
    code, out, _ = symscale("backtest", curves, *given, *options, "--json")
    error = json.loads(out)["error"]
    assert code == 2 and word in " ".join(error.values()) and error["remedy"]


# ---------------------------------------------------------------- predict


@pytest.fixture(scope="module")
def saved(tmp_path_factory) -> dict[str, str]:
    """M2, M4 and Chinchilla fitted to exact data."""
    place = tmp_path_factory.mktemp("fits")
    n, d = (grid.ravel() for grid in np.meshgrid([1e8, 3e8, 1e9, 3e9], [2e9, 8e9, 3.2e10, 1.28e11]))
    made = {
        "m2": fit.curve(laws.get("m2"), x=X, y=0.2 + 30 * X**-0.4),
        "m4": fit.curve(laws.get("m4"), x=X, y=0.2 + 30 * X**-0.4, fix={"alpha": 0.0}),
        "chinchilla": fit.curve(
            laws.get("chinchilla"), x={"N": n, "D": d}, y=1.8172 + 482.01 / n**0.3478 + 2085.43 / d**0.3658
        ),
    }
    for name, found in made.items():
        found.save(place / f"{name}.json")
    return {name: str(place / f"{name}.json") for name in made}


def test_predict_at_inputs(answer, saved) -> None:
    made = answer("predict", saved["m2"], "--x", "x=1e9", "--x", "x=10B")["predictions"]
    assert [each["inputs"]["x"] for each in made] == [1e9, 1e10]
    for each in made:
        assert each["value"] == pytest.approx(0.2 + 30 * each["inputs"]["x"] ** -0.4, rel=1e-6)
        assert each["interval"][0] <= each["value"] <= each["interval"][1]


@pytest.mark.parametrize("law", ["m2", "m4"])
def test_reach_inverts_the_law(answer, saved, law) -> None:
    (made,) = answer("predict", saved[law], "--reach", "eps_x=0.21")["predictions"]
    assert made["solved"] == "x" and made["value"] == 0.21
    assert made["inputs"]["x"] == pytest.approx((30 / 0.01) ** 2.5, rel=1e-4)


def test_below_the_floor_is_unattainable(answer, saved) -> None:
    error = answer("predict", saved["m2"], "--reach", "eps_x=0.15", code=1)["error"]
    assert error["kind"] == "Unattainable" and "0.2" in error["found"]


def test_reach_with_several_inputs(answer, symscale, saved) -> None:
    """FIELD_CASES 7 through a fit of the law's own exact data."""
    (made,) = answer("predict", saved["chinchilla"], "--reach", "L=2.0", "--x", "N=7e10")["predictions"]
    assert made["inputs"]["D"] == pytest.approx(6.19640450782e11, rel=1e-3)
    (made,) = answer("predict", saved["chinchilla"], "--reach", "L=1.9", "--x", "D=oo")["predictions"]
    assert made["inputs"]["N"] == pytest.approx(6.687454119e10, rel=1e-3) and made["inputs"]["D"] == "oo"
    error = answer("predict", saved["chinchilla"], "--reach", "L=1.9", "--x", "D=1e12", code=1)["error"]
    assert "1.9022" in error["found"]
    assert "oo" in symscale("predict", saved["chinchilla"], "--reach", "L=1.9", "--x", "D=oo")[1]


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ((), "--x"),
        (("--x", "N=1"), "N"),
        (("--x", "x=-1"), "negative"),
        (("--x", "x=many"), "many"),
        (("--reach", "L=1"), "eps_x"),
        (("--reach", "eps_x=1", "--x", "x=1"), "open inputs: none"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value,
)
def test_predict_refuses_what_it_cannot_use(symscale, saved, options, word) -> None:
    code, out, _ = symscale("predict", saved["m2"], *options, "--json")
    error = json.loads(out)["error"]
    assert code == 2 and word in " ".join(error.values())


def test_intervals_cover_as_often_as_they_say() -> None:
    """M1 with noise: the line's mean and the input that reaches it, both exact Student intervals in logarithms."""
    rng = np.random.default_rng(7)
    x, inside, reached, runs = np.geomspace(1, 100, 8), 0, 0, 200
    for _ in range(runs):
        found = fit.curve(laws.get("m1"), x=x, y=3 * x**-0.2 * np.exp(0.05 * rng.standard_normal(8)))
        low, high = forecast.predict(found, {"x": 1e3}).interval
        inside += low <= 3 * 1e3**-0.2 <= high
        low, high = forecast.reach(found, 3 * 1e3**-0.2).interval
        reached += low <= 1e3 <= high
    spread = 4 * math.sqrt(runs * 0.95 * 0.05)  # four standard deviations of a binomial count
    assert abs(inside - 0.95 * runs) < spread
    assert abs(reached - 0.95 * runs) < 2 * spread  # the delta method is only approximate here


def test_no_interval_without_degrees_of_freedom() -> None:
    found = fit.curve(laws.get("m2"), x=[1e6, 1e7, 1e8], y=[3.0, 2.5, 2.25])
    assert forecast.predict(found, {"x": 1e9}).interval is None


# ---------------------------------------------------------------- check

ACCURACY = "1e6,.66170153\n3e6,.737770879\n1e7,.793555983\n3e7,.827534913\n1e8,.852453204\n3e8,.867631035\n"
PERCENT = "1e6,33.829847\n3e6,26.222912\n1e7,20.644402\n3e7,17.246509\n1e8,14.75468\n3e8,13.236897\n"
DESCENT = "".join(
    f"{n},{loss}\n"
    for n, loss in zip(
        [8, 16, 32, 64, 128, 192, 256, 328, 408, 512],
        [7.27, 6.13, 4.82, 3.83, 4.36, 5.33, 5.05, 4.67, 4.37, 4.12],
        strict=True,
    )
)


@pytest.mark.parametrize(
    ("rows", "finding"),
    [
        (ACCURACY, ("accuracy", "values rise with x and lie in [0,1]: accuracy?")),
        (PERCENT, ("percent", "--let y=y/100")),
        (DESCENT, ("not monotone", "local minimum at 64, local maximum at 192; monotone laws do not apply")),
        ("1e6,3\n1e7,2.5\n1e8,2.25\n" * 4, ("duplicates", "9 exact duplicate rows")),
        ("1e6,3\n1e7,2.5\n", ("too few points", "needs at least 3")),
        ("1e6,3\n0,2.5\n1e7,2.4\n1e8,2.2\n", ("bad rows", "row 2: x is 0")),
    ],
    ids=lambda value: value[0].replace(" ", "-") if isinstance(value, tuple) else "",
)
def test_check_finds_what_a_fit_must_know(answer, symscale, tmp_path, rows, finding) -> None:
    path = tmp_path / "runs.csv"
    path.write_text("x,y\n" + rows)
    kind, text = finding
    (found,) = answer("check", str(path), "--x", "x=x", "--y", "y")["findings"]
    assert found["kind"] == kind and text in found["text"] and found["by"] == {}
    code, out, _ = symscale("check", str(path), "--x", "x", "--y", "y")
    assert code == 0 and kind in out


def test_check_of_clean_runs_finds_nothing(answer, symscale, curves) -> None:
    options = ("--x", "x=n", "--y", "loss", "--by", "task", "--law", "m4")
    assert answer("check", curves, *options)["findings"] == []
    assert "Nothing stands out" in symscale("check", curves, *options)[1]
    assert answer("check", curves)["findings"] == []


def test_check_looks_at_compute_and_design(answer, tmp_path) -> None:
    path = tmp_path / "runs.csv"
    path.write_text("N,D,C,L\n" + "".join(f"{n},{20 * n},{150 * n * n},{2 + n**-0.3}\n" for n in (1e8, 3e8, 1e9)))
    findings = answer("check", str(path), "--x", "N=N,D=D,C=C", "--y", "L")["findings"]
    assert [each["kind"] for each in findings] == ["cost", "design"]
    assert "1.25 times" in findings[0]["text"] and findings[0]["rows"] == [1, 2, 3]
    assert "D = 20*N^1" in findings[1]["text"]


def test_check_without_columns_looks_at_the_table(answer, tmp_path) -> None:
    path = tmp_path / "runs.csv"
    path.write_text("x,y\n1,2\n1,2\n3,\n")
    assert [(each["kind"], each["rows"]) for each in answer("check", str(path))["findings"]] == [
        ("duplicates", [2]),
        ("missing", [3]),
    ]


def test_check_wants_both_columns(symscale, curves) -> None:
    assert symscale("check", curves, "--x", "x=n")[0] == 2
    assert symscale("check", curves, "--x", "x=n", "--y", "nope")[0] == 2
