"""A search over structures as a page and as JSON: what was chosen, what each part does, and the path to it."""

from __future__ import annotations

import math
from typing import Any

from ..fit import Structure
from ..fit.structure import Candidate
from . import of_fit, of_roles
from .blocks import Block, Cell, Formula, Heading, Paragraph, Table
from .maths import Math
from .of_law import names_of

__all__ = ["as_json", "blocks", "is_structure"]


def is_structure(record: object) -> bool:
    """Whether a record is one."""
    return isinstance(record, Structure)


def blocks(found: Structure) -> tuple[Block, ...]:
    """The page of a search."""
    page: list[Block] = [
        Heading("Structure"),
        Formula(Math(found.law.form, names=names_of(found.law))),
        Paragraph(f"Chosen: {'; '.join(found.parts)}. {len(found.law.constants)} constants."),
        Paragraph(f"Held out while searching: the rows with {', and those with '.join(found.held)}."),
    ]
    if not found.complete:
        page.append(Paragraph("The search ended with its time: more parts may be worth while."))
    page.append(Heading("The path", 2))
    for number, step in enumerate(found.path, 1):
        columns = ("tried", "constants", "held-out RMSE", "gain", "uncertainty")
        page += [
            Table((f"step {number}", *columns[1:]), tuple(_row(each, each is step.taken) for each in step.candidates)),
            Paragraph(f"{'Taken: ' + step.taken.what if step.taken else 'Nothing taken'}: {step.because}."),
        ]
        page += [Paragraph(f"{each.what}: {each.why}.") for each in step.candidates if each.why]
    return (*page, *of_fit.blocks(found.fit))


def _row(each: Candidate, taken: bool) -> tuple[Cell, ...]:
    numbers = (each.error, each.gain, each.uncertainty)
    error, gain, spread = ("" if math.isnan(value) else f"{value:.3g}" for value in numbers)
    return (f"{each.what}{' *' if taken else ''}", str(len(each.law.constants)), error, gain, spread)


def as_json(found: Structure) -> dict[str, Any]:
    """``structure`` as ``symscale structure --json`` prints it."""
    return {
        "parts": list(found.parts),
        "error": found.error,
        "held_out": list(found.held),
        "complete": found.complete,
        "path": [
            {
                "candidates": [_candidate(each) for each in step.candidates],
                "taken": step.taken.what if step.taken else None,
                "because": step.because,
            }
            for step in found.path
        ],
        "fit": of_fit.as_json(found.fit),
        "roles": of_roles.as_json(found.fit),
    }


def _candidate(each: Candidate) -> dict[str, Any]:
    return {
        "what": each.what,
        "constants": [symbol.name for symbol in each.law.constants],
        "error": each.error,
        "gain": each.gain,
        "uncertainty": each.uncertainty,
        "why": each.why,
    }
