"""What is certified: a residual that is linear in all but at most two constants, on its declared box.

``r_i(theta, u) = offset_i(theta) + sum_j u_j A_ij(theta)``; ``theta`` are the searched constants, each in the units of
the fit, or its height above another one where the box bounds that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import sympy as sp

from ...algebra.order import sign
from ...budget import cached
from ...domain import Domain
from ...errors import FitError
from ...law import Law
from ..box import Coordinate
from ..frame import Frame
from ..objective import Objective
from ..prepare import prepare
from ..result import FitProblem
from ..separate import Separation, of_log_residual
from ..solve import Floats
from .intervals import Interval, enclose, point
from .quadratic import pairs

__all__ = ["Problem", "Terms", "opened", "read", "rises", "terms"]

MOST = 2  # searched constants
_SEPARABLE = ("response", "equation")
_UNDER = 'fit it under "response" or "equation"'


@dataclass(frozen=True)
class Terms:
    """The columns of the linear constants, then the offset: values, slopes and second derivatives by the searched ones.

    ``slopes[part][k]``, ``seconds[part][pair]`` are expressions; ``rises[part][pair]`` are those of the latter as in
    :func:`rises`; ``linear``, ``logs`` and ``rest`` as in
    :class:`~symbolic_scaling.fit.separate.Separation`.
    """

    linear: tuple[sp.Symbol, ...]
    logs: tuple[bool, ...]
    rest: tuple[sp.Symbol, ...]
    parts: tuple[sp.Expr, ...]
    slopes: tuple[tuple[sp.Expr, ...], ...]
    seconds: tuple[tuple[sp.Expr, ...], ...]
    rises: tuple[tuple[tuple[int, ...] | None, ...], ...]

    @property
    def moving(self) -> tuple[bool, ...]:
        """Which columns change with a searched constant."""
        return tuple(any(slope != 0 for slope in slopes) for slopes in self.slopes[:-1])

    @property
    def constant(self) -> int | None:
        """Which column is the same number on every row, as that of an amplitude's logarithm."""
        return next((j for j, part in enumerate(self.parts[:-1]) if part.is_number and part != 0), None)


@dataclass(frozen=True, eq=False)
class Problem:
    """A fit in the units of the fit.

    Parameters
    ----------
    objective : Objective
    frame : Frame
    terms : Terms
    lo, hi : array (d,)
        The box of the searched constants.
    ends : array (2, q)
        The box of the linear coordinates, logarithms of amplitudes.
    """

    objective: Objective
    frame: Frame
    terms: Terms
    lo: Floats
    hi: Floats
    ends: Floats

    def given(self) -> dict[sp.Symbol, Interval]:
        """The rows and the fixed constants as intervals without width."""
        law, table = self.objective.law, self.objective.table
        values = dict(zip(law.inputs, map(point, table.x), strict=True))
        values[law.response.symbol] = point(table.y)
        return values | {symbol: point(value) for symbol, value in self.objective.fixed.items()}

    def constants(self, estimate: Mapping[str, float]) -> Floats:
        """Constants by name in the user's units -> (c,) in the units of the fit."""
        law = self.objective.law
        values = {symbol: estimate[symbol.name] for symbol in law.constants}
        inside = self.frame.inside(values, values)
        return np.array([inside[symbol] for symbol in law.constants])

    def located(self, constants: Floats) -> tuple[Floats, Floats]:
        """Constants (c,) in the units of the fit -> searched ones (d,) and linear coordinates (q,)."""
        by_symbol = dict(zip(self.objective.law.constants, constants.tolist(), strict=True))
        base = {c.symbol: c.base for c in self.objective.coordinates}
        height = [by_symbol[s] - (by_symbol[base[s]] if base[s] is not None else 0.0) for s in self.terms.rest]
        pairs_ = zip(self.terms.linear, self.terms.logs, strict=True)
        return np.array(height), np.array([math.log(by_symbol[s]) if log else by_symbol[s] for s, log in pairs_])


def read(problem: FitProblem) -> Problem:
    """The problem of a fit.

    Raises
    ------
    FitError
        If its residual does not separate with at most two searched constants, or is not squared as it stands.
    """
    asked = f"certify {problem.law.name} under {problem.residual}"
    if obstacle := _obstacle(problem):
        raise FitError(asked, *obstacle)
    ready = prepare(problem)
    fixed = frozenset(ready.objective.fixed)
    coordinates = {c.symbol: c for c in ready.objective.coordinates}
    separation = of_log_residual(problem.law, problem.residual, fixed)
    above = tuple((s, coordinates[s].base) for s in separation.rest if coordinates[s].base is not None)
    if len(separation.rest) > MOST:
        raise FitError(asked, *_entangled(problem, separation, fixed))
    if hung := [s.name for s in separation.linear if coordinates[s].base is not None]:
        raise FitError(asked, f"the box of {', '.join(hung)} hangs on another constant", "give it bounds of its own")
    made = terms(problem.law, separation, above)
    box = [(float(coordinates[s].lo), float(coordinates[s].hi)) for s in made.rest]
    lo, hi = np.array(box).reshape(-1, 2).T
    pairs_ = zip(made.linear, made.logs, strict=True)
    ends = np.array([_ends(coordinates[s], log) for s, log in pairs_]).reshape(-1, 2).T
    found = Problem(ready.objective, ready.frame, made, lo, hi, ends)
    values = found.given() | {s: (lo[k], hi[k]) for k, s in enumerate(made.rest)}
    for part in made.parts:
        enclose(part, values)  # a function without an interval rule is an error here
    return found


def _obstacle(problem: FitProblem) -> tuple[str, str] | None:
    """What of residual, loss and priors keeps a problem from a proof, and what to do."""
    if problem.residual not in _SEPARABLE:
        return f"the residual is {problem.residual}, and proofs are for log residuals", _UNDER
    if problem.loss != "squared":
        return f"the loss is {problem.loss}, and proofs are for squares", "fit it with the loss squared"
    if problem.priors:
        return "it has priors, which are no rows of the table", "fit it without them"
    if problem.residual == "response" and problem.law.explicit is None:
        return "the law is implicit in its response", 'fit it under "equation"'
    return None


def _entangled(problem: FitProblem, separation: Separation, fixed: frozenset[sp.Symbol]) -> tuple[str, str]:
    """Which constants do not enter linearly, and whether fewer do so under the law's own equation."""
    names = ", ".join(symbol.name for symbol in separation.rest)
    found = f"proofs search at most {MOST} constants, and {names} do not enter the log residual linearly"
    beside = of_log_residual(problem.law, "equation", fixed) if problem.residual == "response" else separation
    if len(beside.rest) <= MOST:
        return found, 'fit it under "equation"'
    return found, f"fix all but {MOST} of them, or go by how many starts agree"


@cached
def terms(law: Law, separation: Separation, above: tuple[tuple[sp.Symbol, sp.Symbol], ...]) -> Terms:
    """The derivatives, a constant that is bounded ``above`` another one written as their sum."""
    rest = separation.rest
    shifted = (part.subs({s: s + base for s, base in above}, simultaneous=True) for part in separation.parts)
    parts = tuple(opened(part, rest) for part in shifted)
    slopes = tuple(tuple(sp.diff(part, s) for s in rest) for part in parts)
    seconds = tuple(tuple(sp.diff(part, rest[k], rest[m]) for k, m in pairs(len(rest))) for part in parts)
    # heights above other constants keep no relation
    domain = Domain(law.domain.ranges) if above else law.domain
    signs = tuple(tuple(rises(law, e, rest, domain) for e in row) for row in seconds)
    return Terms(separation.linear, separation.logs, rest, parts, slopes, seconds, signs)


def opened(e: sp.Expr, rest: tuple[sp.Symbol, ...]) -> sp.Expr:
    """The expression with logarithms of quotients as differences, so that a searched constant stands once in each.

    Examples
    --------
    >>> x, d = sp.symbols("x d", positive=True)
    >>> opened(sp.log(1 + x / d), (d,)), opened(sp.log(1 / x + d), (d,))
    (-log(d) + log(d + x), log(d + 1/x))
    """

    def one(inside: sp.Expr) -> sp.Expr:
        if all(sp.diff(inside, s, 2) == 0 for s in rest):
            return sp.log(inside)
        return sp.expand_log(sp.log(sp.together(inside)))

    return e.replace(sp.log, one)


def rises(law: Law, e: sp.Expr, rest: tuple[sp.Symbol, ...], domain: Domain) -> tuple[int, ...] | None:
    """The signs of an expression's derivatives by its one input or response and by each searched constant, 0 for none.

    None where it holds several inputs, or where the domain does not fix a sign.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> law = laws.get("m2")
    >>> y, floor = law.response.symbol, law.constants[2]
    >>> rises(law, sp.log(y - floor), (floor,), law.domain)
    (1,)
    """
    data = [symbol for symbol in (*law.inputs, law.response.symbol) if e.has(symbol)]
    if len(data) != 1:
        return None
    signs = [sign(sp.diff(e, data[0], s), domain, strict=False) for s in rest]
    return None if None in signs else tuple(int(one or 0) for one in signs)


def _ends(c: Coordinate, log: bool) -> tuple[float, float]:
    return (math.log(c.lo), math.log(c.hi)) if log else (float(c.lo), float(c.hi))
