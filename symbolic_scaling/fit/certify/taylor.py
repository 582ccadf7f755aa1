"""Vectors over cells to second order, and their scalar products: the arithmetic of the lower bound.

``a(theta) = a_0 + a_k d_k + sum over pairs k <= l of c_kl a_kl d_k d_l``, with ``d = theta - theta_0``, ``c_kl`` 1/2
where ``k = l`` and 1 elsewhere, and ``a_kl`` anywhere in a range row by row. The product of two such vectors is

    z_0 + z_k d_k + sum q_kl d_k d_l,

where the terms of third and fourth order go into the radius of ``q``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from ..solve import Floats
from .intervals import Interval
from .quadratic import pairs

__all__ = ["Cells", "Product", "Vectors", "product"]


@dataclass(frozen=True, eq=False)
class Cells:
    """From the reference points to the cells' ends: ``below`` <= 0 <= ``above``, each (m, d)."""

    below: Floats
    above: Floats

    @cached_property
    def reach(self) -> Floats:
        """The largest ``|d_k|`` (m, d)."""
        return np.maximum(-self.below, self.above)

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """The monomials of second order."""
        return pairs(self.below.shape[1])

    @cached_property
    def share(self) -> Floats:
        """The coefficients ``c_kl`` (p,)."""
        return np.array([0.5 if k == other else 1.0 for k, other in self.pairs])

    @cached_property
    def monomials(self) -> Floats:
        """The largest ``|d_k d_l|`` (m, p)."""
        reach = self.reach
        found: Floats = (
            np.stack([reach[:, k] * reach[:, other] for k, other in self.pairs], axis=1)
            if self.pairs
            else (np.zeros((len(reach), 0)))
        )
        return found


@dataclass(frozen=True, eq=False)
class Vectors:
    """``first`` (m, c, 1 + d, n): values and slopes at the reference points, errors of norm ``slip`` (m, c, 1 + d).

    ``second``, ``radius`` (m, c, p, n): middles and half widths of the ranges; ``blur`` (m, c, p): the middles' errors.
    """

    first: Floats
    slip: Floats
    second: Floats
    radius: Floats
    blur: Floats

    def only(self, which: object) -> Vectors:
        """Those cells."""
        return Vectors(*(getattr(self, f.name)[which] for f in fields(self)))

    def take(self, which: object) -> Vectors:
        """Those vectors of every cell."""
        return Vectors(*(getattr(self, f.name)[:, which] for f in fields(self)))

    def beside(self, other: Vectors) -> Vectors:
        """Both sets of vectors."""
        return Vectors(*(np.concatenate([getattr(self, f.name), getattr(other, f.name)], axis=1) for f in fields(self)))

    def mixed(self, matrix: Floats) -> Vectors:
        """Linear combinations: ``matrix`` (m, c', c)."""
        size = np.abs(matrix)
        return Vectors(
            np.einsum("mij,mjkn->mikn", matrix, self.first),
            np.einsum("mij,mjk->mik", size, self.slip),
            np.einsum("mij,mjkn->mikn", matrix, self.second),
            np.einsum("mij,mjkn->mikn", size, self.radius),
            np.einsum("mij,mjk->mik", size, self.blur),
        )

    @cached_property
    def norms(self) -> Floats:
        """Of values and slopes, errors included (m, c, 1 + d)."""
        found: Floats = np.sqrt(np.einsum("mckn,mckn->mck", self.first, self.first)) + self.slip
        return found

    @cached_property
    def bends(self) -> Floats:
        """Largest norms of the second derivatives (m, c, p)."""
        middle = np.sqrt(np.einsum("mckn,mckn->mck", self.second, self.second))
        found: Floats = middle + np.sqrt(np.einsum("mckn,mckn->mck", self.radius, self.radius)) + self.blur
        return found

    def changes(self, cells: Cells) -> Floats:
        """How far each vector can be from its value at the reference point (m, c)."""
        slopes = np.einsum("mck,mk->mc", self.norms[:, :, 1:], cells.reach)
        found: Floats = slopes + np.einsum("p,mcp,mp->mc", cells.share, self.bends, cells.monomials)
        return found


@dataclass(frozen=True, eq=False)
class Product:
    """``value`` (m, c), ``slope`` (m, c, d) and ``bend`` (m, c, p), each a middle and a radius."""

    value: Interval
    slope: Interval
    bend: Interval

    def sizes(self, cells: Cells) -> tuple[Floats, Floats]:
        """Bounds of the absolute value to first order and of what second order adds (m, c)."""
        slope = np.einsum("mck,mk->mc", np.abs(self.slope[0]) + self.slope[1], cells.reach)
        return np.abs(self.value[0]) + self.value[1] + slope, np.einsum("mcp,mp->mc", self.largest, cells.monomials)

    @cached_property
    def largest(self) -> Floats:
        """The largest second-order coefficients (m, c, p)."""
        return np.abs(self.bend[0]) + self.bend[1]


def product(a: Vectors, s: Vectors, cells: Cells, unit: float) -> Product:
    """The products of vectors ``a`` with the one vector ``s`` of each cell.

    ``unit`` times the norms bounds the rounding of a scalar product. The term of fourth order is left out of the first
    product, which is that of ``s`` with itself: there it is a square.
    """
    one, bent, wide = s.first[:, 0], s.second[:, 0], s.radius[:, 0]
    table = np.einsum("mckn,mln->mckl", a.first, one)
    left = np.einsum("mckn,mpn->mckp", a.first, bent)
    right = np.einsum("mcpn,mkn->mckp", a.second, one)
    spread = np.einsum("mckn,mpn->mckp", np.abs(a.first), wide) + np.einsum("mcpn,mkn->mckp", a.radius, np.abs(one))
    n_a, n_s, e_s = a.norms, s.norms[:, 0], s.slip[:, 0]
    error = n_a[..., None] * (e_s + unit * n_s)[:, None, None] + a.slip[..., None] * n_s[:, None, None]
    blur = (
        n_a[..., None] * (s.blur[:, 0] + unit * s.bends[:, 0])[:, None, None] + a.slip[..., None] * s.bends[:, :, None]
    )
    blur += (a.blur + unit * a.bends)[:, :, None] * n_s[:, None, :, None] + a.bends[:, :, None] * e_s[:, None, :, None]
    spread += blur
    third = np.einsum("mckp,mk->mcp", (np.abs(left) + np.abs(right) + spread)[:, :, 1:], cells.reach)
    fourth = a.bends * np.einsum("p,mp,mp->m", cells.share, s.bends[:, 0], cells.monomials)[:, None, None]
    fourth[:, 0] = 0.0
    middle = cells.share * (left + right)[:, :, 0]
    radius = cells.share * (spread[:, :, 0] + third + fourth)
    for p, (k, other) in enumerate(cells.pairs):
        for i, j in {(k, other), (other, k)}:
            middle[:, :, p] += table[:, :, 1 + i, 1 + j]
            radius[:, :, p] += error[:, :, 1 + i, 1 + j]
    slope = table[:, :, 1:, 0] + table[:, :, 0, 1:], error[:, :, 1:, 0] + error[:, :, 0, 1:]
    return Product((table[:, :, 0, 0], error[:, :, 0, 0]), slope, (middle, radius))
