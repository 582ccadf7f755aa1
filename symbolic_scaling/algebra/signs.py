"""The sign of a sum on a domain: what every power, logarithm, order and inequality rests on.

In this order: terms of one sign; factors, each by itself; two terms compared through the logarithm of their ratio;
``greater = lesser + delta`` for the domain's relations and ``x = (lo + hi*delta)/(1 + delta)`` for its ranges, after
which all terms have one sign; powers below 1 likewise; balls over a bounded box, split where needed. None means "not
decided", never "not so".

Worked example: ``r**(a + b) - 1`` with r in [.05, .95]: the ratio of the two terms is ``r**(a + b)``, its logarithm
``(a + b)*log(r)`` is negative, so the sum is negative.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy import QQ

from .. import budget
from . import balls
from .fading import MOST_DEGREE, product, without_power
from .fraction import expand, factor
from .monomial import ONE, Exponent, Monomial, Space, Sum, add, constant, integer, join, leading, scale, shift

__all__ = ["exponent_sign", "irreducible_sign", "log_sign", "polynomial", "sum_atom", "sum_sign", "term_sign"]


def sum_sign(space: Space, terms: Sum) -> int | None:
    """+1, -1, 0 (identically zero) or None."""
    if not terms:
        return 0
    key = frozenset(terms.items())
    if key not in space.signs:
        budget.check("find a sign")
        space.signs[key] = None  # a question that comes back to itself stays undecided
        space.signs[key] = _uniform(space, terms) or _by_factors(space, terms)
    return space.signs[key]


def term_sign(space: Space, monomial: Monomial, coefficient: Any) -> int | None:
    """The sign that one term has where it does not vanish."""
    sign = 1 if coefficient > 0 else -1
    for number, power in monomial:
        known, whole = space.atoms[number].sign, integer(power)
        if known == -1 and whole is not None:
            sign *= known**whole
        elif known not in (0, 1) and (whole is None or whole % 2):
            return None
    return sign


def _uniform(space: Space, terms: Sum) -> int | None:
    """The common sign of all terms, where they do not all vanish at once."""
    sign = _common(space, terms)
    return sign if sign and _keeps_away(space, terms) else None


def _common(space: Space, terms: Sum) -> int | None:
    """The common sign of all terms where they do not vanish."""
    signs = {term_sign(space, monomial, coefficient) for monomial, coefficient in terms.items()}
    return signs.pop() if len(signs) == 1 else None


def _keeps_away(space: Space, terms: Sum, after: int = -1) -> bool:
    """Whether some term survives wherever bounded symbols reach an end, or a real one zero, inside the domain.

    A symbol in ``[lo, hi]`` is written with ``delta`` from 0 to oo: its ends are the terms of lowest and highest power.
    """
    if space.weak:
        return True
    for number in sorted(space.corners):
        low_closed, high_closed, top = space.corners[number]
        powers = {monomial: dict(monomial).get(number, space.K.zero) for monomial in terms}
        if number <= after or not (top or any(powers.values())):
            continue
        ends = ([space.K.zero] if low_closed else []) + ([space.exponent(top)] if high_closed else [])
        at_ends = [{m: QQ(1) for m, power in powers.items() if power == end} for end in ends]
        if at_ends:
            return all(rest and _keeps_away(space, rest, number) for rest in at_ends)
    return True


def _without(monomial: Monomial, number: int) -> Monomial:
    return tuple(pair for pair in monomial if pair[0] != number)


def _by_factors(space: Space, terms: Sum) -> int | None:
    terms = expand(space, terms)
    if not terms:
        return 0
    coefficient, monomial, pieces = factor(space, terms)
    sign = _uniform(space, {monomial: coefficient})
    for piece, count in pieces:
        one = irreducible_sign(space, piece)
        if sign is None or one is None:
            return None
        sign *= one**count
    return sign


def irreducible_sign(space: Space, terms: Sum) -> int | None:
    """The sign of an irreducible sum whose leading term is 1; what it rests on is noted in the space's facts."""
    key = ("irreducible", frozenset(terms.items()))
    if key not in space.signs:
        space.signs[key] = None
        sign = _uniform(space, terms)
        if sign is None:
            sign = _two_terms(space, terms) or _near_zero(space, terms) or _by_substitution(space, terms)
            sign = sign or _by_fading(space, terms) or balls.box_sign(space, terms)
            if sign:
                space.facts[f"{_readable(space, terms, sign)} > 0"] = None
        space.signs[key] = sign
    return space.signs[key]


def _readable(space: Space, terms: Sum, sign: int) -> sp.Expr:
    """A positive multiple of the sum, times its sign, without denominators."""
    clear: Monomial = ONE
    for number in sorted({number for monomial in terms for number, _ in monomial}):
        least = min(integer(dict(monomial).get(number, space.K.zero)) or 0 for monomial in terms)
        if least < 0 and space.atoms[number].sign == 1:
            clear = join(clear, ((number, space.exponent(-least)),))
    return space.write(scale(shift(terms, clear), QQ(sign)))


def exponent_sign(space: Space, power: Exponent) -> int | None:
    """The sign of an element of the exponent field."""
    if not power:
        return 0
    above, below = sum_sign(space, polynomial(space, power.numer)), sum_sign(space, polynomial(space, power.denom))
    return None if above is None or below is None else above * below


def polynomial(space: Space, element: Any) -> Sum:
    """A polynomial of the exponent field's ring as a sum."""
    total: Sum = {}
    for powers, coefficient in element.terms():
        monomial: Monomial = ONE
        for symbol, power in zip(space.symbols, powers, strict=False):
            if power:
                monomial = join(monomial, ((space.symbol(symbol), space.exponent(power)),))
        total[monomial] = QQ(coefficient)
    return total


def log_sign(space: Space, number: int) -> tuple[int | None, bool]:
    """The sign of the logarithm of an atom, and whether it is strict: does it lie above 1, or between 0 and 1?"""
    atom = space.atoms[number]
    if atom.sign not in (0, 1):
        return None, False
    if atom.kind in ("prime", "constant"):
        return (1 if atom.payload > 1 else -1), True
    if atom.kind == "symbol":
        interval = space.domain.interval(atom.payload)
        if interval.lo >= 1:
            return 1, bool(interval.lo > 1 or interval.lo_open)
        if interval.hi <= 1:
            return -1, bool(interval.hi < 1 or interval.hi_open)
        return None, False
    return (sum_sign(space, add(dict(atom.payload), constant(-1))) if atom.kind == "sum" else None), True


def _two_terms(space: Space, terms: Sum) -> int | None:
    """``1 - q*m``: compare ``log q`` and the logarithms of the powers in m with zero."""
    if len(terms) != 2:
        return None
    first = leading(terms)
    other = next(monomial for monomial in terms if monomial != first)
    ratio, size = join(other, tuple((number, -power) for number, power in first)), -terms[other] / terms[first]
    logs = all(space.atoms[number].sign == 1 for number, _ in ratio)
    if not logs or term_sign(space, first, terms[first]) != 1 or size <= 0:
        return None
    signs, strict = {1 if size > 1 else -1} if size != 1 else set(), bool(size != 1)
    for number, power in ratio:
        outer, (log, sure) = exponent_sign(space, power), log_sign(space, number)
        if not outer or not log:
            return _common_power(space, ratio) if size == 1 else None
        signs.add(outer * log)
        strict = strict or sure
    if len(signs) == 1:
        return -signs.pop() if strict or space.weak else None
    return _common_power(space, ratio) if size == 1 else None


def _common_power(space: Space, ratio: Monomial) -> int | None:
    """``1 - (prod atom**n)**e`` with integers n: the sign of e against that of ``prod - 1``."""
    base = ratio[0][1]
    whole = [(number, integer(power / base)) for number, power in ratio]
    outer = exponent_sign(space, base)
    if outer is None or any(n is None for _, n in whole) or base in (space.K.one, -space.K.one):
        return None
    inner: Monomial = tuple((number, space.exponent(n)) for number, n in whole)
    below = sum_sign(space, add(constant(1), {inner: QQ(-1)}))
    return None if below is None else outer * below


def _near_zero(space: Space, terms: Sum) -> int | None:
    """The sign for small enough values of the space's small symbol: that of the terms without it."""
    if space.small is None:
        return None
    number, head = space.symbol(space.small), {}
    for monomial, coefficient in terms.items():
        power = dict(monomial).get(number)
        rest = _without(monomial, number)
        if any(space.small in space.write_atom(n).free_symbols for n, _ in rest):
            return None
        if power is None:
            head[monomial] = coefficient
        elif exponent_sign(space, power) != 1:
            return None
    return sum_sign(space, head) if 0 < len(head) < len(terms) else None


def _by_substitution(space: Space, terms: Sum) -> int | None:
    """Write each bounded symbol through a positive one; terms of one sign decide."""
    corners = dict(space.corners)
    try:
        for number, replacement, over, delta in space.substitutions * (len(space.substitutions) + 1):
            if not any(known == number for monomial in terms for known, _ in monomial):
                continue
            whole = [integer(dict(monomial).get(number, space.K.zero)) for monomial in terms]
            known = [n for n in whole if n is not None]
            if len(known) < len(whole) or not any(known):
                continue
            low, top = min(known), max(known) - min(known)
            if top > MOST_DEGREE or (low % 2 and space.atoms[number].sign != 1):
                continue
            low_closed, high_closed, so_far = space.corners.get(delta, (False, False, 0))
            space.corners[delta] = (low_closed, high_closed, so_far + top)
            total: Sum = {}
            budget.check("write a bounded symbol through a positive one")
            for (monomial, coefficient), n in zip(terms.items(), known, strict=True):
                part = scale(product(replacement, n - low, over, top - n + low), coefficient)
                total = add(total, shift(part, _without(monomial, number)))
            terms = expand(space, total)
            if (sign := _uniform(space, terms)) is not None:
                return sign
        return None
    finally:
        space.corners = corners


def _by_fading(space: Space, terms: Sum) -> int | None:
    """Write a power that lies between 0 and 1, such as ``exp(-u)``, as ``1/(1 + delta)``."""
    for number, power in sorted({pair for monomial in terms for pair in monomial}, key=str):
        outer, (log, strict) = exponent_sign(space, power), log_sign(space, number)
        if integer(power) is not None or not outer or not log or not strict or space.atoms[number].sign != 1:
            continue
        written = without_power(space, terms, number, power if outer * log < 0 else -power)
        if written is not None and (sign := _uniform(space, expand(space, written))) is not None:
            return sign
    return None


def sum_atom(space: Space, terms: Sum) -> tuple[int, int]:
    """(atom, flip): an irreducible sum as an atom, negated (flip = -1) where it is negative on the domain."""
    sign = irreducible_sign(space, terms)
    side = sign or _common(space, terms)
    flip, known = -1 if side == -1 else 1, 1 if sign else 0 if side else None
    return space.atom("sum", tuple(scale(terms, QQ(flip)).items()), known), flip
