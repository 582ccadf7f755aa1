"""One entry of a claims file as a claim; every error names the claim and the key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp

from ..domain import Domain
from ..errors import ClaimError
from ..notation import Relation, noted, parse, relation, symbol
from ..records import Asymptotic, Claim, Equal, Exists, Less, Number, Statement
from . import kinds, number, texed
from .keys import Keys
from .state import assumed, between, bind, interval

__all__ = ["EXPECTATIONS", "KEYS", "KINDS", "claim_of"]

KINDS = ("equal", "inequality", "limit", "number", "asymptotic", "proportional", "exists")
EXPECTATIONS = ("holds", "consistent", "rounding", "refuted")
KEYS = (
    "id", "source", "note", "kind", "statement", "printed", "values", "latex",
    "symbols", "let", "where", "given", "sample", "tolerance", "expect", "in", "at", "order", "witness",
)  # fmt: skip

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


class _Reader(Keys):
    """What the keys of one entry say together."""

    def claim(self) -> Claim:
        """The record."""
        unknown = sorted(str(key) for key in self.entry if key not in KEYS)
        if unknown:
            raise self.error(unknown[0], "unknown key", f"use {', '.join(KEYS)}")
        for key in ("id", "source", "note", "latex"):
            self.text(key)
        if self.entry.get("kind") == "?" and "note" in self.entry:
            raise self.error("kind", f"it is '?': {self.text('note')}", "correct it, then say which kind it is")
        kind = self.one_of("kind", KINDS)
        if "expect" in self.entry:
            self.one_of("expect", EXPECTATIONS)
        for key, takers in kinds.KEYS_OF_KIND.items():
            if key in self.entry and kind not in takers:
                raise self.error(key, f"it belongs to {', '.join(takers)} only", "leave it out or change the kind")
        if self.entry.get("where"):
            raise self.error("where", "it is not resolved", "define the names by let, or run it through the catalogue")
        declared = self.symbols()
        domain = self.guard("sample", lambda: self.domain(declared))
        with noted() as met:
            names = self.guard("let", lambda: self.names(declared))
            domain = self.guard("given", lambda: assumed(self.entry.get("given", []), names, domain))
            statement = self.statement(kind, names, declared, domain)
        return Claim(self.name, statement, domain, self.text("source"), tuple(met))

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
        if kind == "asymptotic":
            return self.asymptotic(key, text, names, declared)
        read = self.relation(key, text, names)
        if kind == "proportional":
            values = self.values(declared)
            return self.guard(key, lambda: kinds.proportional(read, self.moving(declared)[0], values))
        made_between: Equal | Less = self.guard(key, lambda: between(read))
        if read.op not in _RELATIONS.get(kind, (read.op,)):
            raise self.error("kind", f"{kind} with the relation {read.op}", "make kind and statement agree")
        cancelled = self.in_latex and r"\lim" in text  # of what does not move, once equal factors are gone
        if kind == "limit" and not cancelled and not any(side.has(sp.Limit) for side in (read.left, read.right)):
            raise self.error("statement", "no Limit(f, x, p) stands in it", "write the limit, or change the kind")
        if kind == "exists":
            return self.guard(key, lambda: Exists(self.moving(declared), made_between, self.witness(names, declared)))
        return made_between

    def relation(self, key: str, text: str, names: dict[str, sp.Symbol]) -> Relation:
        """Both sides and what stands between them."""
        return self.guard(key, lambda: (texed.relation if self.in_latex else relation)(text, names))

    def asymptotic(
        self, key: str, text: str, names: dict[str, sp.Symbol], declared: dict[str, sp.Symbol]
    ) -> Asymptotic:
        """``left ~ right`` or ``left = O(f)`` with what moves, where to and to how many terms."""
        (symbol, *_), order = self.moving(declared), self.entry.get("order", 1)
        if not isinstance(at := self.entry.get("at", "oo"), str | int) or isinstance(at, bool) or at not in kinds.ENDS:
            raise self.error("at", f"{at!r}", "give oo or 0")
        if isinstance(order, bool) or not isinstance(order, int):
            raise self.error("order", f"{order!r}", "give a whole number of terms")
        parts = self.guard(key, lambda: kinds.remainder(text, [one.name for one in declared.values()]))
        read = self.relation(key, parts[0] if parts else text, names)
        bound = self.guard(key, lambda: self.expression(parts[1], names)) if parts else None
        return self.guard(key, lambda: kinds.asymptotic(read, bound, symbol, kinds.ENDS[at], order))

    def moving(self, declared: dict[str, sp.Symbol]) -> tuple[sp.Symbol, ...]:
        """The symbols that ``in`` names: several for an existence, else one."""
        given = self.entry.get("in", [])
        named = [one.strip() for one in given.split(",")] if isinstance(given, str) else given
        if not isinstance(named, list) or not named or (len(named) > 1 and self.entry["kind"] != "exists"):
            raise self.error("in", "it is missing" if not given else f"{given!r}", "name the variable, or the symbols")
        if missing := [str(name) for name in named if not isinstance(name, str) or name not in declared]:
            raise self.error("in", f"{missing[0]} is not declared", "declare it under symbols")
        return tuple(declared[name] for name in named)

    def witness(
        self, names: dict[str, sp.Symbol], declared: dict[str, sp.Symbol]
    ) -> tuple[tuple[sp.Symbol, sp.Expr], ...]:
        """Symbol -> the expression that is to make the statement hold."""
        pairs = self.named("witness", declared)
        return tuple(
            (declared[name], self.guard("witness", lambda text=text: self.expression(str(text), names)))
            for name, text in pairs
        )

    def expression(self, text: str, names: dict[str, sp.Symbol]) -> sp.Expr:
        """One side, plain or LaTeX as the statement is."""
        return texed.expression(text, names) if self.in_latex else parse(text, names)

    def values(self, declared: dict[str, sp.Symbol]) -> tuple[tuple[sp.Symbol, str], ...]:
        """Printed inputs."""
        return tuple((declared[name], self.digits("values", value)) for name, value in self.named("values", declared))

    def number(self, text: str, names: dict[str, sp.Symbol], declared: dict[str, sp.Symbol]) -> Number:
        """A printed number or a relation between numbers."""
        values = self.values(declared)
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
            found = texed.printed_side(text) if isinstance(read, Relation) and read.op == "=" else None
            if isinstance(read, Relation) and found is not None and not texed.is_exact(read, found[1]):
                read, result = read.left if found[0] else read.right, found[1]
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
        """The intervals that kinds of symbols say, within the box of ``sample``, which is closed."""
        within = {declared[name]: interval(kind) for name, kind in self.table("symbols").items()}
        ranges: dict[sp.Symbol, tuple[object, object]] = {}
        for name, ends in self.named("sample", declared):
            if not isinstance(ends, Sequence) or isinstance(ends, str) or len(ends) != 2:
                raise self.error("sample", f"{name} is not [lo, hi]", "give two numbers")
            ranges[declared[name]] = self.exact("sample", ends[0]), self.exact("sample", ends[1])
        return Domain.make({one: ends for one, ends in within.items() if ends is not None}).meet(Domain.make(ranges))

    def names(self, declared: dict[str, sp.Symbol]) -> dict[str, sp.Symbol]:
        """What every name means: symbols and definitions, and functions where the statement is LaTeX."""
        if not self.in_latex and not any(texed.is_latex(part) for pair in self.let() for part in pair):
            return bind(self.let(), declared)
        names: dict[str, Any] = {**declared, **{symbol.name: symbol for symbol in declared.values()}}
        for left, text in self.let():
            if "(" in left and self.in_latex:
                name, meaning = texed.function(left, text, names)
            else:
                name, plain = left, texed.plain(left)
                meaning = bind([(plain, text)], names, texed.meant)[plain]
            names |= {name: meaning, texed.plain(name): meaning}
        return names
