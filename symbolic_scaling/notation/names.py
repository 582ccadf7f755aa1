r"""What the names of a LaTeX text mean: ``\alpha_C^{\min}``, ``x_k^\star`` and ``d_i`` among the declared ones.

A declared plain name stands for every LaTeX spelling that can only mean it; a declared LaTeX name for itself. What
matches more than one declared name is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import sympy as sp

from ..law import Law
from .build import unknown
from .source import Refusal, is_name, quoted
from .spelling import EULER, name_of, spellings
from .tex import FONTS, Scripts, Tokens, words

__all__ = ["Listing", "Meaning", "Read", "Table", "argument", "law_symbols"]

Meaning: TypeAlias = sp.Expr | sp.IndexedBase | sp.Lambda | sp.core.function.UndefinedFunction

_MARKS = words(r"\star \ast * \dagger \prime \min \max \inf \sup , + -")


def law_symbols(law: Law) -> dict[str, sp.Symbol]:
    r"""What a law declares, by its LaTeX names where it has them: what :func:`~.latex.parse_latex` takes.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> sorted(law_symbols(laws.get("m4")))[:3]
    ['\\alpha', '\\beta', '\\varepsilon_0']
    """
    return {law.latex_names.get(symbol, name): symbol for name, symbol in law.symbols.items()}


class Read(NamedTuple):
    """What a name in a text means, whether its superscript belongs to it, and whether its subscript is an index."""

    meaning: Meaning
    whole: bool = True
    indexed: bool = False


class Table:
    """The declared names under all their spellings."""

    def __init__(self, declared: Mapping[str, Meaning]) -> None:
        self.declared = declared
        self.longest = 1
        self._levels: tuple[dict[str, list[Meaning]], ...] = ({}, {}, {})
        for name, meaning in declared.items():
            first, *variants = spellings(name) if is_name(name) else (name,)
            exact, loose = name_of(first)
            self._enter(0, exact, meaning)
            self._enter(1, loose, meaning)
            for variant in variants:
                self._enter(2, name_of(variant)[1], meaning)

    def find(self, exact: str, loose: str) -> Meaning | None:
        """The meaning of a spelled name; :class:`Refusal` if it has several."""
        for level, key in zip(self._levels, (exact, loose, loose), strict=True):
            found = level.get(key, [])
            if len(found) > 1:
                named = ", ".join(sorted(name for name, meaning in self.declared.items() if meaning in found))
                raise Refusal(f"{quoted(exact.strip())} may be any of {named}", "declare the names as they are printed")
            if found:
                if exact == EULER and level is not self._levels[0]:
                    raise Refusal(f"{EULER} may be Euler's number or the declared e", r"write \exp or e")
                return found[0]
        return sp.E if exact == EULER else None

    def read(self, tokens: Tokens, lo: int, hi: int, hung: Scripts) -> Read | None:
        """The meaning of the base from ``lo`` to ``hi`` with its scripts."""
        base = tokens.spell(lo, hi, False), tokens.spell(lo, hi, True)
        whole = self._find(tokens, base, hung)
        if hung.sup is None:
            return Read(whole) if whole is not None else self._indexed(base, hung)
        short = self._find(tokens, base, hung._replace(sup=None))
        if whole is not None and short is not None and self._is_power(tokens, *hung.sup):
            raise Refusal(
                "the superscript may be a power or part of the name", "put the power's base in brackets, or rename"
            )
        if whole is not None:
            return Read(whole)
        if is_wordy(tokens, *hung.sup):
            return None
        if short is None and base[0] == "e" and hung.sub is None and not hung.primes:
            return Read(sp.E, whole=False)
        return Read(short, whole=False) if short is not None else self._indexed(base, hung)

    def _indexed(self, base: tuple[str, str], hung: Scripts) -> Read | None:
        """``d_i`` where ``d`` is declared with an index."""
        meaning = self.find(*base) if hung.sub and not hung.primes else None
        return Read(meaning, whole=hung.sup is None, indexed=True) if isinstance(meaning, sp.IndexedBase) else None

    def undeclared(self, tokens: Tokens, lo: int, hi: int, hung: Scripts) -> Refusal:
        """The refusal of a name that nobody declared."""
        end = hung.end if hung.sup is None or is_wordy(tokens, *hung.sup) else hung.sup[0] - 1
        shown = tokens.source.text[tokens.place(lo) : tokens.items[end - 1].end][:60]
        if tokens.text(hung.end) in {"(", r"\left"}:
            hint = "declare a symbol if it is a factor, a function if what follows is its argument"
            return unknown(shown, self.declared, hint)
        return unknown(shown, self.declared, r"write e^{...} or \exp for Euler's number" if shown == "e" else "")

    def _find(self, tokens: Tokens, base: tuple[str, str], hung: Scripts) -> Meaning | None:
        exact, loose = (one + tokens.hung(hung, kind) for one, kind in zip(base, (False, True), strict=True))
        return self.find(exact, loose)

    def _is_power(self, tokens: Tokens, lo: int, hi: int) -> bool:
        """Whether a superscript reads as a number or a declared name."""
        lo, hi = tokens.inside(lo, hi)
        if any(item.kind == "number" for item in tokens.items[lo:hi]):
            return all(item.kind == "number" or item.text in {"+", "-"} for item in tokens.items[lo:hi])
        if all(item.kind == "letter" and self.find(item.text, item.text) is not None for item in tokens.items[lo:hi]):
            return True
        return self.find(tokens.spell(lo, hi, False), tokens.spell(lo, hi, True)) is not None

    def _enter(self, level: int, key: str, meaning: Meaning) -> None:
        known = self._levels[level].setdefault(key, [])
        if meaning not in known:
            known.append(meaning)
        letters = re.match("[A-Za-z]*", key)
        self.longest = max(self.longest, len(letters[0]) if letters else 1)


class Listing(Table):
    """Takes every name for declared and remembers it in ``names``: what a text would need."""

    def __init__(self) -> None:
        super().__init__({})
        self.names: dict[str, str] = {}

    def read(self, tokens: Tokens, lo: int, hi: int, hung: Scripts) -> Read:
        """Any name is a symbol; a superscript belongs to it only where it cannot be a power."""
        whole = hung.sup is None or is_wordy(tokens, *hung.sup)
        base = tokens.spell(lo, hi, False)
        if hung.sub is None and (base == EULER or (base == "e" and not whole)):
            return Read(sp.E, whole=False)
        kept = hung if whole else hung._replace(sup=None)
        name = base + tokens.hung(kept, False)
        shown = re.sub(r" (?![A-Za-z])", "", re.sub(r"_\{(\w|\\\w+ )\}", r"_\1", name)).strip()
        use = argument(tokens, hung.end)
        self.names[shown] = use or self.names.get(shown, "")
        return Read(sp.Function(shown) if use == "function" else sp.Symbol(shown), whole)


def argument(tokens: Tokens, i: int) -> str:
    """``"function"`` before a bracket with commas at ``i``, ``"bracket"`` before one name or number, else nothing."""
    i += tokens.text(i) in {r"\left", r"\big", r"\Big", r"\bigl", r"\Bigl"}
    if tokens.text(i) != "(":
        return ""
    depth, commas, start = 0, 0, i + 1
    while i < len(tokens.items):
        depth += (tokens.text(i) == "(") - (tokens.text(i) == ")")
        if depth == 0:
            break
        commas += depth == 1 and tokens.text(i) in {",", ";", r"\mid"}
        i = tokens.match[i] + 1 if tokens.items[i].kind == "open" else i + 1
    if commas:
        return "function"
    if tokens.is_name(start):
        end = tokens.scripts(tokens.after(start)).end
    else:
        single = tokens.text(start) == r"\infty" or any(
            item.kind == "number" for item in tokens.items[start : start + 1]
        )
        end = start + 1 if single else len(tokens.items)
    return "bracket" if tokens.text(end) in {")", r"\right", r"\big", r"\Big", r"\bigr", r"\Bigr"} else ""


def is_wordy(tokens: Tokens, lo: int, hi: int) -> bool:
    r"""Whether a superscript is nothing but marks and words, ``\star`` or ``\text{opt}``, which are no power."""
    lo, hi = tokens.inside(lo, hi)
    i = lo
    while i < hi:
        word = tokens.text(i) in FONTS and tokens.after(i + 1) - i > len(r"{T}") + 1
        if not word and tokens.text(i) not in _MARKS:
            return False
        i = tokens.after(i) if word else i + 1
    return lo < hi
