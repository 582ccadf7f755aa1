"""``fit.recheck``: every leaf of a certificate once more, in ball arithmetic and from the law's form.

What is checked: the rows, the units and the box are made again from the problem's record; the estimate lies in the box
and has the objective that is claimed; the residual is proved linear in the constants that are not searched; the leaves
fill the box; and on every leaf, none left out, the statement of :mod:`.bound` is evaluated in :mod:`.leaf` with
python-flint's balls. A leaf that balls do not close as it stands is halved, a few times. Shared with the solver are the
statement, the least value of a quadratic on a rectangle, and how a tree is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import prod

import numpy as np
from flint import ctx

from ...errors import FitError
from ...verify.ball import Unclear
from ..result import Certificate, FitResult
from ..solve import Floats
from .cells import halves, leaves
from .issue import FLOOR, claim
from .leaf import Leaf, Quadratic
from .problem import Problem, read
from .quadratic import least
from .raw import BITS, Raw, raw

__all__ = ["recheck"]

_ROUNDING = 1e-9  # of the objective that is claimed
_DEEPER = 4


def recheck(result: FitResult, certificate: Certificate | None = None) -> bool:
    """Whether a certificate proves what it says of a fit.

    Parameters
    ----------
    result : FitResult
    certificate : Certificate, optional
        From :func:`certify`; the fit's own where none is given.

    Returns
    -------
    bool
        False as well where it says nothing: fits that count starts, refuted ones.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from symbolic_scaling import fit, laws
    >>> x = np.geomspace(1e3, 1e7, 9)
    >>> found = fit.curve(laws.get("m2"), x, 0.2 + 30 * x**-0.4 + 0.01 * np.sin(np.arange(9)), residual="equation")
    >>> proved = fit.certify(found)
    >>> recheck(found, proved), recheck(found, replace(proved, gap=0.0, tree=proved.tree[:-1]))
    (True, False)
    """
    given = certificate or result.certificate
    if given.kind not in ("certified", "bounded") or given.gap is None:
        return False
    try:
        problem = read(result.problem)
        lo, hi = leaves(given.edges, given.tree)
    except FitError:
        return False
    value, near = claim(problem, result)
    unit = max(value, FLOOR)
    with ctx.workprec(BITS):
        source = raw(problem)
        if not (_fills(problem, lo, hi) and _stands(problem, source, result, value)):
            return False
        return _closed(problem, source, near, (lo, hi), value - given.gap * unit)


def _fills(problem: Problem, lo: Floats, hi: Floats) -> bool:
    """Whether the leaves lie in the box and have its volume."""
    if not ((lo >= problem.lo).all() and (hi <= problem.hi).all() and (lo < hi).all()):
        return False
    return sum(_volume(a, b) for a, b in zip(lo, hi, strict=True)) == _volume(problem.lo, problem.hi)


def _volume(lo: Floats, hi: Floats) -> Fraction:
    return prod((Fraction(b) - Fraction(a) for a, b in zip(lo.tolist(), hi.tolist(), strict=True)), start=Fraction(1))


def _stands(problem: Problem, source: Raw, result: FitResult, value: float) -> bool:
    """Whether the estimate is in the box and has the objective ``value``."""
    inside = problem.constants(result.estimate)
    theta, u = problem.located(inside)
    ends = [(theta, problem.lo, problem.hi), (u, *problem.ends)]
    if any(
        (a < lo - _ROUNDING * (1 + abs(lo))).any() or (a > hi + _ROUNDING * (1 + abs(hi))).any() for a, lo, hi in ends
    ):
        return False
    at = [(float(t), float(t)) for t in np.clip(theta, problem.lo, problem.hi)]
    columns = [source.vector(part, 0, at)[0] for part in range(1 + len(u))]
    total = sum(
        sum((w * b for w, b in zip([1.0, *u.tolist()], row, strict=True)), row[0] * 0) ** 2
        for row in zip(*columns, strict=True)
    )
    return bool(abs(float(total.mid()) - value) <= _ROUNDING * max(value, FLOOR))


def _closed(problem: Problem, source: Raw, near: Floats, cells: tuple[Floats, Floats], target: float) -> bool:
    """Whether every cell has a lower bound of ``target``, after some halvings."""
    lo, hi = cells
    for _ in range(_DEEPER):
        found = _bounds(problem, source, near, (lo, hi))
        still = ~(found >= target)
        if not still.any():
            return True
        lo, hi = halves(lo[still], hi[still])
        if not lo.shape[1]:
            return False
    return False


def _bounds(problem: Problem, source: Raw, near: Floats, cells: tuple[Floats, Floats]) -> Floats:
    """The lower bounds of cells (m,), at least 0."""
    found: list[Quadratic] = []
    owner = []
    for i, (lo, hi) in enumerate(zip(*cells, strict=True)):
        at = np.where((lo <= near) & (near <= hi), near, (lo + hi) / 2)
        leaf = Leaf(source, problem.terms.moving, problem.ends, (lo, hi, at))
        for one in _alternatives(leaf):
            found.append(one)
            owner.append(i)
    bounds = np.zeros(len(cells[0]))
    if found:
        g, h = (
            [np.array([[e[side] for e in row] for row in rows]).T for side in (0, 1)]
            for rows in ([q.g for q in found], [q.h for q in found])
        )
        below, above = (
            np.array(rows).T.reshape(len(near), len(found))
            for rows in ([q.below for q in found], [q.above for q in found])
        )
        low = np.array([q.low for q in found])
        low = low + least((g[0], g[1]), (h[0], h[1]), below, above) - 1e-14 * np.abs(low)
        np.maximum.at(bounds, owner, np.nan_to_num(low, nan=0.0))
    return bounds


def _alternatives(leaf: Leaf) -> Iterable[Quadratic]:
    """The bound with the held coordinates that the reference point suggests, and with those freed that press."""
    try:
        held = leaf.held()
        first = leaf.bound(held)
        yield first
        if first.pressed:
            yield leaf.bound(np.where(np.isin(np.arange(len(held)), first.pressed), 0, held))
    except (Unclear, ZeroDivisionError, np.linalg.LinAlgError):
        return
