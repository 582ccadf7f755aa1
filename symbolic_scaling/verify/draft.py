r"""The displayed equations of a LaTeX draft, each with its label and its line.

Comments and verbatim text are left out, macros are put in, the rows of ``align`` and its like are taken apart; a row
that begins with a relation or an operator continues the one above. What stands between displays is kept as prose.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import ClaimError
from .macros import expand, macros

__all__ = ["Display", "Prose", "displays", "passages"]

_ROWS = frozenset({"align", "flalign", "alignat", "gather", "eqnarray"})
_INNER = re.compile(
    r"(?:\s|\\label\s*\{[^{}]*\})*(?:\\left\s*(?:\\\{|\.))?\s*\\begin\s*\{(aligned|split|gathered|alignedat|cases)\}(?:\{\d+\})?"
    r"(.*)\\end\s*\{\1\}\s*(?:\\right\s*(?:\\\}|\.))?(?:[\s.,;]|\\label\s*\{[^{}]*\})*",
    re.DOTALL,
)
_DISPLAYS = _ROWS | {"equation", "multline", "displaymath"}
_VERBATIM = frozenset({"verbatim", "lstlisting", "comment"})
_SCAN = re.compile(r"\\begin\s*\{([a-z]+\*?)\}|\\end\s*\{([a-z]+\*?)\}|(%[^\n]*)|(\$\$|\\[\[\]])|\\.", re.DOTALL)
_ROW = re.compile(r"\\begin\{[^{}]*\}|\\end\{[^{}]*\}|\\\\\*?(?:\[\s*-?[\d.]+\s*[a-z]{2}\s*\])?|\\.|[{}]", re.DOTALL)
_CELL = re.compile(r"\\begin\{[^{}]*\}|\\end\{[^{}]*\}|\\.|[{}&]", re.DOTALL)
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_UNSEEN = re.compile(r"\\(?:label|tag\*?)\s*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])")
_TAG = re.compile(r"\\tag\*?\s*\{([^{}]*)\}")
_RELATION = (
    r"(?:[=<>]|\\(?:le|ge|leq|geq|leqslant|geqslant|approx|sim|simeq|propto|equiv|lesssim|gtrsim|asymp|coloneqq|triangleq)"
    r"(?![A-Za-z]))"
)
_BEGINS = re.compile(rf"(?:[\s&]|\\q?quad(?![A-Za-z]))*(?:{_RELATION}|[*/]|\\(?:times|cdot)(?![A-Za-z]))")
_NEAR = 2_000


class Display(NamedTuple):
    """One row of a display: its label, where it begins (a line, counted from 1) and its LaTeX."""

    label: str
    line: int
    latex: str


class Prose(NamedTuple):
    """What stands before, between and behind displays: the line on which it begins and its LaTeX."""

    line: int
    latex: str


def displays(text: str) -> list[Display]:
    r"""The rows of the displayed equations of a draft, in order.

    Raises
    ------
    ClaimError
        If a display is not closed.

    Examples
    --------
    >>> displays("Loss\n\\begin{align}\n a &= b \\label{eq:one} \\\\ % note\n &+ c \\\\ d &= e\n\\end{align}")
    [Display(label='eq:one', line=3, latex='a &= b &+ c'), Display(label='', line=4, latex='d &= e')]
    """
    return [passage for passage in passages(text) if isinstance(passage, Display)]


def passages(text: str) -> list[Display | Prose]:
    r"""The displays of a draft and the prose around them, in order.

    Raises
    ------
    ClaimError
        If a display is not closed.

    Examples
    --------
    >>> passages("where $a = b$\n\\[ c = a \\]")
    [Prose(line=1, latex='where $a = b$\n'), Display(label='', line=2, latex='c = a'), Prose(line=2, latex='')]
    """
    shown = _without_comments(text)
    known = macros(shown)
    found: list[Display | Prose] = []
    breaks = [match.start() for match in re.finditer("\n", shown)]
    begin = done = max(shown.find(r"\begin{document}"), 0)
    for name, start, end in [*_blocks(shown, begin), ("", len(shown), len(shown))]:
        found.append(Prose(bisect_left(breaks, done) + 1, expand(_SCAN.sub(_plain, shown[done:start]), known)))
        for at, label, row in _displayed(shown, name, start, end):
            latex = expand(" ".join(_UNSEEN.sub(" ", row).split()), known).strip("& ")
            if latex.strip(" .,;&"):
                found.append(Display(label, bisect_left(breaks, at) + 1, latex))
        done = end
    return found


def _plain(found: re.Match[str]) -> str:
    """A mark of a display as nothing, everything else as it stands."""
    return "" if found[1] or found[2] or found[4] else found[0]


def _displayed(shown: str, name: str, start: int, end: int) -> Iterator[tuple[int, str, str]]:
    """The rows of one display, each with its place and label."""
    inner = _INNER.fullmatch(shown, start, end) if name not in _ROWS else None
    whole = _LABEL.search(shown, start, end) or _TAG.search(shown, start, end) if inner else None
    if inner and (inner[1] != "cases" or re.search(_RELATION, inner[2].partition("&")[0])):
        name, start, end = "align", *inner.span(2)
    body = shown[start:end]
    for at, row in _equations(body) if name in _ROWS else [(0, body)]:
        label = _LABEL.search(row) or _TAG.search(row) or whole
        yield start + at + len(row) - len(row.lstrip()), label[1] if label else "", row


def _without_comments(text: str) -> str:
    """The text with comments and verbatim blanked, so that every place stays where it was."""
    parts: list[str] = []
    done = 0
    while (
        found := next((f for f in _SCAN.finditer(text, done) if f[3] or (f[1] or "").rstrip("*") in _VERBATIM), None)
    ) is not None:
        end = found.end()
        if not found[3]:
            close = text.find(rf"\end{{{found[1]}}}", end)
            end = len(text) if close < 0 else close
        parts += [text[done : found.start()], re.sub(r"[^\n]", " ", text[found.start() : end])]
        done = end
    return "".join([*parts, text[done:]])


def _blocks(text: str, start: int) -> Iterator[tuple[str, int, int]]:
    """Every display: the name of its environment, and its span."""
    opened: tuple[str, int] | None = None
    for found in _SCAN.finditer(text, start):
        sign = found[4] or found[1] or found[2] or ""
        if opened is None:
            if sign in ("$$", r"\[") or (found[1] or "").rstrip("*") in _DISPLAYS:
                opened = sign, found.end()
        elif sign == {r"\[": r"\]"}.get(opened[0], opened[0]) and not found[1]:
            yield opened[0].rstrip("*"), opened[1], found.start()
            opened = None
    if opened is not None:
        line = text.count("\n", 0, opened[1]) + 1
        raise ClaimError("read the draft", f"the display {opened[0]} is never closed", "close it", f"line {line}")


def _equations(body: str) -> list[tuple[int, str]]:
    """The equations of an ``align`` with their places: its rows, those that continue one above joined to it."""
    found: list[tuple[int, str]] = []
    for start, end in _rows(body):
        cells = [(start + at, cell) for at, cell in _cells(body[start:end])]
        if found and _continues(body[start:end]):
            found[-1] = found[-1][0], f"{found[-1][1]} {cells.pop(0)[1]}"
        found += cells
    return found


def _rows(body: str) -> Iterator[tuple[int, int]]:
    start = depth = 0
    for found in _ROW.finditer(body):
        depth += found[0] == "{" or found[0].startswith(r"\begin")
        depth -= found[0] == "}" or found[0].startswith(r"\end")
        if not depth and found[0].startswith("\\\\"):
            yield start, found.start()
            start = found.end()
    yield start, len(body)


def _cells(row: str) -> Iterator[tuple[int, str]]:
    """A row cut at every second ``&`` behind which a relation follows."""
    begin = depth = count = 0
    for found in _CELL.finditer(row):
        depth += found[0] == "{" or found[0].startswith(r"\begin")
        depth -= found[0] == "}" or found[0].startswith(r"\end")
        count += found[0] == "&" and not depth
        if count == 2 and re.search(_RELATION, row[found.end() : found.end() + _NEAR]):
            yield begin, row[begin : found.start()]
            begin, count = found.end(), 0
    yield begin, row[begin:]


def _continues(row: str) -> bool:
    """Whether a row begins with a relation or a factor's sign, or behind its ``&`` has no relation."""
    return bool(_BEGINS.match(row)) or (row.lstrip()[:1] in {"&", "+", "-"} and not re.search(_RELATION, row))
