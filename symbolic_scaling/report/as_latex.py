r"""A page as LaTeX: a snippet to paste into an article, needing amsmath, and graphicx where there is a picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .blocks import Block, Cell, Code, Formula, Heading, Link, Paragraph, Picture, Table
from .maths import Math, to_latex

__all__ = ["article", "render"]

_SECTIONS = ("section", "subsection", "subsubsection", "paragraph")
_LINE, _PAR = 60, r"p{0.35\linewidth}"  # letters of a cell that is not broken; the column of longer ones
_PAGE = 40  # rows of a table; longer ones go on in another
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{letter: rf"\{letter}" for letter in "&%$#_{}"},
}

_PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath}
\usepackage{graphicx}
\usepackage[margin=2.5cm]{geometry}
\setlength{\parindent}{0pt}
% tables that are wider than a line are made smaller
\newsavebox{\widetable}
\let\plaintabular\tabular
\let\endplaintabular\endtabular
\renewenvironment{tabular}[1]{\begin{lrbox}{\widetable}\plaintabular{#1}}{\endplaintabular\end{lrbox}%
\resizebox{\ifdim\wd\widetable>\linewidth\linewidth\else\wd\widetable\fi}{!}{\usebox{\widetable}}}
"""


def render(page: Iterable[Block]) -> str:
    r"""LaTeX that ends in one line break.

    Examples
    --------
    >>> print(render([Heading("Two"), Paragraph("100 % of x_k")]), end="")
    \section*{Two}
    <BLANKLINE>
    100 \% of x\_k
    """
    return "\n\n".join(_block(block) for block in page) + "\n"


def article(page: Iterable[Block]) -> str:
    r"""A document that compiles on its own.

    Examples
    --------
    >>> article([Heading("Two")]).splitlines()[0]
    '\\documentclass{article}'
    """
    return f"{_PREAMBLE}\\begin{{document}}\n\n{render(page)}\n\\end{{document}}\n"


def _block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return rf"\{_SECTIONS[min(level, len(_SECTIONS)) - 1]}*{{{_escape(text)}}}"
        case Paragraph(text):
            return _escape(text)
        case Formula(math):
            return f"\\begin{{equation*}}\n{to_latex(math)}\n\\end{{equation*}}"
        case Code(text):
            return f"\\begin{{verbatim}}\n{text}\n\\end{{verbatim}}"
        case Picture(file, caption):
            shown = rf"\includegraphics[width=0.85\linewidth]{{{file}}}"
            return f"\\begin{{center}}\n{shown}\n\n\\small {_escape(caption)}\n\\end{{center}}"
        case Table(columns, rows):
            parts = [rows[start : start + _PAGE] for start in range(0, len(rows), _PAGE)] or [()]
            return "\n\n".join(_table(columns, part) for part in parts)


def _table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    lines = [" & ".join(_escape(column) for column in columns) + r" \\ \hline"]
    lines += [" & ".join(_cell(cell) for cell in row) + r" \\" for row in rows]
    inside = "\n".join(lines)
    wide = [any(isinstance(row[k], str | Code) and _width(row[k]) > _LINE for row in rows) for k in range(len(columns))]
    kinds = "".join(_PAR if each else "l" for each in wide)
    return f"\\begin{{tabular}}{{{kinds}}}\n{inside}\n\\end{{tabular}}"


def _width(cell: Cell) -> int:
    return len(cell.text if isinstance(cell, Code) else str(cell))


def _cell(cell: Cell) -> str:
    match cell:
        case Math():
            return f"${to_latex(cell)}$"
        case Code(text):
            broken = (
                _escape(text)
                if len(text) <= _LINE
                else re.sub(r"([*/=,;] ?| [-+<] )", r"\1\\allowbreak{}", _escape(text))
            )
            return rf"\texttt{{{broken}}}"
        case Link(text, _):
            return _escape(text)
        case tuple():
            return ", ".join(_escape(link.text) for link in cell)
    return _escape(cell)


def _escape(text: str) -> str:
    return "".join(_SPECIAL.get(letter, letter) for letter in text)
