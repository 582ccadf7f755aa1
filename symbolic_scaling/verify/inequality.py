"""``lesser < greater`` or ``<=``: proved by the sign of the difference or by covering a box, refuted at a point."""

from __future__ import annotations

import itertools
import math

import sympy as sp

from ..algebra.order import sign
from ..algebra.zero import prove_zero
from ..domain import Domain
from ..records import Status
from .ball import LADDER, QUICK, elementary
from .boxes import Field, bounded_box, cover
from .cases import signs, split
from .equal import conditions
from .finding import Finding, joined
from .monotone import sign_from_end
from .refute import Look, certificate, counterexample, look, lopsided, undefined_note
from .support import LEAST_DIGITS, attempt, digits, placed, undecided
from .surds import is_small, sign_by_squares

__all__ = ["verify"]

FIRST_POINTS = 24
MOST_BOXES = 2000
MOST_DEGREE = 30
MOST_SYMBOLS = 6
MOST_ROOT = 6
MOST_TOUCHING = 3
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
        seen = list(look(greater, lesser, domain, ladder=LADDER if proof is None else QUICK))
        found = _violation(seen, strict) or (_equality(seen, lesser, greater) if strict else None)
    if found is not None:
        return found.on(domain)
    if not any(one.defined for one in seen):
        return undecided(seen, "sign of the difference").on(domain)
    finding = proof or _unproved(seen, strict)
    if proof is not None and lopsided(seen):
        finding = Finding(Status.SUPPORTED, "proved only where both sides are defined", proof.evidence)
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


def _violation(seen: list[Look], strict: bool) -> Finding | None:
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
        if difference.has(sp.zoo, sp.nan):  # not defined there, so nothing is claimed
            continue
        side = None
        for compare in (_by_bases, _by_difference, _by_exponentials, _by_roots, _by_slope):
            if side is None or (strict and side == 0):
                side = compare(case.expressions[0], case.expressions[1], case.domain)
        if side is None or side < 0 or (strict and side == 0):
            return None
        facts += [f"case {case.text}"] if case.text else []
        facts.append(f"{difference} {'>' if side else '>='} 0")
    return facts


def _parts(side: sp.Expr, kind: type[sp.Max] | type[sp.Min]) -> tuple[sp.Expr, ...]:
    """``x < Min(a, b)`` is ``x < a and x < b``; ``Max(a, b) < x`` likewise: true on boundaries too."""
    return side.args if isinstance(side, kind) else (side,)


def _by_bases(low: sp.Expr, high: sp.Expr, domain: Domain) -> int | None:
    """The sign of ``high - low`` for powers of positive numbers with one exponent, without multiplying them out."""
    if not (low.is_Pow and high.is_Pow and low.exp == high.exp):
        return None
    if sign(low.base, domain) != 1 or sign(high.base, domain) != 1:
        return None
    bases, way = sign(high.base - low.base, domain), sign(low.exp, domain)
    return None if bases is None or way is None else bases * way


def _by_difference(low: sp.Expr, high: sp.Expr, domain: Domain) -> int | None:
    """1 if ``high - low`` is positive, -1 negative, 0 not negative, None not known: by sign, factors, squares."""
    expression = high - low
    known = sign_by_squares(expression, domain)
    if known is not None or not is_small(expression):
        return known
    plain, domain = _without_roots(_without_powers(expression), domain)
    top, bottom = sp.fraction(sp.together(plain))
    below = sign(bottom, domain)
    if not below or not is_small(top) or not top.is_polynomial(*top.free_symbols):
        return None
    if not all(power.exp.is_Integer and power.exp <= MOST_DEGREE for power in top.atoms(sp.Pow)):
        return None
    constant, factors = sp.factor_list(top)
    total, weak = int(sp.sign(constant)) * below, False
    for base, power in factors:
        known = sign(base, domain)
        known = _definite(base, domain) if known is None else known
        if known is None and power % 2:
            return None
        weak |= known is None
        total *= 1 if known is None else known**power
    return (0 if weak else 1) if factors and total > 0 else None


def _definite(polynomial: sp.Expr, domain: Domain) -> int | None:
    """The sign of a polynomial that is quadratic in some symbol and has no real root in it: that of its ends."""
    for symbol in sorted(polynomial.free_symbols, key=lambda one: str(one.name)):
        parts = sp.Poly(polynomial, symbol).all_coeffs()
        if len(parts) == 3 and sign(4 * parts[0] * parts[2] - parts[1] ** 2, domain) == 1:
            ends = sign(parts[0], domain) or sign(parts[2], domain)
            if ends is not None:
                return ends
    return None


def _by_exponentials(low: sp.Expr, high: sp.Expr, domain: Domain) -> int | None:
    """The sign of ``high - low`` where a side is a logarithm: that of the exponentials' difference."""
    if not isinstance(low, sp.log) and not isinstance(high, sp.log):
        return None
    return sign_by_squares(sp.exp(high) - sp.exp(low), domain)


def _by_roots(low: sp.Expr, high: sp.Expr, domain: Domain) -> int | None:
    """The sign of ``high - low`` where one of two positive sides is a power p: that of the p-th roots' difference."""
    if sign(low, domain) != 1 or sign(high, domain) != 1:
        return None
    for side in (high, low):
        if side.is_Pow and (way := sign(side.exp, domain)):
            roots = sign(high ** (1 / side.exp) - low ** (1 / side.exp), domain)
            if roots is not None:
                return roots * way
    return None


def _by_slope(low: sp.Expr, high: sp.Expr, domain: Domain) -> int | None:
    """1 if ``high - low`` is positive, 0 not negative: from the end of an interval along which it moves one way."""
    return attempt(sign_from_end, high - low, domain)


def _without_powers(expression: sp.Expr) -> sp.Expr:
    """The expression with ``k**(q*e)`` as ``t**q`` for positive k and symbolic e; t runs through all positive numbers.

    What is lost is how t depends on k, so a sign that is found holds all the same.
    """
    units: list[tuple[sp.Expr, sp.Expr, sp.Symbol]] = []
    moved: dict[sp.Expr, sp.Expr] = {}
    powers = [one for one in expression.atoms(sp.Pow) if one.base.is_positive and one.exp.free_symbols]
    for power in sorted(powers, key=sp.default_sort_key):
        base, exponent = power.args
        known = next((unit for unit in units if unit[0] == base and (exponent / unit[1]).is_Rational), None)
        if known is None:
            known = base, exponent, sp.Symbol(f"power {len(units)}", positive=True)
            units.append(known)
        moved[power] = known[2] ** (exponent / known[1])
    return expression.xreplace(moved)


def _without_roots(expression: sp.Expr, domain: Domain) -> tuple[sp.Expr, Domain]:
    """The expression in ``t`` where ``x = t**n`` for the positive x under n-th roots, and what is known of t.

    The name x is kept: t runs through the positive numbers too. What the domain says of x does not hold for t.
    """
    roots: dict[sp.Symbol, int] = {}
    for power in expression.atoms(sp.Pow):
        if isinstance(power.base, sp.Symbol) and power.base.is_positive and power.exp.is_Rational:
            roots[power.base] = math.lcm(roots.get(power.base, 1), int(power.exp.q))
    moved = {symbol: symbol**n for symbol, n in roots.items() if 1 < n <= MOST_ROOT}
    ranges = tuple(pair for pair in domain.ranges if pair[0] not in moved)
    relations = tuple(pair for pair in domain.relations if not (pair[0] - pair[1]).free_symbols & set(moved))
    return expression.subs(moved, simultaneous=True), Domain(ranges, relations) if moved else domain


def _by_boxes(difference: sp.Expr, strict: bool, domain: Domain) -> Finding | None:
    """PROVED if balls over a subdivision of the bounded domain keep to the right side."""
    box = bounded_box(domain, difference.free_symbols)
    if not box or len(box) > MOST_SYMBOLS:
        return None
    count = cover(Field.of(difference), box, lambda low, _: bool(low > 0 if strict else low >= 0), MOST_BOXES)
    if count is None:
        return None
    return Finding(Status.PROVED, "balls over the whole box", (("boxes", str(count)),))
