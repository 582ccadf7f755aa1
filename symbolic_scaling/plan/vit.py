"""Parameters and forward FLOPs of a vision transformer as symbols, a part at a time.

Patches of ``patch`` pixels, learned positions, blocks of attention and MLP, and a pooling head that attends with one
probe (MAP). A multiply-add is two FLOPs; norms, biases and softmax cost none. The counts are a reconstruction that
gives the 428M parameters and, within 1 %, the 221, 672 and 1374 GFLOPs of SoViT-400m/14 (arXiv 2305.13035).
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from ..errors import DomainError, LawError
from .conventions import Part
from .records import Amount, Plan, Sheet
from .units import evaluated, whole

__all__ = ["CONVENTION", "DIMENSIONS", "PARTS", "forward", "image", "parameters", "patches"]

CONVENTION = "forward only, one image, 2 FLOP a multiply-add, MAP head, norms and softmax free"
DIMENSIONS = ("width", "depth", "mlp")

width, depth, mlp, tokens, pixels = sp.symbols("width depth mlp tokens pixels", positive=True)

PARTS = (
    Part("patches", "embed", pixels * width + width, 2 * pixels * tokens * width),
    Part("positions", "embed", tokens * width, sp.Integer(0)),
    Part("attention, matrices", "dense", depth * (4 * width**2 + 4 * width), 8 * depth * tokens * width**2),
    Part("attention, mixing", "mix", sp.Integer(0), 4 * depth * tokens**2 * width),
    Part("MLP", "dense", depth * (2 * width * mlp + mlp + width), 4 * depth * tokens * width * mlp),
    Part("norms", "dense", (4 * depth + 2) * width, sp.Integer(0)),
    Part(
        "pooling head",
        "head",
        4 * width**2 + 4 * width + 2 * width * mlp + mlp + width + 2 * width + width,
        4 * tokens * width**2 + 4 * tokens * width + 4 * width**2 + 4 * width * mlp,
    ),
)


_FORWARD = sp.Add(*(part.forward for part in PARTS))
_ALL = sp.Add(*(part.parameters for part in PARTS))
_TRUNK = sp.Add(*(part.forward for part in PARTS if part.kind in {"dense", "mix"}))
_MATRICES = sp.Add(*(part.forward for part in PARTS if part.kind != "mix"))
COUNTED = (
    ("forward", _FORWARD, "forward only, 2 FLOP a multiply-add"),
    ("multiply-adds", _FORWARD / 2, "forward only, a multiply-add is one"),
    ("training", 3 * _FORWARD, "forward and backward, which takes two forward passes"),
    ("blocks", _TRUNK, "forward without patches and pooling head"),
    ("no mixing", _MATRICES, "forward, attention between patches left out"),
    ("2N", 2 * _ALL * tokens, "2 FLOP a parameter and patch, all parameters counted"),
    ("6N", 6 * _ALL * tokens, "the same with the backward pass"),
)
"""Ways of counting one image: name, FLOPs, words."""


def counted(here: Mapping[sp.Symbol, sp.Expr]) -> Sheet:
    """What the ways of counting say of a shape, given with its patches."""
    own = evaluated(_FORWARD, here, "count")
    rows = []
    for name, flops, text in COUNTED:
        value = evaluated(flops, here, f"count {name}")
        rows.append((name, value / 10**9, value / own, text))
    return Sheet("What other ways of counting say", ("counted", "GFLOP", "over this one", "counts"), tuple(rows))


def parameters() -> sp.Expr:
    """All parameters, in width, depth, mlp, tokens and pixels of a patch."""
    return _ALL


def forward() -> sp.Expr:
    """FLOPs of one forward pass on one image."""
    return _FORWARD


def patches(resolution: object, patch: object = 14) -> dict[sp.Symbol, sp.Expr]:
    """The number of patches of a square image and the values in one patch of three colours.

    Raises
    ------
    DomainError
        If the image is smaller than a patch.

    Examples
    --------
    >>> patches(384)[tokens], patches(384)[pixels]
    (729, 588)
    """
    side, own = whole(resolution, "the resolution"), whole(patch, "the patch")
    if side < own:
        raise DomainError(f"cut {side} pixels into patches", f"a patch has {own}", "give a larger image")
    return {tokens: (side // own) ** 2, pixels: 3 * own**2}


def image(sizes: Mapping[str, object], resolutions: tuple[object, ...] = (224,), patch: object = 14) -> Plan:
    """Parameters and forward GFLOPs of a shape, at one or several resolutions.

    Parameters
    ----------
    sizes : mapping
        ``width``, ``depth``, ``mlp``; ``heads``, if given, must divide the width.
    resolutions : tuple of number
        Of a square image, in pixels; positions are counted at the first.
    patch : number

    Raises
    ------
    LawError
        If a dimension is unknown or missing.
    DomainError
        If one is not a positive whole number, or the heads do not divide the width.

    Examples
    --------
    >>> made = image({"width": 1152, "depth": 27, "mlp": 4304}, (224, 384, 518))
    >>> round(float(made["parameters"]) / 1e6), round(float(made["GFLOP at 224"]), 1)
    (428, 220.4)
    """
    known = {"width": width, "depth": depth, "mlp": mlp}
    if not set(known) <= set(sizes) or set(sizes) - {*known, "heads"}:
        raise LawError("read a shape", f"it has {', '.join(sorted(sizes))}", "give width, depth, mlp and perhaps heads")
    given = {known[name]: whole(sizes[name], name) for name in known}
    if "heads" in sizes and given[width] % whole(sizes["heads"], "heads"):
        found = f"a width of {given[width]} is not divisible by {sizes['heads']} heads"
        raise DomainError("read a shape", found, "give another number of heads")
    at = [{**given, **patches(resolution, patch)} for resolution in resolutions]
    rows = [Amount("parameters", evaluated(parameters(), at[0], "count"), "parameters")]
    for resolution, here in zip(resolutions, at, strict=True):
        rows.append(Amount(f"GFLOP at {resolution}", evaluated(forward(), here, "count") / 10**9, "GFLOP"))
    parts = tuple(
        (part.name, evaluated(part.parameters, at[0], "count"), evaluated(part.forward, at[0], "count") / 10**9)
        for part in PARTS
    )
    sheet = Sheet(f"Parts at {resolutions[0]} pixels", ("part", "parameters", "GFLOP"), parts)
    spent = tuple(Amount(str(symbol.name), value) for symbol, value in given.items())
    return Plan("Parameters and FLOPs of a vision transformer", CONVENTION, spent, tuple(rows), (sheet, counted(at[0])))
