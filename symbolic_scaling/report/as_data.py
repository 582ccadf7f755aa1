"""A page as JSON: a list of blocks, formulas both as text that reads back and as LaTeX."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .blocks import Block, Cell, Code, Formula, Heading, Link, Paragraph, Picture, Table
from .maths import Math, to_latex, to_text
from .write import json_text

__all__ = ["render"]


def render(page: Iterable[Block]) -> str:
    """JSON that ends in one line break.

    Examples
    --------
    >>> "".join(render([Heading("Two"), Paragraph("x")]).split())
    '{"blocks":[{"heading":"Two","level":1},{"paragraph":"x"}]}'
    """
    return json_text({"blocks": [_block(block) for block in page]})


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Heading(text, level):
            return {"heading": text, "level": level}
        case Paragraph(text):
            return {"paragraph": text}
        case Formula(math):
            return _cell(math)
        case Code(text):
            return {"code": text}
        case Picture(file, caption):
            return {"picture": file, "caption": caption}
        case Table(columns, rows):
            return {"columns": list(columns), "rows": [[_cell(cell) for cell in row] for row in rows]}


def _cell(cell: Cell) -> Any:
    match cell:
        case Math():
            return {"formula": to_text(cell), "latex": to_latex(cell)}
        case Code(text):
            return text
        case Link(text, _):
            return text
        case tuple():
            return [link.text for link in cell]
    return cell
