r"""A draft's equations as entries of a claims file; what a person must decide stays open.

Every link of a chain ``a = b \approx c`` is an entry. Definitions are entries of their own, for those that follow. The
kinds of symbols are ``"?"``, which no claims file may keep; where the kind of a statement is not clear from its
relation, it is ``"?"`` too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import sympy as sp

from ..errors import ClaimError, ParseError
from ..notation import Relation, is_name, latex_names, latex_relation, parse_latex, plain_name
from .conditions import conditions
from .definitions import Definition
from .drafted import Said, said
from .kinds import remainder
from .texed import literal

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
    known: dict[str, Definition] = {}
    for one in said(text):
        start = {"id": _free(one.stem, taken), "source": f"{name}, line {one.line}"}
        plain = plain_name(one.defines.name) if one.defines else ""
        if one.defines and (plain not in known or one.defines.strong or known[plain].printed):
            made.append({**start, **_definition(one.defines, known)})
            known[plain] = one.defines
        else:
            made.append({**start, **_entry(one, known)})
    return made


def _free(name: str, taken: set[str]) -> str:
    """The name, told apart from those before it."""
    key, count = name, 1
    while key in taken:
        count += 1
        key = f"{name}-{count}"
    taken.add(key)
    return key


def _unread(latex: str, error: ParseError) -> dict[str, Any]:
    note = f"does not read: {error.found} ({error.where}); {error.remedy}"
    return {"note": note, "kind": OPEN, "latex": latex, "symbols": {}}


def _definition(one: Definition, known: Mapping[str, Definition]) -> dict[str, Any]:
    """A definition with the symbols that it needs."""
    try:
        uses = {**dict.fromkeys(one.arguments, ""), **latex_names(one.right)}
        symbols = _declared(uses, known)
        parse_latex(one.right, symbols)
    except ParseError as error:
        return _unread(one.latex, error)
    needs = [name for name, meaning in symbols.items() if isinstance(meaning, sp.Symbol)]
    own, printed = ([one.name], {"printed": one.printed}) if one.printed else ([], {})
    needed = {_key(name, needs): OPEN for name in [*own, *needs]}
    return {"kind": "definition", "latex": one.latex, **printed, "symbols": needed}


def _declared(uses: Mapping[str, str], known: Mapping[str, Definition]) -> dict[str, Any]:
    """A meaning to read with for every name: a symbol, a function where it must be one, what is defined as such."""
    found: dict[str, Any] = {}
    for place, (name, use) in enumerate(uses.items()):
        defines = known.get(plain_name(name))
        if defines is not None and defines.arguments:
            found[name] = sp.Lambda(tuple(sp.Dummy() for _ in defines.arguments), sp.Dummy())
        elif use == "function":
            found[name] = sp.Function(f"f{place}")
        else:
            found[name] = sp.Symbol(f"x{place}") if defines is None or defines.printed else sp.Dummy()
    return found


def _entry(one: Said, known: Mapping[str, Definition]) -> dict[str, Any]:
    """One statement, with a note on what a person must decide besides the symbols."""
    try:
        left, *bound = _parts(one.latex)
        uses = {name: use for text in (left, *bound) for name, use in latex_names(text).items()}
        meanings = _declared(uses, known)
        read = latex_relation(left, meanings)
    except ParseError as error:
        return _unread(one.latex, error)
    kind = "asymptotic" if bound else _kind(read, one.latex)
    keys, notes = _under(one.given, kind)
    if kind == OPEN:
        between = read.op == "approx"
        notes.append(
            "say kind = number with values and tolerance, or write ~"
            if between
            else f"no kind has the relation {read.op}"
        )
    notes += [f"left out: {text}" for text in one.left_out]
    functions = [name for name, meaning in meanings.items() if isinstance(meaning, sp.core.function.UndefinedFunction)]
    notes += [f"{name} is a function: let must define it with its arguments" for name in functions]
    notes += [
        f"{name} is a factor of its bracket unless let defines it with that argument"
        for name, use in uses.items()
        if use == "bracket" and plain_name(name) not in known
    ]
    symbols = [name for name, meaning in meanings.items() if type(meaning) is sp.Symbol]
    open_values = [name for name in symbols if plain_name(name) not in known]
    if kind == "number" and open_values:
        notes.append("the printed inputs belong under values")
    declared = {_key(name, symbols): OPEN for name in open_values}
    noted = {"note": "; ".join(notes)} if notes else {}
    if any(note.startswith("under") for note in notes):
        kind = OPEN
    return {**noted, "kind": kind, **keys, "latex": one.latex, "symbols": declared}


def _under(given: tuple[str, ...], kind: str) -> tuple[dict[str, Any], list[str]]:
    """The keys that the conditions of a statement become, and notes on those that are not read."""
    keys: dict[str, Any] = {"in": OPEN} if kind in ("asymptotic", "proportional") else {}
    notes = []
    for latex in given:
        read = conditions(latex)
        if read is None or ("in" in read and kind not in ("asymptotic", "proportional")):
            notes.append(f"under {latex}, which is not read: put it under given or sample")
            continue
        if kind == "proportional":
            read.pop("at", None)
        keys |= {key: value for key, value in read.items() if isinstance(value, str)}
        if "given" in read:
            keys["given"] = [*keys.get("given", []), *read["given"]]
        if "sample" in read:
            keys["sample"] = {**keys.get("sample", {}), **read["sample"]}
    return keys, notes


def _kind(read: Relation, latex: str) -> str:
    """What the relation and its sides say of the kind of a statement."""
    if read.op == "=" and (read.left.has(sp.Limit) or read.right.has(sp.Limit)):
        return "limit"
    if read.op == "=" and read.right.is_Rational and _DECIMAL.search(latex):
        return "number"
    if read.op == "approx" and literal(latex) is None:
        return OPEN
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
