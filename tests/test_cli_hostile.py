"""``symscale``: whatever is asked of a command, it answers, or refuses in words, within its budget.

Calls are drawn from the commands and options that there are: a sound call of each, spoiled in one or two places.
"""

import contextlib
import io
import json
import random
import time
import warnings
from pathlib import Path

import click
import pytest
from test_cli_options import COMMANDS

from symbolic_scaling import cli

SOUND = {
    ("tour",): ("tour",),
    ("laws",): (),
    ("show",): ("m2",),
    ("derive",): ("m2", "gradient"),
    ("verify",): ("a + a = 2*a", "--symbols", "a positive"),
    ("catalogue",): ("m4-expansion",),
    ("digits",): ("chinchilla",),
    ("claims",): ("draft.tex",),
    ("check",): ("runs.csv", "--x", "x", "--y", "y"),
    ("fit",): ("runs.csv", "--law", "m1", "--x", "x", "--y", "y"),
    ("structure",): ("runs.csv", "--x", "x", "--y", "y", "--law", "y = a*x^(-b)"),
    ("best",): ("runs.csv", "--law", "m1", "--x", "x", "--y", "y"),
    ("predict",): ("fit.json", "--x", "x=1e9"),
    ("plan", "allocate"): ("--law", "chinchilla", "--compute", "1e24"),
    ("plan", "invert"): ("--law", "chinchilla", "--target", "2"),
    ("plan", "compare"): ("besiroglu2024,hoffmann2022",),
    ("plan", "account"): ("--shape", "layers=8,width=512,heads=8,vocab=1000,context=128"),
    ("plan", "kaplan"): (),
    ("plan", "sovit"): ("--shape", "width=608,depth=10,mlp=928"),
    ("plan", "isoflop"): ("slice.csv", "--n", "x", "--compute", "z", "--y", "y"),
    ("plan", "breaks"): ("--law", "m2", "--constants", "beta=1,c=-0.5,eps_inf=0.1"),
    ("plan", "active"): ("--law", "chinchilla", "--at", "N=1e9,D=1e11"),
    ("plan", "turns"): ("--law", "chinchilla", "--in", "N", "--hold", "D=1e11"),
    ("plan", "spend"): ("--law", "chinchilla", "--budget", "1e21"),
    ("backtest",): ("runs.csv", "--law", "m1", "--x", "x", "--y", "y"),
    ("export",): ("m2", "--to", "python"),
    ("report",): ("m1",),
}
ODD = (
    *(
        "",
        " ",
        "0",
        "-1",
        "nan",
        "inf",
        "-inf",
        "oo",
        "1e999",
        "1e-999",
        "1,5",
        "x",
        "y",
        "x=y",
        "x=x,x=x",
        "N=0",
        "N=-1",
    ),
    *(
        "x=",
        "=",
        "N>N",
        "x > x",
        "a*",
        "((",
        "1/0",
        "log(0)",
        "'",
        "`x`",
        "nosuch",
        "n" * 300,
        "\u03b1",
        "\udcff",
        "[]",
    ),
    *("x" * 5000, "empty.csv", "binary.csv", "ragged.csv", "runs.csv", "fit.json", ".", "/dev/zero", "/proc/none/x"),
    *(
        "x=x,x=x",
        "[]",
        "c=0",
        "c=1:0",
        "c=oo:oo",
        "y=log(x)",
        "x < 0",
        "beta=1~0",
        "10**10",
        "1e1e1",
        "70B tokens",
        "\u221e",
        "--",
        "-",
    ),
)
CODES = {0, 1, 2, 3}
BUDGET = 5.0


def spoiled(command: click.Command, path: tuple[str, ...], draw: random.Random) -> list[str]:
    """A sound call of the command with one or two places spoiled."""
    given = list(SOUND[path])
    options = [each for each in command.params if isinstance(each, click.Option)]
    for _ in range(draw.choice((1, 1, 2))):
        way = draw.randrange(5)
        if way == 0 and given:
            given[draw.randrange(len(given))] = draw.choice(ODD)
        elif way == 1 and given:
            del given[draw.randrange(len(given))]
        elif way == 2:
            given += [f"--{draw.choice(('nosuch', 'jsn', 'X'))}", draw.choice(ODD)]
        else:
            option = draw.choice(options)
            value = draw.choice((*ODD, *getattr(option.type, "choices", ())))
            given += [draw.choice(option.opts), *(() if option.is_flag else (value,))] * draw.choice((1, 1, 2))
    if any("--budget" in each.opts for each in options) and path != ("plan", "spend") and "--budget" not in given:
        given += ["--budget", str(BUDGET)]
    return [*path, *given, *draw.choice(((), ("--json",)))]


@pytest.fixture
def place(tmp_path: Path, monkeypatch) -> Path:
    """A folder with the files that calls name."""
    monkeypatch.chdir(tmp_path)
    rows = [(x, 1.7 + 40 * x**-0.4, 6 * x) for x in (1e4, 1e5, 1e6, 1e7, 1e8)]
    Path("runs.csv").write_text("x,y,z\n" + "".join(f"{x},{y:.9f},{z}\n" for x, y, z in rows))
    Path("slice.csv").write_text("x,y,z\n1,3,1\n2,2,1\n4,1.5,1\n8,2.1,1\n16,3.2,1\n")
    Path("empty.csv").write_text("")
    Path("binary.csv").write_bytes(bytes(range(256)))
    Path("ragged.csv").write_text("x,y\n1,2,3\n4\n")
    Path("draft.tex").write_text(r"\begin{equation} L = E \end{equation}")
    run(["fit", "runs.csv", "--law", "m1", "--x", "x", "--y", "y", "--save", "fit.json"])
    return tmp_path


def run(arguments: list[str]) -> tuple[int, str, str]:
    """A command in this process: its exit code and what it printed."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as end:
        cli.main(arguments)
    return int(end.value.code or 0), out.getvalue(), err.getvalue()


def fault(arguments: list[str]) -> str:
    """What is wrong with how a command ended, or nothing."""
    began = time.process_time()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        code, out, err = run(arguments)
    spent = time.process_time() - began
    if code not in CODES or "Traceback" in err or "Traceback" in out:
        return f"ends with {code}: {err[-600:]}"
    if heard or "Warning" in err:
        return f"warns: {[str(each.message) for each in heard]} {err[-300:]}"
    if "--json" in arguments and "--help" not in arguments and "--version" not in arguments:
        try:
            value = json.loads(out)
        except ValueError:
            return f"prints no JSON: {out[:200]!r}"
        if code in (2,) and not ({"error"} <= set(value) and value["error"]["found"]):
            return f"ends with {code} and says no error"
    elif code == 2 and not err.strip():
        return "says nothing"
    if "--budget" in arguments and spent > 1.2 * BUDGET:
        return f"takes {spent:.1f} s of a budget of {BUDGET}"
    return ""


def calls(count: int, seed: int) -> list[list[str]]:
    """Spoiled calls, of every command in turn."""
    draw = random.Random(seed)
    paths = sorted(set(COMMANDS) & set(SOUND))
    return [spoiled(COMMANDS[paths[i % len(paths)]], paths[i % len(paths)], draw) for i in range(count)]


def test_every_command_is_called() -> None:
    assert set(SOUND) == set(COMMANDS)


@pytest.mark.parametrize("path", [path for path in sorted(SOUND) if path[0] in {"show", "derive", "plan", "digits"}])
def test_calls_are_sound_before_they_are_spoiled(place: Path, path: tuple[str, ...]) -> None:
    code, out, err = run([*path, *SOUND[path]])
    assert code in {0, 1}, out + err


def test_hostile_calls_are_answered_or_refused(place: Path) -> None:
    quick = [call for call in calls(200, 7) if call[0] not in {"tour", "best", "backtest", "structure", "catalogue"}]
    found = {" ".join(call): wrong for call in quick[:90] if (wrong := fault(call))}
    assert not found, found


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12])
def test_six_hundred_hostile_calls_are_answered_or_refused(place: Path, seed: int) -> None:
    found = {" ".join(call)[:300]: wrong for call in calls(648, seed) if (wrong := fault(call))}
    assert not found, json.dumps(found, indent=1)
