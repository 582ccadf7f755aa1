"""A law with its sizes in brackets, as commands take it: ``unsl(m=2, S=1, overfitting=true, n={(3,2): 2, (3,1): 1})``.

A value is a whole number, ``true`` or ``false``, a name, or several of these with commas, in square brackets or not;
or, in braces, a mapping from a whole number, or several in round brackets, to a value: ``U={3: [N, D]}``.
"""

from __future__ import annotations

import re

from ..errors import ScalingError

__all__ = ["sized"]

_CALL = re.compile(r"([a-z][a-z0-9_-]*)\((.*)\)", re.DOTALL)
_NEXT = re.compile(r"\s*,\s*(?=[A-Za-z_]\w*\s*=)")
_KEY = re.compile(r"\s*(\d+|\([\d\s,]+\))\s*:\s*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_HOW = "write unsl(m=2, n={(3,1): 2}, inputs=N,D, overfitting=true), or bnsl(n=2)"


def sized(text: str) -> tuple[str, dict[str, object]] | None:
    """The name and the sizes, or None where the text is no law with sizes in brackets.

    Raises
    ------
    ScalingError
        If a size does not read.

    Examples
    --------
    >>> sized("unsl(S=1, inputs=N,D, U={3: [N, D]}, overfitting=true)")
    ('unsl', {'S': 1, 'inputs': ('N', 'D'), 'U': {(3,): ('N', 'D')}, 'overfitting': True})
    >>> sized("y(x) = a*(x)") is None, sized("m1") is None
    (True, True)
    """
    call = _CALL.fullmatch(text.strip())
    if call is None or not _closed(call[2]):
        return None
    found: dict[str, object] = {}
    for part in _NEXT.split(call[2].strip()) if call[2].strip() else []:
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (equals and value and _WORD.fullmatch(name)):
            raise ScalingError(f"read the law {text!r}", f"{part!r} is no size=value", _HOW)
        if name in found:
            raise ScalingError(f"read the law {text!r}", f"{name} is given twice", "give each size once")
        found[name] = _value(text, value)
    return call[1], found


def _closed(inside: str) -> bool:
    """Whether every bracket of the text is closed in it."""
    depth = 0
    for character in inside:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def _value(text: str, value: str) -> object:
    if value[0] == "{" and value[-1] == "}":
        return _mapping(text, value[1:-1])
    bracketed = value[0] in "[(" and value[-1] in ")]"
    parts = [part.strip() for part in (value[1:-1] if bracketed else value).split(",")]
    items = tuple(_item(text, part) for part in parts if part or not bracketed)
    return items if bracketed or len(items) > 1 else items[0]


def _item(text: str, part: str) -> object:
    if part in ("true", "True", "false", "False"):
        return part[0] in "tT"
    if re.fullmatch(r"-?\d+", part):
        return int(part)
    if _WORD.fullmatch(part):
        return part
    raise ScalingError(f"read the law {text!r}", f"{part!r} is no whole number, name, true or false", _HOW)


def _mapping(text: str, inside: str) -> dict[tuple[int, ...], object]:
    """``3: [N, D], 4: N`` and ``(3, 0): 2, (3, 1): 1``: a value reaches as far as the next key."""
    keys = list(_KEY.finditer(inside))
    if (keys and keys[0].start() != 0) or (inside.strip() and not keys):
        raise ScalingError(f"read the law {text!r}", f"{{{inside}}} is no mapping", "write {3: [N, D]} or {(3,1): 2}")
    ends = [*(match.start() for match in keys[1:]), len(inside)]
    found: dict[tuple[int, ...], object] = {}
    for match, end in zip(keys, ends, strict=True):
        key = tuple(int(number) for number in re.findall(r"\d+", match[1]))
        value = inside[match.end() : end].strip().removesuffix(",").strip()
        found[key] = _value(text, value) if value else ()
    return found
