r"""The LaTeX commands that take arguments: ``\frac``, ``\sqrt``, ``\log``, ``\sum``, ``\lim``, derivatives.

Each function reads one at TeX token ``i`` of a :class:`~.lexer.Lexer`, emits its terminals and returns where it ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import sympy as sp

from .source import quoted
from .tex import Scripts

if TYPE_CHECKING:
    from .lexer import Lexer

__all__ = ["FUNCTIONS", "OPERATORS", "function", "quotient"]

FUNCTIONS = MappingProxyType(
    {"log": "log", "ln": "log", "exp": "exp", "min": "Min", "max": "Max", "inf": "Min", "sup": "Max"}
)
"""The named functions: LaTeX word -> the name that :func:`~.build.call` takes."""

_ARROWS = MappingProxyType(
    {r"\to": "", r"\rightarrow": "", r"\downarrow": "+", r"\searrow": "+", r"\uparrow": "-", r"\nearrow": "-"}
)
_SIDED = re.compile(r"(?P<before>[+-]?)(?P<point>0|.+?)(?:\^\{(?P<above>[+-])\}|(?P<behind>[+-]))?")
_BELOW = MappingProxyType({"<": 1, r"\lt": 1, r"\le": 0, r"\leq": 0, r"\leqslant": 0})
_UPRIGHT = (r"\mathrm{d}", r"\text{d}", r"\operatorname{d}", r"\mathit{d}")
_ORDERS = range(1, 21)


def _fraction(lexer: Lexer, i: int) -> int:
    r"""``\frac{a}{b}``, or the derivative that ``\frac{d}{dx}`` and ``\frac{\partial^2 L}{\partial N^2}`` are."""
    tex = lexer.tex
    middle = tex.after(i + 1)
    end = tex.after(middle)
    above, below = tex.inside(i + 1, middle), tex.inside(middle, end)
    mark = _differential(lexer, *above)
    if mark and mark == _differential(lexer, *below):
        return _derivative(lexer, i, above, below, end)
    lexer.emit("_FRAC", i, i + 1)
    lexer.braced(i + 1, middle)
    lexer.braced(middle, end)
    return end


def _differential(lexer: Lexer, lo: int, hi: int) -> str:
    r"""The differential sign at ``lo``: ``d``, ``\partial``, or nothing."""
    if lo >= hi:
        return ""
    if lexer.tex.text(lo) in {"d", r"\partial"}:
        return lexer.tex.text(lo)
    return "d" if lexer.tex.is_name(lo) and lexer.tex.spell(lo, lexer.tex.after(lo), False) in _UPRIGHT else ""


def _derivative(lexer: Lexer, i: int, above: tuple[int, int], below: tuple[int, int], end: int) -> int:
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
        if not _differential(lexer, lo, hi):
            raise lexer.error(lo, "a differential without its sign", r"write \partial N \partial D")
        at = tex.after(lo)
        if at >= hi or not tex.is_name(at):
            raise lexer.error(at, "no variable to differentiate by", r"write \frac{d}{dx}")
        found.append(_variable(lexer, at))
        lo = tex.scripts(tex.after(at)).end
    return tuple(found)


def _variable(lexer: Lexer, i: int) -> tuple[sp.Symbol, int]:
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


def _partial(lexer: Lexer, i: int) -> int:
    r"""``\partial L/\partial N``; ``\partial_N`` and ``\partial_x^2`` before what they differentiate."""
    if end := quotient(lexer, i):
        return end
    hung = lexer.scripts(i + 1)
    if hung.sub is None or hung.primes:
        raise lexer.error(i, r"\partial without its variable", r"write \frac{\partial L}{\partial N} or \partial_N L")
    lo, hi = lexer.tex.inside(*hung.sub)
    if not lexer.tex.is_name(lo) or lexer.tex.scripts(lexer.tex.after(lo)).end != hi:
        raise lexer.error(lo, r"\partial by what is no name", r"write x \partial_x f for the derivative by \log x")
    variable, order = _variable(lexer, lo)
    lexer.emit("OPERATOR", i, hung.end, ("diff", ((variable, order * _order(lexer, i, hung)),)))
    return hung.end


def quotient(lexer: Lexer, i: int) -> int:
    r"""The derivative that ``\partial L/\partial N`` or ``dL(N)/dN`` at ``i`` is, and where it ends; else 0."""
    tex, hi = lexer.tex, lexer.end
    mark = _differential(lexer, i, hi)
    if not mark or any(lexer.table.find(word, word) for word in ("d", f"d{tex.text(i + 1)}") if tex.text(i) == "d"):
        return 0
    start = tex.scripts(tex.after(i), hi).end
    named = start < hi and tex.is_name(start)
    slash = tex.bracket(tex.scripts(tex.after(start), hi).end if named else start)
    if slash in (start, hi):
        return 0
    end = below = slash + 1
    while end < hi and _differential(lexer, end, hi) == mark and tex.is_name(tex.after(end)):
        end = tex.scripts(tex.after(tex.after(end)), hi).end
    if tex.text(slash) not in {"/", r"\div"} or end == below:
        return 0
    return _derivative(lexer, i, (i, slash), (below, end), end)


def _limit(lexer: Lexer, i: int) -> int:
    r"""``\lim_{x \to \infty}``, ``\lim_{x \downarrow 0}`` and ``\lim_{x \to a^-}`` before their function."""
    tex = lexer.tex
    hung = lexer.scripts(i + 1)
    if hung.sub is None or hung.sup is not None or hung.primes:
        raise lexer.error(i, r"\lim without its variable", r"write \lim_{x \to \infty}")
    lo, hi = tex.inside(*hung.sub)
    arrow = next((k for k in range(lo, hi) if tex.text(k) in _ARROWS), hi)
    if arrow == hi or not tex.is_name(lo) or tex.scripts(tex.after(lo)).end != arrow:
        raise lexer.error(lo, r"\lim without an arrow", r"write x \to \infty, x \to 0, 0^+ or 0^-")
    variable, order = _variable(lexer, lo)
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


def _big(lexer: Lexer, i: int) -> int:
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
    index, order = _variable(lexer, lo)
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


def _root(lexer: Lexer, i: int) -> int:
    r"""``\sqrt{x}`` and ``\sqrt[3]{x}``."""
    at = i + 1
    degree = lexer.tex.text(at) == "["
    lexer.emit("_NTHROOT" if degree else "_ROOT", i, at)
    if degree:
        close = lexer.tex.closing(at)
        lexer.braced(at + 1, close)
        at = close + 1
    end = lexer.tex.after(at)
    lexer.braced(at, end)
    return end


def _command(lexer: Lexer, i: int) -> int:
    return function(lexer, i, lexer.scripts(i + 1).end)


def function(lexer: Lexer, i: int, end: int) -> int:
    r"""``\log``, ``\log_2``, ``\log^2``, ``\exp``, ``\operatorname{min}`` at ``i``; scripts end at ``end``."""
    tex = lexer.tex
    behind = i + 1 if lexer.tex.text(i).removeprefix("\\") in FUNCTIONS else tex.after(i)
    hung = lexer.scripts(behind)
    name = FUNCTIONS[tex.spell(i, behind, True).strip().removeprefix("\\")]
    if name in {"Min", "Max"} and hung.sub:
        raise lexer.error(i, "an extremum over a variable", "state it at the point where it is taken")
    if hung.primes or (name != "log" and end > behind):
        raise lexer.error(i, f"{tex.text(i)} with a script", "put the bracket's power outside, or leave it out")
    lexer.emit("EXTREME" if name in {"Min", "Max"} else "LOG", i, behind, name)
    if hung.sub:
        lexer.emit("SUB", hung.sub[0] - 1, hung.sub[0])
        lexer.braced(*hung.sub)
    if hung.sup:
        lexer.power(*hung.sup)
    return end


OPERATORS: Mapping[str, Callable[[Lexer, int], int]] = MappingProxyType(
    {
        **{rf"\{kind}frac": _fraction for kind in ("", "t", "d", "c")},
        **{rf"\{word}": _command for word in FUNCTIONS},
        r"\sqrt": _root,
        r"\sum": _big,
        r"\prod": _big,
        r"\lim": _limit,
        r"\partial": _partial,
    }
)
