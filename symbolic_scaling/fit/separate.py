"""Which constants a residual is linear in, found by differentiating the residual that is actually used.

A residual that reads ``r = r0(rest) + sum_j u_j A_j(rest)`` can be minimised over the ``u_j`` in closed form; only the
rest is searched. The ``u_j`` are the constants themselves or their logarithms. ``equation`` residual, M4:

    log(y - eps_inf) - alpha log(eps_0 - y) - log beta - c log x      linear in log beta, c, alpha; rest eps_inf, eps_0

The relative residual ``(y_hat - y)/y`` of a sum of terms is linear in the amplitudes; it is no objective here but gives
starts: Chinchilla is linear in E, A, B given its two exponents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import sympy as sp

from ..algebra.zero import prove_zero
from ..budget import cached
from ..law import Law
from .units import exponents

__all__ = ["Separation", "of_excess_residual", "of_log_residual", "of_relative_residual"]

_TINY = 1e-25


@dataclass(frozen=True)
class Separation:
    """``residual = offset + sum of coordinate * column``.

    ``linear`` are the constants eliminated, ``logs`` says which of them enter by their logarithm, ``rest`` are the
    constants to be searched. ``offset`` and ``columns`` hold inputs, the response and the rest.
    """

    linear: tuple[sp.Symbol, ...]
    logs: tuple[bool, ...]
    rest: tuple[sp.Symbol, ...]
    offset: sp.Expr
    columns: tuple[sp.Expr, ...]
    response: sp.Symbol

    @property
    def parts(self) -> tuple[sp.Expr, ...]:
        """The columns, then the offset."""
        return (*self.columns, self.offset)

    @cached_property
    def slopes(self) -> tuple[sp.Expr, ...]:
        """The derivatives of the parts by the logarithm of the response."""
        return tuple(self.response * sp.diff(part, self.response) for part in self.parts)


@cached
def of_log_residual(law: Law, kind: str, fixed: frozenset[sp.Symbol] = frozenset()) -> Separation:
    """The residual ``response`` (explicit laws) or ``equation``, amplitudes by their logarithms.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> found = of_log_residual(laws.get("m4"), "equation")
    >>> found.linear, found.logs, found.rest
    ((beta, c, alpha), (True, False, False), (eps_inf, eps_0))
    >>> of_log_residual(laws.get("m2"), "response").rest
    (beta, c, eps_inf)
    """
    left, right = law.form.lhs, law.form.rhs
    if kind == "response" and law.explicit is not None:
        left, right = law.response.symbol, law.explicit
    amplitudes = frozenset(p.symbol for p in law.parameters if p.symbol.is_positive and not p.closed)
    return _separate(law, _log(left) - _log(right), amplitudes - exponents(law), fixed)


@cached
def of_relative_residual(law: Law, fixed: frozenset[sp.Symbol] = frozenset()) -> Separation | None:
    """``(y_hat - y)/y``, linear in amplitudes and floors; None for an implicit law.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> of_relative_residual(laws.get("chinchilla")).linear
    (E, A, B)
    """
    y = law.response.symbol
    return None if law.explicit is None else _separate(law, law.explicit / y - 1, frozenset(), fixed)


@cached
def of_excess_residual(law: Law, fixed: frozenset[sp.Symbol] = frozenset()) -> Separation | None:
    """``log(y - floor) - log(y_hat - floor)`` of an explicit law with one additive floor; None for another.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> of_excess_residual(laws.get("bnsl")).rest
    (a, d1, f1)
    """
    y, floors = law.response.symbol, [p.symbol for p in law.parameters if p.below == law.response.symbol]
    if law.explicit is None or len(floors) != 1 or sp.diff(law.explicit, floors[0]) != 1:
        return None
    amplitudes = frozenset(p.symbol for p in law.parameters if p.symbol.is_positive and not p.closed)
    rest = _log(law.explicit - floors[0])
    sums = {log: sp.Dummy() for log in rest.atoms(sp.log) if log.args[0].is_Add}  # nothing is linear in there
    if not rest.xreplace(sums).free_symbols & set(law.constants):
        return None
    return _separate(law, _log(y - floors[0]) - rest, amplitudes - exponents(law), fixed)


def _separate(law: Law, residual: sp.Expr, logs: frozenset[sp.Symbol], fixed: frozenset[sp.Symbol]) -> Separation:
    """The largest set of coordinates in which all second derivatives are zero."""
    free = [symbol for symbol in law.constants if symbol not in fixed]
    first = {s: sp.diff(residual, s) * (s if s in logs else 1) for s in free}
    point = next(iter(law.domain.sample((*law.inputs, law.response.symbol, *law.constants), 1)), None)
    candidates = [s for s in free if _is_zero(sp.diff(first[s], s), point, law)]
    pairs = combinations(candidates, 2)
    flat = {frozenset((s, t)) for s, t in pairs if _is_zero(sp.diff(first[s], t), point, law)}
    linear = next(
        subset
        for size in range(len(candidates), -1, -1)
        for subset in combinations(candidates, size)
        if all(frozenset(pair) in flat for pair in combinations(subset, 2))
    )
    offset, columns = _pieces(residual, first, linear, logs)
    return Separation(
        linear,
        tuple(s in logs for s in linear),
        tuple(s for s in free if s not in linear),
        offset,
        columns,
        law.response.symbol,
    )


def _pieces(
    residual: sp.Expr, first: Mapping[sp.Symbol, sp.Expr], linear: tuple[sp.Symbol, ...], logs: frozenset[sp.Symbol]
) -> tuple[sp.Expr, tuple[sp.Expr, ...]]:
    """Offset and columns, from where all coordinates are 0, or constants 1 where that is no point of the expression."""
    for start in (0, 1):
        origin = {s: sp.Integer(1 if s in logs else start) for s in linear}
        columns = tuple(sp.expand(first[s].subs(origin)) for s in linear)
        offset = residual.subs(origin)
        if not any(e.has(sp.nan, sp.zoo, sp.oo, -sp.oo) for e in (*columns, offset)):
            break
    return offset - start * sp.Add(*(c for s, c in zip(linear, columns, strict=True) if s not in logs)), columns


def _is_zero(expression: sp.Expr, point: Mapping[sp.Symbol, sp.Rational] | None, law: Law) -> bool:
    """Whether an expression is proved zero; a value at one point spares the proof where it is not."""
    if not expression.free_symbols or point is None:
        return bool(expression == 0)
    value = expression.evalf(40, subs={symbol: sp.Float(number, 40) for symbol, number in point.items()})
    if not value.is_number or not abs(value) < _TINY:
        return False
    return prove_zero(expression, law.domain) is not None


def _log(expression: sp.Expr) -> sp.Expr:
    """The logarithm of a positive expression with products and powers opened."""
    if expression.is_Mul:
        return sp.Add(*(_log(factor) for factor in expression.args))
    if expression.is_Pow:
        return expression.exp * _log(expression.base)
    if isinstance(expression, sp.exp):
        return expression.args[0]
    return sp.log(expression)
