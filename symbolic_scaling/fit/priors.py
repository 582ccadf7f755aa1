"""Prior knowledge of constants as rows of their own: ``(expression - value)/deviation``, a residual with no input.

A row of data counts in units of its ``sigma``, and so does a prior. Where no sigma is given the rows' own noise takes
its place, as a fit without the priors leaves it (Huber 1973, doi 10.1214/aos/1176342503, for robust losses), so that a
prior is worth what the same knowledge from more rows would be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import sympy as sp

from .. import codegen, notation
from ..budget import cached
from ..codegen import Compiled
from ..errors import FitError
from ..law import Law
from .solve import Floats
from .units import scaled

__all__ = ["Given", "Priors", "notes", "read"]

#: (expression, value, deviation)
Given: TypeAlias = tuple[tuple[str, float, float], ...]


@dataclass(frozen=True, eq=False)
class Priors:
    """Some priors on the constants of a law.

    Parameters
    ----------
    law : Law
    given : tuple of (expression, value, deviation)
    sizes : tuple of float
        The size of each input's unit and of the response's, as in :class:`~.frame.Frame`.
    strength : float
        What every row is multiplied by.
    """

    law: Law
    given: Given
    sizes: tuple[float, ...]
    strength: float = 1.0

    @cached_property
    def _compiled(self) -> Compiled:
        return _compile(self.law, tuple(text for text, *_ in self.given))

    def __call__(self, constants: Floats) -> tuple[Floats, Floats]:
        """Rows (k, m), and their gradients (c, k, m), at constants (c, k) in the units of the fit."""
        centre, deviation = np.array([pair for _, *pair in self.given]).T
        with np.errstate(all="ignore"):  # a prior too sharp for numbers is infinitely far away
            values, gradient = self._compiled.value_and_gradient(*np.log(self.sizes), *constants)
            factor = self.strength / deviation
            return (values.T - centre) * factor, gradient.transpose(1, 2, 0) * factor


@cached
def _compile(law: Law, texts: tuple[str, ...]) -> Compiled:
    """The expressions in the units of a fit, which carry their constants over to the user's."""
    logs, factors = scaled(law)
    known = {symbol.name: symbol for symbol in law.constants}
    moved = {s: s * sp.exp(factor) for s, factor in zip(law.constants, factors, strict=True)}
    wanted = [notation.parse(text, known).xreplace(moved) for text in texts]
    return codegen.compile(wanted, (*logs, *law.constants), law.constants, scalars=logs, domain=law.domain)


def notes(law: Law, given: Given, constants: Floats) -> list[str]:
    """How far the estimate (c,), in the user's units, lies from each prior.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> notes(laws.get("m1"), (("c", -0.4, 0.1),), np.array([2.0, -0.35]))
    ['prior c = -0.4, give or take 0.1: found -0.35, 0.5 deviations away']
    """
    if not given:
        return []
    plain = tuple((text, value, 1.0) for text, value, _ in given)
    away, _ = Priors(law, plain, (1.0,) * (len(law.inputs) + 1))(constants[:, None])
    return [
        f"prior {text} = {value:g}, give or take {deviation:g}: found {value + off:.6g}, "
        f"{abs(off) / deviation:.2g} deviations away"
        for (text, value, deviation), off in zip(given, away[0].tolist(), strict=True)
    ]


def read(law: Law, given: Mapping[str, Any], ties: Mapping[sp.Symbol, sp.Expr]) -> Given:
    """Check priors; constants that are tied are replaced.

    Parameters
    ----------
    law : Law
        Without the tied constants.
    given : mapping of name or expression to (value, deviation)
    ties : mapping of tied constant to expression

    Raises
    ------
    FitError
        If a value or deviation is no number, a deviation is not positive, or an expression holds no constant.
    ParseError
        If an expression does not read; the place is marked.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> read(laws.get("chinchilla"), {"alpha - beta": (0, 0.02)}, {})
    (('alpha - beta', 0.0, 0.02),)
    """
    known = {symbol.name: symbol for symbol in (*law.constants, *ties)}
    found = []
    for text, pair in given.items():
        asked = f"take the prior {text} = {pair} for {law.name}"
        try:
            value, deviation = (float(number) for number in pair)
        except (TypeError, ValueError):
            raise FitError(asked, "it is no pair of numbers", "give (value, deviation)") from None
        if not (np.isfinite(value) and np.isfinite(deviation) and deviation > 0):
            raise FitError(asked, "the deviation must be positive, and both finite", "give (value, deviation)")
        expression = notation.parse(text, known).xreplace(dict(ties))
        if not expression.free_symbols:
            raise FitError(asked, "it holds no constant of the law", f"use {', '.join(known)}")
        found.append((notation.text(expression), value, deviation))
    return tuple(found)
