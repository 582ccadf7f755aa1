"""Quantities in which a root stands: what a frontier without a closed form gives, with exact gradients.

Where ``F(x, constants) = 0`` fixes x, the gradient of ``g(x, constants)`` is ``g_c - g_x F_c/F_x``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import sympy as sp

from ..law import Law
from ..records import Root
from .derived import Quantity, compile_of, fill, quantity
from .solve import Floats

__all__ = ["Rooted", "rooted"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Rooted(Quantity):
    """A function of a law's constants and of one root of theirs.

    Parameters
    ----------
    root : Quantity
        The root itself.
    letter : Symbol
        What the root is called in ``expression``.
    """

    root: Quantity
    letter: sp.Symbol

    @property
    def constants(self) -> frozenset[str]:
        """The names of the constants that it depends on."""
        assert isinstance(self.expression, sp.Expr)
        free = self.expression.free_symbols & set(self.law.constants)
        return self.root.constants | {symbol.name for symbol in free}

    @property
    def positive(self) -> bool:
        """An input or a ratio of inputs is; else as the signs say."""
        inputs = {symbol.name for symbol in self.law.inputs}
        return set(self.name.split("/")) <= inputs or super().positive

    def plain(self, constants: Floats) -> tuple[Floats, Floats]:
        """Values (k,) and gradient (c, k) at constants (c, k)."""
        x, slopes = self.root.plain(constants)
        assert isinstance(self.expression, sp.Expr)
        numbers = dict(self.given)
        made = compile_of(self.law, self.expression, tuple(numbers), self.letter)
        value, both = fill(made, list(numbers.values()), x, constants)
        return value, both[1:] + both[0] * slopes


def rooted(
    law: Law,
    expression: sp.Expr,
    root: Root,
    values: Mapping[str, float] | None = None,
    *,
    name: str = "",
    ties: Iterable[tuple[str, str]] = (),
) -> Quantity:
    """An expression in which the symbol of a root stands for the root; arguments as for ``derived.quantity``.

    Raises
    ------
    FitError
        If a name has no value.

    Examples
    --------
    >>> import numpy as np
    >>> from symbolic_scaling import laws
    >>> law = laws.get("m1")
    >>> beta, x = law.symbols["beta"], sp.Symbol("t", positive=True)
    >>> half = Root(x, x**2 - beta, (sp.Integer(0), sp.oo), "it rises")
    >>> log_value, gradient = rooted(law, 3 * x, half)(np.array([[4.0], [-0.5]]))
    >>> float(np.exp(log_value[0]).round(9)), gradient[:, 0].round(9).tolist()
    (6.0, [0.125, 0.0])
    """
    said, known = tuple(ties), dict(values or {})
    inner = quantity(law, root, known, root.symbol.name, said)
    outer = quantity(law, expression, {**known, root.symbol.name: 1.0}, name, said)
    given = tuple(pair for pair in outer.given if pair[0] != root.symbol)
    return Rooted(outer.name, law, outer.expression, given, root=inner, letter=root.symbol)
