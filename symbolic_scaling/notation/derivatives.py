r"""Derivatives as papers write them: ``\frac{dL}{dN}``, ``\partial^2 L/\partial N^2``, ``\partial_N``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from .source import quoted
from .tex import Scripts

if TYPE_CHECKING:
    from .lexer import Lexer

__all__ = ["derivative", "differential", "partial", "quotient", "read_variable"]

_UPRIGHT = (r"\mathrm{d}", r"\text{d}", r"\operatorname{d}", r"\mathit{d}")
_ORDERS = range(1, 21)


def differential(lexer: Lexer, lo: int, hi: int) -> str:
    r"""The differential sign at ``lo``: ``d``, ``\partial``, or nothing."""
    if lo >= hi:
        return ""
    if lexer.tex.text(lo) in {"d", r"\partial"}:
        return lexer.tex.text(lo)
    return "d" if lexer.tex.is_name(lo) and lexer.tex.spell(lo, lexer.tex.after(lo), False) in _UPRIGHT else ""


def derivative(lexer: Lexer, i: int, above: tuple[int, int], below: tuple[int, int], end: int) -> int:
    """The derivative whose differentials stand in both spans; what is differentiated may stand above or behind."""
    tex = lexer.tex
    for lo, hi in (above, below):
        words = ["d", "".join(item.text for item in tex.items[lo : lo + 2])] if tex.text(lo) == "d" and hi > lo else []
        for word in words:
            if lexer.table.find(word, word) is not None:
                remedy = r"write \mathrm{d} in the derivative, or \cdot in the fraction"
                raise lexer.error(lo, f"{word} is declared: a derivative, or a factor in a fraction?", remedy)
    hung = tex.scripts(tex.after(above[0]), above[1])
    order = _order(lexer, above[0], hung)
    variables = _variables(lexer, *below)
    if sum(count for _, count in variables) != order:
        raise lexer.error(i, f"order {order} above and another below", "give both the same order")
    if hung.end == above[1]:
        lexer.emit("OPERATOR", i, end, ("diff", variables))
        return end
    lexer.emit("DERIVATIVE", i, i + 1, ("diff", variables))
    lexer.braced(hung.end, above[1])
    return end


def _variables(lexer: Lexer, lo: int, hi: int) -> tuple[tuple[sp.Symbol, int], ...]:
    r"""The variables of ``dx``, ``\partial N^2 \partial D`` with their orders."""
    tex, found = lexer.tex, []
    while lo < hi:
        if not differential(lexer, lo, hi):
            raise lexer.error(lo, "a differential without its sign", r"write \partial N \partial D")
        at = tex.after(lo)
        if at >= hi or not tex.is_name(at):
            raise lexer.error(at, "no variable to differentiate by", r"write \frac{d}{dx}")
        found.append(read_variable(lexer, at))
        lo = tex.scripts(tex.after(at)).end
    return tuple(found)


def read_variable(lexer: Lexer, i: int) -> tuple[sp.Symbol, int]:
    """The variable at ``i`` and the order that its superscript is."""
    read, hung = lexer.read(i)
    if read is None:
        refusal = lexer.table.undeclared(lexer.tex, i, lexer.tex.after(i), hung)
        raise lexer.error(i, refusal.found, refusal.remedy)
    if not isinstance(read.meaning, sp.Symbol):
        raise lexer.error(i, "differentiated by what is no symbol", "declare the variable as a symbol")
    return read.meaning, 1 if read.whole else _order(lexer, i, hung)


def _order(lexer: Lexer, i: int, hung: Scripts) -> int:
    if hung.sup is None:
        return 1
    text = lexer.tex.spell(*hung.sup, False)
    if not text.isdecimal() or len(text) > 2 or int(text) not in _ORDERS:
        raise lexer.error(i, f"the order {quoted(text[:20])} of a derivative", f"give a number from 1 to {_ORDERS[-1]}")
    return int(text)


def partial(lexer: Lexer, i: int) -> int:
    r"""``\partial L/\partial N``; ``\partial_N`` and ``\partial_x^2`` before what they differentiate."""
    if end := quotient(lexer, i):
        return end
    hung = lexer.scripts(i + 1)
    if hung.sub is None or hung.primes:
        raise lexer.error(i, r"\partial without its variable", r"write \frac{\partial L}{\partial N} or \partial_N L")
    lo, hi = lexer.tex.inside(*hung.sub)
    if not lexer.tex.is_name(lo) or lexer.tex.scripts(lexer.tex.after(lo)).end != hi:
        raise lexer.error(lo, r"\partial by what is no name", r"write x \partial_x f for the derivative by \log x")
    variable, order = read_variable(lexer, lo)
    lexer.emit("OPERATOR", i, hung.end, ("diff", ((variable, order * _order(lexer, i, hung)),)))
    return hung.end


def quotient(lexer: Lexer, i: int) -> int:
    r"""The derivative that ``\partial L/\partial N`` or ``dL(N)/dN`` at ``i`` is, and where it ends; else 0."""
    tex, hi = lexer.tex, lexer.end
    mark = differential(lexer, i, hi)
    if not mark or any(lexer.table.find(word, word) for word in ("d", f"d{tex.text(i + 1)}") if tex.text(i) == "d"):
        return 0
    start = tex.scripts(tex.after(i), hi).end
    named = start < hi and tex.is_name(start)
    slash = tex.bracket(tex.scripts(tex.after(start), hi).end if named else start)
    if slash in (start, hi):
        return 0
    end = below = slash + 1
    while end < hi and differential(lexer, end, hi) == mark and tex.is_name(tex.after(end)):
        end = tex.scripts(tex.after(tex.after(end)), hi).end
    if tex.text(slash) not in {"/", r"\div"} or end == below:
        return 0
    return derivative(lexer, i, (i, slash), (below, end), end)
