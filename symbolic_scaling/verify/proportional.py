"""``left prop right``: the ratio of both sides is the same at any two values of the variable.

With printed exponents both sides are power laws, and their exponents are compared as printed numbers.
"""

from __future__ import annotations

import sympy as sp

from ..algebra.zero import prove_zero
from ..domain import Domain
from ..records import Number, Proportional, Status
from . import equal, number
from .ball import elementary
from .finding import Finding
from .limit import replace_limits

__all__ = ["verify"]


def verify(claimed: Proportional, domain: Domain) -> Finding:
    """The finding on a proportionality.

    Examples
    --------
    >>> C, k, p, q, r = sp.symbols("C k p q r", positive=True)
    >>> verify(Proportional((k*C)**p, C**p, C), Domain()).status.name
    'PROVED'
    >>> printed = ((p, "0.73"), (q, "0.74"), (r, "0.54"))
    >>> verify(Proportional((k*C**p)**q, C**r, C, printed), Domain()).status.name
    'CONSISTENT'
    """
    symbol = claimed.symbol
    (left, right), _ = replace_limits((elementary(claimed.left), elementary(claimed.right)), domain)
    if claimed.values:
        return _printed(left, right, claimed, domain)
    other = _second(symbol, left, right)
    relations = tuple((a.xreplace({symbol: other}), b.xreplace({symbol: other})) for a, b in domain.relations)
    ranges = ((other, domain.interval(symbol)),) if any(known == symbol for known, _ in domain.ranges) else ()
    both = domain.meet(Domain(ranges, relations))
    ratio = left / right
    found = equal.verify(ratio, ratio.xreplace({symbol: other}), both)
    if found.status is Status.PROVED:
        return Finding(Status.PROVED, f"left/right is free of {symbol}", found.evidence)
    return Finding(found.status, f"left/right at two values of {symbol}", found.evidence)


def _second(symbol: sp.Symbol, *sides: sp.Expr) -> sp.Symbol:
    """Another value of the symbol, under a name that nothing has."""
    taken = {one.name for side in sides for one in side.free_symbols}
    count = 2
    while f"{symbol.name}_{count}" in taken:
        count += 1
    return sp.Symbol(f"{symbol.name}_{count}", **symbol._assumptions_orig)


def _printed(left: sp.Expr, right: sp.Expr, claimed: Proportional, domain: Domain) -> Finding:
    """The exponents of both sides as printed numbers."""
    known = dict(claimed.values)
    first, second = (_exponent(side, claimed.symbol, set(known), domain) for side in (left, right))
    if first is None or second is None:
        tried = f"{'left' if first is None else 'right'} as a power of {claimed.symbol}"
        return Finding(Status.UNDECIDED, "no power law of the printed exponents", (("tried", tried),)).on(domain)
    ours, theirs = (first, second) if second in known else (second, first)
    used = tuple(pair for pair in claimed.values if pair[0] in ours.free_symbols)
    if theirs in known and theirs not in ours.free_symbols:
        asked = Number(ours, printed=known[theirs], values=used)
    else:
        pairs = tuple(pair for pair in claimed.values if pair[0] in ours.free_symbols | theirs.free_symbols)
        asked = Number(first, "=", second, values=pairs)
    found = number.verify(asked, domain)
    said = f"left {first}, right {second}"
    return Finding(found.status, f"exponents of {claimed.symbol}: {found.method}", found.evidence).with_evidence(
        ("exponents", said)
    )


def _exponent(side: sp.Expr, symbol: sp.Symbol, known: set[sp.Symbol], domain: Domain) -> sp.Expr | None:
    """The exponent of a power of ``symbol``, in printed exponents only; None if the side is no such power."""
    slope = symbol * sp.diff(side, symbol) / side
    found = sp.cancel(slope.subs(symbol, 1))
    if not found.free_symbols <= known or prove_zero(slope - found, domain) is None:
        return None
    return found
