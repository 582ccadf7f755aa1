"""Min, Max, Abs and symbols of open sign taken apart: by what the domain decides, else by cases of the domain.

Both sides of a claim are continuous where they are defined, so what holds where ``u > 0`` and where ``u < 0`` holds on
the boundary too, provided ``u`` is not zero everywhere; a point where it is certainly not zero is looked up first.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import sympy as sp

from ..algebra.order import sign
from ..domain import Domain
from ..errors import DomainError
from .ball import QUICK
from .refute import look

__all__ = ["Split", "core", "is_empty", "kinks", "part", "signs", "split", "three"]

MOST_DEPTH = 6
MOST_OPEN_SIGNS = 3


@dataclass(frozen=True)
class Split:
    """Expressions without Min, Max, Abs on a part of the domain, and that part in words."""

    expressions: tuple[sp.Expr, ...]
    domain: Domain
    text: str = ""


def kinks(expression: sp.Basic) -> list[sp.Expr]:
    """The Min, Max, Abs and sign nodes with no further one inside, in a fixed order."""
    nodes = expression.atoms(sp.Min, sp.Max, sp.Abs, sp.sign, sp.Heaviside)
    inner = [node for node in nodes if not any(other is not node and node.has(other) for other in nodes)]
    return sorted(inner, key=sp.default_sort_key)


def split(
    expressions: tuple[sp.Expr, ...], domain: Domain, *, boundary: bool = False, depth: int = 0
) -> list[Split] | None:
    """The expressions case by case; None if there are too many cases or a case cannot be told apart.

    With ``boundary`` the cases ``u = 0`` come too, where continuity does not do: strict inequalities.

    Examples
    --------
    >>> a, b = sp.symbols("a b", positive=True)
    >>> [(case.expressions, case.text) for case in split((sp.Max(a, b),), Domain())]
    [((a,), 'a - b > 0'), ((b,), 'a - b < 0')]
    """
    found = kinks(sp.Tuple(*expressions))
    if not found:
        return [Split(expressions, domain)]
    node = found[0]
    decision = _decision(node)
    known = sign(decision, domain)
    if known is None and not _somewhere_nonzero(decision, domain):
        return None
    cases: list[Split] = []
    whole = any(symbol.is_integer for symbol in decision.free_symbols)  # nothing is continuous in it
    sides = ((1, -1, 0) if boundary or whole else (1, -1)) if known is None else (known,)
    if depth == MOST_DEPTH and known is None:
        return None
    for side in sides:
        replaced = tuple(expression.xreplace({node: _branch(node, decision, side)}) for expression in expressions)
        one = Split(replaced, domain) if known is not None else part(replaced, domain, decision, side)
        if one is None:
            return None
        if is_empty(one.domain):
            continue
        inside = split(one.expressions, one.domain, boundary=boundary, depth=depth + (known is None))
        if inside is None:
            return None
        cases += [Split(c.expressions, c.domain, ", ".join(filter(None, (one.text, c.text)))) for c in inside]
    return cases


def signs(expressions: tuple[sp.Expr, ...], domain: Domain, *, boundary: bool = False) -> list[Split]:
    """The cases of the symbols whose sign is open, each with symbols that know theirs; none if there are too many.

    Examples
    --------
    >>> x = sp.Symbol("x", real=True)
    >>> [(case.text, case.expressions[0].is_positive) for case in signs((x,), Domain(), boundary=True)]
    [('x > 0', True), ('x < 0', False), ('x = 0', False)]
    """
    free = sorted(sp.Tuple(*expressions).free_symbols, key=lambda symbol: str(symbol.name))
    choices = {symbol: _sides(symbol, domain, boundary) for symbol in free}
    loose = [symbol for symbol in free if choices[symbol] not in ((1,), (-1,))]
    if not 0 < len(loose) <= MOST_OPEN_SIGNS:
        return []
    cases = []
    for sides in itertools.product(*(choices[symbol] for symbol in loose)):
        there = {symbol: _signed(symbol, side) for symbol, side in zip(loose, sides, strict=True)}
        words = ", ".join(f"{symbol} {'=><'[side]} 0" for symbol, side in zip(loose, sides, strict=True))
        moved = _moved(domain, there)
        if moved is not None:
            cases.append(Split(tuple(one.subs(there) for one in expressions), moved, words))
    return cases


def _sides(symbol: sp.Symbol, domain: Domain, boundary: bool) -> tuple[int, ...]:
    """The signs that the symbol can have on the domain, zero only where it matters."""
    interval = domain.interval(symbol)
    allowed = (
        (1, interval.hi > 0),
        (-1, interval.lo < 0),
        (0, (boundary or symbol.is_integer) and interval.contains(0)),
    )
    return tuple(side for side, possible in allowed if possible)


def _signed(symbol: sp.Symbol, side: int) -> sp.Expr:
    """The symbol with a sign of its own, or zero."""
    if side == 0:
        return sp.Integer(0)
    kept = {"integer": True} if symbol.is_integer else {}
    return sp.Symbol(str(symbol.name), **{"positive" if side > 0 else "negative": True}, **kept)


def _moved(domain: Domain, there: dict[sp.Symbol, sp.Expr]) -> Domain | None:
    """The domain in the new symbols; None where nothing is left of it."""
    ranges = tuple((there.get(symbol, symbol), interval) for symbol, interval in domain.ranges)
    relations = tuple((greater.subs(there), lesser.subs(there)) for greater, lesser in domain.relations)
    gaps = [greater - lesser for greater, lesser in relations]
    if any(not gap.free_symbols and not gap.is_positive for gap in gaps):
        return None
    kept = tuple(pair for pair, gap in zip(relations, gaps, strict=True) if gap.free_symbols)
    moved = Domain(tuple(pair for pair in ranges if pair[0] != 0), kept)
    return None if is_empty(moved) else moved


def part(expressions: tuple[sp.Expr, ...], domain: Domain, decision: sp.Expr, side: int) -> Split | None:
    """The part of the domain where ``decision`` has this sign; zero needs a symbol that stands in it linearly.

    What the symbol's own sign and open ends say of it is kept as relations.
    """
    zero = sp.Integer(0)
    if side:
        half = (decision, zero) if side > 0 else (zero, decision)
        return Split(expressions, domain.meet(Domain((), (half,))), f"{decision} {'>' if side > 0 else '<'} 0")
    for symbol in sorted(decision.free_symbols, key=lambda one: str(one.name)):
        slope = decision.diff(symbol)
        if not slope.has(symbol) and sign(slope, domain) in (1, -1):
            value = sp.expand(symbol - decision / slope)
            there, interval = {symbol: value}, domain.interval(symbol)
            kept = tuple((greater.subs(there), lesser.subs(there)) for greater, lesser in domain.relations)
            kept += ((value, interval.lo),) if interval.lo_open and interval.lo.is_finite else ()
            kept += ((interval.hi, value),) if interval.hi_open and interval.hi.is_finite else ()
            wider = Domain(
                tuple(pair for pair in domain.ranges if pair[0] != symbol),
                tuple(pair for pair in kept if not (pair[0] - pair[1]).is_positive),
            )
            return Split(tuple(one.subs(there) for one in expressions), wider, f"{decision} = 0")
    return None


def three(expressions: tuple[sp.Expr, ...], domain: Domain, decision: sp.Expr) -> list[Split] | None:
    """The cases ``decision`` above, below and equal to 0; None where one cannot be told apart.

    Examples
    --------
    >>> a, b = sp.symbols("a b", positive=True)
    >>> [(case.text, case.expressions) for case in three((a,), Domain(), a - b)]
    [('a - b > 0', (a,)), ('a - b < 0', (a,)), ('a - b = 0', (b,))]
    """
    decision, zero = core(decision, domain), sp.Integer(0)
    if {(decision, zero), (zero, decision)} & set(domain.relations):  # known, and of no help
        return None
    cases = [part(expressions, domain, decision, side) for side in (1, -1, 0)]
    known = [case for case in cases if case is not None]
    return [case for case in known if not is_empty(case.domain)] if len(known) == len(cases) else None


def core(decision: sp.Expr, domain: Domain) -> sp.Expr:
    """The first factor whose own sign is open."""
    for factor in sp.Mul.make_args(sp.fraction(sp.factor(sp.together(decision)))[0]):
        base = factor.as_base_exp()[0]
        if base.free_symbols and sign(base, domain) is None:
            return base
    return decision


def is_empty(domain: Domain) -> bool:
    """Whether the ranges of the domain contradict its relations."""
    if any(sp.expand_mul(greater - lesser).is_positive is False for greater, lesser in domain.relations):
        return True
    try:
        domain.tightened()
    except DomainError:
        return True
    return False


def _decision(node: sp.Expr) -> sp.Expr:
    """The expression whose sign resolves the node."""
    if isinstance(node, sp.Max | sp.Min):
        first, second = sorted(node.args, key=sp.default_sort_key)[:2]
        return first - second
    return node.args[0]


def _branch(node: sp.Expr, decision: sp.Expr, side: int) -> sp.Expr:
    """The node where ``decision`` has the given sign; 0 takes either branch."""
    if isinstance(node, sp.Max | sp.Min):
        first, second, *rest = sorted(node.args, key=sp.default_sort_key)
        first_wins = (side >= 0) == isinstance(node, sp.Max)
        return node.func(first if first_wins else second, *rest)
    if isinstance(node, sp.Abs):
        return decision if side >= 0 else -decision
    value = sp.Integer(side)
    return value if isinstance(node, sp.sign) else (value + 1) / 2


def _somewhere_nonzero(expression: sp.Expr, domain: Domain) -> bool:
    return any(one.sign for one in look(expression, sp.Integer(0), domain, 12, ladder=QUICK))
