"""The indices of a book: its contents with verdicts, what each symbol means where, and what comes from which paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...catalogue import Entry, Paper
from ...law import Law
from .. import of_catalogue, provenance
from ..blocks import Block, Cell, Heading, Link, Paragraph, Table
from ..maths import Math
from ..of_law import names_of
from .links import parts
from .pages import Judged

if TYPE_CHECKING:
    import sympy as sp

    from . import Contents

__all__ = ["by_source", "by_symbol", "contents"]


def contents(book: Contents, entries: Sequence[Judged], papers: Sequence[Judged], command: str) -> list[Block]:
    """Laws, derivations and papers with the count of their verdicts; the provenance at the end."""
    every = [verdict for judged in (*entries, *papers) for verdict, _ in judged]
    page: list[Block] = [
        Heading("Derivations of neural scaling laws"),
        Paragraph(
            f"{len(book.laws)} laws, {len(book.entries)} derivations and the statements of {len(book.papers)} papers, "
            f"every statement checked: {of_catalogue.tally(every)}."
        ),
        Table(
            ("index", "of"),
            (
                (Link("by symbol", "symbols.md"), "what every letter means, law by law"),
                (Link("by paper", "sources.md"), "what comes from which paper"),
            ),
        ),
    ]
    if book.laws:
        rows = [(Link(law.name, f"laws/{law.name}.md"), _form(law), law.title) for law in book.laws]
        page += [Heading("Laws", 2), Table(("law", "formula", "title"), tuple(rows))]
    listed: tuple[tuple[str, str, Sequence[Entry | Paper], Sequence[Judged]], ...] = (
        ("Derivations", "derivations", book.entries, entries),
        ("Papers", "papers", book.papers, papers),
    )
    for title, folder, some, judged in listed:
        if some:
            lines = tuple(
                (
                    Link(one.name, f"{folder}/{one.name}.md"),
                    one.title.rstrip("."),
                    of_catalogue.tally(v for v, _ in said),
                )
                for one, said in zip(some, judged, strict=True)
            )
            page += [Heading(title, 2), Table(("name", "title", "statements"), lines)]
    return [*page, *provenance.of_run(command)]


def by_symbol(book: Contents) -> list[Block]:
    """Every symbol of every law, laws that mean the same by it together, and what derivations find; by name."""
    rows: dict[tuple[str, str, str], tuple[Cell, ...]] = {}
    shared: dict[tuple[object, ...], tuple[str, str, str]] = {}
    for law in book.laws:
        page, names = Link(law.name, f"laws/{law.name}.md"), names_of(law)
        said = [(law.response, "response"), *((v, "input") for v in law.variables)]
        meanings = [(item.symbol, kind, item.doc, item.unit) for item, kind in said]
        meanings += [(item.symbol, "constant", item.doc, "") for item in law.parameters]
        meanings += [(cost.symbol, "cost", cost.convention, "") for cost in law.costs]
        for symbol, kind, doc, unit in meanings:
            place = shared.setdefault((symbol, kind, doc, unit), _place(symbol, f"0 {law.name}"))
            before = rows[place][2] if place in rows else ()
            assert isinstance(before, tuple)
            rows[place] = (Math(symbol, names=names), kind, (*before, page), doc, unit)
    for entry in book.entries:
        link = Link(entry.name, f"derivations/{entry.name}.md")
        for derivation in entry.derivations():
            symbols, names = derivation.law.symbols, names_of(derivation.law)
            for key in dict.fromkeys(key for key, _ in derivation.found if key in symbols):
                found = (Math(symbols[key], names=names), "found", link, derivation.title, "")
                rows[_place(symbols[key], f"1 {entry.name} {derivation.title}")] = found
    ordered = tuple(rows[key] for key in sorted(rows))
    return [Heading("By symbol"), Table(("symbol", "is", "in", "meaning", "unit"), ordered)]


def by_source(book: Contents) -> list[Block]:
    """Every arXiv number with the pages that rest on it."""
    found = [(number, kind, link, title) for kind, link, title, said in parts(book) for number in said]
    found.sort(key=lambda row: row[0])
    rows = tuple((Link(n, f"https://arxiv.org/abs/{n}"), kind, link, title) for n, kind, link, title in found)
    return [Heading("By paper"), Table(("arXiv", "page", "", "title"), rows)]


def _form(law: Law) -> Math:
    return Math(law.form, names=names_of(law))


def _place(symbol: sp.Symbol, where: str) -> tuple[str, str, str]:
    """Letters of either case together, then laws before derivations."""
    return symbol.name.lower(), symbol.name, where
