"""Problems that share rows and box and differ in weights, responses or targets, minimised member by member."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .solve import Floats

__all__ = ["Family", "Index", "squared"]

Index: TypeAlias = NDArray[np.int_]
#: residuals -> rho, rho', rho'' of each, and rho'(r)/r
Loss: TypeAlias = Callable[[Floats], tuple[Floats, Floats, Floats, Floats]]

_APART = 1e-5  # differences of the Jacobian, relative to a coordinate


def squared(r: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The squared loss ``r**2``, with its slope, bend and slope over r."""
    two = np.broadcast_to(2.0, r.shape)
    return r * r, 2 * r, two, two


@dataclass(frozen=True, eq=False)
class Family:
    """Problems that share rows and box.

    Parameters
    ----------
    rows : callable
        Coordinates (k, p) and the numbers of their members (k,) -> residuals (k, n) and Jacobian (p, k, n).
    weights : callable
        The numbers of members (k,) -> their weights (k, n).
    lo, hi : array (p,)
        The box.
    loss : callable
        Residuals (k, n) -> rho, rho', rho'' and rho'(r)/r.
    squares : int
        So many rows, the last ones, are squared whatever the loss: priors, and what holds a quantity at a target.
    """

    rows: Callable[[Floats, Index], tuple[Floats, Floats]]
    weights: Callable[[Index], Floats]
    lo: Floats
    hi: Floats
    loss: Loss = squared
    squares: int = 0

    def lost(self, r: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Loss, slope, bend and slope over r of all rows."""
        if not self.squares:
            return self.loss(r)
        parts = zip(self.loss(r[..., : -self.squares]), squared(r[..., -self.squares :]), strict=True)
        rho, slope, bend, ratio = (np.concatenate(pair, axis=-1) for pair in parts)
        return rho, slope, bend, ratio

    def costs(self, u: Floats, who: Index) -> Floats:
        """What is minimised (k,), infinite where it is undefined."""
        with np.errstate(all="ignore"):
            found = np.einsum("kn,kn->k", self.weights(who), self.lost(self.rows(u, who)[0])[0])
        return np.where(np.isfinite(found), found, np.inf)

    def roots(self, u: Floats, who: Index) -> tuple[Floats, Floats]:
        """Rows (k, n) whose squares add to the costs, and their Jacobian (k, n, p), as :mod:`.solve` takes them."""
        r, jacobian = self.rows(u, who)
        with np.errstate(all="ignore"):
            value, slope, _, _ = self.lost(r)
            size = np.sqrt(value)
            root = np.sqrt(self.weights(who))
            factor = root * np.where(size > 0, np.abs(slope) / (2 * size), 1.0)
            return root * np.copysign(size, r), (jacobian * factor).transpose(1, 2, 0)

    def curvature(self, u: Floats) -> Floats:
        """The second derivatives (n, p, p) of the first member's residuals at u (p,), by central differences."""
        p = len(u)
        h = _APART * np.maximum(np.abs(u), 1e-2)
        low, high = np.clip(u - h, self.lo, self.hi), np.clip(u + h, self.lo, self.hi)
        ends = np.concatenate([np.where(np.eye(p, dtype=bool), end, u) for end in (low, high)])
        _, jacobian = self.rows(ends, np.zeros(2 * p, dtype=np.int_))
        gaps = np.where(high > low, high - low, np.inf)
        with np.errstate(invalid="ignore"):
            bent = (jacobian[:, p:] - jacobian[:, :p]) / gaps[None, :, None]
        bent = np.nan_to_num(bent, nan=0.0, posinf=0.0, neginf=0.0)
        both: Floats = (bent + bent.transpose(1, 0, 2)).transpose(2, 0, 1) / 2
        return both
