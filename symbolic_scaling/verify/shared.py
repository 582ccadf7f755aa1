r"""What the claims of a file share: symbols, ``let``, ``given`` and ``sample`` at its top, and its definitions.

An entry of kind ``definition``, ``a = \beta/(\alpha + \beta)``, gives no claim: its name means that in the claims that
follow, and one that gives a letter its printed number is an input of those of kind number. A claim takes on the
definitions that it uses, and those that they use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..errors import ClaimError, ParseError
from ..notation import latex_names
from ..notation.commands import RELATIONS
from . import texed
from .clauses import sides
from .definitions import called
from .keys import Keys

__all__ = ["KEYS", "complete"]

KEYS = ("symbols", "let", "given", "sample")
"""What may stand at the top of a file, beside its claims."""

_TAKES = ("id", "source", "note", "kind", "statement", "latex", "printed", "symbols", "sample", "given")


class _Meaning(NamedTuple):
    """A definition in force: the pair of a ``let``, or a printed number; and what it needs."""

    let: tuple[str, str]
    printed: str | None
    symbols: Mapping[str, Any]
    rest: Mapping[str, Any]
    place: str


def complete(entries: list[Any], common: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    """Every claim with what it shares put in, and its place; definitions give none.

    Raises
    ------
    ClaimError
        From the iterator in the place of a claim: it is yielded, so that the others are read.

    Examples
    --------
    >>> define = {"kind": "definition", "statement": "a = 2*b", "symbols": {"b": "positive"}}
    >>> [(claim, _)] = complete([define, {"id": "one", "kind": "equal", "statement": "a/b = 2"}], {})
    >>> claim["let"], claim["symbols"]
    ([['a', '2*b']], {'b': 'positive'})
    """
    known: dict[str, _Meaning] = {}
    top = Keys(common, "shared by the file")
    common = {
        "symbols": top.table("symbols"),
        "given": _listed(top, common.get("given", [])),
        "sample": top.table("sample"),
    }
    for name, text in top.let():
        known[_plain(name)] = _Meaning((name, text), None, {}, {}, "the top of the file")
    for count, entry in enumerate(entries, 1):
        place = f"claim {count}"
        if not isinstance(entry, Mapping):
            yield entry, place
            continue
        try:
            if entry.get("kind") == "definition":
                known |= _defined(entry, place)
            else:
                yield _completed(entry, place, common, known), place
        except ClaimError as error:
            yield error, place


def _defined(entry: Mapping[str, Any], place: str) -> dict[str, _Meaning]:
    """The meaning that an entry of kind definition gives to a name."""
    keys = Keys(entry, place)
    if unknown := sorted(str(key) for key in entry if key not in _TAKES):
        raise keys.error(unknown[0], "a definition has no such key", f"use {', '.join(_TAKES)}")
    text = keys.text("latex" if keys.in_latex else "statement")
    parts = sides(text, RELATIONS) if keys.in_latex else tuple(text.partition("="))
    left, sign, right = parts or ("", "", "")
    left = left.strip().removesuffix(":").strip()
    if not sign or not (called(left)[0] if keys.in_latex else left) or not right.strip():
        raise keys.error("kind", f"{text[:60]!r} defines nothing", "write name = expression, or name(argument) = ...")
    named = called(left) if keys.in_latex else (left, ())
    number = texed.literal(right) if not named[1] else None
    printed = keys.text("printed") or (number if number and not number.lstrip("+-").isdecimal() else None)
    whole = f"{named[0]}({', '.join(named[1])})" if named[1] else named[0]
    rest = {"sample": keys.table("sample"), "given": _listed(keys, entry.get("given", []))}
    let = whole, f"${right}$" if keys.in_latex else right.strip()
    return {_plain(named[0]): _Meaning(let, printed, keys.table("symbols"), rest, keys.name)}


def _completed(
    entry: Mapping[str, Any], place: str, common: Mapping[str, Any], known: Mapping[str, _Meaning]
) -> dict[str, Any]:
    """One claim with the definitions that it uses."""
    keys = Keys(entry, place)
    own = {_plain(name) for name, _ in keys.let()}
    used = [known[name] for name in _used(keys, known) if name not in own]
    let = [one for one in used if one.printed is None]
    numbers = {_plain(one.let[0]): one.printed for one in used if one.printed is not None}
    symbols = _symbols(keys, [common["symbols"], *(one.symbols for one in used)], let)
    made = dict(entry) | {"symbols": symbols, "let": [*(list(one.let) for one in let), *map(list, keys.let())]}
    if entry.get("kind") in ("number", "proportional"):
        inputs = {name: numbers[_plain(name)] for name in symbols if _plain(name) in numbers}
        made["values"] = {**inputs, **keys.table("values")}
    parts = [common, *(one.rest for one in used), dict(entry) | {"sample": keys.table("sample")}]
    made["given"] = [one for part in parts for one in _listed(keys, part.get("given", []))]
    made["sample"] = {name: ends for part in parts for name, ends in part.get("sample", {}).items()}
    return {key: value for key, value in made.items() if value not in ([], {}) or key in entry}


def _symbols(keys: Keys, parts: list[Mapping[str, Any]], let: list[_Meaning]) -> dict[str, Any]:
    """The kinds of a claim's symbols: its own, those shared and those of its definitions, each said once."""
    replaced = {_plain(one.let[0]): one.place for one in let}
    if doubled := sorted(name for name in keys.table("symbols") if _plain(name) in replaced):
        where = replaced[_plain(doubled[0])]
        raise keys.error("symbols", f"{doubled[0]} is defined by {where}", "leave it out, or rename one")
    symbols: dict[str, Any] = {}
    said: dict[str, str] = {}
    for part in [*parts, keys.table("symbols")]:
        for name, kind in part.items():
            plain = _plain(name)
            if symbols.get(said.setdefault(plain, name), kind) != kind:
                raise keys.error("symbols", f"{name} is {symbols[said[plain]]!r} and {kind!r}", "declare it once")
            symbols[said[plain]] = kind
    kept = {name: kind for name, kind in symbols.items() if _plain(name) not in replaced}
    return kept if keys.in_latex else {texed.plain(name): kind for name, kind in kept.items()}


def _listed(keys: Keys, given: object) -> list[str]:
    """The relations under ``given``."""
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise keys.error("given", f"{str(given)[:60]!r} is no list of texts", 'write given = ["a > b"]')
    return given


def _used(keys: Keys, known: Mapping[str, _Meaning]) -> list[str]:
    """The definitions that a claim uses, each behind those that it uses itself."""
    found: list[str] = []
    if not known:
        return found

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            circle = " -> ".join([*above[above.index(name) :], name])
            raise keys.error("let", f"{circle} are defined by each other", "rename one")
        if name in known and name not in found:
            for inner in _mentioned(known[name].let[1], keys):
                if inner != name:
                    visit(inner, (*above, name))
            found.append(name)

    texts = [keys.text("latex" if keys.in_latex else "statement"), *(text for _, text in keys.let())]
    texts += [*_listed(keys, keys.entry.get("given", [])), *map(str, keys.table("witness").values())]
    for text in texts:
        for name in _mentioned(text, keys):
            visit(name, ())
    return found


def _mentioned(text: str, keys: Keys) -> list[str]:
    """The plain names in a text."""
    if not (texed.is_latex(text) or (keys.in_latex and text == keys.entry.get("latex"))):
        return list(dict.fromkeys(re.findall(r"[A-Za-z_]\w*", text)))
    try:
        return [_plain(name) for part in re.split(r"O\s*(?=\\left\s*\(|\()", text) for name in latex_names(part)]
    except ParseError:
        return list(dict.fromkeys(re.findall(r"[A-Za-z]+", text)))


def _plain(name: str) -> str:
    """The plain name of a defined one, without its arguments."""
    stem = called(name)[0] if texed.is_latex(name) else name.partition("(")[0].strip()
    return texed.plain(stem or name)
