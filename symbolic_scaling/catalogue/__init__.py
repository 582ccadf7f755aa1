"""The statements of papers, one claims file each, and the published results of ``derivations/``, run and checked."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

from .. import laws, verify
from ..errors import LawError
from ..law import Law
from ..records import Claim, Derivation, Status, Verdict
from .papers import Paper, check, paper, papers
from .where import claim_of, read_claims

__all__ = [
    "Entry",
    "Outcome",
    "Paper",
    "check",
    "claim_of",
    "get",
    "names",
    "paper",
    "papers",
    "read_claims",
    "run",
]

_PACKAGE = "derivations"


@dataclass(frozen=True)
class Entry:
    """One file of ``derivations/``.

    Parameters
    ----------
    name, title : str
        File name with hyphens; the first line of the file.
    law : str
        The law that it starts from.
    """

    name: str
    title: str
    law: str

    @cached_property
    def _module(self) -> ModuleType:
        return importlib.import_module(f"{_PACKAGE}.{self.name.replace('-', '_')}")

    def derivations(self, law: Law | None = None) -> tuple[Derivation, ...]:
        """What the engine derives, from the entry's law or from another in its place."""
        found: tuple[Derivation, ...] = self._module.derivations(law or laws.get(self.law))
        return found

    def claims(self, law: Law | None = None) -> tuple[tuple[Claim, Status], ...]:
        """What the paper prints, each with the verdict that it must get; everything that a step owes must be PROVED."""
        start = law or laws.get(self.law)
        owed = dict.fromkeys(claim for found in self.derivations(start) for claim in found.claims)
        printed: tuple[tuple[Claim, Status], ...] = self._module.claims(start)
        return printed + tuple((claim, Status.PROVED) for claim in owed)


@dataclass(frozen=True)
class Outcome:
    """An entry with its derivations, the verdicts on its claims and the verdicts that it states."""

    entry: Entry
    derivations: tuple[Derivation, ...]
    verdicts: tuple[Verdict, ...]
    expected: tuple[Status, ...]

    @property
    def surprises(self) -> tuple[Verdict, ...]:
        """The verdicts that differ from what the file states."""
        pairs = zip(self.verdicts, self.expected, strict=True)
        return tuple(verdict for verdict, status in pairs if verdict.status != status)


def names() -> tuple[str, ...]:
    """Every entry's name, sorted.

    Examples
    --------
    >>> "chinchilla-frontier" in names()
    True
    """
    package = importlib.import_module(_PACKAGE)
    return tuple(sorted(info.name.replace("_", "-") for info in pkgutil.iter_modules(package.__path__)))


def get(name: str) -> Entry:
    """The entry called ``name``.

    Raises
    ------
    LawError
        If there is no such file.

    Examples
    --------
    >>> get("sovit-optimal-shape").law
    'sovit'
    """
    if name not in names():
        raise LawError(f"get the derivation {name!r}", f"there are {', '.join(names())}", "pick one of these")
    module = importlib.import_module(f"{_PACKAGE}.{name.replace('-', '_')}")
    return Entry(name, (module.__doc__ or name).splitlines()[0], module.LAW)


def run(name: str, law: Law | None = None, budget: float | None = None) -> Outcome:
    """Derive an entry and check every claim: those that the paper prints and those that the steps owe.

    Parameters
    ----------
    name : str
        One of :func:`names`.
    law : Law, optional
        Another law in the place of the entry's, to see which claims break.
    budget : float, optional
        Seconds of wall-clock time for each claim.

    Raises
    ------
    LawError
        If there is no such entry.

    Examples
    --------
    >>> run("nowhere")
    Traceback (most recent call last):
    ...
    symbolic_scaling.errors.LawError: get the derivation 'nowhere': ...
    """
    entry = get(name)
    claims = entry.claims(law)
    verdicts = tuple(verify.claim(claim, budget=budget) for claim, _ in claims)
    return Outcome(entry, entry.derivations(law), verdicts, tuple(status for _, status in claims))
