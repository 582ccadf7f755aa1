"""One entry of a claims file as a claim; every error names the claim and the key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import sympy as sp

from ..domain import Domain
from ..errors import ClaimError, ScalingError
from ..notation import Relation, parse, relation
from ..records import Claim, Equal, Less, Number, Statement
from . import number, texed
from .printed import read_printed
from .state import between, bind, symbol

__all__ = ["EXPECTATIONS", "KEYS", "KINDS", "claim_of"]

KINDS = ("equal", "inequality", "limit", "number")
EXPECTATIONS = ("holds", "consistent", "rounding", "refuted")
KEYS = (
    "id", "source", "note", "kind", "statement", "printed", "values", "latex",
    "symbols", "let", "where", "sample", "tolerance", "expect",
)  # fmt: skip

_NUMBERS_ONLY = ("printed", "values", "tolerance")
_RELATIONS = {"equal": ("=",), "inequality": ("<", "<=", ">", ">=")}


def claim_of(entry: object, place: str = "claim") -> Claim:
    """One claim from its keys; ``where`` must have been resolved.

    Raises
    ------
    ClaimError
        Naming the claim and the key.

    Examples
    --------
    >>> claim_of({"id": "KA-36", "kind": "number", "statement": "0.74*0.73", "printed": "0.54"}).statement.printed
    '0.54'
    """
    if not isinstance(entry, Mapping):
        raise ClaimError(place, f"it is {type(entry).__name__}, not a table of keys", "write keys and values")
    return _Reader(entry, place).claim()


class _Reader:
    """Reads one entry; every error names the claim and the key."""

    def __init__(self, entry: Mapping[str, Any], place: str) -> None:
        self.entry = entry
        name = entry.get("id", place)
        self.name = name if isinstance(name, str) and name.strip() else place
        self.in_latex = not str(entry.get("statement", "")).strip() and "latex" in entry

    def claim(self) -> Claim:
        """The record."""
        unknown = sorted(str(key) for key in self.entry if key not in KEYS)
        if unknown:
            raise self.error(unknown[0], "unknown key", f"use {', '.join(KEYS)}")
        for key in ("id", "source", "note", "latex"):
            self.text(key)
        kind = self.one_of("kind", KINDS)
        if "expect" in self.entry:
            self.one_of("expect", EXPECTATIONS)
        if kind != "number" and (extra := [key for key in _NUMBERS_ONLY if key in self.entry]):
            raise self.error(extra[0], "belongs to numbers only", 'leave it out or set kind = "number"')
        if self.entry.get("where"):
            raise self.error("where", "it is not resolved", "define the names by let, or run it through the catalogue")
        declared = self.symbols()
        domain = self.guard("sample", lambda: self.domain(declared))
        names = self.guard("let", lambda: self.names(declared))
        return Claim(self.name, self.statement(kind, names, declared, domain), domain, self.text("source"))

    def statement(
        self, kind: str, names: dict[str, sp.Symbol], declared: dict[str, sp.Symbol], domain: Domain
    ) -> Statement:
        """The statement of this kind."""
        key, text = ("latex", self.text("latex")) if self.in_latex else ("statement", self.text("statement"))
        if not text.strip():
            raise self.error("statement", "it is missing", "write left = right in plain text, or give latex")
        if kind == "number":
            made = self.guard(key, lambda: self.number(text, names, declared))
            self.guard("values", lambda: number.check(made, domain))
            return made
        read = self.guard(key, lambda: (texed.relation if self.in_latex else relation)(text, names))
        made_between: Equal | Less = self.guard(key, lambda: between(read))
        if read.op not in _RELATIONS.get(kind, (read.op,)):
            raise self.error("kind", f"{kind} with the relation {read.op}", "make kind and statement agree")
        if kind == "limit" and not any(side.has(sp.Limit) for side in (read.left, read.right)):
            raise self.error("statement", "no Limit(f, x, p) stands in it", "write the limit, or change the kind")
        return made_between

    def number(self, text: str, names: dict[str, sp.Symbol], declared: dict[str, sp.Symbol]) -> Number:
        """A printed number or a relation between numbers."""
        values = tuple((declared[name], self.digits("values", value)) for name, value in self.named("values", declared))
        tolerance = self.entry.get("tolerance")
        slack = None if tolerance is None else self.exact("tolerance", tolerance)
        if slack is not None and not 0 <= slack < 1:
            raise self.error("tolerance", f"{slack}", "give a relative tolerance from 0 to 1")
        result = self.digits("printed", self.entry["printed"]) if "printed" in self.entry else None
        read: Relation | sp.Expr
        if self.in_latex:
            read, result = texed.number(text, names, result)
        else:
            read = relation(text, names) if result is None else parse(text, names)
        if not isinstance(read, Relation):
            return Number(read, printed=result, values=values, tolerance=slack)
        between(read)
        return Number(read.left, read.op, read.right, values=values, tolerance=slack)

    def symbols(self) -> dict[str, sp.Symbol]:
        """Name -> symbol."""
        plain = texed.plain if self.in_latex else str
        made = {
            name: self.guard("symbols", lambda name=name, kind=kind: symbol(plain(name), kind))
            for name, kind in self.table("symbols").items()
        }
        if len({one.name for one in made.values()}) < len(made):
            raise self.error("symbols", "two names are the same in plain text", "rename one of them")
        return made

    def domain(self, declared: dict[str, sp.Symbol]) -> Domain:
        """The box of ``sample``, closed."""
        ranges: dict[sp.Symbol, tuple[object, object]] = {}
        for name, ends in self.named("sample", declared):
            if not isinstance(ends, Sequence) or isinstance(ends, str) or len(ends) != 2:
                raise self.error("sample", f"{name} is not [lo, hi]", "give two numbers")
            ranges[declared[name]] = self.exact("sample", ends[0]), self.exact("sample", ends[1])
        return Domain.make(ranges)

    def names(self, declared: dict[str, sp.Symbol]) -> dict[str, sp.Symbol]:
        """What every name means: symbols and definitions, and functions where the statement is LaTeX."""
        if not self.in_latex:
            return bind(self.let(), declared)
        plain = {symbol.name: symbol for symbol in declared.values()}
        names = bind([pair for pair in self.let() if "(" not in pair[0]], plain)
        return {**declared, **names, **texed.functions([pair for pair in self.let() if "(" in pair[0]], names)}

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
