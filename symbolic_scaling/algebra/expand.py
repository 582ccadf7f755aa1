"""Expansions in one small symbol with symbolic exponents: generalised power series with a remainder.

A monomial is its own expansion; sums, products, powers, logarithms and exponentials are put together from those of
their parts (``truncated``).

Worked example: ``((N_c/N)**(a/d) + D_c*s)**d`` at small s is ``(N_c/N)**a + d*D_c*(N_c/N)**(a - a/d)*s + O(s**2)``.
"""

from __future__ import annotations

from sympy import QQ

from .. import budget
from ..errors import Undecided
from . import logform
from .monomial import Exponent, Monomial, Sum, constant
from .truncated import Expansion, Scale, atom_depends, depends, exponential, logarithm, product, raised, total

__all__ = ["expansion"]


def expansion(scale_: Scale, terms: Sum) -> Expansion:
    """The expansion of a sum in the small symbol.

    Raises
    ------
    Undecided
        If the domain does not say which term of a power's base leads.
    Cancelled
        If more terms are needed.
    """
    whole = Expansion(())
    for monomial, coefficient in terms.items():
        whole = total(scale_, whole, _term(scale_, monomial, {(): coefficient}))
    return whole


def _term(scale_: Scale, monomial: Monomial, coefficient: Sum) -> Expansion:
    space = scale_.space
    result = Expansion(((space.K.zero, coefficient),))
    for number, power in monomial:
        budget.check("expand in a small symbol")
        result = product(scale_, result, _atom_power(scale_, number, power))
    return result


def _atom_power(scale_: Scale, number: int, power: Exponent) -> Expansion:
    """One atom to a power that may itself depend on the small symbol."""
    space, atom = scale_.space, scale_.space.atoms[number]
    if atom.kind == "symbol" and atom.payload == scale_.small and not depends(scale_, power):
        return Expansion(((power, constant(1)),))
    if depends(scale_, power):
        exponent = expansion(scale_, logform.from_field(space, power))
        return exponential(scale_, product(scale_, exponent, _log_atom(scale_, number)))
    if not atom_depends(scale_, number):
        return Expansion(((space.K.zero, {((number, power),): QQ(1)}),))
    if atom.kind == "sum":
        return raised(scale_, expansion(scale_, dict(atom.payload)), power)
    if atom.kind == "log":
        return raised(scale_, _log_atom(scale_, atom.payload), power)
    if atom.kind == "exp":
        inner = expansion(scale_, {atom.payload: QQ(1)})
        return exponential(
            scale_, product(scale_, inner, Expansion(((space.K.zero, logform.from_field(space, power)),)))
        )
    raise _without(scale_, number)


def _log_atom(scale_: Scale, number: int) -> Expansion:
    """The logarithm of one atom."""
    space, atom = scale_.space, scale_.space.atoms[number]
    if not atom_depends(scale_, number):
        if atom.sign != 1:
            base = space.write_atom(number)
            raise Undecided(f"take the logarithm of {base}", f"{base} > 0", opens=base)
        return Expansion(((space.K.zero, logform.logarithm(space, {((number, space.K.one),): QQ(1)})),))
    if atom.kind == "sum":
        return logarithm(scale_, expansion(scale_, dict(atom.payload)))
    if atom.kind == "log":
        return logarithm(scale_, _log_atom(scale_, atom.payload))
    if atom.kind == "exp":
        return expansion(scale_, {atom.payload: QQ(1)})
    if atom.kind == "symbol":
        return Expansion(((space.K.zero, scale_.slow),))
    raise _without(scale_, number)


def _without(scale_: Scale, number: int) -> Undecided:
    written = scale_.space.write_atom(number)
    return Undecided(f"expand {written}", f"{written} has an expansion in {scale_.small}")
