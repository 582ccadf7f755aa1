"""What optima and losses off them owe: put back into law and cost, with how each moves with the budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sympy as sp

from ..algebra import order
from ..algebra.logsum import logsum
from ..algebra.peel import peel, split
from ..domain import Domain
from ..law import Cost
from ..records import Equal, Found, Less, Root
from .asked import Asked, Owed, expressions
from .extremum import put
from .optimum import objective

__all__ = ["losses", "optima"]


def optima(asked: Asked, found: Mapping[str, Found]) -> Owed:
    """Stationary, within the budget, the response there, and how each moves with the budget."""
    law, question = asked.law, asked.question
    at = {x: value for x in question.over if isinstance(value := found.get(x.name), sp.Expr)}
    chosen, best = list(at), list(at.values())
    value = found.get(asked.y.name)
    raw = sp.expand_mul(objective(law, question.domain, "state what an optimum owes"))
    settled = not any(value.has(*chosen, asked.y) for value in best) and not raw.has(asked.y)
    if len(chosen) == len(question.over) and settled:
        inside = {asked.y: value} if isinstance(value, sp.Expr) else {}
        yield from _stationary(raw, question.cost, chosen, best, inside)
    elif question.cost is not None and chosen and not question.cost.expression.has(asked.y):
        yield ", ".join(map(str, chosen)), Equal(put(question.cost.expression, chosen, best), question.cost.symbol)
    if isinstance(value, sp.Expr) and law.explicit is not None and not raw.has(asked.y):
        yield asked.y.name, Equal(put(raw, chosen, best), value)
    yield from _conditions(raw, asked, found)
    yield from _scales(asked, found)
    if question.what == "envelope":
        yield from _factors(raw, question.over[0], asked, found)


def _stationary(
    raw: sp.Expr, cost: Cost | None, chosen: list[sp.Symbol], best: list[sp.Expr], inside: Mapping[sp.Symbol, sp.Expr]
) -> Owed:
    """Flat in every input, or the budget is met and every input pulls as much as it costs, the response held.

    Where the law holds the larger of several, all of these are equal there.
    """
    kinks = sorted((node for node in raw.atoms(sp.Max) if node.has(*chosen)), key=sp.default_sort_key)
    if kinks:
        for node in kinks:
            yield str(chosen[0]), Equal(*(put(side, chosen, best) for side in node.args[:2]))
        if cost is not None:
            yield ", ".join(map(str, chosen)), Equal(put(cost.expression, chosen, best), cost.symbol)
        return
    slopes = [x * sp.diff(raw, x) for x in chosen]
    if cost is None or not cost.expression.has(*chosen):
        for x, slope in zip(chosen, slopes, strict=True):
            yield x.name, Equal(put(slope, chosen, best), sp.Integer(0))
        return
    yield ", ".join(x.name for x in chosen), Equal(put(cost.expression, chosen, best).subs(inside), cost.symbol)
    pulls = [x * sp.diff(cost.expression, x) for x in chosen]
    first = next(place for place, pull in enumerate(pulls) if pull != 0)
    for place in (place for place in range(len(chosen)) if place != first):
        left, right = slopes[first] * pulls[place], slopes[place] * pulls[first]
        yield f"{chosen[first]} against {chosen[place]}", Equal(put(left, chosen, best), put(right, chosen, best))


def _conditions(raw: sp.Expr, asked: Asked, found: Mapping[str, Found]) -> Owed:
    """The condition of a root is the logarithmic slope of the sum inside the law, along a monomial budget or priced."""
    question, y = asked.question, asked.y
    over, cost = question.over, question.cost
    roots = [value for value in found.values() if isinstance(value, Root)]
    extra = [root for root in roots if root.symbol not in (*over, y)]
    price = split(cost.expression, over) if cost else None
    if not extra and (len(over) > 2 or (cost is not None and price is None)):
        return
    for root in (root for root in roots if root.symbol in over):
        x, line = root.symbol, raw
        if cost is not None and price is not None and len(over) == 2 and not extra:
            place = over.index(x)
            left = cost.symbol / price.coefficient / x ** price.exponents[place]
            line = raw.subs(over[1 - place], left ** (1 / price.exponents[1 - place]))
        for node in sorted(line.atoms(sp.Max), key=sp.default_sort_key):
            yield x.name, Equal((node.args[0] - node.args[1]) ** 2, root.condition**2)
            yield x.name, Less(sp.Integer(0), x * sp.Derivative(root.condition, x))
        inner = _inner(line, over, x, question.domain)
        if inner is not None:
            priced = sp.Add(*(multiplier.symbol * cost.expression for multiplier in extra if cost))
            yield x.name, Equal(x * sp.Derivative(inner + priced, x), root.condition)
    if cost is not None:
        for multiplier in extra:
            yield multiplier.symbol.name, Equal(cost.expression - cost.symbol, multiplier.condition)


def _inner(line: sp.Expr, over: Sequence[sp.Symbol], x: sp.Symbol, domain: Domain) -> sp.Expr | None:
    """The sum inside the law, with logarithms of x or without."""
    peeled = peel(line, over, domain)
    if peeled is not None:
        return peeled.inner(over)
    found = logsum(line, x, domain)
    return None if found is None else found.at(x)


def _scales(asked: Asked, found: Mapping[str, Found]) -> Owed:
    """Exponents as logarithmic slopes; factors against what they are factors of."""
    question = asked.question
    for key, power in expressions(found):
        kind, _, name = key.partition(" of ")
        value = found.get(name)
        if kind != "exponent" or not isinstance(value, sp.Expr):
            continue
        for moving in question.moving:
            if not value.has(moving):
                continue
            if name != asked.y.name:
                yield key, Equal(moving * sp.Derivative(sp.log(value), moving), power)
                continue
            yield key, Equal(moving * sp.Derivative(value, moving, moving), (power - 1) * sp.Derivative(value, moving))
            if isinstance(factor := found.get(f"prefactor of {name}"), sp.Expr):
                base = _base(asked)
                slope = factor * power * base**power / moving
                yield f"prefactor of {name}", Equal(sp.Derivative(value, moving), slope)
    first = question.over[0].name if question.over else ""
    if question.what == "frontier" and "G" in found and isinstance(found.get(first), sp.Expr):
        yield "G", Equal(found[first], found["G"] * _base(asked) ** found[f"exponent of {first}"])


def _base(asked: Asked) -> sp.Expr:
    """What is raised to the exponents: the budget over the factor of its cost where several inputs share it alone."""
    question = asked.question
    assert question.cost is not None
    price = split(question.cost.expression, question.over) if len(question.over) > 1 else None
    alone = price is not None and not price.coefficient.has(asked.y)
    return question.cost.symbol / price.coefficient if price and alone else question.cost.symbol


def _factors(raw: sp.Expr, x: sp.Symbol, asked: Asked, found: Mapping[str, Found]) -> Owed:
    """F: the terms in x at its optimum, over the falling power of it; G: what the other input multiplies beside."""
    rest, moving = raw.as_independent(x, as_Add=True)
    powers = [part.exponents[0] for term in sp.Add.make_args(moving) if (part := split(term, (x,)))]
    falls = [power for power in powers if order.sign(power, asked.question.domain) == -1]
    at, factor, beside = found.get(x.name), found.get("F"), found.get("G")
    if isinstance(at, sp.Expr) and isinstance(factor, sp.Expr) and len(falls) == 1:
        yield "F", Equal(moving.subs(x, at), factor * at ** falls[0])
    others = tuple(symbol for symbol in asked.law.inputs if symbol != x)
    terms = [term for term in sp.Add.make_args(rest) if term.has(*others)] if others else []
    part = split(terms[0], others) if len(terms) == 1 else None
    if part is not None and isinstance(beside, sp.Expr):
        yield "G", Equal(terms[0], beside * terms[0] / part.coefficient)


def losses(asked: Asked, found: Mapping[str, Found]) -> Owed:
    """Off the optimum by a ratio: the same loss at the cost that is said, the loss that is said at the same cost."""
    question, law = asked.question, asked.law
    (ratio,), over, cost = question.moving, question.over, question.cost
    raw = sp.expand_mul(objective(law, question.domain, "state what a loss owes"))
    best = [question.values[place][1] for place in range(len(over))]
    fixed, moving = raw.as_independent(*over, as_Add=True)
    least = put(moving, over, best)
    excess, lost = found.get("excess"), found.get(f"excess of {asked.y}")
    if cost is None:
        there = put(moving, over, [ratio * best[0]])
        if isinstance(excess, sp.Expr) and law.explicit is not None:
            yield "excess", Equal(fixed + there, excess * (fixed + least))
        if isinstance(lost, sp.Expr):
            yield f"excess of {asked.y}", Equal(there, lost * least)
        return
    moves = [found.get(f"ratio of {x}") for x in over[1:]]
    if isinstance(excess, sp.Expr) and all(isinstance(move, sp.Expr) for move in moves):
        off = [by * x for by, x in zip((ratio, *moves), best, strict=True)]
        yield "excess", Equal(put(cost.expression, over, off), excess * cost.symbol)
        yield ", ".join(f"ratio of {x}" for x in over[1:]), Equal(put(moving, over, off), least)
    price = split(cost.expression, over)
    if isinstance(lost, sp.Expr) and price is not None and len(over) == 2:
        power = -price.exponents[0] / price.exponents[1]
        there = put(moving, over, [ratio * best[0], ratio**power * best[1]])
        yield f"excess of {asked.y}", Equal(there, lost * least)
