"""A derivation read back from what ``symscale derive --json`` printed: expressions by grammar, verdicts as text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sympy as sp

from .. import notation
from ..errors import DataError, ScalingError, refuse_printed
from ..law import Law
from ..records import Case, Derivation, Found, Reduction, Root, Series, Status, Step
from .blocks import Code, Table

__all__ = ["derivation", "is_record", "load", "read", "unproved", "verdicts"]

_MARKS = ("law", "what", "steps", "result")
_REMEDY = "give a saved fit, or what symscale derive --json printed"


def read(path: Path) -> dict[str, Any]:
    """The JSON object of a file: a saved fit, or a derivation.

    Raises
    ------
    DataError
        If it cannot be read, or is no JSON object.
    """
    content = load(path)
    if not is_record(content):
        raise DataError(f"read {path}", "it is neither a fit nor a derivation", _REMEDY)
    return content


def load(path: Path) -> dict[str, Any]:
    """Any JSON object of a file but a printed error, which is raised; errors as :func:`read`."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(f"read {path}", str(error), _REMEDY) from None
    if not isinstance(content, dict):
        raise DataError(f"read {path}", "it is no JSON object", _REMEDY)
    refuse_printed(content, f"read {path}")
    return content


def is_record(content: Mapping[str, Any]) -> bool:
    """Whether it is a saved fit or a derivation."""
    return "format" in content or all(key in content for key in _MARKS)


def derivation(content: Mapping[str, Any], law: Law) -> Derivation:
    """The derivation that ``of_derivation.as_json`` wrote, from ``law``; letters that the law has not are positive.

    Raises
    ------
    DataError
        If it does not read as one.

    Examples
    --------
    >>> from symbolic_scaling import derive, laws, report
    >>> m1 = laws.get("m1")
    >>> found = derive.inverse(m1, "x")
    >>> derivation({"what": "inverse", **report.as_json(found)}, m1).found == found.found
    True
    """
    try:
        return _Reader(law).derivation(content)
    except (AttributeError, KeyError, TypeError, ValueError, ScalingError) as error:
        found = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise DataError("read a derivation", found, "give what symscale derive --json printed, unchanged") from None


def verdicts(content: Mapping[str, Any]) -> Table | None:
    """The table of the verdicts that were printed with a derivation; None without any."""
    rows = tuple(
        (str(v.get("id", "")), str(v.get("status", "")), str(v.get("method", "")), Code(str(v.get("statement", ""))))
        for v in content.get("verdicts", ())
        if isinstance(v, dict)
    )
    return Table(("claim", "verdict", "method", "statement"), rows) if rows else None


def unproved(content: Mapping[str, Any]) -> tuple[tuple[str, str], ...] | None:
    """Name and status of the printed verdicts that prove nothing; None where what is owed has no verdict."""
    said = [
        (str(v.get("id", "")), str(v.get("status", ""))) for v in content.get("verdicts", ()) if isinstance(v, dict)
    ]
    owed = dict.fromkeys(str(name) for step in content["steps"] for name in step.get("owes", ()))
    if owed and not said:
        return None
    missing = [(name, "not judged") for name in owed if name not in dict(said)]
    left = (*((name, status) for name, status in said if status != Status.PROVED.name), *missing)
    return left if left or content.get("proved", True) else None


class _Reader:
    """Reads expressions with the symbols of one law."""

    def __init__(self, law: Law) -> None:
        self.law = law
        self._symbols: dict[str, sp.Symbol] = dict(law.symbols)

    def derivation(self, content: Mapping[str, Any]) -> Derivation:
        """The whole."""
        result = content["result"]
        found: tuple[tuple[str, Found], ...] = ()
        cases: tuple[Case, ...] = ()
        if isinstance(result, list) and any("result" in item for item in result):
            cases = tuple(Case(self._when(item["when"]), self._found(item["result"])) for item in result)
        elif isinstance(result, list):
            found = tuple((str(item["law"]), self._reduction(item)) for item in result)
        elif isinstance(result, str):
            found = (("excess", self._expression(result)), *self._found(content.get("beside", {})))
        elif "terms" in result:
            found = ((self.law.response.symbol.name, self._series(result)),)
        else:
            found = self._found(result)
        exponents = content.get("exponents", {})
        found += tuple((f"exponent of {key}", self._expression(value)) for key, value in exponents.items())
        title = str(content.get("title") or f"{content['what']} of {self.law.name}")
        steps = tuple(self._step(step) for step in content["steps"])
        return Derivation(title, self.law, tuple(map(str, content["given"])), steps, found, cases)

    def _found(self, values: Mapping[str, Any]) -> tuple[tuple[str, Found], ...]:
        return tuple((key, self._value(key, value)) for key, value in values.items())

    def _value(self, key: str, value: Any) -> Found:
        if isinstance(value, str):
            return self._expression(value)
        if "root_of" not in value:
            return self._series(value)
        lo, hi = map(self._expression, value["in"])
        return Root(self._symbol(key), self._expression(value["root_of"]), (lo, hi), "the derivation says why")

    def _series(self, value: Mapping[str, Any]) -> Series:
        ends = {key: None if value[key] is None else self._expression(value[key]) for key in ("radius", "remainder")}
        terms = tuple((self._expression(factor), self._expression(power)) for factor, power in value["terms"])
        at, small = self._expression(value["at"]), self._expression(value["small"])
        return Series(self._symbol(value["variable"]), at, small, terms, **ends)

    def _reduction(self, value: Mapping[str, Any]) -> Reduction:
        when, to = (
            tuple((self._symbol(name), self._expression(text)) for name, text in value[key].items())
            for key in ("when", "map")
        )
        return Reduction(str(value["law"]), when, to)

    def _when(self, text: str) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
        pairs = (part.split(" > ") for part in text.split(", "))
        return tuple((self._expression(more), self._expression(less)) for more, less in pairs)

    def _step(self, step: Mapping[str, Any]) -> Step:
        return Step(str(step["rule"]), str(step["text"]), self._either(step["before"]), self._either(step["after"]))

    def _either(self, text: str) -> sp.Basic:
        """An expression or an equation."""
        if " = " not in text:
            return self._expression(text)
        left, right = (self._expression(side) for side in text.split(" = "))
        return sp.Eq(left, right, evaluate=False)

    def _symbol(self, name: str) -> sp.Symbol:
        return self._symbols.setdefault(name, sp.Symbol(name, positive=True))

    def _expression(self, text: str) -> sp.Expr:
        """Two readings: the first finds the letters, the second knows that new ones are positive."""
        first = notation.parse(text, self._symbols, undeclared="symbol")
        for symbol in first.free_symbols:
            self._symbol(symbol.name)
        return notation.parse(text, self._symbols)
