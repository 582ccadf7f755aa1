"""A question with its law, as those see it who put the answers to the law again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TypeAlias

import sympy as sp

from ..algebra.implicit import Curve
from ..records import Asymptotic, Derivation, Equal, Found, Less, Question, Tends
from .common import elementary

__all__ = ["Asked", "Owed", "expressions"]

Owed: TypeAlias = Iterator[tuple[str, Equal | Less | Tends | Asymptotic]]
"""Answers by their keys, each with a statement about it."""


class Asked:
    """The law as an expression, or as what is zero along it, beside the question."""

    def __init__(self, derivation: Derivation, question: Question) -> None:
        law = derivation.law
        self.law = law
        self.question = question
        self.y = law.response.symbol
        self.form = question.form if question.form is not None else law.explicit

    @cached_property
    def level(self) -> sp.Expr:
        """What stays 0 along an implicit law."""
        return elementary(Curve(self.law.form, self.y, self.question.domain).level)

    def slope(self, symbol: sp.Symbol) -> sp.Expr:
        """The derivative of the response along an implicit law."""
        return -sp.diff(self.level, symbol) / sp.diff(self.level, self.y)

    def derivative(self, *symbols: sp.Symbol) -> sp.Expr:
        """The derivative of the response, written down only; of an implicit law worked out from its slope."""
        if self.form is not None:
            return sp.Derivative(elementary(self.form), *symbols)
        first, *rest = symbols
        found = self.slope(first)
        for symbol in rest:
            found = sp.diff(found, symbol) + sp.diff(found, self.y) * self.slope(symbol)
        return found


def expressions(found: Mapping[str, Found]) -> Iterator[tuple[str, sp.Expr]]:
    """The answers that are expressions."""
    return ((key, value) for key, value in found.items() if isinstance(value, sp.Expr))
