"""``symscale fit --intervals --of``: tables and JSON of derived quantities, kept by a saved fit."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from symbolic_scaling import fit
from symbolic_scaling.fit.ends import Interval
from symbolic_scaling.report import latex, markdown

OPTIONS = ("--law", "chinchilla", "--x", "N=n,D=d", "--y", "loss")
N_STAR = "N_star=(alpha*A/(beta*B))^(1/(alpha+beta))*(C/6)^(beta/(alpha+beta))"


@pytest.fixture
def table(tmp_path):
    """Chinchilla's rounded constants on a grid with 0.1 % noise."""
    n, d = (axis.ravel() for axis in np.meshgrid(np.geomspace(1e8, 1e10, 9), np.geomspace(1e9, 1e11, 5)))
    noise = np.exp(1e-3 * np.random.default_rng(0).standard_normal(45))
    y = (1.69 + 406.4 / n**0.34 + 410.7 / d**0.28) * noise
    path = tmp_path / "runs.csv"
    path.write_text("n,d,loss\n" + "".join(f"{a},{b},{c}\n" for a, b, c in zip(n, d, y, strict=True)))
    return path


def test_quantities_have_intervals_by_the_methods_asked_for(answer, table, tmp_path):
    saved = tmp_path / "fit.json"
    asked = ("--intervals", "delta", "--intervals", "profile", "--intervals", "bootstrap", "--bootstrap", "100")
    options = (
        *asked,
        "--of",
        f"{N_STAR},a=beta/(alpha+beta)",
        "--at",
        "C=1e22",
        "--level",
        "90%",
        "--save",
        str(saved),
    )
    (found,) = answer("fit", str(table), *OPTIONS, *options)["fits"]
    rows = [(row["name"], row["method"], row["level"]) for row in found["derived"]]
    assert rows == [(name, how, 0.9) for name in ("N_star", "a") for how in ("delta", "profile", "bootstrap")]
    truth = {"N_star": (0.34 * 406.4 / (0.28 * 410.7)) ** (1 / 0.62) * (1e22 / 6) ** (0.28 / 0.62), "a": 0.28 / 0.62}
    for row in found["derived"]:
        assert row["lo"] < row["value"] < row["hi"]
        assert row["lo"] / 1.2 < truth[row["name"]] < 1.2 * row["hi"]
    kept = fit.load(saved)
    assert [each.as_json() for each in kept.derived] == found["derived"]
    assert "| N\\_star |" in markdown(kept) or "| N_star |" in markdown(kept)
    assert "profile" in latex(kept)


def test_as_many_samples_are_drawn_as_asked_for(answer, table, tmp_path):
    saved = str(tmp_path / "fit.json")
    ends = []
    for count in (20, 60):
        asked = ("--of", "a=alpha", "--intervals", "bootstrap", "--bootstrap", str(count), "--save", saved)
        (found,) = answer("fit", str(table), *OPTIONS, *asked)["fits"]
        (row,) = found["derived"]
        assert (row["lo"], row["hi"]) == fit.load(saved).interval("alpha", "bootstrap", samples=count)
        ends.append((row["lo"], row["hi"]))
    assert ends[0] != ends[1]


def test_a_sum_is_the_mean_of_all_rows_times_their_number(answer, table):
    of = {how: answer("fit", str(table), *OPTIONS, "--reduce", how)["fits"][0] for how in ("mean", "sum")}
    assert of["sum"]["objective"] == pytest.approx(45 * of["mean"]["objective"], rel=1e-9) != of["mean"]["objective"]
    assert of["sum"]["estimate"] == pytest.approx(of["mean"]["estimate"], rel=1e-6)


def test_without_of_every_free_constant_has_a_row(symscale, table):
    code, out, _ = symscale("fit", str(table), *OPTIONS, "--fix", "E=1.69", "--intervals", "sandwich")
    assert code == 0 and out.count("sandwich") == 4
    assert "derived" in out and "95 % interval" in out


def test_what_has_no_interval_says_why(answer, table):
    (found,) = answer(
        "fit", str(table), *OPTIONS, "--where", "d < 2e9", "--of", "b=beta,s=E+B*D^(-beta)", "--at", "D=1e9"
    )["fits"]
    first, last = found["derived"][0], found["derived"][2]
    assert (first["lo"], first["hi"]) == (None, None) and "not identified" in first["note"]
    assert last["method"] == "delta" and last["lo"] < 1.69 + 410.7 / 1e9**0.28 < last["hi"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--of", N_STAR), "no value of C"),
        (("--of", "q=alpha+"), "breaks off"),
        (("--of", "q=alpha+gamma"), "gamma"),
        (("--of", "alpha"), "no name=value"),
        (("--at", "C=1e24"), "no effect without --of"),
        (("--intervals", "delta", "--level", "95"), "level"),
    ],
)
def test_wrong_questions_are_refused_in_words(symscale, table, options, words):
    code, out, err = symscale("fit", str(table), *OPTIONS, *options)
    assert code == 2 and words in out + err


def test_an_interval_reads_back_from_json():
    for one in (Interval("q", "profile", 0.9, 1.0, -math.inf, 2.0, "open"), Interval("q", "delta", 0.5, 3.0, 2.5, 3.5)):
        assert Interval.from_json(json.loads(json.dumps(one.as_json(), allow_nan=False))) == one
