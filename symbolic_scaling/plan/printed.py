"""Printed numbers beside recomputed ones: the value, how far the printed digits move it, and the verdict."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import sympy as sp

from ..domain import Domain
from ..records import Claim, Number
from .records import Sheet
from .sources import Source
from .units import evaluated

__all__ = ["Recomputed", "allowed", "digits", "sheet"]

BITS = 128


@dataclass(frozen=True)
class Recomputed:
    """A number that a paper prints, the expression that gives it, and the printed inputs as texts."""

    name: str
    expression: sp.Expr
    printed: str
    values: tuple[tuple[sp.Symbol, str], ...]


def digits(source: Source) -> dict[sp.Symbol, str]:
    """Symbol -> text, the constants of a source as its set prints them."""
    return {source.law.symbols[name]: text for name, text in source.law.published_set(source.label).constants}


def allowed(expression: sp.Expr, texts: Mapping[sp.Symbol, str]) -> str:
    """The least and the largest value of an expression at the ends of its inputs' last digits.

    They are attained. Where the expression rises or falls in each input throughout, nothing lies outside.

    Examples
    --------
    >>> a, b = sp.symbols("a b", positive=True)
    >>> allowed(b / (a + b), {a: "0.34", b: "0.28"})
    '0.4435 to 0.4597'
    """
    from flint import arb, ctx, fmpq  # here, as plans that print no paper's numbers start faster without

    from ..verify.ball import elementary, evaluate, tape
    from ..verify.printed import read_printed

    rows = tape(elementary(expression))
    names = sorted(expression.free_symbols, key=lambda s: str(s.name))
    ends = [read_printed(texts[symbol], f"read {symbol}").ends for symbol in names]
    found = []
    with ctx.workprec(BITS):
        for corner in itertools.product(*ends):
            here = {s: fmpq(value.numerator, value.denominator) for s, value in zip(names, corner, strict=True)}
            found.append(float(arb(evaluate(rows, here, BITS)).mid()))
    return f"{min(found):.4g} to {max(found):.4g}"


def sheet(title: str, lines: Iterable[Recomputed], source: str = "") -> Sheet:
    """One row a number: printed, recomputed, at the ends of the inputs' digits, the verdict, and the inputs."""
    from .. import verify

    rows = []
    for line in lines:
        texts = {s: text for s, text in line.values if line.expression.has(s)}
        point = {symbol: sp.Rational(text) for symbol, text in texts.items()}
        statement = Number(line.expression, printed=line.printed, values=tuple(texts.items()))
        claim = Claim(line.name, statement, Domain(), source)
        found = verify.claim(claim, budget=20.0)
        value = evaluated(line.expression, point, f"recompute {line.name}")
        given = ", ".join(f"{symbol} = {text}" for symbol, text in texts.items())
        rows.append((line.name, line.printed, value, allowed(line.expression, texts), found.status.name, given))
    columns = ("number", "printed", "recomputed", "at the digits' ends", "verdict", "from")
    return Sheet(title, columns, tuple(rows))
