"""Limits at 0 and oo of expressions with symbolic exponents, by expansion in a small symbol.

Algorithm: write the variable as s or 1/s with s -> 0+. If some factor ``a**e`` has an exponent that is unbounded as
s -> 0, it is faster than every power: name ``w = a**(-s**-k)`` (or its inverse, so that w -> 0), expand in w first and
keep the leading term. Then expand in s: a positive leading exponent means 0, exponent zero means its coefficient, a
negative one means oo with the sign of the coefficient. Cancelled terms are answered with more terms; an order that the
domain does not decide is a question.

Worked example: ``(1 + 3**(1/f))**(-f)`` with ``w = 3**(-1/f)`` is ``w**f * (1 + w)**(-f)``; the leading term is
``w**f = 1/3``.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from sympy import QQ

from ..domain import Domain, Interval
from ..errors import DomainError, Undecided
from . import logform
from .expand import Cancelled, Scale, atom_depends, depends, expansion
from .fraction import expand as multiplied_out
from .monomial import Exponent, Monomial, Space, Sum, add, constant, integer, join, multiply
from .read import open_space, read
from .signs import exponent_sign, sum_sign
from .zero import differentiated, prove_zero

__all__ = ["limit", "ways"]

ORDERS = (1, 3, 6, 12)


def limit(
    expression: sp.Expr, symbol: sp.Symbol, point: sp.Expr, domain: Domain | None = None, *, way: int | None = None
) -> sp.Expr:
    """The limit as ``symbol`` goes to 0 or oo from inside its sign; to 0 from both sides where that is open.

    Parameters
    ----------
    expression : Expr
        Made of sums, products, powers, logarithms and exponentials.
    symbol : Symbol
        What moves; a negative symbol goes to 0 from below.
    point : Expr
        0 or oo.
    domain : Domain, optional
        Facts about the other symbols, and the sign of a real one that moves.
    way : {1, -1}, optional
        From above or below only.

    Returns
    -------
    Expr
        Exact; may be oo or -oo.

    Raises
    ------
    Undecided
        If the domain does not fix an order or a sign, or both sides do not agree; the question says which.

    Examples
    --------
    >>> x, a, b = sp.symbols("x a b", positive=True)
    >>> limit(a + b / x**a, x, sp.oo)
    a
    >>> limit((1 + 3 ** (1 / x)) ** (-x), x, sp.Integer(0))
    1/3
    >>> y = sp.Symbol("y", real=True)
    >>> limit(sp.Abs(y) / y, y, sp.Integer(0), way=-1)
    -1
    """
    where = domain or Domain()
    first, *rest = ways(symbol, point, where) if way is None else (way,)
    value = _one_sided(expression, symbol, point, where, first)
    for other in (_one_sided(expression, symbol, point, where, second) for second in rest):
        if other != value and (other.is_infinite or value.is_infinite or prove_zero(other - value, where) is None):
            sides = f"it is {value} from above and {other} from below"
            raise Undecided(f"take the limit of {expression} as {symbol} -> {point}", f"{symbol} > 0 ({sides})")
    return value


def ways(symbol: sp.Symbol, point: sp.Expr, domain: Domain) -> tuple[int, ...]:
    """From where the symbol goes to the point: 1 above, -1 below; both at 0 where its sign is open.

    Examples
    --------
    >>> ways(sp.Symbol("x", real=True), sp.Integer(0), Domain())
    (1, -1)
    """
    if symbol.is_negative or symbol.is_nonnegative:
        return (-1,) if symbol.is_negative else (1,)
    interval = domain.tightened().interval(symbol)
    if point != 0 or interval.lo >= 0:
        return (1,)
    return (-1,) if interval.hi <= 0 else (1, -1)


def _one_sided(expression: sp.Expr, symbol: sp.Symbol, point: sp.Expr, where: Domain, way: int) -> sp.Expr:
    """The limit from above (1) or below (-1)."""
    small = sp.Symbol("small", positive=True)
    inside = small if point == 0 else 1 / small
    moved = differentiated(expression).xreplace({symbol: way * inside})
    ranges = tuple((s, i) for s, i in where.ranges if s != symbol)
    relations = tuple(pair for pair in where.relations if not any(side.has(symbol) for side in pair))
    tiny = (small, Interval(sp.Integer(0), sp.Rational(1, 2)))
    space = open_space([moved, small], Domain((*ranges, tiny), relations), small=small)
    asked = f"take the limit of {expression} as {symbol} -> {point}"
    try:
        terms = read(space, moved)
    except DomainError as error:
        raise Undecided(asked, f"the expression is defined near {symbol} = {point}") from error
    for order in ORDERS:
        try:
            return _restored(space, _at_zero(Scale(space, small, order), terms, asked))
        except Cancelled:
            continue
    raise Undecided(asked, f"its first {ORDERS[-1]} terms cancel")


def _restored(space: Space, value: sp.Expr) -> sp.Expr:
    return value.xreplace({image.args[1] if image.is_Mul else -image: -name for name, image in space.mirror.items()})


def _at_zero(scale_: Scale, terms: Sum, asked: str) -> sp.Expr:
    space = scale_.space
    terms = multiplied_out(space, terms)
    if not terms:
        return sp.Integer(0)
    order = _pole_order(scale_, terms)
    if order > 0:
        return _through_fast(scale_, terms, order, asked)
    power, value = expansion(scale_, terms).lead
    slow, head = _slow_lead(scale_, value)
    sign = _known_sign(space, power, asked) or _known_sign(space, slow, asked)
    if sign == 0:
        return space.write(head)
    return sp.Integer(0) if sign > 0 else sp.oo * _known_head(space, head, asked)


def _slow_lead(scale_: Scale, value: Sum) -> tuple[Exponent, Sum]:
    """The leading term of a coefficient in ``1/log(1/s)``, which is slower than every power."""
    space = scale_.space
    name = sp.Symbol("slow", positive=True)
    log, slow = space.atom("log", space.symbol(scale_.small), None), space.atom("symbol", name, 1)

    def into(monomial: Monomial) -> Sum:
        power = dict(monomial).get(log, space.K.zero)
        rest = tuple(pair for pair in monomial if pair[0] != log)
        whole = integer(power)
        if whole is None:
            raise Undecided("take a limit", f"log({scale_.small}) stands to an integer power")
        return {join(rest, ((slow, -power),) if power else ()): QQ(-1 if whole % 2 else 1)}

    return expansion(Scale(space, name, scale_.order), _rewritten(space, value, into, {scale_.small})).lead


def _known_sign(space: Space, power: Exponent, asked: str) -> int:
    sign = exponent_sign(space, power)
    if sign is None:
        raise Undecided(asked, f"{power.as_expr()} > 0")
    return sign


def _known_head(space: Space, head: Sum, asked: str) -> int:
    sign = sum_sign(space, head)
    if not sign:
        raise Undecided(asked, f"{space.write(head)} > 0")
    return sign


def _pole_order(scale_: Scale, terms: Sum) -> int:
    """The largest k such that the exponent of a factor free of s grows like ``s**-k``, inside sums too."""
    space, found = scale_.space, 0
    for monomial in terms:
        for number, power in monomial:
            atom = space.atoms[number]
            if not atom_depends(scale_, number):
                found = max(found, _pole(scale_, power))
            elif atom.kind == "sum":
                found = max(found, _pole_order(scale_, dict(atom.payload)))
            elif atom.kind == "log":
                found = max(found, _pole_order(scale_, {((atom.payload, space.K.one),): QQ(1)}))
    return found


def _pole(scale_: Scale, power: Exponent) -> int:
    place = scale_.space.symbols.index(scale_.small)
    above, below = ([int(powers[place]) for powers in part] for part in (power.numer, power.denom))
    return min(below) - min(above)


def _fast_part(scale_: Scale, monomial: Monomial, order: int) -> dict[int, Exponent]:
    """Atom -> the coefficient of ``s**-order`` in its exponent."""
    space = scale_.space
    small = space.K.gens[space.symbols.index(scale_.small)]
    place = space.symbols.index(scale_.small)
    part = {}
    for number, power in monomial:
        if not atom_depends(scale_, number) and _pole(scale_, power) == order:
            finite = power * small**order
            part[number] = finite.numer.subs(place, 0) / space.K(finite.denom.subs(place, 0))
    return part


def _through_fast(scale_: Scale, terms: Sum, order: int, asked: str) -> sp.Expr:
    """Expand in ``w = G**(-+s**-order)``, G the product that fast factors share; go on with the leading term."""
    space = scale_.space
    small = space.K.gens[space.symbols.index(scale_.small)]
    name = sp.Symbol("fast", positive=True)
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
    grows = sum_sign(space, add({tuple(sorted(shared.items())): QQ(1)}, constant(-1)))
    if not grows:
        raise Undecided(asked, f"{space.write({tuple(sorted(shared.items())): QQ(1)})} > 1")
    if grows > 0:
        renamed = _rewritten(space, renamed, lambda monomial: {_turned(monomial, fast): QQ(1)}, {name})
    power, value = expansion(Scale(space, name, scale_.order), renamed).lead
    if not depends(scale_, power):
        sign = _known_sign(space, power, asked)
        if sign:
            return sp.Integer(0) if sign > 0 else sp.oo * _sign_near(scale_, value, asked)
    unit = small**-order * (-grows)
    back = tuple((number, base * power * unit) for number, base in sorted(shared.items()) if power)
    return _at_zero(scale_, multiply({back: QQ(1)}, value), asked)


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
