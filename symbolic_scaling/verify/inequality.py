"""``lesser < greater`` or ``<=``: proved by the sign of the difference or by covering a box, refuted at a point."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import sympy as sp

from ..algebra.order import sign
from ..algebra.zero import prove_zero
from ..domain import Domain
from ..records import Status
from .ball import elementary
from .boxes import Field, bounded_box, cover
from .cases import split
from .equal import conditions
from .finding import Finding, joined
from .refute import Look, certificate, counterexample, look, undefined_note
from .support import undecided

__all__ = ["verify"]

FIRST_POINTS = 24
ALL_POINTS = 120
MOST_BOXES = 2000
MOST_SYMBOLS = 6
MOST_OPEN_SIGNS = 3
MOST_TOUCHING = 3


def verify(lesser: sp.Expr, greater: sp.Expr, domain: Domain, *, strict: bool = True) -> Finding:
    """The finding on ``lesser < greater`` (or ``<=``) on the domain.

    Examples
    --------
    >>> a, b = sp.symbols("a b", positive=True)
    >>> verify(a*b/(a + b), sp.Min(a, b), Domain()).status.name
    'PROVED'
    >>> verify(2*a*b, a**2 + b**2, Domain()).status.name
    'REFUTED'
    """
    lesser, greater = (elementary(side) for side in (lesser, greater))
    found = _violation(list(look(greater, lesser, domain, FIRST_POINTS)), lesser, greater, strict)
    if found is None:
        proof = _by_sign(lesser, greater, strict, domain) or _by_boxes(greater - lesser, strict, domain)
        seen = list(look(greater, lesser, domain, ALL_POINTS))
        found = _violation(seen, lesser, greater, strict)
    if found is not None:
        return found.on(domain)
    if not any(one.defined for one in seen):
        return undecided(seen, "sign of the difference").on(domain)
    note = ("undefined", undefined_note(seen))
    if proof is not None:
        where = joined(conditions(sp.Tuple(lesser, greater), domain))
        return proof.with_evidence(("where", where), note).on(domain)
    certain = sum(one.sign == 1 or (one.sign == 0 and not strict) for one in seen)
    if certain < sum(one.defined for one in seen):
        return undecided(seen, "sign of the difference, subdivision, points").on(domain)
    finding = Finding(Status.SUPPORTED, "true at every point tried", (("points", str(certain)),))
    return finding.with_evidence(note).on(domain)


def _violation(seen: list[Look], lesser: sp.Expr, greater: sp.Expr, strict: bool) -> Finding | None:
    """A point where the claim is certainly false; equality counts only where it is exact or proved."""
    if found := counterexample(seen, lambda side: side < 0 or (strict and side == 0)):
        return certificate(found, sides=("greater side", "lesser side"))
    if strict:
        for one in [one for one in seen if one.defined and one.sign is None][:MOST_TOUCHING]:
            if prove_zero((greater - lesser).subs(one.point.exact)) is not None:
                finding = certificate(one, "both sides are equal at a point", ("greater side", "lesser side"))
                return finding.with_evidence(("equality", "proved by the normal form at this point"))
    return None


def _by_sign(lesser: sp.Expr, greater: sp.Expr, strict: bool, domain: Domain) -> Finding | None:
    """PROVED if the difference has the right sign in every case of Min, Max, Abs and of undeclared signs."""
    facts: list[str] = []
    for low, high in itertools.product(_parts(lesser, sp.Max), _parts(greater, sp.Min)):
        cases = split((low, high), domain, boundary=strict)
        if cases is None:
            return None
        for case in cases:
            difference = case.expressions[1] - case.expressions[0]
            for part, where, text in _by_signs_of_symbols(difference, case.domain):
                side = _side(part, where)
                if side is None or side < 0 or (strict and side == 0):
                    return None
                facts += [f"case {words}" for words in (case.text, text) if words]
            facts.append(f"{difference} {'>' if strict else '>='} 0")
    return Finding(Status.PROVED, "sign of the difference", (("facts", joined(facts)),))


def _parts(side: sp.Expr, kind: type[sp.Max] | type[sp.Min]) -> tuple[sp.Expr, ...]:
    """``x < Min(a, b)`` is ``x < a and x < b``; ``Max(a, b) < x`` likewise: true on boundaries too."""
    return side.args if isinstance(side, kind) else (side,)


def _side(expression: sp.Expr, domain: Domain) -> int | None:
    """1 positive, 0 certainly not negative, None otherwise."""
    known = sign(expression, domain)
    if known is not None:
        return known
    if expression.count_ops() > 300:
        return None
    constant, factors = sp.factor_list(expression) if expression.is_polynomial() else (sp.Integer(1), [])
    total, weak = int(sp.sign(constant)), False
    for base, power in factors:
        known = sign(base, domain)
        if known is None and power % 2:
            return None
        weak |= known is None
        total *= 1 if known is None else known**power
    return (0 if weak else 1) if factors and total > 0 else None


def _by_signs_of_symbols(difference: sp.Expr, domain: Domain) -> Iterator[tuple[sp.Expr, Domain, str]]:
    """The difference with every symbol that may be negative or zero replaced by a positive one, minus one, and zero."""
    loose = [s for s in sorted(difference.free_symbols, key=lambda one: str(one.name)) if _loose(s, domain)]
    if sign(difference, domain) is not None or not 0 < len(loose) <= MOST_OPEN_SIGNS:
        yield difference, domain, ""
        return
    for sides in itertools.product((1, -1, 0), repeat=len(loose)):
        chosen = dict(zip(loose, sides, strict=True))
        if any(s.is_nonnegative and side < 0 for s, side in chosen.items()):
            continue
        replaced = difference.subs({s: side * sp.Symbol(str(s.name), positive=True) for s, side in chosen.items()})
        yield replaced, domain, ", ".join(f"{s} {'<=>'[side + 1]} 0" for s, side in chosen.items())


def _loose(symbol: sp.Symbol, domain: Domain) -> bool:
    """Whether the symbol's sign is open and nothing else is said about it."""
    listed = any(symbol == known for known, _ in domain.ranges)
    tied = any((greater - lesser).has(symbol) for greater, lesser in domain.relations)
    return not (symbol.is_positive or symbol.is_negative or listed or tied)


def _by_boxes(difference: sp.Expr, strict: bool, domain: Domain) -> Finding | None:
    """PROVED if balls over a subdivision of the bounded domain keep to the right side."""
    box = bounded_box(domain, difference.free_symbols)
    if not box or len(box) > MOST_SYMBOLS:
        return None
    count = cover(Field.of(difference), box, lambda value: bool(value > 0 if strict else value >= 0), MOST_BOXES)
    if count is None:
        return None
    return Finding(Status.PROVED, "balls over the whole box", (("boxes", str(count)),))
