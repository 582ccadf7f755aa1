"""A lower bound of the objective over cells of the searched constants.

Statement. Let ``r(theta, u) = b(theta) + A(theta) u`` with rows so weighted that the objective is ``|r|^2``, ``U`` the
box of ``u``, and ``v(theta)`` any trial. Sort the columns: ``J`` free, ``K`` held, where ``v`` is constant on an end of
``U``, and the others, constant and free, which a projector ``P`` annuls. With ``s = P r(theta, v)`` and every ``u`` in
``U``

    |r(theta, u)|^2  >=  |s|^2 - e^2 - 2 sum_K w_k max(0, e |P A_k| - c_k),    e = |(P A_J)^T s| / sigma_min(P A_J),

where ``w_k`` is the width of ``U_k`` and ``c_k`` is ``(P A_k)^T s``, its sign turned where ``v_k`` is the upper end.

Proof. ``|r| >= |P r|``, and ``P r = s + P A_J x + P A_K z`` where every ``z_k`` has a known sign and ``|z_k| <= w_k``.
With ``Q`` the projector off the span of ``P A_J``, the least over all ``x`` is ``|Q (s + P A_K z)|^2``, at least ``|Q
s|^2 + 2 z^T (P A_K)^T Q s``. The vector ``s - Q s`` is ``P A_J`` times a pseudo-inverse applied to ``(P A_J)^T s`` and
so no longer than ``e``; hence ``|Q s|^2 >= |s|^2 - e^2``, and ``(P A_k)^T Q s`` differs from ``(P A_k)^T s`` by at most
``e |P A_k|``.

On a cell the trial is the minimiser at a reference point ``theta_0``, carried on with its exact slope: ``(P A_J)^T s``
vanishes to first order there and ``e^2`` is of fourth order in the size of the cell. :mod:`.taylor` expands the rest;
what results is

    f(theta_0) + g d + d^T H d,    d = theta - theta_0,    H in an interval matrix,

whose least value on the cell :mod:`.quadratic` finds. Where ``theta_0`` is a minimum, ``g`` vanishes or points into the
wall, and the cell is closed at no loss once ``H`` is positive definite on it: the interval-Hessian test and the
gradient's sign on a wall. A held column whose sign ``c_k`` is not certain on the whole cell may instead be left free,
which only lowers the bound; and free columns that vanish, so that ``sigma_min`` is lost, may be held.

Rounding. Values come with widths from :mod:`.intervals`; a scalar product of n terms is in error by at most ``(n + 32)
2^-52`` times the norms. ``P`` is computed and annuls its columns up to rounding; what is left of them, times the widths
of ``U``, is taken off ``|s|``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..linear import bounded
from ..solve import Floats
from .columns import expand
from .problem import Problem
from .quadratic import least
from .taylor import Cells, Product, Vectors, product

__all__ = ["Bounds", "lower"]

_SHARE = 0.01  # of e^2 that its first-order part, which is rounding, may add
_RIDGE = 1e-13
_LEAST = 1e-300  # half width of a cell
_TERMS = 32  # roundings beside the n of a scalar product

Indices = NDArray[np.int_]


@dataclass(frozen=True, eq=False)
class Bounds:
    """Lower bounds (m,), objectives at the reference points (m,), those points (m, d), and what to halve (m,)."""

    lower: Floats
    value: Floats
    at: Floats
    split: Indices


def lower(problem: Problem, lo: Floats, hi: Floats, near: Floats) -> Bounds:
    """Lower bounds of the objective on cells.

    Parameters
    ----------
    problem : Problem
    lo, hi : array (m, d)
        The cells.
    near : array (d,)
        Where a minimum is thought to be: a cell that holds it, or one of its coordinates, is expanded about that.

    Examples
    --------
    >>> from symbolic_scaling import fit, laws
    >>> from symbolic_scaling.fit.certify.problem import read
    >>> x = np.array([1.0, 2.0, 4.0, 8.0])
    >>> found = fit.curve(laws.get("m2"), x, 1 + 1 / x + 0.01 * np.sin(x), residual="equation")
    >>> problem = read(found.problem)
    >>> bounds = lower(problem, np.array([[0.4]]), np.array([[0.401]]), np.array([0.5]))
    >>> bool(0.99 < bounds.lower[0] / bounds.value[0] < 1)
    True
    """
    at = np.where((lo <= near) & (near <= hi), near, (lo + hi) / 2)
    unit = np.maximum(np.maximum(at - lo, hi - at), _LEAST)
    cells = Cells(np.nextafter((lo - at) / unit, -np.inf), np.nextafter((hi - at) / unit, np.inf))
    with np.errstate(all="ignore"):
        columns = expand(problem, lo, hi, at, unit)
        u = _solve(problem, columns)
        held = (u >= problem.ends[1][:, None]).astype(np.int_) - (u <= problem.ends[0][:, None])
        found, value, split, pressed = _each(problem, columns, cells, held)
        moving = np.array([*problem.terms.moving], dtype=bool)[:, None]
        for which, other in (
            (pressed.any(axis=0), np.where(pressed, 0, held)),
            (~(found > 0), np.where(moving & (held == 0), -1, held)),
        ):
            again = np.flatnonzero(which & (other != held).any(axis=0))
            if again.size:
                some = Cells(cells.below[again], cells.above[again])
                second, _, halved, _ = _each(problem, columns.only(again), some, other[:, again])
                split[again] = np.where(second > found[again], halved, split[again])
                found[again] = np.maximum(found[again], second)
    return Bounds(np.maximum(found, 0.0), value, at, split)


def _solve(problem: Problem, columns: Vectors) -> Floats:
    """The linear coordinates (q, m) inside their box at the reference points."""
    at = columns.first[:, :, 0]
    return bounded(np.moveaxis(np.einsum("min,mjn->mij", at, at), 0, -1), *problem.ends)[0]


def _each(
    problem: Problem, columns: Vectors, cells: Cells, held: Indices
) -> tuple[Floats, Floats, Indices, NDArray[np.bool_]]:
    """Bounds, values and what to halve (m,), and which held columns press (q, m): one batch a pattern of held ones."""
    q, m = held.shape
    found, value, split = np.empty(m), np.empty(m), np.zeros(m, dtype=np.int_)
    pressed = np.zeros((q, m), dtype=bool)
    patterns, place = np.unique(held, axis=1, return_inverse=True)
    for i, pattern in enumerate(patterns.T):
        which = np.flatnonzero(place.ravel() == i)
        some = Cells(cells.below[which], cells.above[which])
        one = _pattern(problem, columns.only(which), some, pattern)
        found[which], value[which], split[which] = one[:3]
        pressed[np.ix_(np.flatnonzero(pattern), which)] = one[3].T
    return found, value, split, pressed


def _pattern(
    problem: Problem, columns: Vectors, cells: Cells, held: Indices
) -> tuple[Floats, Floats, Indices, NDArray[np.bool_]]:
    """The bound of the statement, where all cells hold the same columns."""
    moving, width = np.array(problem.terms.moving, dtype=bool), problem.ends[1] - problem.ends[0]
    shift = problem.terms.constant
    q, unit = len(held), (columns.first.shape[-1] + _TERMS) * 2.0**-52
    J, K, fixed = np.flatnonzero(moving & (held == 0)), np.flatnonzero(held), np.flatnonzero(~moving & (held == 0))
    part, left = _projected(columns.take([q, *J, *K]), columns.take(fixed), unit)
    part, uneven = _orthonormal(part, len(J))
    ends: Floats = np.where(held[K] < 0, problem.ends[0, K], problem.ends[1, K])
    s = _trial(part, len(J), ends, cells)
    z = product(s.beside(part.take(slice(1, None))), s, cells, unit)
    free, rest = slice(1, 1 + len(J)), slice(1 + len(J), None)
    change = part.changes(cells)
    sigma = 1 - uneven - np.linalg.norm(change[:, free], axis=1)
    first, second = z.sizes(cells)
    e = np.linalg.norm((first + second)[:, free], axis=1) / sigma
    once = (1 + 1 / _SHARE) * np.sum(first[:, free] ** 2, axis=1) / sigma**2
    quartic = (1 + _SHARE) * np.einsum("mc,mcp->mp", second[:, free], z.largest[:, free]) / sigma[:, None] ** 2
    value, bend = z.value[0][:, 0], (z.bend[0][:, 0], z.bend[1][:, 0] + quartic)
    low = value - z.value[1][:, 0] - once + _least((z.slope[0][:, 0], z.slope[1][:, 0]), bend, cells)
    sign = -held[K] * z.value[0][:, rest] + np.abs(z.value[0][:, rest]) - first[:, rest] - second[:, rest]
    short = np.maximum(0.0, (part.norms[:, rest, 0] + change[:, rest]) * e[:, None] - sign)
    low = (low - unit * (first + second)[:, 0] - 2 * short @ width[K]) * (1 - 8 * unit)
    sigma = sigma * float(shift is None or held[shift] == 0)  # ranges are relative: the constant column must be free
    low = np.where(sigma > 0, low - 2 * np.sqrt(np.maximum(low, 0.0)) * (left @ width[fixed]), -np.inf)
    turned = np.einsum("mck,mk->mk", part.norms[:, free, 1:], cells.reach)
    cost = _cost(z, cells, bend[1], press=(short > 0) * width[K])
    split = _worst(np.where((sigma > 0)[:, None], cost, turned))
    return np.where(np.isfinite(low), low, -np.inf), value, split, short > 0


def _projected(part: Vectors, fixed: Vectors, unit: float) -> tuple[Vectors, Floats]:
    """The vectors off the span of the constant columns, and the norms of what is left of those (k,)."""
    columns = fixed.first[0, :, 0]
    basis = np.linalg.qr(columns.T)[0]

    def off(vectors: Floats) -> Floats:
        found: Floats = vectors - (vectors @ basis) @ basis.T
        return found

    slip = part.slip + unit * np.sqrt(np.einsum("mckn,mckn->mck", part.first, part.first))
    blur = part.blur + unit * np.sqrt(np.einsum("mckn,mckn->mck", part.second, part.second))
    left = np.linalg.norm(off(columns), axis=-1) + unit * np.linalg.norm(columns, axis=-1) + fixed.slip[0, :, 0]
    return Vectors(off(part.first), slip, off(part.second), part.radius, blur), left


def _orthonormal(part: Vectors, count: int) -> tuple[Vectors, Floats]:
    """The vectors 1 to ``count`` made orthonormal at the reference points, and by how much they fail to be so (m,)."""
    m, c = part.first.shape[:2]
    free, eye = slice(1, 1 + count), np.eye(count)
    if not count:
        return part, np.zeros(m)
    columns = part.first[:, free, 0]
    gram = np.einsum("min,mjn->mij", columns, columns)
    gram = np.where(np.isfinite(gram).all(axis=(1, 2))[:, None, None], gram, eye)
    gram = gram + (_RIDGE * gram + 1e-300) * eye
    matrix = np.zeros((m, c, c)) + np.eye(c)
    matrix[:, free, free] = np.linalg.inv(np.linalg.cholesky(gram))
    part = part.mixed(matrix)
    columns = part.first[:, free, 0]
    uneven = np.linalg.norm(np.einsum("min,mjn->mij", columns, columns) - eye, axis=(1, 2))
    return part, uneven + 2 * np.linalg.norm(part.slip[:, free, 0], axis=1)


def _trial(part: Vectors, count: int, ends: Floats, cells: Cells) -> Vectors:
    """``s`` of the statement: the residual of the minimiser at the reference points and its exact slope."""
    m, c = part.first.shape[:2]
    free = slice(1, 1 + count)
    v, dv = np.zeros((m, c)), np.zeros((m, c, cells.reach.shape[1]))
    v[:, 0], v[:, 1 + count :] = 1.0, ends
    at, slopes = part.first[:, :, 0], part.first[:, :, 1:]
    for _ in range(2):  # the second time for what rounding left
        v[:, free] -= np.einsum("min,mn->mi", at[:, free], np.einsum("mi,min->mn", v, at))
    s = np.einsum("mi,min->mn", v, at)
    turned = np.einsum("mi,mikn->mkn", v, slopes)
    dv[:, free] = -np.einsum("mikn,mn->mik", slopes[:, free], s) - np.einsum("min,mkn->mik", at[:, free], turned)
    size, moved = np.abs(v), np.abs(dv)
    far = np.einsum("mik,mk->mi", moved, cells.reach)
    first = np.concatenate([s[:, None], turned + np.einsum("mik,min->mkn", dv, at)], axis=1)
    slip = np.einsum("mi,mik->mk", size, part.slip)
    slip[:, 1:] += np.einsum("mik,mi->mk", moved, part.slip[:, :, 0])
    second = np.einsum("mi,mipn->mpn", v, part.second)
    radius = np.einsum("mi,mipn->mpn", size + far, part.radius) + np.einsum("mi,mipn->mpn", far, np.abs(part.second))
    blur = np.einsum("mi,mip->mp", size + far, part.blur)
    for p, (k, other) in enumerate(cells.pairs):
        for i, j in ((k, other), (other, k)):
            second[:, p] += np.einsum("mi,min->mn", dv[:, :, i], slopes[:, :, j])
            blur[:, p] += np.einsum("mi,mi->m", moved[:, :, i], part.slip[:, :, 1 + j])
    return Vectors(*(array[:, None] for array in (first, slip, second, radius, blur)))


def _least(slope: tuple[Floats, Floats], bend: tuple[Floats, Floats], cells: Cells) -> Floats:
    g, h = ((middle.T - radius.T, middle.T + radius.T) for middle, radius in (slope, bend))
    return least(g, h, cells.below.T, cells.above.T)


def _cost(z: Product, cells: Cells, radius: Floats, *, press: Floats) -> Floats:
    """What each side of a cell costs its bound (m, d); ``press`` (m, k) are the widths of held columns that press."""
    square = [p for p, (k, other) in enumerate(cells.pairs) if k == other]
    held = slice(z.value[0].shape[1] - press.shape[1], None)
    pushed = np.abs(z.slope[0][:, held]) * cells.reach[:, None]
    pushed = pushed + z.largest[:, held][..., square] * cells.reach[:, None] ** 2
    found: Floats = radius[:, square] * cells.reach**2 + 2 * np.einsum("mc,mck->mk", press, pushed)
    return found


def _worst(cost: Floats) -> Indices:
    """The costliest side (m,)."""
    if not cost.shape[1]:
        return np.zeros(len(cost), dtype=np.int_)
    return np.asarray(np.argmax(np.nan_to_num(cost, nan=1e300, posinf=1e300), axis=1))
