"""Ways in which one curve can be written twice: constants of a law that may be exchanged, and breaks seen from afar.

Both are found in the law's expression and proved there; nothing is taken from a law's name.

*Exchange.* Two terms of a sum, or factors of a product, are alike if the expression stays what it is when their
constants change places: the breaks of one broken power law, two terms in the same inputs.

*Mirror.* With ``w = B**q`` a factor ``(1 + w)**p`` is ``w**p (1 + 1/w)**p``. Where q p is a number for either sign of
the width, ``B**(q p)`` is a power law that the constants beside the factor take up:

    b x**-c0 (1 + (x**c/d)**|1/f|)**-f     =     b d x**-(c0 + c) (1 + (x**-c d)**|1/f|)**-f     for f > 0
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import sympy as sp

from ..algebra.zero import prove_zero
from ..budget import cached
from ..law import Law
from .scatter import widths
from .units import exponents

__all__ = ["Exchange", "Mirror", "base_of", "exchanges", "mirrors"]

Pairs = tuple[tuple[sp.Symbol, sp.Expr], ...]


@dataclass(frozen=True)
class Exchange:
    """Two tuples of constants that may change places, and the base of the break that each stands for, if any."""

    one: tuple[sp.Symbol, ...]
    two: tuple[sp.Symbol, ...]
    bases: tuple[sp.Expr | None, sp.Expr | None]


@dataclass(frozen=True)
class Mirror:
    """A break that may be written from its other side, for one sign of its width.

    Parameters
    ----------
    width : Symbol
    positive : bool
        The sign of the width for which ``moved`` holds.
    first : Symbol
        The exponent of the break's first input.
    moved : tuple of (Symbol, Expr)
        Constants and what they become.
    """

    width: sp.Symbol
    positive: bool
    first: sp.Symbol
    moved: Pairs

    def turned(self, values: Mapping[sp.Symbol, float]) -> dict[sp.Symbol, float]:
        """The constants that change, from all constants; none where the width has the other sign."""
        if (values[self.width] > 0) is not self.positive:
            return {}
        known = {s: sp.Float(values[s]) for _, expression in self.moved for s in expression.free_symbols}
        return {s: float(expression.xreplace(known)) for s, expression in self.moved}


def base_of(law: Law, factor: sp.Expr) -> sp.Expr | None:
    """``B`` of a factor ``(1 + B**q)**p`` with a width in q; None of another.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> law = laws.get("bnsl")
    >>> [str(base_of(law, p)) for p in law.explicit.atoms(sp.Pow) if base_of(law, p) is not None]
    ['x/d1']
    """
    if not (factor.is_Pow and factor.base.is_Add and len(factor.base.args) == 2 and sp.S.One in factor.base.args):
        return None
    (power,) = (part for part in factor.base.args if part != 1)
    return power.base if power.is_Pow and power.exp.free_symbols & widths(law) else None


@cached
def exchanges(law: Law) -> tuple[Exchange, ...]:
    """All pairs of constants that may change places, the innermost first.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> [(one.one, one.two) for one in exchanges(laws.get("unsl", n=2))]
    [((c_1_1_7, d_1_7, f_1_7), (c_1_2_7, d_2_7, f_2_7))]
    >>> exchanges(laws.get("chinchilla")), exchanges(laws.get("bnsl", n=2))
    ((), ())
    """
    if law.explicit is None:
        return ()
    facts = {p.symbol: (p.closed, p.above, p.below, p.symbol.assumptions0) for p in law.parameters}
    lesser = {p.above for p in law.parameters}
    found: dict[Exchange, None] = {}
    for node in sp.postorder_traversal(law.explicit):
        blocks = [_own(law, part) for part in node.args] if node.is_Add or node.is_Mul else []
        for (a, one), (b, two) in combinations(zip(node.args, blocks, strict=False), 2):
            if not one or set(one) & set(two) or lesser & {*one, *two}:
                continue
            if [facts[s] for s in one] != [facts[s] for s in two]:
                continue
            first, second = sorted((one, two), key=lambda block: law.places[block[0]])
            swap = {**dict(zip(one, two, strict=True)), **dict(zip(two, one, strict=True))}
            if law.explicit.xreplace(swap) == law.explicit:
                bases = (base_of(law, a), base_of(law, b))
                found.setdefault(Exchange(first, second, bases if first == one else bases[::-1]))
    return tuple(found)


def _own(law: Law, part: sp.Expr) -> tuple[sp.Symbol, ...]:
    return tuple(s for s in law.constants if s in part.free_symbols)


@cached
def mirrors(law: Law) -> tuple[Mirror, ...]:
    """All breaks that may be written from their other side, each proved.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> for one in mirrors(laws.get("mbnsl", m=2)):
    ...     print(one.width, one.positive, dict(one.moved))
    f_1 True {b: b*d_1, d_1: 1/d_1, c_1_0: c_1_0 + c_1_1, c_1_1: -c_1_1, c_2_0: c_2_0 + c_2_1, c_2_1: -c_2_1}
    >>> mirrors(laws.get("bnsl"))
    ()
    """
    if law.explicit is None:
        return ()
    products = [node for node in sp.preorder_traversal(law.explicit) if node.is_Mul]
    found: dict[Mirror, None] = {}
    for product in products:
        for factor in product.args:
            base = base_of(law, factor)
            for made in _mirrored(law, product, factor, base) if base is not None else ():
                found.setdefault(made)
    return tuple(found)


def _mirrored(law: Law, product: sp.Expr, factor: sp.Expr, base: sp.Expr) -> Iterator[Mirror]:
    """The mirror of one factor for each sign that its width may have."""
    (power,) = (part for part in factor.base.args if part != 1)
    if law.explicit is None or len(power.exp.free_symbols) != 1:
        return
    (width,) = power.exp.free_symbols
    for positive in (True, False):
        if width.is_negative if positive else width.is_positive:
            continue
        size = sp.Dummy("f", positive=True)
        known = {width: size if positive else -size}
        whole = (power.exp * factor.exp).xreplace(known)
        moved = _taken_up(law, product, base, whole) if whole.is_number else None
        if moved is None:
            continue
        before = product.xreplace(known)
        after = before.xreplace(dict(moved))
        first = next(s for s in law.constants if s in base.free_symbols & exponents(law))
        outside = law.explicit.xreplace({product: sp.Dummy()}).free_symbols & {s for s, _ in moved}
        if not outside and prove_zero(sp.log(after / before), law.domain) is not None:
            yield Mirror(width, positive, first, moved)


def _taken_up(law: Law, product: sp.Expr, base: sp.Expr, whole: sp.Expr) -> Pairs | None:
    """What constants become that turn ``base`` over and take up ``base**whole``; None where they cannot."""
    powers, inside = product.as_powers_dict(), base.as_powers_dict()
    amplitudes = [s for s in law.constants if s in powers and s.is_positive and powers[s].is_number and s not in inside]
    if not amplitudes or any(part not in law.inputs and part not in law.constants for part in inside):
        return None
    moved: list[tuple[sp.Symbol, sp.Expr]] = []
    taken: sp.Expr = amplitudes[0]
    for part, power in sorted(inside.items(), key=lambda item: str(item[0])):
        if part in law.constants:
            if not (power.is_number and part.is_positive):
                return None
            taken *= part ** (power * whole / powers[amplitudes[0]])
            moved.append((part, 1 / part))
            continue
        turned, fall = _single(power), _single(powers.get(part, sp.Integer(0)))
        if turned is None or fall is None:
            return None
        (own, rate), (other, size) = turned, fall
        moved += [(other, other + own * rate * whole / size), (own, -own)]
    return ((amplitudes[0], taken), *moved)


def _single(power: sp.Expr) -> tuple[sp.Symbol, sp.Expr] | None:
    """Constant and number of a power that is a multiple of one real constant."""
    size, symbol = power.as_coeff_Mul()
    return (symbol, size) if symbol.is_Symbol and not (symbol.is_positive or symbol.is_negative) else None
