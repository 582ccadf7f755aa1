r"""Tell what a draft defines from what it claims: ``:=``, ``where $a = ...$``, "let", "define", "denote $...$ by $G$".

A law given as a function of several bare names, ``L(N, D) = ...``, defines that function where it first stands. An
equation that only gives a letter its number, ``\alpha = 0.34``, is a printed input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import ParseError
from ..notation import latex_names, plain_name
from ..notation.commands import RELATIONS
from . import texed
from .clauses import clauses, sides

__all__ = ["Definition", "announces", "called", "defined", "in_prose"]

STRONG = frozenset({":=", "=:", r"\coloneqq", r"\eqqcolon", r"\triangleq", r"\equiv"})
_WORD = re.compile(r"\b(where|let|defin\w*|denot\w*|writ(?:e|ing)|set(?:ting)?|put(?:ting)?|with)\b", re.IGNORECASE)
_SAYS = re.compile(r"\b(then|thus|so|hence|therefore|gives?|get|have|has|obtain|follows?|yields?|implies|find|show)\b")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[A-Z\\$])|\n\s*\n")
_INLINE = re.compile(r"\$([^$]+)\$|\\\((.+?)\\\)")
_DENOTED = (
    re.compile(r"\b[Dd]enoted?\s+by\s+\$(?P<left>[^$=]+)\$[^$]*\$(?P<right>[^$=<>]+)\$"),
    re.compile(r"\b[Dd]enote\s+\$(?P<right>[^$=<>]+)\$\s+(?:by|as|with)\s+\$(?P<left>[^$=]+)\$"),
)
_CALL = re.compile(r"\s*(.+?)\s*(?:\\left|\\[bB]igg?l?)?\s*\((.*?)(?:\\right|\\[bB]igg?r?)?\)\s*", re.DOTALL)


class Definition(NamedTuple):
    """A name, the names of its arguments where it is a function, and what it stands for, in LaTeX; or its number."""

    name: str
    arguments: tuple[str, ...]
    right: str
    printed: str | None = None
    strong: bool = False

    @property
    def latex(self) -> str:
        """The definition as an equation."""
        called = f"({', '.join(self.arguments)})" if self.arguments else ""
        return f"{self.name}{called} = {self.right}"


def defined(latex: str, announced: bool) -> Definition | None:
    r"""What a statement defines; ``announced`` says whether words before it do so.

    Examples
    --------
    >>> defined(r"N_{opt}(C) := G C^a", False)
    Definition(name='N_{opt}', arguments=('C',), right='G C^a', printed=None, strong=True)
    >>> defined(r"a = \beta/(\alpha+\beta)", False) is None
    True
    """
    parts = sides(latex, RELATIONS)
    if parts is None or RELATIONS[parts[1]] not in ("=", "~", "approx"):
        return None
    left, sign, right = parts
    if sign in ("=:", r"\eqqcolon"):
        left, right = right, left
    if sides(right, RELATIONS) is not None or not right:
        return None
    name, arguments = called(left)
    if not name or any(plain_name(name) == plain_name(used) for used in _names(right)):
        return None
    number = None if arguments else texed.literal(right)
    exact = number is not None and number.lstrip("+-").isdecimal() and (announced or sign in STRONG)
    found = Definition(name, arguments, right, None if exact else number, sign in STRONG)
    if RELATIONS[sign] != "=" and found.printed is None:
        return None
    return found if announced or sign in STRONG or len(arguments) > 1 or found.printed else None


def called(left: str) -> tuple[str, tuple[str, ...]]:
    r"""The name and the arguments of a left side that is ``name`` or ``name(argument, ...)``; else no name.

    Examples
    --------
    >>> called(r"\hat{L}(N, D)"), called("6 N")
    (('\\hat{L}', ('N', 'D')), ('', ()))
    """
    if _single(left):
        return left.strip(), ()
    match = _CALL.fullmatch(left)
    inner = [part.strip() for part in re.split(r",|;|\\mid(?![A-Za-z])", match[2])] if match else []
    if match and inner and _single(match[1]) and all(map(_single, inner)) and len(set(inner)) == len(inner):
        return match[1].strip(), tuple(inner)
    return "", ()


def announces(prose: str) -> bool:
    """Whether the prose before a display says that it defines."""
    sentence = _SENTENCE.split(prose.rstrip(" \n:,"))[-1]
    if re.search(r"\b(?:where|with|writing|setting|let|define)\W*$", sentence, re.IGNORECASE):
        return True
    words = list(re.finditer(r"\b(?:let|defined?|denoted?)\b", sentence, re.IGNORECASE))
    return bool(words) and not _SAYS.search(sentence, words[-1].end())


def in_prose(prose: str) -> Iterator[tuple[int, Definition]]:
    """The definitions in the formulas of running text, with their places."""
    start = 0
    for sentence in _SENTENCE.split(prose):
        place = start = prose.index(sentence, start)
        yield from ((place + at, one) for at, one in _in_sentence(sentence))


def _in_sentence(sentence: str) -> Iterator[tuple[int, Definition]]:
    for pattern in _DENOTED:
        for match in pattern.finditer(sentence):
            name, arguments = called(match["left"])
            if name:
                yield match.start(), Definition(name, arguments, match["right"].strip())
    words = list(_WORD.finditer(sentence))
    for match in _INLINE.finditer(sentence):
        before = [word for word in words if word.end() <= match.start()]
        if not before or _SAYS.search(sentence, before[-1].end(), match.start()):
            continue
        for clause in clauses(match[1] or match[2]):
            found = defined(clause.latex, clause.role != "for")
            if found is not None and (found.printed or before[-1][1].lower() != "with"):
                yield match.start(), found


def _single(latex: str) -> bool:
    """Whether a text is one name."""
    names = _names(latex)
    if len(names) != 1:
        return False
    try:
        return plain_name(latex) == plain_name(names[0])
    except ParseError:
        return False


def _names(latex: str) -> list[str]:
    try:
        return list(latex_names(latex))
    except ParseError:
        return []
