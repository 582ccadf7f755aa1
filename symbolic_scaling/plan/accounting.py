"""Parameters and FLOPs of a shape by every convention: the table that stands beside a plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import sympy as sp

from ..errors import DomainError, LawError
from .conventions import (
    CONVENTIONS,
    KAPLAN,
    POSITIONS,
    SIZES,
    Convention,
    context,
    heads,
    key,
    kv_heads,
    layers,
    learned,
    matrices,
    mlp,
    relative,
    uses,
    usual,
    vocab,
    width,
)  # fmt: skip
from .records import Amount, Plan, Sheet
from .units import DIGITS, evaluated, whole

__all__ = ["account", "beside", "like", "shape", "sheet", "sheets_at"]

Shape: TypeAlias = dict[sp.Symbol, sp.Expr]
_KINDS = {"learned": learned, "relative": relative, "rotary": None, "none": None}
_YES_OR_NO = {"true": True, "yes": True, "false": False, "no": False}
_CONTEXT, _VOCAB = sp.Integer(2048), sp.Integer(32000)


def shape(sizes: Mapping[str, object]) -> Shape:
    """The sizes of a transformer, checked: ``layers`` and ``width`` at least.

    ``mlp`` is 4 widths by default, ``heads`` times ``key`` the width, ``kv_heads`` the heads, ``context`` 2048,
    ``vocab`` 32000, ``uses`` 1. ``positions`` are learned, relative, rotary or none, those of the convention's own
    table without it; ``gated`` (true or false) says whether the feed-forward has a third matrix.

    Raises
    ------
    DomainError
        If a size is no positive whole number, or the width is not divisible by the heads, or these by ``kv_heads``.
    LawError
        If a size is unknown or missing.

    Examples
    --------
    >>> shape({"layers": 36, "width": 1280})[mlp]
    5120
    """
    known = {str(symbol.name): symbol for symbol in SIZES}
    have = (*known, "positions", "gated")
    if (foreign := sorted(set(sizes) - set(have))) or not {"layers", "width"} <= set(sizes):
        found = f"unknown {', '.join(foreign)}" if foreign else "layers or width is missing"
        raise LawError("read a shape", found, f"its sizes are {', '.join(have)}")
    given = {known[name]: whole(value, name) for name, value in sizes.items() if name in known}
    full = _filled(given)
    if full[heads] % full[kv_heads]:
        found = f"{full[heads]} heads do not share {full[kv_heads]} heads of keys and values evenly"
        raise DomainError("read a shape", found, "give kv_heads that divide heads")
    return {**{size: full[size] for size in SIZES}, **_switches(sizes)}


def _filled(given: Shape) -> Shape:
    """The sizes with the defaults of those that are not given."""
    d = given[width]
    if heads in given and key not in given and d % given[heads]:
        found = f"a width of {d} is not divisible by {given[heads]} heads"
        raise DomainError("read a shape", found, "give the key size apart, or another number of heads")
    if heads not in given and key in given and d % given[key]:
        found = f"a width of {d} is not divisible by a key size of {given[key]}"
        raise DomainError("read a shape", found, "give the number of heads apart")
    many = given.get(heads, d / given[key] if key in given else sp.Integer(1))
    sizes = {mlp: 4 * d, heads: many, kv_heads: many, key: d / many, context: _CONTEXT, vocab: _VOCAB}
    return {**sizes, uses: sp.Integer(1), **given}


def _switches(sizes: Mapping[str, object]) -> Shape:
    """Which positions count, and how many matrices the feed-forward has."""
    kind, gated = sizes.get("positions"), sizes.get("gated", False)
    if kind is not None and kind not in _KINDS:
        raise DomainError("read a shape", f"positions = {kind!r}", f"say {', '.join(_KINDS)}")
    if not isinstance(gated, bool) and str(gated).lower() not in _YES_OR_NO:
        raise DomainError("read a shape", f"gated = {gated!r}", "say true or false")
    third = gated if isinstance(gated, bool) else _YES_OR_NO[str(gated).lower()]
    counted = usual if kind is None else _KINDS[str(kind)]
    return {matrices: sp.Integer(3 if third else 2), **{one: sp.Integer(one == counted) for one in POSITIONS}}


def like(parameters: sp.Expr, seen: sp.Expr = _CONTEXT, words: sp.Expr = _VOCAB, aspect: int = 128) -> Shape:
    """A shape with about so many parameters: ``12 layers width^2``, keys of 128, real numbers, not rounded.

    ``aspect`` is width over layers; ``seen`` and ``words`` are the context and the vocabulary.

    Examples
    --------
    >>> made = like(sp.Integer(12 * 2 * 256**2))
    >>> [float(made[size]) for size in (layers, width)]
    [2.0, 256.0]
    """
    d = sp.Float((parameters * aspect / 12).evalf(DIGITS) ** sp.Rational(1, 3), DIGITS)
    sizes = {layers: d / aspect, width: d, mlp: 4 * d, heads: d / 128, kv_heads: d / 128, key: sp.Integer(128)}
    return {**sizes, context: seen, vocab: words, uses: sp.Integer(1), **_switches({})}


def sheet(sizes: Shape, tokens: sp.Expr, title: str) -> Sheet:
    """What every convention says of a shape trained on so many tokens, also beside ``6 N D`` by its own N."""
    rows: list[tuple[sp.Expr | str, ...]] = []
    for one in CONVENTIONS.values():
        asked = f"count by {one.name}"
        n, flops = evaluated(one.parameters, sizes, asked), evaluated(one.token, sizes, asked) * tokens
        rows.append((one.name, n, flops, flops / (6 * n * tokens), one.text))
    return Sheet(title, ("convention", "N", "FLOP", "over 6 N D", "counts"), tuple(rows))


def sheets_at(parameters: sp.Expr, tokens: sp.Expr, sizes: Mapping[str, object] | None = None) -> tuple[Sheet, ...]:
    """What the conventions say of a shape trained on so many tokens, or of one with so many parameters.

    Examples
    --------
    >>> [one.rows[0][0] for one in sheets_at(sp.Integer(10) ** 9, sp.Integer(10) ** 10)]
    ['6ND']
    """
    if sizes:
        return (sheet(shape(sizes), tokens, "What the conventions say of training this shape on D tokens"),)
    return (sheet(like(parameters), tokens, _assumed(_CONTEXT)),)


def _assumed(seen: sp.Expr) -> str:
    assumed = f"N = 12 layers width^2, width = 128 layers, keys of 128, context {seen}"
    return f"What the conventions say of training at {assumed}"


def beside(optima: Mapping[str, tuple[sp.Expr, sp.Expr]]) -> Sheet:
    """The FLOPs of several optima, label -> (N, D), by every convention, of shapes as large as they are.

    Examples
    --------
    >>> made = beside({"one": (sp.Integer(10) ** 9, sp.Integer(10) ** 10)})
    >>> made.rows[0][0], f"{float(made.rows[0][1]):.6g}"
    ('6ND', '6e+19')
    """
    shapes = {label: (like(n), tokens) for label, (n, tokens) in optima.items()}
    rows = []
    for one in CONVENTIONS.values():
        spent = (evaluated(one.token, sizes, f"count by {one.name}") * d for sizes, d in shapes.values())
        rows.append((one.name, *spent, one.text))
    columns = ("convention", *(f"FLOP of {label}" for label in shapes), "counts")
    return Sheet(_assumed(_CONTEXT), columns, tuple(rows))


def account(sizes: Mapping[str, object], tokens: object = None, convention: str = "6ND") -> Plan:
    """Parameters and FLOPs of a shape, by one convention, the others beside it.

    Parameters
    ----------
    sizes : mapping of name to number
        As for :func:`shape`.
    tokens : number, optional
        That it is trained on; one sequence of ``context`` tokens without it.
    convention : str
        One of :data:`CONVENTIONS`.

    Raises
    ------
    LawError
        If there is no such convention.

    Examples
    --------
    >>> small = {"layers": 10, "width": 640, "mlp": 2560, "heads": 10, "key": 64, "context": 2048, "vocab": 32000}
    >>> made = account(small, convention="hoffmann")
    >>> int(made["N"]), int(made["C"])
    (73728000, 929877196800)
    >>> llama = {"layers": 32, "width": 4096, "heads": 32, "kv_heads": 8, "mlp": 14336, "vocab": 128256}
    >>> int(account({**llama, "positions": "rotary", "gated": True}, convention="6ND-untied")["N"])
    8029995008
    """
    if convention not in CONVENTIONS:
        have = ", ".join(CONVENTIONS)
        raise LawError(f"count by {convention!r}", f"there are {have}", "pick one of these")
    one, full = CONVENTIONS[convention], shape(sizes)
    many = full[context] if tokens is None else whole(tokens, "tokens")
    n, token = evaluated(one.parameters, full, "count parameters"), evaluated(one.token, full, "count FLOPs")
    parts = tuple(
        (part.name, evaluated(part.parameters, full, "count"), evaluated(part.forward, full, "count"))
        for part in one.parts
    )
    return Plan(
        "Parameters and FLOPs of a transformer",
        one.text,
        tuple(Amount(str(symbol.name), full[symbol]) for symbol in SIZES),
        (Amount("N", n, "parameters"), Amount("D", many, "tokens"), Amount("C", token * many, "FLOP")),
        (
            Sheet("Parts", ("part", "parameters", "forward FLOPs a token"), parts),
            sheet(full, many, "What the conventions say"),
        ),
        _counted(one, full, sizes.get("positions")),
    )


def _counted(one: Convention, full: Shape, kind: object) -> tuple[str, ...]:
    """What is counted and what is not, in words."""
    own = "learned ones, context times width" if one.parts is KAPLAN else "relative ones, width times heads times key"
    said = f"as the table of {one.name} has them, {own}; positions=rotary has none" if kind is None else str(kind)
    if "embed" not in one.counted and (full[learned] or (kind is None and one.parts is KAPLAN)):
        said += f"; {one.name} leaves embeddings out, and them too"
    return (
        f"positions: {said}",
        f"attention: {full[heads]} heads of queries on {full[kv_heads]} of keys and values (kv_heads)",
        f"feed-forward: {full[matrices]} matrices" + (", gated" if full[matrices] == 3 else "; gated=true has 3"),
        "biases and norms are not counted",
    )
