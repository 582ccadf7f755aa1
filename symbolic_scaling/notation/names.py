r"""Names between plain text and LaTeX: ``eps_inf`` is printed ``\varepsilon_{\infty}``, ``\alpha_C^{\min}`` is read.

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
from .source import Refusal, Source, is_name
from .tex import FONTS, GREEK, Scripts, Tokens, refuse_unless_name, scan, words

__all__ = ["Listing", "Meaning", "Read", "Table", "argument", "law_symbols", "plain_name", "symbol_latex"]

Meaning: TypeAlias = sp.Expr | sp.IndexedBase | sp.Lambda | sp.core.function.UndefinedFunction

_ACCENT = re.compile(rf"([A-Za-z]|eps|{'|'.join(sorted(GREEK))})_?(hat|bar|tilde|dot)")
_NUMBERED = re.compile(r"([A-Za-z]+?)(\d+)")
EULER = r"\mathrm{e}"
"""Euler's number, upright as ISO 80000-2 prints it, where it is not declared otherwise."""
_WORDS = words(r"\star \ast * \dagger \prime \min \max \infty ' + -")


def symbol_latex(name: str) -> str:
    r"""The LaTeX of a plain name.

    Examples
    --------
    >>> print(*map(symbol_latex, ("alpha_N", "N_star", "eps_inf", "d1", "loss", "L_min")))
    \alpha_{N} N^{\star} \varepsilon_{\infty} d_{1} \mathrm{loss} L_{min}
    """
    stem, mark, rest = name.partition("_")
    if rest == "star":
        return rf"{symbol_latex(stem)}^{{\star}}"
    if rest.endswith("_star"):
        return rf"{symbol_latex(name.removesuffix('_star'))}^{{\star}}"
    if found := _ACCENT.fullmatch(name):
        return rf"\{found[2]}{{{_stem(found[1])}}}"
    if not stem or "__" in name or name.endswith("_"):
        return whole(name)
    if mark:
        return rf"{_stem(stem)}_{{{_subscript(rest)}}}"
    if found := _NUMBERED.fullmatch(name):
        return rf"{_stem(found[1])}_{{{found[2]}}}"
    return _stem(stem)


def whole(name: str) -> str:
    r"""The name in upright letters, which no other spelling equals: ``\mathrm{x\_1}``."""
    return rf"\mathrm{{{name.replace('_', chr(92) + '_')}}}"


def plain_name(latex: str) -> str:
    r"""A plain name for a LaTeX one.

    Raises
    ------
    ParseError
        If the text is no single name.

    Examples
    --------
    >>> [plain_name(name) for name in (r"\alpha_C^{\min}", r"\hat{L}", r"N_{\text{opt}}", r"\varepsilon_\infty", "f'")]
    ['alpha_C_min', 'L_hat', 'N_opt', 'eps_inf', 'f_prime']
    """
    exact = _name_of(latex)[0].replace(r"\varepsilon", "eps").replace("*", " star ").replace("'", " prime ")
    exact = re.sub(r"\\infty\b", " inf ", exact)
    exact = re.sub(r"\\(hat|bar|tilde|dot)\{([^{}]*)\}", r"\2_\1 ", exact)
    for font in FONTS:
        exact = exact.replace(font, "")
    name = "_".join(re.findall(r"[A-Za-z0-9]+", re.sub(r"[_^]\{", " ", exact)))
    return name if is_name(name) else f"{name}_"


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
            first, *variants = _spellings(name) if is_name(name) else (name,)
            exact, loose = _name_of(first)
            self._enter(0, exact, meaning)
            self._enter(1, loose, meaning)
            for variant in variants:
                self._enter(2, _name_of(variant)[1], meaning)

    def find(self, exact: str, loose: str) -> Meaning | None:
        """The meaning of a spelled name; :class:`Refusal` if it has several."""
        for level, key in zip(self._levels, (exact, loose, loose), strict=True):
            found = level.get(key, [])
            if len(found) > 1:
                named = ", ".join(sorted(name for name, meaning in self.declared.items() if meaning in found))
                raise Refusal(f"{exact.strip()!r} may be any of {named}", "declare the names as they are printed")
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
        return unknown(shown, self.declared)

    def _find(self, tokens: Tokens, base: tuple[str, str], hung: Scripts) -> Meaning | None:
        exact, loose = (one + tokens.hung(hung, kind) for one, kind in zip(base, (False, True), strict=True))
        return self.find(exact, loose)

    def _is_power(self, tokens: Tokens, lo: int, hi: int) -> bool:
        """Whether a superscript reads as a number or a declared name."""
        lo, hi = tokens.inside(lo, hi)
        if any(item.kind == "number" for item in tokens.items[lo:hi]):
            return all(item.kind == "number" or item.text in {"+", "-"} for item in tokens.items[lo:hi])
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
        if tokens.spell(lo, hi, False) == EULER and hung.sub is None:
            return Read(sp.E, whole=False)
        kept = hung if whole else hung._replace(sup=None)
        name = tokens.spell(lo, hi, False) + tokens.hung(kept, False)
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
        commas += depth == 1 and tokens.text(i) == ","
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
    r"""Whether a superscript is a mark such as ``\star`` or ``\text{opt}``, which is no power."""
    lo, hi = tokens.inside(lo, hi)
    marks = lo < hi and all(tokens.text(i) in _WORDS for i in range(lo, hi))
    return (marks and tokens.text(lo) != r"\infty") or any(
        tokens.text(i) in (r"\min", r"\max") or (tokens.text(i) in FONTS and tokens.after(i + 1) - i > 4)
        for i in range(lo, hi)
    )


def _name_of(latex: str) -> tuple[str, str]:
    """Both spellings of one declared LaTeX name."""
    source = Source(latex, f"declare {latex[:40]!r}")
    source.check()
    tokens = scan(source)
    try:
        refuse_unless_name(tokens)
    except Refusal as refusal:
        raise source.error(0, refusal.found, refusal.remedy) from None
    end = len(tokens.items)
    return tokens.spell(0, end, False), tokens.spell(0, end, True)


def _spellings(name: str) -> tuple[str, ...]:
    """What a plain name may look like in LaTeX, the way it is printed first."""
    printed = symbol_latex(name)
    found = [printed, whole(name)]
    stem, _, rest = name.partition("_")
    middle, _, last = rest.rpartition("_")
    if middle and last not in {"star"}:
        found += [rf"{_stem(stem)}_{{{_subscript(middle)}}}^{{{_subscript(last)}}}"] if len(last) > 1 else []
        found.append(rf"{_stem(stem)}_{{{' '.join(map(_subscript, rest.split('_')))}}}")
    if rest == "prime":
        found.append(f"{_stem(stem)}'")
    found += [one.replace(r"\varepsilon", r"\epsilon") for one in found if stem == "eps"]
    return tuple(dict.fromkeys(found))


def _stem(word: str) -> str:
    if word == "eps":
        return r"\varepsilon"
    if word in GREEK:
        return rf"\{word}"
    return word if len(word) == 1 else whole(word)


def _subscript(word: str) -> str:
    r"""``inf`` is ``\infty``, ``k1`` and ``k_1`` have subscripts of their own; other words stand as they are."""
    stem, mark, rest = word.partition("_")
    if mark and stem and rest:
        return whole(word) if _NUMBERED.fullmatch(stem) else rf"{_subscript(stem)}_{{{_subscript(rest)}}}"
    if found := _NUMBERED.fullmatch(word):
        return rf"{_subscript(found[1])}_{{{found[2]}}}"
    if word in GREEK:
        return rf"\{word}"
    return {"inf": r"\infty", "eps": r"\varepsilon"}.get(word, word)
