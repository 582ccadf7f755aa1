"""Rows that cannot be used, in few words: one reason once, with the first of its rows and how many there are."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["IN_ARRAY", "IN_TABLE", "is_zero", "summary"]

IN_ARRAY = "{} = {:g} is not positive"  # why a row of arrays cannot be used, and one of a table
IN_TABLE = "{} is {:g}, and has to be positive"
_ROWS, _KINDS = 5, 5
_VALUE = ((re.compile(r" = [-+.\w]+(?= is not )"), ""), (re.compile(r" is [-+.\w]+, and has"), " has"))


def summary(dropped: Iterable[tuple[int, str]]) -> str:
    """Reasons with their rows, the most frequent first; reasons that differ in a number alone are one.

    Parameters
    ----------
    dropped : iterable of (row, reason)

    Examples
    --------
    >>> summary([(1, "y = -1 is not positive"), (2, "x is missing"), (4, "y = -3 is not positive")])
    'rows 1, 4: y is not positive; row 2: x is missing'
    >>> summary((row, "y is missing") for row in range(1, 100))
    'rows 1, 2, 3, 4, 5 and 94 more: y is missing'
    """
    kinds: dict[str, list[tuple[int, str]]] = {}
    for row, why in dropped:
        kinds.setdefault(_kind(why), []).append((row, why))
    ordered = sorted(kinds.items(), key=lambda pair: -len(pair[1]))
    texts = [_text(kind, rows) for kind, rows in ordered[:_KINDS]]
    left = sum(len(rows) for _, rows in ordered[_KINDS:])
    return "; ".join((*texts, *((f"{left} rows for other reasons",) if left else ())))


def is_zero(name: str, why: str) -> bool:
    """Whether a reason is that a quantity is 0.

    Examples
    --------
    >>> is_zero("N", "N is 0, and has to be positive"), is_zero("N", "U_N = 0 is not positive")
    (True, False)
    """
    forms = "|".join(re.escape(form.format(name, 0.0)) for form in (IN_ARRAY, IN_TABLE))
    return re.search(rf"(?<!\w)(?:{forms})", why) is not None


def _kind(why: str) -> str:
    for value, word in _VALUE:
        why = value.sub(word, why)
    return why


def _text(kind: str, rows: list[tuple[int, str]]) -> str:
    if len(rows) == 1:
        return f"row {rows[0][0]}: {rows[0][1]}"
    more = f" and {len(rows) - _ROWS} more" if len(rows) > _ROWS else ""
    same = len({why for _, why in rows}) == 1
    return f"rows {', '.join(str(row) for row, _ in rows[:_ROWS])}{more}: {rows[0][1] if same else kind}"
