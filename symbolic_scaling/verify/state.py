"""From declared names and texts to statements: what the claims files and the one-line statements share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import cast

import sympy as sp

from ..domain import Domain
from ..errors import ClaimError
from ..interval import Interval, exact
from ..notation import Relation, is_name, kind_of, latex_relation, parse, relation
from ..records import Equal, Less
from .printed import read_printed

__all__ = ["assumed", "between", "bind", "interval"]

_RANGE = re.compile(r"([\[(]) ?([^, ]+) ?, ?([^, ]+?) ?([\])])")


def interval(kind: str) -> Interval | None:
    """The interval that a kind such as ``real in [0, 1)`` says beyond its sign; positive integers begin at 1.

    Raises
    ------
    ClaimError, DomainError
        For ends that are no numbers, or that leave nothing between them.

    Examples
    --------
    >>> str(interval("positive in [1, oo)")), interval("positive")
    ('[1, oo)', None)
    """
    words, range_ = kind_of(str(kind))
    within = _RANGE.fullmatch(range_)
    whole = {"positive": Interval(1, sp.oo, lo_open=False), "negative": Interval(-sp.oo, -1, hi_open=False)}
    least = whole.get(words[0]) if words[1:] == ["integer"] else None
    if not within:
        return least
    ends = []
    for text in within.group(2, 3):
        end = text if text.lstrip("+-") == "oo" else read_printed(text, f"read the range of {kind!r}").value
        ends.append(exact(sp.oo if end in ("oo", "+oo") else -sp.oo if end == "-oo" else end))
    low, high = ends
    found = Interval(low, high, within[1] == "(" or not low.is_finite, within[4] == ")" or not high.is_finite)
    return found.meet(least) if least else found


def bind(
    let: Iterable[tuple[str, str]],
    declared: Mapping[str, sp.Symbol],
    read: Callable[[str, Mapping[str, sp.Symbol]], sp.Expr] = parse,
) -> dict[str, sp.Symbol]:
    """The declared names and the definitions of ``let``, read top-down, each with those above it in place.

    Raises
    ------
    ClaimError, ParseError
        For a name that already means something, or a text that does not read.

    Examples
    --------
    >>> from symbolic_scaling.notation import declare
    >>> bind([("u", "1 + N"), ("v", "u**2")], declare("N positive"))["v"]
    (N + 1)**2
    """
    names = dict(declared)
    for name, text in let:
        if not is_name(name):
            raise ClaimError("define a name", f"{name!r} cannot name a symbol", "use ASCII letters and digits")
        if name in names:
            raise ClaimError("define a name", f"{name} already has a meaning", "pick another name")
        names[name] = cast(sp.Symbol, read(text, names))
    return names


def assumed(given: Iterable[str], names: Mapping[str, sp.Symbol], domain: Domain | None = None) -> Domain:
    """The domain with further assumptions such as ``"a > b"``, in the names of a statement.

    Raises
    ------
    ClaimError, ParseError
        For a text that is no strict order between declared names.
    DomainError
        For one that contradicts a declared sign.

    Examples
    --------
    >>> from symbolic_scaling.notation import declare
    >>> assumed(["a > b"], declare("a b positive")).facts()
    ('a > b',)
    """
    pairs = []
    for text in given:
        read = latex_relation(text.strip().strip("$"), names) if "$" in text or "\\" in text else relation(text, names)
        if read.ordered is None:
            raise ClaimError(f"assume {text!r}", f"{read.op!r} is not a strict order", "write a > b or a < b")
        pairs.append(read.ordered)
    return (domain or Domain()).assume(pairs)


def between(relation: Relation) -> Equal | Less:
    """The statement that a relation makes.

    Raises
    ------
    ClaimError
        For ``~`` and ``prop``.

    Examples
    --------
    >>> from symbolic_scaling.notation import declare, relation
    >>> between(relation("a > b", declare("a b positive")))
    Less(lesser=b, greater=a, strict=True)
    """
    left, op, right = relation.left, relation.op, relation.right
    if op == "=":
        return Equal(left, right)
    if op in ("<", "<="):
        return Less(left, right, op == "<")
    if op in (">", ">="):
        return Less(right, left, op == ">")
    raise ClaimError("read a statement", f"relation {op}", "use one of = < <= > >=")
