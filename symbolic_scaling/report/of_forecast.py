"""Predictions of a fit as a page and as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..fit import FitResult
from ..fit.forecast import Forecast
from .blocks import Block, Formula, Heading, Paragraph, Table
from .maths import Math
from .of_law import label, names_of

__all__ = ["as_json", "blocks"]


def blocks(fit: FitResult, made: Sequence[Forecast]) -> tuple[Block, ...]:
    """The law, and a line a prediction; an interval is of the response, or of the input solved for."""
    law = fit.law
    columns = (*(symbol.name for symbol in law.inputs), law.response.symbol.name, "95 % interval", "of")
    lines = tuple(
        (
            *(_number(value) for _, value in each.inputs),
            f"{each.value:.6g}",
            f"{each.interval[0]:.4g} to {each.interval[1]:.4g}" if each.interval else "none",
            each.solved or law.response.symbol.name,
        )
        for each in made
    )
    page: list[Block] = [
        Heading(f"{label(law)} extrapolated"),
        Formula(Math(law.form, names=names_of(law))),
        Table(columns, lines),
    ]
    beyond = [
        f"{name} = {value:.6g}"
        for each in made
        for name, value in each.inputs
        if _largest(fit, name) < value < math.inf
    ]
    if beyond:
        page.append(Paragraph(f"Beyond the rows fitted: {', '.join(dict.fromkeys(beyond))}."))
    return tuple(page)


def as_json(made: Forecast) -> dict[str, Any]:
    """One entry of ``predictions``."""
    return {
        "inputs": dict(made.inputs),
        "value": made.value,
        "interval": list(made.interval) if made.interval else None,
        "solved": made.solved,
    }


def _number(value: float) -> str:
    return f"{value:.6g}" if math.isfinite(value) else "oo"


def _largest(fit: FitResult, name: str) -> float:
    return float(dict(fit.problem.x)[name].max())
