r"""From TeX tokens to the terminals of ``latex.lark``: names become symbols, every argument gets its braces.

What TeX leaves to the reader's eye is settled here by the declared names, or refused: which letters form a name, which
superscript is a power, which ``|`` opens.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import ParseError
from .commands import ADVICE, BARS, CLOSING, ENDS, OPENING, RELATIONS, SIGNS, SIZES, STARTS
from .derivatives import quotient
from .names import Read, Table, argument
from .operators import FUNCTIONS, OPERATORS, function
from .source import Refusal, Source, quoted
from .tex import DEEPEST, FONTS, Scripts, scan

if TYPE_CHECKING:
    from lark import Token

__all__ = ["Lexer"]

_WORD = re.compile(r"\\[a-z]+\s*(?:\{\s*[A-Za-z0-9\\_{}*']+\s*\}|\\?[A-Za-z]+)")


class Lexer:
    """Reads a text once: ``tokens`` are its terminals, ``meaning`` says by place what names and operators mean."""

    def __init__(self, source: Source, table: Table) -> None:
        self.source = source
        self.table = table
        self.tex = scan(source)
        self.tokens: list[Token] = []
        self.meaning: dict[int, Any] = {}
        self._opened: list[tuple[str, bool]] = []
        self._cut = False
        self.end = len(self.tex.items)
        self._depth = 0
        self._walk(0, len(self.tex.items))

    def error(self, i: int, found: str, remedy: str) -> ParseError:
        """The error at TeX token ``i``."""
        return self.source.error(self.tex.place(i), found, remedy)

    def emit(self, kind: str, i: int, end: int, meaning: Any = None) -> None:
        """Add one terminal for the TeX tokens from ``i`` to ``end``."""
        from lark import Token

        if kind in STARTS and self._ended():
            last = self.tokens[-1]
            if self._cut:
                raise self.error(i, r"a new factor behind & or \\", r"write \cdot between factors")
            if kind == "NUMBER" and last.type in {"NUMBER", "NAME", "INFTY"}:
                raise self.error(i, "a number side by side with the factor before it", r"write \cdot between factors")
            if last.type == "_RBAR" and last in BARS and kind != "_LBAR":
                raise self.error(i, "the '|' before it may open or close", r"write \left| and \right|")
        self._cut = False
        start = self.tex.place(i)
        stop = self.tex.items[end - 1].end if end > i else start
        if meaning is not None:
            self.meaning[start] = meaning
        self.tokens.append(Token(kind, self.source.text[start:stop], start_pos=start, end_pos=stop))

    def braced(self, lo: int, hi: int) -> None:
        """The argument from ``lo`` to ``hi`` between brace terminals."""
        self.emit("_LBRACE", lo, lo)
        self._walk(*self.tex.inside(lo, hi))
        self.emit("_RBRACE", hi - 1, hi)

    def power(self, lo: int, hi: int) -> None:
        """The exponent from ``lo`` to ``hi``."""
        self.emit("POW", lo - 1, lo)
        self.braced(lo, hi)

    def scripts(self, i: int) -> Scripts:
        """The scripts at ``i``, inside the argument that is being read."""
        return self.tex.scripts(i, self.end)

    def read(self, i: int) -> tuple[Read | None, Scripts]:
        """The name whose base is TeX token ``i`` with its argument: what it means, and its scripts."""
        hung = self.scripts(self.tex.after(i))
        try:
            return self.table.read(self.tex, i, self.tex.after(i), hung), hung
        except Refusal as refusal:
            raise self.error(i, refusal.found, refusal.remedy) from None

    def _ended(self) -> bool:
        return bool(self.tokens) and self.tokens[-1].type in ENDS

    def _walk(self, lo: int, hi: int) -> None:
        around, self._opened = self._opened, []
        beyond, self.end = self.end, hi
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.error(lo, f"nested more than {DEEPEST} deep", "name its parts")
        i = lo
        while i < hi:
            i = self._step(i)
        if i > hi or self._opened:
            raise self.error(hi, "a bracket is not closed", "close it")
        self._opened, self.end, self._depth = around, beyond, self._depth - 1

    def _step(self, i: int) -> int:
        """Read what begins at TeX token ``i``; the index behind it."""
        item = self.tex.items[i]
        if item.kind == "cut":
            self._cut = True
            return i + 1
        if item.kind == "number" or item.text in SIGNS:
            self.emit(SIGNS.get(item.text, "NUMBER"), i, i + 1, RELATIONS.get(item.text))
            return i + 1
        if item.kind == "open":
            self.braced(i, self.tex.match[i] + 1)
            return self.tex.match[i] + 1
        if item.text in OPERATORS:
            return OPERATORS[item.text](self, i)
        if item.text in SIZES or item.text in {*OPENING, *CLOSING, *BARS}:
            return self._bracket(i)
        if item.text in {r"\mid", ";"} and self._opened:
            self.emit("_COMMA", i, i + 1)
            return i + 1
        if self.tex.is_name(i):
            return quotient(self, i) or self._name(i)
        if item.text == "^":
            lo, hi = self.tex.script(i)
            self.power(lo, hi)
            return hi
        if item.text == "_":
            raise self.error(i, "a subscript on what is no name", "declare the whole as one name, or leave it out")
        if item.text == "'":
            raise self.error(i, "a prime on what is no name", r"write \frac{d}{dx}, or declare the name with its prime")
        raise self.error(i, f"unexpected {quoted(item.text)}", ADVICE.get(item.text, "it is not read in formulas"))

    def _bracket(self, i: int) -> int:
        """A bracket or bar with its size command, matched with the one that it closes."""
        size = self.tex.text(i) if self.tex.text(i) in SIZES else ""
        at = i + bool(size)
        text = self.tex.text(at)
        kind = OPENING.get(text) or CLOSING.get(text) or (self._bar(size) if text in BARS else "")
        if not kind:
            raise self.error(at, f"{size} before {quoted(text)}", r"brackets are ( ) [ ] \{ \} |")
        if kind.startswith("_L"):
            if size == r"\right" or size.endswith("r"):
                raise self.error(i, f"{size} before {quoted(text)}, which opens", "check the brackets")
            self._opened.append((kind, size == r"\left"))
        else:
            matching = bool(self._opened) and self._opened.pop() == (f"_L{kind[2:]}", size == r"\right")
            if not matching:
                raise self.error(i, f"{quoted(text)} does not close what is open", "check the brackets")
        self.emit(kind, i, at + 1)
        return at + 1

    def _bar(self, size: str) -> str:
        if size == r"\left" or size.endswith("l"):
            return "_LBAR"
        if size == r"\right" or size.endswith("r"):
            return "_RBAR"
        return "_RBAR" if self._ended() and self._opened and self._opened[-1][0] == "_LBAR" else "_LBAR"

    def _name(self, i: int) -> int:
        """A name with its scripts, or a run of letters that is a product of names in exactly one way."""
        tex, end = self.tex, self.tex.after(i)
        if tex.items[i].kind == "letter":
            while end < self.end and tex.items[end].kind == "letter" and tex.place(end) == tex.items[end - 1].end:
                end += 1
        hung = self.scripts(end)
        try:
            parts = self._split(i, end, hung) if tex.items[i].kind == "letter" else self._single(i, end, hung)
        except Refusal as refusal:
            raise self.error(i, refusal.found, refusal.remedy) from None
        if not parts:
            return function(self, i, hung.end)
        for (start, read), stop in zip(parts, [*(start for start, _ in parts[1:]), end], strict=True):
            self._meant(start, stop, read, hung if stop == end else Scripts(None, None, 0, stop))
        return hung.end

    def _single(self, i: int, end: int, hung: Scripts) -> list[tuple[int, Read]]:
        """The meaning of one name that is no letter; empty for the name of a function."""
        inside = self.source.text[self.tex.place(i) : self.tex.items[end - 1].end]
        if self.tex.text(i) in FONTS and not _WORD.fullmatch(inside):
            raise Refusal("words inside a formula", "leave them out")
        read = self.table.read(self.tex, i, end, hung)
        if read is None:
            if self.tex.spell(i, end, True) in FUNCTIONS:
                return []
            raise self.table.undeclared(self.tex, i, end, hung)
        return [(i, read)]

    def _split(self, lo: int, hi: int, hung: Scripts) -> list[tuple[int, Read]]:
        """Cut a run of letters into declared names; refused if there are several ways."""
        last: list[tuple[int, Read] | None] = [None] * (hi - lo + 1)  # the last name of a way to cut the first letters
        several = [False] * (hi - lo + 1)
        for end in range(lo + 1, hi + 1):
            hangs = hung if end == hi else Scripts(None, None, 0, end)
            for start in range(max(lo, end - self.table.longest), end):
                reached = start == lo or last[start - lo] is not None
                read = self.table.read(self.tex, start, end, hangs) if reached else None
                if read is not None:
                    several[end - lo] = several[start - lo] or last[end - lo] is not None or several[end - lo]
                    last[end - lo] = start, read
        word = self.source.text[self.tex.place(lo) : self.tex.items[hi - 1].end][:40]
        if several[-1]:
            raise Refusal(
                f"{quoted(word)} may be one name or a product", rf"write \mathrm{{{word}}}, or spaces between factors"
            )
        if last[-1] is None:
            raise self._unknown(lo, max(k for k, way in enumerate(last) if way or not k) + lo, hi, hung, word)
        parts, end = [], hi
        while (way := last[end - lo]) is not None:
            parts.append(way)
            end = way[0]
        return parts[::-1]

    def _unknown(self, lo: int, at: int, hi: int, hung: Scripts, word: str) -> ParseError | Refusal:
        """The error of a run of letters that is no product of names from letter ``at`` on."""
        if word in FUNCTIONS:
            return Refusal(f"{quoted(word)} is not declared", rf"write \{word} for the function")
        refusal = self.table.undeclared(self.tex, at, at + 1, hung if at == hi - 1 else Scripts(None, None, 0, at + 1))
        return self.error(at, refusal.found, refusal.remedy)

    def _meant(self, i: int, end: int, read: Read, hung: Scripts) -> None:
        """Emit a name with its index, and its superscript where that is a power."""
        meaning = read.meaning
        stop = hung.sup[0] - 1 if hung.sup and not read.whole else hung.end
        if isinstance(meaning, sp.IndexedBase):
            if not read.indexed or hung.sub is None:
                raise self.error(i, f"{meaning} needs its index", f"write {meaning}_i")
            self.emit("INDEXED", i, end, meaning)
            self.braced(*hung.sub)
        else:
            applied = isinstance(meaning, sp.Lambda | sp.core.function.UndefinedFunction)
            if isinstance(meaning, sp.Lambda) and self.tex.text(stop) not in {*OPENING, *SIZES}:
                applied, meaning = False, meaning.expr  # a function without its arguments is its value at their names
            if not applied and not isinstance(meaning, sp.Symbol) and argument(self.tex, stop):
                remedy = r"write \cdot for a product, or define it with its arguments"
                raise self.error(i, "a name with a definition before a bracket", remedy)
            self.emit("FUNC" if applied else "NAME", i, stop, meaning)
        if hung.sup and not read.whole:
            self.power(*hung.sup)
