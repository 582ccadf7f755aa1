"""How many digits of each constant a paper must print for the frontier to hold to a given part.

With constants ``p_i`` rounded to half a unit of their last digit, ``h_i``, an outcome y moves by at most about
``sum |d log y/d p_i| h_i``. Every constant gets the same share; the digits that this gives are then checked, and cut
where one can be spared, by enclosing y over the box of all roundings. The answer is what the enclosures certify.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from .. import derive, quantity
from ..errors import LawError
from ..law import Law, PublishedSet
from ..verify.boxes import Box
from ..verify.printed import read_printed
from .enclosures import Search, as_range, ratio

__all__ = ["Digits", "Outcome", "digits"]


@dataclass(frozen=True)
class Outcome:
    """One quantity of the frontier: its value, and its range under the printed and under the needed digits."""

    name: str
    value: float
    printed: tuple[float, float]
    needed: tuple[float, float]


@dataclass(frozen=True)
class Digits:
    """The answer: constant -> digits needed, constant -> as it is printed, and what either allows.

    ``elasticities`` pairs a constant with the largest ``|d log y/d log p|`` of the outcomes that must hold.
    """

    law: Law
    published: str
    percent: Fraction
    at: tuple[str, str]
    needed: tuple[tuple[str, int], ...]
    printed: tuple[tuple[str, str], ...]
    elasticities: tuple[tuple[str, float], ...]
    outcomes: tuple[Outcome, ...]


def digits(
    law: Law,
    published: str | None = None,
    percent: str | float = 1,
    compute: str | float = "5.76e23",
    cost: str | None = None,
) -> Digits:
    """How many significant digits of each constant keep the frontier's inputs and response within ``percent``.

    Parameters
    ----------
    law : Law
        With a closed frontier, and published constants.
    published : str, optional
        The name of the set; the law's first one by default.
    percent : str or float
        How far each outcome may move, relative.
    compute : str or float
        The budget at which it must hold, in the units of the cost.
    cost : str, optional
        As for :func:`symbolic_scaling.derive.frontier`.

    Raises
    ------
    LawError
        If there is no such set, the frontier has no closed form, or no digits up to 30 do.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> dict(digits(laws.get("chinchilla"), "hoffmann2022-unrounded").needed)
    {'E': 3, 'A': 3, 'B': 3, 'alpha': 4, 'beta': 4}
    """
    asked = f"find the digits to publish of {law.name}"
    part = quantity.read(percent).value / 100
    if not 0 < part < 1:
        raise LawError(asked, f"{percent} percent", "give a number between 0 and 100")
    chosen = _set(law, published, asked)
    found = derive.frontier(law, cost)
    exact = {law.symbols[name]: value for name, value in chosen.exact().items()}
    spent = quantity.read(compute).value
    if spent <= 0:
        raise LawError(asked, f"a budget of {compute}", "give one above 0")
    closed = {one.name: _closed(found[one.name], asked) for one in (*law.inputs, law.response.symbol)}
    free = {symbol for value in closed.values() for symbol in value.free_symbols} - set(exact)
    if len(free) != 1:
        raise LawError(asked, f"no value for {', '.join(sorted(map(str, free)))}", "take a set with every constant")
    money = free.pop()
    search = Search(asked, closed, {**exact, money: sp.Rational(spent.numerator, spent.denominator)}, money, part)
    needed = search.run()
    if len(law.inputs) == 2:
        first, second = (symbol.name for symbol in law.inputs)
        closed[f"{second}/{first}"] = closed[second] / closed[first]
    boxes = _printed_box(law, chosen), search.box(needed)
    looked = {name: search.looked_at(value, boxes) for name, value in closed.items()}
    order = [symbol for symbol in law.constants if symbol in exact]
    return Digits(
        law, chosen.name, part * 100, (money.name, str(compute)),
        tuple((s.name, needed[s]) for s in order), chosen.constants,
        tuple((s.name, search.elasticity(s)) for s in order),
        tuple(Outcome(name, value, *ranges) for name, (value, ranges) in looked.items()),
    )  # fmt: skip


def _closed(answer: object, asked: str) -> sp.Expr:
    if not isinstance(answer, sp.Expr):
        raise LawError(asked, "the frontier has no closed form", "give a cost under which it has one")
    return answer


def _set(law: Law, name: str | None, asked: str) -> PublishedSet:
    known = {one.name: one for one in law.published}
    if not known or (name is not None and name not in known):
        found = f"its published sets are {', '.join(known) or 'none'}"
        raise LawError(asked, found, "pick one of these" if known else "take a law with published constants")
    return known[name] if name else law.published[0]


def _printed_box(law: Law, chosen: PublishedSet) -> Box:
    """The numbers that print as the constants of a set do; ``exp(6.007)`` by the digits of its argument."""
    box: Box = {}
    for name, text in chosen.constants:
        inside = text.strip().removeprefix("exp(").removesuffix(")")
        one = read_printed(inside, f"read {name} = {text}")
        lo, hi = one.ends
        if inside != text.strip():
            lo, hi = (ratio(sp.exp(sp.Rational(end.numerator, end.denominator))) for end in (lo, hi))
        box[law.symbols[name]] = as_range(lo, hi)
    return box
