"""The small changes of an expression that a misprint is made of, each with the words that say it.

Every change is made wherever the changed part stands, so a wrong definition is one change. The order is that of
:data:`CATEGORIES`: the sign of an exponent, an inverted ratio, swapped symbols, a factor, a term.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import sympy as sp

from ..notation import text
from .surds import is_small

__all__ = ["CATEGORIES", "Change"]

Measure = Callable[[sp.Expr], Sequence[float] | None]
"""The values of an expression at a few points, None where it has none."""

MOST_SYMBOLS = 8
MOST_TERMS = 8

NUMBERS = tuple(sp.Rational(n) for n in ("-1", "2", "1/2", "3", "1/3", "4", "1/4", "6", "1/6"))


class Change(NamedTuple):
    """What was changed, the changed expression, and the same change for the other side where it may touch both."""

    words: str
    parts: tuple[sp.Expr, ...]
    expression: sp.Expr
    again: Callable[[sp.Expr], sp.Expr] | None = None

    @property
    def said(self) -> str:
        """The words with the parts in them."""
        return self.words.format(*(text(part) for part in self.parts))


def exponent_signs(side: sp.Expr, other: sp.Expr, measure: Measure) -> Iterator[Change]:
    """The sign of one exponent, or of one term of it.

    Examples
    --------
    >>> x, a = sp.symbols("x a", positive=True)
    >>> [change.said for change in exponent_signs(2*x**a, x, lambda one: None)]
    ['the exponent is -a: x**(-a)']
    """
    powers = [(power, *power.as_base_exp()) for power in _sorted(side.atoms(sp.Pow, sp.exp))]
    turned = [(power, base, -exponent) for power, base, exponent in powers if not exponent.is_number]
    turned += [
        (power, base, exponent - 2 * term)
        for power, base, exponent in powers
        for term in (exponent.args if exponent.is_Add else ())
    ]
    for power, base, exponent in turned:
        turn = partial(_replaced, {power: base**exponent})
        yield Change("the exponent is {}: {}", (exponent, base**exponent), turn(side), turn)


def inverted_ratios(side: sp.Expr, other: sp.Expr, measure: Measure) -> Iterator[Change]:
    """One ratio turned over: a base, the argument of a logarithm, a quotient."""
    seen: set[sp.Expr] = set()
    powers = _sorted(side.atoms(sp.Pow))
    quotients = [node for node in _sorted(side.atoms(sp.Mul)) if sp.fraction(node)[1] != 1]
    for node in [*(power.base for power in powers), *quotients]:
        if node in seen or node.is_number or isinstance(node, sp.Add):
            continue
        seen.add(node)
        turn = partial(_inverted, node)
        yield Change("the ratio is inverted: {}", (1 / node,), turn(side), turn)


def swapped_symbols(side: sp.Expr, other: sp.Expr, measure: Measure) -> Iterator[Change]:
    """Two symbols in each other's place."""
    for a, b in itertools.combinations([] if side.is_Atom else _symbols(side), 2):
        yield Change("{} and {} are swapped", (a, b), side.xreplace({a: b, b: a}))


def wrong_symbols(side: sp.Expr, other: sp.Expr, measure: Measure) -> Iterator[Change]:
    """One symbol in the place of another, or two swapped, in one part."""
    powers = _sorted(side.atoms(sp.Pow))
    parts = dict.fromkeys([*(one.exp for one in powers), *(one.base for one in powers), *sp.Add.make_args(side)])
    for part in [one for one in parts if one != side and not side.is_Atom]:
        for a, b in itertools.permutations(_symbols(sp.Tuple(side, other)), 2):
            if part.has(a) and not part.has(b):
                new = part.xreplace({a: b})
                yield Change("{} is {}", (part, new), side.xreplace({part: new}))
            elif part.has(a) and a.name < b.name:
                new = part.xreplace({a: b, b: a})
                yield Change("{} and {} are swapped in {}", (a, b, part), side.xreplace({part: new}))


def factors(side: sp.Expr, other: sp.Expr, measure: Measure) -> Iterator[Change]:
    """A factor too few or too many: of the side, of a term of it, of a term further in, of an exponent."""
    few = _few(side, other)
    yield from _matching_factors(side, other, few, measure)
    inner = [term for total in _sorted(side.atoms(sp.Add)) if total != side for term in total.args]
    exponents = [power.exp for power in _sorted(side.atoms(sp.Pow)) if not power.exp.is_number]
    for node in dict.fromkeys([*inner[:MOST_TERMS], *exponents[:MOST_TERMS]]):
        for factor in few:
            what = "the term {} is {}" if node in inner else "the exponent {} is {}"
            yield Change(what, (node, factor * node), _within(side, node, factor * node))


def rare_factors(side: sp.Expr, other: sp.Expr, measure: Measure) -> Iterator[Change]:
    """A part of either side, its inverse, ``a/b`` or ``1 + a/b`` too few or too many."""
    yield from _matching_factors(side, other, _more(side, other), measure)


def _matching_factors(
    side: sp.Expr, other: sp.Expr, candidates: Iterable[sp.Expr], measure: Measure
) -> Iterator[Change]:
    """The candidates that have, at every point, the value that the side or a term of it lacks as a factor."""
    known = [(factor, values) for factor in candidates if (values := measure(factor))]
    for term in dict.fromkeys([side, *sp.Add.make_args(side)[:MOST_TERMS]]):
        needed = measure((other - (side - term)) / term)
        for factor in [factor for factor, values in known if needed and _same(values, needed)]:
            what = "the side" if term == side else "the term {}"
            yield Change(*_multiplied(what, () if term == side else (term,), factor), side - term + factor * term)


def missing_terms(side: sp.Expr, other: sp.Expr, measure: Measure) -> Iterator[Change]:
    """A term too few or too many, of the side, of a sum in it or of an exponent."""
    symbols = _symbols(sp.Tuple(side, other))
    opened = sp.expand(other) if is_small(other) else other
    terms = [sp.Integer(1), *symbols, *(term for term in sp.Add.make_args(opened) if term != other)]
    for term in sp.Add.make_args(side) if isinstance(side, sp.Add) else ():
        yield Change("the term {} is left out", (term,), side - term)
    needed = measure(other - side)
    for term in dict.fromkeys([*terms, *(-one for one in terms)]):
        if needed and (values := measure(term)) and _same(values, needed):
            yield Change("the term {} is added to the side", (term,), side + term)
    small = [sp.Integer(1), sp.Integer(-1), *symbols, *(-one for one in symbols)]
    for total in _sorted(side.atoms(sp.Add)):
        for term in total.args if total != side else ():
            yield Change("the term {} is left out", (term,), side.xreplace({total: total - term}))
        for term in small if total != side else ():
            yield Change("{} is {}", (total, total + term), side.xreplace({total: total + term}))
    for power in [one for one in _sorted(side.atoms(sp.Pow)) if not one.exp.is_number]:
        for new in (power.exp + 1, power.exp - 1):
            turned = power.base**new
            yield Change("the exponent is {}: {}", (new, turned), side.xreplace({power: turned}))


CATEGORIES: tuple[Callable[[sp.Expr, sp.Expr, Measure], Iterator[Change]], ...] = (
    exponent_signs,
    inverted_ratios,
    swapped_symbols,
    factors,
    missing_terms,
    rare_factors,
    wrong_symbols,
)
"""The kinds of changes, smallest first; each takes a side, the other side and a way to look at values."""


def _few(side: sp.Expr, other: sp.Expr) -> list[sp.Expr]:
    symbols = _symbols(sp.Tuple(side, other))
    return [*NUMBERS, *symbols, *(1 / symbol for symbol in symbols)]


def _more(side: sp.Expr, other: sp.Expr) -> Iterator[sp.Expr]:
    """Rarer factors: parts of either side and their inverses, and ``a/b``, ``1 + a/b`` of two symbols."""
    for part in _sorted(sp.Tuple(side, other).atoms(sp.Pow, sp.Add))[: 2 * MOST_TERMS]:
        yield from () if part.is_number else (part, 1 / part)
    for a, b in itertools.permutations(_symbols(sp.Tuple(side, other)), 2):
        yield from (a / b, 1 + a / b)
        yield from (1 / (1 + a / b), a + b, 1 / (a + b)) if a.name < b.name else ()
    yield from (sp.Rational(p, q) for p, q in itertools.permutations(range(1, 13), 2))


def _same(values: Sequence[float], others: Sequence[float]) -> bool:
    return all(math.isclose(one, other, rel_tol=1e-9) for one, other in zip(values, others, strict=True))


def _replaced(turn: dict[sp.Basic, sp.Basic], side: sp.Expr) -> sp.Expr:
    return side.xreplace(turn)


def _inverted(ratio: sp.Expr, side: sp.Expr) -> sp.Expr:
    """The side with a ratio turned over: under every power of it, else where it stands."""
    turn = {power: ratio**-power.exp for power in side.atoms(sp.Pow) if power.base == ratio}
    return side.xreplace(turn or {ratio: 1 / ratio})


def _within(side: sp.Expr, node: sp.Expr, new: sp.Expr) -> sp.Expr:
    """The side with a term of a sum, or an exponent, replaced where it is one."""

    def changed(one: sp.Expr) -> sp.Expr:
        if isinstance(one, sp.Add) and node in one.args:
            return one - node + new
        return one.base**new if isinstance(one, sp.Pow) and one.exp == node else one

    return side.replace(lambda one: isinstance(one, sp.Add | sp.Pow), changed)


def _multiplied(what: str, parts: tuple[sp.Expr, ...], factor: sp.Expr) -> tuple[str, tuple[sp.Expr, ...]]:
    if factor == -1:
        return f"the sign of {what} is turned", parts
    top, bottom = sp.fraction(factor)
    return (
        (f"{what} is divided by {{}}", (*parts, bottom))
        if top == 1
        else (f"{what} is multiplied by {{}}", (*parts, factor))
    )


def _sorted(nodes: set[sp.Basic]) -> list[sp.Expr]:
    """Nodes in an order that no hash decides, small ones first."""
    return sorted(nodes, key=lambda node: (sp.count_ops(node), sp.default_sort_key(node)))


def _symbols(expression: sp.Basic) -> list[sp.Symbol]:
    return sorted(expression.free_symbols, key=lambda symbol: str(symbol.name))[:MOST_SYMBOLS]
