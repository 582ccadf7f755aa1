"""Amounts as people give them, with their units checked: compute in FLOP, PF-days or GPU-hours, loss in nats or bits.

All arithmetic is exact or to 50 digits; a number is rounded only where it is printed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from .. import quantity
from ..errors import DomainError, ScalingError, Unattainable
from .records import Amount

__all__ = ["DIGITS", "HOUR", "PF_DAY", "Machine", "compute", "evaluated", "in_bits", "loss", "positive", "whole"]

DIGITS = 50
HOUR = sp.Integer(3600)
PF_DAY = sp.Integer(10) ** 15 * 24 * HOUR

_RENTED = re.compile(r"(?P<number>.+?)\s*(?:GPU|TPU|chip)[- ]?(?P<span>hours?|h|days?|d)", re.IGNORECASE)


def positive(value: object, name: str, unit: str = "") -> sp.Rational:
    """A positive amount; its unit, where one is written, must be ``unit``.

    Raises
    ------
    DomainError
        If it is not positive, or in another unit.
    ParseError
        If it does not read.

    Examples
    --------
    >>> positive("1.4T tokens", "D", "tokens")
    1400000000000
    >>> positive("1e24 FLOP", "D", "tokens")
    Traceback (most recent call last):
    ...
    symbolic_scaling.errors.DomainError: read D = '1e24 FLOP': its unit is FLOP; give it in tokens
    """
    if isinstance(value, sp.Expr) and value.is_real:
        exact = value
    else:
        read = quantity.read(value)
        if read.unit and read.unit != unit:
            raise DomainError(f"read {name} = {value!r}", f"its unit is {read.unit}", f"give it in {unit or 'no unit'}")
        exact = sp.Rational(read.value.numerator, read.value.denominator)
    if not exact.is_positive:
        raise DomainError(f"read {name} = {value!r}", "it is not above zero", "give a positive amount")
    return exact


def whole(value: object, name: str) -> sp.Integer:
    """A positive whole number.

    Raises
    ------
    DomainError
        If it is none.

    Examples
    --------
    >>> whole("24", "layers")
    24
    """
    exact = positive(value, name)
    if not exact.is_Integer:
        raise DomainError(f"read {name} = {value!r}", "it is not a whole number", "give a count")
    return exact


@dataclass(frozen=True)
class Machine:
    """What compute runs on.

    Parameters
    ----------
    peak : Expr
        FLOP a second of one accelerator.
    utilisation : Expr
        Which part of the peak is reached, above 0 and at most 1.
    price : Expr, optional
        Of one hour of one accelerator.

    Examples
    --------
    >>> machine = Machine.read("312 TFLOPS", "40%", "2")
    >>> [f"{float(one.value):.6g} {one.unit}" for one in machine.amounts(sp.Integer(10) ** 21)]
    ['2225.78 GPU-hours', '4451.57 ']
    """

    peak: sp.Expr
    utilisation: sp.Expr
    price: sp.Expr | None = None

    @classmethod
    def read(cls, peak: object, utilisation: object = 1, price: object = None) -> Machine:
        """A machine from amounts as people write them; ``DomainError`` for a utilisation above 1."""
        used = positive(utilisation, "utilisation")
        if used > 1:
            raise DomainError(f"read utilisation = {utilisation!r}", "it is above 1", "give a part such as 40%")
        paid = None if price is None else positive(price, "price")
        return cls(positive(peak, "peak", "FLOP"), used, paid)

    @property
    def hour(self) -> sp.Expr:
        """FLOP done in one hour of one accelerator."""
        return self.peak * self.utilisation * HOUR

    def amounts(self, flop: sp.Expr) -> tuple[Amount, ...]:
        """Hours, and what they cost."""
        hours = flop / self.hour
        rows = (Amount("hours", hours, "GPU-hours"),)
        return rows if self.price is None else (*rows, Amount("paid", hours * self.price))


def compute(value: object, machine: Machine | None = None) -> sp.Rational:
    """A compute budget in FLOP.

    Parameters
    ----------
    value : str or number
        ``1e24``, ``"1e24 FLOP"``, ``"6666.67 PF-days"``; with a machine also ``"5000 GPU-hours"``.
    machine : Machine, optional

    Raises
    ------
    DomainError
        If it is not positive, in another unit, or in hours of an unknown machine.

    Examples
    --------
    >>> compute("2 PF-days") / PF_DAY
    2
    """
    rented = _RENTED.fullmatch(value.strip()) if isinstance(value, str) else None
    if rented is None:
        return positive(value, "the compute", "FLOP")
    if machine is None:
        found = "hours alone do not say how many FLOP"
        raise DomainError(f"read the compute {value!r}", found, "add --peak 312TFLOPS --utilisation 40%")
    hours = 24 if rented["span"].lower().startswith("d") else 1
    return positive(rented["number"], "the compute") * hours * machine.hour


def loss(value: object, unit: str) -> sp.Expr:
    """A response as a law counts it; nats and bits are turned into one another.

    Raises
    ------
    DomainError
        If it is not positive, or its unit is not the response's.

    Examples
    --------
    >>> loss("2 bits", "nats/token")
    2*log(2)
    """
    read = quantity.read(value)
    own = unit.partition("/")[0]
    if {read.unit, own} == {"nats", "bits"}:
        factor = sp.log(2) if own == "nats" else 1 / sp.log(2)
        return positive(sp.Rational(read.value.numerator, read.value.denominator), "the target") * factor
    return positive(value, "the target", own)


def in_bits(one: Amount) -> tuple[Amount, ...]:
    """The same amount in bits, with its intervals, where it is in nats; else nothing.

    Examples
    --------
    >>> [(made.name, float(made.value), made.unit) for made in in_bits(Amount("L", sp.log(4), "nats/token"))]
    [('L in bits', 2.0, 'bits/token')]
    """
    own, slash, each = one.unit.partition("/")
    if own != "nats":
        return ()
    nat = (1 / sp.log(2)).evalf(DIGITS)
    ends = tuple((method, lo * float(nat), hi * float(nat)) for method, lo, hi in one.intervals)
    return (Amount(f"{one.name} in bits", (one.value * nat).evalf(DIGITS), f"bits{slash}{each}", ends),)


def evaluated(expression: sp.Expr, point: Mapping[sp.Symbol, Any], asked: str) -> sp.Float:
    """The value of an expression at numbers, with 50 digits; powers of long numbers are never formed exactly.

    Raises
    ------
    ScalingError
        If a symbol has no number.
    Unattainable
        If there is no real value.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> evaluated(sp.sqrt(x), {x: sp.Integer(2)}, "take a root").round(9)
    1.414213562
    """
    if missing := sorted(str(s.name) for s in expression.free_symbols - set(point)):
        raise ScalingError(asked, f"no number for {', '.join(missing)}", f"say --at {missing[0]}=...")
    value = expression.evalf(DIGITS, subs=dict(point))
    if not (value.is_real and value.is_finite):
        raise Unattainable(asked, "there is no real value there", "check the numbers")
    return sp.Float(value, DIGITS)
