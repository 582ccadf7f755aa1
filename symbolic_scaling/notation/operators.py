r"""The LaTeX commands that take arguments: ``\frac``, ``\sqrt``, ``\log``, ``\sum``, ``\lim``, derivatives.

Each function reads one at TeX token ``i`` of a :class:`~.lexer.Lexer`, emits its terminals and returns where it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from .bounds import big, limit
from .derivatives import derivative, differential, partial

if TYPE_CHECKING:
    from .lexer import Lexer

__all__ = ["FUNCTIONS", "OPERATORS", "function"]

FUNCTIONS = MappingProxyType(
    {"log": "log", "ln": "log", "exp": "exp", "min": "Min", "max": "Max", "inf": "Min", "sup": "Max"}
)
"""The named functions: LaTeX word -> the name that :func:`~.build.call` takes."""


def _fraction(lexer: Lexer, i: int) -> int:
    r"""``\frac{a}{b}``, or the derivative that ``\frac{d}{dx}`` and ``\frac{\partial^2 L}{\partial N^2}`` are."""
    tex = lexer.tex
    middle = tex.after(i + 1)
    end = tex.after(middle)
    above, below = tex.inside(i + 1, middle), tex.inside(middle, end)
    mark = differential(lexer, *above)
    if mark and mark == differential(lexer, *below):
        return derivative(lexer, i, above, below, end)
    lexer.emit("_FRAC", i, i + 1)
    lexer.braced(i + 1, middle)
    lexer.braced(middle, end)
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
        r"\sum": big,
        r"\prod": big,
        r"\lim": limit,
        r"\partial": partial,
    }
)
