r"""Read the conditions of a draft's statement: ``x > 0``, ``0 < a < b``, ``t \in (0, 1)``, ``x \to \infty``.

What is read goes into the keys of a claim: ``given``, ``sample``, ``in`` and ``at``. The rest is left to a person.
"""

from __future__ import annotations

import re
from typing import Any

from ..errors import ParseError
from ..notation import latex_names, latex_statements, plain_name
from ..notation.commands import RELATIONS
from .clauses import ARROWS, sides
from .texed import literal

__all__ = ["approach", "conditions"]

_ENDS = {r"\infty": "oo", r"+\infty": "oo", "0": "0", "0^+": "0", "0^{+}": "0"}
_INTERVAL = re.compile(r"\s*(?:\\left)?([\[(])\s*(.+?)\s*,\s*(.+?)\s*(?:\\right)?([\])])\s*")
_SETS = re.compile(r"\s*\\(?:mathbb|mathbf)\s*\{?\s*[RNZ]\s*\}?(?:_\{?[+>0\\ge ]*\}?|\^\{?[+*]\}?)?\s*")


def approach(latex: str) -> tuple[str, str] | None:
    r"""The variable that moves and where it goes, in LaTeX.

    Examples
    --------
    >>> approach(r"x \to \infty")
    ('x', '\\infty')
    """
    parts = sides(latex, ARROWS)
    return None if parts is None or not parts[0] or not parts[2] else (parts[0], parts[2])


def conditions(latex: str) -> dict[str, Any] | None:
    r"""The keys of a claim that a condition becomes; None where it does not read as one.

    Examples
    --------
    >>> conditions("0 < a < b")
    {'given': ['$0 < a$', '$a < b$']}
    >>> conditions(r"t \in [0, 1)"), conditions(r"x \ge 1"), conditions(r"N \gg 1")
    (None, {'sample': {'x': ['1', 'oo']}}, None)
    """
    if (moving := approach(latex)) is not None:
        end = _ENDS.get(moving[1].replace(" ", ""))
        return {"in": plain_name(moving[0]), "at": end} if end else None
    if (member := sides(latex, {r"\in"})) is not None:
        return _within(member[0], member[2])
    try:
        links = latex_statements(latex)
    except ParseError:
        return None
    found: dict[str, Any] = {}
    for link in links:
        parts = sides(link, RELATIONS)
        sign = RELATIONS[parts[1]] if parts else ""
        if parts and sign in ("<", ">"):
            found.setdefault("given", []).append(f"${link}$")
        elif parts and sign in ("<=", ">=") and (half := _half(parts[0], sign, parts[2])):
            known = found.setdefault("sample", {}).setdefault(half[0], ["-oo", "oo"])
            known[half[2]] = half[1]
        else:
            return None
    return found


def _within(name: str, where: str) -> dict[str, Any] | None:
    """A name in an interval, or in one of the sets that the kind of its symbol says."""
    if _SETS.fullmatch(where):
        return {}
    match = _INTERVAL.fullmatch(where)
    if not match:
        return None
    opened, low, high, closed = match.groups()
    bounds = [literal(low), "oo" if high.replace(" ", "") in _ENDS else literal(high)]
    if opened == "[" and closed in ("]", ")" if bounds[1] == "oo" else "]") and None not in bounds:
        return {"sample": {plain_name(name): bounds}}
    if opened != "(" or closed != ")":
        return None
    above = [] if bounds[1] == "oo" else [f"${name} < {high}$"]
    return {"given": [f"${name} > {low}$", *above]}


def _half(left: str, sign: str, right: str) -> tuple[str, str, int] | None:
    """The name in ``x >= 1`` or ``1 <= x``, the number, and whether it is the lower (0) or the upper end (1)."""
    name, number, above = (
        (left, literal(right), sign == ">=") if literal(right) else (right, literal(left), sign == "<=")
    )
    try:
        single = [plain_name(one) for one in latex_names(name)] == [plain_name(name)]
    except ParseError:
        return None
    if not single or number is None:
        return None
    return plain_name(name), number, 0 if above else 1
