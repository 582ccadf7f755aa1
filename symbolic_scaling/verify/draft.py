r"""The displayed equations of a LaTeX draft, each with its label and its line.

Comments and verbatim text are left out, macros without arguments are put in, the rows of ``align`` and its like are
taken apart; a row that begins with a relation or an operator continues the one above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import ClaimError

__all__ = ["Display", "displays"]

_ROWS = frozenset({"align", "flalign", "alignat", "gather", "eqnarray"})
_DISPLAYS = _ROWS | {"equation", "multline", "displaymath"}
_VERBATIM = frozenset({"verbatim", "lstlisting", "comment"})
_SCAN = re.compile(r"\\begin\s*\{([a-z]+\*?)\}|\\end\s*\{([a-z]+\*?)\}|(%[^\n]*)|(\$\$|\\[\[\]])|\\.", re.DOTALL)
_ROW = re.compile(r"\\begin\{[^{}]*\}|\\end\{[^{}]*\}|\\\\\*?(?:\[\s*-?[\d.]+\s*[a-z]{2}\s*\])?|\\.|[{}]", re.DOTALL)
_CELL = re.compile(r"\\begin\{[^{}]*\}|\\end\{[^{}]*\}|\\.|[{}&]", re.DOTALL)
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_UNSEEN = re.compile(r"\\(?:label|tag\*?)\s*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])")
_TAG = re.compile(r"\\tag\*?\s*\{([^{}]*)\}")
_RELATION = r"(?:[=<>]|\\(?:le|ge|leq|geq|leqslant|geqslant|approx|sim|simeq|propto|equiv|lesssim|gtrsim)(?![A-Za-z]))"
_BEGINS = re.compile(rf"(?:[\s&]|\\q?quad(?![A-Za-z]))*(?:{_RELATION}|[*/]|\\(?:times|cdot)(?![A-Za-z]))")
_MACRO = re.compile(
    r"\\(?:re)?newcommand\*?\s*(?:\{\s*(\\[A-Za-z]+)\s*\}|(\\[A-Za-z]+))\s*\{|\\def\s*(\\[A-Za-z]+)\s*\{"
)
_OPERATOR = re.compile(r"\\DeclareMathOperator\*?\s*\{\s*(\\[A-Za-z]+)\s*\}\s*\{([^{}]*)\}")
_ROUNDS = 5
_LONGEST = 10_000
_NEAR = 2_000


class Display(NamedTuple):
    """One row of a display: its label, where it begins (a line, counted from 1) and its LaTeX."""

    label: str
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
    shown = _without_comments(text)
    macros = dict(_macros(shown))
    found: list[Display] = []
    line, counted = 1, 0
    for name, start, end in _blocks(shown, max(shown.find(r"\begin{document}"), 0)):
        body = shown[start:end]
        for at, row in _equations(body) if name in _ROWS else [(0, body)]:
            label = _LABEL.search(row) or _TAG.search(row)
            place = start + at + len(row) - len(row.lstrip())
            latex = _expand(" ".join(_UNSEEN.sub(" ", row).split()), macros).strip("& ")
            line, counted = line + shown.count("\n", counted, place), place
            if latex.strip(" .,;&"):
                found.append(Display(label[1] if label else "", line, latex))
    return found


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


def _macros(text: str) -> Iterator[tuple[str, str]]:
    """The macros without arguments, with their bodies."""
    for found in _OPERATOR.finditer(text):
        yield found[1], rf"\operatorname{{{found[2]}}}"
    for found in _MACRO.finditer(text):
        depth, end = 1, found.end()
        while end < len(text) and depth and end - found.end() < 200:
            depth += (text[end] == "{") - (text[end] == "}")
            end += 1
        if not depth:
            yield found[1] or found[2] or found[3], text[found.end() : end - 1]


def _expand(latex: str, macros: dict[str, str]) -> str:
    """The LaTeX with its macros put in, as often as they stand in each other, up to a bound."""
    for _ in range(_ROUNDS):
        expanded = re.sub(r"\\[A-Za-z]+", lambda found: macros.get(found[0], found[0]), latex)
        if expanded == latex or len(expanded) > _LONGEST:
            return latex
        latex = expanded
    return latex
