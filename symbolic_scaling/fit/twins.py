"""Optima that the rows cannot tell apart: two power terms whose inputs run along one line in the logarithms.

On runs with ``D = k*N**q`` the terms ``A*N**(-alpha) + B*D**(-beta)`` are two powers of one variable, and nothing says
which is which: the constants with the two terms exchanged fit as well. A fit lists both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import combinations

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from ..budget import cached
from ..law import Law
from .minima import Minima
from .objective import Objective
from .search import SAME
from .solve import Floats, minimise

__all__ = ["add", "alike", "differ", "exchangeable", "exchanged", "twofold"]

_ALONG = 0.999  # cosine between the logarithms of two inputs
_LINE = 1e-6  # of their spread: two inputs on one line, as :mod:`symbolic_scaling.data.design` has it
_APART = 1e-4  # relative: constants that differ


@dataclass(frozen=True)
class _Term:
    """``amplitude * product of input**(factor * exponent)``."""

    amplitude: sp.Symbol
    exponent: sp.Symbol
    factors: tuple[tuple[int, float], ...]

    @property
    def constants(self) -> tuple[sp.Symbol, sp.Symbol]:
        """Amplitude and exponent."""
        return self.amplitude, self.exponent

    def slope(self, log_x: Floats) -> Floats:
        """The logarithm of the product at exponent 1, (n,)."""
        total = np.zeros(log_x.shape[1])
        for place, factor in self.factors:
            total = total + factor * log_x[place]
        return total


@cached
def _terms(law: Law) -> tuple[_Term, ...]:
    """The power terms of an explicit law that is a sum."""
    found = []
    for part in sp.Add.make_args(law.explicit) if law.explicit is not None else ():
        powers = part.as_powers_dict()
        inputs = {base: power for base, power in powers.items() if base in law.inputs}
        others = [(base, power) for base, power in powers.items() if base not in law.inputs]
        symbols = set().union(*(power.free_symbols for power in inputs.values())) & set(law.constants)
        if len(symbols) != 1 or len(others) != 1 or others[0][1] != 1 or others[0][0] not in law.constants:
            continue
        (exponent,) = symbols
        ratios = {base: power / exponent for base, power in inputs.items()}
        if all(ratio.is_number for ratio in ratios.values()):
            places = tuple((i, float(ratios[base])) for i, base in enumerate(law.inputs) if base in ratios)
            found.append(_Term(others[0][0], exponent, places))
    return tuple(found)


def exchangeable(law: Law) -> bool:
    """Whether a law has two power terms, which some inputs do not tell apart."""
    return len(_terms(law)) > 1


def twofold(law: Law, x: Floats, free: frozenset[sp.Symbol]) -> tuple[tuple[tuple[sp.Symbol, sp.Symbol], ...], ...]:
    """Pairs of (amplitude, exponent) whose terms may be exchanged whatever their values: their inputs are on one line.

    Parameters
    ----------
    x : array (m, n)
        Inputs.
    free : frozenset of Symbol
        A term with another constant keeps its place.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> law, n = laws.get("chinchilla"), np.array([1e7, 1e8, 1e9])
    >>> twofold(law, np.array([n, 20 * n]), frozenset(law.constants))
    (((A, alpha), (B, beta)),)
    >>> twofold(law, np.array([n, [1e9, 3e9, 1e9]]), frozenset(law.constants))
    ()
    """
    found = []
    for one, two in combinations(_terms(law), 2):
        if one.exponent == two.exponent or not free.issuperset((*one.constants, *two.constants)):
            continue
        a, b = (slope - slope.mean() for slope in (one.slope(np.log(x)), two.slope(np.log(x))))
        sizes = float(np.linalg.norm(a)), float(np.linalg.norm(b))
        apart = np.linalg.norm(b * sizes[0] - a * sizes[1])
        if min(sizes) > 0 and apart <= _LINE * sizes[0] * sizes[1]:
            found.append((one.constants, two.constants))
    return tuple(found)


def exchanged(law: Law, x: Floats, values: Mapping[sp.Symbol, float]) -> list[dict[sp.Symbol, float]]:
    """The constants with two power terms exchanged, for each pair of terms that are powers of one variable on the rows.

    Parameters
    ----------
    x : array (m, n)
        Inputs.
    values : mapping of constant to value
        Of those that may change; a term with another constant keeps its place.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> law = laws.get("chinchilla")
    >>> values = dict(zip(law.constants, (1.69, 400.0, 500.0, 0.34, 0.28)))
    >>> (other,) = exchanged(law, np.array([[1e7, 1e8, 1e9], [1e7, 1e8, 1e9]]), values)
    >>> {symbol.name: round(value, 9) for symbol, value in other.items()}
    {'E': 1.69, 'A': 500.0, 'B': 400.0, 'alpha': 0.28, 'beta': 0.34}
    """
    log_x, found = np.log(x), []
    for one, two in combinations(_terms(law), 2):
        if not {one.amplitude, one.exponent, two.amplitude, two.exponent} <= set(values):
            continue
        slopes = one.slope(log_x), two.slope(log_x)
        means = [float(slope.mean()) for slope in slopes]
        a, b = (slope - mean for slope, mean in zip(slopes, means, strict=True))
        if float(a @ b) <= _ALONG * np.linalg.norm(a) * np.linalg.norm(b):
            continue
        first = values[two.exponent] * float(a @ b) / float(a @ a)
        second = values[one.exponent] * float(a @ b) / float(b @ b)
        with np.errstate(all="ignore"):
            up = values[two.amplitude] * np.exp(values[two.exponent] * means[1] - first * means[0])
            down = values[one.amplitude] * np.exp(values[one.exponent] * means[0] - second * means[1])
        new = {one.exponent: first, two.exponent: second, one.amplitude: float(up), two.amplitude: float(down)}
        if np.isfinite([*new.values()]).all():
            found.append({**values, **new})
    return found


def add(objective: Objective, found: Minima) -> Minima:
    """The minima, and those as good as the best that its exchanged terms lead to."""
    law, free = objective.law, {c.symbol for c in objective.coordinates}
    if not len(found.u) or not exchangeable(law):
        return found
    values = dict(zip(law.constants, objective.constants(found.u[:1])[:, 0].tolist(), strict=True))
    others = exchanged(law, objective.table.x, {s: value for s, value in values.items() if s in free})
    if not others:
        return found
    begun = np.array([[{**values, **other}[symbol] for other in others] for symbol in law.constants])
    solved = minimise(objective, objective.locate(begun), objective.lo, objective.hi)
    parts = {f.name: getattr(found, f.name) for f in fields(found)}
    for i in range(len(solved.u)):
        level = _agree(found.r[0], solved.r[i], found.cost[0])
        new = objective.constants(solved.u[i : i + 1])
        known = objective.constants(parts["u"])[:, _like(parts, found.r[0], found.cost[0])]
        if not level or not all(_apart(known[:, [j]], new).any() for j in range(known.shape[1])):
            continue
        for f in fields(solved):
            parts[f.name] = np.insert(parts[f.name], 1, getattr(solved, f.name)[i], axis=0)
        parts["reached"] = np.insert(parts["reached"], 1, 0)
    return Minima(**parts)


def alike(found: Minima) -> list[int]:
    """The minima whose residuals agree with the best one's, itself included."""
    return [i for i in range(len(found.u)) if _agree(found.r[0], found.r[i], found.cost[0])]


def differ(law: Law, constants: Floats) -> list[str]:
    """The names of the constants (c, k) that are not the same in all columns."""
    return [s.name for s, apart in zip(law.constants, _apart(constants[:, :1], constants), strict=True) if apart]


def _like(parts: Mapping[str, Floats], r: Floats, cost: float) -> list[int]:
    return [i for i, other in enumerate(parts["r"]) if _agree(r, other, cost)]


def _agree(one: Floats, two: Floats, cost: float) -> bool:
    return bool(np.sum((one - two) ** 2) <= SAME**2 * cost + 1e-24)


def _apart(one: Floats, two: Floats) -> NDArray[np.bool_]:
    """Which constants differ, (c,)."""
    larger = np.maximum(np.abs(one), np.abs(two))
    return np.asarray(np.any(np.abs(two - one) > _APART * larger, axis=1))
