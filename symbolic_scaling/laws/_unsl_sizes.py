"""Sizes of UNSL as they are given: names of inputs, sets of them, counts by component; keys may be text, as in JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..errors import LawError

__all__ = ["counts", "members", "named", "sets"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TAKEN = re.compile(r"y|b|[abcdf](_[0-9]+)+")


def named(m: Any, inputs: Any) -> tuple[str, ...]:
    """The names of m inputs, or those given; without either there is one."""
    given = (inputs,) if isinstance(inputs, str) else tuple(inputs)
    count = len(given) if given and m == 1 else m
    if not isinstance(count, int) or not 1 <= count <= 9 or isinstance(m, bool):
        raise LawError("get unsl", f"m = {m!r}", "give 1 to 9 inputs")
    names = given or (("x",) if count == 1 else tuple(f"x_{i}" for i in range(1, count + 1)))
    if len(names) != count or len(set(names)) != count:
        raise LawError("get unsl", f"inputs {names} for m = {count}", "name each input once")
    wrong = [name for name in names if not isinstance(name, str) or not _NAME.fullmatch(name) or _TAKEN.fullmatch(name)]
    if wrong:
        raise LawError(
            "get unsl", f"an input called {wrong[0]!r}", "give a name that is no constant's: N, D, steps, lr"
        )
    return names


def members(names: tuple[str, ...], given: Any, which: str) -> tuple[int, ...]:
    """Numbers of inputs that are named or numbered."""
    known: dict[Any, int] = {name: i for i, name in enumerate(names, 1)} | {i: i for i in range(1, len(names) + 1)}
    listed = (given,) if isinstance(given, str | int) else tuple(given)
    strange = [item for item in listed if item not in known]
    if strange:
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
    example = "{(3, 0): 1, (3, 1): 0}" if length == 2 else "{1: 2}"
    remedy = f"give whole numbers: {what}=1, or {what}={example}"
    if isinstance(given, int):
        made: Any = given
    else:
        try:
            made = {_key(key, length): count for key, count in dict(given).items()}
        except (TypeError, ValueError):
            raise LawError("get unsl", f"{what} = {given!r}", remedy) from None
    listed = list(made.values()) if isinstance(made, Mapping) else [made]
    if not all(isinstance(count, int) and (-1 if what == "signs" else 0) <= count <= 9 for count in listed):
        raise LawError("get unsl", f"{what} = {given!r}", remedy)
    return made


def _key(key: Any, length: int) -> tuple[int, ...]:
    """Whole numbers of a key: a number, numbers, or text such as "3,0", as JSON has keys."""
    parts = key.strip("() ").split(",") if isinstance(key, str) else key if isinstance(key, tuple | list) else (key,)
    numbers = tuple(int(part) for part in parts)
    if len(numbers) != length:
        raise ValueError(key)
    return numbers
