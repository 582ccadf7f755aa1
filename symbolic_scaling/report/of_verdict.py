"""Verdicts as a page and as JSON: the statement, what was decided, how, and the evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import sympy as sp

from ..notation import text as plain
from ..records import Asymptotic, Equal, Exists, Less, Number, Proportional, Statement, Status, Tends, Verdict
from .blocks import Block, Code, Heading, Paragraph, Table
from .maths import Math

__all__ = ["as_json", "blocks", "counts", "inputs", "sentence", "statement_math", "statement_text", "table"]


def blocks(verdicts: Iterable[Verdict]) -> tuple[Block, ...]:
    """The page of many verdicts: the counts, one row each, then the evidence of each."""
    answered = tuple(verdicts)
    page: list[Block] = [Heading("Verdicts"), Paragraph(counts(answered)), table(answered)]
    for verdict in answered:
        page += [Heading(verdict.claim.name, 2), Paragraph(sentence(verdict))]
        if verdict.claim.source:
            page.append(Paragraph(f"Source: {verdict.claim.source}."))
        page.append(Paragraph(f"{verdict.status.name}: {verdict.status.value}."))
        page += [Table(("evidence", "value"), verdict.evidence)] if verdict.evidence else []
    return tuple(page)


def sentence(verdict: Verdict) -> str:
    """The verdict in one line that can be quoted.

    Examples
    --------
    >>> from symbolic_scaling import verify
    >>> sentence(verify.claim("x^2 = x^(-2)", symbols="x positive"))
    'x^2 = x^(-2) is false as printed: at x = 3.280, left 10.76, right 0.09294; true if the ratio is inverted: ...'
    """
    evidence = dict(verdict.evidence)
    name = verdict.claim.name
    name = f"Eq. {name}" if re.fullmatch(r"\([\w.]+\)", name) else name
    match verdict.status:
        case Status.PROVED:
            return f"{name} is true: {verdict.method}."
        case Status.REFUTED:
            said = [f"{name} is false as printed", *_how_false(evidence, inputs(verdict.claim.statement))]
            return (
                f"{': '.join(said)}."
                if "true if" not in evidence
                else f"{': '.join(said)}; true if {evidence['true if']}."
            )
        case Status.CONSISTENT:
            return f"{name} agrees with the printed digits{_value(evidence, inputs(verdict.claim.statement))}."
        case Status.ROUNDING:
            value = _value(evidence, inputs(verdict.claim.statement))
            return f"{name} is off by rounding{value}; the last digits of the inputs could give it."
        case Status.SUPPORTED:
            return f"{name} is not proved: {verdict.method}."
    return f"{name} is not decided: {evidence.get('question') or verdict.method}."


def inputs(statement: Statement) -> str:
    """The printed inputs of a number: ``with alpha = 0.34, beta = 0.28``; nothing where there are none."""
    values = statement.values if isinstance(statement, Number) else ()
    return f"with {', '.join(f'{symbol} = {text}' for symbol, text in values)}" if values else ""


def _how_false(evidence: dict[str, str], given: str = "") -> list[str]:
    """Where both sides differ, or what is found instead."""
    if "point" in evidence and "left" in evidence:
        place = "" if evidence["point"] == "no symbols" else f"at {_rounded(evidence['point'])}, "
        return [f"{place}left {_rounded(evidence['left'])}, right {_rounded(evidence['right'])}"]
    if "value" in evidence and "wanted" in evidence:
        return [f"{given} the value is {_rounded(evidence['value'])}, wanted {evidence['wanted']}".lstrip()]
    place = f"at {_rounded(evidence['point'])}, " if "point" in evidence else ""
    found = next((evidence[key] for key in ("expansion", "instead") if key in evidence), "")
    return [place + found] if found else []


def _value(evidence: dict[str, str], given: str) -> str:
    if "value" not in evidence:
        return ""
    return f": {given} the value is {_rounded(evidence['value'])}, wanted {evidence['wanted']}".replace(":  ", ": ")


def _rounded(numbers: str) -> str:
    """Fractions, balls and long decimals to four digits; the evidence has them in full."""
    plain = re.sub(r"\[([^]\s]+) \+/- [^]]*\]", r"\1", numbers)
    return re.sub(r"(?<![\w.])-?\d+(?:/\d+|\.\d+)(?:e[+-]?\d+)?(?![\w.])", _four_digits, plain)


def _four_digits(found: re.Match[str]) -> str:
    top, _, bottom = found[0].partition("/")
    if bottom:
        return f"{int(top) / int(bottom):#.4g}"
    return top if len(top.lstrip("-0.").replace(".", "")) <= 4 else f"{float(top):#.4g}"


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


def statement_math(statement: Statement, names: Iterable[tuple[sp.Symbol, str]] = ()) -> Math | None:
    r"""The statement as a formula; None where it needs words. What both sides come out as stands alone.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> statement_math(Less(x, x + 1)).op
    '<'
    """
    known = tuple(names)
    match statement:
        case Equal(left, right):
            return Math(right, None if left == right else left, known)
        case Less(lesser, greater, strict):
            return Math(greater, lesser, known, "<" if strict else "<=")
        case Tends(expression, symbol, point, value):
            return Math(value, sp.Limit(expression, symbol, point, "+" if point == 0 else "-"), known)
        case Proportional(left, right, _):
            return Math(right, left, known, "prop")
        case Number(left, relation, right, printed):
            if right is not None:
                return Math(right, left, known, relation)
            digits = sp.Symbol(str(printed))
            return Math(digits, left, (*known, (digits, _printed(str(printed)))), relation)
    return None


def _printed(text: str) -> str:
    r"""A printed number in LaTeX: ``5e3`` is ``5 \times 10^{3}``."""
    digits, exponent, power = text.lower().partition("e")
    return rf"{digits} \times 10^{{{int(power)}}}" if exponent else text


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
