"""What papers print, one claims file each in ``claims/``, with the verdict that each statement must get."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from importlib.resources import as_file, files

from .. import verify
from ..budget import cached
from ..errors import ClaimError
from ..records import Claim, Status, Verdict
from .where import claim_of

__all__ = ["EXPECTED", "Paper", "check", "paper", "papers"]

EXPECTED = {
    "holds": Status.PROVED,
    "consistent": Status.CONSISTENT,
    "rounding": Status.ROUNDING,
    "refuted": Status.REFUTED,
}
"""What a claims file may expect, and the verdict that it means."""


@dataclass(frozen=True)
class Paper:
    """The claims of one paper, each with the verdict that the file states."""

    name: str
    title: str
    claims: tuple[tuple[Claim, Status], ...]


def papers() -> tuple[str, ...]:
    """The papers whose statements are here, sorted.

    Examples
    --------
    >>> "kaplan2020" in papers()
    True
    """
    found = (one.name for one in files(__package__).joinpath("claims").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


@cached
def paper(name: str) -> Paper:
    """The statements of one paper.

    Raises
    ------
    ClaimError
        If there is no such paper, or its file does not read.

    Examples
    --------
    >>> paper("gadre2024").claims[0][0].name
    'over-training form'
    """
    if name not in papers():
        raise ClaimError(f"get the paper {name!r}", f"there are {', '.join(papers())}", "pick one of these")
    stated: list[Status] = []

    def make(entry: object, place: str) -> Claim:
        claim = claim_of(entry, place)
        expect = entry.get("expect") if isinstance(entry, Mapping) else None
        if expect not in EXPECTED:
            raise ClaimError(f"claim {claim.name}: expect", "it is missing", f"choose from {', '.join(EXPECTED)}")
        stated.append(EXPECTED[str(expect)])
        return claim

    with as_file(files(__package__).joinpath("claims", f"{name}.toml")) as path:
        claims = verify.read_claims(path, make)
        title = path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")
    return Paper(name, title, tuple(zip(claims, stated, strict=True)))


def check(name: str, budget: float | None = 20.0, executor: Executor | None = None) -> tuple[Verdict, ...]:
    """The verdicts on the statements of one paper, in the file's order, ``budget`` seconds for each.

    Parameters
    ----------
    name : str
        One of :func:`papers`.
    budget, executor
        As for :func:`symbolic_scaling.verify.claims`.

    Examples
    --------
    >>> {verdict.status.name for verdict in check("gadre2024")}
    {'PROVED'}
    """
    return tuple(verify.claims([claim for claim, _ in paper(name).claims], budget, executor))
