"""From a table to a sample: FIELD_CASES 4, 5, 14, 16 and 18, filters, computed columns, findings."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symbolic_scaling.data import Sample, check, group, pieces, pure_error, read, select
from symbolic_scaling.errors import DataError, ParseError


def of(x: Any, y: Any, **options: Any) -> Sample:
    return select(read({"x": x, "y": y}), "x", "y", **options)


def kinds(sample: Sample, needs: int = 3) -> list[str]:
    return [finding.kind for finding in check(sample, needs)]


# Bad rows, FIELD_CASES 4


CASE_4 = ([0, 1e6, 3e6, 1e7, 3e7, 1e8], [5.0, 3.29242868, float("nan"), 2.33395728, 0.0, 1.95238294])


def test_bad_rows_are_dropped_with_their_reasons() -> None:
    sample = of(*CASE_4)
    assert sample.rows.tolist() == [2, 4, 6]
    assert [row for row, _ in sample.dropped] == [1, 3, 5]
    assert [why.split(",")[0] for _, why in sample.dropped] == ["x is 0", "y is missing", "y is 0"]


def test_bad_rows_are_raised_all_at_once() -> None:
    with pytest.raises(DataError, match=r"3 bad rows: row 1: x is 0.*row 3: y is missing.*row 5: y is 0"):
        of(*CASE_4, on_bad="raise")
    with pytest.raises(DataError, match="on_bad"):
        of(*CASE_4, on_bad="ignore")


def test_without_logs_zero_and_negative_values_stay() -> None:
    assert of([0, 1], [-1.0, 2.0], positive=False).dropped == ()


def test_a_text_column_leaves_no_row() -> None:
    with pytest.raises(DataError, match="row 1: y is 'abc', not a number"):
        of([1, 2], ["abc", "def"])
    with pytest.raises(DataError, match=r"no column 'z'.*'x', 'y'"):
        select(read({"x": [1], "y": [1]}), "x", "z")


# Duplicates, FIELD_CASES 5


def test_exact_duplicates_are_kept_and_counted() -> None:
    sample = of([1e6, 1e7, 1e8] * 4, [3.0, 2.5, 2.25] * 4)
    assert len(sample) == 12 and sample.notes == ("9 exact duplicate rows",)
    (finding,) = check(sample)
    assert finding.kind == "duplicates" and finding.rows == tuple(range(4, 13))


def test_replicates_give_the_pure_error() -> None:
    sample = of([1e6, 1e6, 1e7, 1e7, 1e8, 1e8], [3.01, 2.99, 2.51, 2.49, 2.26, 2.24])
    variance, freedom = pure_error(sample)
    assert freedom == 3 and variance == pytest.approx(2e-4, rel=1e-12)
    assert sample.notes == ()
    doubled = of(np.tile(sample.x["x"], 2), np.tile(sample.y, 2))
    assert pure_error(doubled) == (pytest.approx(2e-4, rel=1e-12), 3)


# Numbers, FIELD_CASES 18


@pytest.mark.parametrize("cell", ["5.88e23", "5.88E+23", "588,000,000,000,000,000,000,000", 588 * 10**21, "588 ZFLOP"])
def test_one_number_many_spellings(cell: Any) -> None:
    assert of([cell], [1.0]).x["x"].tolist() == [5.88e23]


def test_missing_cells_and_notes() -> None:
    sample = of(["70B", "N/A", "-", "", "nan", "1.4T", None], ["12.5%", 1, 1, 1, 1, "7%", 1])
    assert sample.rows.tolist() == [1, 6] and sample.y.tolist() == [0.125, 0.07]
    assert all(why == "x is missing" for _, why in sample.dropped) and len(sample.dropped) == 5
    assert sample.notes == ("y: 12.5% is read as 0.125 and 1 more",)


def test_decimal_comma_file(tmp_path: Path) -> None:
    (tmp_path / "eu.csv").write_text("Schritte;Verlust\n1.000;1,94\n2.000;1,9\n", encoding="utf-8")
    table = read(tmp_path / "eu.csv", decimal_mark=",")
    assert select(table, {"x": "Schritte"}, "Verlust").y.tolist() == [1.94, 1.9]


def test_integer_columns_do_not_overflow() -> None:
    runs = read({"N": np.array([70_000_000_000]), "D": np.array([1_400_000_000_000]), "loss": [1.9]})
    sample = select(runs, ["N", "D"], "loss", let={"C": "6*N*D"})
    assert sample.x["C"][0] == pytest.approx(5.88e23, rel=1e-15)


# Columns


def test_odd_column_names_are_mapped_but_are_no_symbols() -> None:
    runs = read({"weird [name]": [1.0, 2.0], 'a "b"': [3.0, 4.0]})
    assert select(runs, {"N": "weird [name]"}, 'a "b"').x["N"].tolist() == [1, 2]
    with pytest.raises(DataError, match="cannot be a symbol"):
        select(runs, ["weird [name]"], 'a "b"')
    for formula in ("weird [name]", 'a "b"', "__import__('os')"):
        with pytest.raises(ParseError):
            select(runs, {"N": "weird [name]"}, "y", let={"y": formula})
    with pytest.raises(DataError, match="cannot be a symbol"):
        select(runs, {"N": "weird [name]"}, 'a "b"', let={"a b": "N"})


def test_let_computes_inputs_and_the_response_in_order() -> None:
    runs = read({"acc": [0.25, 0.5], "C": ["6e20", "6e21"], "N": [1e9, 1e9]})
    let = {"D": "C/(6*N)", "y": "1-acc", "ratio": "D/N", "mean": "Max(sqrt(N*D), Abs(-1), exp(log(2)))"}
    sample = select(runs, ["N"], "y", let=let)
    assert list(sample.x) == ["N", "D", "ratio", "mean"]
    assert sample.x["D"].tolist() == [1e11, 1e12] and sample.y.tolist() == [0.75, 0.5]
    np.testing.assert_allclose(sample.x["mean"], np.sqrt([1e20, 1e21]), rtol=1e-15)
    assert list(select(runs, "N", "y", let=let, inputs=["D"]).x) == ["D"]
    assert select(runs, "N", "acc", let={"acc": "1-acc"}).y.tolist() == [0.75, 0.5]


def test_let_names_what_is_missing_and_keeps_the_reason() -> None:
    runs = read({"acc": [0.25, None, -3], "N": [1, 2, 3]})
    with pytest.raises(ParseError, match="'D' is not declared"):
        select(runs, "N", "y", let={"y": "1-D"})
    with pytest.raises(DataError, match="Derivative has no value"):
        select(runs, "N", "y", let={"y": "diff(acc*N, N)"})
    sample = select(runs, "N", "y", let={"y": "sqrt(acc)"})
    assert sample.dropped == ((2, "acc is missing"), (3, "y is not finite"))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.floats(0.01, 1e6), min_size=1, max_size=5), st.floats(0.01, 10))
def test_let_agrees_with_numpy(values: list[float], other: float) -> None:
    x = np.array(values)
    runs = read({"x": x, "k": np.full_like(x, other), "y": x})
    sample = select(runs, ["x", "k"], "y", let={"z": "k*x**0.5/(1 + x) + log(1 + x) + Min(x, k)^-2"})
    expected = other * x**0.5 / (1 + x) + np.log(1 + x) + np.minimum(x, other) ** -2
    np.testing.assert_allclose(sample.x["z"], expected, rtol=1e-13)


# Filters


RUNS = {"Task": ["a", "b", "it's", "a"], "Model Size": ["1e6", "2M", "", "3M"], "k": [1, 0, 1, 0], "y": [4, 3, 2, 1]}


@pytest.mark.parametrize(
    ("where", "rows"),
    [
        ("Task = 'a'", [1, 4]),
        ('Task == "a"', [1, 4]),
        ("Task != 'a'", [2, 3]),
        ("Task = 'it''s'", [3]),
        ("Task in ('a', 'b') and k = 1", [1]),
        ("Task not in ('a')", [2, 3]),
        ("not (Task = 'a' or k = 1)", [2]),
        ("NOT Task = 'a' AND k = 1", [3]),
        ("`Model Size` > 1e6", [2, 4]),
        ("`Model Size` >= 1M", [1, 2, 4]),
        ("2M = `Model Size`", [2]),
        ("`Model Size` != 2M", [1, 4]),
        ("N > 1e6", [2, 4]),
        ("double = 2", [1, 3]),
        ("k = '1'", [1, 3]),
        ("k < y and y <= 3", [2, 3, 4]),
        ("k = 1 or k = 0 and Task = 'b'", [1, 2, 3]),
        ("y > -1 and android", None),
        ("Tusk = 'a'", None),
        ("Task = ", None),
        ("Task", None),
        ("'a' = 1", None),
        ("1", None),
        ("", None),
        ("Task = 'a", None),
        ("Task = 'a'; drop", None),
        ("__import__('os')", None),
        ("(" * 5000, None),
        ("not " * 5000, None),
    ],
    ids=lambda value: str(value)[:30],
)
def test_filters(where: str, rows: list[int] | None) -> None:
    def chosen() -> list[int]:
        sample = select(read(RUNS), {"N": "Model Size"}, "y", let={"double": "2*k"}, where=where, inputs=["y"])
        return sample.rows.tolist()

    if rows is None:
        with pytest.raises((ParseError, DataError)):
            chosen()
    else:
        assert chosen() == rows


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.lists(st.sampled_from(["Task", "k", "'a'", "1", "=", "<", "and", "or", "not", "(", ")", "in", ","]), max_size=9)
)
def test_shuffled_filters_filter_or_are_refused(words: list[str]) -> None:
    try:
        sample = select(read(RUNS), "k", "y", where=" ".join(words), positive=False)
    except (ParseError, DataError) as error:
        assert error.remedy
    else:
        assert 0 < len(sample) <= 4


def test_ranges_and_highest() -> None:
    x, y = [1e3, 1e4, 1e5, 1e6], [4.0, 3.0, 1.0, 2.0]
    assert of(x, y, start="10k", stop=1e5).rows.tolist() == [2, 3]
    assert of(x, y, until_peak=True).rows.tolist() == [1, 2, 3]
    sample = of(x, y, drop_highest=2)
    assert sample.rows.tolist() == [3, 4]
    assert sample.dropped == ((1, "y is among the 2 highest"), (2, "y is among the 2 highest"))


@given(st.lists(st.sampled_from([1.0, 2.0, 3.0]), min_size=2, max_size=8), st.integers(1, 7))
def test_of_the_highest_the_first_rows_are_left_out(y: list[float], count: int) -> None:
    """Exactly so many, and of equal ones those that stand first."""
    count = min(count, len(y) - 1)
    falling = sorted(range(len(y)), key=lambda row: -y[row])
    sample = of(range(1, len(y) + 1), y, drop_highest=count)
    assert [row for row, _ in sample.dropped] == sorted(row + 1 for row in falling[:count])
    assert sample.rows.tolist() == sorted(row + 1 for row in falling[count:])


def test_the_digest_is_of_names_and_values() -> None:
    base = of([1, 2], [3, 4])
    assert base.digest == of(["1", "2.0"], [3.0, "4"]).digest
    assert base.digest != of([1, 2], [3, 5]).digest
    assert base.digest != select(read({"z": [1, 2], "y": [3, 4]}), "z", "y").digest
    assert base.digest == of([1, 2, 9], [3, 4, None]).digest


def test_groups_keep_their_rows() -> None:
    parts = group(read(RUNS), ["Task", "k"])
    assert parts[0][0] == (("Task", "a"), ("k", 1))
    assert [part.rows for _, part in parts] == [(1,), (2,), (3,), (4,)]
    assert select(group(read(RUNS), "Task")[0][1], "y", "y").rows.tolist() == [1, 4]
    missing = group(read({"k": [float("nan"), None, 1.0, float("nan")]}), "k")
    assert [part.rows for _, part in missing] == [(1, 2, 4), (3,)]


# Findings


def test_double_descent_is_named() -> None:
    x = [8, 16, 32, 64, 128, 192, 256, 328, 408, 512]
    y = [7.27, 6.13, 4.82, 3.83, 4.36, 5.33, 5.05, 4.67, 4.37, 4.12]
    (finding,) = check(of(x, y))
    assert finding.text == "not monotone: local minimum at 64, local maximum at 192; monotone laws do not apply"
    assert finding.rows == (4, 6)
    shuffled = check(of(x[::-1], y[::-1]))
    assert shuffled[0].text == finding.text and shuffled[0].rows == (7, 5)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.floats(0.05, 1.5), st.floats(0, 3), st.integers(4, 30), st.floats(0, 0.01))
def test_falling_curves_with_little_noise_are_monotone(c: float, floor: float, count: int, noise: float) -> None:
    x = np.logspace(3, 6, count)
    y = floor + x**-c
    wiggle = noise * np.ptp(y) * (-1.0) ** np.arange(count)
    assert "not monotone" not in kinds(of(x, y + np.abs(wiggle)))


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_no_double_descent(seed: int) -> None:
    """Noise of a tenth of the range turns the curve at every other point; no turn stands out from the others."""
    rng = np.random.default_rng(seed)
    x = np.logspace(3, 6, 60)
    assert "not monotone" not in kinds(of(x, 1 + x**-0.3 + 0.1 * np.ptp(x**-0.3) * rng.uniform(-1, 1, 60)))


ACCURACY = [0.66170153, 0.737770879, 0.793555983, 0.827534913, 0.852453204, 0.867631035]
PERCENT = [33.829847, 26.222912, 20.644402, 17.246509, 14.75468, 13.236897]
STEPS = [1e6, 3e6, 1e7, 3e7, 1e8, 3e8]


def test_accuracy_given_as_loss() -> None:
    (finding,) = check(of(STEPS, ACCURACY))
    assert finding.kind == "accuracy" and "values rise with x and lie in [0,1]: accuracy?" in finding.text
    sample = select(read({"x": STEPS, "acc": ACCURACY}), "x", "y", let={"y": "1-acc"})
    np.testing.assert_allclose(sample.y, 0.1 + 30 * np.array(STEPS) ** -0.35, rtol=1e-8)
    assert check(sample) == ()


def test_percent_given_as_loss() -> None:
    assert kinds(of(STEPS, PERCENT)) == ["percent"]
    assert kinds(of(STEPS, np.array(PERCENT) / 100)) == []
    rising = check(of(STEPS, 100 * np.array(ACCURACY)))[0]
    assert rising.kind == "percent" and "--let y=1-y/100" in rising.text


def test_too_few_points() -> None:
    assert kinds(of([1e3, 1e6, 1e6], [8, 2, 2.1]), needs=3) == ["too few points"]
    assert kinds(of([1e3, 1e6], [8, 2]), needs=2) == []


def test_compute_is_compared_with_6ND() -> None:
    runs = read({"N": [1e9, 1e9], "D": [2e10, 4e10], "C": [1.2e20, 2.6e20], "y": [3, 2.9]})
    (finding,) = check(select(runs, ["N", "D", "C"], "y"), needs=2)
    assert finding.kind == "cost" and finding.rows == (2,)


def test_every_row_of_every_piece_has_its_number(tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.import_module("symbolic_scaling.data.pieces"), "_TEXT_ROWS", 4)
    path = tmp_path / "runs.csv"
    path.write_text("x,y\n" + "".join(f"{k},{k}\n" for k in range(1, 15)), encoding="utf-8")
    found = list(pieces(path))
    assert [len(piece) for piece in found] == [4, 4, 4, 2]
    assert [(row, cells) for piece in found for row, cells in zip(piece.rows, piece.cells[0], strict=True)] == [
        (k, str(k)) for k in range(1, 15)
    ]
    path.write_text(path.read_text(encoding="utf-8") + "15\n", encoding="utf-8")
    with pytest.raises(DataError, match="row 15"):
        list(pieces(path))
