"""Parameters and FLOPs of a decoder transformer as symbols, by the tables that papers print.

A table lists parts, each with its parameters and the forward FLOPs of one token. A convention says of a table whether
embeddings count, whether attention sees half of the context, and how many forward passes training costs.
Kaplan et al. 2020 (arXiv 2001.08361), table 1; Hoffmann et al. 2022 (arXiv 2203.15556), appendix F.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import sympy as sp

from ..errors import DomainError, LawError
from .records import Amount, Plan, Sheet
from .units import DIGITS, evaluated, whole

__all__ = ["CONVENTIONS", "Convention", "Part", "account", "like", "shape", "sheet"]

layers, width, mlp, heads, key, context, vocab = sp.symbols("layers width mlp heads key context vocab", positive=True)
_ATTENTION = heads * key

Shape: TypeAlias = dict[sp.Symbol, sp.Expr]


@dataclass(frozen=True)
class Part:
    """One row of a table: ``kind`` is embed, dense (a matrix on every token), mix (grows with the context) or logits.

    ``parameters`` and ``forward``, FLOPs of a token and pass, are expressions in the sizes of a shape.
    """

    name: str
    kind: str
    parameters: sp.Expr
    forward: sp.Expr


_ZERO = sp.Integer(0)
KAPLAN = (
    Part("embed", "embed", (vocab + context) * width, 4 * width),
    Part("QKV", "dense", layers * width * 3 * _ATTENTION, 2 * layers * width * 3 * _ATTENTION),
    Part("mask", "mix", _ZERO, 2 * layers * context * _ATTENTION),
    Part("project", "dense", layers * _ATTENTION * width, 2 * layers * _ATTENTION * width),
    Part("feed-forward", "dense", layers * 2 * width * mlp, 2 * layers * 2 * width * mlp),
    Part("de-embed", "logits", _ZERO, 2 * width * vocab),
)
HOFFMANN = (
    Part("embed", "embed", vocab * width, 2 * vocab * width),
    Part("QKV", "dense", 3 * layers * width * _ATTENTION, 6 * layers * width * _ATTENTION),
    Part("logits of keys and queries", "mix", _ZERO, 2 * layers * context * _ATTENTION),
    Part("softmax", "mix", _ZERO, 3 * layers * heads * context),
    Part("reduction over values", "mix", _ZERO, 2 * layers * context * _ATTENTION),
    Part("relative positions", "dense", layers * width * _ATTENTION, _ZERO),
    Part("project", "dense", layers * width * _ATTENTION, 2 * layers * width * _ATTENTION),
    Part("feed-forward", "dense", 2 * layers * width * mlp, 4 * layers * width * mlp),
    Part("final logits", "logits", _ZERO, 2 * width * vocab),
)


@dataclass(frozen=True)
class Convention:
    """A way of counting.

    Parameters
    ----------
    name, text : str
    parts : tuple of Part
        The table.
    counted : tuple of str
        The kinds of parts whose parameters count.
    computed : tuple of str
        The kinds whose FLOPs count; without any, FLOPs are ``2 N`` a token and pass.
    passes : int
        Forward passes that training costs: 3, as the backward pass takes two; 1 for forward only.
    causal : bool
        Half of the mixing, as each position sees on average half of the context.
    """

    name: str
    text: str
    parts: tuple[Part, ...]
    counted: tuple[str, ...] = ("dense",)
    computed: tuple[str, ...] = ("dense", "mix")
    passes: int = 3
    causal: bool = False

    @property
    def parameters(self) -> sp.Expr:
        """N as an expression in the shape.

        Examples
        --------
        >>> sp.factor(CONVENTIONS["kaplan"].parameters)
        2*layers*width*(2*heads*key + mlp)
        """
        return sp.Add(*(part.parameters for part in self.parts if part.kind in self.counted))

    @property
    def token(self) -> sp.Expr:
        """FLOPs of training on one token, as an expression in the shape.

        Examples
        --------
        >>> CONVENTIONS["kaplan"].token - 6 * CONVENTIONS["kaplan"].parameters
        6*context*heads*key*layers
        """
        if not self.computed:
            return 2 * self.passes * self.parameters
        mixing = sp.Rational(1, 2) if self.causal else sp.Integer(1)
        shares = ((mixing if part.kind == "mix" else sp.Integer(1), part) for part in self.parts)
        return self.passes * sp.expand(sp.Add(*(s * p.forward for s, p in shares if p.kind in self.computed)))


_ALL = ("embed", "dense", "mix", "logits")
CONVENTIONS: Mapping[str, Convention] = {
    one.name: one
    for one in (
        Convention("6ND", "6ND, embeddings excluded (Kaplan 2020, (2.1))", KAPLAN, computed=()),
        Convention("6ND-embed", "6ND, embeddings included", KAPLAN, ("embed", "dense"), ()),
        Convention("2ND", "2ND, forward only, embeddings excluded", KAPLAN, computed=(), passes=1),
        Convention("kaplan", "Kaplan 2020, table 1: embeddings and logits excluded", KAPLAN),
        Convention("kaplan-causal", "Kaplan 2020, table 1, half of the attention (causal)", KAPLAN, causal=True),
        Convention(
            "hoffmann",
            "Hoffmann 2022, appendix F: N with embeddings, FLOPs without embeddings and logits",
            HOFFMANN,
            ("embed", "dense"),
        ),
        Convention(
            "hoffmann-embed",
            "Hoffmann 2022, appendix F, embeddings and logits included",
            HOFFMANN,
            ("embed", "dense"),
            _ALL,
        ),
        Convention(
            "hoffmann-causal", "Hoffmann 2022, half of the attention", HOFFMANN, ("embed", "dense"), causal=True
        ),
    )
}
"""Every way of counting, by name."""


def shape(sizes: Mapping[str, object]) -> Shape:
    """The sizes of a transformer, checked: ``layers`` and ``width`` at least.

    ``mlp`` is 4 widths by default, ``heads`` times ``key`` the width, ``context`` 2048 and ``vocab`` 32000.

    Raises
    ------
    DomainError
        If a size is no positive whole number, or the width is not divisible by the heads.
    LawError
        If a size is unknown or missing.

    Examples
    --------
    >>> shape({"layers": 36, "width": 1280})[mlp]
    5120
    """
    known = {str(symbol.name): symbol for symbol in (layers, width, mlp, heads, key, context, vocab)}
    if (foreign := sorted(set(sizes) - set(known))) or not {"layers", "width"} <= set(sizes):
        found = f"unknown {', '.join(foreign)}" if foreign else "layers or width is missing"
        raise LawError("read a shape", found, f"its sizes are {', '.join(known)}")
    given = {known[name]: whole(value, name) for name, value in sizes.items()}
    d = given[width]
    if heads in given and key not in given and d % given[heads]:
        found = f"a width of {d} is not divisible by {given[heads]} heads"
        raise DomainError("read a shape", found, "give the key size apart, or another number of heads")
    if heads not in given and key in given and d % given[key]:
        found = f"a width of {d} is not divisible by a key size of {given[key]}"
        raise DomainError("read a shape", found, "give the number of heads apart")
    many = given.get(heads, d / given[key] if key in given else sp.Integer(1))
    defaults = {mlp: 4 * d, heads: many, key: d / many, context: sp.Integer(2048), vocab: sp.Integer(32000)}
    return {**defaults, **given}


def like(parameters: sp.Expr, aspect: int = 128) -> Shape:
    """A shape with about so many parameters: ``12 layers width^2``, keys of 128, real numbers, not rounded.

    ``aspect`` is width over layers.

    Examples
    --------
    >>> made = like(sp.Integer(12 * 2 * 256**2))
    >>> [float(made[size]) for size in (layers, width)]
    [2.0, 256.0]
    """
    d = sp.Float((parameters * aspect / 12).evalf(DIGITS) ** sp.Rational(1, 3), DIGITS)
    sizes = {layers: d / aspect, width: d, mlp: 4 * d, heads: d / 128, key: sp.Integer(128)}
    return {**sizes, context: sp.Integer(2048), vocab: sp.Integer(32000)}


def sheet(sizes: Shape, tokens: sp.Expr, title: str) -> Sheet:
    """What every convention says of a shape trained on so many tokens, also beside ``6 N D`` by its own N."""
    rows: list[tuple[sp.Expr | str, ...]] = []
    for one in CONVENTIONS.values():
        asked = f"count by {one.name}"
        n, flops = evaluated(one.parameters, sizes, asked), evaluated(one.token, sizes, asked) * tokens
        rows.append((one.name, n, flops, flops / (6 * n * tokens), one.text))
    return Sheet(title, ("convention", "N", "FLOP", "over 6 N D", "counts"), tuple(rows))


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
        tuple(Amount(str(symbol.name), value) for symbol, value in full.items()),
        (Amount("N", n, "parameters"), Amount("D", many, "tokens"), Amount("C", token * many, "FLOP")),
        (
            Sheet("Parts", ("part", "parameters", "forward FLOPs a token"), parts),
            sheet(full, many, "What the conventions say"),
        ),
    )
