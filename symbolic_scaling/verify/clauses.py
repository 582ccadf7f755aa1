r"""Cut a displayed row into clauses: what it states, what it defines, and the conditions under which.

Words in ``\text{}``, arrows of implication, commas and semicolons end a formula; a bracket that holds a relation behind
a formula, ``(x > 0)``, is a condition. Words never multiply.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from ..errors import ParseError
from ..notation.commands import RELATIONS
from ..notation.source import Source
from ..notation.tex import Tokens, scan

__all__ = ["ARROWS", "Clause", "clauses", "role", "sides"]

ARROWS = frozenset({r"\to", r"\rightarrow", r"\longrightarrow", r"\downarrow", r"\uparrow", r"\searrow", r"\nearrow"})
_TEXTS = frozenset({r"\text", r"\textrm", r"\textnormal", r"\textit", r"\textbf"})
_WORDS = {
    "where": "where with let denote define defining writing set setting put putting",
    "for": "for if when whenever provided assuming given subject s.t such on",
    "and": "and or hence thus so then but while i.e that is therefore because since",
    "as": "as",
}
_ROLES = {word: name for name, said in _WORDS.items() for word in said.split()}
_SIGNS = {
    **dict.fromkeys(
        (r"\implies", r"\Rightarrow", r"\Longrightarrow", r"\iff", r"\Leftrightarrow", r"\therefore"), "and"
    ),
    **dict.fromkeys((r"\Longleftrightarrow", r"\land", r"\wedge", ";", ":", ","), "and"),
    **dict.fromkeys((r"\forall", r"\because", r"\mid"), "for"),
}
_OPERATORS = frozenset({"+", "-", "*", "/", r"\cdot", r"\times", "(", "[", r"\{", r"\left", ","})
_OVER = re.compile(r"\\(?:stackrel|overset|underset)\s*\{((?:[^{}]|\{[^{}]*\})*)\}\s*\{([^{}]*)\}")
_LONG = re.compile(r"\\x(?:long)?rightarrow\s*(?:\[([^\[\]]*)\])?\s*\{([^{}]*)\}")
_MATH = re.compile(r"(\\text(?:rm|normal|it|bf)?\s*\{[^{}$]*)\$([^$]*)\$")


_OPENING = frozenset({"(", "[", "{", r"\{", r"\lbrace"})
_CLOSING = frozenset({")", "]", "}", r"\}", r"\rbrace"})


class Clause(NamedTuple):
    """A piece of a row and what introduces it: ``""``, ``and``, ``where``, ``for`` or ``as``."""

    role: str
    latex: str


def clauses(latex: str) -> list[Clause]:
    r"""The clauses of a row, in order; those without a formula are left out.

    Examples
    --------
    >>> clauses(r"N^\star = G C^a \text{ FLOPs}, \quad \text{where } a = \tfrac12 \text{ for } C > 0")
    [Clause(role='', latex='N^\\star = G C^a'), Clause(role='where', latex='a = \\tfrac12'), Clause(role='for', ...)]
    """
    latex = _plainly(latex)
    try:
        tex = scan(Source(latex, "read the LaTeX"))
    except ParseError:
        return [Clause("", latex)]
    made: list[Clause] = []
    begin, now = 0, ""
    for start, end, after, said in [*_cuts(tex), (len(tex.items), len(tex.items), len(tex.items), "")]:
        if text := _between(tex, begin, start):
            joins = made and tex.text(begin) in RELATIONS  # a word stood between a side and its relation
            made[-1:] = (
                [Clause(made[-1].role, f"{made[-1].latex} {text}")] if joins else [*made[-1:], Clause(now, text)]
            )
        if start < end and after > end:  # a condition in brackets
            made.append(Clause(said, _between(tex, start + 1, end)))
        begin, now = after, "and" if start < end else said
    return made


def sides(latex: str, signs: Collection[str]) -> tuple[str, str, str] | None:
    r"""What stands before and behind the first of these signs that is inside of no bracket, and the sign.

    Examples
    --------
    >>> sides(r"N_{opt}(C) := G C^a", RELATIONS)
    ('N_{opt}(C)', ':=', 'G C^a')
    """
    try:
        tex = scan(Source(latex, "read the LaTeX"))
    except ParseError:
        return None
    at = _relates(tex, 0, len(tex.items), signs)
    return None if at is None else (_between(tex, 0, at), tex.text(at), _between(tex, at + 1, len(tex.items)))


def _plainly(latex: str) -> str:
    r"""Formulas inside ``\text{}`` taken out of it, and what stands over a sign put behind it."""
    while (found := _MATH.search(latex)) is not None:
        latex = f"{latex[: found.start()]}{found[1]}}} {found[2]} \\text{{{latex[found.end() :]}"
    while (found := _OVER.search(latex)) is not None:
        defines = re.search(r"def|triangle|Delta", found[1])
        moves = rf" \text{{ as }} {found[1]}" if sides(found[1], ARROWS) else ""
        latex = f"{latex[: found.start()]}{':=' if defines else found[2]}{latex[found.end() :]}{moves}"
    while (found := _LONG.search(latex)) is not None:
        latex = rf"{latex[: found.start()]}\to {latex[found.end() :]} \text{{ as }} {found[1] or found[2]}"
    return latex


def role(words: str) -> str:
    """What a phrase introduces: the role of its first word that has one, else ``and``."""
    return next((_ROLES[word] for word in re.findall(r"[a-z.]*[a-z]", words.lower()) if word in _ROLES), "and")


def _between(tex: Tokens, lo: int, hi: int) -> str:
    """The text of these tokens."""
    while lo < hi and tex.items[lo].kind == "cut":
        lo += 1
    while lo < hi and (tex.items[hi - 1].kind == "cut" or tex.text(hi - 1) in {".", "!"}):
        hi -= 1
    return tex.source.text[tex.items[lo].start : tex.items[hi - 1].end] if lo < hi else ""


def _cuts(tex: Tokens) -> Iterator[tuple[int, int, int, str]]:
    """Where a clause ends: the tokens from start to end belong to none, the next begins behind; and its role."""
    i = depth = 0
    while i < len(tex.items):
        text = tex.text(i)
        if text in {"_", "^"} and i + 1 < len(tex.items):
            i = _behind(tex, i + 1)
            continue
        close = tex.bracket(i) if text == "(" and not depth else i
        if text in _TEXTS and not depth and tex.text(i + 1) == "{":
            end = tex.match[i + 1] + 1
            words = tex.source.text[tex.items[i + 1].end : tex.items[end - 1].start]
            if not _is_name(tex, i, end, words):
                yield i, i, end, role(words)
            i = end
            continue
        if text in _SIGNS and not depth:
            yield i, i, i + 1, _SIGNS[text]
        elif close > i + 1 and i and _relates(tex, i + 1, close - 1, {*RELATIONS, *ARROWS, r"\in"}) is not None:
            yield i, close - 1, close, "for"
            i = close
            continue
        depth += (text in _OPENING - {"{"}) - (text in _CLOSING - {"}"})
        i = tex.match[i] + 1 if tex.items[i].kind == "open" else i + 1


def _behind(tex: Tokens, i: int) -> int:
    """Behind the argument at ``i``."""
    try:
        return tex.after(i)
    except ParseError:
        return i + 1


def _is_name(tex: Tokens, i: int, end: int, words: str) -> bool:
    """Whether the text from ``i`` to ``end`` is a name: one word that is no joint and stands beside no factor."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", words) or words.lower() in _ROLES:
        return False
    before, behind = (tex.text(i - 1) if i else ""), tex.text(end)
    left = before in RELATIONS or before in _OPERATORS or before == "" or tex.items[i - 1].kind == "cut"
    scripted = behind in {"_", "^"}
    right = scripted or behind in RELATIONS or behind in {*_OPERATORS, *_SIGNS, "", ")", "]", r"\}", "."}
    return left and (right or tex.items[end].kind == "cut")


def _relates(tex: Tokens, lo: int, hi: int, signs: Collection[str]) -> int | None:
    """The first of these signs from ``lo`` to ``hi`` that is inside of no bracket."""
    depth = 0
    for i in range(lo, hi):
        depth += (tex.text(i) in _OPENING) - (tex.text(i) in _CLOSING)
        if not depth and tex.text(i) in signs:
            return i
    return None
