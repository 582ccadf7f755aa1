r"""Operators with bounds: ``\lim_{x \to a^+}``, ``\sum_{i=1}^{n}``, ``\sum_{i \le n}``, ``\prod``."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

import sympy as sp

from .derivatives import read_variable

if TYPE_CHECKING:
    from .lexer import Lexer

__all__ = ["big", "limit"]

_ARROWS = MappingProxyType(
    {r"\to": "", r"\rightarrow": "", r"\downarrow": "+", r"\searrow": "+", r"\uparrow": "-", r"\nearrow": "-"}
)
_SIDED = re.compile(r"(?P<before>[+-]?)(?P<point>0|.+?)(?:\^\{(?P<above>[+-])\}|(?P<behind>[+-]))?")
_BELOW = MappingProxyType({"<": 1, r"\lt": 1, r"\le": 0, r"\leq": 0, r"\leqslant": 0})


def limit(lexer: Lexer, i: int) -> int:
    r"""``\lim_{x \to \infty}``, ``\lim_{x \downarrow 0}`` and ``\lim_{x \to a^-}`` before their function."""
    tex = lexer.tex
    hung = lexer.scripts(i + 1)
    if hung.sub is None or hung.sup is not None or hung.primes:
        raise lexer.error(i, r"\lim without its variable", r"write \lim_{x \to \infty}")
    lo, hi = tex.inside(*hung.sub)
    arrow = next((k for k in range(lo, hi) if tex.text(k) in _ARROWS), hi)
    if arrow == hi or not tex.is_name(lo) or tex.scripts(tex.after(lo)).end != arrow:
        raise lexer.error(lo, r"\lim without an arrow", r"write x \to \infty, x \to 0, 0^+ or 0^-")
    variable, order = read_variable(lexer, lo)
    point, side = _point(lexer, arrow + 1, hi)
    side = _ARROWS[tex.text(arrow)] or side
    if order != 1 or (side and {"+": variable.is_negative, "-": variable.is_positive}[side] and point == 0):
        raise lexer.error(lo, f"{variable} does not come from that side", "match the declared sign of the variable")
    lexer.emit("OPERATOR", i, hung.end, ("lim", variable, point, side))
    return hung.end


def _point(lexer: Lexer, lo: int, hi: int) -> tuple[sp.Expr, str]:
    """Where a limit is taken, and from which side: an end, a number or a declared symbol."""
    match = _SIDED.fullmatch(lexer.tex.spell(lo, hi, False).replace(" ", ""))
    if match and match["point"] == r"\infty" and not (match["above"] or match["behind"]):
        return (-sp.oo if match["before"] == "-" else sp.oo), ""
    if match and re.fullmatch(r"\d+(\.\d+)?", match["point"]):
        side = match["above"] or match["behind"] or ""
        if match["point"] == "0":
            return sp.Integer(0), side or match["before"]
        return sp.Rational(match["before"] + match["point"]), side
    if match and lexer.tex.is_name(lo):
        read = lexer.read(lo)[0]
        if read is not None and isinstance(read.meaning, sp.Symbol):
            return read.meaning, match["above"] or match["behind"] or ""
    raise lexer.error(lo, r"\lim at no point that is read", r"write x \to \infty, x \to 0, 0^+ or 0^-")


def big(lexer: Lexer, i: int) -> int:
    r"""``\sum_{i=1}^{n}``, ``\sum_{i \le n}`` and ``\prod`` before their terms."""
    tex = lexer.tex
    hung = lexer.scripts(i + 1)
    if hung.sub is not None and hung.sup is None and not hung.primes:
        return _bounded(lexer, i, *tex.inside(*hung.sub), hung.end)
    if hung.sub is None or hung.sup is None or hung.primes:
        raise lexer.error(i, f"{tex.text(i)} without both ends", rf"write {tex.text(i)}_{{i=1}}^{{n}}")
    lo, hi = tex.inside(*hung.sub)
    behind = tex.scripts(tex.after(lo)).end if tex.is_name(lo) else lo
    if behind >= hi or tex.text(behind) != "=":
        raise lexer.error(lo, f"{tex.text(i)} without an index", rf"write {tex.text(i)}_{{i=1}}^{{n}}")
    lexer.emit("BIG", i, i + 1, (tex.text(i).removeprefix("\\"), _index(lexer, i, lo), 0, 0))
    lexer.braced(behind + 1, hi)
    lexer.braced(*hung.sup)
    return hung.end


def _index(lexer: Lexer, i: int, lo: int) -> sp.Symbol:
    """The index at ``lo`` of the sum at ``i``."""
    index, order = read_variable(lexer, lo)
    if order != 1:
        raise lexer.error(lo, "a power as index", rf"write {lexer.tex.text(i)}_{{i=1}}^{{n}}")
    return index


def _bounded(lexer: Lexer, i: int, lo: int, hi: int, end: int) -> int:
    r"""``\sum_{i \le n}``, which counts from 1, and ``\sum_{0 \le i < n}``."""
    tex = lexer.tex
    signs = [k for k in range(lo, hi) if tex.text(k) in _BELOW]
    at = signs[0] + 1 if len(signs) == 2 else lo
    if len(signs) not in (1, 2) or not tex.is_name(at) or tex.scripts(tex.after(at)).end != signs[-1]:
        raise lexer.error(i, f"{tex.text(i)} without both ends", rf"write {tex.text(i)}_{{i=1}}^{{n}}")
    low = _BELOW[tex.text(signs[0])] if len(signs) == 2 else 0
    meaning = (tex.text(i).removeprefix("\\"), _index(lexer, i, at), low, -_BELOW[tex.text(signs[-1])])
    lexer.emit("BIG", i, i + 1, meaning)
    if len(signs) == 2:
        lexer.braced(lo, signs[0])
    else:
        lexer.emit("_LBRACE", lo, lo)
        lexer.emit("NAME", signs[0], signs[0] + 1, sp.Integer(1))
        lexer.emit("_RBRACE", signs[0], signs[0] + 1)
    lexer.braced(signs[-1] + 1, hi)
    return end
