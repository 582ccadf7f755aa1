r"""LaTeX as TeX sees it: commands, letters, numbers, braces and their extents; and how a name is spelled.

Two spellings mean the same name when they differ only in what a reader cannot see or does not mind: braces around one
letter, spaces, the order of sub- and superscript (``exact``); upright fonts, ``\star`` for ``*``, ``\min`` for
``\text{min}`` (``loose``).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .source import Source, quoted

__all__ = ["ACCENTS", "DEEPEST", "FONTS", "GREEK", "Scripts", "Tex", "Tokens", "scan", "words"]

DEEPEST = 60
"""How many braces, accents and fonts may stand inside each other."""


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


GREEK = words(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho "
    "sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
FONTS = words(r"\mathrm \mathit \mathnormal \text \textrm \textit \textnormal \operatorname")
ACCENTS = words(
    r"\hat \widehat \tilde \widetilde \bar \overline \vec \dot \ddot \check \breve \mathring \underline \mathcal "
    r"\mathbf \mathbb \mathfrak \mathscr \mathsf \mathtt \boldsymbol \bm \textbf \textsf"
)
LETTERS = words(r"\ell \hbar \imath \jmath \aleph \nabla") | {rf"\{name}" for name in GREEK}
_ARGUMENTS = {**dict.fromkeys(FONTS | ACCENTS, 1), r"\sqrt": 1, **{rf"\{kind}frac": 2 for kind in ("", "t", "d", "c")}}
_SKIPPED = "quad qquad enspace thinspace medspace thickspace negthinspace displaystyle textstyle scriptstyle limits "
_SKIPPED += "nolimits nonumber notag allowbreak nobreak scriptscriptstyle noindent"
_BLOCKS = "equation align aligned alignat alignedat gather gathered multline split eqnarray displaymath"
_DIMENSION = r"\s*-?[\d.]+\s*(?:pt|em|ex|mm|cm|in|\\baselineskip)\s*"

_SCAN = re.compile(
    rf"""
      (?P<skip>[ \t\r\n]+ | %[^\n]*(?:\n|\Z) | ~ | \\[,;:!>\ \n]
        | \\(?:{_SKIPPED.replace(" ", "|")})(?![A-Za-z])
        | \\[hv]space\*?\{{{_DIMENSION}\}} | \\(?:label|tag\*?)\{{[^{{}}]*\}})
    | (?P<block>\\(?:begin|end)\{{(?:{_BLOCKS.replace(" ", "|")})\*?\}})
    | (?P<cut>& | \\\\\*?(?:\[{_DIMENSION}\])?)
    | (?P<command>\\[A-Za-z]+ | \\[{{}}|%$\#&_])
    | (?P<number>\d{{1,3}}(?:(?:\{{,\}}|\\,)\d{{3}})+(?!\d)(?:\.\d+)? | \d+(?:\.\d+)? | \.\d+)
    | (?P<letter>[A-Za-z])
    | (?P<open>\{{)
    | (?P<close>\}})
    | (?P<other>:=|=:|.)
    """,
    re.VERBOSE | re.ASCII | re.DOTALL,
)
_LOOSE = {
    r"\star": "*",
    r"\ast": "*",
    **{rf"\{name}": name for name in ("min", "max", "inf", "sup", "log", "exp", "lim")},
}


class Tex(NamedTuple):
    """One token: ``kind`` is command, letter, number, open, close, cut or other; its place is counted in characters."""

    kind: str
    text: str
    start: int
    end: int


class Scripts(NamedTuple):
    """What hangs on a name: spans of tokens for sub- and superscript, the number of primes, and where it all ends."""

    sub: tuple[int, int] | None
    sup: tuple[int, int] | None
    primes: int
    end: int


class Tokens:
    """The tokens of a text, with matched braces."""

    def __init__(self, source: Source, items: list[Tex], match: dict[int, int]) -> None:
        self.source = source
        self.items = items
        self.match = match

    def text(self, i: int) -> str:
        """The text of token ``i``; empty behind the last one."""
        return self.items[i].text if i < len(self.items) else ""

    def place(self, i: int) -> int:
        """Where token ``i`` stands in the text."""
        return self.items[i].start if i < len(self.items) else len(self.source.text)

    def is_name(self, i: int) -> bool:
        """Whether a name can begin at token ``i``."""
        return i < len(self.items) and (
            self.items[i].kind == "letter" or self.text(i) in LETTERS or self.text(i) in FONTS | ACCENTS
        )

    def after(self, i: int) -> int:
        """Where the argument ends that begins at token ``i``: a group, a letter, or a command with its arguments."""
        need, first = 1, i
        while need:
            if i >= len(self.items) or self.items[i].kind in {"close", "cut"}:
                raise self.source.error(self.place(first), f"{self.text(first - 1)} without argument", "put it in { }")
            if self.items[i].kind == "number" and len(self.text(i)) > 1:
                found = f"an argument without braces is one digit, {self.text(i)[0]}"
                raise self.source.error(self.place(i), found, f"write {{{self.text(i)}}}")
            need += _ARGUMENTS.get(self.text(i), 0) - 1
            if self.text(i) == r"\sqrt" and self.text(i + 1) == "[":
                i = self.closing(i + 1) + 1
            else:
                i = self.match[i] + 1 if self.items[i].kind == "open" else i + 1
        return i

    def bracket(self, i: int) -> int:
        """Where the round bracket ends that begins at token ``i``; ``i`` where none does."""
        depth, at = 0, i
        while at < len(self.items) and (depth or self.text(at) in {"(", r"\left"}):
            depth += (self.text(at) == "(") - (self.text(at) == ")")
            at = self.match[at] + 1 if self.items[at].kind == "open" else at + 1
            if not depth and self.text(at - 1) == ")":
                return at
        return i

    def closing(self, i: int) -> int:
        """The ``]`` that closes the optional argument at token ``i``."""
        j = i + 1
        while self.text(j) not in {"]", "}", ""}:
            j = self.match[j] + 1 if self.items[j].kind == "open" else j + 1
        if self.text(j) != "]":
            raise self.source.error(self.place(i), "'[' is never closed", "close it with ]")
        return j

    def inside(self, lo: int, hi: int) -> tuple[int, int]:
        """The span of an argument without its braces."""
        return (lo + 1, hi - 1) if self.items[lo].kind == "open" and self.match[lo] == hi - 1 else (lo, hi)

    def script(self, i: int) -> tuple[int, int]:
        """The argument of the ``^`` or ``_`` at token ``i``, braces included."""
        sign = self.text(i)
        end = self.after(i + 1)
        item = self.items[i + 1]
        if item.text in {"+", "-", "^", "_", "'"} and self.text(i + 2) not in {"", "}", ")"} and item.text != "+":
            raise self.source.error(item.start, f"{sign} takes {quoted(item.text)} alone", f"write {sign}{{...}}")
        return i + 1, end

    def scripts(self, i: int, hi: int | None = None) -> Scripts:
        """The scripts and primes from token ``i`` on, before token ``hi``."""
        sub: tuple[int, int] | None = None
        sup: tuple[int, int] | None = None
        primes = 0
        while self.text(i) in {"_", "^", "'"} and i != hi:
            sign = self.text(i)
            if (sign == "_" and sub) or (sign == "^" and sup) or (sign == "'" and sup):
                raise self.source.error(self.place(i), f"a second {quoted(sign)} on one name", "put brackets or braces")
            if sign == "'":
                primes, i = primes + 1, i + 1
            elif sign == "_":
                sub = self.script(i)
                i = sub[1]
            else:
                sup = self.script(i)
                i = sup[1]
        return Scripts(sub, sup, primes, i)

    def spell(self, lo: int, hi: int, loose: bool, depth: int = 0) -> str:
        """The spelling of the tokens from ``lo`` to ``hi``, in one of its two forms."""
        if depth > DEEPEST:
            raise self.source.error(self.place(lo), f"a name nested more than {DEEPEST} deep", "pick a simpler name")
        parts, i = [], lo
        while i < hi:
            item = self.items[i]
            if item.text in {"_", "^", "'"}:
                hung = self.scripts(i)
                parts.append(self.hung(hung, loose, depth + 1))
                i = hung.end
            elif item.kind == "open":
                parts.append(self.spell(i + 1, self.match[i], loose, depth + 1))
                i = self.match[i] + 1
            elif item.text in FONTS or item.text in ACCENTS:
                end = self.after(i + 1)
                inner = self.spell(i + 1, end, loose, depth + 1)
                parts.append(inner if loose and item.text in FONTS else f"{item.text}{{{inner}}}")
                i = end
            else:
                text = _LOOSE.get(item.text, item.text) if loose else item.text
                parts.append(f"{text} " if item.kind == "command" and text == item.text else text)
                i += 1
        return "".join(parts)

    def hung(self, scripts: Scripts, loose: bool, depth: int = 0) -> str:
        """The spelling of scripts, the subscript first."""
        sub = "" if scripts.sub is None else f"_{{{self.spell(*scripts.sub, loose, depth)}}}"
        sup = "" if scripts.sup is None else f"^{{{self.spell(*scripts.sup, loose, depth)}}}"
        return sub + "'" * scripts.primes + ("'" if loose and sup == r"^{\prime }" else sup)


def scan(source: Source) -> Tokens:
    """Cut a text into tokens; spaces, comments, labels and the frame of a display are left out.

    Raises
    ------
    ParseError
        For braces or blocks that do not match, or nest too deep.
    """
    tokens = Tokens(source, [], {})
    items, opened, blocks = tokens.items, list[int](), list[str]()
    lo, hi = _frame(source.text)
    for found in _SCAN.finditer(source.text, lo, hi):
        kind, text = str(found.lastgroup), found[0]
        if kind == "skip":
            continue
        if kind == "block":
            _block(source, found.start(), text, blocks)
            kind = "cut"
        elif kind == "open":
            opened.append(len(items))
        elif kind == "close":
            if not opened:
                raise source.error(found.start(), "'}' closes nothing", "check the braces")
            tokens.match[opened.pop()] = len(items)
        if len(opened) + len(blocks) > DEEPEST:
            raise source.error(found.start(), f"nested more than {DEEPEST} deep", "name its parts")
        if re.fullmatch(r"\d\d", text) and items and _ARGUMENTS.get(items[-1].text) == 2:  # \frac12
            items.append(Tex(kind, text[0], found.start(), found.start() + 1))
            text = text[1]
        items.append(Tex(kind, text, found.end() - len(text), found.end()))
    if opened:
        raise source.error(items[opened[-1]].start, "'{' is never closed", "close it with }")
    if blocks:
        raise source.error(hi, rf"\begin{blocks[-1]} is never ended", "end it")
    while items and (items[-1].kind == "cut" or items[-1].text in {".", ",", ";"}):
        items.pop()
    return tokens


def _block(source: Source, place: int, text: str, opened: list[str]) -> None:
    """Enter or leave an ``aligned``, ``equation``, ..."""
    name = text[text.index("{") :]
    if text.startswith(r"\begin"):
        opened.append(name)
    elif not opened or opened.pop() != name:
        raise source.error(place, f"{text} without its beginning", "close what was opened")


def _frame(text: str) -> tuple[int, int]:
    """Where the formula itself begins and ends: without dollars and display brackets."""
    lo, hi = 0, len(text)
    for before, behind in (("$$", "$$"), (r"\[", r"\]"), (r"\(", r"\)"), ("$", "$"), ("", "")):
        lo += len(text[lo:hi]) - len(text[lo:hi].lstrip())
        hi = lo + len(text[lo:hi].rstrip())
        if text[lo:hi].startswith(before) and text[lo:hi].endswith(behind) and hi - lo >= len(before) + len(behind):
            lo, hi = lo + len(before), hi - len(behind)
    return lo, hi
