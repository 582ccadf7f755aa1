"""A fit at its optimum: what its rows determine there, and the covariance of its free coordinates, off the walls.

With rows weighted by ``w`` (adding to one), residuals z, loss rho and Jacobian J of the residuals before the loss:

=============  =====================================================================================================
Gauss-Newton   ``k (sum w J J^T)^-1`` with ``k = sum w rho'^2 / freedom / (sum w rho'')^2``, which is ``s^2/n`` for
               squares (Huber 1964, doi 10.1214/aoms/1177703732), rho'' that of :mod:`.sparsity`; known with sigma
sandwich       ``B^-1 (sum w^2 rho'^2 J J^T) B^-1`` with ``B = sum w (rho'' J J^T + rho' C)``, C the curvature of the
               residuals, and each residual over 1 less its leverage (HC3: MacKinnon and White 1985, doi
               10.1016/0304-4076(85)90158-7)
=============  =====================================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import FitError
from ..law import Law
from .derived import Quantity
from .family import Family
from .kin import family
from .prepare import Ready, prepare
from .refit import starts
from .result import FitResult
from .solve import Floats
from .sparsity import bends
from .spread import reach_of, scale_of

__all__ = ["Local", "at_optimum", "lost"]

PRACTICAL = 1e-6  # singular values further apart than this: practically not identified
NOTHING = 1e-9  # residuals changed by a unit step of a coordinate
_WALL = 1e-9
_PUSH = 1e-6  # cosine between residual and column


@dataclass(frozen=True, eq=False)
class Local:
    """The optimum of a fit.

    Parameters
    ----------
    result : FitResult
    ready : Ready
    family : Family
        The problem itself as a family of one member.
    u : array (s, p)
        The coordinates of its minima, the lowest first.
    """

    result: FitResult
    ready: Ready
    family: Family
    u: Floats

    @cached_property
    def freedom(self) -> int:
        """Degrees of freedom."""
        return self.result.degrees_of_freedom

    @cached_property
    def loads(self) -> Floats:
        """The weights of the rows in the objective, priors last (n,)."""
        return self.family.weights(np.zeros(1, dtype=int))[0]

    @cached_property
    def weights(self) -> Floats:
        """The same with priors at what they are worth beside the rows: one over their own variance, in units of k."""
        priors, weights = self.ready.objective.priors, self.loads.copy()
        if priors is not None:
            weights[-self.family.squares :] = self.scale / priors.strength**2
        return weights

    @cached_property
    def _rows(self) -> tuple[Floats, Floats]:
        r, jacobian = self.family.rows(self.u[:1], np.zeros(1, dtype=int))
        return r[0], jacobian[:, 0].T

    @property
    def residuals(self) -> Floats:
        """Before the loss (n,)."""
        return self._rows[0]

    @property
    def jacobian(self) -> Floats:
        """Of the residuals before the loss (n, p)."""
        return self._rows[1]

    @cached_property
    def loss(self) -> tuple[Floats, Floats, Floats]:
        """The loss, half its slope and half its smoothed bend at each row; of squares these are z^2, z and 1."""
        rho, slope, bend, _ = self.family.lost(self.residuals[None])
        measure, own = self.ready.objective.measure, slice(len(self.loads) - self.family.squares)
        smooth = bends(measure, self.loads[own], self.residuals[own], self.freedom) / measure.share
        return rho[0], slope[0] / 2, np.append(smooth, bend[0, own.stop :]) / 2

    @cached_property
    def free(self) -> NDArray[np.bool_]:
        """Which coordinates are off their walls (p,); one that the rows do not push against its wall is free too."""
        u, lo, hi = self.u[0], self.family.lo, self.family.hi
        pull = self.jacobian.T @ (self.loads * self.loss[1])
        size, norms = np.sqrt(self.loads @ self.loss[1] ** 2), np.sqrt(self.loads @ self.jacobian**2)
        pushed = np.abs(pull) > _PUSH * norms * size
        low, high = u <= lo + _WALL * np.abs(lo), u >= hi - _WALL * np.abs(hi)
        return ~((low & pushed & (pull > 0)) | (high & pushed & (pull < 0)) | ((low | high) & (norms < NOTHING)))

    @cached_property
    def norms(self) -> Floats:
        """Of the weighted columns of the Jacobian (p,)."""
        return np.sqrt(self.weights @ self.jacobian**2)

    @cached_property
    def factors(self) -> tuple[Floats, Floats]:
        """Singular values and right vectors of the free weighted columns, each of norm 1."""
        live = self.free & (self.norms >= NOTHING)
        unit = np.sqrt(self.weights)[:, None] * self.jacobian[:, live] / self.norms[live]
        _, sizes, right = np.linalg.svd(unit, full_matrices=len(unit) < live.sum())
        return np.concatenate([sizes, np.zeros(live.sum() - len(sizes))]), right

    @cached_property
    def known(self) -> float | None:
        """``k`` where ``sigma`` says how large the noise is."""
        problem = self.result.problem
        if problem.sigma is None or problem.loss != "squared":
            return None
        return 1 / (float(problem.loads.sum()) * self.ready.size**2)

    def reach(self, level: float) -> float:
        """How many errors an interval reaches: Student's quantile, the normal one where the noise is known."""
        return reach_of(0 if self.known is not None else self.freedom, level)

    @cached_property
    def leverage(self) -> Floats:
        """The part of each row's residual that the fit takes up (n,)."""
        live = self.free & (self.norms >= NOTHING)
        sizes, right = self.factors
        steep = sizes > PRACTICAL * sizes.max(initial=0.0)
        along = self.jacobian[:, live] @ (right[steep] / self.norms[live] / sizes[steep, None]).T
        return np.asarray(self.weights * np.einsum("nf,nf->n", along, along))

    @cached_property
    def scale(self) -> float:
        """``k`` of the Gauss-Newton covariance.

        Raises
        ------
        FitError
            Without degrees of freedom, unless ``sigma`` is known.
        """
        _, slope, bend = self.loss
        rows = len(self.loads) - self.family.squares
        if self.known is not None:
            return self.known
        if self.freedom <= 0:
            raise FitError(
                f"find how sure {self.result.law.name} is",
                "0 degrees of freedom: the curve passes through every row",
                "add rows, or give sigma",
            )
        if np.isfinite(found := scale_of(self.loads[:rows], slope[:rows], bend[:rows], self.freedom)):
            return found
        raise self._straight()

    def _straight(self) -> FitError:
        found = "the loss is straight at nearly every row"
        return FitError(f"find how sure {self.result.law.name} is", found, "give a larger delta")

    @cached_property
    def rise(self) -> float:
        """How far the objective rises where a quantity moves by its Gauss-Newton error, the rest refitted."""
        rows = len(self.loads) - self.family.squares
        return self.scale * (1.0 if self.known is not None else float(self.loads[:rows] @ self.loss[2][:rows]))

    def root(self, sandwich: bool = False) -> Floats:
        """A matrix R (f, p) with ``R^T R`` the covariance of the coordinates; 0 for held and undetermined ones."""
        live = self.free & (self.norms >= NOTHING)
        sizes, right = self.factors
        steep = sizes > PRACTICAL * sizes.max(initial=0.0)
        made = np.zeros((int(steep.sum()), len(live)))
        axes = right[steep] / self.norms[live]  # (f, live): coordinates moved by a unit along each steep direction
        if not sandwich:
            made[:, live] = np.sqrt(self.scale) * axes / sizes[steep, None]
            return made
        _, slope, bend = self.loss
        along = self.jacobian[:, live] @ axes.T
        own = np.einsum("n,nij->ij", self.weights * slope, self.family.curvature(self.u[0]))[np.ix_(live, live)]
        bread = (along * (self.weights * bend)[:, None]).T @ along
        whole = bread + axes @ own @ axes.T
        whole = whole if np.linalg.eigvalsh(whole).min(initial=1.0) > 0 else bread
        pulls = along * (self.weights * slope / np.maximum(1 - self.leverage, 0.1))[:, None]
        triangle = np.linalg.qr(pulls, mode="r")
        made = np.zeros((len(triangle), len(live)))
        try:
            made[:, live] = triangle @ np.linalg.solve(whole, axes)
        except np.linalg.LinAlgError:
            raise self._straight() from None
        return made

    def along(self, quantity: Quantity) -> tuple[float, Floats]:
        """The Gauss-Newton error of a quantity as if there were no walls, and where its profile sets out to.

        Returns
        -------
        width : float
        direction : array (p,)
            The coordinates as the quantity moves by one.
        """
        _, slopes = self.gradient(quantity)
        largest = float(np.abs(slopes).max(initial=0.0)) or 1.0
        norms = np.where(self.norms >= NOTHING, self.norms, np.inf)
        _, sizes, right = np.linalg.svd(np.sqrt(self.weights)[:, None] * self.jacobian / norms, full_matrices=False)
        sizes = np.maximum(sizes, PRACTICAL * sizes.max(initial=0.0))
        parts = right @ (slopes / largest / norms) / sizes
        size = float(np.linalg.norm(parts))
        toward = (parts / sizes) @ right / norms
        return float(np.sqrt(self.scale)) * size * largest, toward / size**2 / largest if size else toward

    def gradient(self, quantity: Quantity) -> tuple[float, Floats]:
        """A quantity and its gradient in the coordinates (p,), of its logarithm where it is positive."""
        value, slopes = self.values(quantity, self.u[:1])
        return float(value[0]), slopes[:, 0]

    def values(self, quantity: Quantity, u: Floats) -> tuple[Floats, Floats]:
        """The same at coordinates (k, p): values (k,), NaN where :func:`lost`, and gradients (p, k)."""
        objective, frame = self.ready.objective, self.ready.frame
        inside = objective.constants(u)
        outside = frame.outside(inside)
        value, slopes = quantity(outside)
        value = np.where(lost(objective.law, quantity, outside), np.nan, value)
        return value, objective.chart.chain(frame.chain(slopes, inside)[..., None], u.T)[..., 0]


def lost(law: Law, quantity: Quantity, constants: Floats) -> NDArray[np.bool_]:
    """Whether a constant of a quantity, in the user's units (c, k), is too large or too small to be a number (k,)."""
    own = [s.name in quantity.constants for s in law.constants]
    never = [parameter.symbol.is_positive is True and not parameter.closed for parameter in law.parameters]
    gone = ~np.isfinite(constants) | ((constants == 0) & np.array(never)[:, None])
    return np.asarray(gone[own].any(axis=0))


def at_optimum(result: FitResult) -> Local:
    """The optimum of a fit, ready for intervals."""
    ready = prepare(result.problem)
    return Local(result, ready, family(ready.objective), starts(result, ready))
