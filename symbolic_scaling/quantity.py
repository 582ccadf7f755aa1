"""Numbers as people write them, read exactly: ``70B``, ``1e24 FLOP``, ``12.5%``, ``588,000,000``.

A quantity is a decimal, an optional scale (K, M, B or G, T, or a word such as ``billion``) and an optional unit.
Compute comes out as FLOP (1 PF-day = 10^15 FLOP/s for 86,400 s). What had to be interpreted is said in the note.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real

from .budget import BITS
from .errors import ParseError

__all__ = ["Quantity", "decimal", "is_missing", "read"]

_MISSING = frozenset({"", "-", "--", "?", "n/a", "na", "nan", "null", "none", "nil", "."})
_SCALES = {"k": 3, "K": 3, "M": 6, "B": 9, "b": 9, "G": 9, "T": 12, "t": 12}
_WORDS = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_PREFIXES = {"": 0, "K": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18, "Z": 21, "Y": 24}
_UNITS = {
    "token": "tokens",
    "tokens": "tokens",
    "param": "parameters",
    "params": "parameters",
    "parameter": "parameters",
    "parameters": "parameters",
    "example": "examples",
    "examples": "examples",
    "nat": "nats",
    "nats": "nats",
    "bit": "bits",
    "bits": "bits",
}
_DAY = 86_400

_DIGITS = r"[0-9]+(?:_[0-9]+)*"
_DECIMAL = re.compile(rf"(?P<whole>{_DIGITS})?(?:\.(?P<part>{_DIGITS})?)?(?:[eE](?P<power>[+-]?[0-9]+))?")
_SPLIT = re.compile(r"(?P<sign>[+-]?)\s*(?P<number>[0-9.,_' \u00a0\u202f]*[0-9.](?:[eE][+-]?[0-9]+)?)\s*(?P<rest>.*)")
_FLOP = re.compile(r"(?P<prefix>[KMGTPEZY]?)FLOPS?")
_FLOP_DAY = re.compile(r"(?P<prefix>[KMGTPEZY]?)F(?:LOPS?|LOP/S)?[- ]DAYS?")


@dataclass(frozen=True)
class Quantity:
    """An exact number, its unit (empty if none was written) and what had to be interpreted."""

    value: Fraction
    unit: str = ""
    note: str = ""


def is_missing(cell: object) -> bool:
    """Whether a cell stands for "no value": None, NaN, an empty text, ``N/A``, ``nan``, ``-`` and the like.

    Examples
    --------
    >>> [is_missing(cell) for cell in (None, float("nan"), " N/A ", "-", 0, "0")]
    [True, True, True, True, False, False]
    """
    if isinstance(cell, str):
        return cell.strip().lower() in _MISSING
    return (
        cell is None
        or type(cell).__name__ in {"NAType", "NaTType"}
        or (isinstance(cell, Real) and not isinstance(cell, Rational) and math.isnan(cell))
    )


def decimal(text: str) -> Fraction:
    """The exact value of an unsigned decimal literal such as ``5.88E+23`` or ``1_000``.

    Raises
    ------
    ParseError
        If it is not a decimal, or has more digits than can be written.

    Examples
    --------
    >>> decimal("0.34"), decimal("1e3")
    (Fraction(17, 50), Fraction(1000, 1))
    """
    match = _DECIMAL.fullmatch(text)
    if match is None or (match["whole"] is None and match["part"] is None):
        raise _refuse(text, "it is not a number", "write it like 1.5, 1e24 or 70B")
    whole = (match["whole"] or "").replace("_", "")
    part = (match["part"] or "").replace("_", "")
    power = match["power"] or "0"
    if 4 * len(whole + part) > BITS or len(power) > 6 or 4 * abs(int(power)) > BITS:
        raise _refuse(_short(text), "it has too many digits", f"stay within 1e-{BITS // 4} and 1e{BITS // 4}")
    scale = int(power) - len(part)
    return int(whole + part) * Fraction(10) ** scale


def read(text: object, *, decimal_mark: str = ".") -> Quantity:
    """Read a human number.

    Parameters
    ----------
    text : str or number
        An integer is exact; a float is the decimal that it prints as.
    decimal_mark : {".", ","}
        With ``","`` the full stop groups thousands.

    Returns
    -------
    Quantity
        Value, unit (``FLOP``, ``tokens``, ...) and note.

    Raises
    ------
    ParseError
        For a missing marker, an infinite or Boolean value, an unknown unit or a misplaced comma.

    Examples
    --------
    >>> read("1.4T").value, read("12.5%").note
    (Fraction(1400000000000, 1), '12.5% is read as 0.125')
    >>> read("2 PF-days")
    Quantity(value=Fraction(172800000000000000000, 1), unit='FLOP', note='1 PF-day = 8.64e19 FLOP')
    >>> read("1,94", decimal_mark=",").value
    Fraction(97, 50)
    """
    if not isinstance(text, str):
        return Quantity(_number(text))
    shown = text.strip()
    if is_missing(shown):
        raise _refuse(shown, "it marks a missing value", "give a number")
    match = _SPLIT.fullmatch(shown)
    if match is None:
        raise _refuse(shown, "it does not start with a number", "write it like 1.5, 1e24 or 70B")
    plain, grouped = _ungroup(match["number"], decimal_mark, shown)
    factor, unit, note = _suffix(match["rest"].strip(), shown)
    value = (-1 if match["sign"] == "-" else 1) * decimal(plain) * factor
    if unit == "%":
        unit, note = "", f"{shown} is read as {float(value):.12g}"
    return Quantity(value, unit, note or grouped)


def _number(value: object) -> Fraction:
    """Exact value of a Python, NumPy or SymPy number."""
    if isinstance(value, bool) or type(value).__name__ == "bool_" or not isinstance(value, Real | Decimal):
        raise _refuse(repr(value), f"it is a {type(value).__name__}", "give a number")
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if not math.isfinite(value):
        raise _refuse(str(value), "it is not finite", "give a finite number")
    exact = str(value) if isinstance(value, Decimal) else repr(float(value))
    return -decimal(exact[1:]) if exact.startswith("-") else decimal(exact)


def _ungroup(number: str, mark: str, shown: str) -> tuple[str, str]:
    """Digits without their group separators, decimal point as ``.``; and a note if commas were dropped."""
    if mark not in {".", ","}:
        raise _refuse(shown, f"decimal mark {mark!r}", "choose '.' or ','")
    group = "," if mark == "." else "."
    mantissa, power = re.fullmatch(r"(.*?)((?:[eE].*)?)", number.strip()).groups()  # type: ignore[union-attr]
    head, point, tail = mantissa.partition(mark)
    separators = sorted(set(re.findall(r"[,.' \u00a0\u202f]", head + tail)))
    if not separators:
        return head + ("." if point else "") + tail + power, ""
    kind = re.escape(separators[0])
    if len(separators) > 1 or not re.fullmatch(rf"[0-9]{{1,3}}(?:{kind}[0-9]{{3}})+", head) or re.search(kind, tail):
        remedy = "write 1.94, or say that the comma is the decimal mark" if "," in separators and group == "," else ""
        raise _refuse(shown, "its digits are not in groups of three", remedy or "leave the separators out")
    note = f"{shown}: {separators[0]!r} is read as a thousands separator" if separators[0] in ",." else ""
    return re.sub(kind, "", head) + ("." if point else "") + tail + power, note


def _suffix(rest: str, shown: str) -> tuple[Fraction, str, str]:
    """Factor, unit and note of what follows the digits."""
    if rest == "%":
        return Fraction(1, 100), "%", ""
    scale, unit = 0, rest
    word = rest.split(" ", 1)[0]
    if word.lower() in _WORDS:
        scale, unit = _WORDS[word.lower()], rest[len(word) :].strip()
    elif word in _SCALES:
        scale, unit = _SCALES[word], rest[len(word) :].strip()
    if unit in {"", *_UNITS}:
        return Fraction(10) ** scale, _UNITS.get(unit, ""), ""
    upper = unit.upper()
    if match := _FLOP.fullmatch(upper):
        return Fraction(10) ** (scale + _PREFIXES[match["prefix"]]), "FLOP", ""
    if match := _FLOP_DAY.fullmatch(upper):
        power = _PREFIXES[match["prefix"]]
        note = f"1 {match['prefix']}F-day = {8.64:g}e{power + 4} FLOP"
        return Fraction(10) ** (scale + power) * _DAY, "FLOP", note
    remedy = "write M for million" if unit == "m" else "use K, M, B, T, %, FLOP, PF-days, tokens, nats, bits or no unit"
    raise _refuse(shown, f"unknown unit {_short(unit)!r}", remedy)


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."


def _refuse(shown: str, found: str, remedy: str) -> ParseError:
    return ParseError(f"read the number {_short(shown)!r}", found, remedy)
