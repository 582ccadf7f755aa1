"""A page as Markdown with LaTeX formulas between dollar signs, as GitHub and notebooks show it."""

from __future__ import annotations

from collections.abc import Iterable

from .. import escape
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
            return f"{'#' * level} {escape.markdown(text)}"
        case Paragraph(text):
            return escape.markdown(text)
        case Formula(math):
            return f"$$\n{to_latex(math)}\n$$"
        case Code(text):
            return escape.markdown_block(text)
        case Picture(file, caption):
            return f"![{escape.markdown(caption)}]({file})"
        case Table(columns, rows):
            shown = (tuple(_cell(cell) for cell in row) for row in (columns, *rows))
            lines = [next(shown), ("---",) * len(columns), *shown]
            return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(cell: Cell) -> str:
    match cell:
        case Math():
            return f"${to_latex(cell)}$".replace("|", r"\vert ")
        case Code(text):
            return escape.markdown_code(text)
        case Link(text, target):
            return f"[{escape.markdown(text)}]({target})"
        case tuple():
            return ", ".join(_cell(link) for link in cell)
    return escape.markdown(cell)
