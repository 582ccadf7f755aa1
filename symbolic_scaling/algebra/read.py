"""Reading a SymPy expression into the normal form, on a domain.

Symbols that are negative on the domain are read as minus a positive symbol. What the normal form does not open (an
unknown function, a maximum that the domain does not decide) becomes one opaque atom whose arguments are in normal form.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp
from sympy import QQ

from .. import budget
from ..domain import Domain, Interval
from ..errors import DomainError
from .fraction import expand, factor
from .logform import absolute, exponential, in_field, logarithm, power
from .monomial import Space, Sum, add, constant, multiply, scale
from .signs import sum_sign

__all__ = ["open_space", "read"]


def open_space(expressions: Iterable[sp.Expr], domain: Domain, small: sp.Symbol | None = None) -> Space:
    """A space for some expressions on a domain; ``small``, a symbol that goes to 0, becomes its first atom."""
    domain = domain.tightened()
    texts = [*expressions, *(side for relation in domain.relations for side in relation)]
    symbols = sorted(
        {s for text in texts for s in text.free_symbols}, key=lambda s: (s.name, s.is_Dummy, str(s.assumptions0))
    )
    names = {s: positive(s) if _is_below(domain.interval(s)) else s for s in symbols}
    flip = {s: -image for s, image in names.items() if image is not s}
    ranges = tuple((names.get(s, s), _mirror(interval) if s in flip else interval) for s, interval in domain.ranges)
    relations = tuple((a.xreplace(flip), b.xreplace(flip)) for a, b in domain.relations)
    space = Space(tuple(names[s] for s in symbols), Domain(ranges, relations))
    space.mirror = flip
    if small is not None:
        space.small = small
        space.symbol(small)
    _bound(space)
    return space


def positive(negative: sp.Symbol) -> sp.Symbol:
    """The positive symbol that stands for minus a negative one."""
    return sp.Symbol(f"-{negative.name}", positive=True)


def _is_below(interval: Interval) -> bool:
    """Whether all of an interval is negative."""
    return bool(interval.hi < 0 or (interval.hi == 0 and interval.hi_open))


def _mirror(interval: Interval) -> Interval:
    return Interval(-interval.hi, -interval.lo, interval.hi_open, interval.lo_open)


def _bound(space: Space) -> None:
    """Note the signs that relations give, and how bounded symbols are written through positive ones."""
    for count, (greater, lesser) in enumerate(space.domain.relations):
        gap = expand(space, read(space, greater - lesser))
        if not gap:
            raise DomainError(
                f"assume {greater} > {lesser}", "both sides are equal", "assume what can hold, or nothing"
            )
        space.signs[frozenset(gap.items())] = 1
        space.signs[frozenset(scale(gap, QQ(-1)).items())] = -1
        coefficient, monomial, pieces = factor(space, gap)
        unit = sum_sign(space, {monomial: coefficient})
        if len(pieces) == 1 and pieces[0][1] == 1 and unit is not None:
            space.signs["irreducible", frozenset(pieces[0][0].items())] = unit
            space.facts[f"{greater} > {lesser}"] = None
        side = greater if greater.is_Symbol else lesser
        if side.is_Symbol:
            delta = space.atom("opaque", sp.Dummy(f"delta_{count}", positive=True), 1)
            step: Sum = {((delta, space.K.one),): QQ(1 if greater.is_Symbol else -1)}
            other = read(space, lesser if greater.is_Symbol else greater)
            space.substitutions.append((space.symbol(side), add(other, step), constant(1), delta))
    for name, interval in space.domain.ranges:
        if name in space.symbols and interval.lo.is_finite and (interval.lo != 0 or interval.hi.is_finite):
            _bound_range(space, name, interval)


def _bound_range(space: Space, name: sp.Symbol, interval: Interval) -> None:
    """``x = lo + delta``, or ``(lo + hi*delta)/(1 + delta)`` with delta from 0 to oo."""
    delta = space.atom("opaque", sp.Dummy(f"delta_{name}", positive=True), 1)
    step: Sum = {((delta, space.K.one),): QQ(1)}
    low = constant(sp.Rational(interval.lo))
    bounded = bool(interval.hi.is_finite)
    replacement = add(low, scale(step, QQ(interval.hi.p, interval.hi.q) if bounded else QQ(1)))
    over = add(constant(1), step) if bounded else constant(1)
    space.corners[delta] = (not interval.lo_open, bounded and not interval.hi_open, 0)
    space.substitutions.append((space.symbol(name), replacement, over, delta))


def read(space: Space, expression: sp.Expr) -> Sum:
    """The expression as a sum of the space.

    Raises
    ------
    DomainError
        If it divides by zero, or takes the logarithm of zero.
    """
    return _read(space, expression.xreplace(space.mirror) if space.mirror else expression)


def _read(space: Space, node: sp.Expr) -> Sum:
    budget.check("read an expression")
    if isinstance(node, sp.Rational):
        return constant(node)
    if node.is_Symbol:
        return {((space.symbol(node), space.K.one),): QQ(1)}
    if node.is_Add:
        return add(*(_read(space, part) for part in node.args))
    if node.is_Mul:
        return _product(space, node)
    if isinstance(node, sp.exp):
        return exponential(space, _read(space, node.exp))
    if node.is_Pow:
        return _read_power(space, node)
    if isinstance(node, sp.log):
        return logarithm(space, _read(space, node.args[0]))
    if isinstance(node, sp.Abs):
        return absolute(space, _read(space, node.args[0]))
    if isinstance(node, (sp.Max, sp.Min)):
        return _extreme(space, node)
    if node in (sp.E, sp.pi):
        return space.monomial("constant", node, 1)
    if isinstance(node, sp.Float):
        return constant(sp.Rational(node))
    return _opaque(space, node)


def _product(space: Space, node: sp.Expr) -> Sum:
    total = constant(1)
    for part in sorted((_read(space, part) for part in node.args), key=len):
        total = multiply(total, part)
    return total


def _read_power(space: Space, node: sp.Expr) -> Sum:
    base, exponent = node.as_base_exp()
    inner, outer = _read(space, base), _read(space, exponent)
    element = in_field(space, outer)
    if element is not None:
        return power(space, inner, element)
    if sum_sign(space, inner) == 1:
        return exponential(space, multiply(outer, logarithm(space, inner)))
    return _opaque(space, node)


def _extreme(space: Space, node: sp.Expr) -> Sum:
    """The largest or smallest of several sums, where the domain orders them."""
    least = isinstance(node, sp.Min)
    kept: list[Sum] = []
    for part in (_read(space, argument) for argument in sorted(node.args, key=sp.default_sort_key)):
        gaps = [sum_sign(space, add(part, scale(other, QQ(-1)))) for other in kept]
        if any(gap is not None and (gap == 0 or (gap > 0) == least) for gap in gaps):
            continue
        kept = [other for other, gap in zip(kept, gaps, strict=True) if gap is None] + [part]
    if len(kept) == 1:
        return kept[0]
    return space.monomial("opaque", node.func(*(space.write(expand(space, part)) for part in kept)), None)


def _opaque(space: Space, node: sp.Expr) -> Sum:
    """An expression that the normal form does not open, its arguments in normal form."""
    if node.args and not isinstance(node, (sp.log, sp.Abs)):
        node = node.func(*(space.write(expand(space, _read(space, part))) for part in node.args))
    if not node.is_extended_real and node.is_number:
        raise DomainError("read an expression", f"{node} is not a real number", "exclude this point from the domain")
    return space.monomial("opaque", node, 1 if node.is_positive else None)
