"""``lesser < greater`` or ``<=``: proved by the sign of the difference or by covering a box, refuted at a point."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import sympy as sp

from ..algebra.zero import prove_zero
from ..domain import Domain
from ..records import Status
from .ball import LADDER, QUICK, elementary
from .boxes import Field, bounded_box, cover
from .cases import signs, split
from .closer import closer
from .compare import compare
from .equal import conditions
from .finding import Finding, joined
from .hostile import hostile
from .refute import POINTS, Look, certificate, counterexample, look, look_at, lopsided, undefined_note
from .support import LEAST_DIGITS, attempt, digits, placed, undecided
from .touching import touching

__all__ = ["verify"]

FIRST_POINTS = 24
MOST_BOXES = 2000
MOST_SYMBOLS = 6
MOST_TOUCHING = 3
WHERE_DEFINED = "proved only where both sides are defined"
SIDES = ("greater side", "lesser side")


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
    found = _violation(list(look(greater, lesser, domain, FIRST_POINTS, ladder=QUICK)), strict)
    if found is None:
        proof = attempt(_by_sign, lesser, greater, strict, domain)
        proof = proof or attempt(_by_boxes, greater - lesser, strict, domain)
        ladder = LADDER if proof is None else QUICK
        seen = list(look(greater, lesser, domain, ladder=ladder))
        for case in attempt(split, (greater, lesser), domain) or ():
            if case.text:
                seen += look(case.expressions[0], case.expressions[1], case.domain, FIRST_POINTS, ladder=ladder)
        found = _violation(seen, strict) or (_equality(seen, lesser, greater) if strict else None)
        if found is None and proof is None:
            places = closer(lesser, greater, [one.point for one in seen if one.defined], domain)
            found = _violation(look_at(greater, lesser, places), strict)
        if found is None and proof is None:
            seen += look_at(greater, lesser, hostile((lesser, greater, greater - lesser), domain, 2 * POINTS))
            found = _violation(seen, strict) or (touching(lesser, greater, domain) if strict else None)
    if found is not None:
        return found.on(domain)
    if not any(one.defined for one in seen):
        return undecided(seen, "sign of the difference").on(domain)
    finding = proof or _unproved(seen, strict)
    if proof is not None and lopsided(seen):
        finding = Finding(Status.SUPPORTED, WHERE_DEFINED, proof.evidence)
    where = joined(attempt(conditions, sp.Tuple(lesser, greater), domain) or ()) if proof is not None else ""
    return finding.with_evidence(("where", where), ("undefined", undefined_note(seen))).on(domain)


def _unproved(seen: list[Look], strict: bool) -> Finding:
    """What the points say without a proof; a statement without symbols has only one point."""
    if not seen[0].point.values and seen[0].sign == 1:
        return Finding(Status.PROVED, "ball arithmetic")
    certain = sum(one.sign == 1 or (not strict and _touching(one)) for one in seen)
    close = sum(one.defined for one in seen) - certain
    if certain <= close:
        return undecided(seen, "sign of the difference, subdivision, points")
    finding = Finding(Status.SUPPORTED, "false at no point tried", (("points", str(certain)),))
    return finding.with_evidence(("too close to tell", str(close) if close else ""))


def _violation(seen: Iterable[Look], strict: bool) -> Finding | None:
    """A point where the claim is certainly false."""
    found = counterexample(seen, lambda side: side < 0 or (strict and side == 0))
    return certificate(found, sides=SIDES) if found else None


def _equality(seen: list[Look], lesser: sp.Expr, greater: sp.Expr) -> Finding | None:
    """A round point where both sides are proved equal, which a strict inequality excludes."""
    for one in [one for one in seen if one.defined and one.sign is None and not one.point.generic][:MOST_TOUCHING]:
        there = placed(greater - lesser, one.point.exact)
        if there is not None and prove_zero(there) is not None:
            finding = certificate(one, "both sides are equal at a point", SIDES)
            return finding.with_evidence(("equality", "proved by the normal form at this point"))
    return None


def _touching(one: Look) -> bool:
    """Whether both sides agree exactly, or to as many digits as could be looked at."""
    return one.sign == 0 or (one.sign is None and (digits(one.left, one.right) or 0) >= LEAST_DIGITS)


def _by_sign(lesser: sp.Expr, greater: sp.Expr, strict: bool, domain: Domain) -> Finding | None:
    """PROVED if the difference has the right sign in every case of Min, Max, Abs and of symbols of open sign."""
    facts: list[str] = []
    for low, high in itertools.product(_parts(lesser, sp.Max), _parts(greater, sp.Min)):
        found = _cases(low, high, strict, domain)
        if found is None:
            found = []
            for part in signs((low, high), domain, boundary=True):
                proof = _cases(part.expressions[0], part.expressions[1], strict, part.domain)
                if proof is None:
                    return None
                found += [f"case {part.text}", *proof]
        if not found:
            return None
        facts += found
    return Finding(Status.PROVED, "sign of the difference", (("facts", joined(facts)),))


def _cases(low: sp.Expr, high: sp.Expr, strict: bool, domain: Domain) -> list[str] | None:
    """The signs that prove ``low < high`` in every case of Min, Max, Abs."""
    cases = split((low, high), domain, boundary=strict)
    if cases is None:
        return None
    facts: list[str] = []
    for case in cases:
        difference = case.expressions[1] - case.expressions[0]
        if difference.has(sp.zoo, sp.nan, sp.I):  # not defined there, so nothing is claimed
            continue
        side = compare(case.expressions[0], case.expressions[1], case.domain, strict)
        if side is None or side < 0 or (strict and side == 0):
            return None
        facts += [f"case {case.text}"] if case.text else []
        facts.append(f"{difference} {'>' if side else '>='} 0")
    return facts


def _parts(side: sp.Expr, kind: type[sp.Max] | type[sp.Min]) -> tuple[sp.Expr, ...]:
    """``x < Min(a, b)`` is ``x < a and x < b``; ``Max(a, b) < x`` likewise: true on boundaries too."""
    return side.args if isinstance(side, kind) else (side,)


def _by_boxes(difference: sp.Expr, strict: bool, domain: Domain) -> Finding | None:
    """PROVED if balls over a subdivision of the bounded domain keep to the right side."""
    box = bounded_box(domain, difference.free_symbols)
    if not box or len(box) > MOST_SYMBOLS:
        return None
    count = cover(Field.of(difference), box, lambda low, _: bool(low > 0 if strict else low >= 0), MOST_BOXES)
    if count is None:
        return None
    return Finding(Status.PROVED, "balls over the whole box", (("boxes", str(count)),))
