"""A page on a terminal, with rich: bold headings, formulas indented, tables that wrap."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from ..escape import terminal
from ..report.as_text import cell_text
from ..report.blocks import Block, Code, Formula, Heading, Paragraph, Picture, Table
from ..report.maths import to_text

__all__ = ["draw"]

_COLOURS = {
    "PROVED": "green",
    "CONSISTENT": "green",
    "SUPPORTED": "yellow",
    "ROUNDING": "yellow",
    "UNDECIDED": "yellow",
    "REFUTED": "red",
}


def draw(page: Iterable[Block], console: Console | None = None) -> None:
    """Print the blocks to standard output."""
    screen = console or Console()
    for block in page:
        match block:
            case Heading(text, level):
                screen.print(Text(terminal(text), style="bold underline" if level == 1 else "bold"))
            case Paragraph(text):
                screen.print(Text(terminal(text)))
            case Formula(math):
                screen.print(Padding(Text(terminal(to_text(math)), style="cyan"), (0, 0, 0, 4)))
            case Code(text):
                screen.print(Padding(Text(terminal(text)), (0, 0, 0, 4)))
            case Picture(file, caption):
                screen.print(Text(terminal(f"{caption}: {file}")))
            case Table():
                screen.print(_table(block))
        screen.print()


def _table(block: Table) -> RichTable:
    made = RichTable(header_style="bold", box=None, pad_edge=False)
    for column in block.columns:
        made.add_column(Text(terminal(column)))
    for row in block.rows:
        shown = (cell_text(cell) for cell in row)
        made.add_row(*(Text(terminal(text), style=_COLOURS.get(text, "")) for text in shown))
    return made
