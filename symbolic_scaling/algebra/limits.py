"""Limits at 0 and oo of expressions with symbolic exponents, by expansion in a small symbol.

Algorithm: write the variable as s or 1/s with s -> 0+ and expand (``near``). Cancelled terms are answered with more
terms; an order that the domain does not decide is a question. Where that does not end, an exponent that is no rational
function, such as ``a + c*log(k)``, becomes one letter with the sign it has on the domain; and a product, a sum, a
power, an exponential or a logarithm goes to what the limits of its parts make: ``oo + a`` and ``oo + oo`` are oo,
``oo - oo`` and ``0*oo`` stay open.

Worked example: ``x**(a + c*log(k))`` with ``a + c*log(k) < 0`` on the domain is ``x**e`` with ``e < 0``, and goes to 0
at oo.
"""

from __future__ import annotations

import sympy as sp

from .. import budget
from ..domain import Domain, Interval
from ..errors import DomainError, Undecided
from . import order
from .differentiate import carried_out
from .monomial import Space
from .near import at_zero
from .read import open_space, read
from .truncated import Cancelled, Scale
from .zero import prove_zero

__all__ = ["limit", "ways"]

_SMALL = sp.Dummy("small", positive=True)
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
    """The limit from above (1) or below (-1): of the whole, with exponents named, part by part."""
    plain = carried_out(expression)
    try:
        return _whole(plain, symbol, point, where, way)
    except Undecided as gap:
        question = gap
    budget.check(question.asked)
    try:
        names = _exponents(plain, symbol, where)
        if names:
            named = plain.replace(lambda node: _carries(node, symbol), lambda node: node.base ** names[node.exp])
            back = {name: power for power, name in names.items()}
            return _whole(named, symbol, point, where, way).xreplace(back)
    except Undecided as gap:
        question = gap
    value = _by_parts(plain, symbol, point, where, way)
    if value is None:
        raise question
    return value


def _carries(node: sp.Basic, symbol: sp.Symbol) -> bool:
    """Whether a node is a power of the symbol whose exponent is free of it and no rational function."""
    if not (isinstance(node, sp.Pow) and node.base.has(symbol) and not node.exp.has(symbol)):
        return False
    return not node.exp.is_rational_function()


def _exponents(expression: sp.Expr, symbol: sp.Symbol, where: Domain) -> dict[sp.Expr, sp.Symbol]:
    """A letter with the right sign for every such exponent; :class:`Undecided` where the sign is open."""
    found = {node.exp for node in sp.preorder_traversal(expression) if _carries(node, symbol)}
    names: dict[sp.Expr, sp.Symbol] = {}
    for k, power in enumerate(sorted(found, key=sp.default_sort_key)):
        sign = order.require_sign(power, where, f"take the limit of a power of {symbol}")
        names[power] = sp.Dummy(f"power_{k}", **({"positive": True} if sign > 0 else {"negative": True}))
    return names


def _by_parts(expression: sp.Expr, symbol: sp.Symbol, point: sp.Expr, where: Domain, way: int) -> sp.Expr | None:
    """The sum, product, power, exponential or logarithm of the parts' limits; None where they do not decide it."""
    if not isinstance(expression, (sp.Add, sp.Mul, sp.Pow, sp.exp, sp.log)):
        return None
    parts = expression.args
    if expression.is_Add or expression.is_Mul:
        still, own = expression.as_independent(symbol, as_Add=expression.is_Add)
        parts = (still, own) if still != expression.identity else own.args
    try:
        values = [_one_sided(part, symbol, point, where, way) if part.has(symbol) else part for part in parts]
    except Undecided:
        return None
    if isinstance(expression, (sp.exp, sp.log)):
        return _outer(expression, values[0], where)
    if expression.is_Pow:
        end, power = values
        return _power(expression.base, end, power, where)
    if all(value.is_infinite is not True for value in values):
        return expression.func(*values)
    return _sum(values) if expression.is_Add else _product(values, where)


def _sum(values: list[sp.Expr]) -> sp.Expr | None:
    """The sum of limits, one of them infinite: that infinity, where no other one stands against it."""
    ends = {value for value in values if value.is_infinite}
    return ends.pop() if len(ends) == 1 else None


def _product(values: list[sp.Expr], where: Domain) -> sp.Expr | None:
    """The product of limits, one of them infinite: oo with the sign of all, where every other one has a sign."""
    signs = [order.sign(value, where) if value.is_infinite is not True else _way(value) for value in values]
    return sp.oo * sp.prod(signs) if all(signs) else None


def _power(base: sp.Expr, end: sp.Expr, power: sp.Expr, where: Domain) -> sp.Expr | None:
    """A finite power of what goes to a positive end; to 0 from above, or to oo, where the power has a sign."""
    if power.is_infinite is True or end == -sp.oo:
        return None
    if end == sp.oo or (end == 0 and order.sign(base, where) == 1):
        rises = order.sign(power, where)
        return None if not rises else sp.oo if (rises > 0) == (end == sp.oo) else sp.Integer(0)
    return end**power if order.sign(end, where) == 1 else None


def _outer(expression: sp.Expr, end: sp.Expr, where: Domain) -> sp.Expr | None:
    """The exponential of what goes to any end; the logarithm of what goes to a positive one, to oo, or down to 0."""
    if isinstance(expression, sp.exp):
        return sp.Integer(0) if end == -sp.oo else sp.exp(end)
    if end == 0 and order.sign(expression.args[0], where) == 1:
        return -sp.oo
    positive = end == sp.oo or (end != -sp.oo and order.sign(end, where) == 1)
    return sp.log(end) if positive else None


def _way(end: sp.Expr) -> int:
    """1 for oo, -1 for -oo."""
    return 1 if end == sp.oo else -1


def _whole(expression: sp.Expr, symbol: sp.Symbol, point: sp.Expr, where: Domain, way: int) -> sp.Expr:
    """The limit by one expansion."""
    small = _SMALL
    inside = small if point == 0 else 1 / small
    moved = expression.xreplace({symbol: way * inside})
    ranges = tuple((s, i) for s, i in where.ranges if s != symbol)
    relations = tuple(pair for pair in where.relations if not any(side.has(symbol) for side in pair))
    tiny = (small, Interval(sp.Integer(0), sp.Rational(1, 2)))
    asked = f"take the limit of {expression} as {symbol} -> {point}"
    try:
        space = open_space([moved, small], Domain((*ranges, tiny), relations), small=small)
        terms = read(space, moved)
    except DomainError as error:
        raise Undecided(asked, f"the expression is defined near {symbol} = {point}") from error
    for count in ORDERS:
        try:
            return _restored(space, at_zero(Scale(space, small, count), terms, asked))
        except Cancelled:
            continue
    raise Undecided(asked, f"its first {ORDERS[-1]} terms cancel")


def _restored(space: Space, value: sp.Expr) -> sp.Expr:
    return value.xreplace({image.args[1] if image.is_Mul else -image: -name for name, image in space.mirror.items()})
