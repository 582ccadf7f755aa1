"""How many digits a paper must print: the constants, and what their digits allow of the frontier."""

from __future__ import annotations

from typing import Any

from ..catalogue.digits import Digits
from .blocks import Block, Heading, Paragraph, Table

__all__ = ["as_json", "blocks"]


def blocks(found: Digits) -> tuple[Block, ...]:
    """The page of an answer."""
    printed, elastic = dict(found.printed), dict(found.elasticities)
    symbol, spent = found.at
    held = ", ".join(f"{one.name}*" for one in found.outcomes if "/" not in one.name)
    constants = tuple((name, printed[name], str(count), f"{elastic[name]:.3g}") for name, count in found.needed)
    outcomes = tuple(
        (f"{one.name}*", f"{one.value:.6g}", _between(one.printed), _between(one.needed)) for one in found.outcomes
    )
    return (
        Heading(f"Digits to publish: {found.law.title}"),
        Paragraph(f"For {held} to hold to {float(found.percent):g} % at {symbol} = {spent}, set {found.published}."),
        Table(("constant", "printed", "digits needed", "elasticity"), constants),
        Table(("outcome", "value", "as printed", "with the digits needed"), outcomes),
    )


def _between(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.6g} to {ends[1]:.6g}"


def as_json(found: Digits) -> dict[str, Any]:
    """The object that ``symscale digits --json`` prints."""
    return {
        "law": found.law.name,
        "published": found.published,
        "percent": float(found.percent),
        "at": dict((found.at,)),
        "digits": dict(found.needed),
        "printed": dict(found.printed),
        "elasticities": dict(found.elasticities),
        "outcomes": {
            one.name: {"value": one.value, "as_printed": list(one.printed), "with_digits": list(one.needed)}
            for one in found.outcomes
        },
    }
