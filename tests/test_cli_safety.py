"""``symscale``: no output replaces what was read, and a place that cannot be written to is refused before the work."""

import json
from pathlib import Path

import pytest

from symbolic_scaling import cli

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
        ((*BACKTEST, "--plots", "new", "--report", "dir/../new"), "--plots writes there"),
        ((*BACKTEST, "--plots", "/proc/new"), "/proc"),
        ((*BACKTEST, "--report", "draft.tex"), "did not make"),
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
