"""An interval as a record: the ends of one quantity by one method, or why there are none."""

from __future__ import annotations

from dataclasses import dataclass

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
