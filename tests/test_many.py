"""Many curves at once: each line is what one fit of that curve alone gives, whatever it was worked on beside."""

from __future__ import annotations

import csv
import json
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planted import planted

from symbolic_scaling import codegen, data, fit, laws
from symbolic_scaling.errors import DataError, FitError, ScalingError
from symbolic_scaling.fit import line
from symbolic_scaling.fit.feed import Columns, blocks

M2 = laws.get("m2")
CASES = [
    *((name, kind) for name in ("m1", "m2", "m3", "m4") for kind in ("response", "equation")),
    ("m2", "relative"),
    ("m4", "relative"),
    ("chinchilla", "response"),
    ("chinchilla", "relative"),
    ("kaplan-nd", "response"),
    ("sovit", "response"),
]


def curves(name: str, seed: int, count: int = 4, noise: float = 0.01):
    """Noisy planted curves of a law, of lengths that differ."""
    rng = np.random.default_rng(seed)
    found = {}
    for i in range(count):
        law, x, constants = planted(name, 100 * seed + i)
        y = codegen.law(law)(*x.values(), *constants.values())
        keep = np.sort(rng.choice(len(y), len(y) - i % 3, replace=False))
        found[f"c{i}"] = {n: v[keep] for n, v in x.items()}, (y * np.exp(noise * rng.standard_normal(len(y))))[keep]
    return law, found


def table(found, order=None) -> data.Table:
    """Curves as one table, its rows in ``order``."""
    names = list(next(iter(found.values()))[0])
    columns = {"curve": [key for key, (_, y) in found.items() for _ in y]}
    columns |= {name: np.concatenate([x[name] for x, _ in found.values()]) for name in names}
    columns["y"] = np.concatenate([y for _, y in found.values()])
    read = data.read(columns)
    return read if order is None else data.read({n: [read.column(n)[i] for i in order] for n in read.columns})


def many(source, law, **options):
    x = {symbol.name: symbol.name for symbol in law.inputs}
    return fit.many(source, by="curve", x=x, y="y", law=law, **options)


@pytest.mark.parametrize(("name", "residual"), CASES)
def test_a_line_is_what_the_curve_alone_gives(name, residual):
    law, found = curves(name, seed=1)
    for each, (x, y) in zip(many(table(found), law, residual=residual), found.values(), strict=True):
        alone = line.of_fit(each.by, fit.curve(law, x, y, residual=residual), ())
        assert (each.outcome, each.rows, each.degrees_of_freedom) == (
            alone.outcome,
            alone.rows,
            alone.degrees_of_freedom,
        )
        assert each.objective == pytest.approx(alone.objective, rel=1e-9)
        if each.outcome in ("OPTIMUM_REACHED", "OPTIMUM_ON_BOUND"):
            assert each.estimate == pytest.approx(alone.estimate, rel=1e-9)
            assert each.standard_errors == pytest.approx(alone.standard_errors, rel=1e-6)
            assert each.notes == alone.notes


@settings(deadline=None, derandomize=True, max_examples=12)
@given(seed=st.integers(2, 10**6), noise=st.sampled_from([0.0, 1e-3, 0.03]), order=st.randoms(use_true_random=False))
def test_neighbours_and_the_order_of_rows_do_not_matter(seed, noise, order):
    law, found = curves("m2", seed, 3, noise)
    places = list(range(sum(len(y) for _, y in found.values())))
    order.shuffle(places)
    together = {each.by: each for each in many(table(found, places), law)}
    for key, curve in found.items():
        (alone,) = many(table({key: curve}), law)
        each = together[alone.by]
        assert each.outcome == alone.outcome and each.notes == alone.notes
        assert each.estimate == pytest.approx(alone.estimate, rel=1e-9)


@pytest.mark.parametrize(
    "options",
    [
        {"fix": {"eps_inf": 0.0}},
        {"fix": {"c": -0.3}},
        {"bounds": {"c": (-0.25, -0.1)}},
        {"loss": "huber"},
        {"reduce": "sum"},
        {"residual": "relative"},
        {"priors": {"c": (-0.3, 0.01)}},
    ],
    ids="".join,
)
def test_options_mean_what_they_mean_for_one_curve(options):
    law, found = curves("m2", seed=3)
    for each, (x, y) in zip(many(table(found), law, **options), found.values(), strict=True):
        alone = fit.curve(law, x, y, **options)
        assert each.outcome == alone.outcome.name and each.objective == pytest.approx(alone.objective, rel=1e-9)
        assert each.estimate == pytest.approx(alone.estimate, rel=1e-9)


def test_hostile_curves_are_lines_of_the_result():
    x = np.geomspace(1.0, 1e6, 12)
    good = 0.2 + 3 * x**-0.4
    hostile = {
        "good": (x, good),
        "no number": (x, np.full(12, np.nan)),
        "one row": (x[:1], good[:1]),
        "one input": (np.full(12, 5.0), good),
        "negative": (x, -good),
        "constant": (x, np.full(12, 2.0)),
        "huge": (x, good * 1e300),
        "far apart": (x, np.where(x > 10, 1e-308, 1e300)),
        "twice": (np.tile(x, 2), np.tile(good, 2)),
        "partly": (x, np.where(x < 10, np.inf, good)),
        "last": (x, good * 2),
    }
    found = {each.by[0][1]: each for each in many(table({k: ({"x": x}, y) for k, (x, y) in hostile.items()}), M2)}
    assert list(found) == list(hostile)
    for name in ("no number", "one row", "one input", "negative", "far apart"):
        assert (
            found[name].outcome == "ERROR" and found[name].error["kind"] == "FitError" and found[name].error["remedy"]
        )
        assert math.isnan(found[name].objective)
    for name in ("good", "twice", "partly", "last"):
        assert found[name].estimate["c"] == pytest.approx(-0.4, abs=1e-6), name
    assert found["twice"].rows == 24 and found["twice"].degrees_of_freedom == 9
    assert "exact duplicate" in found["twice"].notes[0] and "constant" in found["constant"].notes[0]
    assert [row for row, _ in found["partly"].dropped] == [110, 111]
    assert found["negative"].dropped[0][1].endswith("has to be positive")
    assert found["huge"].outcome == "OPTIMUM_REACHED"


def test_a_wrong_option_is_said_once():
    law, found = curves("m2", seed=4, count=2)
    source = table(found)
    for options in (
        {"fix": {"gamma": 1.0}},
        {"loss": "cubic"},
        {"tie": {"b": "c"}},
        {"steps": 3},
        {"bounds": {"q": (0, 1)}},
    ):
        with pytest.raises(ScalingError):
            many(source, law, **options)
    with pytest.raises(DataError, match="no column 'z'"):
        fit.many(source, by="curve", x={"x": "z"}, y="y", law=law)
    with pytest.raises(FitError, match="option"):
        many(source, law, on_bad="raise")


def test_lines_do_not_depend_on_the_executor():
    law, found = curves("m2", seed=5, count=12)
    alone = list(many(table(found), law, block=60).texts())
    with ThreadPoolExecutor(3) as pool:
        assert list(many(table(found), law, block=60, executor=pool).texts()) == alone


def test_pieces_of_a_table_are_its_curves(tmp_path):
    law, found = curves("m2", seed=6, count=3)
    read = table(found)
    lines = [",".join(read.columns)]
    lines += [",".join(map(str, row)) for row in zip(*read.cells, strict=True)]
    lines[5] = lines[5].replace(lines[5].split(",")[1], "n/a")
    (tmp_path / "runs.csv").write_text("\n".join(lines) + "\n")
    whole = data.read(tmp_path / "runs.csv")
    cut = [whole.keep(range(i, min(i + 7, len(whole)))) for i in range(0, len(whole), 7)]
    columns = Columns({"x": "x"}, "y", ("x",), ("curve",))
    for grouped in (False, True):
        for one, other in zip(blocks([whole], columns, 30, False), blocks(cut, columns, 30, grouped), strict=True):
            assert one.keys == other.keys and dict(one.dropped) == dict(other.dropped)
            assert (
                np.array_equal(one.x, other.x)
                and np.array_equal(one.y, other.y)
                and np.array_equal(one.ends, other.ends)
            )
    assert list(many(tmp_path / "runs.csv", law).texts()) == list(many(whole, law).texts())


def test_lines_are_written_whole(tmp_path):
    law, found = curves("m2", seed=7, count=3)
    found["bad"] = ({"x": np.ones(3)}, np.ones(3))
    fits = many(table(found), law)
    fits.write(tmp_path / "fits.csv")
    with (tmp_path / "fits.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["outcome"] for row in rows] == [each.outcome for each in fits]
    assert float(rows[0]["c"]) == next(iter(fits)).estimate["c"] and rows[-1]["c"] == "" and rows[-1]["error"]
    fits.write(tmp_path / "fits.jsonl")
    assert [line.read(text) for text in (tmp_path / "fits.jsonl").read_bytes().splitlines()][:3] == list(fits)[:3]
    with pytest.raises(DataError, match=r"\.jsonl"):
        fits.write(tmp_path / "fits.txt")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fits.csv", "fits.jsonl"]
    (tmp_path / "new").touch()
    assert len({path.stat().st_mode for path in tmp_path.iterdir()}) == 1, "as readable as any new file"
    polars = pytest.importorskip("polars", reason="the data extra is not installed")
    fits.write(tmp_path / "fits.parquet")
    assert polars.read_parquet(tmp_path / "fits.parquet")["c"].to_list()[0] == float(rows[0]["c"])


def test_the_command_writes_a_line_a_curve(tmp_path, answer, symscale):
    _, found = curves("m2", seed=8, count=3)
    read = table(found)
    source = tmp_path / "runs.csv"
    source.write_text(
        "\n".join([",".join(read.columns), *(",".join(map(str, r)) for r in zip(*read.cells, strict=True))])
    )
    asked = ("fit", str(source), "--law", "m2", "--x", "x", "--y", "y", "--by", "curve")
    place, kept = tmp_path / "fits.jsonl", tmp_path / "kept"
    said = answer(*asked, "--out", str(place), "--journal", str(kept))
    assert said["curves"] == 3 and said["files"] == [str(place), str(kept)]
    before = place.read_bytes()
    alone = answer(*asked)["fits"]
    for text, one in zip(before.splitlines(), alone, strict=True):
        assert json.loads(text)["estimate"] == pytest.approx(one["estimate"], rel=1e-9)
    assert answer(*asked, "--out", str(place), "--journal", str(kept)) == said and place.read_bytes() == before
    code, _, err = symscale(*asked, "--out", str(place), "--share", "c")
    assert code == 2 and "--share" in err
    code, _, err = symscale(*asked, "--out", str(tmp_path / "fits.txt"))
    assert code == 2 and ".parquet" in err
    code, _, err = symscale(*asked, "--out", str(place), "--journal", str(kept), "--fix", "c=-0.3")
    assert code == 2 and "it is of a run with options" in err


def test_a_curve_without_a_fit_has_one_exit_code(tmp_path, symscale):
    source = tmp_path / "runs.csv"
    source.write_text("g,x,y\na,1,3\na,2,2\na,4,1.5\na,8,1.2\nb,1,3\n")
    asked = ("fit", str(source), "--law", "m2", "--x", "x", "--y", "y", "--by", "g")
    alone, _, _ = symscale(*asked)
    written, _, _ = symscale(*asked, "--out", str(tmp_path / "fits.csv"))
    assert alone == written == 2


def test_hardly_identified_constants_are_named_as_by_one_fit():
    x = np.geomspace(1e5, 1e7, 6)
    noise = np.random.default_rng(2).standard_normal(6)
    columns = [
        {"curve": str(i), "x": a, "y": b}
        for i in range(3)
        for a, b in zip(x, (2 + 300 * x**-0.45) * np.exp(0.05 * noise), strict=True)
    ]
    source = data.read({name: [row[name] for row in columns] for name in ("curve", "x", "y")})
    found = fit.many(source, by="curve", x={"x": "x"}, y="y", law=laws.get("m2"))
    assert all("beta is hardly identified: its interval spans 13 decades" in line.notes for line in found)
