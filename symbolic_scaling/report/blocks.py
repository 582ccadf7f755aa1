"""The document model: a page is a tuple of headings, paragraphs, formulas, tables and pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from .maths import Math

__all__ = ["Block", "Cell", "Code", "Formula", "Heading", "Link", "Paragraph", "Picture", "Table"]


@dataclass(frozen=True)
class Code:
    """Text to be copied as it stands, in a cell or on its own: a statement, a file name, a command."""

    text: str


@dataclass(frozen=True)
class Link:
    """Text that leads to another page; where pages have no links, the text."""

    text: str
    target: str


Cell: TypeAlias = str | Math | Code | Link | tuple[Link, ...]


@dataclass(frozen=True)
class Heading:
    """A title; level 1 is the page's."""

    text: str
    level: int = 1


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True)
class Formula:
    """A displayed equation."""

    math: Math


@dataclass(frozen=True)
class Table:
    """Rows of text or mathematics under named columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Picture:
    """A plot that lies beside the page."""

    file: str
    caption: str


Block: TypeAlias = Heading | Paragraph | Formula | Table | Picture | Code
