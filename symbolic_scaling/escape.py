r"""Text from outside, as each target shows it: it tells a terminal, LaTeX, Markdown or a spreadsheet to do nothing.

Control characters, and those that only order other characters (U+202A and the like), are shown by number.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["latex", "markdown", "markdown_block", "markdown_code", "sheet", "terminal", "verbatim"]

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_ACTIVE = re.compile(r"([\\`*_|<>\[\]$~&])")
_OPENING = re.compile(r"^(#{1,6}(?!\S)|[+-](?!\S)|-{3,}|\d+[.)](?!\S))")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{letter: rf"\{letter}" for letter in "&%$#_{}"},
}


def terminal(text: str) -> str:
    r"""Text without control characters; line breaks and tabs stay.

    Examples
    --------
    >>> print(terminal("\x1b[31mred"))
    \x1b[31mred
    """
    return _CONTROL.sub(lambda found: found.group().encode("unicode_escape", "surrogatepass").decode(), text)


def latex(text: str) -> str:
    r"""Running text of LaTeX.

    Examples
    --------
    >>> print(latex(r"100 % \input{x}"))
    100 \% \textbackslash{}input\{x\}
    """
    return "".join(_LATEX.get(letter, letter) for letter in terminal(text))


def verbatim(text: str) -> str:
    r"""Text on lines of its own in LaTeX; where it would end its surroundings, as running text."""
    text = terminal(text)
    if r"\end{verbatim}" not in text:
        return f"\\begin{{verbatim}}\n{text}\n\\end{{verbatim}}"
    return "\\\\\n".join(rf"\texttt{{{latex(line)}}}" for line in text.split("\n"))


def markdown(text: str) -> str:
    r"""Text of Markdown, in one line, without HTML, links, formulas and lists.

    Examples
    --------
    >>> print(markdown("# a*b <script>"))
    \# a\*b \<script\>
    """
    return _OPENING.sub(_quoted, _ACTIVE.sub(r"\\\1", " ".join(terminal(text).split())))


def _quoted(found: re.Match[str]) -> str:
    """The mark of a heading, list or rule, with a backslash before its last letter."""
    return f"{found.group()[:-1]}\\{found.group()[-1]}"


def markdown_code(text: str) -> str:
    """Code in a line of Markdown, between more backticks than stand in it.

    Examples
    --------
    >>> markdown_code("a`b"), markdown_code("N**2")
    ('``a`b``', '`N**2`')
    """
    text = " ".join(terminal(text).split())
    if not text:
        return ""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    edge = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{edge}{text}{edge}{fence}".replace("|", r"\|")


def markdown_block(text: str) -> str:
    """Code on lines of its own in Markdown, between longer fences than stand in it."""
    text = terminal(text)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}\n{text}\n{fence}"


def sheet(cell: Any) -> Any:
    """A cell of comma-separated text; text that a spreadsheet would reckon gets an apostrophe before it.

    Examples
    --------
    >>> sheet("=1+1"), sheet("-0.5"), sheet("fine"), sheet(-0.5)
    ("'=1+1", '-0.5', 'fine', -0.5)
    """
    if not isinstance(cell, str) or not cell.lstrip(" ").startswith(_FORMULA):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell
