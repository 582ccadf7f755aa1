"""The errors of the package: each says what was asked, what was found and what to do."""

from __future__ import annotations

import re

__all__ = [
    "BudgetExhausted",
    "ClaimError",
    "DataError",
    "DomainError",
    "FitError",
    "InternalError",
    "LawError",
    "MissingExtra",
    "MixedTables",
    "NoOptimum",
    "ParseError",
    "ScalingError",
    "TableChanged",
    "Unattainable",
    "Undecided",
    "refuse_printed",
]


class ScalingError(Exception):
    """Base of every error this package raises on purpose.

    Parameters
    ----------
    asked : str
        What the caller wanted.
    found : str
        What stands in the way.
    remedy : str
        What the caller can do about it.
    where : str, optional
        File, line, column, row or parameter the error points at.

    Examples
    --------
    >>> print(ScalingError("read 'runs.csv'", "the file is empty", "give a file with a header"))
    read 'runs.csv': the file is empty; give a file with a header
    """

    exit_code = 2

    def __init__(self, asked: str, found: str, remedy: str, where: str = "") -> None:
        super().__init__(asked, found, remedy, where)
        self.asked = asked
        self.found = found
        self.remedy = remedy
        self.where = where

    def __str__(self) -> str:
        place = f" ({self.where})" if self.where else ""
        return f"{self.asked}: {self.found}{place}; {self.remedy}"

    def as_dict(self) -> dict[str, str]:
        """The five fields that ``--json`` prints under ``error``."""
        return {
            "kind": type(self).__name__,
            "asked": self.asked,
            "found": self.found,
            "remedy": self.remedy,
            "where": self.where,
        }


def refuse_printed(content: object, asked: str) -> None:
    """Raise the error that a JSON object holds, where it is one that a command printed with ``--json``.

    Raises
    ------
    ScalingError
        With the words of the printed error.

    Examples
    --------
    >>> refuse_printed({"error": {"asked": "fit a law", "found": "no rows", "remedy": "add some"}}, "read fit.json")
    Traceback (most recent call last):
    symbolic_scaling.errors.ScalingError: read fit.json: it is an error, no result: fit a law: no rows; add some
    >>> refuse_printed({"law": "m1"}, "read fit.json")
    """
    held = content.get("error") if isinstance(content, dict) else None
    if isinstance(held, dict) and {"asked", "found", "remedy"} <= set(held):
        said = ScalingError(*(str(held.get(key, "")) for key in ("asked", "found", "remedy", "where")))
        place = f" ({said.where})" if said.where else ""
        raise ScalingError(asked, f"it is an error, no result: {said.asked}: {said.found}{place}", said.remedy)


class ParseError(ScalingError):
    """Text that our grammar does not read; ``where`` holds line and column, ``caret`` the marked line."""

    def __init__(self, asked: str, found: str, remedy: str, where: str = "", caret: str = "") -> None:
        super().__init__(asked, found, remedy, where)
        self.caret = caret

    def __str__(self) -> str:
        return f"{super().__str__()}\n{self.caret}" if self.caret else super().__str__()


class LawError(ScalingError):
    """A law, parameter or cost that contradicts itself, or a law name nobody declared."""


class DomainError(ScalingError):
    """A range or relation that is empty, or a point that lies outside."""


class ClaimError(ScalingError):
    """A claim whose fields are missing, unknown or contradictory."""


class DataError(ScalingError):
    """A table, column or value that cannot be used as asked."""


class TableChanged(DataError):
    """A table that was written to while it was read."""


class FitError(ScalingError):
    """A fit that the data cannot support."""


class MissingExtra(ScalingError):
    """A feature whose optional dependency is not installed."""


_FACTS = 'say more of the constants, such as --given "a > b", or put numbers in'


class Undecided(ScalingError):
    """The domain does not decide a sign or an order; ``question`` is the fact that is missing.

    The remedy is a ``--given`` that reads: the question itself where it is a relation, not where it is a sentence.
    ``opens``, where it is known, is the expression whose sign is open.
    """

    exit_code = 1

    def __init__(self, asked: str, question: str, where: str = "", opens: object = None) -> None:
        relation = " > " in question and not re.search(r"\w \w", question)
        remedy = f'add it with --given "{question}" or take cases' if relation else _FACTS
        super().__init__(asked, f"cannot decide whether {question}", remedy, where)
        self.question = question
        self.opens = opens

    def __reduce__(self) -> tuple[type[Undecided], tuple[str, str, str, object]]:
        return type(self), (self.asked, self.question, self.where, self.opens)


class NoOptimum(ScalingError):
    """No interior optimum exists, or a whole family of them does."""

    exit_code = 1


class Unattainable(ScalingError):
    """A target that no admissible input reaches."""

    exit_code = 1


class BudgetExhausted(ScalingError):
    """The wall-clock or memory budget ran out before an answer."""

    exit_code = 3


class InternalError(ScalingError):
    """A fault of the package itself, found by its own checks: an answer that must not be used."""

    exit_code = 4


class MixedTables(UserWarning):
    """Constants of several printed tables stand in one calculation."""
