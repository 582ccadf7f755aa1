"""Branch and bound: a box as a tree of cells, halved until every leaf's lower bound is near the claimed minimum.

The tree is its own witness. Its roots are the products of the intervals between ``edges``; every generation is one
string with a letter a cell: ``.`` a leaf, ``0`` or ``1`` the side that is halved. The next generation are all lower
halves, then all upper halves. So the leaves cover the box by construction, whoever rebuilds them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from ...budget import remaining
from ...errors import FitError
from ..axes import axis
from ..solve import Floats
from .bound import lower
from .problem import Problem

__all__ = ["Search", "halves", "leaves", "search"]

_ROOTS = {0: 0, 1: 24, 2: 12}  # intervals a side, by the number of searched constants
_BLOCK = 256
_WIDE = 4.0  # a cell whose ends are this far apart by ratio is halved by ratio

Edges = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, eq=False)
class Search:
    """What came of it: the tree, the least lower bound of the leaves, and the lowest point met."""

    edges: Edges
    tree: tuple[str, ...]
    bound: float
    lowest: float
    at: Floats

    @property
    def leaves(self) -> int:
        """How many cells there are in the end."""
        return sum(generation.count(".") for generation in self.tree)

    @property
    def seen(self) -> int:
        """How many cells were looked at."""
        return sum(map(len, self.tree))


def search(problem: Problem, near: Floats, target: float, refuted: float, most: int) -> Search:
    """Halve cells until each has a lower bound of ``target``, a point is met below ``refuted``, or the budget ends.

    Parameters
    ----------
    problem : Problem
    near : array (d,)
        The claimed minimum.
    target, refuted : float
    most : int
        Cells; the deadline around the call ends the search too.
    """
    edges, tree, bound, lowest, at = _edges(problem), [], np.inf, np.inf, near
    lo, hi = _roots(edges)
    seen = 0
    while len(lo):
        blocks = [lower(problem, lo[i : i + _BLOCK], hi[i : i + _BLOCK], near) for i in range(0, len(lo), _BLOCK)]
        low, value, points, split = (
            np.concatenate([getattr(block, name) for block in blocks]) for name in ("lower", "value", "at", "split")
        )
        seen += len(lo)
        best = int(np.nanargmin(np.append(value, np.inf)))
        if best < len(value) and value[best] < lowest:
            lowest, at = float(value[best]), points[best]
        done = low >= target
        if seen + 2 * np.sum(~done) > most or remaining() <= 0 or lowest < refuted or not len(edges):
            done[:] = True
        bound = min(bound, float(low[done].min(initial=np.inf)))
        tree.append("".join("." if end else str(side) for end, side in zip(done, split, strict=True)))
        lo, hi = _halved(lo, hi, tree[-1])
    return Search(edges, tuple(tree), bound, lowest, at)


def leaves(edges: Edges, tree: tuple[str, ...]) -> tuple[Floats, Floats]:
    """The leaves of a tree, lower and upper ends (m, d) each.

    Raises
    ------
    FitError
        If the tree does not end in leaves.

    Examples
    --------
    >>> lo, hi = leaves(((0.0, 1.0, 2.0),), ("0.", ".."))
    >>> sorted(zip(lo[:, 0].tolist(), hi[:, 0].tolist()))
    [(0.0, 0.5), (0.5, 1.0), (1.0, 2.0)]
    """
    lo, hi = _roots(edges)
    found = []
    for generation in tree:
        if len(generation) != len(lo) or not set(generation) <= {".", *map(str, range(len(edges)))}:
            raise FitError("read the cells of a certificate", f"{len(lo)} cells, {len(generation)} letters", "certify")
        ends = np.array([letter == "." for letter in generation], dtype=bool)
        found.append((lo[ends], hi[ends]))
        lo, hi = _halved(lo, hi, generation)
    if len(lo) or not found:
        raise FitError("read the cells of a certificate", f"{len(lo)} cells are open", "certify again")
    return np.concatenate([a for a, _ in found]), np.concatenate([b for _, b in found])


def halves(lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
    """Cells (m, d) halved on every side: (m 2^d, d)."""
    for side in range(lo.shape[1]):
        lo, hi = _halved(lo, hi, str(side) * len(lo))
    return lo, hi


def _edges(problem: Problem) -> Edges:
    """Where the roots meet: spaced as a grid of starts is, by what the rows can show."""
    by_symbol = {c.symbol: c for c in problem.objective.coordinates}
    count = _ROOTS[len(problem.lo)]
    found = []
    for symbol, lo, hi in zip(problem.terms.rest, problem.lo, problem.hi, strict=True):
        values = axis(problem.objective.law, by_symbol[symbol], problem.objective.table, count)
        inner = sorted({float(value) for value in values if lo < value < hi})
        found.append((float(lo), *inner, float(hi)))
    return tuple(found)


def _roots(edges: Edges) -> tuple[Floats, Floats]:
    cells = [list(cell) for cell in product(*(list(pairwise(side)) for side in edges))]
    both = np.array(cells, dtype=np.float64).reshape(len(cells), len(edges), 2)
    return both[..., 0], both[..., 1]


def _halved(lo: Floats, hi: Floats, generation: str) -> tuple[Floats, Floats]:
    """The next generation."""
    which = np.array([i for i, letter in enumerate(generation) if letter != "."], dtype=np.int_)
    side = np.array([int(letter) for letter in generation if letter != "."], dtype=np.int_)
    row = np.arange(len(which))
    lo, hi = lo[which], hi[which]
    low, high, middle = lo.copy(), hi.copy(), _middle(lo[row, side], hi[row, side])
    high[row, side] = low[row, side] = middle
    return np.concatenate([lo, low]), np.concatenate([high, hi])


def _middle(lo: Floats, hi: Floats) -> Floats:
    """Between two ends: in the middle, or by ratio where they are of one sign and far apart."""
    small, large = np.minimum(np.abs(lo), np.abs(hi)), np.maximum(np.abs(lo), np.abs(hi))
    ratio = np.sign(hi + lo) * np.sqrt(small) * np.sqrt(large)
    return np.where((lo * hi > 0) & (large > _WIDE * small), ratio, lo + (hi - lo) / 2)
