r"""A draft's equations as entries of a claims file; what a person must decide stays open.

Every link of a chain ``a = b \approx c`` is an entry. The kinds of its symbols are ``"?"``, which no claims file may
keep; where the kind of the statement is not clear from its relation, it is ``"?"`` too.
"""

from __future__ import annotations

import re
from typing import Any

import sympy as sp

from ..errors import ClaimError, ParseError
from ..notation import Relation, is_name, latex_names, latex_relation, latex_statements, parse_latex, plain_name
from .draft import displays
from .kinds import remainder

__all__ = ["OPEN", "entries"]

OPEN = "?"
"""What stands where a person must decide."""

_KINDS = {"=": "equal", **dict.fromkeys(["<", "<=", ">", ">="], "inequality")}
_KINDS |= {"~": "asymptotic", "prop": "proportional", "approx": "number"}
_DECIMAL = re.compile(r"(?:=|\\approx|\\simeq)[^=]*(?:\d?\.\d|10\^)[^=]*")


def entries(text: str, name: str = "draft") -> list[dict[str, Any]]:
    r"""The claims of a draft, in the format of a claims file, each with its line and its open symbols.

    Parameters
    ----------
    text : str
        The LaTeX file.
    name : str
        What ``source`` calls it.

    Raises
    ------
    ClaimError
        If a display is not closed.

    Examples
    --------
    >>> one, two = entries(r"\[ L = E + A/N^\alpha \approx 1.69 \]")
    >>> one["kind"], one["symbols"]
    ('equal', {'L': '?', 'E': '?', 'A': '?', 'N': '?', 'alpha': '?'})
    >>> two["id"], two["kind"]
    ('line-1.2', 'number')
    """
    made: list[dict[str, Any]] = []
    taken: set[str] = set()
    for display in displays(text):
        stem = display.label.strip() or f"line-{display.line}"
        source = f"{name}, line {display.line}"
        try:
            links = latex_statements(display.latex)
        except ParseError as error:
            made.append(_unread(_free(stem, taken), source, display.latex, error))
            continue
        for number, latex in enumerate(links, 1):
            made.append(_entry(_free(stem if len(links) == 1 else f"{stem}.{number}", taken), source, latex))
    return made


def _free(name: str, taken: set[str]) -> str:
    """The name, told apart from those before it."""
    key, count = name, 1
    while key in taken:
        count += 1
        key = f"{name}-{count}"
    taken.add(key)
    return key


def _unread(key: str, source: str, latex: str, error: ParseError) -> dict[str, Any]:
    note = f"does not read: {error.found} ({error.where}); {error.remedy}"
    return {"id": key, "source": source, "note": note, "kind": OPEN, "latex": latex, "symbols": {}}


def _entry(key: str, source: str, latex: str) -> dict[str, Any]:
    """One statement, with a note on what a person must decide besides the symbols."""
    try:
        said, *bound = _parts(latex)
        uses = {name: use for text in (said, *bound) for name, use in latex_names(text).items()}
        functions = {name: sp.Function(f"f{i}") for i, (name, use) in enumerate(uses.items()) if use == "function"}
        symbols = {name: sp.Symbol(f"x{i}") for i, name in enumerate(uses) if name not in functions}
        read = latex_relation(said, {**symbols, **functions})
    except ParseError as error:
        return _unread(key, source, latex, error)
    kind = "asymptotic" if bound else _kind(read, latex)
    notes = [f"no kind has the relation {read.op}"] if kind == OPEN else []
    notes += [f"{name} is a function: let must define it with its arguments" for name in functions]
    notes += [
        f"{name} is a factor of its bracket unless let defines it with that argument"
        for name, use in uses.items()
        if use == "bracket"
    ]
    if kind == "number" and symbols:
        notes.append("the printed inputs belong under values")
    declared = {_key(name, list(symbols)): OPEN for name in symbols}
    noted = {"note": "; ".join(notes)} if notes else {}
    moving = {"in": OPEN} if kind in ("asymptotic", "proportional") else {}
    return {"id": key, "source": source, **noted, "kind": kind, **moving, "latex": latex, "symbols": declared}


def _kind(read: Relation, latex: str) -> str:
    """What the relation and its sides say of the kind of a statement."""
    if read.op == "=" and (read.left.has(sp.Limit) or read.right.has(sp.Limit)):
        return "limit"
    if read.op == "=" and read.right.is_Rational and _DECIMAL.search(latex):
        return "number"
    return _KINDS.get(read.op, OPEN)


def _parts(latex: str) -> tuple[str, ...]:
    """The statement; where it ends in ``O(f)``, what it says without that, and ``f``."""
    try:
        return remainder(latex, ()) or (latex,)
    except ClaimError:  # an O that ends nothing is a letter
        return (latex,)


def _key(name: str, names: list[str]) -> str:
    """The plain name, where it can only mean this one."""
    plain = plain_name(name)
    if not is_name(plain) or [plain_name(one) for one in names].count(plain) > 1:
        return name
    symbol = sp.Symbol(plain)
    try:
        return plain if parse_latex(name, {plain: symbol}) == symbol else name
    except ParseError:
        return name
