"""From a log residual to what is squared: the kind of residual, the spread of each row, and the loss.

A compiled residual is ``r = log y - log y_hat``, or the ``equation``'s. What a fit minimises is the sum over rows of
``weight * rho(z)``, with ``z`` made of ``r``:

============  ==========================================================
response      ``z = r/sigma``; ``sigma`` is that of ``log y``
equation      ``z = r/sigma``; of ``log left - log right``
relative      ``z = (y - y_hat)/y/sigma = (1 - exp(-r))/sigma``
absolute      ``z = (y - y_hat)/sigma``; ``sigma`` is that of ``y``
log1p         ``z = (log(1 + y) - log(1 + y_hat))/sigma``: RMSLE, as BNSL's own script fits (arXiv 2210.14891)
============  ==========================================================

Losses, as functions of ``z`` and a size ``delta``: ``squared`` z^2; ``huber`` z^2/2 up to delta and
``delta*(|z| - delta/2)`` beyond (Huber 1964, doi 10.1214/aoms/1177703732; Chinchilla, arXiv 2203.15556, takes 1e-3);
``soft-l1`` ``delta^2*(sqrt(1 + (z/delta)^2) - 1)``. A sum of squares is all that the solver knows: it is given
``s(z) = sign(z)*sqrt(2*rho(z))`` and its slope, so that the squares add to twice the loss.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import FitError
from .solve import Floats

__all__ = ["LOSSES", "RESIDUALS", "Measure"]

RESIDUALS = ("response", "equation", "relative", "absolute", "log1p")
LOSSES = ("squared", "huber", "soft-l1")


@dataclass(frozen=True)
class Measure:
    """A kind of residual and a loss.

    Parameters
    ----------
    residual : {"response", "equation", "relative", "absolute", "log1p"}
    loss : {"squared", "huber", "soft-l1"}
    delta : float
        Where a robust loss leaves the parabola, in units of ``z``.
    one : float
        The 1 of ``log1p`` in the unit of the response.

    Raises
    ------
    FitError
        For another name, or a ``delta`` that is no positive number.

    Examples
    --------
    >>> huber = Measure("response", "huber", delta=0.5)
    >>> s, slope = huber.roots(np.array([0.3, -1.25]))
    >>> s.tolist(), slope.tolist(), (s**2 / 2).tolist()
    ([0.3, -1.0], [1.0, 0.5], [0.045, 0.5])
    """

    residual: str = "response"
    loss: str = "squared"
    delta: float = 1e-3
    one: float = 1.0

    def __post_init__(self) -> None:
        for what, given, known in (("residual", self.residual, RESIDUALS), ("loss", self.loss, LOSSES)):
            if given not in known:
                raise FitError("measure a fit", f"{what} {given!r}", f"give one of {', '.join(known)}")
        if not (np.isfinite(self.delta) and self.delta > 0):
            raise FitError("measure a fit", f"delta = {self.delta!r}", "give a positive number")

    @property
    def kind(self) -> str:
        """The compiled residual that it starts from: ``response`` or ``equation``."""
        return "equation" if self.residual == "equation" else "response"

    @property
    def robust(self) -> bool:
        """Whether the loss is another than the square."""
        return self.loss != "squared"

    @property
    def plain(self) -> bool:
        """Whether the compiled residual is squared as it is, but for weights."""
        return not self.robust and self.residual == self.kind

    @property
    def text(self) -> str:
        """The objective in words, for one row.

        Examples
        --------
        >>> Measure().text, Measure("relative", "huber", 0.01).text
        ('squared log residual', 'Huber(0.01) of relative residual')
        """
        of = f"{'log' if self.residual in ('response', 'equation') else self.residual} residual"
        name = "Huber" if self.loss == "huber" else "soft L1"
        return f"{name}({self.delta:g}) of {of}" if self.robust else f"squared {of}"

    @property
    def share(self) -> float:
        """The printed loss over the sum of squares that is minimised."""
        return 0.5 if self.robust else 1.0

    def factor(self, y: Floats, inverse: Floats | None) -> Floats | float:
        """What the kind's relative or log residual is multiplied by while it is small.

        That is ``inverse`` of sigma, times y for ``absolute`` and y/(1 + y) for ``log1p``.
        """
        if self.residual in ("absolute", "log1p"):
            share = y if self.residual == "absolute" else y / (self.one + y)
            return share if inverse is None else share * inverse
        return 1.0 if inverse is None else inverse

    def residuals(self, r: Floats, y: Floats, inverse: Floats | None = None) -> Floats:
        """``z`` for compiled residuals, as :meth:`__call__` takes them."""
        factor = self.factor(y, inverse)
        if self.residual == "log1p":
            share = y / (self.one + y)
            return np.asarray(-np.log1p(share * np.expm1(-r)) * (factor / share))
        z: Floats = (r if self.residual == self.kind else -np.expm1(-r)) * factor
        return z

    def slopes(self, r: Floats, y: Floats, inverse: Floats | None = None) -> Floats:
        """The slope of :meth:`residuals` in the compiled residual."""
        factor = self.factor(y, inverse)
        if self.residual == "log1p":
            return np.asarray(factor / (np.exp(r) + (y / (self.one + y)) * -np.expm1(r)))
        slope: Floats = (np.ones_like(r) if self.residual == self.kind else np.exp(-r)) * factor
        return slope

    def roots(self, z: Floats) -> tuple[Floats, Floats]:
        """``s(z)`` and its slope."""
        if self.loss == "huber":
            size = np.abs(z)
            root = np.where(size > self.delta, np.sqrt(self.delta * np.maximum(2 * size - self.delta, 0)), size)
            return np.copysign(root, z), np.where(size > self.delta, self.delta / np.maximum(root, self.delta), 1.0)
        if self.loss == "soft-l1":
            t = np.hypot(1.0, z / self.delta)
            return z * np.sqrt(2 / (t + 1)), np.sqrt((t + 1) / 2) / t
        return z, np.ones_like(z)

    def weights(self, z: Floats) -> Floats:
        """``rho'(z)/z``: the weights under which a squared fit has the same gradient (n,)."""
        if self.loss == "huber":
            return np.asarray(self.delta / np.maximum(np.abs(z), self.delta))
        return np.asarray(1 / np.hypot(1.0, z / self.delta)) if self.robust else np.ones_like(z)

    def curvatures(self, z: Floats) -> Floats:
        """``rho''(z)`` (n,)."""
        if self.loss == "huber":
            return (np.abs(z) <= self.delta).astype(np.float64)
        return np.asarray(np.hypot(1.0, z / self.delta) ** -3.0) if self.robust else np.ones_like(z)

    def parts(self, z: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """The loss, its slope, its curvature, and its slope over ``z``, each of the shape of ``z``.

        Examples
        --------
        >>> [part.tolist() for part in Measure("response", "huber", 0.5).parts(np.array([0.3, -1.25]))]
        [[0.045, 0.5], [0.3, -0.5], [1.0, 0.0], [1.0, 0.4]]
        """
        twice = 2 * self.share
        weights = twice * self.weights(z)
        return self.share * self.roots(z)[0] ** 2, z * weights, twice * self.curvatures(z), weights

    def __call__(self, r: Floats, y: Floats, inverse: Floats | None = None) -> tuple[Floats, Floats]:
        """What is squared, and its slope in the compiled residual.

        Parameters
        ----------
        r : array (..., n)
            Compiled residuals.
        y : array (..., n)
            The response that they belong to.
        inverse : array (n,), optional
            ``1/sigma``.
        """
        s, slope = self.roots(self.residuals(r, y, inverse))
        return s, slope * self.slopes(r, y, inverse)
