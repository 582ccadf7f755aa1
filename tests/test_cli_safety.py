"""``symscale``: no output replaces what was read, and a place that cannot be written to is refused before the work."""

import contextlib
import errno
import json
import os
import signal
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path
from unittest.mock import Mock

import pytest

from symbolic_scaling import cli
from symbolic_scaling.cli import _pool
from symbolic_scaling.cli._interrupts import remembered

ROWS = "x,y\n" + "".join(f"{x},{1.7 + 400 * x**-0.4:.9f}\n" for x in (1e4, 1e5, 1e6, 1e7, 1e8))
DRAFT = r"\begin{equation} L = E + \frac{A}{N^\alpha} \end{equation}"


@pytest.fixture
def place(tmp_path: Path, monkeypatch) -> Path:
    """The current folder, with a table, a folder, a claims file and a draft."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dir").mkdir()
    (tmp_path / "runs.csv").write_text(ROWS)
    (tmp_path / "runs.png").hardlink_to("runs.csv")
    (tmp_path / "link.csv").symlink_to("runs.csv")
    (tmp_path / "claims.json").write_text(json.dumps({"claims": [{"id": "a", "kind": "equal", "statement": "1 = 1"}]}))
    (tmp_path / "draft.tex").write_text(DRAFT)
    return tmp_path


@pytest.fixture
def refused(capsys):
    """Run a command that must be refused with code 2 and no traceback; its error in one line."""

    def run(*arguments: str) -> str:
        with pytest.raises(SystemExit) as end:
            cli.main([*arguments, "--json"])
        out, err = capsys.readouterr()
        assert end.value.code == 2 and err == "", out + err
        error = json.loads(out)["error"]
        assert error["kind"] not in {"KeyError", "UsageError"} and error["remedy"], error
        return " ".join(error.values())

    return run


FIT = ("fit", "runs.csv", "--law", "m2", "--x", "x=x", "--y", "y")
BACKTEST = ("backtest", "runs.csv", "--law", "m2", "--x", "x=x", "--y", "y")


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--save", "runs.csv"), "input"),
        (("--save", "link.csv"), "input"),
        (("--save", "./dir/../runs.csv"), "input"),
        (("--plot", "runs.png"), "input"),
        (("--save", "same.png", "--plot", "./same.png"), "--save writes there"),
        (("--save", "nodir/fit.json"), "no folder nodir"),
        (("--save", "/proc/fit.json"), "/proc"),
        (("--save", "dir"), "folder"),
        (("--save", "/dev/null"), "regular"),
        (("--plot", "nodir/fit.png"), "no folder nodir"),
        (("--plot", "dir"), "folder"),
        (("--plot", "fit.xyz"), ".png, .pdf or .svg"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_fit_is_not_written_where_it_must_not_or_cannot(place: Path, refused, options, word: str) -> None:
    before = sorted(path.name for path in place.iterdir())
    assert word in refused(*FIT, *options)
    assert (place / "runs.csv").read_text() == ROWS
    assert sorted(path.name for path in place.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("verify", "claims.json", "--report", "claims.json"), "input"),
        (("verify", "1 = 1", "--report", "nodir/page.md"), "nodir"),
        ((*BACKTEST, "--plots", "."), "input"),
        ((*BACKTEST, "--plots", "new", "--report", "new"), "does not go with"),
        ((*BACKTEST, "--plots", "/proc/new"), "/proc"),
        (("backtest", "runs.csv", "--x", "x=x", "--y", "y", "--report", "draft.tex"), "did not make"),
        (("tour", "draft.tex"), "did not make"),
        (("claims", "draft.tex", "-o", "claims.json"), "it exists"),
        (("claims", "draft.tex", "-o", "nodir/claims.toml"), "nodir"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_no_command_writes_where_it_must_not_or_cannot(place: Path, refused, arguments, word: str) -> None:
    kept = {path: path.read_bytes() for path in place.iterdir() if path.is_file()}
    assert word in refused(*arguments)
    assert kept == {path: path.read_bytes() for path in place.iterdir() if path.is_file()}


@pytest.mark.parametrize(("ending", "start"), [(".png", b"\x89PNG"), (".pdf", b"%PDF"), (".SVG", b"<?xml")])
def test_a_plot_is_what_its_ending_says(place: Path, ending: str, start: bytes) -> None:
    pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    made = []
    for name in ("one", "two"):
        with pytest.raises(SystemExit) as end:
            cli.main([*FIT, "--plot", name + ending])
        assert not end.value.code
        made.append((place / (name + ending)).read_bytes())
    assert made[0].startswith(start) and made[0] == made[1]


@pytest.mark.parametrize(
    "content",
    ['{"format": "symbolic_scaling fit 1"}', '{"format": "symbolic_scaling fit 1", "law": 3}', "[]", "", "null"],
)
def test_what_is_no_fit_is_refused(place: Path, refused, content: str) -> None:
    (place / "fit.json").write_text(content)
    assert "load fit.json" in refused("predict", "fit.json", "--x", "x=1e9")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads the processes from /proc")
def test_an_interrupted_backtest_ends_with_its_workers(place: Path) -> None:
    grid = [10 ** (3 + point / 5) for point in range(30)]
    curves = "".join(f"{name},{x!r},{0.1 + (3 + name / 100) * x**-0.3!r}\n" for name in range(2000) for x in grid)
    (place / "many.csv").write_text("name,x,y\n" + curves)  # minutes of work, so that it is interrupted inside it
    asked = ("backtest", "many.csv", "--by", "name", "--x", "x=x", "--y", "y", "--workers", "2", "--json")
    run = subprocess.Popen(
        [sys.executable, "-m", "symbolic_scaling", *asked],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    group = []
    while len(group) < 3 and run.poll() is None:  # the command, its two workers and their resource tracker
        time.sleep(0.2)
        group = _children(run.pid)
    os.killpg(run.pid, signal.SIGINT)
    try:
        out, err = run.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)  # it must not spoil what runs beside it
        raise
    assert run.returncode == 3 and json.loads(out)["error"]["kind"] == "Interrupted", out + err
    assert "Traceback" not in err
    left, until = group, time.monotonic() + 20  # the resource tracker ends when it sees that the others have ended
    while left and time.monotonic() < until:
        left = [pid for pid in left if _lives(pid)]
        time.sleep(0.05)
    assert not left


def _children(pid: int) -> list[int]:
    return [int(child) for task in Path(f"/proc/{pid}/task").glob("*/children") for child in task.read_text().split()]


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_an_interrupt_that_became_another_error_is_an_interrupt(symscale, monkeypatch) -> None:
    """As NumPy's comparison of rows makes it one."""

    def compare(*given: object, **options: object) -> int:
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise TypeError("cannot compare")

    monkeypatch.setattr(cli._symscale, "main", compare)
    assert symscale("laws") == (3, "", "symscale: interrupted\n")


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)),
        ImportError("libblas.so: failed to map segment from shared object"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_want_of_memory_is_no_bug(symscale, monkeypatch, error) -> None:
    """Whether an array, the system or the loader of compiled code had too little of it."""
    monkeypatch.setattr(cli._symscale, "main", Mock(side_effect=error))
    code, out, err = symscale("laws")
    assert (code, out) == (3, "") and "the memory ran out" in err and "Traceback" not in err


@pytest.mark.parametrize("error", [OSError(errno.EIO, "no"), ImportError("no module"), ValueError("memory")], ids=repr)
def test_other_errors_are_not_taken_for_it(symscale, monkeypatch, error) -> None:
    monkeypatch.setattr(cli._symscale, "main", Mock(side_effect=error))
    code, _, err = symscale("laws")
    assert code == 2 and "this is a bug" in err


def test_what_ends_a_pool_is_told_though_no_thread_can_be_started(monkeypatch) -> None:
    monkeypatch.setattr(_pool, "_cores", lambda: 2)
    others = set(active_children())
    with pytest.raises(MemoryError), _pool.workers(2) as executor:
        assert executor is not None and executor.submit(abs, -1).result() == 1  # its own threads run
        monkeypatch.setattr(_pool.Thread, "start", Mock(side_effect=RuntimeError("can't start new thread")))
        raise MemoryError
    assert set(active_children()) <= others


def test_a_command_that_is_started_deaf_to_interrupts_stays_so() -> None:
    """As jobs in the background of a shell that is not interactive are: the keyboard is not theirs."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with remembered():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_tests_of_interrupts_hold_where_pytest_is_started_deaf_to_them() -> None:
    root = Path(__file__).parents[1]
    asked = ("-n0", "-q", f"{__file__}::{test_an_interrupt_that_became_another_error_is_an_interrupt.__name__}")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *asked, "symbolic_scaling/cli/_interrupts.py"],
        cwd=root,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0 and "2 passed" in run.stdout, run.stdout + run.stderr
