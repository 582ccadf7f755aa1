"""An interval as a record: the ends of one quantity by one method, or why there are none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["Interval"]


@dataclass(frozen=True)
class Interval:
    """One interval of one quantity by one method.

    Parameters
    ----------
    name, method : str
    level : float
        Nominal coverage.
    value : float
        The quantity at the estimate.
    lo, hi : float
        Infinite where the data set no end, NaN where there is no interval: ``note`` says why.
    note : str
    """

    name: str
    method: str
    level: float
    value: float
    lo: float
    hi: float
    note: str = ""

    @property
    def text(self) -> str:
        """The ends as a reader wants them.

        Examples
        --------
        >>> Interval("N*", "profile", 0.95, 3.0, 1.25, math.inf).text
        '1.25 to oo'
        >>> Interval("c", "delta", 0.95, 3.0, math.nan, math.nan).text
        'none'
        """
        return "none" if math.isnan(self.lo) else f"{_shown(self.lo)} to {_shown(self.hi)}"

    def as_json(self) -> dict[str, Any]:
        """Plain JSON values: no end is null, an infinite one is "oo" or "-oo"."""
        return {key: _plain(value) if isinstance(value, float) else value for key, value in asdict(self).items()}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Interval:
        """The interval that :meth:`as_json` wrote.

        Examples
        --------
        >>> one = Interval("N*", "profile", 0.95, 3.0, 1.25, math.inf, "open")
        >>> Interval.from_json(one.as_json()) == one
        True
        """
        ends: dict[str, Any] = {key: _read(content[key]) for key in ("value", "lo", "hi")}
        return cls(**{**content, **ends})


def _shown(end: float) -> str:
    return f"{end:.5g}".replace("inf", "oo")


def _plain(value: float) -> float | str | None:
    return value if math.isfinite(value) else None if math.isnan(value) else _shown(value)


def _read(value: float | str | None) -> float:
    return math.nan if value is None else float(str(value).replace("oo", "inf"))
