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

__all__ = ["exponent", "exponents", "factors", "limited", "power_in", "rates", "scaled", "scales", "shifts", "weights"]


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


def exponent(node: sp.Expr) -> sp.Expr:
    """What a power or exponential raises e to; 0 of other expressions."""
    if isinstance(node, sp.exp):
        return node.args[0]
    return node.exp * sp.log(node.base) if node.is_Pow else sp.Integer(0)


@cached
def shifts(law: Law) -> frozenset[sp.Symbol]:
    """Those of :func:`exponents` that move an exponent alike in all rows: places and amplitudes, no slopes.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> shifts(laws.formula("y = d/(1 + exp(-s*(log(x) - m)))", ["x"]))
    frozenset({m})
    """
    data = {*law.inputs, law.response.symbol}
    nodes = [(node.as_base_exp()[1], sp.log(node.as_base_exp()[0])) for node in law.residual.atoms(sp.Pow, sp.exp)]
    slopes = [(s, sp.diff(power, s) * base) for power, base in nodes for s in exponents(law)]
    return exponents(law) - {s for s, slope in slopes if slope.free_symbols & data}


@cached
def rates(law: Law) -> frozenset[sp.Symbol]:
    """Those of :func:`exponents` that stand beside inputs outside of logarithms: their size is that of the rows.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> rates(laws.formula("y = a*x^p*exp(-s*x)", ["x"]))
    frozenset({s})
    """
    data = {*law.inputs, law.response.symbol}
    found = set()
    for node in law.residual.atoms(sp.exp):
        for term in sp.Add.make_args(node.args[0]):
            bare = term.xreplace({log: sp.Dummy() for log in term.atoms(sp.log)})
            if bare.free_symbols & data:
                found |= {s for s in bare.free_symbols & set(law.constants) if power_in(bare, s, data)}
    return frozenset(found & exponents(law))


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


def power_in(term: sp.Expr, symbol: sp.Symbol, data: set[sp.Symbol]) -> sp.Expr | None:
    """The power in which a symbol stands in a product, large beside what no row changes; None where it has none.

    Examples
    --------
    >>> x, h, s = sp.symbols("x h s", positive=True)
    >>> power_in(2 * (x / h) ** s, h, {x}), power_in(x / (h + 1), h, {x}), power_in(1 / (h + x), h, {x})
    (-s, -1, None)
    """
    if term == symbol:
        return sp.Integer(1)
    if not term.has(symbol):
        return sp.Integer(0)
    if term.is_Mul:
        powers = [power_in(factor, symbol, data) for factor in term.args]
        return None if None in powers else sp.Add(*powers)
    if term.is_Pow and not term.exp.has(symbol):
        inner = power_in(term.base, symbol, data)
        return None if inner is None else term.exp * inner
    if term.is_Add and not term.free_symbols & data:
        powers = [power for part in term.args if (power := power_in(part, symbol, data)) != 0]
        return powers[0] if len(powers) == 1 else None
    return None


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
