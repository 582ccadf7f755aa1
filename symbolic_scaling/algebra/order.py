"""Signs and orders of expressions on a domain; where the domain does not decide, the missing fact is named.

Worked example: on the domain ``a > b`` the sign of ``x**a - x**b`` for ``x > 1`` is that of ``(a - b)*log(x)``.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from ..domain import Domain
from ..errors import DomainError, Undecided
from .differentiate import carried_out
from .fraction import expand
from .read import open_space, read
from .signs import sum_sign

__all__ = ["require_sign", "sign", "smallest"]


def sign(expression: sp.Expr, domain: Domain | None = None, *, strict: bool = True) -> int | None:
    """+1, -1 or 0 where the domain fixes the sign everywhere, else None; not strict, +1 means "never negative".

    Raises
    ------
    BudgetExhausted
        If the deadline around the call passes.

    Examples
    --------
    >>> a, b = sp.symbols("a b", positive=True)
    >>> sign(a / (a + b) - 1), sign(a - b)
    (-1, None)
    >>> sign(a - b, Domain.make({}, [(a, b)]))
    1
    >>> x = sp.Symbol("x", real=True)
    >>> sign(x**2), sign(x**2, strict=False)
    (None, 1)
    """
    where = domain or Domain()
    found = _sign(carried_out(expression), where, strict)
    plain = tuple(pair for pair in where.relations if all(side.is_rational_function() for side in pair))
    if found is None and len(plain) < len(where.relations):  # a relation with logarithms may hide what the rest says
        return _sign(carried_out(expression), Domain(where.ranges, plain), strict)
    return found


def _sign(expression: sp.Expr, domain: Domain, strict: bool) -> int | None:
    try:
        space = open_space([expression], domain)
        terms = expand(space, read(space, expression))
        if not strict:
            space.weak = True
            space.signs = {key: found for key, found in space.signs.items() if found is not None}
        return sum_sign(space, terms)
    except DomainError:
        return None


def require_sign(expression: sp.Expr, domain: Domain | None, asked: str) -> int:
    """The sign, or :class:`Undecided` with the question that the domain leaves open.

    Examples
    --------
    >>> require_sign(sp.Symbol("a", positive=True), None, "check an exponent")
    1
    """
    found = sign(expression, domain)
    if found is None:
        raise Undecided(asked, f"{expression} > 0", opens=expression)
    return found


def smallest(expressions: Sequence[sp.Expr], domain: Domain | None, asked: str) -> int:
    """The position of the smallest expression on the whole domain, or :class:`Undecided`.

    Examples
    --------
    >>> a = sp.Symbol("a", positive=True)
    >>> smallest([2 * a, a, 3 * a], None, "order exponents")
    1
    """
    best = 0
    for place in range(1, len(expressions)):
        if require_sign(expressions[best] - expressions[place], domain, asked) > 0:
            best = place
    return best
