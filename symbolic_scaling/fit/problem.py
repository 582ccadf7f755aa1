"""What a fit is asked: all that is needed to repeat it, as a frozen record."""

from __future__ import annotations

from dataclasses import dataclass

from ..law import Law
from .loss import Measure
from .priors import Given
from .solve import Floats

__all__ = ["FitProblem"]


@dataclass(frozen=True, eq=False)
class FitProblem:
    """All that is needed to repeat a fit.

    Parameters
    ----------
    law : Law
    residual : {"response", "equation", "relative", "absolute", "log1p"}
    x : tuple of (name, array (n,))
        The rows used, distinct ones only.
    y, counts : array (n,)
        Response, and how often each row stood in the table.
    fix : tuple of (name, value)
        Constants that are not fitted.
    bounds : tuple of (name, (lo, hi))
        Bounds of the user's.
    seed : int
        For scattered starts and the restart.
    target : {"numpy", "numba"}
        What evaluates and searches.
    rows_used, rows_dropped : tuple
        Row numbers from 1; dropped ones with their reason.
    digest : str
        SHA-256 of the rows used.
    versions : tuple of (package, version)
    loss, delta, reduce : str, float, str
        What is summed over the rows, and whether the sum or the mean is printed.
    weights, sigma : array (n,), optional
        The user's, of the distinct rows.
    priors : tuple of (expression, value, deviation)
    noise : float
        The spread of a row that priors are weighed against, where no sigma is given.
    tie : tuple of (name, expression)
        Constants that ``law`` no longer has, in those that it has.
    places : tuple of int
        Which distinct row each of ``rows_used`` is, from 0.
    """

    law: Law
    residual: str
    x: tuple[tuple[str, Floats], ...]
    y: Floats
    counts: Floats
    fix: tuple[tuple[str, float], ...] = ()
    bounds: tuple[tuple[str, tuple[float, float]], ...] = ()
    seed: int = 0
    target: str = "numpy"
    rows_used: tuple[int, ...] = ()
    rows_dropped: tuple[tuple[int, str], ...] = ()
    digest: str = ""
    versions: tuple[tuple[str, str], ...] = ()
    loss: str = "squared"
    delta: float = 1e-3
    reduce: str = "mean"
    weights: Floats | None = None
    sigma: Floats | None = None
    priors: Given = ()
    noise: float = 1.0
    tie: tuple[tuple[str, str], ...] = ()
    places: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for array in (*(column for _, column in self.x), self.y, self.counts, self.weights, self.sigma):
            if array is not None:
                array.flags.writeable = False

    @property
    def measure(self) -> Measure:
        """The kind of residual and the loss."""
        return Measure(self.residual, self.loss, self.delta)

    @property
    def plain(self) -> bool:
        """Whether all that is added are squares of the compiled residual, every distinct row alike."""
        return self.measure.plain and self.weights is None and self.sigma is None and not self.priors

    @property
    def known(self) -> bool:
        """Whether sigma says how large the noise is."""
        return self.sigma is not None and self.loss == "squared"

    @property
    def loads(self) -> Floats:
        """What each distinct row counts: its weights added, or how often it stood in the table (n,)."""
        return self.counts if self.weights is None else self.weights
