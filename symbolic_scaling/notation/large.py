"""Whole powers of exact numbers too long to be written out: ``(999/1000)**5000`` stays as it is read.

SymPy would form the number at once. As a function of two numbers it keeps its place in an expression, and balls decide
what is said of it.
"""

from __future__ import annotations

from typing import Any

import mpmath
import sympy as sp

__all__ = ["LargePower"]


class LargePower(sp.Function):  # type: ignore[misc]
    """``base**exponent`` of a rational and an integer, not formed.

    Examples
    --------
    >>> LargePower(sp.Rational(999, 1000), sp.Integer(5000)).evalf(5)
    0.0067211
    """

    nargs = 2

    def _eval_is_extended_real(self) -> bool:
        return True

    def _eval_is_finite(self) -> bool:
        return True

    def _eval_is_positive(self) -> bool:
        return bool(self.args[0].is_positive or self.args[1].is_even)

    def _eval_is_negative(self) -> bool:
        return not self._eval_is_positive()

    def _eval_evalf(self, prec: int) -> sp.Expr:
        context = mpmath.MPContext()
        context.prec = prec + 64
        base, exponent = self.args
        return sp.Float._new(((context.mpf(int(base.p)) / int(base.q)) ** int(exponent))._mpf_, prec)

    def _sympystr(self, _printer: Any) -> str:
        base, exponent = (str(part) if part.is_Integer and part > 0 else f"({part})" for part in self.args)
        return f"{base}**{exponent}"

    def _latex(self, printer: Any, exp: Any = None) -> str:
        power = rf"\left({printer._print(self.args[0])}\right)^{{{printer._print(self.args[1])}}}"
        return power if exp is None else rf"\left({power}\right)^{{{exp}}}"
