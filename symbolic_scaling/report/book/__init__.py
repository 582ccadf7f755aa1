"""The derivation book: one linked folder of every law, derivation and catalogued claim with its verdict.

Pages: ``index.md``, ``laws/``, ``derivations/``, ``papers/``, an index by symbol and one by paper. The bytes are the
same for the same contents and verdicts, but for the provenance that ends ``index.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ... import catalogue, laws
from ...catalogue import Entry, Paper
from ...errors import ScalingError
from ...law import Law
from ...records import Claim, Status, Verdict
from ..as_markdown import render
from ..blocks import Block
from ..write import folder
from . import indices, pages

__all__ = ["Contents", "contents", "write"]


@dataclass(frozen=True)
class Contents:
    """What stands in a book, each part sorted by name.

    Parameters
    ----------
    laws : tuple of Law
    entries : tuple of Entry
        Derivations.
    papers : tuple of Paper
    """

    laws: tuple[Law, ...]
    entries: tuple[Entry, ...]
    papers: tuple[Paper, ...]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Every claim: those of the derivations, then those of the papers."""
        return tuple(claim for claims in self.stated for claim, _ in claims)

    @property
    def stated(self) -> tuple[tuple[tuple[Claim, Status], ...], ...]:
        """The claims of each derivation and each paper, with the verdict that each must get."""
        return tuple(part.claims() for part in self.entries) + tuple(part.claims for part in self.papers)


def contents(only: Iterable[str] = ()) -> Contents:
    """Everything there is, or the parts called ``only``: names of laws, derivations and papers.

    Raises
    ------
    ScalingError
        If there is no part of a name.

    Examples
    --------
    >>> some = contents(["chinchilla", "gadre2024"])
    >>> [law.name for law in some.laws], some.entries, [paper.name for paper in some.papers]
    (['chinchilla'], (), ['gadre2024'])
    """
    wanted = set(only)
    parts = laws.names(), catalogue.names(), catalogue.papers()
    if unknown := sorted(wanted - {name for names in parts for name in names}):
        remedy = "name laws (symscale laws), derivations and papers (symscale catalogue)"
        raise ScalingError("choose the parts of a book", f"no part {', '.join(unknown)}", remedy)
    chosen = [[name for name in sorted(names) if not wanted or name in wanted] for names in parts]
    return Contents(
        tuple(map(laws.get, chosen[0])), tuple(map(catalogue.get, chosen[1])), tuple(map(catalogue.paper, chosen[2]))
    )


def write(place: Path, book: Contents, verdicts: Sequence[Verdict], command: str = "") -> list[Path]:
    """Write the folder, whole or not at all.

    Parameters
    ----------
    place : Path
        A new folder, an empty one, or one that an earlier book left.
    book : Contents
    verdicts : sequence of Verdict
        On ``book.claims``, in that order.
    command : str
        What repeats it, for the provenance.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    ScalingError
        If something else stands at ``place``, or the verdicts are not those of the claims.
    """
    if [verdict.claim for verdict in verdicts] != list(book.claims):
        raise ScalingError("write a book", "the verdicts are not those of its claims", "judge book.claims in order")
    made = _pages(book, verdicts, command)

    def fill(root: Path) -> None:
        for name, page in made.items():
            path = root / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(render(page), encoding="utf-8")

    return folder(place, fill)


def _pages(book: Contents, verdicts: Sequence[Verdict], command: str) -> dict[str, list[Block]]:
    """File name -> page."""
    told = iter(verdicts)
    judged = [tuple((next(told), expected) for _, expected in claims) for claims in book.stated]
    split = len(book.entries)
    return {
        "index.md": indices.contents(book, judged[:split], judged[split:], command),
        "symbols.md": indices.by_symbol(book),
        "sources.md": indices.by_source(book),
        **{f"laws/{law.name}.md": pages.of_law(law, book) for law in book.laws},
        **{f"derivations/{e.name}.md": pages.of_entry(e, j, book) for e, j in zip(book.entries, judged, strict=False)},
        **{f"papers/{p.name}.md": pages.of_paper(p, j, book) for p, j in zip(book.papers, judged[split:], strict=True)},
    }
