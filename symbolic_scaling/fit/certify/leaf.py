"""The statement of :mod:`.bound` for one leaf, in ball arithmetic on the raw residual.

Trials and patterns are guessed in floating point; whatever they are, the statement holds for them. The constant columns
are projected off by a Schur complement: ``<P a, P b> = <a, b> - <a, N> <N, N>^-1 <N, b>``, exact within balls. Before
that, each vector is shifted along ``N``, which ``P`` does not notice, to be nearly orthogonal to it; that keeps the
balls small.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb_mat
from numpy.typing import NDArray

from ..linear import bounded
from ..solve import Floats
from .problem import Terms
from .quadratic import pairs
from .raw import Ball, Balls, Raw, ball

__all__ = ["Leaf", "Quadratic"]

_SHARE = 0.01


@dataclass(frozen=True)
class Quadratic:
    """``low + g d + d^T H d`` on a rectangle: ends of ``g`` (d, 2) and ``h`` (p, 2) rounded outward, ``reach`` (d, 2).

    ``pressed`` are the held coordinates whose sign is not certain.
    """

    low: float
    g: Floats
    h: Floats
    reach: Floats
    pressed: tuple[int, ...]


class Leaf:
    """One cell ``lo`` to ``hi`` (d,) about ``at``; ``ends`` (2, q) is the box of the linear coordinates."""

    def __init__(self, raw: Raw, terms: Terms, ends: Floats, box: tuple[Floats, Floats, Floats]) -> None:
        self.raw, self.terms, self.moving, self.ends = raw, terms, terms.moving, ends
        lo, hi, at = box
        self.d = len(at)
        self.pairs = pairs(self.d)
        self.point = [(float(a), float(a)) for a in at]
        self.cell = list(zip(lo.tolist(), hi.tolist(), strict=True))
        self.sides = np.stack([np.nextafter(lo - at, -np.inf), np.nextafter(hi - at, np.inf)], axis=1)
        self.reach = [ball(a, b) for a, b in self.sides]
        self.monomials = [self.reach[k] * self.reach[m] if k != m else self._square(k) for k, m in self.pairs]
        self.share = [0.5 if k == m else 1.0 for k, m in self.pairs]

    def _square(self, k: int) -> Ball:
        largest = self.reach[k].abs_upper()
        return ball(0.0, 0.0).union(largest * largest)

    def vectors(self, part: int, relative: bool = False) -> list[tuple[Balls, Floats]]:
        """Value, slopes and second derivatives of a part; the latter relative to one row where that is allowed."""
        first = [self.raw.vector(part, k, self.point) for k in range(1 + self.d)]
        return first + [self.raw.vector(part, 1 + self.d + p, self.cell, relative) for p in range(len(self.pairs))]

    def held(self) -> NDArray[np.int_]:
        """Which linear coordinates the minimiser at the reference point has on an end (q,)."""
        columns = np.stack([self.vectors(part)[0][1] for part in (*range(1, 1 + len(self.moving)), 0)])
        u = bounded((columns @ columns.T)[..., None], *self.ends)[0][:, 0]
        return (u >= self.ends[1]).astype(np.int_) - (u <= self.ends[0])

    def bound(self, held: NDArray[np.int_]) -> Quadratic:
        """The lower bound with a pattern of held coordinates.

        Raises
        ------
        ZeroDivisionError
            If the balls are too wide for the columns to be independent.
        """
        free = [j for j in range(len(held)) if self.moving[j] and not held[j]]
        kept = [j for j in range(len(held)) if held[j]]
        fixed = [j for j in range(len(held)) if not self.moving[j] and not held[j]]
        gram = self._gram(free, kept, fixed, held)
        return _Products(self, gram, len(free), kept).quadratic(held)

    def _gram(self, free: list[int], kept: list[int], fixed: list[int], held: NDArray[np.int_]) -> Any:
        """The Gram matrix after ``P`` of ``s``, then of every free and kept column, each with its derivatives."""
        relative = self.terms.constant in fixed
        sets = [self.vectors(part, relative) for part in (0, *(1 + j for j in (*free, *kept)))]
        size = len(sets[0])
        balls = [vector for one in sets for vector, _ in one]
        floats = np.stack([vector for one in sets for _, vector in one])
        steady = [self.vectors(1 + j)[0] for j in fixed]
        N = np.array([vector for _, vector in steady]).reshape(len(fixed), floats.shape[1])
        along = np.linalg.lstsq(N.T, floats.T, rcond=None)[0].T
        ends = [float(self.ends[0 if held[j] < 0 else 1, j]) for j in kept]
        mixed = self._mixed(floats - along @ N, (len(free), size), ends)
        weights = _middles(mixed) @ along
        live, n = [i for i, vector in enumerate(balls) if vector], len(balls)
        rows = [[row[i] for i in live] + [-w for w in more] for row, more in zip(mixed, weights.tolist(), strict=True)]
        rows += [[0.0] * len(live) + [float(i == j) for j in range(len(fixed))] for i in range(len(fixed))]
        vectors = arb_mat(rows) * arb_mat([*(balls[i] for i in live), *(vector for vector, _ in steady)])
        table = vectors * vectors.transpose()
        if not fixed:
            return table

        def block(a: range, b: range) -> Any:
            return arb_mat([[table[i, j] for j in b] for i in a])

        one, two = range(n), range(n, n + len(fixed))
        return block(one, one) - block(one, two) * block(two, two).inv() * block(two, one)

    def _mixed(self, floats: Floats, shape: tuple[int, int], ends: list[float]) -> list[list[Any]]:
        """The matrix that makes ``s`` of the offset: the minimiser at the reference point and its slope, guessed."""
        count, size = shape
        total, d = len(floats), self.d
        A = floats[size : (1 + count) * size : size]
        v, slope = np.zeros(total), np.zeros((d, count))
        v[0], v[(1 + count) * size :: size] = 1.0, ends
        v[size : (1 + count) * size : size] = np.linalg.lstsq(A.T, -v @ floats, rcond=None)[0]
        s, held = v @ floats, v[::size]
        for k in range(d):
            turned = held @ floats[1 + k :: size]
            moved = floats[size + 1 + k : (1 + count) * size : size] @ s
            slope[k] = np.linalg.lstsq(A @ A.T, -(moved + A @ turned), rcond=None)[0]
        rows: list[list[Any]] = [[float(i == j) for j in range(total)] for i in range(total)]
        for c, value in enumerate(held.tolist()):
            rates = slope[:, c - 1].tolist() if 0 < c <= count else [0.0] * d
            for k in range(1 + d):
                rows[k][c * size + k] = value
            for k in range(d):
                rows[1 + k][c * size] = rows[1 + k][c * size] + rates[k]
            for p, (k, m) in enumerate(self.pairs):
                row = rows[1 + d + p]
                row[c * size + 1 + d + p] = value + sum((rates[i] * self.reach[i] for i in range(d)), ball(0.0, 0.0))
                row[c * size + 1 + m] = row[c * size + 1 + m] + rates[k]
                row[c * size + 1 + k] = row[c * size + 1 + k] + rates[m]
        return rows


def _middles(rows: list[list[Any]]) -> Floats:
    return np.array([[value if isinstance(value, float) else float(value.mid()) for value in row] for row in rows])


class _Products:
    """Products with ``s`` to second order, from a Gram matrix of the vectors' derivatives."""

    def __init__(self, leaf: Leaf, gram: Any, count: int, kept: list[int]) -> None:
        self.leaf, self.gram, self.count, self.kept = leaf, gram, count, kept
        self.size = 1 + leaf.d + len(leaf.pairs)

    def of(self, c: int, b: int = 0, square: bool = False) -> tuple[Ball, Balls, Balls]:
        """Value, slopes and second-order coefficients of the product of vectors ``c`` and ``b``.

        ``square`` leaves out the term of fourth order, which is a square.
        """
        d, share, reach = self.leaf.d, self.leaf.share, self.leaf.reach

        def at(i: int, j: int) -> Ball:
            return self.gram[c * self.size + i, b * self.size + j]

        slope = [at(0, 1 + k) + at(1 + k, 0) for k in range(d)]
        bend = []
        for p, (k, m) in enumerate(self.leaf.pairs):
            q = at(0, 1 + d + p) + at(1 + d + p, 0)
            q += sum((reach[i] * (at(1 + i, 1 + d + p) + at(1 + d + p, 1 + i)) for i in range(d)), ball(0.0, 0.0))
            if not square:
                for other, monomial in enumerate(self.leaf.monomials):
                    q += share[other] * monomial * at(1 + d + p, 1 + d + other)
            q *= share[p]
            q += at(1 + k, 1 + m) + (at(1 + m, 1 + k) if k != m else 0)
            bend.append(q)
        return at(0, 0), slope, bend

    def whole(self, c: int, b: int) -> Ball:
        """The product anywhere in the cell."""
        value, slope, bend = self.of(c, b)
        return value + _dot(slope, self.leaf.reach) + _dot(bend, self.leaf.monomials)

    def quadratic(self, held: NDArray[np.int_]) -> Quadratic:
        """The statement's right side."""
        value, g, h = self.of(0, 0, square=True)
        e, low = ball(0.0, 0.0), value
        if self.count:
            free = range(1, 1 + self.count)
            inverse = arb_mat([[self.whole(i, j) for j in free] for i in free]).inv()
            made = [self.of(c) for c in free]
            first = arb_mat([[z + _dot(slope, self.leaf.reach)] for z, slope, _ in made])
            bends = arb_mat([bend for _, _, bend in made]) if h else arb_mat(self.count, 0)
            second = bends.transpose() * inverse * bends
            low = low - (1 + 1 / _SHARE) * (first.transpose() * inverse * first)[0, 0]
            for p in range(len(h)):
                h[p] -= (1 + _SHARE) * _dot([second[p, other] for other in range(len(h))], self.leaf.monomials)
            both = [self.whole(c, 0) for c in free]
            z = arb_mat([[entry] for entry in both])
            e = (z.transpose() * inverse * z)[0, 0].abs_upper().sqrt()
        pressed = []
        for place, j in enumerate(self.kept):
            c = 1 + self.count + place
            certain = -int(held[j]) * self.whole(c, 0) - e * self.whole(c, c).abs_upper().sqrt()
            if not certain >= 0:
                pressed.append(j)
                low = low - 2 * (self.leaf.ends[1, j] - self.leaf.ends[0, j]) * -certain.lower()
        g_ends, h_ends = (np.array([_ends(q) for q in row]).reshape(-1, 2) for row in (g, h))
        return Quadratic(_ends(low)[0], g_ends, h_ends, self.leaf.sides, tuple(pressed))


def _dot(one: Balls, two: Balls) -> Ball:
    return sum((a * b for a, b in zip(one, two, strict=True)), ball(0.0, 0.0))


def _ends(value: Ball) -> tuple[float, float]:
    """The ends of a ball, rounded outward."""
    return float(np.nextafter(float(value.lower()), -np.inf)), float(np.nextafter(float(value.upper()), np.inf))
