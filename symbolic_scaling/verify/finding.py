"""What one kind of claim answers: a status, the method in a few words, and the evidence as text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..domain import Domain
from ..records import Status

__all__ = ["Finding", "joined"]


@dataclass(frozen=True)
class Finding:
    """A verdict before it is tied to its claim; ``evidence`` is pairs (key, text)."""

    status: Status
    method: str
    evidence: tuple[tuple[str, str], ...] = ()

    def with_evidence(self, *pairs: tuple[str, str]) -> Finding:
        """The same finding with more evidence; pairs with an empty text are left out."""
        return replace(self, evidence=self.evidence + tuple(pair for pair in pairs if pair[1]))

    def on(self, domain: Domain) -> Finding:
        """The same finding, saying on which domain it holds."""
        return self.with_evidence(("domain", joined(domain.facts()) or "every value of the declared signs"))


def joined(texts: Iterable[str]) -> str:
    """Distinct texts in their first order, separated by semicolons.

    Examples
    --------
    >>> joined(["a > b", "c > 0", "a > b"])
    'a > b; c > 0'
    """
    return "; ".join(dict.fromkeys(texts))
