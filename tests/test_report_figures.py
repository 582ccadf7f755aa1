"""Pictures of a fit: the numbers beside them are points of the law, of its frontier, of its profiles."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from symbolic_scaling import fit, laws
from symbolic_scaling.fit.interval import interval
from symbolic_scaling.report import document, figures


@pytest.fixture(scope="module")
def plane() -> fit.FitResult:
    n, d = (axis.ravel() for axis in np.meshgrid(np.geomspace(1e8, 1e10, 5), np.geomspace(1e9, 1e11, 5)))
    loss = (1.7 + 400 / n**0.34 + 400 / d**0.28) * np.exp(1e-3 * np.sin(np.arange(25)))
    return fit.curve(laws.get("chinchilla"), {"N": n, "D": d}, loss)


@pytest.fixture(scope="module")
def line() -> fit.FitResult:
    x = np.geomspace(1e5, 1e10, 14)
    y = 0.2 + 300 * x**-0.4
    return fit.curve(laws.get("m2"), x, y * np.exp(2e-3 * np.cos(5 * np.arange(14))))


def drawn(found: fit.FitResult, name: str) -> dict[str, np.ndarray]:
    """Series -> rows (x, y), read from the CSV that lies beside the picture."""
    made = {one.name: one for one in figures.of_fit(found)}[name]
    rows: dict[str, list[list[float]]] = {}
    for row in csv.DictReader(io.StringIO(made.table())):
        rows.setdefault(row["series"], []).append([float(row["x"]), float(row["y"])])
    return {series: np.array(points).T for series, points in rows.items()}


def test_what_there_is(plane: fit.FitResult, line: fit.FitResult) -> None:
    profiles = {f"profile-{name}" for name in ("E", "A", "B", "alpha", "beta")}
    assert {one.name for one in figures.of_fit(plane)} == {
        "predicted", "residuals", "slices", "contours", "floor", *profiles,
    }  # fmt: skip
    alone = {"curve", "residuals", "excess", "floor", *(f"profile-{name}" for name in ("beta", "c", "eps_inf"))}
    assert {one.name for one in figures.of_fit(line)} == alone


def test_contours_are_of_the_law_and_meet_the_frontier_where_it_is_best(plane: fit.FitResult) -> None:
    series, at = drawn(plane, "contours"), plane.estimate
    levels = [name for name in series if name.startswith("L = ")]
    assert len(levels) == 3
    for name in levels:
        n, d = series[name]
        loss = plane.predict({"N": n, "D": d})
        assert np.ptp(loss) < 1e-12 and f"L = {loss[0]:.4g}" == name
    n, d = series["frontier"]
    assert at["alpha"] * at["A"] * n ** -at["alpha"] == pytest.approx(at["beta"] * at["B"] * d ** -at["beta"], rel=1e-9)


def test_the_excess_tends_to_its_asymptote() -> None:
    y = np.array([0.9, 0.74, 0.35, 0.17, 0.12, 0.105])
    bent = fit.curve(laws.get("m4"), np.geomspace(1e2, 1e11, 6), y)
    series = drawn(bent, "excess")
    law, line = series["m4 less eps_inf"], series["asymptote"]
    both = np.intersect1d(law[0], line[0])
    ratio = law[1][np.isin(law[0], both)] / line[1][np.isin(line[0], both)]
    assert abs(ratio[-1] - 1) < 0.05 < abs(ratio[0] - 1)


def test_a_profile_crosses_where_its_interval_ends(line: fit.FitResult) -> None:
    series = drawn(line, "profile-c")
    at, rise = series["profile"]
    limit = series["where 95 % ends"][1][0]
    sides = (at <= line.estimate["c"], at >= line.estimate["c"])
    lo = np.interp(np.sqrt(limit), np.sqrt(rise[sides[0]])[::-1], at[sides[0]][::-1])
    hi = np.interp(np.sqrt(limit), np.sqrt(rise[sides[1]]), at[sides[1]])
    wanted = interval(line, "c", "profile")
    assert [lo, hi] == pytest.approx([wanted.lo, wanted.hi], abs=2e-2 * (wanted.hi - wanted.lo))


def test_the_floor_is_that_of_fits_without_the_largest_runs(line: fit.FitResult) -> None:
    sizes, floors = drawn(line, "floor")["without larger runs"]
    assert len(sizes) > 4
    x, y = line.problem.x[0][1], line.problem.y
    for size, floor in list(zip(sizes, floors, strict=True))[:3]:
        kept = x <= size * (1 + 1e-9)
        assert fit.curve(line.law, x[kept], y[kept]).estimate["eps_inf"] == pytest.approx(floor, rel=1e-6)


@pytest.mark.slow
def test_a_report_is_the_same_bytes_under_any_hash_seed(line: fit.FitResult, tmp_path: Path) -> None:
    """Every file, pictures included, from two processes."""
    pytest.importorskip("matplotlib")
    line.save(tmp_path / "fit.json")
    made = []
    for seed in ("1", "2"):
        place = tmp_path / seed
        command = [sys.executable, "-m", "symbolic_scaling", "report", str(tmp_path / "fit.json"), "-o", str(place)]
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed})
        made.append({path.name: path.read_bytes() for path in place.iterdir()})
    assert made[0] == made[1] and len(made[0]) > 10


def test_a_constant_law_has_a_page_without_a_curve() -> None:
    found = fit.curve(laws.formula("y = a", []), {}, [2.0, 2.1, 1.9])
    made = figures.of_fit(found)
    assert [figure.name for figure in made] == ["profile-a"]
    assert "1.9" in document.render(document.fitted(found, made), "md")
