"""A formula that is a law of the catalogue up to names takes that law's roles and its cost."""

from __future__ import annotations

from dataclasses import replace

import sympy as sp

from ..budget import cached
from ..law import Cost, Law, Parameter, Variable

__all__ = ["with_roles"]

_NAMES = tuple(f"budget_{number}" for number in range(20))


@cached
def with_roles(law: Law) -> Law:
    """Take the meanings and the costs of the first law of the catalogue with a cost that this law is proved to be.

    What a fit searches, signs, starts and bounds, stays the law's own. A cost is shared out between inputs: a law of
    one input is returned as it is.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> law = laws.formula("y = e + a/x^p + b/z^q", ["x", "z"])
    >>> law.costs[0].expression, law.costs[0].convention
    (6*x*z, '6ND training FLOPs, as chinchilla')
    >>> law.source
    'chinchilla with L = y, N = x, D = z, E = e, A = a, B = b, alpha = p, beta = q'
    """
    if len(law.inputs) < 2:
        return law
    from ..derive.reduction import renaming
    from . import priced

    for known in priced():
        letters = renaming(law, known)
        if letters is not None:
            return _taken(law, known, letters)
    return law


def _taken(law: Law, known: Law, letters: dict[sp.Symbol, sp.Symbol]) -> Law:
    variables = {letters[item.symbol]: item for item in (known.response, *known.variables)}
    constants = {letters[item.symbol]: item.doc for item in known.parameters}
    taken = {symbol.name for symbol in letters.values()}
    said = ", ".join(f"{one.name} = {mine.name}" for one, mine in letters.items() if one.name != mine.name)

    def role(item: Variable) -> Variable:
        return replace(item, doc=variables[item.symbol].doc, unit=variables[item.symbol].unit)

    def named(item: Parameter) -> Parameter:
        return replace(item, doc=constants[item.symbol])

    def own(cost: Cost) -> Cost:
        budget = next(name for name in (cost.symbol.name, "budget", *_NAMES) if name not in taken)
        expression = cost.expression.xreplace(letters)
        return Cost(sp.Symbol(budget, positive=True), expression, f"{cost.convention}, as {known.name}")

    return replace(
        law,
        source=f"{known.name} with {said}" if said else f"{known.name}, letter by letter",
        response=role(law.response),
        variables=tuple(role(item) for item in law.variables),
        parameters=tuple(named(item) for item in law.parameters),
        costs=tuple(own(cost) for cost in known.costs),
    )
