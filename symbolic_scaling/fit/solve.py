"""Bounded least squares for many starts at once: projected Levenberg-Marquardt on QR factors.

Each row of ``u`` is one start in a box. A step solves ``min |J d + r|^2 + lam |S d|^2`` over the free coordinates, with
``S`` the column norms of ``J`` (so that units do not matter) and by QR (so that the condition of ``J`` is not squared),
and is then clipped to the box. A coordinate on its bound whose gradient points outward is held for that step.

In a curved valley (``bend``) a step is also corrected by half the acceleration along it, from one more residual
(Transtrum and Sethna 2012, arXiv 1201.5885); this costs twice the evaluations and pays where plain steps creep.

Convergence is the relative offset of Bates and Watts (1981, Technometrics 23): the part of the residual that lies in
the column space of the free columns, against the whole residual. It does not change when parameters or residuals are
scaled.
"""

from __future__ import annotations

import numpy as np

from ..budget import check
from .live import Live, finite
from .solutions import Floats, Residual, Solutions

__all__ = ["PLAIN", "Floats", "Residual", "Solutions", "minimise"]

PLAIN = 12  # steps before a start counts as slow


def minimise(
    residual: Residual,
    start: Floats,
    lo: Floats,
    hi: Floats,
    *,
    steps: int = 200,
    bend: bool = False,
    each: bool = False,
) -> Solutions:
    """Minimise the sum of squares from every start inside the box.

    Parameters
    ----------
    residual : callable
        (k, p) -> residuals (k, n) and Jacobian (k, n, p); rows that are not finite count as infinitely bad. Its
        method ``values``, if it has one, gives residuals alone.
    start : array (k, p)
        Starts; clipped to the box.
    lo, hi : array (p,) or (k, p)
        The box, or one for each start.
    steps : int
        At most so many evaluations.
    bend : bool
        Whether steps follow the curvature of a valley.
    each : bool
        Whether starts have residuals of their own: ``residual(u, of)`` with the numbers of the starts (k,).

    Examples
    --------
    >>> A, b = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]), np.array([1.0, 3.0, 5.0])
    >>> def line(u):
    ...     return u @ A.T - b, np.broadcast_to(A, (len(u), 3, 2))
    >>> minimise(line, np.zeros((1, 2)), np.full(2, -9.0), np.full(2, 9.0)).u.round(9)
    array([[1., 2.]])
    """
    u = np.clip(np.asarray(start, dtype=np.float64), lo, hi)
    k, p = u.shape
    at = residual if each else lambda u, of: residual(u)
    alone = None if each else getattr(residual, "values", None)
    values = (lambda u, of: at(u, of)[0]) if alone is None else lambda u, of: alone(u)
    live = Live(u, finite(*at(u, np.arange(k))), lo, hi)
    ended = Solutions(
        u,
        live.r.copy(),
        live.jacobian.copy(),
        live.cost.copy(),
        np.full(k, np.inf),
        np.zeros(k, bool),
        np.zeros((k, p), int),
    )
    live.keep(np.isfinite(live.cost))
    for left in reversed(range(steps)):
        check("fit")
        live.factor()
        over = live.finished()
        if over.any() or left == 0:
            live.write(ended)
            live.keep(~over)
        if left == 0 or not live.index.size:
            break
        if steps - left > PLAIN and not bend:
            live.accept(*live.better(at, values))
            continue
        step = live.step()
        tried = np.clip(live.u + (live.bent(step, values) if bend else step), live.lo, live.hi)
        live.accept(tried, *finite(*at(tried, live.index)))
    return ended
