"""What leads to what in a book: papers by their arXiv number, laws and derivations by the papers they come from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..blocks import Link

if TYPE_CHECKING:
    from . import Contents

__all__ = ["numbers", "parts", "related"]

_ARXIV = re.compile(r"\d{4}\.\d{5}")


def numbers(text: str) -> tuple[str, ...]:
    """The arXiv numbers in a text, each once.

    Examples
    --------
    >>> numbers("Hoffmann et al. 2022, arXiv 2203.15556, equation (2)")
    ('2203.15556',)
    """
    return tuple(dict.fromkeys(_ARXIV.findall(text)))


def parts(book: Contents, up: str = "") -> Iterator[tuple[str, Link, str, tuple[str, ...]]]:
    """Kind, link, title and arXiv numbers of every page; ``up`` leads from a page to the top."""
    for law in book.laws:
        said = " ".join([law.source, *(known.source for known in law.published)])
        yield "law", Link(law.name, f"{up}laws/{law.name}.md"), law.title, numbers(said)
    for entry in book.entries:
        link = Link(entry.name, f"{up}derivations/{entry.name}.md")
        yield "derivation", link, entry.title.rstrip("."), numbers(entry.title)
    for paper in book.papers:
        sources = " ".join([paper.title, *(claim.source for claim, _ in paper.claims)])
        yield "paper", Link(paper.name, f"{up}papers/{paper.name}.md"), paper.title, numbers(sources)


def related(book: Contents, own: str, said: tuple[str, ...]) -> tuple[tuple[str, Link, str], ...]:
    """The other pages that name one of these arXiv numbers, as seen from a page one folder down."""
    return tuple(
        (kind, link, title)
        for kind, link, title, theirs in parts(book, "../")
        if link.text != own and {*said} & {*theirs}
    )
