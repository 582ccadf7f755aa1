"""What a table can tell of a law before anything is fitted: which constants, which combinations, and how well.

Structural
    the exact rank of the Jacobian of the response at a generic point (:mod:`.generic`), on the rows of the table as
    they are: a constant is identified where no direction that leaves every response unchanged moves it. Of the others
    the terms and sums of terms that are one function on these rows are tried, and products, ratios, sums and
    differences of two; those that no such direction moves are named.
Twofold
    two power terms whose inputs run along one line may be exchanged: two sets of constants give one curve, whatever
    the data, and a fit lists both (:mod:`.twins`).
Practical
    the singular values of the Jacobian with columns of norm 1, at points drawn from the law's own ranges or at given
    constants: how many times worse the least determined direction is, and which constants make it up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike

from .. import codegen, notation
from ..errors import FitError, ScalingError
from ..law import Law
from . import require, twins
from . import tie as ties
from .combine import combinations_of
from .design import Design, read
from .local import PRACTICAL
from .solve import Floats
from .units import exponents, factors

__all__ = ["Identified", "identify"]

_SOME = 0.2  # of the least determined direction: constants that make it up
_POINTS = 64
_MANY = 0.4  # of the points


@dataclass(frozen=True)
class Identified:
    """What rows determine.

    Parameters
    ----------
    constants : tuple of str
        Those that are free.
    rank : int
        The generic rank of the Jacobian on the rows.
    identified : tuple of str
        Constants that the rows determine.
    combinations : tuple of str
        Of the others: expressions that the rows determine.
    spread : (float, float, float)
        Smallest over largest singular value, columns of norm 1: the worst, the median and the best of the points.
    sloppy : tuple of (str, float)
        The least determined direction at the median point: constant and its part, the largest first.
    notes : tuple of str
    twofold : tuple of tuple of str
        Constants of two terms that may be exchanged.
    """

    constants: tuple[str, ...]
    rank: int
    identified: tuple[str, ...]
    combinations: tuple[str, ...]
    spread: tuple[float, float, float]
    sloppy: tuple[tuple[str, float], ...]
    notes: tuple[str, ...] = ()
    twofold: tuple[tuple[str, ...], ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """What is to be said of it: nothing where every constant is well determined.

        Examples
        --------
        >>> from symbolic_scaling import laws
        >>> identify(laws.get("m1"), [3.0, 3.0]).lines
        ('beta, c are not identified: rank 1 of 2', 'identified: beta*x**c at x = 3')
        """
        whole = self.spread[1] > PRACTICAL
        sloppy = set() if whole else {name for name, _ in self.sloppy}
        known = [", ".join(name for name in self.identified if name not in sloppy), *self.combinations]
        exact = " by exact data" if whole and self.structural and len(self.notes) > len(self.twofold) else ""
        text = "; ".join(filter(None, known)) or "nothing"
        return (*self.notes, f"identified{exact}: {text}") if self.notes else ()

    @property
    def structural(self) -> bool:
        """Whether exact data would determine every constant, up to an exchange of terms."""
        return self.rank == len(self.constants)

    @property
    def practical(self) -> bool:
        """Whether data of finite precision would, at the median point, and no two terms may be exchanged."""
        return self.structural and self.spread[1] > PRACTICAL and not self.twofold


def identify(
    law: Law,
    x: Mapping[str, ArrayLike] | ArrayLike,
    *,
    fix: Mapping[str, float] | None = None,
    tie: Mapping[str, str] | None = None,
    at: Mapping[str, float] | None = None,
    seed: int = 0,
) -> Identified:
    """What the inputs of a table can tell of a law.

    Parameters
    ----------
    law : Law
    x : array (n,) or mapping of name to array (n,)
        Inputs; no response is needed.
    fix, tie : mapping
        Constants that are known, or given by others, as for :func:`~.front.curve`.
    at : mapping of name to number, optional
        Constants at which to look; without them the rank is generic and the spectrum is over the law's ranges.
    seed : int

    Raises
    ------
    FitError
        If a name is wrong.
    DataError
        If the arrays cannot be read, or an input is not positive.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> n = np.array([5.3e7, 6.4e7, 1.6e8, 2.07e8, 3.2e8, 4.8e8])
    >>> found = identify(laws.get("chinchilla"), {"N": n, "D": np.full(6, 4.4e9)})
    >>> found.rank, found.identified, found.combinations
    (3, ('A', 'alpha'), ('B/D**beta + E at D = 4.4e+09',))
    """
    require.law_given(law)
    law = ties.tied(law, tie or {})
    fixed = require.fixed(law, fix or {})
    point = require.fixed(law, at or {})
    free = [symbol for symbol in law.constants if symbol not in fixed]
    design = read(law, x)
    notes: list[str] = []
    try:
        rank, sure, combinations = combinations_of(law, design, tuple(free), {**point, **fixed}, seed)
    except ScalingError as error:
        rank, sure, combinations = len(free), tuple(s.name for s in free), ()
        notes.append(f"the exact rank is not known: {error.found}")
    ratios, right = _spectra(law, design, free, {**fixed, **point}, whole=len(point) == len(free), seed=seed)
    middle = int(np.argsort(ratios)[len(ratios) // 2])
    parts = sorted(zip((s.name for s in free), right[middle].tolist(), strict=True), key=lambda pair: -abs(pair[1]))
    sloppy = tuple((name, float(part)) for name, part in parts if abs(part) >= _SOME)
    spread = (float(ratios.min()), float(ratios[middle]), float(ratios.max()))
    lost = [s.name for s in free if s.name not in sure]
    if rank < len(free):
        notes.append(f"{', '.join(lost)} are not identified: rank {rank} of {len(free)}")
        known = rank - len(sure) - len(combinations)
        if known > 0:
            notes.append(f"{known} more combinations of them are identified")
    else:
        notes += _practical(ratios, spread[1], ", ".join(name for name, _ in sloppy))
    pairs, alike = _twofold(law, design, frozenset(s for s in free if s.name in sure))
    notes += [_exchange(pair) for pair in pairs]
    sure = tuple(name for name in sure if not any(name in pair for pair in pairs))
    names = tuple(s.name for s in free)
    return Identified(names, rank, sure, (*combinations, *alike), spread, sloppy, tuple(notes), pairs)


def _twofold(
    law: Law, design: Design, free: frozenset[sp.Symbol]
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """The constants of terms that may be exchanged, and the sums of those terms."""
    found, sums = [], []
    for one, two in twins.twofold(law, design.x, free):
        terms = [t for t in sp.Add.make_args(law.explicit) if t.free_symbols & {*one, *two}]
        found.append(tuple(s.name for s in (*one, *two)))
        sums.append(notation.text(sp.Add(*terms)))
    return tuple(found), tuple(sums)


def _practical(ratios: Floats, middle: float, names: str) -> list[str]:
    """What the spectra at the points say, where many of them are bad."""
    bad = int((ratios <= PRACTICAL).sum())
    if middle <= PRACTICAL:
        return [f"{names} are practically not identified: singular values {middle:.1e} apart"]
    if bad <= _MANY * len(ratios):
        return []
    points = f"at {bad} of {len(ratios)} points of the law's ranges"
    return [f"{names} are practically not identified {points}: singular values {ratios.min():.1e} apart at the worst"]


def _exchange(pair: tuple[str, ...]) -> str:
    why = "the inputs run along one line, so that the terms may be exchanged"
    return f"{', '.join(pair)} are practically not identified: two sets of them give one curve, as {why}"


def _spectra(
    law: Law, design: Design, free: list[sp.Symbol], held: Mapping[sp.Symbol, float], *, whole: bool, seed: int
) -> tuple[Floats, Floats]:
    """Smallest over largest singular value (k,) and the least determined directions (k, f) at the points."""
    sizes = np.exp(np.log(design.x).mean(axis=1))
    places = [law.places[symbol] for symbol in free]
    with np.errstate(all="ignore"):  # points at which units or terms are no numbers are left out
        constants = _points(law, held, sizes, 1 if whole else _POINTS, seed)
        y = codegen.law(law)(*design.x, *constants[:, :, None])
        jacobian = codegen.residual(law, "response").value_and_gradient(*design.x, y, *constants[:, :, None])[1]
        columns = jacobian[places].transpose(1, 2, 0) * np.abs(constants[places].T[:, None])
    columns = columns[np.isfinite(columns).all(axis=(1, 2))]
    norms = np.linalg.norm(columns, axis=1, keepdims=True)
    if not len(columns):
        raise FitError(f"identify {law.name}", "the response is finite nowhere in its ranges", "give at={...}")
    few = columns.shape[1] < len(free)
    _, found, right = np.linalg.svd(columns / np.where(norms > 0, norms, 1.0), full_matrices=few)
    missing = np.zeros((len(found), len(free) - found.shape[1]))
    found = np.concatenate([found, missing], axis=1)
    return found[:, -1] / found[:, 0], right[:, -1]


def _points(law: Law, held: Mapping[sp.Symbol, float], sizes: Floats, count: int, seed: int) -> Floats:
    """Constants (c, k): given ones, the others drawn from the ranges where their law says to look.

    Amplitudes are drawn in units in which the inputs are 1 at their geometric mean, so that every term matters
    somewhere in the table.
    """
    rng, rows = np.random.default_rng(seed), []
    for parameter in law.parameters:
        lo, hi = parameter.start
        near, far = sorted((abs(lo), abs(hi)))
        exponent = parameter.symbol in exponents(law)
        near = max(near, far / 100) if exponent else 0.1
        drawn = np.exp(rng.uniform(np.log(near), np.log(far if exponent else 3.0), count))
        above = parameter.above is not None
        rows.append((drawn + 3.0 * above) * (-1.0 if parameter.symbol.is_negative else 1.0))
    inside = np.array(rows)
    for symbol, value in held.items():
        inside[law.places[symbol]] = value
    outside = inside * np.exp(factors(law)(*np.log(sizes), 0.0, *inside))
    for symbol, value in held.items():
        outside[law.places[symbol]] = value
    return outside
