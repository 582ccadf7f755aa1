"""The numbers of a derivation at published constants and given inputs, computed from exact ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sympy as sp

    from ..law import Law
    from ..records import Derivation

__all__ = ["known", "values"]


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
    """Key -> number, for every expression, root and series that was found; errors as ``codegen.evaluate``."""
    from ..codegen import evaluate

    return evaluate(found, numbers)
