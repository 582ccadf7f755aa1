"""Limits at 0 and oo of expressions with symbolic exponents, by expansion in a small symbol.

Algorithm: write the variable as s or 1/s with s -> 0+. If some factor ``a**e`` has an exponent that is unbounded as
s -> 0, it is faster than every power: name ``w = a**(-s**-k)`` (or its inverse, so that w -> 0), expand in w first and
keep the leading term. Then expand in s: a positive leading exponent means 0, exponent zero means its coefficient, a
negative one means oo with the coefficient's sign. Cancelled terms are answered with more terms; an order that the domain
does not decide is a question.

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
from .expand import Cancelled, Scale, depends, expansion
from .fraction import expand as multiplied_out
from .monomial import Exponent, Monomial, Space, Sum, add, constant, multiply
from .read import open_space, read
from .signs import exponent_sign, log_sign, sum_sign
from .zero import differentiated

__all__ = ["limit"]

ORDERS = (3, 6, 12)


def limit(expression: sp.Expr, symbol: sp.Symbol, point: sp.Expr, domain: Domain | None = None) -> sp.Expr:
    """The limit as ``symbol`` goes to 0 or oo from inside its sign.

    Parameters
    ----------
    expression : Expr
        Made of sums, products, powers, logarithms and exponentials.
    symbol : Symbol
        What moves; a negative symbol goes to 0 from below.
    point : Expr
        0 or oo.
    domain : Domain, optional
        Facts about the other symbols.

    Returns
    -------
    Expr
        Exact; may be oo or -oo.

    Raises
    ------
    Undecided
        If the domain does not fix an order or a sign; the question says which.

    Examples
    --------
    >>> x, a, b = sp.symbols("x a b", positive=True)
    >>> limit(a + b / x**a, x, sp.oo)
    a
    >>> limit((1 + 3 ** (1 / x)) ** (-x), x, sp.Integer(0))
    1/3
    """
    where = domain or Domain()
    small = sp.Symbol("small", positive=True)
    inside = small if point == 0 else 1 / small
    moved = differentiated(expression).xreplace({symbol: -inside if symbol.is_negative else inside})
    ranges = tuple((s, i) for s, i in where.ranges if s != symbol)
    relations = tuple(pair for pair in where.relations if not any(side.has(symbol) for side in pair))
    tiny = (small, Interval(sp.Integer(0), sp.Rational(1, 2)))
    space = open_space([moved], Domain((*ranges, tiny), relations))
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
    fast = _fast(scale_, terms)
    if fast is not None:
        return _through_fast(scale_, terms, fast, asked)
    power, value = expansion(scale_, terms).lead
    sign = exponent_sign(space, power)
    if sign is None:
        raise Undecided(asked, f"{power.as_expr()} > 0")
    slow = space.atom("log", space.symbol(scale_.small), None)
    logs = {monomial: dict(monomial).get(slow, space.K.zero) for monomial in value}
    if sign == 0 and not any(logs.values()):
        return space.write(value)
    if sign > 0:
        return sp.Integer(0)
    return sp.oo * _direction(scale_, value, slow, asked)


def _direction(scale_: Scale, value: Sum, slow: int, asked: str) -> int:
    """The sign of a coefficient for small s: that of the highest power of ``log(s)``, which is negative."""
    space = scale_.space
    powers = {monomial: dict(monomial).get(slow, space.K.zero) for monomial in value}
    top = max(powers.values(), key=lambda power: int(power.as_expr()))
    head = {
        tuple(pair for pair in monomial if pair[0] != slow): q
        for monomial, q in value.items()
        if powers[monomial] == top
    }
    sign = sum_sign(space, head)
    if not sign:
        raise Undecided(asked, f"{space.write(head)} > 0")
    return sign * (-1) ** int(top.as_expr())


def _fast(scale_: Scale, terms: Sum) -> tuple[int, int] | None:
    """(atom, k) of a factor ``atom**e`` whose exponent grows like ``s**-k``; looks inside sums too."""
    space = scale_.space
    for monomial in terms:
        for number, power in monomial:
            atom = space.atoms[number]
            if depends(scale_, power) and not (atom.kind == "symbol" and atom.payload == scale_.small):
                order = _pole(scale_, power)
                if order > 0:
                    return number, order
            inner = atom.payload
            if atom.kind == "log":
                inner = space.atoms[inner].payload if space.atoms[inner].kind == "sum" else ()
            if atom.kind == "sum" or (atom.kind == "log" and inner):
                found = _fast(scale_, dict(inner))
                if found is not None:
                    return found
    return None


def _pole(scale_: Scale, power: Exponent) -> int:
    place = scale_.space.symbols.index(scale_.small)

    def lowest(polynomial: object) -> int:
        return min(int(powers[place]) for powers in polynomial)  # type: ignore[attr-defined]

    return lowest(power.denom) - lowest(power.numer)


def _through_fast(scale_: Scale, terms: Sum, fast: tuple[int, int], asked: str) -> sp.Expr:
    """Expand in ``w = atom**(-+s**-k)`` and take the limit of the leading term."""
    space = scale_.space
    number, order = fast
    small = space.K.gens[space.symbols.index(scale_.small)]
    above, _ = log_sign(space, number)
    if not above:
        raise Undecided(asked, f"{space.write_atom(number)} > 1")
    unit = small**-order * (-above)
    name = sp.Symbol("fast", positive=True)
    fast_atom = space.atom("symbol", name, 1)

    def into(base: int, power: Exponent) -> Monomial:
        if base != number or not depends(scale_, power):
            return ((base, power),)
        share = power / unit
        if _pole(scale_, share) > 0:
            raise Undecided(asked, f"all unbounded exponents grow like {scale_.small}**-{order}")
        return ((fast_atom, share),)

    inner = Scale(space, name, scale_.order)
    power, value = expansion(inner, _rewritten(space, terms, into)).lead
    if not depends(scale_, power):
        sign = exponent_sign(space, power)
        if sign is None:
            raise Undecided(asked, f"{power.as_expr()} > 0")
        if sign:
            # the powers of s beside a fast factor do not matter, but the sign of what they multiply does
            return sp.Integer(0) if sign > 0 else sp.oo * _sign_near(scale_, value, asked)
    back = multiply({((number, power * unit),): QQ(1)} if power else constant(1), value)
    return _at_zero(scale_, back, asked)


def _sign_near(scale_: Scale, value: Sum, asked: str) -> int:
    _, head = expansion(scale_, value).lead
    return _direction(scale_, head, scale_.space.atom("log", scale_.space.symbol(scale_.small), None), asked)


def _rewritten(space: Space, terms: Sum, change: Callable[[int, Exponent], Monomial]) -> Sum:
    """The sum with every factor changed, inside sums and logarithms too."""
    total: Sum = {}
    for monomial, coefficient in terms.items():
        product: Sum = {(): coefficient}
        for number, power in monomial:
            atom = space.atoms[number]
            if atom.kind == "sum":
                factor = logform.power(space, _rewritten(space, dict(atom.payload), change), power)
            elif atom.kind == "log":
                inner = _rewritten(space, {((atom.payload, space.K.one),): QQ(1)}, change)
                factor = logform.power(space, logform.logarithm(space, inner), power)
            else:
                factor = {change(number, power): QQ(1)}
            product = multiply(product, factor)
        total = add(total, product)
    return total
