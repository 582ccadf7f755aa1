"""``symscale``: no option loses a value or is given in vain; a standard output that takes nothing ends it well."""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from symbolic_scaling import cli
from symbolic_scaling.cli import _pool
from symbolic_scaling.cli._command import Command, Option
from symbolic_scaling.errors import ScalingError


def leaves(command: click.Command, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command that takes options, with the words that call it."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from leaves(found, *path, name)


COMMANDS = dict(leaves(cli._symscale))
OPTIONS = [
    pytest.param(path, option, id=f"{' '.join(path)} {option.opts[0]}")
    for path, command in COMMANDS.items()
    for option in command.params
    if isinstance(option, click.Option)
]


def value(option: click.Option, which: int) -> str:
    """A value that the option reads, another one for another ``which``."""
    if isinstance(option.type, click.Choice):
        return str(option.type.choices[which % len(option.type.choices)])
    return {"float": "0.5", "integer range": "20", "integer": "3"}.get(option.type.name, f"p{which}=1")


def test_every_command_looks_after_its_options() -> None:
    assert len(COMMANDS) > 20 and all(isinstance(command, Command) for command in COMMANDS.values())


@pytest.mark.parametrize(("path", "option"), OPTIONS)
def test_an_option_given_twice_gathers_or_is_refused(path: tuple[str, ...], option: click.Option) -> None:
    command = COMMANDS[path]
    for spelling, again in itertools.product(option.opts, repeat=2):
        given = [spelling, again] if option.is_flag else [spelling, value(option, 0), again, value(option, 1)]
        context = click.Context(command, info_name=path[-1], resilient_parsing=True)
        if option.is_flag or option.multiple:
            command.parse_args(context, list(given))
            kept = context.params[option.name]
            assert option.is_flag or all(each in "".join(kept) for each in given[1::2]), kept
        else:
            with pytest.raises(ScalingError, match="is given 2 times"):
                command.parse_args(context, list(given))


def test_help_is_near(symscale) -> None:
    for alone, asked in (((), ("-h",)), (("plan",), ("plan", "--help"))):
        code, out, err = symscale(*alone)
        assert code == 0 and err == "" and symscale(*asked) == (0, out, "") and "Commands:" in out
    assert symscale("fit", "-h") == symscale("fit", "--help")
    for wrong, near in ((("derve",), "derive"), (("plan", "alocate"), "allocate"), (("fit", "--lwa"), "--law")):
        code, out, err = symscale(*wrong)
        assert code == 2 and out == "" and near in err.split("No such")[1]


@pytest.fixture
def runs(tmp_path: Path) -> str:
    path = tmp_path / "runs.csv"
    rows = ((task, seed, x) for task in "ab" for seed in (1, 2) for x in (1e4, 1e5, 1e6, 1e7))
    path.write_text(
        "task,seed,x,y\n" + "".join(f"{task},{seed},{x},{1.7 + seed * 40 * x**-0.4:.9f}\n" for task, seed, x in rows)
    )
    return str(path)


def test_what_an_option_needs_and_excludes_are_options_of_its_command() -> None:
    for path, option in (given.values for given in OPTIONS):
        if isinstance(option, Option):
            named = {each.name: each for each in COMMANDS[path].params}
            assert {*option.needs, *option.without} <= set(named) - {option.name}, (path, option.name)
            for name, values in option.needs.items():
                assert not values or set(values) <= set(named[name].type.choices)


FIT = ("--law", "m2", "--x", "x=x", "--y", "y")


def test_repeated_filters_all_hold_and_repeated_groups_add_up(answer, runs: str) -> None:
    (fit,) = answer("fit", runs, *FIT, "--where", "task = 'a' or x > 1e6", "--where", "seed = 2")["fits"]
    assert len(fit["rows_used"]) == 5
    fits = answer("fit", runs, *FIT, "--by", "task", "--by", "seed,task")["fits"]
    assert [tuple(fit["by"]) for fit in fits] == [("task", "seed")] * 4


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("digits", "chinchilla", "--compute", "0"), "above 0"),
        (("digits", "chinchilla", "--compute", "-1"), "above 0"),
        *(((name, "RUNS", "--x", "x=y", "--y", "y"), "is the input x") for name in ("best", "check", "backtest")),
        *(((name, "RUNS", "--x", "x", "--y", "x"), "is the input x") for name in ("best", "check", "backtest")),
        (("fit", "RUNS", "--law", "m2", "--x", "x=y", "--y", "y"), "is the input x"),
        (("structure", "RUNS", "--x", "x=y", "--y", "y"), "is the input x"),
        (("derive", "chinchilla", "inverse", "--in", "N", "--given", "N > N"), "never holds"),
        (("derive", "chinchilla", "inverse", "--in", "N", "--given", "N > N + 1"), "never holds"),
        (("verify", "a < b", "--symbols", "a b positive", "--given", "a*(a + 1) > a^2 + a"), "never holds"),
        (("fit", "n" * 300, "--law", "m2", "--x", "x", "--y", "y"), "too long"),
        (("verify", "n" * 300), "not declared"),
        (("export", "n" * 300, "--to", "c", "-o", "new.c"), "name a law"),
        (("check", "/dev/zero"), "device"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, tuple) else "",
)
def test_what_cannot_be_meant_is_refused(answer, runs: str, arguments, word: str) -> None:
    error = answer(*(runs if each == "RUNS" else each for each in arguments), code=2)["error"]
    assert word in " ".join(error.values()), error


IN_VAIN = [
    ("fit", "RUNS", *FIT, "--delta", "0.1"),
    ("fit", "RUNS", *FIT, "--share", "c"),
    ("fit", "RUNS", *FIT, "--by", "task", "--share", "c", "--jobs", "2"),
    *(("fit", "RUNS", *FIT, *given) for given in (("--level", "90%"), ("--seed", "1"), ("--bootstrap", "50"))),
    ("fit", "RUNS", *FIT, "--intervals", "delta", "--at", "x=1e9"),
    ("check", "RUNS", "--law", "m2"),
    ("backtest", "RUNS", "--x", "x", "--y", "y", "--plots", "a", "--report", "b"),
    ("catalogue", "--report", "page.md"),
    ("derive", "m1", "gradient", "--latex"),
    ("derive", "chinchilla", "gradient", "--variables", "N"),
    ("show", "chinchilla", "--variables", "N"),
    ("export", "m4-expansion", "--to", "c", "-o", "new.c", "--variables", "N"),
    ("verify", "claims.toml", "--at", "0"),
    ("verify", "claims.toml", "--latex"),
    ("plan", "allocate", "--law", "chinchilla", "--compute", "1e24", "--intervals", "nosuch"),
    ("plan", "allocate", "--law", "chinchilla", "--compute", "1e24", "--utilisation", "40%"),
    ("plan", "allocate", "--law", "chinchilla", "--run", "N=7B,D=2T", "--shape", "layers=80"),
    ("plan", "active", "--law", "chinchilla", "--at", "N=1e9,D=1e11", "--lines", "3"),
    ("plan", "sovit", "--shape", "width=608,depth=10,mlp=928", "--examples", "1B"),
    ("plan", "compare", "besiroglu2024,hoffmann2022", "--intervals", "delta"),
    ("plan", "breaks", "--law", "m2", "--constants", "c=2", "--constants", "c=3"),
    ("report", "m1", "-o", "new.md", "--only", "m1"),
]


@pytest.mark.parametrize("arguments", IN_VAIN, ids=" ".join)
def test_an_option_in_vain_is_refused(answer, runs: str, arguments) -> None:
    error = answer(*(runs if each == "RUNS" else each for each in arguments), code=2)["error"]
    assert (error["kind"] == "ScalingError" and "leave" in error["remedy"]) or "once" in error["remedy"], error


# ---------------------------------------------------------------- outputs


def run(line: str, **environment: str) -> tuple[int, str, str]:
    """A line of the shell, in which ``symscale`` is the command."""
    line = line.replace("symscale", f"{sys.executable} -m symbolic_scaling")
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("what", ["show m1", "show m1 --json", "show nosuch --json", "--help", "show --help"])
def test_nobody_reads_the_output(what: str) -> None:
    assert run(f"symscale {what} | true") == (141, "", "")


@pytest.mark.parametrize("what", ["show m1", "show m1 --json", "show nosuch --json"])
@pytest.mark.parametrize("place", ["> /dev/full", ">&-"])
def test_an_output_that_is_full_or_closed_is_said(what: str, place: str) -> None:
    code, out, err = run(f"symscale {what} {place}")
    assert code == 2 and out == "" and err.startswith("symscale: ") and err.count("\n") == 1


def test_an_output_without_errors_says_its_answer() -> None:
    code, out, _ = run("symscale show m1 2>&-")
    assert code == 0 and "M1" in out
    assert run("symscale show nosuch 2>&-") == (2, "", "")


def test_letters_that_an_encoding_lacks_are_escaped(tmp_path: Path) -> None:
    draft = tmp_path / "dräft.tex"
    draft.write_text(r"\begin{equation} a = b \end{equation}")
    code, out, err = run(f"symscale claims '{draft}' --json", PYTHONIOENCODING="ascii")
    assert code == 0 and err == "" and "dräft" in json.dumps(json.loads(out), ensure_ascii=False)
    code, out, err = run(f"symscale claims '{draft}'", PYTHONIOENCODING="ascii")
    assert code == 0 and err == "" and "dr\\u00e4ft" in out


def test_a_pipe_without_a_writer_is_said(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "runs.csv")
    command = [sys.executable, "-m", "symbolic_scaling", "check", "runs.csv"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as waits:
        assert waits.stderr is not None and "runs.csv is a pipe" in waits.stderr.readline()
        waits.send_signal(2)
        assert waits.wait(30) == 3


def test_processes_are_no_more_than_the_work(answer, runs: str, monkeypatch) -> None:
    def started(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(_pool, "ProcessPoolExecutor", started)
    (fit,) = answer("fit", runs, *FIT, "--where", "seed = 1", "--jobs", "9999")["fits"]
    assert fit["outcome"] == "OPTIMUM_REACHED"
