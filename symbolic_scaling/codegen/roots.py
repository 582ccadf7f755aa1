"""The numbers of roots, coupled ones too: each unknown is sought in its logarithm, with a bracket and many digits.

Algorithm
---------
1. Unknowns that stand in one another's conditions belong together. Those that follow (``Root.inner``) are solved anew
   at every trial of the one they follow, so that each search is along a monotone function.
2. One unknown: a condition ``sum(t) = 0`` is written ``log(sum of t > 0) - log(sum of -t > 0) = 0``, nearly linear in
   the logarithm however far away; doubled steps find a change of sign, bracketed secants the zero.
3. Several with one common zero: the conditions are the gradient of a strictly convex function of the logarithms. A
   sweep takes each unknown in turn; Newton's method then has the direction, and the sign of the slope along it the
   step, so that no values of the function are needed. Where Newton stalls, sweep again.
4. The answer is checked: each condition must vanish beside its largest term.

Worked example: ``-A/N + m*N*D = 0``, ``-B/D + m*N*D = 0`` and, with both following m, ``N*D = C``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sp

from .. import budget
from ..errors import DomainError, ScalingError
from ..records import Root
from . import api
from .secant import bracket, zero

__all__ = ["Solver", "exact"]

_LONGEST = 2**20  # no step of a logarithm is longer
_GUARD = 10  # digits beyond those asked for
_COARSE = 1e-2
_ROUNDS = 40


class Solver:
    """The roots of a derivation at numbers.

    Parameters
    ----------
    roots : sequence of Root
        With one unknown each; other unknowns in their conditions are among them.
    digits : int
        Of the answer.

    Raises
    ------
    ScalingError
        From a call: if a condition has no real value, or no change of sign is found.

    Examples
    --------
    >>> x, a = sp.symbols("x a", positive=True)
    >>> root = Root(x, a * x**3 + x - 1, (sp.Integer(0), sp.oo), "rises")
    >>> float(Solver([root])({"a": 2})[x].__round__(9))
    0.589754512
    """

    def __init__(self, roots: Sequence[Root], digits: int = 15) -> None:
        self.digits = digits
        self._parts = [_Part(part, digits) for part in _together(roots)]

    def __call__(self, numbers: Mapping[str, Any]) -> dict[sp.Symbol, Any]:
        """The unknowns as mpmath numbers; a second call starts where the first one ended."""
        found: dict[sp.Symbol, Any] = {}
        for part in self._parts:
            found |= part.solve(numbers)
        return found


def exact(value: Any, name: str) -> sp.Expr:
    """A number without rounding: an exact one as it is, ``exp(6.0073404)`` too; a float is the decimal it prints as."""
    if isinstance(value, sp.Expr) and not value.has(sp.Float) and value.is_number and value.is_real:
        return value
    text = repr(float(value)) if isinstance(value, float) else str(value)
    try:
        return sp.Rational(text)
    except (TypeError, ValueError):
        raise DomainError(f"read {name} = {value!r}", "it is not a number", "give a decimal number") from None


def _together(roots: Sequence[Root]) -> list[list[Root]]:
    """Roots that stand in one another's conditions, those that others follow first."""
    parts: list[list[Root]] = []
    for root in roots:
        mine = [part for part in parts if any(_mentions(root, one) or _mentions(one, root) for one in part)]
        parts = [part for part in parts if part not in mine] + [[*(one for part in mine for one in part), root]]
    return [sorted(part, key=lambda root: -len(root.inner)) for part in parts]


def _mentions(root: Root, other: Root) -> bool:
    return bool(root.condition.has(other.symbol)) or other.symbol in root.inner


class _Part:
    """Unknowns that belong together: ``outer`` ones, each followed by all after it, then those with a common zero."""

    def __init__(self, roots: Sequence[Root], digits: int) -> None:
        self.symbols = [root.symbol for root in roots]
        self.outer = sum(1 for root in roots if root.inner)
        terms = [sp.Add.make_args(root.condition) for root in roots]
        ends = [end for root in roots for end in root.bracket if end.is_finite and end != 0]
        letters = {s for part in terms for term in part for s in term.free_symbols} | {
            s for end in ends for s in end.free_symbols
        }
        self.letters = sorted(letters - set(self.symbols), key=lambda s: str(s.name))
        starts = [sum(map(len, terms[:k])) for k in range(len(terms))]
        self._places = [range(start, start + len(part)) for start, part in zip(starts, terms, strict=True)]
        self._terms = api.compile(
            [term for part in terms for term in part],
            [*self.symbols, *self.letters],
            self.symbols,
            "mpmath",
            lowered=False,
        )
        self._brackets = [root.bracket for root in roots]
        self.context, self._run = self._terms.steady(digits + _GUARD)
        self.logs = [self.context.mpf(0) for _ in roots]
        self.asked = f"find the numbers of {', '.join(s.name for s in self.symbols)}"

    def solve(self, numbers: Mapping[str, Any]) -> dict[sp.Symbol, Any]:
        """Every unknown of the part at these numbers."""
        self._point = [numbers[s.name] for s in self.letters]
        at = {s: exact(numbers[s.name], s.name) for s in self.letters}
        self._ends = [tuple(self._log(end.subs(at)) for end in bracket) for bracket in self._brackets]
        self._level(0)
        found = [self.context.exp(log) for log in self.logs]
        return dict(zip(self.symbols, found, strict=True))

    def _log(self, end: sp.Expr) -> Any:
        if end in (0, sp.oo):
            return -self.context.inf if end == 0 else self.context.inf
        return self.context.log(self.context.mpf(end.evalf(self.context.dps)._mpf_))

    def _values(self) -> list[list[Any]]:
        """The terms of every condition."""
        budget.check(self.asked)
        flat = self._run("value", [self.context.exp(log) for log in self.logs] + self._point)
        return [[flat[place] for place in places] for places in self._places]

    def _slopes(self) -> tuple[list[list[Any]], list[list[Any]]]:
        """The terms of every condition, and the derivative of each condition in each unknown's logarithm."""
        budget.check(self.asked)
        at = [self.context.exp(log) for log in self.logs]
        flat = self._run("both", at + self._point)
        width, total = len(at), self._places[-1][-1] + 1
        moved = [
            [x * self.context.fsum(flat[total + place * width + j] for place in places) for j, x in enumerate(at)]
            for places in self._places
        ]
        return [[flat[place] for place in places] for places in self._places], moved

    def _level(self, k: int) -> None:
        """Solve for the k-th outer unknown and all after it."""
        if k == self.outer:
            self._common()
            return

        def ratio(log: Any) -> Any:
            self.logs[k] = log
            self._level(k + 1)
            return self._ratio(self._values()[k])

        ratio(self._search(ratio, k))

    def _one(self, k: int, coarse: float = 0) -> None:
        """The k-th unknown with all others held."""

        def ratio(log: Any) -> Any:
            self.logs[k] = log
            return self._ratio(self._values()[k])

        self.logs[k] = self._search(ratio, k, coarse)

    def _search(self, ratio: Callable[[Any], Any], k: int, coarse: float = 0) -> Any:
        """The zero of a monotone function of the k-th logarithm, bracketed by doubled steps."""
        ends = bracket(self.context, ratio, self.logs[k], self._ends[k], self.asked)
        return zero(self.context, ratio, ends, coarse)

    def _ratio(self, terms: Sequence[Any]) -> Any:
        """``log(up) - log(down)`` of a sum's terms of either sign."""
        if any(not hasattr(term, "_mpf_") or not self.context.isfinite(term) for term in terms):
            raise ScalingError(self.asked, "a condition has no real value", "check the numbers")
        up = self.context.fsum(term for term in terms if term > 0)
        down = -self.context.fsum(term for term in terms if term < 0)
        if not (up and down):
            return self.context.inf if up else -self.context.inf if down else self.context.zero
        return self.context.log(up) - self.context.log(down)

    def _common(self) -> None:
        """The common zero of the conditions that no unknown follows."""
        places = range(self.outer, len(self.symbols))
        if len(places) == 1:
            self._one(places[0])
            return
        for _ in range(_ROUNDS):
            if self._newton(places):
                return
            for k in places:
                self._one(k, _COARSE)
        raise ScalingError(self.asked, f"no common zero after {_ROUNDS} sweeps", "check the numbers")

    def _newton(self, places: range) -> bool:
        """Newton's steps until every condition vanishes beside its terms; False where they stall."""
        context = self.context
        tiny = context.mpf(10) ** (5 - context.dps)
        for _ in range(_ROUNDS):
            rows, slopes = self._slopes()
            gap = [context.fsum(rows[k]) for k in places]
            if all(abs(g) <= tiny * max(map(abs, rows[k])) for g, k in zip(gap, places, strict=True)):
                return True
            try:
                matrix = context.matrix([[slopes[i][j] for j in places] for i in places])
                step = context.lu_solve(matrix, context.matrix([-g for g in gap]))
            except ZeroDivisionError:
                return False
            if not self._along(places, list(step), gap):
                return False
        return False

    def _along(self, places: range, step: list[Any], gap: list[Any]) -> bool:
        """Go to where the slope along the step is small beside its first value; False if it does not fall."""
        start = [self.logs[k] for k in places]
        first = self.context.fdot(gap, step)
        if not (first < 0 and max(map(abs, step)) < _LONGEST):
            return False
        low, high, length = self.context.zero, None, self.context.one
        for _ in range(60):
            for k, log, move in zip(places, start, step, strict=True):
                self.logs[k] = log + length * move
            rows = self._values()
            slope = self.context.fdot([self.context.fsum(rows[k]) for k in places], step)
            if abs(slope) <= abs(first) / 2:
                return True
            low, high = (length, high) if slope < 0 else (low, length)
            length = 2 * length if high is None else (low + high) / 2
        return False
