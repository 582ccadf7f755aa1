"""When one law is another: parameters at 0 or 1 under which the first has the second's form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

import sympy as sp

from .. import budget
from ..algebra.isolate import isolate
from ..algebra.zero import prove_zero
from ..domain import Domain, Interval
from ..errors import Undecided
from ..law import Law
from ..records import Derivation, Question, Reduction
from .common import Maker, facts

__all__ = ["reduction", "renaming"]

MOST_FIXED = 2
NEAR = 1e-9
_REALS = Interval.of(sp.Symbol("x", real=True))


def reduction(law: Law, into: Law | Iterable[Law]) -> Derivation:
    """Which of some laws are special cases of ``law``.

    A parameter is tried at 0 where its declaration admits the boundary, and at 1; the letters of the other law are
    matched in every order of equal signs, one after the other.

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
    laws = (into,) if isinstance(into, Law) else tuple(into)
    for other in laws:
        one = None if other == law else _first(made, other)
        if one is not None:
            found.append((other.name, one))
    question = Question("reduction", law.domain, laws=laws)
    return Derivation(
        f"reductions of {law.name}", law, facts(law.domain), tuple(made.steps), tuple(found), question=question
    )


def _first(made: Maker, other: Law) -> Reduction | None:
    law = made.law
    if len(law.inputs) != len(other.inputs):
        return None
    there = _Numbered(other.form, (other.response.symbol, *other.inputs), other.constants)
    for fixed in _assignments(law):
        budget.check(f"reduce {law.name} to {other.name}")
        values = dict(fixed)
        form = law.form.subs(values)
        left = tuple(symbol for symbol in law.constants if form.has(symbol))
        if not isinstance(form, sp.Equality) or len(left) != len(other.constants):
            continue
        here = _Numbered(form, (law.response.symbol, *law.inputs), left)
        domain = _shared(law, values)
        letters = _proved(here, there, domain)
        if letters is not None:
            renamed = other.form.xreplace(letters)
            claim = made.equal(f"{law.name} is {other.name}", _ratio(form), _ratio(renamed), domain)
            text = ", ".join(f"{symbol} = {value}" for symbol, value in fixed) or "the same form"
            made.step("special case", text, law.form, renamed, claim)
            return Reduction(other.name, fixed, tuple(sorted(letters.items(), key=lambda pair: pair[0].name)))
    return None


def renaming(law: Law, other: Law) -> dict[sp.Symbol, sp.Symbol] | None:
    """Prove two laws equal up to the names of response, inputs and constants.

    Where the inputs can be matched in several ways, it is the one that keeps the most names, then their order. A
    constant of ``law`` may have either sign where that of ``other`` has one.

    Parameters
    ----------
    law, other : Law

    Returns
    -------
    dict of Symbol to Symbol, or None
        What each letter of ``other`` is called in ``law``; None without a proof.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> own = laws.formula("y - e = b*x^(-c)", ["x"])
    >>> renaming(own, laws.formula("L = E + A/N^alpha", ["N"]))
    {L: y, N: x, A: b, E: e, alpha: c}
    """
    if (len(law.inputs), len(law.constants)) != (len(other.inputs), len(other.constants)):
        return None
    mine, theirs = _solved(law), _solved(other)
    here = _Numbered(mine, (law.response.symbol, *law.inputs), law.constants)
    orders = permutations(other.inputs)
    for order in sorted(orders, key=lambda one: sum(a.name != b.name for a, b in zip(one, law.inputs, strict=True))):
        there = _Numbered(theirs, (other.response.symbol, *order), other.constants)
        found = _proved(here, there, law.domain, wider=True)
        if found is not None:
            return {symbol: found[symbol] for symbol in (other.response.symbol, *other.inputs, *other.constants)}
    return None


def _solved(law: Law) -> sp.Equality:
    """The law's form, for its response where that can be laid bare on the law's own domain."""
    y, value = law.response.symbol, law.explicit
    if value is None:
        try:
            found = isolate(law.form, y, law.domain)
        except Undecided:
            found = None
        value = found.value if found is not None and not found.conditions else None
    return law.form if value is None else sp.Eq(y, value, evaluate=False)


def _proved(
    here: _Numbered, there: _Numbered, domain: Domain, *, wider: bool = False
) -> dict[sp.Symbol, sp.Symbol] | None:
    """The first map of letters under which the normal form proves the two forms equal."""
    for letters in _matches(here, there, wider=wider):
        if prove_zero(_ratio(here.form) - _ratio(there.form.xreplace(letters)), domain) is not None:
            return letters
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


@dataclass(frozen=True)
class _Numbered:
    """A form with numbers for its letters: response and inputs by place, some constants apart, the rest all alike."""

    form: sp.Equality
    outer: tuple[sp.Symbol, ...]
    constants: tuple[sp.Symbol, ...]

    def at(self, chosen: Sequence[sp.Symbol]) -> sp.Expr:
        """The ratio of the sides with each of the chosen constants at a number of its own."""
        point = {s: sp.Rational(11 + 4 * n, 7) for n, s in enumerate(self.outer)}
        point |= {s: _signed(s, sp.Rational(17, 19)) for s in self.constants}
        point |= {s: _signed(s, sp.Rational(3 + 2 * n, 10)) for n, s in enumerate(chosen)}
        return (self.form.lhs / self.form.rhs).evalf(15, subs=point)


def _signed(symbol: sp.Symbol, size: sp.Rational) -> sp.Rational:
    return -size if symbol.is_negative else size


def _matches(here: _Numbered, there: _Numbered, *, wider: bool) -> Iterator[dict[sp.Symbol, sp.Symbol]]:
    """The maps from ``there`` to ``here``, letter by letter: a pair is dropped once the forms differ at their numbers.

    The letters not yet matched stand at one number, so a right map is never dropped, and few wrong ones go on. With
    ``wider`` a letter of ``here`` may be of either sign where the other has one.
    """
    kinds = [Interval.of(symbol) for symbol in here.constants]
    pending: list[tuple[sp.Symbol, ...]] = [()]
    while pending:
        budget.check("match the letters of two laws")
        chosen = pending.pop()
        if not _alike(here.at(here.constants[: len(chosen)]), there.at(chosen)):
            continue
        if len(chosen) == len(here.constants):
            yield dict(zip((*there.outer, *chosen), (*here.outer, *here.constants), strict=True))
            continue
        kind = kinds[len(chosen)]
        free = [
            s for s in there.constants if s not in chosen and (Interval.of(s) == kind or (wider and kind == _REALS))
        ]
        pending += [(*chosen, symbol) for symbol in reversed(free)]


def _alike(one: sp.Expr, other: sp.Expr) -> bool:
    """Whether two numbers agree; what is none tells nothing."""
    if not (one.is_finite and other.is_finite):
        return True
    return bool(abs(one - other) <= NEAR * abs(other))


def _shared(law: Law, values: dict[sp.Symbol, sp.Expr]) -> Domain:
    """The law's domain without the relations that speak of a fixed symbol."""
    kept = tuple(pair for pair in law.domain.relations if not any(side.has(*values) for side in pair if values))
    return Domain(law.domain.ranges, kept)
