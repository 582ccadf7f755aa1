"""The limit of a sum of monomials as one small symbol goes to 0 from above.

A factor ``a**e`` whose exponent is unbounded as s -> 0 is faster than every power of s: name ``w = a**(-s**-k)`` (or
its inverse, so that w -> 0), expand in w first and go on with the leading term. Then expand in s, and last in
``1/log(1/s)``, which is slower than every power: a positive leading exponent means 0, exponent zero means its
coefficient, a negative one means oo with the sign of the coefficient.

Worked example: ``(1 + 3**(1/f))**(-f)`` with ``w = 3**(-1/f)`` is ``w**f * (1 + w)**(-f)``; the leading term is
``w**f = 1/3``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp
from sympy import QQ

from ..errors import Undecided
from . import logform
from .expand import expansion
from .fraction import expand as multiplied_out
from .monomial import Exponent, Monomial, Space, Sum, add, constant, integer, join, multiply
from .rates import as_fast, fades, pole, pole_order
from .signs import exponent_sign, sum_sign
from .truncated import Scale, atom_depends, depends

__all__ = ["at_zero"]

_SLOW, _FAST = (sp.Dummy(name, positive=True) for name in ("slow", "fast"))


def at_zero(scale_: Scale, terms: Sum, asked: str) -> sp.Expr:
    """The limit of ``terms``; ``Cancelled`` where more terms are needed.

    Raises
    ------
    Undecided
        If the domain does not fix an order or a sign.
    """
    space = scale_.space
    terms = multiplied_out(space, terms)
    if not terms:
        return sp.Integer(0)
    order = pole_order(scale_, terms)
    if order > 0 and as_fast(scale_, terms, order):
        return _through_logarithm(scale_, terms, asked)
    if order > 0:
        return _through_fast(scale_, terms, order, asked)
    try:
        power, value = expansion(scale_, terms).lead
    except Undecided:
        if len(terms) > 1 or all(pole(scale_, power) <= 0 for product in terms for _, power in product):
            raise
        return _through_logarithm(scale_, terms, asked)
    slow, head = _slow_lead(scale_, value)
    sign = _known_sign(space, power, asked) or _known_sign(space, slow, asked)
    if sign == 0:
        return space.write(head)
    return sp.Integer(0) if sign > 0 else sp.oo * _known_head(space, head, asked)


def _slow_lead(scale_: Scale, value: Sum) -> tuple[Exponent, Sum]:
    """The leading term of a coefficient in ``1/log(1/s)``, which is slower than every power."""
    space = scale_.space
    name = _SLOW
    log, slow = space.atom("log", space.symbol(scale_.small), None), space.atom("symbol", name, 1)

    def into(monomial: Monomial) -> Sum:
        power = dict(monomial).get(log, space.K.zero)
        rest = tuple(pair for pair in monomial if pair[0] != log)
        whole = integer(power)
        if whole is None:
            raise Undecided("take a limit", f"log({scale_.small}) stands to an integer power")
        return {join(rest, ((slow, -power),) if power else ()): QQ(-1 if whole % 2 else 1)}

    power, head = expansion(Scale(space, name, scale_.order), _rewritten(space, value, into, {scale_.small})).lead
    if {name, scale_.small} & space.write(head).free_symbols:
        raise Undecided("take a limit", f"{space.write(value)} has no logarithm of log({scale_.small})")
    return power, head


def _known_sign(space: Space, power: Exponent, asked: str) -> int:
    sign = exponent_sign(space, power)
    if sign is None:
        raise Undecided(asked, f"{power.as_expr()} > 0", opens=power.as_expr())
    return sign


def _known_head(space: Space, head: Sum, asked: str) -> int:
    sign = sum_sign(space, head)
    if not sign:
        open_ = space.write(multiplied_out(space, head))
        raise Undecided(asked, f"{open_} > 0", opens=open_)
    return sign


def _through_logarithm(scale_: Scale, terms: Sum, asked: str) -> sp.Expr:
    """The limit of one product as ``exp`` of that of its logarithm."""
    space = scale_.space
    if len(terms) != 1 or sum_sign(space, terms) != 1:
        raise Undecided(asked, "its factors with unbounded exponents stand in one positive product")
    return sp.exp(at_zero(scale_, logform.logarithm(space, terms), asked))


def _fast_part(scale_: Scale, monomial: Monomial, order: int) -> dict[int, Exponent]:
    """Atom -> the coefficient of ``s**-order`` in its exponent."""
    space = scale_.space
    small = space.K.gens[space.symbols.index(scale_.small)]
    place = space.symbols.index(scale_.small)
    part = {}
    for number, power in monomial:
        if not atom_depends(scale_, number) and pole(scale_, power) == order:
            finite = power * small**order
            part[number] = space.K(finite.numer.subs(place, 0)) / space.K(finite.denom.subs(place, 0))
    return part


def _through_fast(scale_: Scale, terms: Sum, order: int, asked: str) -> sp.Expr:
    """Expand in ``w = G**(-+s**-order)``, G the product that fast factors share; go on with the leading term."""
    space = scale_.space
    small = space.K.gens[space.symbols.index(scale_.small)]
    name = _FAST
    fast = space.atom("symbol", name, 1)
    shared: dict[int, Exponent] = {}

    def into(monomial: Monomial) -> Sum:
        part = _fast_part(scale_, monomial, order)
        if not part:
            return {monomial: QQ(1)}
        shared.update(part if not shared else {})
        first = min(shared)
        ratio = part.get(first, space.K.zero) / shared[first]
        if part != {number: ratio * power for number, power in shared.items()}:
            raise Undecided(asked, "all unbounded exponents belong to one product")
        taken = tuple((number, -ratio * power * small**-order) for number, power in shared.items())
        return {join(join(monomial, taken), ((fast, ratio),)): QQ(1)}

    renamed = _rewritten(space, terms, into, {scale_.small})
    base = {tuple(sorted(shared.items())): QQ(1)}
    grows = sum_sign(space, add(base, constant(-1)))
    if not grows:
        raise Undecided(asked, f"{space.write(base)} > 1", opens=space.write(base) - 1)
    if grows > 0:
        renamed = _rewritten(space, renamed, lambda monomial: {_turned(monomial, fast): QQ(1)}, {name})
    exponent: Sum = {((space.symbol(scale_.small), space.K(-order)),): QQ(-grows)}

    def fold(monomial: Monomial) -> Sum:
        return {_turned(known, fast) if grows > 0 else known: q for known, q in into(monomial).items()}

    log = multiply(exponent, logform.logarithm(space, base))
    near = functools.partial(_sign_near, scale_, asked=asked)
    found = expansion(Scale(space, name, scale_.order, log, fold, near), renamed)
    power, value = found.lead
    if any(fades(scale_, other - power) for other in found.remainder):
        raise Undecided(asked, f"how {space.write(base)} to a power that goes to 0 compares")
    beside = [(other, known) for other, known in found.terms if other == power or fades(scale_, other - power)]
    if len(beside) == 1 and not depends(scale_, power):
        sign = _known_sign(space, power, asked)
        if sign:
            return sp.Integer(0) if sign > 0 else sp.oo * _sign_near(scale_, value, asked)
    unit = small**-order * (-grows)
    together: Sum = {}
    for other, known in beside:
        back = tuple((number, share * other * unit) for number, share in sorted(shared.items()) if other)
        together = add(together, multiply({back: QQ(1)}, known))
    return at_zero(scale_, together, asked)


def _turned(monomial: Monomial, number: int) -> Monomial:
    return tuple((n, -power if n == number else power) for n, power in monomial)


def _sign_near(scale_: Scale, value: Sum, asked: str) -> int:
    """The sign, for small s, of what a fast factor multiplies."""
    _, head = _slow_lead(scale_, expansion(scale_, value).lead[1])
    return _known_head(scale_.space, head, asked)


def _rewritten(space: Space, terms: Sum, change: Callable[[Monomial], Sum], moving: set[sp.Symbol]) -> Sum:
    """The sum with every monomial changed; sums and logarithms that contain a moving symbol are opened first."""
    total: Sum = {}
    for monomial, coefficient in terms.items():
        opened = [
            (number, power)
            for number, power in monomial
            if space.atoms[number].kind in ("sum", "log") and space.write_atom(number).free_symbols & moving
        ]
        plain = tuple(pair for pair in monomial if pair not in opened)
        product = {known: coefficient * q for known, q in change(plain).items()}
        for number, power in opened:
            product = multiply(product, _rewritten_atom(space, number, power, change, moving))
        total = add(total, product)
    return total


def _rewritten_atom(
    space: Space, number: int, power: Exponent, change: Callable[[Monomial], Sum], moving: set[sp.Symbol]
) -> Sum:
    atom = space.atoms[number]
    if atom.kind == "sum":
        return logform.power(space, _rewritten(space, dict(atom.payload), change, moving), power)
    if space.atoms[atom.payload].kind != "sum":
        return change(((number, power),))
    inner = _rewritten(space, {((atom.payload, space.K.one),): QQ(1)}, change, moving)
    return logform.power(space, logform.logarithm(space, inner), power)
