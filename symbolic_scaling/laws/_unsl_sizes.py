"""Sizes of UNSL as they are given: names of inputs, sets of them, counts by component; keys may be text, as in JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import LawError

__all__ = ["ceilings", "counts", "members", "named", "sets", "switch", "whole"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TAKEN = re.compile(r"y|b|[abcdf](_[0-9]+)+")


def whole(value: Any) -> bool:
    """Whether it is a whole number: neither a truth value nor a decimal number."""
    return isinstance(value, int) and not isinstance(value, bool)


def switch(name: str, what: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise LawError(f"get {name}", f"{what} = {value!r}", f"give {what}=True or {what}=False: true or false")
    return value


def ceilings(given: Any) -> frozenset[int]:
    """The q of ceilings a_q, or one q."""
    listed = _listed(given)
    if listed is not None and all(whole(q) for q in listed):
        return frozenset(listed)
    raise LawError("get unsl", f"ceilings = {given!r}", "give whole numbers: ceilings=(2, 3) for a_2 and a_3")


def named(m: Any, inputs: Any) -> tuple[str, ...]:
    """The names of m inputs, or those given; without either there is one."""
    given = _listed(inputs)
    if given is None or not all(isinstance(name, str) for name in given):
        raise LawError("get unsl", f"inputs = {inputs!r}", 'give their names: inputs=("N", "D")')
    count = len(given) if given and whole(m) and m == 1 else m
    if not whole(count) or not 1 <= count <= 9:
        raise LawError("get unsl", f"m = {m!r}", "give 1 to 9 inputs")
    names = given or (("x",) if count == 1 else tuple(f"x_{i}" for i in range(1, count + 1)))
    if len(names) != count or len(set(names)) != count:
        raise LawError("get unsl", f"inputs {names} for m = {count}", "name each input once")
    wrong = [name for name in names if not _NAME.fullmatch(name) or _TAKEN.fullmatch(name)]
    if wrong:
        raise LawError(
            "get unsl", f"an input called {wrong[0]!r}", "give a name that is no constant's: N, D, steps, lr"
        )
    return names


def members(names: tuple[str, ...], given: Any, which: str) -> tuple[int, ...]:
    """Numbers of inputs that are named or numbered."""
    known: dict[Any, int] = {name: i for i, name in enumerate(names, 1)} | {i: i for i in range(1, len(names) + 1)}
    listed = _listed(given)
    readable = listed is not None and all(isinstance(item, str) or whole(item) for item in listed)
    strange = [item for item in listed or () if item not in known] if readable else [given]
    if listed is None or strange:
        remedy = f"name inputs: {', '.join(names)}, or 1 to {len(names)}"
        raise LawError("get unsl", f"{strange[0]!r} in {which}", remedy)
    return tuple(sorted({known[item] for item in listed}))


def sets(names: tuple[str, ...], given: Any, which: str) -> dict[int, tuple[int, ...]]:
    """r -> numbers of inputs."""
    try:
        return {_key(r, 1)[0]: members(names, inside, which) for r, inside in dict(given).items()}
    except (TypeError, ValueError):
        raise LawError("get unsl", f"{which} = {given!r}", f"give {which}={{3: [{', '.join(names)}]}}") from None


def counts(given: Any, what: str, length: int = 2) -> Any:
    """A whole number, or a mapping from keys of this length to whole numbers."""
    least, most = (-1, 1) if what == "signs" else (0, 9)
    example = "{(1, 7): -1}" if what == "signs" else "{(3, 1): 1, (3, 2): 0}" if length == 2 else "{1: 2}"
    remedy = f"give whole numbers from {least} to {most}: {what}=1, or {what}={example}"
    if whole(given):
        made: Any = given
    else:
        try:
            made = {_key(key, length): count for key, count in dict(given).items()}
        except (TypeError, ValueError):
            raise LawError("get unsl", f"{what} = {given!r}", remedy) from None
    listed = list(made.values()) if isinstance(made, Mapping) else [made]
    if not all(whole(count) and least <= count <= most for count in listed):
        raise LawError("get unsl", f"{what} = {given!r}", remedy)
    return made


def _key(key: Any, length: int) -> tuple[int, ...]:
    """Whole numbers of a key: a number, numbers, or text such as "3,0", as JSON has keys."""
    parts = key.strip("() ").split(",") if isinstance(key, str) else key if isinstance(key, tuple | list) else (key,)
    numbers = tuple(int(part) for part in parts if isinstance(part, str) or whole(part))
    if len(numbers) != length or len(parts) != length:
        raise ValueError(key)
    return numbers


def _listed(given: Any) -> tuple[Any, ...] | None:
    """The items of a collection, or one name or number alone; None where it is neither."""
    if isinstance(given, str | int):
        return (given,)
    return tuple(given) if isinstance(given, Iterable) else None
