"""How fast factors grow as a small symbol s goes to 0: like ``exp(s**-k)``, or no faster than powers of s.

The pole of an exponent is the k of its ``s**-k``. A factor free of s to such an exponent has that rate; a sum that has
a rate inside, to an exponent with a pole of its own, has both together.

Worked example: ``(1 + 3**(1/s))**(1/s)`` has rate 2, one from the base and one from the exponent.
"""

from __future__ import annotations

from sympy import QQ

from .monomial import Exponent, Sum
from .signs import exponent_sign
from .truncated import Scale, atom_depends, depends

__all__ = ["as_fast", "fades", "pole", "pole_order"]


def pole(scale_: Scale, power: Exponent) -> int:
    """The k such that an exponent behaves like ``s**-k``."""
    place = scale_.space.symbols.index(scale_.small)
    above, below = ([int(powers[place]) for powers in part] for part in (power.numer, power.denom))
    return min(below) - min(above)


def fades(scale_: Scale, power: Exponent) -> bool:
    """Whether an exponent goes to 0 with the small symbol, so that a fast base to it need not be fast."""
    return not power or pole(scale_, power) < 0


def pole_order(scale_: Scale, terms: Sum) -> int:
    """The largest k such that the exponent of a factor free of s grows like ``s**-k``, inside sums too."""
    space, found = scale_.space, 0
    for monomial in terms:
        for number, power in monomial:
            atom = space.atoms[number]
            if not atom_depends(scale_, number):
                found = max(found, pole(scale_, power))
            elif atom.kind == "sum":
                found = max(found, pole_order(scale_, dict(atom.payload)))
            elif atom.kind == "log":
                found = max(found, pole_order(scale_, {((atom.payload, space.K.one),): QQ(1)}))
    return found


def as_fast(scale_: Scale, terms: Sum, order: int) -> bool:
    """Whether a factor that moves with s may grow as fast as one free of s: ``2**(-1/s)*(1 + 3**s)**(1/s)``."""
    space = scale_.space
    for number, power in (pair for monomial in terms for pair in monomial if atom_depends(scale_, pair[0])):
        atom, own = space.atoms[number], pole(scale_, power)
        inside: Sum = {}
        if atom.kind == "sum":
            inside = dict(atom.payload)
        elif atom.kind == "log":
            inside = {((atom.payload, space.K.one),): QQ(1)}
        both = own + pole_order(scale_, inside) if own > 0 else 0
        if max(own, both) >= order or as_fast(scale_, inside, order):
            return True
        if atom.kind == "exp":
            rest = [pair for pair in atom.payload if pair[0] != space.symbol(scale_.small)]
            rate = dict(atom.payload).get(space.symbol(scale_.small), space.K.zero) - space.K(max(own, 0))
            if not all(_quiet(scale_, *pair) for pair in rest) or exponent_sign(space, rate + space.K(order)) != 1:
                return True
    return False


def _quiet(scale_: Scale, number: int, power: Exponent) -> bool:
    """Whether a factor of an exponent grows no faster than a power of ``log(s)``."""
    slow = scale_.space.atoms[number].kind == "log" and not pole_order(scale_, {((number, scale_.space.K.one),): QQ(1)})
    return not depends(scale_, power) and (slow or not atom_depends(scale_, number))
