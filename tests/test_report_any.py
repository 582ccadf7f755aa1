"""Whatever a command prints with --json becomes a page in every format; plans read back as they were."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from symbolic_scaling import derive, fit, laws, plan, report, verify
from symbolic_scaling.cli import main
from symbolic_scaling.report import document, of_json, of_plan, write

CHINCHILLA = laws.get("chinchilla")
SETS = [plan.source(CHINCHILLA, name) for name in ("besiroglu2024", "hoffmann2022")]
PLANS = {
    "allocate": lambda: plan.allocate(SETS[0], "1e24"),
    "beyond floats": lambda: plan.allocate(SETS[0], "1e350"),
    "held": lambda: plan.invert(SETS[0], "1.9", held={"D": "oo"}),
    "compare": lambda: plan.compare(SETS, "1e24"),
    "shape": lambda: plan.image({"width": 1152, "depth": 27, "mlp": 4304}),
}

COMMANDS = {
    "laws": ("laws",),
    "show": ("show", "m4"),
    "verify": ("verify", "alpha < beta", "--symbols", "alpha beta positive"),
    "digits": ("digits", "chinchilla"),
    "catalogue": ("catalogue", "gadre2024"),
    "invert": ("plan", "invert", "--law", "chinchilla", "--target", "2.0"),
    "derive": ("derive", "m1", "inverse", "--in", "x"),
}
SAID = {
    "laws": "SoViT: one shape dimension against compute",
    "show": "how early the curve bends; 0 is M2",
    "verify": "ball arithmetic at an exact point",
    "digits": "92.6474",
    "catalogue": "over-training form",
    "invert": "1.5303169e+10",
    "derive": "From M1: power law",
}


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_reads_back_as_it_was(name: str) -> None:
    made = PLANS[name]()
    printed = json.loads(write.json_text(report.as_json(made)))
    assert of_plan.blocks(of_plan.from_json(printed)) == of_plan.blocks(made)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_result_becomes_a_page_in_every_format(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(*COMMANDS[name], "--json")
    saved = tmp_path / "result.json"
    saved.write_text(capsys.readouterr().out, encoding="utf-8")
    pages = {}
    for to in document.FORMATS:
        assert run("report", str(saved), "--to", to) == 0
        pages[to] = capsys.readouterr().out
    assert SAID[name] in pages["text"]
    blocks = json.loads(pages["json"])["blocks"]
    assert blocks[0]["level"] == 1 and len(blocks) > 2
    if shutil.which("pdflatex"):
        (tmp_path / "page.tex").write_text(pages["latex"], encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "page.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


def test_any_object_is_told() -> None:
    """Nothing that stands in the object is lost, however deep or odd it is."""
    deep: object = "bottom"
    for _ in range(200):
        deep = {"under": deep}
    odd = {"a": [1, 2.5, None], "rows": [{"x": 1, "y": {"lo": 1}}, {"x": 2, "z": "|<b>"}], "mixed": [1, {"k": [{}]}]}
    page = "\n".join(document.render(of_json.blocks({**odd, "deep": deep, "b": True}), to) for to in ("text", "latex"))
    for told in ("bottom", "2.5", "lo", "|<b>", "k", "yes"):
        assert told in page
    assert document.render(of_json.blocks({}), "text").splitlines()[-1] == "Nothing."


FAILED = {
    "a verdict of no": ("plan", "invert", "--law", "chinchilla", "--target", "1.0"),
    "usage": ("show",),
    "grammar": ("verify", "1 +"),
}
READERS = {
    "fit": ("predict", "{}", "--x", "N=1"),
    "plan": ("plan", "allocate", "--fit", "{}", "--compute", "1e21"),
    "numbers": ("plan", "turns", "--law", "m1", "--constants", "{}", "--in", "x"),
    "claims": ("verify", "{}"),
    "export": ("export", "{}", "--to", "c"),
    **{f"report {to}": ("report", "{}", "--to", to) for to in document.FORMATS},
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", FAILED)
def test_a_printed_error_is_no_result(
    name: str, reader: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(*FAILED[name], "--json")
    saved = tmp_path / "result.json"
    saved.write_text(capsys.readouterr().out, encoding="utf-8")
    error = json.loads(saved.read_text())["error"]
    assert run(*(word.format(saved) for word in READERS[reader])) == 2
    said = capsys.readouterr()
    assert said.out == "" and all(error[key] in said.err for key in ("asked", "found", "remedy"))


@pytest.mark.parametrize("text", ["[1]", "{", "1", '{"convention": 1, "budget": [], "allocation": {}}'])
def test_what_is_no_object_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    assert run("report", str(tmp_path / "a.json")) == 2
    assert "give" in capsys.readouterr().err


def test_notebooks_show_every_record_as_its_page() -> None:
    """What IPython's display looks for: Markdown, with formulas that are closed on the line that opens them."""
    law = laws.get("m1")
    found = fit.curve(law, [1e3, 1e4, 1e5, 1e6], [4.1, 2.0, 1.02, 0.49])
    verdict = verify.claim("x = x", symbols="x positive")
    shown = [law, derive.inverse(law, "x"), verdict, found, plan.allocate(SETS[0], "1e24")]
    for record in shown:
        page = record._repr_markdown_()
        assert page.startswith("# ") and page == report.markdown(record)
        assert page.count("$$") % 2 == 0


def test_an_edited_derivation_loses_its_verdicts(symscale, answer, tmp_path) -> None:
    printed = answer("derive", "chinchilla", "frontier")
    path = tmp_path / "frontier.json"
    path.write_text(json.dumps(printed))
    code, _, err = symscale("report", str(path), "-o", str(tmp_path / "whole.md"))
    assert code == 0, err
    whole = (tmp_path / "whole.md").read_text()
    assert "PROVED" in whole and "not as symscale derive printed it" not in whole
    for key, value in (("result", {**printed["result"], "N": "C"}), ("verdicts", printed["verdicts"][1:])):
        path.write_text(json.dumps({**printed, key: value}))
        out = tmp_path / f"{key}.md"
        assert symscale("report", str(path), "-o", str(out))[0] == 0
        assert "not as symscale derive printed it" in out.read_text() and "PROVED" not in out.read_text()
