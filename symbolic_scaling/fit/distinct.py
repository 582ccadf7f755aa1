"""The distinct rows of some curves at once: exact duplicates are one row that counts as often.

Squares of residuals over sigma are squares of residuals with weights over sigma squared, so that one array of loads
says what each row counts in the objective, and another, the precisions, what it counts in the standard errors: there
duplicates are one row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from .line import Dropped
from .rows import Rows
from .solve import Floats
from .stack import Index

__all__ = ["Distinct", "distinct"]


@dataclass(frozen=True, eq=False)
class Distinct:
    """The distinct rows of every curve, sorted by inputs.

    Parameters
    ----------
    ends : array (k + 1,)
        Curve i has the rows from ``ends[i]`` to ``ends[i + 1]``.
    x, y, counts : array (m, n), (n,), (n,)
        Inputs, response, and how often each stands in the table.
    more : mapping of name to array (n,)
        ``weights``, those of equal rows added, and ``sigma``, where they are given.
    """

    ends: Index
    x: Floats
    y: Floats
    counts: Index
    more: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def lengths(self) -> Index:
        """Rows of each curve (k,)."""
        return np.diff(self.ends)

    @property
    def loads(self) -> Floats:
        """What each row counts (n,)."""
        return self.more.get("weights", self.counts.astype(np.float64))

    def rows(self, i: int, dropped: Dropped) -> Rows:
        """Those of curve i."""
        where = slice(self.ends[i], self.ends[i + 1])
        counts = self.counts[where]
        weights, sigma = (self.more[name][where] if name in self.more else None for name in ("weights", "sigma"))
        used = tuple(range(1, int(counts.sum()) + 1))
        return Rows(self.x[:, where], self.y[where], counts, used, dropped, "", weights, sigma)


def distinct(ends: Index, x: Floats, y: Floats, more: Mapping[str, Floats]) -> Distinct:
    """The distinct rows of curves whose rows lie one curve after the other.

    Parameters
    ----------
    ends, x, y, more
        As for :class:`~.block.Block`.

    Examples
    --------
    >>> once = distinct(np.array([0, 3]), np.array([[2.0, 1.0, 2.0]]), np.array([5.0, 6.0, 5.0]), {})
    >>> once.x.tolist(), once.y.tolist(), once.counts.tolist()
    ([[1.0, 2.0]], [6.0, 5.0], [1, 2])
    """
    curve = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    spread = [more["sigma"]] if "sigma" in more else []
    keys = np.vstack([*spread, y, *x[::-1], curve])
    order = np.lexsort(keys)
    ordered = keys[:, order]
    first = np.flatnonzero(np.append(True, (np.diff(ordered) != 0).any(axis=0))[: len(curve)])
    counts = np.diff(np.append(first, len(curve)))
    chosen = order[first]
    made = {name: values[chosen] for name, values in more.items()}
    if "weights" in more and len(first):
        made["weights"] = np.add.reduceat(more["weights"][order], first)
    parts = np.searchsorted(curve[chosen], np.arange(len(ends)))
    return Distinct(parts, x[:, chosen], y[chosen], counts, made)
