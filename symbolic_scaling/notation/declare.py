"""What the names of a text mean, as people declare it: ``"alpha beta positive"``, name -> kind, or symbols."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, cast

import sympy as sp

from ..errors import ClaimError
from .source import is_name
from .spelling import plain_name

__all__ = ["KINDS_OF_SYMBOLS", "Symbols", "declare", "declared", "kind_of", "symbol"]

_SIGNS = ("positive", "nonnegative", "negative")
KINDS_OF_SYMBOLS = (*_SIGNS, "real", "integer", *(f"{sign} integer" for sign in _SIGNS))
_RANGED = re.compile(r"([a-z ]+) in ?([\[(] ?[^, ]+ ?, ?[^, ]+? ?[\])])")

Symbols: TypeAlias = "str | Mapping[str, object] | Iterable[sp.Symbol]"


def kind_of(text: str) -> tuple[list[str], str]:
    """The words of a kind and the range that it may end with.

    Examples
    --------
    >>> kind_of("positive integer in [1, 9]"), kind_of("real")
    ((['positive', 'integer'], '[1, 9]'), (['real'], ''))
    """
    plain = " ".join(text.split())
    ranged = _RANGED.fullmatch(plain)
    return (ranged[1].split(), ranged[2]) if ranged else (plain.split(), "")


def symbol(name: str, kind: str, asked: str = "declare symbols") -> sp.Symbol:
    """A symbol of one of :data:`KINDS_OF_SYMBOLS`; the range that may stand behind it is for ``verify.state``.

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
    words, _ = kind_of(str(kind))
    if " ".join(words) not in KINDS_OF_SYMBOLS:
        raise ClaimError(asked, f"{name} is {kind!r}", f"choose from {', '.join(KINDS_OF_SYMBOLS)}; real in [0, 1]")
    return sp.Symbol(name, **dict.fromkeys(words, True))


def declare(symbols: Symbols) -> dict[str, sp.Symbol]:
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
        pairs: list[tuple[str, object]] = []
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
    if doubled := sorted(name for name, count in Counter(name for name, _ in pairs).items() if count > 1):
        raise ClaimError("declare symbols", f"{', '.join(doubled)} stands twice", "declare each name once")
    return {
        name: cast(sp.Symbol, kind)
        if isinstance(kind, _MEANINGS)
        else symbol(plain_name(name) if "\\" in name else name, str(kind))
        for name, kind in pairs
    }


_MEANINGS = (sp.Expr, sp.core.function.UndefinedFunction)


def declared(symbols: Symbols | None) -> Mapping[str, Any]:
    """What a reader takes: meanings by name as they are, every other spelling through :func:`declare`."""
    if symbols is None:
        return {}
    if isinstance(symbols, Mapping) and all(isinstance(meaning, _MEANINGS) for meaning in symbols.values()):
        return symbols
    return declare(symbols)
