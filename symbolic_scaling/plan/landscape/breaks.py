"""Where the smooth breaks of a law lie: as an equation of its inputs, and in one input at the others.

The factor ``(1 + M)**e`` of a part is one where the monomial M is small and ``M**e`` where it is large; it turns where
M = 1, which is a plane in the logarithms of the inputs. There the factor is ``2**e``. In UNSL e is -f, and the fall in
input i changes by ``c_i*sign(f)``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import sympy as sp

from ..sources import Chosen, chosen_source
from .model import Model
from .parts import Break, exponent, read

__all__ = ["Hyperbreak", "crossings", "hyperbreaks", "place"]

_PARALLEL = 1e-9


@dataclass(frozen=True)
class Hyperbreak:
    """A break with numbers.

    Parameters
    ----------
    kind : Break
    exponents : tuple of (str, float)
        Of each input in the equation of the plane.
    level : float
        What their product comes to there; ``inf`` or 0 where no double holds it.
    changes : tuple of (str, float)
        By how much the exponent of each input changes from one side of the plane to the other.
    at : tuple of (str, float)
        The value of each input at which it lies, where the others are given or do not matter.
    """

    kind: Break
    exponents: tuple[tuple[str, float], ...]
    level: float
    changes: tuple[tuple[str, float], ...]
    at: tuple[tuple[str, float], ...]


def crossings(found: tuple[Hyperbreak, ...]) -> tuple[tuple[str, str, tuple[tuple[str, float], ...]], ...]:
    """Where two hyperbreaks of one term cross in the plane of two inputs: there it has four pieces, not three.

    Each is the names of two breaks and the inputs at which they cross; breaks that run side by side do not.
    """
    made = []
    for one, other in combinations(found, 2):
        names = [name for name, exponent in one.exponents]
        if one.kind.part != other.kind.part or len(names) != 2 or not (0 < one.level < math.inf > other.level > 0):
            continue
        slopes = np.array([[exponent for _, exponent in each.exponents] for each in (one, other)])
        if abs(np.linalg.det(slopes)) > _PARALLEL * np.prod(np.linalg.norm(slopes, axis=1)):
            logs = np.linalg.solve(slopes, np.log([one.level, other.level]))
            at = tuple((name, _exponential(sp.Float(log))) for name, log in zip(names, logs, strict=True))
            made.append((one.kind.name, other.kind.name, at))
    return tuple(made)


def place(one: Break, x: sp.Symbol) -> sp.Expr:
    """The value of the input x at which a break lies, as an expression of the constants and of the other inputs."""
    return (one.where.rhs / one.where.lhs.subs(x, 1)) ** (1 / exponent(one.where.lhs, x))


def hyperbreaks(source: Chosen, at: Mapping[str, Any] | None = None) -> tuple[Hyperbreak, ...]:
    """Every break of the law's parts.

    Parameters
    ----------
    source : Source, Law or FitResult
        A law with numbers; of a law its first printed ones.
    at : mapping of input to number, optional
        Where given, each break also says at which value of any one input it lies, the others as given.

    Raises
    ------
    LawError
        If the law is implicit.
    DataError
        If ``at`` names no input, or no positive number.

    Examples
    --------
    >>> from symbolic_scaling import laws, plan
    >>> numbers = {"c_1_0": 0.3, "c_2_0": 0, "c_1_1": 0.5, "c_2_1": -0.25, "d_1": 10, "f_1": 0.1, "b": 2}
    >>> (found,) = hyperbreaks(plan.source(laws.get("mbnsl", m=2), constants=numbers), {"x_2": 1e4})
    >>> found.kind.where, found.at
    (Eq(x_1**c_1_1*x_2**c_2_1, d_1), (('x_1', 10000.0),))
    """
    source = chosen_source(source)
    model = Model(source, f"find the breaks of {source.law.name}")
    given = {name: model.number(name, value) for name, value in (at or {}).items()}
    model.held(given, tuple(name for name in model.inputs if name not in given))
    return tuple(_numbers(model, one, given) for one in read(source.law).breaks)


def _numbers(model: Model, one: Break, given: Mapping[str, float]) -> Hyperbreak:
    known = dict(zip(model.law.constants, model.exact, strict=True))
    inside = [x for x in model.law.inputs if one.where.lhs.has(x)]
    exponents = {x.name: exponent(one.where.lhs, x).evalf(30, subs=known) for x in inside}
    level = sp.log(one.where.rhs).evalf(30, subs=known)
    changes = {x.name: (one.power * exponent(one.monomial, x)).evalf(30, subs=known) for x in inside}
    places = {}
    for name, own in exponents.items():
        others = [other for other in exponents if other != name and exponents[other] != 0]
        if own != 0 and all(other in given for other in others):
            rest = sp.Add(*(exponents[other] * sp.log(sp.Float(given[other], 30)) for other in others))
            places[name] = _exponential((level - rest) / own)
    return Hyperbreak(one, _floats(exponents), _exponential(level), _floats(changes), tuple(places.items()))


def _floats(numbers: Mapping[str, sp.Expr]) -> tuple[tuple[str, float], ...]:
    return tuple((name, float(number)) for name, number in numbers.items())


def _exponential(log: sp.Expr) -> float:
    return math.inf if log > 709 else 0.0 if log < -745 else float(sp.exp(log))
