"""A page as plain text: underlined headings, indented formulas, columns padded to their widest cell."""

from __future__ import annotations

from collections.abc import Iterable

from ..escape import terminal
from .blocks import Block, Cell, Code, Formula, Heading, Link, Paragraph, Picture, Table
from .maths import Math, to_text

__all__ = ["cell_text", "render"]


def render(page: Iterable[Block]) -> str:
    """Plain text, every formula in the notation that the package reads back.

    Examples
    --------
    >>> print(render([Heading("Two"), Table(("n", "name"), (("1", "one"), ("2", "two")))]))
    Two
    ===
    <BLANKLINE>
    n  name
    -  ----
    1  one
    2  two
    """
    return "\n\n".join(terminal(_block(block)) for block in page)


def cell_text(cell: Cell) -> str:
    """What a cell shows in plain text."""
    match cell:
        case Math():
            return terminal(to_text(cell))
        case Code(text) | Link(text, _):
            return terminal(text)
        case tuple():
            return ", ".join(terminal(link.text) for link in cell)
    return terminal(cell)


def _block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{text}\n{('=' if level == 1 else '-') * len(text)}"
        case Paragraph(text):
            return text
        case Formula(math):
            return f"    {to_text(math)}"
        case Code(text):
            return "\n".join(f"    {line}" for line in text.splitlines())
        case Picture(file, caption):
            return f"{caption}: {file}"
        case Table(columns, rows):
            return _table([tuple(map(terminal, columns)), *(tuple(cell_text(cell) for cell in row) for row in rows)])


def _table(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [rows[0], tuple("-" * width for width in widths), *rows[1:]]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
