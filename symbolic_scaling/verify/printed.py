"""Numbers as papers print them: a decimal whose last digit is its rounding."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from ..errors import ClaimError
from ..quantity import decimal

__all__ = ["Printed", "read_printed"]

_DECIMAL = re.compile(r"\s*([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d{1,4}))?\s*", re.ASCII)
MOST_DIGITS = 400


@dataclass(frozen=True)
class Printed:
    """The printed value and half a unit of its last digit."""

    text: str
    value: Fraction
    half: Fraction

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The smallest and the largest number that print like this."""
        return self.value - self.half, self.value + self.half


def read_printed(text: str, asked: str = "read a printed number") -> Printed:
    """A decimal string with the rounding of its last digit.

    Raises
    ------
    ClaimError
        If the text is not a plain decimal.

    Examples
    --------
    >>> read_printed("2e10").half == 5 * 10**9, read_printed("2.0e6").half == 5 * 10**4
    (True, True)
    >>> read_printed("0.10").half, read_printed("512").half
    (Fraction(1, 200), Fraction(1, 2))
    """
    found = _DECIMAL.fullmatch(text)
    if not found or len(text) > MOST_DIGITS:
        raise ClaimError(
            asked, f"{text[:40]!r} is not a decimal number", 'write it as printed, such as "0.10" or "2e10"'
        )
    sign, mantissa, power = found.groups()
    unit = Fraction(10) ** (int(power or 0) - len(mantissa.partition(".")[2]))
    value = decimal(f"{mantissa}e{power or 0}")
    return Printed(text.strip(), -value if sign == "-" else value, unit / 2)
