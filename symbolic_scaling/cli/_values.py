"""The numbers of a derivation at published constants and given inputs, computed from exact ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..errors import DomainError, ScalingError

if TYPE_CHECKING:
    import sympy as sp

    from ..law import Law
    from ..records import Derivation

__all__ = ["known", "values"]

_DIGITS = 30


def known(law: Law, published: str | None, at: Mapping[str, str]) -> dict[str, sp.Expr]:
    """Name -> exact number: the constants of a published set, then what --at says.

    Raises
    ------
    LawError
        If the law has no such set.
    ParseError
        If a number does not read.
    """
    import sympy as sp

    from .. import quantity

    constants = law.published_set(published).exact() if published else {}
    given = {name: quantity.read(text).value for name, text in at.items()}
    return {**constants, **{name: sp.Rational(v.numerator, v.denominator) for name, v in given.items()}}


def values(found: Derivation, numbers: Mapping[str, sp.Expr]) -> dict[str, float]:
    """Key -> number, for every expression that was found.

    Raises
    ------
    ScalingError
        If a name has no number, nothing found holds a given name, or an answer has no closed form.
    DomainError
        If a number is outside the range of its name.
    """
    import sympy as sp

    asked = f"evaluate the {found.title}"
    answers = {key: answer for key, answer in found.found if isinstance(answer, sp.Expr)}
    if not answers or found.cases:
        raise ScalingError(asked, "it has no closed form for all cases", "leave out --published and --at")
    symbols = sorted({s for answer in answers.values() for s in answer.free_symbols}, key=lambda s: str(s.name))
    have = {*found.law.symbols, *(symbol.name for symbol in symbols)}
    if foreign := sorted(set(numbers) - have):
        raise ScalingError(asked, f"it has no {', '.join(foreign)}", f"its names are {', '.join(sorted(have))}")
    if missing := [symbol.name for symbol in symbols if symbol.name not in numbers]:
        remedy = f"say --at {','.join(f'{name}=...' for name in missing)}"
        sets = ", ".join(one.name for one in found.law.published)
        raise ScalingError(
            asked, f"no number for {', '.join(missing)}", remedy + (f", or --published {sets}" if sets else "")
        )
    for symbol in symbols:
        interval = found.law.domain.interval(symbol)
        if not interval.contains(numbers[symbol.name].evalf(_DIGITS)):
            raise DomainError(asked, f"{symbol} = {numbers[symbol.name]} lies outside {interval}", "check the number")
    point = {symbol: numbers[symbol.name] for symbol in symbols}
    return {key: _number(asked, key, answer, point) for key, answer in answers.items()}


def _number(asked: str, key: str, answer: sp.Expr, point: Mapping[sp.Symbol, sp.Expr]) -> float:
    """The value with 30 digits; powers of exact numbers with long exponents are never formed."""
    value = answer.doit().evalf(_DIGITS, subs=dict(point))
    if not value.is_real:
        raise ScalingError(asked, f"{key} has no real value there", "check the numbers")
    return float(value)
