"""The text that is being read: what may stand in it at all, and errors that point at the place."""

from __future__ import annotations

import keyword
import re
import unicodedata
from dataclasses import dataclass

from ..errors import ParseError

__all__ = ["FUNCTIONS", "LONGEST", "Refusal", "Source", "is_name", "quoted"]

LONGEST = 10_000
"""Longest text that is read, in characters."""

FUNCTIONS = ("Abs", "Limit", "Max", "Min", "Rational", "diff", "exp", "log", "sqrt")
"""Names that the grammar gives a meaning; every other name is a plain symbol."""

_RESERVED = frozenset({*FUNCTIONS, "oo", "prop", *keyword.kwlist}) - {"lambda"}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WINDOW = 60

_ADVICE = {
    "'": "a formula holds no quotes; map the column to a plain name",
    '"': "a formula holds no quotes; map the column to a plain name",
    "`": "a formula holds no quotes; map the column to a plain name",
    "[": "a formula holds no square brackets; group with ( )",
    "]": "a formula holds no square brackets; group with ( )",
    "{": "a formula holds no braces; group with ( )",
    "}": "a formula holds no braces; group with ( )",
    "\\": "write plain text such as alpha*x**c",
    "\u2212": "write the minus sign as -",
    "\u2013": "write the minus sign as -",
    "\u00d7": "write the product as *",
    "\u00b7": "write the product as *",
    "\u221e": "write infinity as oo",
    "%": "write 0.12 for 12%",
}


class Refusal(Exception):
    """What a builder finds wrong; the reader knows where, and makes it a :class:`ParseError`."""

    def __init__(self, found: str, remedy: str) -> None:
        super().__init__(found, remedy)
        self.found = found
        self.remedy = remedy


def is_name(text: str) -> bool:
    """Whether ``text`` can name a symbol: ASCII letters, digits and underscores, and no word of the grammar.

    Examples
    --------
    >>> [is_name(name) for name in ("alpha_N", "lambda", "E", "log", "import", "Model Size")]
    [True, True, True, False, False, False]
    """
    return _NAME.fullmatch(text) is not None and text not in _RESERVED


def quoted(text: str) -> str:
    r"""The text in quotes, control characters spelled out, backslashes as they are.

    Examples
    --------
    >>> print(quoted("\\pl"), quoted("\n"))
    '\pl' '\n'
    """
    return repr(text).replace("\\\\", "\\")


@dataclass(frozen=True)
class Source:
    """A text with a purpose, ``asked`` in its errors."""

    text: str
    asked: str = "read the formula"

    def error(self, position: int, found: str, remedy: str) -> ParseError:
        """The error that points at ``position``, counted from 0."""
        place = min(max(position, 0), len(self.text))
        before = self.text[:place]
        line, column = before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1
        start = max(place - column + 1, place - _WINDOW)
        shown = self.text[start : place + _WINDOW].split("\n")[before[start:].count("\n")]
        clean = "".join(letter if letter.isprintable() else "?" for letter in shown)
        caret = f"    {clean}\n    {' ' * (place - start)}^"
        return ParseError(self.asked, found, remedy, f"line {line}, column {column}", caret)

    def check(self) -> None:
        """Refuse empty and overlong texts, and every character outside printable ASCII, before anything reads them."""
        if not self.text.strip():
            raise self.error(0, "it is empty", "give a formula")
        if len(self.text) > LONGEST:
            raise self.error(LONGEST, f"it has {len(self.text)} characters", f"give at most {LONGEST}")
        for position, letter in enumerate(self.text):
            if not (" " <= letter <= "~" or letter in "\t\r\n"):
                raise self.error(position, f"unexpected {_described(letter)}", advice(letter))


def advice(letter: str) -> str:
    """What to write instead of a character that a formula does not hold."""
    return _ADVICE.get(letter, "use ASCII letters, digits, + - * / ** ( ) , and spell Greek letters: alpha")


def _described(letter: str) -> str:
    name = unicodedata.name(letter, "control character")
    return f"U+{ord(letter):04X} {name}"
