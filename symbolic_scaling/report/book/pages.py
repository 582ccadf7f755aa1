"""The pages of a book: a law, a derivation with its statements, a paper's statements; each leads to what is related."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...catalogue import Entry, Paper
from ...law import Law
from ...records import Status, Verdict
from .. import document
from .. import of_law as law_page
from ..blocks import Block, Heading, Link, Table
from .links import numbers, parts, related

if TYPE_CHECKING:
    from . import Contents

__all__ = ["of_entry", "of_law", "of_paper"]

Judged = Sequence[tuple[Verdict, Status]]


def of_law(law: Law, book: Contents) -> list[Block]:
    """The law, and the derivations that start from it."""
    said = numbers(" ".join([law.source, *(known.source for known in law.published)]))
    starts = {entry.name for entry in book.entries if entry.law == law.name}
    rows = [(kind, link, title) for kind, link, title, _ in parts(book, "../") if link.text in starts]
    rows += [row for row in related(book, law.name, said) if row not in rows]
    return [*law_page.blocks(law), *_see(rows)]


def of_entry(entry: Entry, judged: Judged, book: Contents) -> list[Block]:
    """The derivations of an entry, every statement with its verdict, its law and papers."""
    page = document.statements(entry.title, entry.derivations(), *_apart(judged))
    rows = [(kind, link, title) for kind, link, title, _ in parts(book, "../") if link.text == entry.law]
    rows += [row for row in related(book, entry.name, numbers(entry.title)) if row not in rows]
    return [*page, *_see(rows)]


def of_paper(paper: Paper, judged: Judged, book: Contents) -> list[Block]:
    """Every statement of a paper with its verdict, and the laws and derivations from it."""
    page = document.statements(paper.title, (), *_apart(judged))
    sources = " ".join([paper.title, *(claim.source for claim, _ in paper.claims)])
    return [*page, *_see(list(related(book, paper.name, numbers(sources))))]


def _apart(judged: Judged) -> tuple[tuple[Verdict, ...], tuple[Status, ...]]:
    return tuple(verdict for verdict, _ in judged), tuple(expected for _, expected in judged)


def _see(rows: list[tuple[str, Link, str]]) -> list[Block]:
    """What is related, and the way back."""
    back = [
        ("book", Link("index", "../index.md"), "all pages"),
        ("book", Link("symbols", "../symbols.md"), "by symbol"),
    ]
    return [Heading("See also", 2), Table(("page", "", "title"), (*rows, *back))]
