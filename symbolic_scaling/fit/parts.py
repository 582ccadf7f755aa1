"""The parts of a law that one constant can switch off, found in its expression.

Where a constant goes to infinity, factors go to 1 and terms to 0 or infinity, and with them go the constants inside:

    a + b*x**(-c0)*(1 + (x/d)**(1/f))**(-c1*f)      d -> oo      a + b*x**(-c0)
    1/(1/R + 1/a)                                   a -> oo      R
    R + 1/(b*x**(-c))                               b -> oo      R

The limit is taken node by node: sums and products of positive numbers and powers with an exponent of known sign. Parts
are taken off the smallest first until none is left; what remains is the law's core. A part stands inside another one
if it goes with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import sympy as sp

from ..budget import cached
from ..law import Law
from .units import exponents

__all__ = ["Part", "core", "gathered", "limit", "optional", "parts", "reduced", "terms"]


@dataclass(frozen=True)
class Part:
    """What goes with a constant.

    Parameters
    ----------
    switch : Symbol
        The constant that takes it off.
    constants : tuple of Symbol
        All that go with it once the parts ``inside`` are off, in the law's order.
    within : tuple of Symbol
        The switches of the parts that it stands inside of, or above.
    end : Expr
        Where the switch takes it off, infinity or 0.
    """

    switch: sp.Symbol
    constants: tuple[sp.Symbol, ...]
    within: tuple[sp.Symbol, ...] = ()
    end: sp.Expr = sp.oo

    @property
    def ceiling(self) -> bool:
        """Whether nothing but the switch goes with it."""
        return len(self.constants) == 1


def limit(expression: sp.Expr, ends: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr | None:
    """The expression where symbols are at 0 or infinity, all others positive; None where a node does not say.

    Examples
    --------
    >>> x, a, b, d, f = sp.symbols("x a b d f", positive=True)
    >>> limit(a + b * (1 + (x / d) ** (1 / f)) ** -f, {d: sp.oo})
    a + b
    >>> limit(1 / (1 / b + 1 / a), {a: sp.Integer(0)})
    0
    >>> limit(a * b, {a: sp.oo, b: sp.Integer(0)}) is None
    True
    """
    if expression in ends:
        return ends[expression]
    if not expression.free_symbols & set(ends):
        return expression
    found = [limit(part, ends) for part in expression.args]
    inner = [part for part in found if part is not None]
    if len(inner) < len(found):
        return None
    if expression.is_Add:
        return sp.oo if sp.oo in inner else sp.Add(*inner)
    if expression.is_Mul:
        if sp.oo not in inner:
            return sp.Mul(*inner)
        return None if any(part == 0 or (part.is_number and part < 0) for part in inner) else sp.oo
    return _power(*inner) if expression.is_Pow and not expression.exp.free_symbols & set(ends) else None


def _power(base: sp.Expr, exponent: sp.Expr) -> sp.Expr | None:
    if base not in (0, sp.oo):
        return base**exponent
    if exponent.is_positive:
        return base
    return (sp.oo if base == 0 else sp.Integer(0)) if exponent.is_negative else None


@cached
def parts(law: Law) -> tuple[Part, ...]:
    """The parts of an explicit law, in the order in which they may be put on, and none for another law.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> [(part.switch, part.constants) for part in parts(laws.get("bnsl", n=2))]
    [(d1, (c1, d1, f1)), (d2, (c2, d2, f2))]
    >>> parts(laws.get("chinchilla"))
    ()
    """
    if law.explicit is None:
        return ()
    candidates = [s for s in law.constants if s.is_positive and s not in exponents(law)]
    whole, left, found = law.explicit, law.explicit, []
    while True:
        ends = [(s, limit(left, {s: sp.oo})) for s in candidates if s in left.free_symbols]
        able = [(s, rest, left.free_symbols - rest.free_symbols) for s, rest in ends if rest not in (None, 0, sp.oo)]
        if not able:
            break
        switch, left, gone = min(able, key=lambda one: (len(one[2]), -law.places[one[0]]))
        found.append((switch, tuple(s for s in law.constants if s in gone)))
    if not left.free_symbols & set(law.inputs):
        return ()
    made = []
    for switch, own in reversed(found):
        around = [other for other, _ in found if other != switch and _takes(whole, Part(other, ()), switch)]
        around += [p.above for p in law.parameters if p.symbol == switch and p.above in {other for other, _ in found}]
        made.append(Part(switch, own, tuple(around)))
    return tuple(made)


@cached
def gathered(law: Law) -> tuple[Part, ...]:
    """The parts, each with the ceilings that stand inside of it: what is put on at once.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> [part.constants for part in gathered(laws.get("unsl", n=0, overfitting=True))]
    [(a_1, c_1_0_9, b_9)]
    """
    whole = parts(law)
    inner = {part: max((o for o in whole if o.switch in part.within), key=lambda o: len(o.within), default=None)
             for part in whole if part.ceiling}  # fmt: skip
    made = []
    for part in whole:
        own = {s for one, outer in inner.items() if outer == part for s in one.constants}
        if inner.get(part) is None:
            made.append(replace(part, constants=tuple(s for s in law.constants if s in own | set(part.constants))))
    return tuple(made)


def _takes(whole: sp.Expr, outer: Part, inner: sp.Symbol) -> bool:
    rest = limit(whole, {outer.switch: outer.end})
    return rest not in (None, 0, sp.oo) and inner not in rest.free_symbols


@cached
def reduced(law: Law, off: frozenset[Part]) -> Law:
    """The law with these parts off; inputs that go with them are no longer its inputs.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> law = laws.get("bnsl")
    >>> reduced(law, frozenset(parts(law))).form
    Eq(y, a + b/x**c0)
    """
    rest = limit(law.explicit, {part.switch: part.end for part in off})
    assert rest is not None, off  # the switches of parts have a limit
    kept = rest.free_symbols
    return replace(
        law,
        variables=tuple(v for v in law.variables if v.symbol in kept),
        parameters=tuple(
            replace(p, above=p.above if p.above in kept | {law.response.symbol} else None)
            for p in law.parameters
            if p.symbol in kept
        ),
        form=sp.Eq(law.response.symbol, rest, evaluate=False),
        costs=(),
        published=(),
    )


@cached
def terms(law: Law) -> tuple[Part, ...]:
    """The power terms of the core, switched by their amplitudes, which take them off at 0.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> [part.constants for part in terms(laws.get("unsl", m=2, n=1))]
    [(c_1_0_10, b_10), (c_2_0_11, b_11)]
    """
    found = []
    small = core(law)
    for term in sp.Add.make_args(small.explicit):
        own = tuple(s for s in small.constants if s in term.free_symbols)
        amplitudes = [s for s in own if s.is_positive and s not in exponents(law)]
        if len(own) > 1 and len(amplitudes) == 1:
            found.append(Part(amplitudes[0], own, end=sp.Integer(0)))
    return tuple(found)


@cached
def optional(law: Law) -> tuple[Part, ...]:
    """Terms of the core in several inputs, where others have one, and the law's parts: what a structure may lack.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> law = laws.get("unsl", m=2, n={(3, 0): 1}, U={3: (1, 2)})
    >>> [(part.switch, part.within) for part in optional(law)]
    [(b_9, ()), (d_1_9, (b_9,))]
    """
    inputs, found = set(law.inputs), terms(law)
    powers = {part: len(_term(law, part).free_symbols & inputs) for part in found}
    shared = [part for part in found if powers[part] > min(powers.values())]
    made = []
    for part in parts(law):
        around = [t.switch for t in shared if _takes(law.explicit, t, part.switch)]
        made.append(replace(part, within=(*part.within, *around)))
    return (*shared, *made)


def _term(law: Law, part: Part) -> sp.Expr:
    return next(t for t in sp.Add.make_args(core(law).explicit) if part.switch in t.free_symbols)


def core(law: Law) -> Law:
    """The law with all its parts off.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> core(laws.get("unsl", m=2, n=1, S=1, overfitting=True)).form
    Eq(y, a_0 + b_10/x_1**c_1_0_10 + b_11/x_2**c_2_0_11)
    """
    return reduced(law, frozenset(parts(law)))
