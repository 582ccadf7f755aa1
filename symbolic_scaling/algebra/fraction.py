"""Factoring sums into irreducible atoms, and expanding them back: how fractions and radicals are brought together.

``factor`` writes a sum as ``q * monomial * prod(irreducible**n)``. The exponents that occur are put over a common
denominator; every (atom, numerator monomial) becomes a polynomial generator; the polynomial is factored over the
integers; each factor is divided by what of its leading term is zero nowhere, which makes it the same however it was
reached.

``expand`` is the inverse with cancellation: for each irreducible sum P it groups the terms by the non-integer part of
the exponent of P, takes the smallest exponent of the group out and multiplies the rest. Denominators are exponents -1
and radicals are exponents 1/2, so common denominators and ``sqrt(P)**2 = P`` need no rules of their own.

Worked example: ``1/(a + b) - 1/a`` has P = 1 + b/a; the terms are ``a**-1 * P**-1`` and ``-a**-1``; taking ``P**-1``
out leaves ``a**-1 * (1 - P)``, which expands to ``-b*a**-2``.
"""

from __future__ import annotations

from math import gcd, lcm
from typing import Any

from sympy import QQ

from .. import budget
from .monomial import (
    ONE,
    Exponent,
    Monomial,
    Space,
    Sum,
    add,
    join,
    leading,
    multiply,
    scale,
    shift,
)

__all__ = ["expand", "factor", "is_zero"]

MOST_TERMS = 120
MOST_DEGREE = 60


def is_zero(space: Space, terms: Sum) -> bool:
    """Whether a sum has the normal form zero."""
    return not terms or not expand(space, terms)


def factor(space: Space, terms: Sum) -> tuple[Any, Monomial, list[tuple[Sum, int]]]:
    """A non-zero sum as ``(q, monomial, [(irreducible, n), ...])``.

    The leading term of each irreducible has the coefficient 1 and no factor that is zero nowhere.
    """
    terms = expand(space, terms)
    budget.check("factor a sum")
    if len(terms) == 1:
        (monomial, coefficient), *_ = terms.items()
        return coefficient, monomial, []
    top = leading(terms)
    coefficient = terms[top]
    unit, total = coefficient, space.safe(top)
    normal = scale(shift(terms, tuple((number, -power) for number, power in total)), 1 / coefficient)
    pieces = _polynomial_factors(space, normal)
    if pieces is None:
        return unit, total, [(normal, 1)]
    found: list[tuple[Sum, int]] = []
    for piece, count in pieces:
        head = leading(piece)
        value = piece[head]
        head = space.safe(head) if len(piece) > 1 else head
        unit *= value**count
        total = join(total, tuple((number, power * count) for number, power in head))
        if len(piece) > 1:
            back = tuple((number, -power) for number, power in head)
            found.append((scale(shift(piece, back), 1 / value), count))
    return unit, total, sorted(found, key=lambda pair: _sort_key(space, pair[0]))


def _sort_key(space: Space, terms: Sum) -> str:
    return str(sorted((str(monomial), str(q)) for monomial, q in terms.items()))


def _polynomial_factors(space: Space, terms: Sum) -> list[tuple[Sum, int]] | None:
    """The factors of a sum read as a polynomial in suitable generators; None where it is not worth factoring."""
    if len(terms) > MOST_TERMS:
        return None
    parts = _generators(space, terms)
    names = list(parts)
    degrees = [[parts[name].get(monomial, 0) for name in names] for monomial in terms]
    lows = [min(column) for column in zip(*degrees, strict=True)]
    if max(sum(row) - sum(lows) for row in degrees) > MOST_DEGREE:
        return None
    budget.check("factor a sum")
    powers = [tuple(value - low for value, low in zip(row, lows, strict=True)) for row in degrees]
    content = lcm(*(int(value.denominator) for value in terms.values()))
    whole = {power: int(value * content) for power, value in zip(powers, terms.values(), strict=True)}
    split = _factor_list(whole, len(names))
    if split is None:
        return None
    head, factors = split
    low: Monomial = ONE
    for (number, step), least in zip(names, lows, strict=True):
        low = join(low, ((number, step * least),) if least else ONE)
    outer: list[tuple[Sum, int]] = [({low: QQ(head, content)}, 1)]
    return outer + [(_back(names, piece), count) for piece, count in factors]


def _factor_list(
    polynomial: dict[tuple[int, ...], int], size: int
) -> tuple[int, list[tuple[dict[tuple[int, ...], int], int]]] | None:
    """Content and irreducible factors over the integers, by FLINT: SymPy's own can take minutes in many generators.

    None where FLINT cannot put the factors in order.
    """
    from flint import Ordering, fmpz_mpoly_ctx

    context = fmpz_mpoly_ctx.get(tuple(f"g{i}" for i in range(size)), Ordering.lex)
    try:
        head, factors = context.from_dict(polynomial).factor()
    except OverflowError:  # the binding puts factors in order by their coefficients as C integers
        return None
    return int(head), [({p: int(c) for p, c in piece.to_dict().items()}, int(count)) for piece, count in factors]


def _back(names: list[tuple[int, Exponent]], piece: dict[tuple[int, ...], int]) -> Sum:
    total: Sum = {}
    for powers, coefficient in piece.items():
        monomial: Monomial = ONE
        for (number, step), power in zip(names, powers, strict=True):
            monomial = join(monomial, ((number, step * power),) if power else ONE)
        total[monomial] = total.get(monomial, QQ(0)) + QQ(coefficient)
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def _generators(space: Space, terms: Sum) -> dict[tuple[int, Exponent], dict[Monomial, int]]:
    """(atom, step) -> for each monomial the integer n of its part ``atom**(n*step)``."""
    parts: dict[tuple[int, Any], dict[Monomial, Any]] = {}
    common: dict[int, Any] = {}
    for monomial in terms:
        for number, power in monomial:
            known = common.get(number, power.denom.ring.one)
            common[number] = known * power.denom // known.gcd(power.denom)
    for monomial in terms:
        for number, power in monomial:
            numerator = power.numer * (common[number] // power.denom)
            for basis, coefficient in numerator.terms():
                parts.setdefault((number, basis), {})[monomial] = QQ(coefficient)
    found: dict[tuple[int, Exponent], dict[Monomial, int]] = {}
    for (number, basis), values in parts.items():
        ring = common[number].ring
        unit = space.K.new(ring({basis: ring.domain.one}), common[number])
        step = _step(values.values())
        found[number, unit * step] = {monomial: int(value / step) for monomial, value in values.items()}
    return found


def _step(values: Any) -> Any:
    """The largest rational of which all values are integer multiples; 1 when all are integers."""
    rationals = [QQ(value) for value in values]
    below = 1
    for value in rationals:
        below = below * int(value.denominator) // gcd(below, int(value.denominator))
    if below == 1:
        return QQ(1)
    above = 0
    for value in rationals:
        above = gcd(above, int(value.numerator) * (below // int(value.denominator)))
    return QQ(above, below)


def expand(space: Space, terms: Sum) -> Sum:
    """The sum with integer powers of irreducible sums and numbers multiplied out as far as they cancel."""
    done: set[int] = set()
    while True:
        numbers = {number for monomial in terms for number, _ in monomial} - done
        ready = [n for n in numbers if space.atoms[n].kind in ("sum", "prime", "abs")]
        if not ready:
            return terms
        budget.check("expand a sum")
        outer = max(ready)
        done.add(outer)
        terms = _gather(space, terms, outer)


def _gather(space: Space, terms: Sum, number: int) -> Sum:
    """Take the least power of one atom out of each class of exponents that differ by integers; expand the rest."""
    classes: dict[Exponent, list[tuple[int, Monomial, Any]]] = {}
    for monomial, coefficient in terms.items():
        power = dict(monomial).get(number, space.K.zero)
        rest = tuple(pair for pair in monomial if pair[0] != number)
        whole = _whole(power)
        classes.setdefault(power - space.exponent(whole), []).append((whole, rest, coefficient))
    return add(*(_class_total(space, number, base, members) for base, members in classes.items()))


def _whole(power: Exponent) -> int:
    """The integer that, taken off, leaves the same exponent for all that differ by integers."""
    head = power.denom.LM
    share = QQ(power.numer.get(head, 0)) / QQ(power.denom.LC)
    return int(share.numerator // share.denominator)


def _class_total(space: Space, number: int, base: Exponent, members: list[tuple[int, Monomial, Any]]) -> Sum:
    lowest = min(gap for gap, _, _ in members)
    atom = space.atoms[number]
    if atom.kind == "prime":
        values = ((rest, coefficient * QQ(int(atom.payload)) ** gap) for gap, rest, coefficient in members)
        total = add(*({rest: coefficient} for rest, coefficient in values))
        outer = ((number, base),) if base else ONE
    elif atom.kind == "sum":
        low = 0 if lowest > 0 and not base else lowest
        by_gap: dict[int, Sum] = {}
        for gap, rest, coefficient in members:
            by_gap[gap] = add(by_gap.get(gap, {}), {rest: coefficient})
        total = _horner(dict(atom.payload), {gap - low: group for gap, group in by_gap.items()})
        power = base + space.exponent(low)
        outer = ((number, power),) if power else ONE
    else:
        total, outer = _absolute(space, number, members), ((number, base),) if base else ONE
    return shift(total, outer)


def _absolute(space: Space, number: int, members: list[tuple[int, Monomial, Any]]) -> Sum:
    """``Abs(u)**2 = u**2`` for even powers."""
    inner = space.atoms[number].payload
    total: Sum = {}
    for gap, rest, coefficient in members:
        even = gap - gap % 2
        outside = join(rest, ((inner, space.K.one * even),) if even else ONE)
        total = add(total, {join(outside, ((number, space.K.one),) if gap % 2 else ONE): coefficient})
    return total


def _horner(inner: Sum, by_power: dict[int, Sum]) -> Sum:
    """``sum(group * inner**power)`` with the fewest products."""
    total: Sum = {}
    for power in range(max(by_power), -1, -1):
        total = add(multiply(total, inner) if total else {}, by_power.get(power, {}))
    return total
