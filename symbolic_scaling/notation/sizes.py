"""What is refused before SymPy evaluates it: numbers, powers and polynomials without bound.

Rational numbers stay below ``budget.BITS`` bits, also with 2 in place of a symbol, which SymPy tries when it looks for
a sign; whole powers that are longer are kept unformed (:mod:`.large`); roots are taken of numbers below ``_ROOT_BITS``,
where it looks for perfect powers; constants stay within exp(±``_LARGEST``), because it compares them by value, and
exp(exp(exp(9))) alone would fill the memory; powers of sums in one another stay below the degree ``_DEGREE``, because
it multiplies them out when it looks for a sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import sympy as sp

from ..budget import BITS, power_bits
from .source import Refusal

__all__ = ["bound_degree", "bound_numbers", "bound_power", "is_large"]

_ROOT_BITS = 2048
_EXPONENT_BITS = 256
_LARGEST = 1_000_000
_DEGREE = 128
_SMALL = 64


def _bits(expression: sp.Expr) -> int:
    """Bits of all the numbers in an expression, 1 and -1 apart."""
    numbers = (item for item in sp.preorder_traversal(expression) if isinstance(item, sp.Rational))
    return sum(abs(item.p).bit_length() + item.q.bit_length() - 1 for item in numbers if abs(item) != 1)


def bound_numbers(parts: Sequence[sp.Expr]) -> None:
    """Sums and products of exact numbers add up their bits; small ones cannot become a problem."""
    if sum(bits for bits in map(_bits, parts) if bits > _SMALL) > BITS:
        raise Refusal("a number with too many digits", f"stay below {BITS} bits")


def is_large(base: sp.Expr, exponent: sp.Expr) -> bool:
    """Whether a whole power of an exact number has more digits than are formed, and a size that can be evaluated."""
    if not (base.is_Rational and exponent.is_Integer) or base in (0, 1, -1) or _bits(exponent) > _EXPONENT_BITS:
        return False
    long = power_bits(_bits(base), Fraction(int(exponent))) > BITS
    return long and bool(abs(exponent * sp.log(abs(base))).evalf(5) <= _LARGEST)


def bound_power(base: sp.Expr, exponent: sp.Expr) -> None:
    """Bound what SymPy may make of a power: 2**n from exp(n*log(2)), and 2**n from x**n when it looks for a sign."""
    numbers = exponent.atoms(sp.Rational)
    if any(_bits(number) > _EXPONENT_BITS for number in numbers):
        raise Refusal("an exponent with too many digits", f"stay below {_EXPONENT_BITS} bits")
    bits = _bits(base)
    if isinstance(exponent, sp.Rational) and not exponent.is_Integer and bits > _ROOT_BITS:
        raise Refusal("a root of a very large number", f"stay below {_ROOT_BITS} bits")
    weight = (0 if base == sp.E else max(bits, 2)) + (_bits(exponent) if exponent.has(sp.log) else 0)
    reach = max((abs(number) for number in numbers), default=sp.Integer(0))
    if base not in (1, -1) and power_bits(weight, Fraction(reach.p, reach.q)) > BITS:
        raise Refusal("a number with too many digits", f"stay below {BITS} bits")
    if base != 0 and not any(part.free_symbols or part.has(sp.Derivative, sp.Limit) for part in (base, exponent)):
        size = abs((exponent * sp.log(base)).evalf(5))
        if not size <= _LARGEST:
            raise Refusal("a constant beyond what can be evaluated", f"stay within exp({_LARGEST})")


def bound_degree(base: sp.Expr, exponent: sp.Expr) -> None:
    """Refuse powers of sums that stand in powers of sums, beyond what can be multiplied out."""
    if base.free_symbols and exponent.is_Integer:
        degree, levels = _degree(base)
        if levels and degree * abs(exponent) > _DEGREE:
            raise Refusal(f"sums in powers in one another, of degree {degree * abs(exponent)}", "name its parts")


def _degree(node: sp.Expr) -> tuple[int, int]:
    """The degree once it is multiplied out, and how many powers of sums stand in one another."""
    if not node.args:
        return int(node.is_Symbol), 0
    degrees, levels = zip(*map(_degree, node.args), strict=True)
    if node.is_Pow and node.exp.is_Integer:
        return degrees[0] * abs(int(node.exp)), levels[0] + int(node.base.is_Add)
    return max(degrees) if node.is_Add else sum(degrees) if node.is_Mul else 1, max(levels)
