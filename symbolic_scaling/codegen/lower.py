"""Log-form lowering: an expression rewritten so that it neither overflows nor loses a term.

The logarithm of a positive expression is built by four rules: number, product, power, sum. A sum of positive terms
becomes a ``logsumexp`` of the terms' logarithms, ``1 + t`` becomes ``softplus(log t)``, a difference whose sign the
domain fixes becomes ``log1mexp``, or stays a plain subtraction where both sides are plain symbols (a subtraction
of two given floats is exact where it matters). Only bases of powers need a sign; exponents are any real numbers.

Values of either sign keep what the formula shows: ``A*exp(u) - A`` becomes ``A*expm1(u)``, ``log(1 + v)`` becomes
``log1p(v)``, and a product of powers is one ``monomial``, whose powers may overflow where the product does not.

Worked example: ``log(E + A*N**(-alpha))`` becomes ``logsumexp(log(E), log(A) - alpha*log(N))``.

The lowered form has two evaluations, equal wherever both are finite. *Guarded* keeps the nodes; it never overflows.
*Direct* (:mod:`.direct`) opens them into ``E + A*exp(-alpha*log(N))``, which needs fewer exponentials; the caller
checks that its sums stayed inside the range of doubles.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import sympy as sp

from ..algebra import order
from ..budget import cached
from ..domain import Domain
from ..errors import DomainError
from ..nodes import expm1, log1mexp, log1p, logsumexp, softplus
from .monomial import monomial

__all__ = ["Lowering"]


@dataclass(frozen=True)
class Lowering:
    """The rules, for one domain.

    Parameters
    ----------
    domain : Domain
        Ranges and relations that give the signs of symbols and of differences.
    atoms : mapping of Expr to Expr
        Expressions whose logarithm is known: positive expression -> its logarithm.

    Examples
    --------
    >>> E, A, N, alpha = sp.symbols("E A N alpha", positive=True)
    >>> Lowering().log(E + A / N**alpha)
    logsumexp(-alpha*log(N) + log(A), log(E))
    >>> Lowering().log((1 + (N / A) ** (1 / alpha)) ** (-E))
    -E*softplus((-log(A) + log(N))/alpha)
    """

    domain: Domain = field(default_factory=Domain)
    atoms: Mapping[sp.Expr, sp.Expr] = field(default_factory=dict)

    def sign(self, expression: sp.Expr) -> int | None:
        """+1, -1 or 0 where the domain decides; else None. Structure first, then :mod:`algebra.order`."""
        if expression in self.atoms:
            return 1
        if expression.is_number:
            return 1 if expression.is_positive else -1 if expression.is_negative else 0 if expression.is_zero else None
        if expression.is_Symbol:
            interval = self.domain.interval(expression)
            return 1 if interval.lo >= 0 else -1 if interval.hi <= 0 else None
        found = self._structural(expression)
        return _sign_of_sum(expression, self.domain) if found is None and expression.is_Add else found

    def log(self, expression: sp.Expr) -> sp.Expr:
        """The lowered logarithm of an expression: by the four rules where it is positive, else ``log`` of its value.

        Raises
        ------
        DomainError
            If the expression is zero or negative on the domain.
        """
        if expression in self.atoms:
            return self.atoms[expression]
        if isinstance(expression, sp.exp):
            return self.value(expression.args[0])
        if expression.is_Pow and self.sign(expression.base) == 1:
            return self.value(expression.exp) * self.log(expression.base)
        sign = self.sign(expression)
        if sign in (-1, 0):
            raise DomainError(f"take the logarithm of {expression}", "it is not positive", "check the domain")
        if expression.is_Mul and sign == 1:
            positive = (factor if self.sign(factor) == 1 else -factor for factor in expression.args)
            return sp.Add(*map(self.log, positive))
        if expression.is_Add and sign == 1:
            return self._log_of_sum(expression)
        return self._log_of_value(expression)

    def value(self, expression: sp.Expr) -> sp.Expr:
        """The lowered value of a real expression of either sign."""
        if expression in self.atoms:
            return sp.exp(self.atoms[expression])
        if isinstance(expression, sp.exp):
            return sp.exp(self.value(expression.args[0]))
        if isinstance(expression, sp.log):
            return self.log(expression.args[0])
        if expression.is_Pow:
            plain = expression.exp.is_Integer and (expression.base.is_Symbol or expression.base.is_number)
            if self.sign(expression.base) == 1 and not plain and not expression.is_number:
                return sp.exp(self.log(expression))
        if not expression.args:
            return expression
        parts = [self.value(argument) for argument in expression.args]
        if expression.is_Add:
            return _sum(parts)
        return self._product(parts) if expression.is_Mul else expression.func(*parts)

    def _structural(self, expression: sp.Expr) -> int | None:
        """The sign of a product, power or sum from the signs of its parts."""
        if isinstance(expression, sp.exp):
            return 1
        signs = [self.sign(part) for part in expression.args]
        if expression.is_Pow:
            whole = expression.exp.is_Integer
            return signs[0] if signs[0] == 1 else (-1) ** int(expression.exp) if signs[0] == -1 and whole else None
        if None in signs:
            return None
        if expression.is_Mul:
            return math.prod(sign for sign in signs if sign is not None)
        return signs[0] if expression.is_Add and len(set(signs)) == 1 else None

    def _log_of_sum(self, total: sp.Add) -> sp.Expr:
        above = [term for term in total.args if self.sign(term) == 1]
        below = [term for term in total.args if self.sign(term) == -1]
        if len(above) + len(below) < len(total.args) or (below and all(map(_is_linear, total.args))):
            return self._log_of_value(total)
        log_above = self._log_of_positive_sum(above)
        if not below:
            return log_above
        return log_above + log1mexp(self._log_of_positive_sum([-term for term in below]) - log_above)

    def _log_of_value(self, expression: sp.Expr) -> sp.Expr:
        """The logarithm of what has no log form; where it is ``1 + v``, small v are not lost."""
        number, rest = expression.as_coeff_Add()
        return log1p(self.value(rest)) if number == 1 else sp.log(self.value(expression))

    def _product(self, factors: list[sp.Expr]) -> sp.Expr:
        """Exponentials under one exponent, powers in one monomial: one may overflow where their product does not."""
        exponents = [factor.args[0] for factor in factors if isinstance(factor, sp.exp)]
        powers = [factor for factor in factors if self._is_power(factor)]
        rest = [factor for factor in factors if not isinstance(factor, sp.exp) and factor not in powers]
        pairs = [power.args for power in powers] + [(sp.E, sp.Add(*exponents))] * bool(exponents)
        if len(pairs) > 1 and any(abs(power.exp) >= 2 for power in powers):
            return sp.Mul(*rest, monomial(*(part for pair in pairs for part in pair)))
        return sp.Mul(*rest, *powers, sp.exp(sp.Add(*exponents)))

    def _is_power(self, factor: sp.Expr) -> bool:
        """A power whose exponent is a number, a whole one if the base may be negative."""
        if isinstance(factor, sp.exp) or not factor.is_Pow or not factor.exp.is_Rational or factor.base.is_number:
            return False
        return bool(factor.exp.is_Integer or self.sign(factor.base) == 1)

    def _log_of_positive_sum(self, terms: list[sp.Expr]) -> sp.Expr:
        """``log(n + sum of t)`` is ``log n + softplus(log(sum of t) - log n)``, without a number n a logsumexp."""
        number = sp.Add(*(term for term in terms if term.is_number))
        logs = [part for term in terms if not term.is_number for part in _spread(self.log(term))]
        if not logs:
            return sp.log(number)
        rest = logsumexp(*logs)
        return rest if number == 0 else sp.log(number) + softplus(rest - sp.log(number))


@cached
def _sign_of_sum(total: sp.Add, domain: Domain) -> int | None:
    """A relation of the domain as it stands, else what the algebra decides."""
    for greater, lesser in domain.relations:
        if total in (greater - lesser, lesser - greater):
            return 1 if total == greater - lesser else -1
    return order.sign(total, domain)


def _sum(terms: list[sp.Expr]) -> sp.Expr:
    """``A*exp(u) - A`` is ``A*expm1(u)``: the difference is not lost where u is small."""
    rest = list(terms)
    for term in terms:
        exponentials = [factor for factor in sp.Mul.make_args(term) if isinstance(factor, sp.exp)]
        if len(exponentials) == 1 and -(factor := term / exponentials[0]) in rest:
            rest.remove(term)
            rest[rest.index(-factor)] = factor * expm1(exponentials[0].args[0])
    return sp.Add(*rest)


def _spread(log_term: sp.Expr) -> list[sp.Expr]:
    """``offset + logsumexp(...)`` as the logarithms of its terms, else the logarithm itself."""
    parts = sp.Add.make_args(log_term)
    sums = [part for part in parts if isinstance(part, logsumexp)]
    if len(sums) != 1:
        return [log_term]
    offset = log_term - sums[0]
    return [argument + offset for argument in sums[0].args]


def _is_linear(term: sp.Expr) -> bool:
    """A number, a symbol, or a number times a symbol."""
    return bool(term.as_coeff_Mul()[1].is_Symbol or term.is_number)
