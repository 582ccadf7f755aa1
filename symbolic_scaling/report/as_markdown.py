"""A page as Markdown with LaTeX formulas between dollar signs, as GitHub and notebooks show it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .blocks import Block, Cell, Code, Formula, Heading, Link, Paragraph, Picture, Table
from .maths import Math, to_latex

__all__ = ["render"]


def render(page: Iterable[Block]) -> str:
    """Markdown that ends in one line break.

    Examples
    --------
    >>> print(render([Heading("Two"), Paragraph("a*b is not emphasis.")]), end="")
    # Two
    <BLANKLINE>
    a\\*b is not emphasis.
    """
    return "\n\n".join(_block(block) for block in page) + "\n"


def _block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {_escape(text)}"
        case Paragraph(text):
            return _escape(text)
        case Formula(math):
            return f"$$\n{to_latex(math)}\n$$"
        case Code(text):
            return f"```\n{text}\n```"
        case Picture(file, caption):
            return f"![{_escape(caption)}]({file})"
        case Table(columns, rows):
            lines = [columns, ("---",) * len(columns), *(tuple(_cell(cell) for cell in row) for row in rows)]
            return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(cell: Cell) -> str:
    match cell:
        case Math():
            return f"${to_latex(cell)}$".replace("|", r"\vert ")
        case Code(text):
            return f"`{text}`".replace("|", r"\|")
        case Link(text, target):
            return f"[{_escape(text)}]({target})"
        case tuple():
            return ", ".join(_cell(link) for link in cell)
    return _escape(cell)


def _escape(text: str) -> str:
    return re.sub(r"([\\`*_|<>\[\]$])", r"\\\1", " ".join(text.split()))
