"""From declared names and texts to statements: what the claims files and the one-line statements share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import cast

import sympy as sp

from ..domain import Domain
from ..errors import ClaimError
from ..interval import Interval, exact
from ..notation import Relation, is_name, latex_relation, parse, plain_name, relation
from ..records import Equal, Less
from .printed import read_printed

__all__ = ["KINDS_OF_SYMBOLS", "assumed", "between", "bind", "declare", "interval", "symbol"]

_SIGNS = ("positive", "nonnegative", "negative")
KINDS_OF_SYMBOLS = (*_SIGNS, "real", "integer", *(f"{sign} integer" for sign in _SIGNS))

_WITHIN = re.compile(r"\s*(.*?)\s+in\s*([\[(])\s*([^,\s]+)\s*,\s*([^,\s]+?)\s*([\])])\s*")


def symbol(name: str, kind: str, asked: str = "declare symbols") -> sp.Symbol:
    """A symbol of one of :data:`KINDS_OF_SYMBOLS`; what may stand behind it is for :func:`interval`.

    Raises
    ------
    ClaimError
        For a name or a kind that does not exist.

    Examples
    --------
    >>> symbol("N", "positive").is_positive, symbol("n", "positive integer in [1, 9]").is_integer
    (True, True)
    """
    if not is_name(name):
        raise ClaimError(asked, f"{name!r} cannot name a symbol", "use ASCII letters, digits and underscores")
    within = _WITHIN.fullmatch(str(kind))
    words = (within[1] if within else str(kind)).split()
    if " ".join(words) not in KINDS_OF_SYMBOLS:
        raise ClaimError(asked, f"{name} is {kind!r}", f"choose from {', '.join(KINDS_OF_SYMBOLS)}; real in [0, 1]")
    return sp.Symbol(name, **dict.fromkeys(words, True))


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
    within = _WITHIN.fullmatch(str(kind))
    words = (within[1] if within else str(kind)).split()
    whole = {"positive": Interval(1, sp.oo, lo_open=False), "negative": Interval(-sp.oo, -1, hi_open=False)}
    least = whole.get(words[0]) if words[1:] == ["integer"] else None
    if not within:
        return least
    ends = []
    for text in within.group(3, 4):
        end = text if text.lstrip("+-") == "oo" else read_printed(text, f"read the range of {kind!r}").value
        ends.append(exact(sp.oo if end in ("oo", "+oo") else -sp.oo if end == "-oo" else end))
    low, high = ends
    found = Interval(low, high, within[2] == "(" or not low.is_finite, within[5] == ")" or not high.is_finite)
    return found.meet(least) if least else found


def declare(symbols: str | Mapping[str, str | sp.Symbol] | Iterable[sp.Symbol]) -> dict[str, sp.Symbol]:
    r"""Name -> symbol from ``"alpha beta positive, c negative"``, from name -> kind, or from symbols themselves.

    A name may be LaTeX, ``\hat{L}``; its symbol then has the plain name, ``L_hat``.

    Raises
    ------
    ClaimError
        For a group without a kind, a wrong name or a name declared twice.

    Examples
    --------
    >>> sorted(declare("alpha beta positive; c negative").items())
    [('alpha', alpha), ('beta', beta), ('c', c)]
    """
    if isinstance(symbols, str):
        pairs: list[tuple[str, str | sp.Symbol]] = []
        for group in filter(str.strip, re.split("[,;]", symbols)):
            *names, kind = group.split()
            if kind == "integer" and names[1:] and names[-1] in _SIGNS:
                kind = f"{names.pop()} integer"
            if not names:
                raise ClaimError("declare symbols", f"{group.strip()!r} has no kind", 'write "alpha beta positive"')
            pairs += [(name, kind) for name in names]
    elif isinstance(symbols, Mapping):
        pairs = list(symbols.items())
    else:
        pairs = [(str(cast(sp.Symbol, one).name), one) for one in symbols]
    names = [name for name, _ in pairs]
    if doubled := sorted({name for name in names if names.count(name) > 1}):
        raise ClaimError("declare symbols", f"{', '.join(doubled)} stands twice", "declare each name once")
    return {
        name: kind if isinstance(kind, sp.Expr) else symbol(plain_name(name) if "\\" in name else name, kind)
        for name, kind in pairs
    }


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
    >>> from symbolic_scaling.notation import relation
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
