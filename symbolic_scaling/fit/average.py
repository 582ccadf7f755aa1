r"""Averages of candidates, weighted by how their rolling extrapolations went, and how far the average is to be trusted.

Weights. Before any evidence "the response stays where it is" is one hypothesis among the laws; all have equal weight,
and so have the windows of a law. The evidence on a candidate is the root mean square error :math:`E_j` of its
extrapolation from each origin :math:`j`. A law that holds errs there by the noise of the rows that judge and by that of
its own constants, together :data:`SPREAD` times the noise ``s`` of a row; the error is taken as Student-t with 3
degrees of freedom on that scale, which does not let one origin decide. Origins overlap, so they count together as one
observation (their mean log likelihood)::

    w_m ~ prior_m * exp(mean_j log t_3(E_mj / (SPREAD * s)))

An origin where a candidate is not judged for want of rows says nothing about it: its likelihood there is the average of
those that are.

A running best, where the response never turns and repeats itself exactly, is not a table of measurements: a repeated
row says that nothing better came. There the odds of any further change are even before evidence, and as records scatter
less than what they are records of, the noise counts three times.

Bands. The variance of log y at a point is ``c^2 (s^2 + sum_m w_m (f_m - f)^2)``: noise, and how far law and window
matter there. The factor ``c^2`` is what the average's own rolling errors say of that variance, each origin foretold
with weights from the other origins only; it has a prior of :data:`DOUBT` observations at 1, which makes the band that
of a Student-t (the conjugate scaled inverse chi-square).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from .solve import Floats

__all__ = ["DOUBT", "SPREAD", "Calibration", "calibrate", "evidence", "mean", "prior", "weights"]

SPREAD = 1.5  # of an extrapolation by a law that holds, in units of the noise of a row
DOUBT = 3.0  # observations that the prior of the band's scale stands for
_FREEDOM = 3.0
_EVEN = 0.5  # odds of any change in a running best
_RECORDS = 3.0  # times the noise there


@dataclass(frozen=True)
class Calibration:
    """``scale`` times the foretold deviation is that of a Student-t with ``freedom`` degrees of freedom."""

    scale: float
    freedom: float


def prior(laws: Sequence[Hashable | None], records: bool = False) -> Floats:
    """The weights (m,) before evidence, by the law of each candidate; None stands for no change.

    Parameters
    ----------
    laws : sequence
    records : bool
        Whether the table is a running best.

    Examples
    --------
    >>> prior(["m1", "m2", "m2", "m3", None]).tolist()
    [0.25, 0.125, 0.125, 0.25, 0.25]
    >>> prior(["m1", "m2", "m2", None], records=True).tolist()
    [0.25, 0.125, 0.125, 0.5]
    """
    stays = _EVEN if records else 1 / len(set(laws))
    each = (1 - stays) / (len(set(laws)) - 1)
    return np.array([stays if law is None else each / laws.count(law) for law in laws])


def evidence(prior: Floats, squares: Floats, noise: float, records: bool = False) -> Floats:
    """Log likelihoods (m,) up to a constant.

    Parameters
    ----------
    prior : array (m,)
    squares : array (m, j)
        Mean squared errors at the origins; NaN where a candidate is not judged.
    noise : float
        Standard deviation of log y.
    records : bool
        Whether the table is a running best.

    Examples
    --------
    >>> evidence(np.array([0.5, 0.5]), np.array([[0.01], [np.nan]]), 0.01).round(6).tolist()
    [9.079701, 9.079701]
    """
    if not squares.shape[1]:
        return np.zeros(len(squares))
    unit = _FREEDOM * (SPREAD * (_RECORDS if records else 1.0) * noise) ** 2
    likely = (unit + squares) ** (-(_FREEDOM + 1) / 2)
    judged = ~np.isnan(squares)
    neutral = np.sum(np.where(judged, prior[:, None] * likely, 0.0), axis=0) / np.sum(judged * prior[:, None], axis=0)
    with np.errstate(divide="ignore"):
        total: Floats = np.mean(np.log(np.where(judged, likely, neutral)), axis=1)
    return total


def weights(prior: Floats, evidence: Floats) -> Floats:
    """Prior times likelihood (m,), adding to one; the prior where nothing is possible.

    Examples
    --------
    >>> weights(np.array([0.5, 0.5]), np.array([0.0, np.log(3.0)])).round(9).tolist()
    [0.25, 0.75]
    """
    highest = evidence.max()
    likely = np.exp(evidence - highest) if np.isfinite(highest) else np.ones(len(prior))
    found: Floats = prior * likely / np.sum(prior * likely)
    return found


def mean(weights: Floats, logs: Floats) -> tuple[Floats, Floats]:
    """The average of log predictions (m, t) and its variance among the candidates, each (t,).

    A candidate without a prediction takes no part at that point.
    """
    known = np.isfinite(logs)
    share = np.where(known, weights[:, None], 0.0)
    with np.errstate(invalid="ignore"):
        share = share / share.sum(axis=0)
    values = np.where(known, logs, 0.0)
    centre = np.sum(share * values, axis=0)
    return centre, np.sum(share * (values - centre) ** 2 * known, axis=0)


def calibrate(
    weighed: Callable[[Floats], Floats],
    squares: Floats,
    ahead: Sequence[Floats],
    measured: Sequence[Floats],
    noise: float,
) -> Calibration:
    """How large the average's rolling errors are against what was foretold of them.

    Parameters
    ----------
    weighed : callable
        Mean squared errors (m, i) at some origins -> weights (m,).
    squares : array (m, j)
        Mean squared errors.
    ahead : sequence of array (m, t)
        Log predictions at the rows that judge each origin.
    measured : sequence of array (t,)
        The logarithms of what was measured there.
    noise : float
    """
    ratios = []
    for place, (logs, truth) in enumerate(zip(ahead, measured, strict=True)):
        others = np.arange(squares.shape[1]) != place
        centre, among = mean(weighed(squares[:, others]), logs)
        ratios.append(float(np.mean((centre - truth) ** 2 / (noise**2 + among))))
    freedom = DOUBT + len(ratios)
    return Calibration(float(np.sqrt((DOUBT + sum(ratios)) / freedom)), freedom)
