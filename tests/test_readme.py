"""What the README shows runs as it is printed: its commands in their order in one folder, its Python, its claims."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from symbolic_scaling import cli

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
LONG = "--book"


def shell() -> list[str]:
    """Every command of a shell block but the installation, and those that stand in the text without a placeholder."""
    lines = []
    for block, code, text in re.findall(r"```(\w+)\n(.*?)```|`(symscale [^`|]*)`", README, re.S):
        words = text.split()
        whole = len(words) > 3 and not re.search(r"\.\.\.|\[|\b[A-Z]{2,}\b", text)
        lines += code.splitlines() if block == "sh" else [" ".join(words)] if whole else []
    return [line for line in lines if line.startswith("symscale ")]


def tables() -> None:
    """The tables that the README describes, in this folder."""
    rng = np.random.default_rng(1)
    flops, ratio = (part.ravel() for part in np.meshgrid(np.geomspace(1e18, 1e21, 5), np.geomspace(0.2, 5, 6)))
    params = ratio * np.sqrt(flops / 150)
    tokens = flops / (6 * params)
    loss = (1.7 + 480 / params**0.35 + 2100 / tokens**0.37) * np.exp(0.002 * rng.standard_normal(30))
    runs = {"params": params, "tokens": tokens, "flops": flops, "examples": tokens, "loss": loss}
    pl.DataFrame({**runs, "lr": 10 ** rng.uniform(-4, -2, 30)}).write_csv("runs.csv")
    width, gflops = (part.ravel() for part in np.meshgrid(np.geomspace(64, 4096, 6), np.geomspace(1, 1e4, 5)))
    error = 0.1 + 1.5 / width**0.7 + (2e-4 * width**0.5 + 0.3) / gflops**0.3
    pl.DataFrame({"width": width, "gflops": gflops, "error": error, "spread": 0.01}).write_csv("shapes.csv")
    x = np.geomspace(1e4, 1e8, 12)
    groups = [("image", "birds", "vit", 0.3), ("image", "birds", "mixer", 0.25), ("text", "translate", "small", 0.2)]
    curves = pl.concat(
        pl.DataFrame({"examples": x, "loss": 0.2 + 3 * x**-c}).select(
            *(pl.lit(name).alias(key) for name, key in zip(names, ("Domain", "Task", "Model"), strict=True)), pl.all()
        )
        for *names, c in groups
    )
    curves.write_csv("curves.csv")
    curves.write_parquet("runs.parquet")


def walk(symscale, lines: list[str]) -> None:
    """Each command in this folder; what it would print into a file is written there."""
    for line in lines:
        words, place = re.fullmatch(r"(.*?)(?: > ([\w.]+))?", line).groups()
        code, out, err = symscale(*shlex.split(words)[1:])
        assert code == 0, f"{line}\n{out}{err}"
        if place:
            Path(place).write_text(out, encoding="utf-8")


def test_commands_run_in_their_printed_order(symscale, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    tables()
    lines = shell()
    walk(symscale, [line for line in lines if LONG not in line])
    assert len(lines) > 38 and any(">" in line for line in lines) and Path("plan.tex").stat().st_size > 1000
    assert not {line.split()[2] for line in lines if line.split()[2].endswith((".csv", ".json", ".parquet"))} - {
        path.name for path in Path().iterdir()
    }


@pytest.mark.slow
def test_commands_that_take_minutes_run_too(symscale, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    walk(symscale, [line for line in shell() if LONG in line])


def test_python_runs_in_its_printed_order(tmp_path: Path) -> None:
    for block in re.findall(r"```python\n(.*?)```", README, re.S):
        run = subprocess.run(
            [sys.executable, "-W", "error", "-c", block], capture_output=True, text=True, cwd=tmp_path, check=False
        )
        assert run.returncode == 0, run.stderr


def test_claims_get_the_verdicts_they_should(answer, tmp_path: Path) -> None:
    path = tmp_path / "claims.toml"
    path.write_text(re.search(r"```toml\n(.*?)```", README, re.S)[1])
    assert [verdict["status"] for verdict in answer("verify", str(path))["verdicts"]] == ["PROVED", "CONSISTENT"]


def test_only_commands_that_exist_are_named() -> None:
    named = set(re.findall(r"symscale (\w+)", README))
    assert named == set(cli.COMMANDS)
