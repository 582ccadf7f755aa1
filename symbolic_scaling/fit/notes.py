"""What a fit must say beside its numbers, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from .. import codegen
from ..algebra.order import sign
from ..budget import cached
from ..data import summary
from ..data.accuracy import limit
from ..data.turns import turns
from ..errors import ScalingError
from ..law import Law
from . import finish, rank
from .box import FAR, Coordinate
from .rows import Rows
from .solve import Floats, Solutions

__all__ = [
    "adrift",
    "constant_terms",
    "corners",
    "edges",
    "equivalent",
    "hardly",
    "kept_inside",
    "of_freedom",
    "of_rows",
    "walls",
    "wrong_shape",
]

_EXACT = 1e-9  # residuals below are rounding
_EDGE = 1e-6
_TURN = 0.2  # of the range of the response
_NAMED = 3  # rows
_WIDE = 6.0  # decades of an interval


def of_rows(rows: Rows, law: Law) -> list[str]:
    """Dropped rows, duplicates, and values that look like accuracies."""
    notes = []
    if rows.dropped:
        notes.append(f"{len(rows.dropped)} rows dropped: {summary(rows.dropped)}")
    if rows.duplicates:
        many = f"{rows.duplicates} exact duplicate row{'s' if rows.duplicates > 1 else ''}"
        notes.append(f"{many} ({_again(rows, law)}); degrees of freedom count distinct rows")
    y = rows.y
    if len(y) > 1 and np.ptp(y) == 0:
        notes.append(f"the data are constant: {law.response.symbol.name} = {y[0]:.6g} in every row")
    most = limit(list(rows.x), y)
    if math.isfinite(most):
        where = "lie in [0,1]: accuracy?" if most == 1 else "stay below 100: percent?"
        notes += [f"values rise with x and {where}", kept_inside(most)]
    return notes


def kept_inside(most: float) -> str:
    """The note of an accuracy.

    Examples
    --------
    >>> kept_inside(100.0)
    'taken for an accuracy: predictions, their intervals and bands stay inside (0, 100)'
    """
    return f"taken for an accuracy: predictions, their intervals and bands stay inside (0, {most:g})"


def _again(rows: Rows, law: Law) -> str:
    """Rows that stand there more than once, by their values."""
    names = [symbol.name for symbol in (*law.inputs, law.response.symbol)]
    places = np.flatnonzero(rows.counts > 1)
    values = np.vstack([rows.x, rows.y])[:, places[:_NAMED]].T
    shown = [", ".join(f"{name} = {value:.6g}" for name, value in zip(names, row, strict=True)) for row in values]
    return "; ".join(shown) + (f" and {len(places) - _NAMED} more" if len(places) > _NAMED else "")


def of_freedom(law: Law, freedom: int, known: bool, pure: tuple[float, int] | None) -> list[str]:
    """What degrees of freedom are missing, and those of replicates."""
    said = []
    if freedom == 0 and not known:
        said.append("0 degrees of freedom: the curve passes through every row, so there are no standard errors")
    if pure is not None:
        said.append(f"pure-error variance {pure[0]:.6g} (of {law.response.symbol}) on {pure[1]} degrees of freedom")
    return said


def hardly(intervals: Sequence[tuple[str, float, float]]) -> list[str]:
    """The note of constants whose intervals span more than six decades.

    Examples
    --------
    >>> hardly([("A", 1.0, 2.0), ("B", 1e-119, 1e130), ("beta", 5e-7, 5e5)])
    ['B, beta are hardly identified: their intervals span 249 and 12 decades']
    >>> hardly([("c", -1e3, -1e-5), ("E", 0.0, 9.0)])
    ['c is hardly identified: its interval spans 8 decades']
    """
    known = [(name, abs(lo), abs(hi)) for name, lo, hi in intervals if lo > 0 or hi < 0]
    decades = {name: abs(math.log10(hi) - math.log10(lo)) for name, lo, hi in known}
    wide = {name: f"{span:.0f}".replace("inf", "countless") for name, span in decades.items() if span > _WIDE}
    if not wide:
        return []
    one, *more = wide.values()
    if not more:
        return [f"{next(iter(wide))} is hardly identified: its interval spans {one} decades"]
    spans = f"{', '.join([one, *more[:-1]])} and {more[-1]}"
    return [f"{', '.join(wide)} are hardly identified: their intervals span {spans} decades"]


def wrong_shape(law: Law, rows: Rows, constants: Floats) -> list[str]:
    """The note of a table that turns where the fitted curve does not; empty for laws of several inputs."""
    if len(law.inputs) != 1:
        return []
    found = turns(rows.x[0], rows.y, _TURN)
    if not found:
        return []
    monotone = _monotone(law)
    steps = np.zeros(0) if monotone else np.diff(codegen.law(law)(rows.x[0], *constants))
    if (steps > 0).any() and (steps < 0).any():
        return []
    named = [f"local {kind} at {at:g}" for at, kind in sorted(found, key=lambda turn: turn[1] == "maximum")]
    why = "monotone laws do not apply" if monotone else "the fitted curve does not turn"
    return [f"not monotone: {', '.join(named)}; {why}"]


@cached
def _monotone(law: Law) -> bool:
    """Whether the response of a law of one input is proved to rise, or to fall, everywhere; False if undecided."""
    (x,), y = law.inputs, law.response.symbol
    slopes = [sp.diff(law.explicit, x)] if law.explicit is not None else [sp.diff(law.residual, s) for s in (x, y)]
    try:
        return all(sign(slope, law.domain) in (1, -1) for slope in slopes)
    except ScalingError:
        return False


def walls(
    law: Law, coordinates: tuple[Coordinate, ...], at: NDArray[np.int_], values: Mapping[sp.Symbol, float]
) -> list[str]:
    """The walls of the box that a minimum touches, in words."""
    said = []
    docs = {p.symbol: p.doc for p in law.parameters}
    for c, side in zip(coordinates, at, strict=True):
        if side == 0:
            continue
        name, doc = c.symbol.name, docs[c.symbol]
        end = "lower" if side < 0 else "upper"
        wall = c.lo if side < 0 else c.hi
        if wall != 0 and not c.given and not 1 / FAR < abs(wall) < FAR:
            limit = "0" if abs(wall) < 1 else "infinity"
            said.append(f"{name} ({doc}) goes to {limit}, which is not attained: an infimum")
        elif wall == 0:
            said.append(f"{name} = 0 ({doc})")
        elif c.base is not None:
            said.append(f"{name} ({doc}) is at the {end} end of its box over {c.base.name}")
        else:
            said.append(f"{name} = {values[c.symbol]:.6g} ({doc}) is at the {end} end of its box")
    return said


def edges(law: Law, coordinates: tuple[Coordinate, ...], u: Floats) -> list[str]:
    """Constants that run into 0 without reaching it, where the law at 0 is another one."""
    docs = {p.symbol: p.doc for p in law.parameters}
    near = [c.symbol for c, value in zip(coordinates, u, strict=True) if c.lo == 0 < value < _EDGE]
    return [f"{s.name} ({docs[s]}) runs into 0 without reaching it: the objective has a corner there" for s in near]


def corners(law: Law, coordinates: tuple[Coordinate, ...], ends: Solutions) -> list[str]:
    """The notes of widths that run into 0 where all but the constants of their breaks have arrived."""
    docs = {p.symbol: p.doc for p in law.parameters}
    sharp, held = finish.corners(law, coordinates, ends.u[0])
    if not sharp or not rank.settled(ends.r[0], ends.jacobian[0], np.where(held, 1, ends.at[0])):
        return []
    return [
        f"{s.name} ({docs[s]}) runs into 0, which is not attained: a corner of the sum of squares"
        for s in law.constants
        if s in sharp
    ]


def equivalent(law: Law, rows: Rows, constants: Floats, names: list[str], sure: list[str]) -> list[str]:
    """The notes of optima (c, k) that the rows cannot tell apart.

    Parameters
    ----------
    names, sure : list of str
        The constants in which they differ, and those that are identified.
    """
    if constants.shape[1] < 2 or not names:
        return []
    places = {symbol.name: i for i, symbol in enumerate(law.constants)}
    other = [", ".join(f"{name} = {column[places[name]]:.6g}" for name in names) for column in constants.T]
    why = "the inputs run along one line, so that the terms may be exchanged"
    said = [f"{len(other)} equivalent optima, practically not identified: {'; or '.join(other)}: {why}"]
    terms = [t for t in sp.Add.make_args(law.explicit) if {s.name for s in t.free_symbols} & set(names)]
    whole = str(sp.Add(*terms)) + _single(law, rows, terms, constants)
    return [*said, f"identified: {', '.join([*sure, whole])}"]


def _single(law: Law, rows: Rows, terms: list[sp.Expr], constants: Floats) -> str:
    """`` = 5*N**(-0.3)`` where one of the terms is all there is of them on the rows, for the first optimum it is."""
    inputs = dict(zip(law.inputs, (np.log(x).mean() for x in rows.x), strict=True))
    for column in constants.T[::-1]:
        values = dict(zip(law.constants, column.tolist(), strict=True))
        shown = [t.subs(values) for t in terms]
        sizes = [abs(float(t.subs({s: np.exp(x) for s, x in inputs.items()}))) for t in shown]
        if sum(sizes) - max(sizes) <= _EXACT * max(sizes):
            return f" = {shown[sizes.index(max(sizes))].evalf(9)}"
    return ""


def adrift(names: list[str]) -> list[str]:
    """The note of constants that a search moved along a valley without a change that the rows could tell."""
    if not names:
        return []
    return [f"{', '.join(names)} are practically not identified: they drift together and the objective does not fall"]


def constant_terms(law: Law, rows: Rows, constants: Floats, missing: list[str], sure: list[str]) -> list[str]:
    """The sum of the terms whose inputs have one value in all rows: it is determined where its terms are not."""
    if law.explicit is None or not missing:
        return []
    still = {s: float(x[0]) for s, x in zip(law.inputs, rows.x, strict=True) if np.ptp(x) == 0}
    moving = set(law.inputs) - set(still)
    terms = [term for term in sp.Add.make_args(law.explicit) if not term.free_symbols & moving]
    lost = {symbol.name for term in terms for symbol in term.free_symbols} & set(missing)
    if not still or len(terms) < 2 or not lost:
        return []
    whole = sp.Add(*terms)
    value = float(whole.subs(still | dict(zip(law.constants, constants.tolist(), strict=True))))
    sure = [name for name in sure if name not in {symbol.name for symbol in whole.free_symbols}]
    return [f"identified: {', '.join([*sure, f'{whole} = {value:.9g}'])}"]
