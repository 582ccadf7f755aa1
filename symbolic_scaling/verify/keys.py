"""The keys of one claim, read one by one and checked for their type; every error names the claim and the key."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import sympy as sp

from ..errors import ClaimError, ScalingError
from .printed import read_printed

__all__ = ["Keys"]


class Keys:
    """The table of one claim; ``place`` names it where it has no ``id``."""

    def __init__(self, entry: Mapping[str, Any], place: str) -> None:
        self.entry = entry
        name = entry.get("id", place)
        self.name = name if isinstance(name, str) and name.strip() else place
        self.in_latex = not str(entry.get("statement", "")).strip() and "latex" in entry

    def let(self) -> list[tuple[str, str]]:
        """The definitions, in order."""
        pairs = self.entry.get("let", [])
        if not isinstance(pairs, list):
            raise self.error("let", "not a list", "write a list of [name, expression]")
        for pair in pairs:
            if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
                raise self.error("let", f"{str(pair)[:60]} is not [name, expression]", "give two texts")
        return [(name, text) for name, text in pairs]

    def named(self, key: str, declared: dict[str, sp.Symbol]) -> list[tuple[str, Any]]:
        """The pairs of a table whose names are declared symbols."""
        table = self.table(key)
        if missing := sorted(name for name in table if name not in declared):
            raise self.error(key, f"{missing[0]} is not declared", "declare it under symbols")
        return list(table.items())

    def table(self, key: str) -> dict[str, Any]:
        """A table, empty if the key is missing."""
        table = self.entry.get(key, {})
        if not isinstance(table, dict):
            raise self.error(key, f"{type(table).__name__}", "write names and values")
        return table

    def text(self, key: str) -> str:
        """A text, empty if the key is missing."""
        value = self.entry.get(key, "")
        if not isinstance(value, str):
            raise self.error(key, f"{type(value).__name__}, not a text", "put it in quotes")
        return value

    def one_of(self, key: str, allowed: tuple[str, ...]) -> str:
        """One of a few words."""
        value = self.entry.get(key)
        if value not in allowed:
            found = "it is missing" if value is None else f"{str(value)[:40]!r}"
            raise self.error(key, found, f"choose from {', '.join(allowed)}")
        return str(value)

    def digits(self, key: str, value: object) -> str:
        """A printed number with its digits; decimals of a file keep theirs."""
        if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
            raise self.error(key, f"{str(value)[:40]!r}", 'write the number as printed, in quotes: "0.10"')
        return value if isinstance(value, str) else str(value)

    def exact(self, key: str, value: object) -> sp.Expr:
        """An exact number, or oo and -oo as texts."""
        if value in ("oo", "-oo"):
            return sp.oo if value == "oo" else -sp.oo
        text = repr(value) if isinstance(value, float) else self.digits(key, value)
        one = self.guard(key, lambda: read_printed(text))
        return sp.Rational(one.value.numerator, one.value.denominator)

    def guard(self, key: str, make: Any) -> Any:
        """The result of ``make``; its errors name the claim and the key."""
        try:
            return make()
        except ScalingError as error:
            if error.asked.startswith(f"claim {self.name}"):
                raise
            raise ClaimError(f"claim {self.name}: {key}", error.found, error.remedy, error.where) from None

    def error(self, key: str, found: str, remedy: str) -> ClaimError:
        """An error that names the claim and the key."""
        return ClaimError(f"claim {self.name}: {key}", found, remedy)
