"""``fit.recheck``: every leaf of a certificate once more, in ball arithmetic and from the law's form.

What is checked: the rows, the units and the box are made again from the problem's record; the estimate lies in the box
and has the objective that is claimed; the residual is proved linear in the constants that are not searched; the leaves
fill the box; and on every leaf, none left out, the statement of :mod:`.bound` is evaluated in :mod:`.leaf` with
python-flint's balls. A leaf that balls do not close as it stands is halved, a few times. Shared with the solver are the
statement, the least value of a quadratic on a rectangle, and how a tree is read.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod

from ...errors import FitError
from ..result import Certificate, FitResult
from ..solve import Floats
from .cells import leaves
from .problem import Problem, read

__all__ = ["recheck"]


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
    >>> import numpy as np
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
    from .balls import proved

    return _fills(problem, lo, hi) and proved(problem, result, (lo, hi), given.gap)


def _fills(problem: Problem, lo: Floats, hi: Floats) -> bool:
    """Whether the leaves lie in the box and have its volume."""
    if not ((lo >= problem.lo).all() and (hi <= problem.hi).all() and (lo < hi).all()):
        return False
    return sum(_volume(a, b) for a, b in zip(lo, hi, strict=True)) == _volume(problem.lo, problem.hi)


def _volume(lo: Floats, hi: Floats) -> Fraction:
    return prod((Fraction(b) - Fraction(a) for a, b in zip(lo.tolist(), hi.tolist(), strict=True)), start=Fraction(1))
