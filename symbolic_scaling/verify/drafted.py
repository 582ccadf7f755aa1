r"""What a draft says, in order: its statements with their conditions, and its definitions.

A display is cut into clauses; "where" behind it defines for it too, and words before a display may say that it defines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..errors import ParseError
from ..notation import latex_statements, plain_name
from ..notation.commands import RELATIONS
from .clauses import ARROWS, Clause, clauses, sides
from .conditions import approach
from .definitions import Definition, announces, called, defined, in_prose
from .draft import Display, Prose, passages

__all__ = ["Said", "said"]

_BESIDE = re.compile(r"\s*(?:[,;.]\s*)?(?:and\s+)?(?:where|with|here)\b", re.IGNORECASE)
_ENDS = re.compile(r"[.!?]\s|\n\s*\n")


class Said(NamedTuple):
    """A statement in LaTeX, or what it defines where it does; its conditions, and what was left out of it."""

    stem: str
    line: int
    latex: str
    defines: Definition | None = None
    given: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    displayed: bool = True


def said(text: str) -> list[Said]:
    r"""The statements and definitions of a draft, each definition before the display that it explains.

    Raises
    ------
    ClaimError
        If a display is not closed.

    Examples
    --------
    >>> [(one.latex, one.defines is not None) for one in said(r"\[ N = G C^a \] where $a = \beta/2$.")]
    [('a = \\beta/2', True), ('N = G C^a', False)]
    """
    found = list(_ordered(passages(text)))
    variables = {plain_name(name) for one in found if one.defines for name in one.defines.arguments}
    return [made for one in found if (made := _constrained(one, variables)) is not None]


def _constrained(one: Said, variables: set[str]) -> Said | None:
    """The same, but where it binds the variable of a function, ``C = 6 N D``: a statement, or prose between them."""
    if one.defines is None or one.defines.strong or plain_name(one.defines.name) not in variables:
        return one
    return one._replace(defines=None) if one.displayed else None


def _ordered(parts: Iterable[Display | Prose]) -> Iterator[Said]:
    waiting: list[Said] = []
    announced = False
    for part in parts:
        if isinstance(part, Display):
            yield from waiting
            waiting, announced = _of_display(part, announced), announced and part.latex.endswith(",")
            continue
        announced = announces(part.latex)
        beside, behind = list[Said](), list[Said]()
        for at, definition in in_prose(part.latex):
            line = part.line + part.latex.count("\n", 0, at)
            explains = _BESIDE.match(part.latex) and not _ENDS.search(part.latex[:at].strip())
            (beside if explains else behind).append(
                Said(f"line-{line}", line, definition.latex, definition, displayed=False)
            )
        yield from beside
        yield from waiting
        yield from behind
        waiting = []
    yield from waiting


def _of_display(display: Display, announced: bool) -> list[Said]:
    """What one row says: definitions first, then statements with the conditions of the row."""
    row = _Row(announced)
    for clause in clauses(display.latex):
        row.take(clause)
    stem = display.label.strip() or f"line-{display.line}"
    one = Said(stem, display.line, display.latex)
    found = [one._replace(latex=latex, defines=definition) for latex, definition in row.definitions]
    for latex in row.statements:
        moved, given = _tending(latex, row.given)
        found += [one._replace(latex=link, given=given, left_out=tuple(row.left_out)) for link in _links(moved)]
    if len(found) > 1:
        found = [each._replace(stem=f"{stem}.{number}") for number, each in enumerate(found, 1)]
    return found or [one]


class _Row:
    """The clauses of one row, taken one by one."""

    def __init__(self, announced: bool) -> None:
        self.announced = announced
        self.role = ""
        self.definitions: list[tuple[str, Definition]] = []
        self.statements: list[str] = []
        self.given: list[str] = []
        self.left_out: list[str] = []
        self._names: list[str] = []

    def take(self, clause: Clause) -> None:
        """Add a clause; one that only "and" introduces belongs to what the one before it was."""
        self.role = clause.role if clause.role != "and" else self.role
        related = sides(clause.latex, RELATIONS)
        member = sides(clause.latex, {r"\in"})
        if related is None and member is None and sides(clause.latex, ARROWS) is None:
            (self._names if called(clause.latex)[0] else self.left_out).append(clause.latex)
            return
        told = member or related
        listed = [f"{name} {told[1]} {told[2]}" for name in self._names] if told else []  # "a, b > 0" says both
        self._names = []
        if member or (self.role in ("for", "as") and self._is_condition(clause)):
            self.given += [*listed, clause.latex]
            return
        for latex in [*listed, clause.latex]:
            self._state(latex)
        self.role = "" if self.role != "where" else self.role

    def _is_condition(self, clause: Clause) -> bool:
        """Whether a clause behind "for" is one; behind a comma only what says where names lie."""
        return clause.role != "and" or (bool(self.statements or self.definitions) and _is_sign(clause.latex))

    def _state(self, latex: str) -> None:
        made = defined(latex, self.announced or self.role == "where")
        if made is not None:
            self.definitions.append((latex, made))
        elif (self.statements or self.definitions) and _is_sign(latex):
            self.given.append(latex)
        else:
            self.statements.append(latex)


def _is_sign(latex: str) -> bool:
    r"""Whether an inequality or an arrow only says where names lie: ``\alpha > 0``, ``0 < a < b``, ``x \to \infty``."""
    parts = sides(latex, {*RELATIONS, *ARROWS})
    if parts is None:
        return called(latex)[0] != "" or re.fullmatch(r"\s*[+-]?(?:[\d.]+|\\infty)\s*", latex) is not None
    return RELATIONS.get(parts[1], "<") in ("<", ">", "<=", ">=") and _is_sign(parts[0]) and _is_sign(parts[2])


def _links(latex: str) -> tuple[str, ...]:
    r"""The links of a chain; ``a \asymp b`` as ``a = O(b)`` and ``b = O(a)``."""
    parts = sides(latex, {r"\asymp"})
    if parts is not None and sides(parts[2], RELATIONS) is None:
        return rf"{parts[0]} = O\left({parts[2]}\right)", rf"{parts[2]} = O\left({parts[0]}\right)"
    try:
        return latex_statements(latex)
    except ParseError:
        return (latex,)


def _tending(latex: str, given: list[str]) -> tuple[str, tuple[str, ...]]:
    r"""``f \to a`` with the condition ``x \to \infty`` as a limit."""
    parts = sides(latex, ARROWS) if sides(latex, RELATIONS) is None else None
    moving = next((one for one in given if approach(one) is not None), None)
    if parts is None or moving is None:
        return latex, tuple(given)
    rest = tuple(one for one in given if one != moving)
    return rf"\lim_{{{moving}}} \left( {parts[0]} \right) = {parts[2]}", rest
