"""``symscale``: lazy loading, exit codes, one JSON object on standard output, errors that say what to do."""

import json
import os
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from symbolic_scaling import cli, fit, laws, notation
from symbolic_scaling.report import tour

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


# ---------------------------------------------------------------- the front


def test_help_loads_neither_sympy_nor_rich_nor_a_command() -> None:
    code = "import sys; from symbolic_scaling.cli import main\ntry: main(['--help'])\nfinally: print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.splitlines()[-1].split())
    assert not {"sympy", "numpy", "rich", "lark"} & loaded
    assert not {f"symbolic_scaling.cli.{name}" for name in cli.COMMANDS} & loaded
    assert all(f"  {name} " in run.stdout for name in cli.COMMANDS)


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_loads_has_help_and_json(name: str, symscale) -> None:
    command = import_module(f"symbolic_scaling.cli.{name}").command
    assert isinstance(command, click.Command) and command.name == name
    code, out, _ = symscale(name, "--help")
    assert code == 0 and "--json" in out and "Usage: symscale" in out
    assert f"`symscale {name}" in README


def test_the_module_runs_as_the_command() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "symbolic_scaling", "--version"], capture_output=True, text=True, check=True
    )
    assert run.stdout.startswith("symscale, version")


@pytest.mark.parametrize(
    "arguments",
    [("nonsense",), ("show",), ("show", "m1", "m2"), ("derive", "m1", "nonsense"), ("laws", "--nonsense")],
    ids=" ".join,
)
def test_wrong_usage_is_code_2(symscale, arguments) -> None:
    code, out, err = symscale(*arguments)
    assert code == 2 and out == "" and "symscale" in err
    code, out, err = symscale(*arguments, "--json")
    error = json.loads(out)["error"]
    assert code == 2 and err == ""
    assert set(error) == {"kind", "asked", "found", "remedy", "where"} and "--help" in error["remedy"]


def test_an_error_says_what_was_asked_found_and_to_do(symscale) -> None:
    code, out, err = symscale("show", "nonsense")
    assert code == 2 and out == "" and "chinchilla" in err
    code, out, err = symscale("show", "nonsense", "--json")
    assert code == 2 and err == "" and json.loads(out)["error"]["kind"] == "LawError"


def test_a_closed_pipe_is_no_error() -> None:
    line = f"{sys.executable} -m symbolic_scaling show chinchilla | true"
    run = subprocess.run(["bash", "-c", f"set -o pipefail; {line}"], capture_output=True, text=True, check=False)
    assert run.stderr == ""


# ---------------------------------------------------------------- laws, show


def test_laws_lists_every_law(answer, symscale) -> None:
    assert [law["name"] for law in answer("laws")["laws"]] == list(laws.names())
    assert "arXiv 2203.15556" in symscale("laws")[1]


def test_show_holds_all_that_is_declared(answer) -> None:
    value = answer("show", "chinchilla")
    assert set(value) >= {"form", "latex", "variables", "parameters", "domain", "costs", "published"}
    assert value["published"]["hoffmann2022"]["constants"]["alpha"] == "0.34"
    assert value["costs"][0]["expression"] == "6*D*N"


def test_show_takes_a_formula(answer, symscale) -> None:
    value = answer("show", "L = E + A/N^alpha + B/D^beta", "--variables", "N,D")
    assert [variable["name"] for variable in value["variables"]] == ["N", "D"]
    assert {parameter["name"] for parameter in value["parameters"]} == {"E", "A", "B", "alpha", "beta"}
    assert symscale("show", "L = __import__('os').getcwd()", "--variables", "N")[0] == 2


# ---------------------------------------------------------------- derive


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        (("m2", "gradient"), "x"),
        (("m4", "gradient", "--over", "x,alpha"), "alpha"),
        (("chinchilla", "hessian"), "N,D"),
        (("chinchilla", "elasticity"), "N"),
        (("m2", "limits"), "x->oo"),
        (("m2", "inverse", "--in", "x"), "x"),
        (("sovit", "optimum", "--in", "x_k"), "x_k"),
        (("chinchilla", "frontier", "--cost", "6*N*D"), "N"),
        (("sovit", "envelope", "--over", "x_k"), "f_k"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value,
)
def test_derive_answers_with_proved_steps(answer, arguments, key) -> None:
    value = answer("derive", *arguments)
    assert set(value) >= {"law", "what", "given", "steps", "verdicts", "result"}
    assert value["law"] == arguments[0] and value["what"] == arguments[1]
    assert key in value["result"], sorted(value["result"])
    notation.parse(value["result"][key], undeclared="symbol")
    assert value["verdicts"] and {verdict["status"] for verdict in value["verdicts"]} == {"PROVED"}


def test_a_series_is_one_object(answer, symscale) -> None:
    value = answer("derive", "m4", "series", "--in", "x", "--order", "2", "--at", "oo")
    assert set(value["result"]) == {"variable", "at", "small", "terms", "radius", "remainder"}
    assert value["result"]["small"] == "beta*x**c" and value["result"]["terms"][0] == ["eps_inf", "0"]
    assert "beta*x**c" in symscale("derive", "m4", "series", "--in", "x")[1]


def test_a_formula_derives_like_the_law_it_states(answer) -> None:
    formula = answer("derive", "L = E + A/N^alpha + B/D^beta", "frontier", "--variables", "N,D", "--cost", "6*N*D")
    assert formula["result"]["N"] == answer("derive", "chinchilla", "frontier")["result"]["N"]


def test_derive_prints_text_and_latex(symscale) -> None:
    _, out, _ = symscale("derive", "chinchilla", "frontier")
    assert "N = " in out and "PROVED" in out
    _, out, _ = symscale("derive", "chinchilla", "frontier", "--latex")
    assert r"N = " in out and r"\begin{equation*}" in out


def test_an_option_without_meaning_is_refused(symscale) -> None:
    code, _, err = symscale("derive", "m1", "limits", "--cost", "6*N*D")
    assert code == 2 and "--cost" in err
    code, _, err = symscale("derive", "m1", "inverse")
    assert code == 2 and "--in" in err


# ---------------------------------------------------------------- verify

FILE = """
[[claims]]
id = "true"
kind = "equal"
statement = "beta/(alpha + beta) = 1 - alpha/(alpha + beta)"
symbols = { alpha = "positive", beta = "positive" }

[[claims]]
id = "false"
kind = "equal"
statement = "alpha + beta = alpha*beta"
symbols = { alpha = "positive", beta = "positive" }
"""


def test_verify_keeps_the_order_of_the_file(tmp_path: Path, answer) -> None:
    path = tmp_path / "claims.toml"
    path.write_text(FILE)
    verdicts = answer("verify", str(path), "--report", str(tmp_path / "out.md"), code=1)["verdicts"]
    assert [(verdict["id"], verdict["status"]) for verdict in verdicts] == [("true", "PROVED"), ("false", "REFUTED")]
    assert set(verdicts[0]) >= {"id", "status", "method", "evidence", "seconds"}
    assert "1 PROVED, 1 REFUTED" in (tmp_path / "out.md").read_text()


def test_verify_one_statement(answer, symscale) -> None:
    statement = "beta/(alpha + beta) = 1 - alpha/(alpha + beta)"
    assert answer("verify", statement, "--symbols", "alpha beta positive")["verdicts"][0]["status"] == "PROVED"
    assert answer("verify", "6*N*D/(6*N) = D", "--law", "chinchilla")["verdicts"][0]["status"] == "PROVED"
    code, out, _ = symscale("verify", "N*D = N + D", "--law", "chinchilla")
    assert code == 1 and "REFUTED" in out


@pytest.mark.parametrize("what", ["missing.toml", "a = = b", "9**9**9**9 = 1", "N.__class__ = 1"])
def test_verify_refuses_what_it_cannot_read(symscale, what: str) -> None:
    code, out, err = symscale("verify", what, "--json")
    assert code == 2 and json.loads(out)["error"]["remedy"], err


def test_a_report_of_unknown_ending_is_refused_before_the_work(symscale, tmp_path: Path) -> None:
    code, _, err = symscale("verify", "1 = 1", "--report", str(tmp_path / "out.docx"))
    assert code == 2 and "ending" in err


# ---------------------------------------------------------------- fit

ROWS = "size,flops,loss,task\n" + "".join(
    f"{n:.6e},{6 * n * d:.6e},{1.69 + 406.4 * n**-0.34 + 410.7 * d**-0.28:.5f},{task}\n"
    for task in ("one", "two")
    for n in (1e8, 3e8, 1e9, 3e9)
    for d in (2e9, 8e9, 3.2e10, 1.28e11)
)


@pytest.fixture
def runs(tmp_path: Path) -> str:
    """Chinchilla's rounded constants on a grid, twice, with a row that no logarithm takes."""
    path = tmp_path / "runs.csv"
    path.write_text(ROWS + "0,1,1,one\n")
    return str(path)


CHINCHILLA = ("--x", "N=size,C=flops", "--y", "loss", "--let", "D=C/(6*N)")


@pytest.mark.parametrize("law", ["chinchilla", "L = E + A/N^alpha + B/D^beta"])
def test_fit_recovers_what_made_the_runs(answer, runs: str, law: str) -> None:
    (found,) = answer("fit", runs, "--law", law, *CHINCHILLA, "--where", "task = 'one'")["fits"]
    assert set(found) >= {"by", "law", "residual", "box", "outcome", "objective", "estimate", "minima", "intervals"}
    assert set(found) >= {"certificate", "notes", "rows_used", "rows_dropped"} and found["law"] == law
    truth = {"E": 1.69, "A": 406.4, "B": 410.7, "alpha": 0.34, "beta": 0.28}
    assert found["estimate"] == pytest.approx(truth, rel=2e-2)  # five printed decimals of the loss
    assert found["rows_used"] == list(range(1, 17))
    assert [(row["row"], bool(row["why"])) for row in found["rows_dropped"]] == [(33, True)]


def test_fit_by_groups_fixes_and_bounds(answer, runs: str) -> None:
    options = ("--by", "task", "--fix", "alpha=0.34", "--bound", "E=1:2", "--drop-highest", "1")
    fits = answer("fit", runs, "--law", "chinchilla", *CHINCHILLA, *options)["fits"]
    assert [fit["by"] for fit in fits] == [{"task": "one"}, {"task": "two"}]
    assert all(fit["estimate"]["alpha"] == 0.34 and 1 <= fit["estimate"]["E"] <= 2 for fit in fits)
    assert 17 not in fits[0]["rows_used"] and 1 not in fits[1]["rows_used"] and len(fits[1]["rows_used"]) == 15


def test_fit_shows_tables_saves_and_draws(symscale, runs: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    saved, drawn = tmp_path / "fit.json", tmp_path / "fit.png"
    options = ("--where", "task = 'two'", "--save", str(saved), "--plot", str(drawn))
    code, out, _ = symscale("fit", runs, "--law", "chinchilla", *CHINCHILLA, *options)
    assert code == 0 and "95 % interval" in out and "OPTIMUM_REACHED" in out
    loaded = fit.load(saved)
    assert loaded.estimate["alpha"] == pytest.approx(0.34, rel=1e-3) and loaded.problem.rows_used[0] == 17
    assert drawn.read_bytes().startswith(b"\x89PNG")
    code, out, _ = symscale("fit", runs, "--law", "chinchilla", *CHINCHILLA, "--by", "task")
    assert code == 0 and "fitted to 2 groups" in out


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--law", "nonsense", *CHINCHILLA), "nonsense"),
        (("--law", "chinchilla", "--x", "N=size", "--y", "loss"), "D"),
        (("--law", "chinchilla", "--x", "N=nope,D=flops", "--y", "loss"), "nope"),
        (("--law", "chinchilla", "--x", "size", "--y", "loss"), "--x"),
        (("--law", "chinchilla", *CHINCHILLA, "--fix", "zeta=1"), "zeta"),
        (("--law", "chinchilla", *CHINCHILLA, "--fix", "alpha=many"), "many"),
        (("--law", "chinchilla", *CHINCHILLA, "--bound", "alpha=1"), "lo:hi"),
        (("--law", "chinchilla", *CHINCHILLA, "--where", "task = "), "filter"),
        (("--law", "chinchilla", *CHINCHILLA, "--on-bad", "raise"), "33"),
        (("--law", "chinchilla", *CHINCHILLA, "--by", "task", "--save", "x.json"), "--save"),
    ],
    ids=lambda value: " ".join(value[-2:]) if isinstance(value, tuple) else value,
)
def test_fit_refuses_what_it_cannot_use(symscale, runs: str, options, word: str) -> None:
    code, out, err = symscale("fit", runs, *options, "--json")
    error = json.loads(out)["error"]
    assert code == 2 and err == "" and error["remedy"]
    assert word in " ".join(error.values())


def test_a_missing_table_is_an_error(symscale) -> None:
    code, _, err = symscale("fit", "missing.csv", "--law", "m1", "--x", "x=x", "--y", "y")
    assert code == 2 and "missing.csv" in err


def test_fit_of_a_real_curve(answer) -> None:
    if not os.environ.get("SYMBOLIC_SCALING_DATA"):
        pytest.skip("SYMBOLIC_SCALING_DATA names no folder of run tables")
    table = str(Path(os.environ["SYMBOLIC_SCALING_DATA"]) / "benchmark.vision.csv")
    options = ("--law", "m2", "--x", "x=Seen Examples", "--y", "Loss", "--by", "Task,Model")
    fits = answer("fit", table, *options, "--where", "Training = 1 and Task = 'bird_5'")["fits"]
    assert len(fits) > 1 and all(fit["by"]["Task"] == "bird_5" and fit["estimate"]["c"] < 0 for fit in fits)


# ---------------------------------------------------------------- tour


def test_the_tour_leaves_a_whole_report(answer, symscale, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    place = tmp_path / "report"
    files = {Path(name).name: Path(name) for name in answer("tour", str(place))["files"]}
    assert set(files) == {"report.md", "verdicts.json", "fit.json", "curve.csv", "curve.png"}
    page = files["report.md"].read_text(encoding="utf-8")
    assert r"N = \left(\frac{C}{6}\right)" in page and "](curve.png)" in page and "1 REFUTED" in page
    verdicts = json.loads(files["verdicts.json"].read_text())["verdicts"]
    assert [verdict["status"] for verdict in verdicts] == ["PROVED"] * (len(verdicts) - 1) + ["REFUTED"]
    fits = json.loads(files["fit.json"].read_text())["fits"]
    assert [fit["law"] for fit in fits] == ["m1", "m2", "m3", "m4"]
    assert all(
        abs(fits[3]["estimate"][name] - truth) < 0.2 * truth + 0.01 for name, truth in tour.TRUTH.items() if name != "c"
    )
    assert files["curve.png"].read_bytes().startswith(b"\x89PNG")
    command = re.search(r"^symscale (fit .*)$", page, re.M)[1].replace("curve.csv", str(files["curve.csv"]))
    assert answer(*shlex.split(command))["fits"][0]["estimate"] == fits[3]["estimate"]
    (place / "mine.txt").write_text("added by a person")
    code, _, err = symscale("tour", str(place))
    assert code == 2 and "name another folder" in err and (place / "mine.txt").exists()
