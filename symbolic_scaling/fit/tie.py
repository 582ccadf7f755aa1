"""Constants tied to others by an expression: another law, in which the constant is replaced.

``beta = alpha`` in ``E + A/N**alpha + B/D**beta`` makes ``E + A/N**alpha + B/D**alpha``, a law of four constants with
its own derivatives, units and box; whatever takes a law takes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import sympy as sp

from .. import notation
from ..algebra.order import sign
from ..domain import Domain
from ..errors import FitError
from ..law import Law, Parameter

__all__ = ["expressions", "notes", "tied", "values"]


def expressions(law: Law, given: Mapping[str, str]) -> dict[sp.Symbol, sp.Expr]:
    """Tied constant -> expression in the constants that are left.

    Parameters
    ----------
    given : mapping of name to text
        ``{"beta": "alpha"}``; a text may use constants that are tied themselves.

    Raises
    ------
    FitError
        If there is no such constant, a text holds no constant, or the ties run in a circle.
    ParseError
        If a text does not read; the place is marked.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> expressions(laws.get("chinchilla"), {"B": "2*A", "A": "E"})
    {B: 2*E, A: E}
    """
    if not given:
        return {}
    known = {symbol.name: symbol for symbol in law.constants}
    found: dict[sp.Symbol, sp.Expr] = {}
    for name, text in given.items():
        asked = f"tie {name} = {text} of {law.name}"
        if name not in known:
            raise FitError(asked, f"it has no constant {name!r}", f"it has {', '.join(known)}")
        read = notation.parse(text, known)
        if not read.free_symbols:
            raise FitError(asked, "it is a number", f"fix {name} instead")
        found[known[name]] = read
    for _ in found:
        found = {symbol: read.xreplace(found) for symbol, read in found.items()}
    for symbol, read in found.items():
        asked = f"tie {symbol} = {given[symbol.name]} of {law.name}"
        if read.free_symbols & set(found):
            raise FitError(asked, "the ties run in a circle", "leave one of these constants free")
        side = sign(read, law.domain)
        if side is not None and side != (1 if symbol.is_positive else -1 if symbol.is_negative else side):
            raise FitError(asked, f"{symbol} lies in {law.domain.interval(symbol)}, and {read} never does", "match it")
    return found


def tied(law: Law, given: Mapping[str, str]) -> Law:
    """The law with the tied constants replaced.

    Parameters and errors as for :func:`expressions`.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> tied(laws.get("chinchilla"), {"beta": "alpha"}).form
    Eq(L, A/N**alpha + B/D**alpha + E)
    """
    found = expressions(law, given)
    if not found:
        return law
    said = ", ".join(f"{symbol.name} = {notation.text(read)}" for symbol, read in found.items())
    left = [parameter for parameter in law.parameters if parameter.symbol not in found]
    kept = [(s, interval) for s, interval in law.domain.ranges if s not in found]
    relations = [tuple(side.xreplace(found) for side in pair) for pair in law.domain.relations]
    return replace(
        law,
        name=f"{law.name}-tied",
        title=f"{law.title}, with {said}",
        parameters=tuple(_moved(parameter, found) for parameter in left),
        form=sp.Eq(law.form.lhs.xreplace(found), law.form.rhs.xreplace(found), evaluate=False),
        domain=Domain(tuple(kept), tuple((more, less) for more, less in relations if more.free_symbols)),
        published=(),
    )


def _moved(parameter: Parameter, found: Mapping[sp.Symbol, sp.Expr]) -> Parameter:
    """A parameter whose neighbours are those of the new law; one that became an expression bounds it no more."""
    above, below = (found.get(side, side) for side in (parameter.above, parameter.below))
    plain = (side if isinstance(side, sp.Symbol) else None for side in (above, below))
    return replace(parameter, above=next(plain), below=next(plain))


def notes(law: Law, given: Sequence[tuple[str, str]], estimate: Mapping[str, float]) -> list[str]:
    """The ties with their values at an estimate."""
    found = values(law, dict(given), estimate)
    return [f"{name} = {text} = {found[name]:.6g} (tied)" for name, text in given]


def values(law: Law, given: Mapping[str, str], estimate: Mapping[str, float]) -> dict[str, float]:
    """The tied constants' values at an estimate of the others.

    Parameters
    ----------
    law : Law
        With the constants replaced.
    given : mapping of name to text
        In the constants of ``law``.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> values(tied(laws.get("chinchilla"), {"B": "2*A"}), {"B": "2*A"}, {"A": 400.0})
    {'B': 800.0}
    """
    if not given:
        return {}
    known = {symbol.name: symbol for symbol in law.constants}
    point = {known[name]: sp.Float(value) for name, value in estimate.items()}
    return {name: float(notation.parse(text, known).subs(point)) for name, text in given.items()}
