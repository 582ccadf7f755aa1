"""What every answer of a derivation owes, stated from the law and the question alone.

No step and no intermediate result is used: a slope is compared with the derivative of the law, an optimum is put back
into law and cost, an exponent is the logarithmic slope of what it is an exponent of, and what each term of a series
leaves is small beside it. An answer that is changed alone, or carried wrongly through all steps, breaks its claim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import sympy as sp

from ..algebra.limits import limit
from ..domain import Domain
from ..records import Asymptotic, Claim, Derivation, Equal, Found, Reduction, Root, Series, Tends
from .asked import Asked, Owed, expressions
from .best import losses, optima
from .common import elementary, letter
from .extremum import put

__all__ = ["obligations"]


def obligations(derivation: Derivation) -> tuple[Claim, ...]:
    """The claims about the answers of a derivation, each named after its answer.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from symbolic_scaling import derive, laws
    >>> found = derive.gradient(laws.get("m1"))
    >>> [claim.name for claim in obligations(found)]
    ['answer x']
    """
    question = derivation.question
    if question is None or question.what not in _KINDS:
        return ()
    answers: list[tuple[Domain, dict[str, Found]]] = [(question.domain, dict(derivation.found))]
    answers += [(question.domain.meet(Domain((), case.when)), dict(case.found)) for case in derivation.cases]
    return tuple(
        Claim(f"answer {key}", statement, domain, derivation.law.source)
        for domain, found in answers
        for key, statement in _KINDS[question.what](Asked(derivation, question), found)
    )


def _slopes(asked: Asked, found: Mapping[str, Found]) -> Owed:
    """First and second derivatives."""
    for key, value in expressions(found):
        symbols = [asked.law.symbols[name] for name in key.split(",")]
        yield key, Equal(asked.derivative(*symbols), value)


def _elasticities(asked: Asked, found: Mapping[str, Found]) -> Owed:
    response = asked.form if asked.form is not None else asked.y
    for key, value in expressions(found):
        symbol = asked.law.symbols[key]
        yield key, Equal(symbol * asked.derivative(symbol) / response, value)


def _limits(asked: Asked, found: Mapping[str, Found]) -> Owed:
    for key, value in expressions(found):
        name, _, end = key.partition("->")
        x, point = asked.law.symbols[name], sp.oo if end == "oo" else sp.Integer(0)
        if asked.form is not None:
            yield key, Tends(asked.form, x, point, value)
        else:
            yield key, _at_bound(asked, x, point, value)


def _at_bound(asked: Asked, x: sp.Symbol, point: sp.Expr, bound: sp.Expr) -> Tends:
    """Close to its bound the response's side of an implicit law goes where the input's side goes."""
    form, y = asked.law.form, asked.y
    own, driver = form.args if form.lhs.has(y) else form.args[::-1]
    near = letter(asked.law, "gap")
    gap = -near if any(greater == bound and lesser == y for greater, lesser in asked.law.domain.relations) else near
    return Tends(own.subs(y, bound + gap), near, sp.Integer(0), limit(driver, x, point, asked.question.domain))


def _solutions(asked: Asked, found: Mapping[str, Found]) -> Owed:
    """A solution gives back the input, or makes both sides equal; the condition of a root is that they are."""
    (x,) = asked.question.over
    explicit = asked.law.explicit
    for key, value in found.items():
        if isinstance(value, Root):
            yield key, Equal(value.condition, asked.law.residual)
        elif isinstance(value, sp.Expr) and explicit is not None:
            yield key, Equal(put(value, (asked.y,), (elementary(explicit),)), x)
        elif isinstance(value, sp.Expr):
            left, right = (put(side.subs(dict(asked.question.values)), (x,), (value,)) for side in asked.law.form.args)
            yield key, Equal(left, right)


def _meetings(asked: Asked, found: Mapping[str, Found]) -> Owed:
    (x,), other = asked.question.over, asked.question.other
    first = asked.form
    if first is None or other is None:
        return
    for key, value in found.items():
        if isinstance(value, Root):
            yield key, Equal(value.condition, first - other)
        elif key == x.name and isinstance(value, sp.Expr):
            yield key, Equal(first.subs(x, value), other.subs(x, value))
        elif isinstance(value, sp.Expr) and isinstance(at := found[x.name], sp.Expr):
            yield key, Equal(other.subs(x, at), value)


def _sensitivities(asked: Asked, found: Mapping[str, Found]) -> Owed:
    optimum = asked.question.form
    if optimum is not None:
        symbols = {str(symbol.name): symbol for symbol in optimum.free_symbols}
        for key, value in expressions(found):
            moved = sp.Derivative(sp.log(optimum), symbols[key]) if key in symbols else sp.Integer(0)
            yield key, Equal(moved, value)


def _series(asked: Asked, found: Mapping[str, Found]) -> Owed:
    """After each term what is left is small beside its power; after the last it is of the remainder's order."""
    (x,) = asked.question.over
    for key, value in found.items():
        if not isinstance(value, Series):
            continue
        if asked.form is None:
            yield from _implicit_series(asked, key, value)
            continue
        left = asked.form
        for number, (coefficient, power) in enumerate(value.terms):
            left = left - coefficient * value.small**power
            yield f"{key}: term {number}", Tends(left / value.small**power, x, value.at, sp.Integer(0))
        if value.remainder is not None:
            bound = value.small**value.remainder
            yield f"{key}: remainder", Asymptotic(left, bound, x, value.at, bound=True)


def _implicit_series(asked: Asked, key: str, value: Series) -> Owed:
    """With each term more the sides of the law agree to one power more: the response is a bound plus what is small."""
    form, (x,) = asked.law.form, asked.question.over
    total = value.terms[0][0] * value.small ** value.terms[0][1]
    ratio = sp.Integer(1)
    for number, (coefficient, power) in enumerate(value.terms[1:], 1):
        total += coefficient * value.small**power
        ratio = (form.lhs / form.rhs).subs(asked.y, total)
        yield f"{key}: term {number}", Tends((ratio - 1) / value.small ** (number - 1), x, value.at, sp.Integer(0))
    if value.remainder is not None:
        bound = value.small ** (value.remainder - 1)
        yield f"{key}: remainder", Asymptotic(ratio - 1, bound, x, value.at, bound=True)


def _reductions(asked: Asked, found: Mapping[str, Found]) -> Owed:
    """With the values put in, both laws are one equation in the letters of the map."""
    others = {other.name: other for other in asked.question.laws}
    for key, value in found.items():
        if isinstance(value, Reduction) and key in others:
            here = asked.law.form.subs(dict(value.when))
            there = others[key].form.xreplace(dict(value.map))
            sides = (sp.log(form.lhs) - sp.log(form.rhs) for form in (here, there))
            yield key, Equal(*sides)


_KINDS: Mapping[str, Callable[[Asked, Mapping[str, Found]], Owed]] = MappingProxyType(
    {
        "gradient": _slopes,
        "hessian": _slopes,
        "elasticity": _elasticities,
        "limits": _limits,
        "inverse": _solutions,
        "closed form": _solutions,
        "crossover": _meetings,
        "optimum": optima,
        "frontier": optima,
        "envelope": optima,
        "suboptimality": losses,
        "reduction": _reductions,
        "sensitivity": _sensitivities,
        "series": _series,
    }
)
