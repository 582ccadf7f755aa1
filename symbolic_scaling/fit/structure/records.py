"""What a search over structures tried, took and why: frozen records."""

from __future__ import annotations

from dataclasses import dataclass

from ...law import Law
from ..result import FitResult

__all__ = ["Candidate", "Step", "Structure"]


@dataclass(frozen=True, eq=False)
class Candidate:
    """One structure that was tried.

    Parameters
    ----------
    what : str
        What it adds to the one before, in words.
    law : Law
    error : float
        Root mean square of log errors on the rows held out; NaN where it could not be fitted.
    gain : float
        The mean logarithm of how much larger the mean square was before, over blocks of rows; NaN at the first.
    uncertainty : float
        Three standard errors of that gain, over blocks of held-out rows.
    why : str
        Where there is no error: the reason.
    """

    what: str
    law: Law
    error: float
    gain: float = float("nan")
    uncertainty: float = float("nan")
    why: str = ""


@dataclass(frozen=True, eq=False)
class Step:
    """``candidates`` in the order in which they were tried, which of them was ``taken``, if any, and ``because``."""

    candidates: tuple[Candidate, ...]
    taken: Candidate | None
    because: str


@dataclass(frozen=True, eq=False)
class Structure:
    """The path of a search, and the fit of the structure that it ended with to all rows.

    Parameters
    ----------
    path : tuple of Step
    fit : FitResult
    held : tuple of str
        The rows that were held out, in words.
    complete : bool
        Whether the search ended by itself, and not with its time.
    """

    path: tuple[Step, ...]
    fit: FitResult
    held: tuple[str, ...]
    complete: bool = True

    @property
    def law(self) -> Law:
        """The structure chosen."""
        return self.fit.law

    @property
    def error(self) -> float:
        """Its root mean square of log errors on the rows held out."""
        return [step.taken for step in self.path if step.taken is not None][-1].error

    @property
    def parts(self) -> tuple[str, ...]:
        """What it consists of, in the order in which it was put on."""
        return tuple(step.taken.what for step in self.path if step.taken is not None)
