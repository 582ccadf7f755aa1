r"""Statements of the kinds ``asymptotic``, ``proportional`` and ``exists`` from what a claim's keys say.

``left = O(f)`` and ``left = main + O(f)`` are asymptotic statements; ``O`` is no symbol there unless it is declared.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

import sympy as sp

from ..errors import ClaimError
from ..notation import Relation, parse, relation
from ..notation.names import Meaning
from ..records import Asymptotic, Equal, Less, Proportional
from . import texed
from .printed import read_printed
from .state import between

__all__ = ["ENDS", "KEYS_OF_KIND", "asymptotic", "proportional", "remainder", "stated"]

KEYS_OF_KIND = {
    "in": ("asymptotic", "proportional", "exists"),
    "at": ("asymptotic",),
    "order": ("asymptotic",),
    "witness": ("exists",),
    "values": ("number", "proportional"),
    "printed": ("number",),
    "tolerance": ("number",),
}
"""The keys that only some kinds have."""

ENDS: dict[object, sp.Expr] = {"oo": sp.oo, "0": sp.Integer(0), 0: sp.Integer(0)}
"""Where a variable may go, as files write it."""

_BIG_O = re.compile(r"(?<![A-Za-z0-9_\\^{])(?:\\mathcal\s*\{O\}|\\mathcal\s+O|O)\s*(?:\\left)?\s*\(")
_RELATION = re.compile(r"(=|~|\\sim(?![A-Za-z]))\s*\Z")


def remainder(text: str, declared: Collection[str]) -> tuple[str, str] | None:
    r"""The statement ``left = main`` and ``f`` of ``left = main + O(f)``; None where there is no O at its end.

    Raises
    ------
    ClaimError
        Where an O stands in another place.

    Examples
    --------
    >>> remainder("f = a + O(x^2)", ()), remainder(r"w \sim \mathcal{O}\left(x^{2}\right)", ())
    (('f = a', 'x^2'), ('w = 0', 'x^{2}'))
    >>> remainder("f = a*O", ()) is None
    True
    """
    found = None if "O" in declared else _BIG_O.search(text)
    if found is None:
        return None
    head, tail = text[: found.start()].rstrip(), text[found.end() :].rstrip().rstrip(".,;").rstrip()
    inside = tail.removesuffix(")").rstrip().removesuffix("\\right")
    relation = _RELATION.search(head)
    if not tail.endswith(")") or not (relation or head.endswith("+")) or _closes_early(inside):
        raise ClaimError("read an O", f"{text[:80]!r}", "write left = O(f) or left = main + O(f)")
    if relation:
        return f"{head[: relation.start()].rstrip()} = 0", inside
    return head.removesuffix("+").rstrip(), inside


def _closes_early(inside: str) -> bool:
    """Whether the bracket of the O closes before the end."""
    depth = 0
    for letter in inside:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return True
    return depth != 0


def asymptotic(read: Relation, bound: sp.Expr | None, symbol: sp.Symbol, point: sp.Expr, order: int = 1) -> Asymptotic:
    """``left ~ right``, or ``left - right = O(bound)``.

    Examples
    --------
    >>> x = sp.Symbol("x", positive=True)
    >>> asymptotic(Relation(x + 1, "=", x), sp.Integer(1), x, sp.oo).left
    1
    """
    if bound is None:
        if read.op != "~":
            raise ClaimError("state an asymptotic", f"the relation {read.op}", "write left ~ right, or left = O(f)")
        return Asymptotic(read.left, read.right, symbol, point, order)
    if read.op not in ("=", "~"):
        raise ClaimError("state an asymptotic", f"the relation {read.op} before O", "write left = main + O(f)")
    return Asymptotic(read.left - read.right, bound, symbol, point, order, bound=True)


def proportional(read: Relation, symbol: sp.Symbol, values: tuple[tuple[sp.Symbol, str], ...] = ()) -> Proportional:
    """``left prop right``; papers print ``~`` for it too.

    Examples
    --------
    >>> C = sp.Symbol("C", positive=True)
    >>> proportional(Relation(2*C, "~", C), C).right
    C
    """
    if read.op not in ("prop", "~"):
        raise ClaimError("state a proportionality", f"the relation {read.op}", "write left prop right")
    for known, text in values:
        read_printed(text, f"read the value of {known}")
    return Proportional(read.left, read.right, symbol, values)


def stated(
    text: str, names: Mapping[str, Meaning], variable: str | None = None, at: str = "oo", latex: bool | None = None
) -> Equal | Less | Asymptotic | Proportional:
    r"""The statement of one line; ``variable`` and ``at`` are for ``~``, ``prop`` and O.

    Raises
    ------
    ParseError, ClaimError
        If the text does not read, or says nothing that a verdict can be given on.

    Examples
    --------
    >>> C = sp.Symbol("C", positive=True)
    >>> stated("2*C prop C", {"C": C}, "C") == stated(r"2 C \propto C", {"C": C}, "C")
    True
    """
    in_latex = texed.is_latex(text) if latex is None else latex
    parts = remainder(text, names)
    said = parts[0] if parts else text
    read = texed.relation(said, names) if in_latex else relation(said, names)
    if not parts and read.op not in ("~", "prop"):
        return between(read)
    moving = names.get(variable) if variable is not None else None
    if not isinstance(moving, sp.Symbol) or at not in ENDS:
        found = f"{variable} -> {at}" if variable else "no variable is named"
        raise ClaimError(
            f"read {text[:80]!r}", found, 'say which declared variable is meant: --in x, or "in" of a claim'
        )
    if read.op == "prop":
        return proportional(read, moving)
    bound = None
    if parts:
        bound = texed.expression(parts[1], names) if in_latex else parse(parts[1], names)
    return asymptotic(read, bound, moving, ENDS[at])
