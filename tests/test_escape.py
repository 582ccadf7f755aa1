"""Hostile text in every target: it is shown, and tells a terminal, LaTeX, Markdown, HTML or a spreadsheet nothing."""

from __future__ import annotations

import copy
import csv
import io
import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from symbolic_scaling import escape, fit, laws
from symbolic_scaling.cli._terminal import draw
from symbolic_scaling.errors import DataError
from symbolic_scaling.report import as_latex, as_markdown, as_text
from symbolic_scaling.report.blocks import Code, Heading, Paragraph, Table

PARTS = [
    "\x1b[2J",
    "\x9b31m",
    "\r",
    "\n",
    "`",
    "```",
    "|",
    "$",
    "<script>",
    "</td>",
    "&lt;",
    r"\input{/etc/passwd}",
    "a",
]
PARTS += [
    r"\end{verbatim}",
    r"\\",
    "%",
    "#",
    "_",
    "^",
    "{",
    "}",
    "~",
    "[x](javascript:y)",
    "![",
    "*",
    "-",
    "1. ",
    "\u202e",
]
hostile = st.lists(st.sampled_from(PARTS), min_size=1, max_size=6).map("".join)
TARGETS = (Heading, Paragraph, Code, lambda text: Table((text, "b"), ((text, Code(text)),)))
pages = st.builds(lambda kind, text: [kind(text)], st.sampled_from(TARGETS), hostile)
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


@given(page=pages)
def test_no_control_character_reaches_a_terminal(page):
    assert not CONTROLS.search(as_text.render(page))
    screen = Console(file=io.StringIO(), color_system=None, width=200)
    draw(page, screen)
    assert not CONTROLS.search(screen.file.getvalue())


@given(page=pages)
def test_latex_runs_no_command_of_a_text(page):
    made = re.sub(r"\\begin\{verbatim\}\n.*?\n\\end\{verbatim\}", "", as_latex.render(page), flags=re.DOTALL)
    ours = r"section|text[a-z]+|begin|end|hline|linewidth|raggedright|par|allowbreak"
    left = re.sub(rf"\\(?:({ours})(?![a-z])|[&%$#_{{}}\\])", "", made)
    assert "\\" not in left and not re.search(r"[%$#^~]", left)
    depth = np.cumsum([{"{": 1, "}": -1}.get(letter, 0) for letter in re.sub(r"\\[{}\\]", "", made)])
    assert depth.min(initial=0) == 0 and depth[-1:].sum() == 0
    assert not CONTROLS.search(as_latex.render(page))


def bare(made: str) -> str:
    """Markdown without its code and its escaped characters."""
    made = re.sub(r"\\[!-/:-@\[-`{-~]", "e", re.sub(r"^(`{3,})\n.*?\n\1$", "", made, flags=re.DOTALL | re.MULTILINE))
    return re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", made)


@given(page=pages)
def test_markdown_is_no_html_formula_or_link(page):
    left = bare(as_markdown.render(page))
    assert not re.search(r"[<>$`\[\]*&~]", left)
    if isinstance(page[0], Table):
        rows = as_markdown.render(page).splitlines()
        assert len(rows) == 3
        assert all(len(re.findall(r"(?<!\\)\|", row)) == 3 for row in rows if "\\\\" not in row)
    else:
        assert isinstance(page[0], Code) or len(as_markdown.render(page).splitlines()) == 1


@given(text=st.text())
def test_code_of_markdown_ends_where_it_ends(text):
    made = escape.markdown_code(text)
    fence = re.match("`*", made).group()
    inside = made[len(fence) : -len(fence)]
    assert made.endswith(fence) and "\n" not in made
    assert all(len(run) != len(fence) for run in re.findall("`+", inside))


@given(
    text=st.sampled_from(["=", "+", "-", "@", "\t", "\r", " ="]).flatmap(lambda mark: hostile.map(lambda t: mark + t))
)
def test_no_cell_of_text_is_reckoned(text):
    assert escape.sheet(text) == f"'{text}"
    assert escape.sheet(-1.5) == -1.5 and escape.sheet("-1e-5") == "-1e-5" and escape.sheet("fine") == "fine"


def test_curves_with_hostile_names_are_written_as_text(tmp_path):
    names = ["=cmd()", "@x", "-2", "\x1b[31m"]
    x = np.tile([1.0, 10, 100, 1000], 4)
    runs = {"task": np.repeat(names, 4), "x": x, "y": 1 + x**-0.5}
    fit.many(runs, by="task", x="x", y="y", law=laws.get("m2")).write(tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        assert [row["task"] for row in csv.DictReader(file)] == ["'=cmd()", "'@x", "-2", "\x1b[31m"]


X = np.geomspace(1, 1e4, 8)
SAVED = json.loads(json.dumps(fit.store.to_dict(fit.curve(laws.get("m2"), X, 0.3 + X**-0.4))))


NAMES = [r"\input{/etc/passwd}", r"x$\write18{ls}$", "x}{", "}{", r"\def\x{y}", "x\ny", "$x$", "<script>", "x%", "^^5c"]


@pytest.mark.parametrize("latex", NAMES)
@pytest.mark.parametrize("at", [("response",), ("variables", 0), ("parameters", 1)])
def test_the_printed_name_of_a_saved_law_is_a_name(latex, at, tmp_path):
    edited = copy.deepcopy(SAVED)
    item = edited["law"]
    for key in at:
        item = item[key]
    item["latex"] = latex
    (tmp_path / "fit.json").write_text(json.dumps(edited))
    with pytest.raises(DataError, match="is not how a symbol is written"):
        fit.load(tmp_path / "fit.json")
