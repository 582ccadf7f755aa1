"""Verdicts as a page and as JSON: the statement, what was decided, how, and the evidence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..notation import text as plain
from ..records import Asymptotic, Equal, Exists, Less, Number, Proportional, Statement, Tends, Verdict
from .blocks import Block, Code, Heading, Paragraph, Table

__all__ = ["as_json", "blocks", "counts", "statement_text", "table"]


def blocks(verdicts: Iterable[Verdict]) -> tuple[Block, ...]:
    """The page of many verdicts: the counts, one row each, then the evidence of each."""
    answered = tuple(verdicts)
    page: list[Block] = [Heading("Verdicts"), Paragraph(counts(answered)), table(answered)]
    for verdict in answered:
        page.append(Heading(verdict.claim.name, 2))
        if verdict.claim.source:
            page.append(Paragraph(f"Source: {verdict.claim.source}."))
        page.append(Paragraph(f"{verdict.status.name}: {verdict.status.value}."))
        page += [Table(("evidence", "value"), verdict.evidence)] if verdict.evidence else []
    return tuple(page)


def table(verdicts: Iterable[Verdict]) -> Table:
    """One row a verdict: name, status, method, statement."""
    rows = tuple((v.claim.name, v.status.name, v.method, Code(statement_text(v.claim.statement))) for v in verdicts)
    return Table(("claim", "verdict", "method", "statement"), rows)


def counts(verdicts: Iterable[Verdict]) -> str:
    """How many of each status, in the order of the ladder.

    Examples
    --------
    >>> counts(())
    'no claims'
    """
    names = [verdict.status.name for verdict in verdicts]
    order = ("PROVED", "CONSISTENT", "ROUNDING", "SUPPORTED", "UNDECIDED", "REFUTED")
    return ", ".join(f"{names.count(name)} {name}" for name in order if name in names) or "no claims"


def as_json(verdict: Verdict) -> dict[str, Any]:
    """One entry of ``verdicts`` in every ``--json`` object."""
    evidence: dict[str, str] = {}
    for key, value in verdict.evidence:
        evidence[key] = f"{evidence[key]}; {value}" if key in evidence else value
    return {
        "id": verdict.claim.name,
        "statement": statement_text(verdict.claim.statement),
        "status": verdict.status.name,
        "method": verdict.method,
        "evidence": evidence,
        "seconds": round(verdict.seconds, 6),
    }


def statement_text(statement: Statement) -> str:
    """The statement in the notation that claims files use."""
    match statement:
        case Equal(left, right):
            return f"{plain(left)} = {plain(right)}"
        case Less(lesser, greater, strict):
            return f"{plain(lesser)} {'<' if strict else '<='} {plain(greater)}"
        case Tends(expression, symbol, point, value):
            return f"Limit({plain(expression)}, {symbol.name}, {plain(point)}) = {plain(value)}"
        case Asymptotic(left, right, symbol, point, order, bound):
            said = f"{plain(left)} = O({plain(right)})" if bound else f"{plain(left)} ~ {plain(right)}"
            return f"{said} as {symbol.name} -> {plain(point)}" + (f", to {order} terms" if order > 1 else "")
        case Proportional(left, right, symbol):
            return f"{plain(left)} prop {plain(right)} in {symbol.name}"
        case Exists(symbols, inner):
            return f"exists {', '.join(symbol.name for symbol in symbols)}: {statement_text(inner)}"
        case Number(left, relation, right, printed):
            return f"{plain(left)} {relation} {plain(right) if right is not None else printed}"
    raise AssertionError(statement)
