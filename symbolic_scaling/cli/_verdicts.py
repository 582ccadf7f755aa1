"""Many claims judged: here where they are few, else in a pool of processes; the verdicts are the same, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ._common import working
from ._pool import workers

if TYPE_CHECKING:
    from ..records import Claim, Verdict

__all__ = ["judged", "with_jobs"]

FEW = 16
"""Claims that are judged in the time that a process needs to start."""

with_jobs = click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes that judge claims; one for each core, or fewer."
)


def judged(claims: Sequence[Claim], budget: float, jobs: int | None) -> list[Verdict]:
    """The verdicts on the claims, ``budget`` seconds for each, with their progress on a terminal."""
    from .. import verify

    found: list[Verdict] = []
    with working() as say, workers(jobs, len(claims) if jobs else len(claims) // FEW) as executor:
        verdicts = verify.claims(claims, budget, executor)
        for number, claim in enumerate(claims, 1):
            say(f"{number} of {len(claims)}: {claim.name}")
            found.append(next(verdicts))
    return found
