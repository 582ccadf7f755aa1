"""Dimensional analysis of a law, so that a fit does not depend on the units of its inputs and response.

Give every input and the response a unit of its own. Terms of a sum must agree, exponents must be pure numbers; the unit
of each constant then solves a linear system whose coefficients are the law's exponents. M4: ``eps_inf`` and ``eps_0``
carry the response's unit, ``beta`` carries ``response**(1 - alpha) * x**(-c)``. Dividing ``x`` by ``g`` and ``beta`` by
``g**(-c)`` leaves the law as it is, so a fit may be made where all inputs are near 1 and be carried back exactly.

A unit for which the system has no solution (``log N`` in the law, a bare 1 beside the response) cannot be changed, nor
one that a constant carries whose domain ends elsewhere than at 0.
"""

from __future__ import annotations

import sympy as sp

from .. import codegen
from ..budget import cached
from ..codegen import Compiled
from ..law import Law

__all__ = ["exponents", "factors", "limited", "scaled", "scales", "weights"]


@cached
def exponents(law: Law) -> frozenset[sp.Symbol]:
    """The constants that stand in an exponent.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> sorted(s.name for s in exponents(laws.get("m4")))
    ['alpha', 'c']
    """
    powers = law.residual.atoms(sp.Pow) | law.residual.atoms(sp.exp)
    found = {symbol for power in powers for symbol in power.as_base_exp()[1].free_symbols}
    return frozenset(found & set(law.constants))


@cached
def scales(law: Law) -> frozenset[sp.Symbol]:
    """Those of :func:`exponents` that carry a unit: d of ``exp(-x/d)`` is where a curve falls off, not how steeply.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> scales(laws.formula("y = a + b*exp(-x/d)", ["x"]))
    frozenset({d})
    """
    powers = [found for unit in (*law.inputs, law.response.symbol) if (found := weights(law, unit)) is not None]
    return frozenset(s for s in exponents(law) if any(found[law.places[s]] != 0 for found in powers))


@cached
def weights(law: Law, unit: sp.Symbol) -> tuple[sp.Expr, ...] | None:
    """The power of ``unit`` that each constant carries; None where the law fixes the unit.

    Parameters
    ----------
    unit : Symbol
        An input of the law or its response.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> m4 = laws.get("m4")
    >>> weights(m4, m4.response.symbol)
    (1 - alpha, 0, 0, 1, 1)
    >>> weights(m4, m4.inputs[0])
    (-c, 0, 0, 0, 0)
    """
    unknown = {symbol: sp.Dummy(symbol.name) for symbol in law.constants}
    known = {symbol: sp.Integer(symbol == unit) for symbol in (*law.inputs, law.response.symbol)}
    bare = {symbol for power in law.residual.atoms(sp.Pow) for symbol in power.exp.free_symbols}
    equations = [unknown[symbol] for symbol in sorted(bare & set(law.constants), key=str)]
    left = _weigh(law.form.lhs, known | unknown, equations)
    right = _weigh(law.form.rhs, known | unknown, equations)
    if left is not None and right is not None:
        equations.append(left - right)
    solved = sp.linsolve([sp.expand(e) for e in equations if e != 0] or [sp.Integer(0)], *unknown.values())
    if solved is sp.S.EmptySet:
        return None
    free = dict.fromkeys(unknown.values(), sp.Integer(0))
    found = tuple(weight.xreplace(free) for weight in next(iter(solved)))
    return None if any(found[law.places[s]] != 0 for s in limited(law)) else found


@cached
def limited(law: Law) -> dict[sp.Symbol, tuple[float, float]]:
    """Domains of the constants that end elsewhere than at 0.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> limited(laws.get("routed")), limited(laws.get("m4"))
    ({E_s: (1.0, inf)}, {})
    """
    made = {}
    for symbol in law.constants:
        within = law.domain.interval(symbol)
        if any(end.is_finite and end != 0 for end in (within.lo, within.hi)):
            made[symbol] = (float(within.lo), float(within.hi))
    return made


def _weigh(expression: sp.Expr, known: dict[sp.Symbol, sp.Expr], equations: list[sp.Expr]) -> sp.Expr | None:
    """The power of the unit in ``expression``; None for zero, which has any. Conditions are appended."""
    if expression == 0:
        return None
    if expression.is_Symbol:
        return known[expression]
    parts = [(part, _weigh(part, known, equations)) for part in expression.args]
    inner = [weight for _, weight in parts if weight is not None]
    if expression.is_Mul:
        return sp.Add(*inner)
    if expression.is_Add or isinstance(expression, (sp.Min, sp.Max)):
        equations.extend(weight - inner[0] for weight in inner[1:])
        return inner[0]
    if expression.is_Pow:
        equations.append(inner[-1])
        return sp.expand(expression.exp * inner[0])
    equations.extend(inner)
    return sp.Integer(0)


@cached
def scaled(law: Law) -> tuple[tuple[sp.Dummy, ...], tuple[sp.Expr, ...]]:
    """The logarithm of the factor between each constant in the user's units and in those of a fit.

    Returns
    -------
    symbols, expressions : tuple
        Symbols for the logarithm of the size of each input's unit and of the response's; one expression a constant.
    """
    units = (*law.inputs, law.response.symbol)
    logs = tuple(sp.Dummy(f"log_{unit.name}", real=True) for unit in units)
    total = [sp.Integer(0)] * len(law.constants)
    for unit, log in zip(units, logs, strict=True):
        powers = weights(law, unit)
        if powers is not None:
            total = [t + log * power for t, power in zip(total, powers, strict=True)]
    return logs, tuple(total)


@cached
def factors(law: Law) -> Compiled:
    """:func:`scaled`, compiled; arguments: the logarithms of the sizes, then the law's constants."""
    logs, total = scaled(law)
    return codegen.compile(total, (*logs, *law.constants), law.constants, scalars=logs, domain=law.domain)
