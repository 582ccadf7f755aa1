"""Many curves whose rows have known spreads and weights: each line is what one fit of that curve alone gives."""

from __future__ import annotations

import json

import numpy as np
import pytest
from test_many import curves, many

from symbolic_scaling import data, fit, laws
from symbolic_scaling.errors import DataError

GIVEN = [("sigma",), ("weights",), ("sigma", "weights")]


def weighed(name: str, seed: int, count: int = 4):
    """Planted curves with spreads and weights for each row, some rows twice, as columns; and each curve's own."""
    law, found = curves(name, seed, count)
    rng, parts = np.random.default_rng(seed), {}
    for key, (x, y) in found.items():
        again = np.append(np.arange(len(y)), [2, 5])
        spread = np.exp(rng.uniform(-6, -3, len(y)))
        parts[key] = {n: v[again] for n, v in x.items()} | {"y": y[again], "spread": spread[again]}
        parts[key]["often"] = np.exp(rng.uniform(-1, 1, len(again)))
    columns = {"curve": [key for key, part in parts.items() for _ in part["y"]]}
    columns |= {n: np.concatenate([part[n] for part in parts.values()]) for n in parts["c0"]}
    return law, columns, parts


COLUMN = {"sigma": "spread", "weights": "often"}


@pytest.mark.parametrize("given", GIVEN, ids=" and ".join)
@pytest.mark.parametrize(
    ("name", "residual", "reduce"),
    [
        ("m2", "response", "mean"),
        ("m2", "response", "sum"),
        ("m4", "equation", "sum"),
        ("chinchilla", "relative", "mean"),
        ("m2", "absolute", "mean"),
    ],
)
def test_a_line_is_what_the_curve_alone_gives(name, residual, reduce, given):
    law, columns, parts = weighed(name, seed=2)
    asked = {"residual": residual, "reduce": reduce}
    fits = many(data.read(columns), law, **asked, **{name: COLUMN[name] for name in given})
    for each, part in zip(fits, parts.values(), strict=True):
        x = {symbol.name: part[symbol.name] for symbol in law.inputs}
        alone = fit.curve(law, x, part["y"], **asked, **{name: part[COLUMN[name]] for name in given})
        assert (each.outcome, each.notes, each.rows) == (alone.outcome.name, alone.notes, len(part["y"]))
        assert each.objective == pytest.approx(alone.objective, rel=1e-9)
        assert each.estimate == pytest.approx(alone.estimate, rel=1e-8)
        assert each.standard_errors == pytest.approx(dict(alone.standard_errors), rel=1e-6)
        for key, lo, hi in alone.intervals:
            assert each.intervals[key] == pytest.approx((lo, hi), rel=1e-6)


def test_known_spreads_serve_as_many_rows_as_constants():
    x, y = [1.0, 10.0, 100.0], [3.0, 2.0, 1.5]
    (found,) = fit.many({"x": x, "y": y, "s": [0.01] * 3}, by=(), x="x", y="y", law=laws.get("m2"), sigma="s")
    assert found.degrees_of_freedom == 0 and found.standard_errors and found.notes == ()


@pytest.mark.parametrize("scale", [1e-200, 1e-100, 1e100, 1e200])
def test_spreads_and_weights_of_any_size_are_those_of_one_fit(scale):
    law, columns, parts = weighed("m2", seed=3, count=2)
    for name, column in COLUMN.items():
        scaled = {**columns, column: columns[column] * scale}
        for each, part in zip(many(data.read(scaled), law, **{name: column}), parts.values(), strict=True):
            if name == "sigma" and not 1e-140 < scale < 1e140:
                assert each.error["found"].startswith("residuals over sigma would be of order")
                continue
            alone = fit.curve(law, part["x"], part["y"], **{name: part[column] * scale})
            assert each.estimate == pytest.approx(alone.estimate, rel=1e-8)


def test_rows_without_a_spread_are_dropped_and_wrong_columns_are_refused():
    law, columns, _ = weighed("m2", seed=4, count=2)
    columns["spread"][[1, 3]] = np.nan, -1.0
    first, second = many(data.read(columns), law, sigma="spread")
    assert [row for row, _ in first.dropped] == [2, 4] and not second.dropped
    with pytest.raises(DataError, match="no column 'often '"):
        many(data.read(columns), law, weights="often ")
    halved = list(many(data.read(columns), law, sigma="half", let={"half": "spread/2"}))
    assert halved[1].objective == pytest.approx(4 * second.objective)


def test_the_command_takes_them_beside_a_file_and_goes_on(tmp_path, answer, symscale):
    _, columns, _ = weighed("m2", seed=5, count=3)
    source, place, kept = tmp_path / "runs.csv", tmp_path / "fits.jsonl", tmp_path / "kept"
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    source.write_text("\n".join(lines))
    asked = ["fit", str(source), "--law", "m2", "--x", "x", "--y", "y", "--by", "curve", "--sigma", "spread"]
    asked += ["--weights", "often"]
    files = ["--out", str(place), "--journal", str(kept)]
    answer(*asked, *files)
    whole, finished = kept.read_bytes(), place.read_bytes()
    for text, one in zip(finished.splitlines(), answer(*asked)["fits"], strict=True):
        assert json.loads(text)["estimate"] == pytest.approx(one["estimate"], rel=1e-8)
    kept.write_bytes(whole[: len(whole) // 2])
    place.unlink()
    answer(*asked, *files)
    assert kept.read_bytes() == whole and place.read_bytes() == finished
    code, _, error = symscale(*asked[:-2], *files)
    assert code == 2 and "it is of a run with weights" in error
