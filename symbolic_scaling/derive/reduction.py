"""When one law is another: parameters at 0 or 1 under which the first has the second's form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations, product

import sympy as sp

from .. import budget
from ..algebra.zero import prove_zero
from ..domain import Domain, Interval
from ..law import Law
from ..records import Derivation, Reduction
from .common import Maker, facts

__all__ = ["reduction"]

MOST_FIXED = 2


def reduction(law: Law, into: Law | Iterable[Law]) -> Derivation:
    """Which of some laws are special cases of ``law``.

    A parameter is tried at 0 where its declaration admits the boundary, and at 1; the letters of the other law are
    matched by name first, then in every order of equal signs.

    Parameters
    ----------
    law : Law
        The more general law.
    into : Law or iterable of Law
        Candidates for special cases.

    Returns
    -------
    Derivation
        ``found`` by the other law's name: a :class:`Reduction` with the fixed values and the map of letters.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> reduction(laws.get("m4"), laws.get("m2"))["m2"].when
    ((alpha, 0),)
    """
    made = Maker(law, law.domain)
    found = []
    for other in (into,) if isinstance(into, Law) else into:
        one = None if other.name == law.name else _first(made, other)
        if one is not None:
            found.append((other.name, one))
    return Derivation(f"reductions of {law.name}", law, facts(law.domain), tuple(made.steps), tuple(found))


def _first(made: Maker, other: Law) -> Reduction | None:
    law = made.law
    if len(law.inputs) != len(other.inputs):
        return None
    for fixed in _assignments(law):
        values = dict(fixed)
        here = law.form.subs(values)
        left = [symbol for symbol in law.constants if here.has(symbol)]
        if not isinstance(here, sp.Equality) or len(left) != len(other.constants):
            continue
        domain = _shared(law, values)
        for letters in _letters(other, law, left):
            budget.check(f"reduce {law.name} to {other.name}")
            there = other.form.xreplace(letters)
            if prove_zero(_ratio(here) - _ratio(there), domain) is not None:
                claim = made.equal(f"{law.name} is {other.name}", _ratio(here), _ratio(there), domain)
                text = ", ".join(f"{symbol} = {value}" for symbol, value in fixed) or "the same form"
                made.step("special case", text, law.form, there, claim)
                return Reduction(other.name, fixed, tuple(sorted(letters.items(), key=lambda pair: pair[0].name)))
    return None


def _ratio(form: sp.Equality) -> sp.Expr:
    return sp.log(form.lhs) - sp.log(form.rhs)


def _assignments(law: Law) -> Iterator[tuple[tuple[sp.Symbol, sp.Expr], ...]]:
    """Every choice of at most two parameters at 0, where admissible, or 1; fewer first."""
    for count in range(MOST_FIXED + 1):
        for chosen in combinations(law.parameters, count):
            ends = [(sp.Integer(0),) * p.closed + (sp.Integer(1),) * Interval.of(p.symbol).contains(1) for p in chosen]
            for values in product(*ends):
                yield tuple((p.symbol, value) for p, value in zip(chosen, values, strict=True))


def _letters(other: Law, law: Law, left: list[sp.Symbol]) -> Iterator[dict[sp.Symbol, sp.Symbol]]:
    """Maps from the other law's symbols to this law's: equal names first, then all orders with equal signs."""
    head = {other.response.symbol: law.response.symbol, **dict(zip(other.inputs, law.inputs, strict=True))}
    names = {symbol.name: symbol for symbol in left}
    if all(symbol.name in names for symbol in other.constants):
        yield head | {symbol: names[symbol.name] for symbol in other.constants}
    for order in permutations(left):
        pairs = list(zip(other.constants, order, strict=True))
        if all(Interval.of(mine) == Interval.of(theirs) for theirs, mine in pairs):
            yield head | dict(pairs)


def _shared(law: Law, values: dict[sp.Symbol, sp.Expr]) -> Domain:
    """The law's domain without the relations that speak of a fixed symbol."""
    kept = tuple(pair for pair in law.domain.relations if not any(side.has(*values) for side in pair if values))
    return Domain(law.domain.ranges, kept)
