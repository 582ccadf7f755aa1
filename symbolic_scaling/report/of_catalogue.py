"""The statements of a paper or a derivation with their verdicts: what is proved, off by rounding, false."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..records import Status, Verdict
from .blocks import Block, Code, Heading, Paragraph, Table
from .of_verdict import as_json as verdict_json
from .of_verdict import sentence, statement_text

__all__ = ["as_json", "blocks", "contents", "tally"]

LONGEST = 90

_WORDS = {
    Status.PROVED: "proved",
    Status.CONSISTENT: "as printed",
    Status.ROUNDING: "off by rounding",
    Status.SUPPORTED: "not proved, no counterexample",
    Status.UNDECIDED: "not decided",
    Status.REFUTED: "false",
}


def blocks(title: str, verdicts: Sequence[Verdict], expected: Sequence[Status]) -> tuple[Block, ...]:
    """The page: the counts, one row a statement, then a line on each that is not as printed or not as expected."""
    rows = tuple((v.claim.name, _WORDS[v.status], Code(_short(statement_text(v.claim.statement)))) for v in verdicts)
    page: list[Block] = [Heading(title), Paragraph(tally(verdicts)), Table(("statement", "verdict", "says"), rows)]
    pairs = list(zip(verdicts, expected, strict=True))
    if told := [v for v in verdicts if v.status not in (Status.PROVED, Status.CONSISTENT)]:
        page += [Heading("Not as printed", 2), *(Paragraph(sentence(verdict)) for verdict in told)]
    if other := [(v, status) for v, status in pairs if v.status is not status]:
        said = (f"{v.claim.name}: {_WORDS[v.status]}, and the file says {_WORDS[status]}." for v, status in other)
        page += [Heading("Not as this catalogue states", 2), *(Paragraph(line) for line in said)]
    return tuple(page)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."


def tally(verdicts: Iterable[Verdict]) -> str:
    """How many of each kind.

    Examples
    --------
    >>> tally(())
    'no statements'
    """
    found = [verdict.status for verdict in verdicts]
    return ", ".join(f"{found.count(one)} {word}" for one, word in _WORDS.items() if one in found) or "no statements"


def contents(papers: Sequence[tuple[str, str, int]], derivations: Sequence[tuple[str, str, str]]) -> tuple[Block, ...]:
    """What there is: name, title and number of statements of papers; name, title and law of derivations."""
    return (
        Heading("Catalogue"),
        Heading("Papers", 2),
        Table(("paper", "statements", "title"), tuple((name, str(count), title) for name, title, count in papers)),
        Heading("Derivations", 2),
        Table(("derivation", "law", "title"), tuple((name, law, title) for name, title, law in derivations)),
    )


def as_json(verdicts: Sequence[Verdict], expected: Sequence[Status]) -> dict[str, Any]:
    """The object that ``symscale catalogue NAME --json`` prints."""
    pairs = zip(verdicts, expected, strict=True)
    rows = [
        {**verdict_json(v), "source": v.claim.source, "expected": status.name, "says": sentence(v)}
        for v, status in pairs
    ]
    return {"verdicts": rows}
