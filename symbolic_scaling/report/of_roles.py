"""What each term and part of a fitted law does, as a table and as JSON; nothing for a law of one term."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..fit import FitResult
from ..fit.roles import roles
from .blocks import Block, Heading, Table

__all__ = ["as_json", "blocks"]


def blocks(fit: FitResult) -> tuple[Block, ...]:
    """A line for each: how far the curve moves where it is taken off, and on how many rows its break lies behind."""
    rows = tuple(
        (
            role.switch,
            ", ".join(role.constants),
            f"{role.moves:.3g}",
            f"{role.most:+.3g} at {', '.join(f'{name} = {value:.4g}' for name, value in role.at)}",
            "" if role.beyond is None else f"{role.beyond:.0%}",
        )
        for role in roles(fit)
    )
    if not rows:
        return ()
    columns = ("part", "constants", "change of log y (rms)", "largest change", "rows beyond its break")
    return (Heading("What each part does", 2), Table(columns, rows))


def as_json(fit: FitResult) -> list[dict[str, Any]]:
    """One object for each, as :class:`~symbolic_scaling.fit.Role` has it; ``at`` by input."""
    return [{**asdict(role), "constants": list(role.constants), "at": dict(role.at)} for role in roles(fit)]
