"""Functions that stay exact where the elementary ones overflow or cancel: SymPy nodes with derivative and evaluation.

They stand in lowered expressions (``codegen.lower``); every target has its own way to print them.
``rewrite(sympy.exp)`` gives back the elementary form.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.function import ArgumentIndexError

__all__ = ["bernoulli_gap", "entropy", "expit", "expm1", "log1mexp", "log1p", "logsumexp", "softplus"]


class Node(sp.Function):  # type: ignore[misc]
    """Shared part: real values, evaluation at any precision through :meth:`_at`."""

    @classmethod
    def _at(cls, context: Any, *arguments: Any) -> Any:
        """The value from mpmath numbers, free of cancellation."""
        raise NotImplementedError

    def _slope(self, u: sp.Expr) -> sp.Expr:
        """The derivative with respect to the argument ``u``."""
        raise NotImplementedError

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """The derivative with respect to argument ``argindex``, counted from 1."""
        if not 1 <= argindex <= len(self.args):
            raise ArgumentIndexError(self, argindex)
        return self._slope(self.args[argindex - 1])

    def _eval_is_extended_real(self) -> bool | None:
        return True if all(argument.is_extended_real for argument in self.args) else None

    def _eval_evalf(self, prec: int) -> sp.Expr | None:
        import mpmath

        context = mpmath.MPContext()
        context.prec = prec + 10
        numbers = [argument.evalf(context.dps + 3) for argument in self.args]
        if not all(number.is_Float or number.is_Rational for number in numbers):
            return None
        return sp.Float._new(self._at(context, *(context.mpf(n._mpf_) for n in map(sp.Float, numbers)))._mpf_, prec)


class log1p(Node):
    """``log(1 + u)`` without loss for small u.

    Examples
    --------
    >>> log1p(sp.Rational(1, 10**20)).evalf(5)
    1.0000e-20
    """

    nargs = 1

    @classmethod
    def _at(cls, context: Any, u: Any) -> Any:
        return context.log1p(u)

    def _slope(self, u: sp.Expr) -> sp.Expr:
        return 1 / (1 + u)

    def _eval_rewrite_as_exp(self, u: sp.Expr, **_: Any) -> sp.Expr:
        return sp.log(1 + u)


class expm1(Node):
    """``exp(u) - 1`` without loss for small u.

    Examples
    --------
    >>> expm1(sp.Rational(1, 10**20)).evalf(5)
    1.0000e-20
    """

    nargs = 1

    @classmethod
    def _at(cls, context: Any, u: Any) -> Any:
        return context.expm1(u)

    def _slope(self, u: sp.Expr) -> sp.Expr:
        return sp.exp(u)

    def _eval_rewrite_as_exp(self, u: sp.Expr, **_: Any) -> sp.Expr:
        return sp.exp(u) - 1


class softplus(Node):
    """``log(1 + exp(u))``.

    Examples
    --------
    >>> u = sp.Symbol("u", real=True)
    >>> softplus(u).diff(u)
    expit(u)
    >>> softplus(sp.Integer(1000)).evalf(6)
    1000.00
    """

    nargs = 1

    @classmethod
    def _at(cls, context: Any, u: Any) -> Any:
        return max(u, context.zero) + context.log1p(context.exp(-abs(u)))

    def _slope(self, u: sp.Expr) -> sp.Expr:
        return expit(u)

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[0].is_real else None

    def _eval_rewrite_as_exp(self, u: sp.Expr, **_: Any) -> sp.Expr:
        return sp.log(1 + sp.exp(u))


class expit(Node):
    """``1/(1 + exp(-u))``, the derivative of :class:`softplus`.

    Examples
    --------
    >>> u = sp.Symbol("u", real=True)
    >>> expit(u).diff(u)
    expit(-u)*expit(u)
    """

    nargs = 1

    @classmethod
    def _at(cls, context: Any, u: Any) -> Any:
        return context.exp(min(u, context.zero)) / (1 + context.exp(-abs(u)))

    def _slope(self, u: sp.Expr) -> sp.Expr:
        return expit(u) * expit(-u)

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[0].is_real else None

    def _eval_rewrite_as_exp(self, u: sp.Expr, **_: Any) -> sp.Expr:
        return 1 / (1 + sp.exp(-u))


class entropy(Node):
    """``softplus(u) - u*expit(u)``, the entropy of odds ``exp(u)``: how ``f*softplus(w/f)`` changes with f, u = w/f.

    Examples
    --------
    >>> entropy(sp.Integer(800)).evalf(6) == entropy(sp.Integer(-800)).evalf(6)
    True
    """

    nargs = 1

    @classmethod
    def _at(cls, context: Any, u: Any) -> Any:
        size, odds = abs(u), context.exp(-abs(u))
        return context.log1p(odds) + size * odds / (1 + odds)

    def _slope(self, u: sp.Expr) -> sp.Expr:
        return -u * expit(u) * expit(-u)

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[0].is_real else None

    def _eval_rewrite_as_exp(self, u: sp.Expr, **_: Any) -> sp.Expr:
        return sp.log(1 + sp.exp(u)) - u / (1 + sp.exp(-u))


class log1mexp(Node):
    """``log(1 - exp(u))`` for u < 0: the logarithm of a difference of two positive numbers.

    Examples
    --------
    >>> log1mexp(sp.Rational(-1, 10**30)).evalf(10)
    -69.07755279
    """

    nargs = 1

    @classmethod
    def _at(cls, context: Any, u: Any) -> Any:
        return context.log(-context.expm1(u)) if u > -context.ln2 else context.log1p(-context.exp(u))

    def _slope(self, u: sp.Expr) -> sp.Expr:
        return -1 / expm1(-u)

    def _eval_rewrite_as_exp(self, u: sp.Expr, **_: Any) -> sp.Expr:
        return sp.log(1 - sp.exp(u))


class bernoulli_gap(Node):
    """``1 - u/(exp(u) - 1)``, by how much Bernoulli's function is below 1.

    ``WEIGHTS`` are ``B_2k/(2k)!`` from k = 7 to 1: with their polynomial p, the value is ``u/2 - u**2*p(u**2)`` to
    1e-17 of itself for ``|u| < 1/2``.

    Examples
    --------
    >>> bernoulli_gap(sp.Rational(1, 10**20)).evalf(5)
    5.0000e-21
    """

    nargs = 1
    WEIGHTS = (1 / 74724249600, -691 / 1307674368000, 1 / 47900160, -1 / 1209600, 1 / 30240, -1 / 720, 1 / 12)

    @classmethod
    def _at(cls, context: Any, u: Any) -> Any:
        if u == 0:
            return context.zero
        with context.workprec(context.prec + 20 + max(0, -context.mag(u))):
            return 1 - u / context.expm1(u)

    def _slope(self, u: sp.Expr) -> sp.Expr:
        return (u - self) / expm1(u)

    def _eval_rewrite_as_exp(self, u: sp.Expr, **_: Any) -> sp.Expr:
        return 1 - u / (sp.exp(u) - 1)


class logsumexp(Node):
    """``log(exp(u1) + exp(u2) + ...)``: the logarithm of a sum of positive terms from the terms' logarithms.

    Examples
    --------
    >>> a, b = sp.symbols("a b", real=True)
    >>> logsumexp(a, b).diff(a)
    exp(a - logsumexp(a, b))
    >>> logsumexp(sp.Integer(-1000), sp.Integer(-1001)).evalf(8)
    -999.68674
    """

    @classmethod
    def eval(cls, *arguments: sp.Expr) -> sp.Expr | None:
        """One argument is its own answer; several are put in order."""
        if len(arguments) == 1:
            return arguments[0]
        ordered = sorted(arguments, key=sp.default_sort_key)
        return None if list(arguments) == ordered else cls(*ordered)

    @classmethod
    def _at(cls, context: Any, *arguments: Any) -> Any:
        top = max(arguments)
        return top + context.log(context.fsum(context.exp(u - top) for u in arguments))

    def _slope(self, u: sp.Expr) -> sp.Expr:
        return sp.exp(u - self)

    def _eval_rewrite_as_exp(self, *arguments: sp.Expr, **_: Any) -> sp.Expr:
        return sp.log(sp.Add(*map(sp.exp, arguments)))
