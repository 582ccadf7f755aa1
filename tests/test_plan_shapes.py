"""Shapes of vision transformers and isoFLOP slices: the published counts, scaling, designs, vertices and their bias."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp

from symbolic_scaling import errors, fit, laws, plan
from symbolic_scaling.cli import main
from symbolic_scaling.plan import slices, sweeps

SMALL = {"width": 608, "depth": 10, "mlp": 928}
PUBLISHED = {"width": 1152, "depth": 27, "mlp": 4304}
REFIT = plan.source(laws.get("chinchilla"), "besiroglu2024")


def test_the_published_counts() -> None:
    made = plan.image(PUBLISHED, (224, 384, 518))
    assert round(float(made["parameters"]) / 1e6) == 428
    for pixels, printed, ours in ((224, 221, 220.4), (384, 672, 670.3), (518, 1374, 1367.8)):
        found = float(made[f"GFLOP at {pixels}"])
        assert found == pytest.approx(printed, rel=0.01) and round(found, 1) == ours


def test_the_smaller_one_computed() -> None:
    """By hand: 18 blocks of 4 w^2 + 2 w m and their biases, patches, positions, norms, pooling head."""
    w, m, n = 880, 2320, 256
    block = 4 * w * w + 4 * w + 2 * w * m + m + w
    made = plan.image({"width": w, "depth": 18, "mlp": m})
    assert int(made["parameters"]) == 18 * (block + 4 * w) + 2 * w + 588 * w + w + n * w + block + 2 * w + w
    macs = 18 * (n * (4 * w * w + 2 * w * m) + 2 * n * n * w) + 588 * n * w
    macs += 2 * n * w * w + 2 * n * w + 2 * w * w + 2 * w * m
    assert int(10**9 * made["GFLOP at 224"]) == 2 * macs


def test_a_small_shape_scaled_to_the_budget() -> None:
    made = plan.scale(SMALL, "9T GFLOP", "40B", first_examples="600M", beside=PUBLISHED)
    rules = {str(row[0]): row[1:] for row in made.sheets[0].rows}
    tau, powers = float(made["tau"]), {"width": 0.22, "depth": 0.45, "mlp": 0.6}
    assert tau == pytest.approx(9e21 / (float(plan.image(SMALL)["GFLOP at 224"]) * 1e9 * 6e8), rel=1e-14)
    for place, (name, size) in enumerate(SMALL.items()):
        assert float(rules["tau^(w_k), as printed"][place]) == pytest.approx(size * tau ** (1 / 3), rel=1e-12)
        assert float(rules["tau^(s_k w_k)"][place]) == pytest.approx(size * tau ** (powers[name] / 3), rel=1e-12)
    assert float(rules["along s_k, to the budget"][4]) == pytest.approx(1, rel=1e-40)
    assert float(made["width"]) % 16 == 0 and float(made["mlp"]) % 16 == 0
    assert float(rules["beside"][4]) == pytest.approx(0.98, abs=0.005), "the published shape spends 9T GFLOPs"
    for name, growth, implied, *_ in made.sheets[1].rows:
        assert float(implied) ** (powers[str(name)] / 3) == pytest.approx(float(growth), rel=1e-12)
    assert "No one tau" in made.notes[-1]


def test_designs() -> None:
    star = plan.star({"width": 1968, "depth": 40, "mlp": 6144}, SMALL, count=5)
    moved = [str(row[0]) for row in star.rows]
    assert moved[0] == "centre" and {moved.count(name) for name in SMALL} == {4}
    for row in star.rows[1:]:
        changed = [float(a) != b for a, b in zip(row[1:4], (1968, 40, 6144), strict=True)]
        assert sum(changed) == 1
    sizes = {"width": [416, 512, 608, 768], "depth": [6, 8, 10, 12], "mlp": [768, 928, 1088, 1360]}
    assert len(plan.grid(sizes).rows) == 64
    ladder = sweeps.ladder(100, 10000, 5)
    assert ladder == (100, 316, 1000, 3162, 10000)


def test_a_sweep_fitted_gives_the_exponent_with_an_interval() -> None:
    own = {"alpha_k": 5.0, "a_k": 0.6, "beta_k": 2.0, "b_k": 0.5, "xi_k": 40.0, "c": 0.35, "eps_k": 0.15}
    x, t = (axis.ravel() for axis in np.meshgrid(np.geomspace(4, 60, 6), np.geomspace(1e4, 1e8, 6)))
    f = own["alpha_k"] * x ** -own["a_k"] + (own["beta_k"] * x ** own["b_k"] + own["xi_k"]) * t ** -own["c"] + 0.15
    law = laws.get("sovit")
    found = fit.curve(law, {"x_k": x, "t": t}, f * np.exp(1e-6 * np.sin(np.arange(36))), residual="relative")
    made = plan.best_size(plan.source(fit=found), "1e7")
    named = {one.name: one for one in made.allocation}
    ((_, lo, hi),) = named["s_k"].intervals
    assert lo < 0.35 / 1.1 < hi
    best = (5 * 0.6 * 1e7**0.35 / (2 * 0.5)) ** (1 / 1.1)
    assert float(named["x_k"].value) == pytest.approx(best, rel=1e-3)


@pytest.mark.parametrize("name", ["besiroglu2024", "hoffmann2022"])
@pytest.mark.parametrize("h", ["0.01", "0.7", "2"])
def test_the_bias_of_a_parabola_by_brute_force(name: str, h: str) -> None:
    """The vertex through the raw law at N exp(-h), N, N exp(h), against the closed form."""
    chosen = plan.source(laws.get("chinchilla"), name)
    exact, leading = slices.bias(chosen.law)
    point = {**chosen.point, slices.H: sp.Rational(h)}
    said = exact.evalf(40, subs=point)
    with mpmath.workdps(40):
        E, A, B, alpha, beta = (mpmath.mpf(str(sp.N(v, 45))) for v in chosen.constants.values())
        best, half, step = mpmath.mpf(str(plan.allocate(chosen, "6e23")["N"])), mpmath.mpf("1e23"), mpmath.mpf(h)
        low, mid, high = (E + A * n**-alpha + B * (half / n) ** -beta
                          for n in (best * mpmath.exp(k * step) for k in (-1, 0, 1)))  # fmt: skip
        vertex = -step / 2 * (high - low) / (high - 2 * mid + low)
    assert float(said) == pytest.approx(float(vertex), rel=1e-12)
    if h == "0.01":
        assert float(leading.evalf(40, subs=point)) == pytest.approx(float(vertex), rel=1e-4)


def test_slices_of_the_law_itself_give_its_exponent_once_the_bias_is_off() -> None:
    rows = []
    for power in range(18, 24):
        best = plan.allocate(REFIT, 10**power)
        for factor in ("0.25", "0.6", "1.1", "3", "7"):  # not about the best one
            n = best["N"] * sp.Rational(factor)
            d = sp.Integer(10) ** power / (6 * n)
            rows.append((n, sp.Integer(10) ** power, REFIT.respond({"N": n, "D": d}, "test")))
    raw, right = plan.isoflop(rows), plan.isoflop(rows, chosen=REFIT)
    exponent = float(sp.Rational("0.3658") / (sp.Rational("0.3478") + sp.Rational("0.3658")))
    assert float(right["exponent of N"]) == pytest.approx(exponent, rel=1e-12)
    assert float(raw["prefactor of N"]) != pytest.approx(float(right["prefactor of N"]), rel=1e-3)


def test_only_minima_inside_the_sizes_count() -> None:
    sizes, falling = [10**8, 10**9, 10**10], [3, 2, 1.5]
    assert slices.parabola(sizes, falling).why == "the minimum lies outside the sizes"
    assert slices.parabola(sizes, [1, 2, 1]).why == "the parabola has no minimum"
    assert slices.parabola([1, 1, 2], [1, 2, 1]).why == "fewer than three sizes"
    with pytest.raises(errors.DataError, match="outside"):
        plan.isoflop([(n, 1e20, y) for n, y in zip(sizes, falling, strict=True)])
    apart = [(n, c, y) for n, y in zip(sizes, (3, 2, 3), strict=True) for c in (1e20, 1.05e20, 1.2e20)]
    assert [int(str(row[1])) for row in plan.isoflop(apart).sheets[0].rows] == [6, 3]


@pytest.mark.parametrize(
    "sizes", [{"width": 100, "depth": 2, "mlp": 8, "heads": 3}, {"width": 0, "depth": 2, "mlp": 8}]
)
def test_impossible_shapes(sizes: dict[str, int]) -> None:
    with pytest.raises(errors.DomainError):
        plan.image(sizes)


def test_the_commands(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def run(*arguments: str) -> Any:
        with pytest.raises(SystemExit) as ended:
            main(["plan", *arguments, "--json"])
        assert ended.value.code == 0
        return json.loads(capsys.readouterr().out)

    assert run("sovit", "--shape", "width=1152,depth=27,mlp=4304")["allocation"]["GFLOP at 518"]["value"] > 1360
    scaled = run(
        "sovit",
        "--shape",
        "width=608,depth=10,mlp=928",
        "--budget",
        "9T GFLOP",
        "--beside",
        "width=1152,depth=27,mlp=4304",
    )
    assert scaled["budget"]["examples"]["value"] == 4e10 and len(scaled["tables"]) == 3
    assert len(run("sovit", "--grid", "width=416:512,depth=6:8,mlp=768")["tables"][0]["rows"]) == 4
    table = tmp_path / "runs.csv"
    lines = [f"{n},{c},{abs(n * 10 - c**0.5) / n + 2}" for c in (1e20, 1e22) for n in (1e8, 1e9, 1e10)]
    table.write_text("\n".join(["n,c,loss", *lines, "x,1e20,3"]) + "\n", encoding="utf-8")
    made = run("isoflop", str(table), "--n", "n", "--compute", "c", "--y", "loss")
    assert "exponent of N" in made["allocation"] and "1 of 7 rows" in made["notes"][-1]
