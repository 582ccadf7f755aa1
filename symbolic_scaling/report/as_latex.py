r"""A page as LaTeX: a snippet to paste into an article, needing amsmath, and graphicx where there is a picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .. import escape
from .blocks import Block, Cell, Code, Formula, Heading, Link, Paragraph, Picture, Table
from .maths import Math, to_latex

__all__ = ["article", "render"]

_SECTIONS = ("section", "subsection", "subsubsection", "paragraph")
_LINE = 66  # letters of a cell that is not broken
_BROKEN = 33  # letters of a line in it
_PAGE = 36  # lines of a table; longer ones go on in another

_PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath}
\usepackage{graphicx}
\usepackage[margin=2.5cm]{geometry}
\setlength{\parindent}{0pt}
% tables and formulas that are wider than a line are made smaller
\newsavebox{\wide}
\newcommand{\fitted}{\resizebox{\ifdim\wd\wide>\linewidth\linewidth\else\wd\wide\fi}{!}{\usebox{\wide}}}
\let\plaintabular\tabular
\let\endplaintabular\endtabular
\renewenvironment{tabular}[1]{\begin{lrbox}{\wide}\plaintabular{#1}}{\endplaintabular\end{lrbox}\fitted}
\renewenvironment{equation*}{\par\medskip\begin{lrbox}{\wide}$\displaystyle}{$\end{lrbox}%
\centerline{\fitted}\medskip\par}
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
            return rf"\{_SECTIONS[min(level, len(_SECTIONS)) - 1]}*{{{escape.latex(text)}}}"
        case Paragraph(text):
            return escape.latex(text)
        case Formula(math):
            return f"\\begin{{equation*}}\n{to_latex(math)}\n\\end{{equation*}}"
        case Code(text):
            return escape.verbatim(text)
        case Picture(file, caption):
            shown = rf"\includegraphics[width=0.85\linewidth]{{{file}}}"
            return f"\\begin{{center}}\n{shown}\n\n\\small {escape.latex(caption)}\n\\end{{center}}"
        case Table(columns, rows):
            return "\n\n".join(_table(columns, part) for part in _parts(rows))


def _parts(rows: Sequence[Sequence[Cell]]) -> list[list[Sequence[Cell]]]:
    """Rows in parts that fit a page."""
    parts: list[list[Sequence[Cell]]] = [[]]
    left = _PAGE
    for row in rows:
        lines = 1 + max((_width(cell) // _BROKEN for cell in row if not isinstance(cell, Math)), default=0)
        if lines > left and parts[-1]:
            parts.append([])
            left = _PAGE
        parts[-1].append(row)
        left -= lines
    return parts


def _table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    lines = [" & ".join(escape.latex(column) for column in columns) + r" \\ \hline"]
    lines += [" & ".join(_cell(cell) for cell in row) + r" \\" for row in rows]
    inside = "\n".join(lines)
    kinds = "".join(_kind([row[place] for row in rows]) for place in range(len(columns)))
    return f"\\begin{{tabular}}{{{kinds}}}\n{inside}\n\\end{{tabular}}"


def _kind(cells: Sequence[Cell]) -> str:
    """A column that breaks its lines where a text is long, wider where formulas stand in it too; they do not break."""
    if not any(isinstance(cell, str | Code) and _width(cell) > _LINE for cell in cells):
        return "l"
    return rf"p{{{0.65 if any(isinstance(cell, Math) for cell in cells) else 0.45}\linewidth}}"


def _width(cell: Cell) -> int:
    return len(cell.text if isinstance(cell, Code) else str(cell))


def _cell(cell: Cell) -> str:
    match cell:
        case Math():
            return f"${to_latex(cell)}$"
        case Code(text):
            shown = escape.latex(text)
            broken = shown if len(text) <= _LINE else re.sub(r"([*/=,;()+<-] ?)", r"\1\\allowbreak{}", shown)
            return rf"\texttt{{{broken}}}" if broken == shown else rf"{{\raggedright\texttt{{{broken}}}\par}}"
        case Link(text, _):
            return escape.latex(text)
        case tuple():
            return ", ".join(escape.latex(link.text) for link in cell)
    return escape.latex(cell)
