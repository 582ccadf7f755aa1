"""Parameters and FLOPs of a decoder transformer as symbols, by the tables that papers print.

A table lists parts, each with its parameters and the forward FLOPs of one token. A convention says of a table whether
embeddings count, whether the output matrix is one of its own, whether attention sees half of the context, and how many
forward passes training costs. Parameters are those that are stored; FLOPs count every use of a layer. Biases and norms
are not counted. Positions have the parameters of the table itself, learned ones (Kaplan) or relative ones (Hoffmann),
unless a shape says otherwise; keys and values may have fewer heads than queries (arXiv 2305.13245), and a gated
feed-forward has a third matrix (arXiv 2002.05202).
Kaplan et al. 2020 (arXiv 2001.08361), table 1; Hoffmann et al. 2022 (arXiv 2203.15556), appendix F.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp

__all__ = ["CONVENTIONS", "HOFFMANN", "KAPLAN", "POSITIONS", "SIZES", "Convention", "Part"]

layers, width, mlp, heads, key, context, vocab = sp.symbols("layers width mlp heads key context vocab", positive=True)
uses = sp.Symbol("uses", positive=True)
kv_heads, matrices = sp.symbols("kv_heads matrices", positive=True)
SIZES = (layers, width, mlp, heads, kv_heads, key, context, vocab, uses)
"""What a shape consists of; ``uses`` is how often a pass goes through the layers, 1 unless they are shared."""
usual, learned, relative = POSITIONS = sp.symbols("usual learned relative", nonnegative=True)
"""1 for the positions that a shape has, 0 for the others; ``usual`` are those of the convention's own table."""

_ATTENTION = heads * key
_READ = (heads + 2 * kv_heads) * key  # queries, keys and values
_RELATIVE = layers * width * _ATTENTION


@dataclass(frozen=True)
class Part:
    """One row of a table.

    Parameters
    ----------
    name : str
    kind : str
        embed, dense (a matrix on every token), mix (grows with the context), logits, or untied (an output matrix that
        is not the embedding's).
    parameters, forward : Expr
        What is stored, and the FLOPs of a token and pass, in the sizes of a shape.
    """

    name: str
    kind: str
    parameters: sp.Expr
    forward: sp.Expr


_ZERO = sp.Integer(0)
_LAYERS = layers * uses
_UNTIED = Part("output matrix of its own", "untied", vocab * width, _ZERO)
KAPLAN = (
    Part("embed", "embed", vocab * width, 2 * width),
    Part("learned positions", "embed", (usual + learned) * context * width, (usual + learned) * 2 * width),
    Part(
        "relative positions",
        "dense",
        relative * layers * width * _ATTENTION,
        2 * relative * _LAYERS * width * _ATTENTION,
    ),
    Part("QKV", "dense", layers * width * _READ, 2 * _LAYERS * width * _READ),
    Part("mask", "mix", _ZERO, 2 * _LAYERS * context * _ATTENTION),
    Part("project", "dense", layers * _ATTENTION * width, 2 * _LAYERS * _ATTENTION * width),
    Part("feed-forward", "dense", layers * matrices * width * mlp, 2 * _LAYERS * matrices * width * mlp),
    Part("de-embed", "logits", _ZERO, 2 * width * vocab),
    _UNTIED,
)
HOFFMANN = (
    Part("embed", "embed", vocab * width, 2 * vocab * width),
    Part("learned positions", "embed", learned * context * width, learned * 2 * width),
    Part("QKV", "dense", layers * width * _READ, 2 * _LAYERS * width * _READ),
    Part("logits of keys and queries", "mix", _ZERO, 2 * _LAYERS * context * _ATTENTION),
    Part("softmax", "mix", _ZERO, 3 * _LAYERS * heads * context),
    Part("reduction over values", "mix", _ZERO, 2 * _LAYERS * context * _ATTENTION),
    Part("relative positions", "dense", (usual + relative) * _RELATIVE, _ZERO),
    Part("project", "dense", layers * width * _ATTENTION, 2 * _LAYERS * width * _ATTENTION),
    Part("feed-forward", "dense", layers * matrices * width * mlp, 2 * _LAYERS * matrices * width * mlp),
    Part("final logits", "logits", _ZERO, 2 * width * vocab),
    _UNTIED,
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
    reused : bool
        Where FLOPs are ``2 N`` a token and pass: whether a layer that is used again counts again.
    """

    name: str
    text: str
    parts: tuple[Part, ...]
    counted: tuple[str, ...] = ("dense",)
    computed: tuple[str, ...] = ("dense", "mix")
    passes: int = 3
    causal: bool = False
    reused: bool = False

    @property
    def parameters(self) -> sp.Expr:
        """N as an expression in the shape.

        Examples
        --------
        >>> plain = {kv_heads: heads, matrices: 2, relative: 0}
        >>> sp.factor(CONVENTIONS["kaplan"].parameters.subs(plain))
        2*layers*width*(2*heads*key + mlp)
        """
        return sp.Add(*(part.parameters for part in self.parts if part.kind in self.counted))

    @property
    def token(self) -> sp.Expr:
        """FLOPs of training on one token, as an expression in the shape.

        Examples
        --------
        >>> sp.expand((CONVENTIONS["kaplan"].token - 6 * CONVENTIONS["kaplan"].parameters).subs(uses, 1))
        6*context*heads*key*layers
        """
        if not self.computed:
            again = uses if self.reused else sp.Integer(1)
            counted = (part for part in self.parts if part.kind in self.counted)
            used = sp.Add(*(part.parameters * (again if part.kind == "dense" else 1) for part in counted))
            return 2 * self.passes * used
        mixing = sp.Rational(1, 2) if self.causal else sp.Integer(1)
        shares = ((mixing if part.kind == "mix" else sp.Integer(1), part) for part in self.parts)
        return self.passes * sp.expand(sp.Add(*(s * p.forward for s, p in shares if p.kind in self.computed)))


_ALL = ("embed", "dense", "mix", "logits")
_EMBED = ("embed", "dense")
_UNTIED_TOO = ("embed", "dense", "untied")
CONVENTIONS: Mapping[str, Convention] = {
    one.name: one
    for one in (
        Convention("6ND", "6 N D, embeddings excluded (Kaplan 2020, (2.1))", KAPLAN, computed=()),
        Convention("6ND-embed", "6 N D, embeddings included, the output matrix is theirs", KAPLAN, _EMBED, ()),
        Convention("6ND-untied", "6 N D, embeddings and an output matrix of its own", KAPLAN, _UNTIED_TOO, ()),
        Convention(
            "6ND-reused", "6ND, a shared layer stored once, counted at each use", KAPLAN, computed=(), reused=True
        ),
        Convention("2ND", "2 N D, forward only, embeddings excluded", KAPLAN, computed=(), passes=1),
        Convention("kaplan", "Kaplan 2020, table 1: embeddings and logits excluded", KAPLAN),
        Convention("kaplan-causal", "kaplan, half of the attention (causal)", KAPLAN, causal=True),
        Convention("kaplan-forward", "kaplan, forward only", KAPLAN, passes=1),
        Convention("kaplan-embed", "kaplan, embeddings and logits included", KAPLAN, _EMBED, _ALL),
        Convention(
            "hoffmann",
            "Hoffmann 2022, appendix F: N with embeddings, FLOPs without them and logits",
            HOFFMANN,
            _EMBED,
        ),
        Convention("hoffmann-causal", "hoffmann, half of the attention", HOFFMANN, _EMBED, causal=True),
        Convention("hoffmann-embed", "hoffmann, embeddings and logits included", HOFFMANN, _EMBED, _ALL),
    )
}
"""Every way of counting, by name."""
