r"""The spelling of names: ``eps_inf`` is printed ``\varepsilon_{\infty}``, ``\alpha_C^{\min}`` is ``alpha_C_min``."""

from __future__ import annotations

import re

from .source import Source, is_name, quoted
from .tex import FONTS, GREEK, Tokens, scan

__all__ = ["EULER", "name_of", "plain_name", "spellings", "symbol_latex", "whole"]

EULER = r"\mathrm{e}"
"""Euler's number, upright as ISO 80000-2 prints it, where it is not declared otherwise."""
_ACCENT = re.compile(rf"([A-Za-z]|eps|{'|'.join(sorted(GREEK))})_?(hat|bar|tilde|dot)")
_NUMBERED = re.compile(r"([A-Za-z]+?)(\d+)")


def symbol_latex(name: str) -> str:
    r"""The LaTeX of a plain name.

    Examples
    --------
    >>> print(*map(symbol_latex, ("alpha_N", "N_star", "eps_inf", "d1", "loss", "L_min")))
    \alpha_{N} N^{\star} \varepsilon_{\infty} d_{1} \mathrm{loss} L_{\mathrm{min}}
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
        below = _subscript(rest)
        return rf"{_stem(stem)}_{{{whole(rest) if below == rest and len(rest) > 1 and rest.isalpha() else below}}}"
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
    exact = name_of(latex)[0].replace(r"\varepsilon", "eps").replace("*", " star ").replace("'", " prime ")
    exact = re.sub(r"\\infty\b", " inf ", exact)
    exact = re.sub(r"\\(hat|bar|tilde|dot)\{([^{}]*)\}", r"\2_\1 ", exact)
    for font in FONTS:
        exact = exact.replace(font, "")
    name = "_".join(re.findall(r"[A-Za-z0-9]+", re.sub(r"[_^]\{", " ", exact)))
    return name if is_name(name) else f"{name}_"


def name_of(latex: str) -> tuple[str, str]:
    """Both spellings of one LaTeX name, exact and loose.

    Raises
    ------
    ParseError
        If the text is no single name.
    """
    source = Source(latex, f"declare {quoted(latex[:40])}")
    source.check()
    tokens = scan(source)
    end = len(tokens.items)
    if not _is_single(tokens):
        raise source.error(0, "it is no single name", r"give one such as \alpha_N or N_{opt}")
    return tokens.spell(0, end, False), tokens.spell(0, end, True)


def _is_single(tokens: Tokens) -> bool:
    if not tokens.is_name(0):
        return False
    end = tokens.after(0)
    while end < len(tokens.items) and tokens.items[0].kind == tokens.items[end].kind == "letter":
        end += 1
    return tokens.scripts(end).end == len(tokens.items)


def spellings(name: str) -> tuple[str, ...]:
    """What a plain name may look like in LaTeX, the way it is printed first."""
    printed = symbol_latex(name)
    found = [printed, whole(name)]
    stem, _, rest = name.partition("_")
    middle, _, last = rest.rpartition("_")
    if middle and last != "star":
        found.append(rf"{_stem(stem)}_{{{', '.join(map(_subscript, rest.split('_')))}}}")
        if len(last) > 1 and _subscript(last) == last and last.isalpha():  # a word is no power
            found.append(rf"{_stem(stem)}_{{{_subscript(middle)}}}^{{{last}}}")
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
