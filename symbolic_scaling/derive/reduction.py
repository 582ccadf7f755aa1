"""When one law is another: parameters at 0 or 1 under which the first has the second's form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
NEAR = 1e-9


def reduction(law: Law, into: Law | Iterable[Law]) -> Derivation:
    """Which of some laws are special cases of ``law``.

    A parameter is tried at 0 where its declaration admits the boundary, and at 1; the letters of the other law are
    matched in every order of equal signs.

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
    seen = {letters: _value(other.form, dict(letters)) for letters in _orders(other)}
    for fixed in _assignments(law):
        values = dict(fixed)
        here = law.form.subs(values)
        left = [symbol for symbol in law.constants if here.has(symbol)]
        if not isinstance(here, sp.Equality) or len(left) != len(other.constants):
            continue
        wanted = _value(here, dict(_numbered(law, left)))
        for order, value in seen.items():
            letters = _letters(other, law, dict(order), left)
            if abs(value - wanted) > NEAR * abs(wanted) or letters is None:
                continue
            budget.check(f"reduce {law.name} to {other.name}")
            there, domain = other.form.xreplace(letters), _shared(law, values)
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


def _numbered(law: Law, order: Sequence[sp.Symbol]) -> tuple[tuple[sp.Symbol, sp.Rational], ...]:
    """A number for each symbol: by its place among the constants, response and inputs apart."""
    outer = [(s, sp.Rational(11 + 4 * n, 7)) for n, s in enumerate((law.response.symbol, *law.inputs))]
    return (*outer, *((s, sp.Rational(3 + 2 * n, 10) * (-1) ** bool(s.is_negative)) for n, s in enumerate(order)))


def _orders(other: Law) -> Iterator[tuple[tuple[sp.Symbol, sp.Rational], ...]]:
    """The other law's constants numbered in every order."""
    return (_numbered(other, order) for order in permutations(other.constants))


def _value(form: sp.Equality, point: dict[sp.Symbol, sp.Rational]) -> sp.Expr:
    """The ratio of the sides at a point: a mark by which most maps of letters are told apart at once."""
    return (form.lhs / form.rhs).evalf(15, subs=point)


def _letters(
    other: Law, law: Law, order: dict[sp.Symbol, sp.Rational], left: list[sp.Symbol]
) -> dict[sp.Symbol, sp.Symbol] | None:
    """The map from the other law's symbols that one order means; None where a sign differs."""
    outer = (other.response.symbol, *other.inputs)
    names = [symbol for symbol in order if symbol not in outer]
    if any(Interval.of(theirs) != Interval.of(mine) for theirs, mine in zip(names, left, strict=True)):
        return None
    return dict(zip((*outer, *names), (law.response.symbol, *law.inputs, *left), strict=True))


def _shared(law: Law, values: dict[sp.Symbol, sp.Expr]) -> Domain:
    """The law's domain without the relations that speak of a fixed symbol."""
    kept = tuple(pair for pair in law.domain.relations if not any(side.has(*values) for side in pair if values))
    return Domain(law.domain.ranges, kept)
