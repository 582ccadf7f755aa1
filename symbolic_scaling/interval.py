"""Real intervals with exact ends."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from .budget import cached
from .errors import DomainError

__all__ = ["Interval", "exact"]


@dataclass(frozen=True)
class Interval:
    """A real interval with exact ends, each open or closed.

    Examples
    --------
    >>> Interval(0, sp.oo).contains(3)
    True
    >>> str(Interval(0, 1, hi_open=False))
    '(0, 1]'
    """

    lo: sp.Expr
    hi: sp.Expr
    lo_open: bool = True
    hi_open: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "lo", exact(self.lo))
        object.__setattr__(self, "hi", exact(self.hi))
        if self.lo > self.hi or (self.lo == self.hi and (self.lo_open or self.hi_open)):
            raise DomainError("make an interval", f"{self} is empty", "give lo < hi")

    @classmethod
    def of(cls, symbol: sp.Symbol) -> Interval:
        """The interval that the assumptions of ``symbol`` give.

        Examples
        --------
        >>> str(Interval.of(sp.Symbol("c", negative=True)))
        '(-oo, 0)'
        """
        return _of(symbol)

    @property
    def bounded(self) -> bool:
        """Whether both ends are finite."""
        return bool(self.lo.is_finite and self.hi.is_finite)

    def contains(self, value: object) -> bool:
        """Whether a number lies inside, ends by their openness."""
        number = exact(value)
        above = number > self.lo if self.lo_open else number >= self.lo
        below = number < self.hi if self.hi_open else number <= self.hi
        return bool(above and below)

    def meet(self, other: Interval) -> Interval:
        """The intersection; :class:`DomainError` if it is empty."""
        lo, lo_open = max((self.lo, self.lo_open), (other.lo, other.lo_open))
        hi, hi_closed = min((self.hi, not self.hi_open), (other.hi, not other.hi_open))
        return Interval(lo, hi, lo_open, not hi_closed)

    def __str__(self) -> str:
        return f"{'(' if self.lo_open else '['}{self.lo}, {self.hi}{')' if self.hi_open else ']'}"


@cached
def _of(symbol: sp.Symbol) -> Interval:
    if symbol.is_positive:
        return Interval(sp.Integer(0), sp.oo)
    if symbol.is_negative:
        return Interval(-sp.oo, sp.Integer(0))
    return Interval(sp.Integer(0) if symbol.is_nonnegative else -sp.oo, sp.oo, lo_open=not symbol.is_nonnegative)


def exact(value: object) -> sp.Expr:
    """An exact SymPy number; a float becomes the decimal that it prints as."""
    if isinstance(value, float):
        return sp.Rational(repr(value)) if abs(value) != float("inf") else sp.oo * (1 if value > 0 else -1)
    number = value if isinstance(value, sp.Basic) else sp.Rational(value)
    if not number.is_number or not number.is_extended_real:
        raise DomainError("read a bound", f"{value!r} is not a number", "give a number")
    return number
