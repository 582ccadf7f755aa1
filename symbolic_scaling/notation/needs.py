"""What a text needs in order to mean a real number: noted while it is read, before SymPy cancels anything.

``x*(1/x)`` is built as 1, and nothing in the result says that x must not be zero. Inside ``with noted() as met:`` the
builders put down every base of a power, argument of a logarithm and kink under a derivative that they meet, as pairs
``(u, op)`` that ask for ``u op 0`` with op one of ``!= > >=``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from itertools import combinations
from typing import TypeAlias

import sympy as sp

__all__ = ["Needs", "bounded_names", "need", "needs_of_extreme", "needs_of_power", "noted", "smooth"]

Needs: TypeAlias = list[tuple[sp.Expr, str]]

_MET: ContextVar[Needs | None] = ContextVar("met", default=None)
_KINK = "kink"


@contextlib.contextmanager
def noted() -> Iterator[Needs]:
    """Collect what everything that is read inside needs; kinks outside derivatives stand there as ``kink``.

    Examples
    --------
    >>> from .plain import parse
    >>> with noted() as met:
    ...     parse("(x - y)/(x - y)", undeclared="symbol")
    1
    >>> met
    [(x - y, '!=')]
    """
    met: Needs = []
    token = _MET.set(met)
    try:
        yield met
    finally:
        _MET.reset(token)


def need(pairs: Iterable[tuple[sp.Expr, str]]) -> None:
    """Note pairs, as far as somebody collects them; positive symbols and numbers need nothing."""
    met = _MET.get()
    if met is not None:
        met += [pair for pair in pairs if pair not in met and pair[0].free_symbols and _sign(pair[0]) != 1]


def needs_of_power(base: sp.Expr, exponent: sp.Expr) -> Needs:
    """What ``base**exponent`` needs; ``0**0`` is taken to have no value.

    Examples
    --------
    >>> x, c = sp.symbols("x c", real=True)
    >>> needs_of_power(x, sp.Integer(0)), needs_of_power(x, sp.S.Half), needs_of_power(sp.Integer(0), c)
    ([(x, '!=')], [(x, '>=')], [(c, '>')])
    """
    if base == 0 or (not base.free_symbols and base.is_zero):
        return [(exponent, ">")]
    if _is_whole(exponent):
        return [] if _sign(exponent) == 1 else [(base, "!=")]
    return [(base, ">=" if _sign(exponent) == 1 else ">")]


def needs_of_extreme(arguments: Iterable[sp.Expr]) -> Needs:
    """Where ``Max`` and ``Min`` of the arguments have kinks: a need only under a derivative."""
    gaps = [one - other for one, other in combinations(arguments, 2)]
    return [(-gap if gap.could_extract_minus_sign() else gap, _KINK) for gap in gaps]


def smooth(variable: sp.Symbol) -> None:
    """Ask of the kinks met so far to be avoided: a derivative in the variable is taken across them."""
    need([(u, "!=") for u, op in _MET.get() or () if op == _KINK and variable in u.free_symbols])


def bounded_names(*expressions: sp.Basic) -> set[sp.Basic]:
    """The symbols that limits, sums and products in the expressions bind."""
    found: set[sp.Basic] = set()
    for node in sp.Tuple(*expressions).atoms(sp.Limit, sp.Sum, sp.Product):
        found |= {node.args[1]} if isinstance(node, sp.Limit) else {one[0] for one in node.args[1:]}
    return found


def _sign(node: sp.Expr) -> int | None:
    """1 where the signs of its parts make it positive, 0 where they keep it from being negative, else None.

    SymPy's own answer multiplies polynomials out and looks for their roots, which has no bound in the length of a text.
    """
    if node.is_Symbol or not node.free_symbols:
        return 1 if node.is_positive else 0 if node.is_nonnegative else None
    if isinstance(node, sp.exp):
        return 1
    if node.is_Pow:
        base = _sign(node.base)
        even = node.exp.is_Integer and node.exp.is_even and node.exp.is_positive
        return 1 if base == 1 else 0 if even or (base == 0 and _sign(node.exp) == 1) else None
    if not (node.is_Add or node.is_Mul):
        return 0 if isinstance(node, sp.Abs) else None
    signs = [_sign(part) for part in node.args]
    if None in signs:
        return None
    return int(any(signs)) if node.is_Add else int(all(signs))


def _is_whole(node: sp.Expr) -> bool:
    """Whether a sum, product or power of whole numbers stands there."""
    if node.is_Symbol or not node.free_symbols:
        return bool(node.is_integer)
    if node.is_Pow:
        return _is_whole(node.base) and _is_whole(node.exp) and _sign(node.exp) is not None
    return bool((node.is_Add or node.is_Mul) and all(map(_is_whole, node.args)))
