"""A product of powers as one node: no power overflows where the product does not.

``x**1000/a**1000`` is infinite over infinite in doubles at x = 2, a = 4. The direct evaluation multiplies the powers
and watches each; the guarded one is one exponential of the sum of their logarithms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from sympy.core.function import ArgumentIndexError

from ..nodes import Node
from .instructions import Operand, Tape

__all__ = ["monomial", "written"]


class monomial(Node):
    """``b1**e1 * b2**e2 * ...`` from ``(b1, e1, b2, e2, ...)``: no power overflows where the product does not.

    The exponents are numbers, a whole one where the base may be negative; that of ``E`` is any expression.

    Examples
    --------
    >>> x, a = sp.symbols("x a", positive=True)
    >>> monomial(x, 1000, a, -1000).diff(x)
    1000*monomial(x, 999, a, -1000)
    >>> monomial(sp.Integer(2), 5000, sp.Integer(4), -2500).evalf(5)
    1.0000
    """

    @property
    def pairs(self) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
        """Base and exponent of each power."""
        return tuple(zip(self.args[::2], self.args[1::2], strict=True))

    @classmethod
    def _at(cls, context: Any, *arguments: Any) -> Any:
        return context.fprod(base**power for base, power in zip(arguments[::2], arguments[1::2], strict=True))

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """The derivative with respect to a base: its exponent times the product with one power less of it."""
        if not 1 <= argindex <= len(self.args):
            raise ArgumentIndexError(self, argindex)
        if argindex % 2 == 0:
            return self * sp.log(self.args[argindex - 2])
        power = self.args[argindex]
        return power * self.func(*self.args[:argindex], power - 1, *self.args[argindex + 1 :])

    def _eval_is_positive(self) -> bool | None:
        return True if all(base.is_positive for base, _ in self.pairs) else None

    def _eval_rewrite_as_exp(self, *arguments: sp.Expr, **_: Any) -> sp.Expr:
        return sp.Mul(*(base**power for base, power in zip(arguments[::2], arguments[1::2], strict=True)))


def written(tape: Tape, visit: Callable[[sp.Expr], Operand], node: monomial) -> Operand:
    """The operand of the guarded evaluation; bases of either sign by their size, with the sign of odd powers."""
    logs, signs = [], []
    for base, power in node.pairs:
        if base is sp.E:
            logs.append(visit(power))
            continue
        held = visit(base)
        if base.is_nonnegative is None:
            signs += [tape.apply("sign", held)] if power.is_odd else []
            held = tape.size(held)
        logs.append(tape.apply("multiply", tape.number(power), tape.apply("log", held)))
    total = tape.apply("exp", tape.fold("add", sorted(logs, key=tape.level_of)))
    return tape.fold("multiply", [total, *signs])
