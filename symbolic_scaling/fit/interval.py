"""How sure a fit is of any quantity derived from its constants, by several methods side by side.

What to use when: ``delta`` (Gauss-Newton) is exact for what is nearly linear over its error and needs noise alike in
all rows; ``sandwich`` allows for noise that is not; ``profile`` follows curved problems and stops at walls, one fit a
point; ``bootstrap`` (pairs) and ``residuals`` ask the data themselves, one fit a sample. Where they disagree the
problem is curved, or the rows are few.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..data.accuracy import inside, limit
from ..errors import FitError, ScalingError
from . import bootstrap, delta, profile_likelihood
from .derived import Quantity, What, quantity
from .determined import not_identified, why_not
from .ends import Interval
from .local import Local, at_optimum
from .refit import Refits
from .result import FitResult
from .spread import ends

__all__ = ["METHODS", "interval", "interval_table"]

METHODS = ("delta", "sandwich", "profile", "bootstrap", "residuals")


def interval(
    result: FitResult,
    what: What,
    method: str = "delta",
    level: float = 0.95,
    *,
    values: Mapping[str, float] | None = None,
    samples: int = 1000,
    basic: bool = False,
    seed: int = 0,
) -> Interval:
    """The interval of a constant or of any expression of the constants; a constant's is cut at its domain's ends.

    Parameters
    ----------
    result : FitResult
    what : str, Expr or Root
        ``"c"``, ``"alpha*beta/(alpha + beta)"``, the response's name for its value at inputs, or what ``derive`` found.
    method : str
        One of :data:`METHODS`.
    level : float
        Nominal coverage, between 0 and 1.
    values : mapping of name to number, optional
        Of inputs, a budget, and whatever else stands in the expression.
    samples, basic, seed : int, bool, int
        Of a bootstrap; basic intervals instead of percentiles.

    Raises
    ------
    FitError
        Where there is none; the error says why, and which method may give one.

    Examples
    --------
    >>> import numpy as np
    >>> from symbolic_scaling import fit, laws
    >>> x = np.array([1e5, 1e6, 1e7, 1e8])
    >>> found = fit.curve(laws.get("m1"), x, 3 * x**-0.1 * [1.001, 0.999, 0.999, 1.001])
    >>> made = interval(found, "eps_x", values={"x": 1e10})
    >>> [round(number, 3) for number in (made.value, made.lo, made.hi)]
    [0.3, 0.297, 0.303]
    """
    work = _Work(result, level, samples, basic, seed)
    return work.interval(quantity(result.law, what, values, ties=result.problem.tie), method)


def interval_table(
    result: FitResult,
    quantities: Mapping[str, What],
    *,
    values: Mapping[str, float] | None = None,
    methods: Sequence[str] = ("delta", "bootstrap"),
    level: float = 0.95,
    samples: int = 1000,
    basic: bool = False,
    seed: int = 0,
) -> tuple[Interval, ...]:
    """Intervals of several quantities by several methods; one bootstrap serves all.

    Parameters
    ----------
    result : FitResult
    quantities : mapping of name to str, Expr or Root
    values, methods, level, samples, basic, seed
        As for :func:`interval`.

    Returns
    -------
    tuple of Interval
        By quantity, then by method; one that does not exist has no ends and a note that says why, and no value where
        the rows leave the quantity open.

    Raises
    ------
    FitError
        If a method is unknown or a name has no value.

    Examples
    --------
    >>> import numpy as np
    >>> from symbolic_scaling import derive, fit, laws
    >>> law = laws.get("chinchilla")
    >>> n, d = (axis.ravel() for axis in np.meshgrid(np.geomspace(1e8, 1e10, 6), np.geomspace(1e9, 1e11, 6)))
    >>> loss = (1.7 + 400 / n**0.34 + 400 / d**0.28) * np.exp(1e-4 * np.sin(np.arange(36)))
    >>> found = fit.curve(law, {"N": n, "D": d}, loss)
    >>> best = derive.frontier(law)["N"]
    >>> rows = interval_table(found, {"N*": best}, values={"C": 1e22}, methods=("delta", "profile"))
    >>> [(row.method, float(f"{row.hi / row.value:.2g}")) for row in rows]
    [('delta', 1.0), ('profile', 1.0)]
    """
    work = _Work(result, level, samples, basic, seed)
    made = [quantity(result.law, what, values, name, result.problem.tie) for name, what in quantities.items()]
    return tuple(work.row(each, method) for each in made for method in methods)


@dataclass(frozen=True, eq=False)
class _Work:
    """A fit, its optimum, and refits that are drawn once."""

    result: FitResult
    level: float
    samples: int
    basic: bool
    seed: int

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise FitError("find an interval", f"level = {self.level!r}", "give a number between 0 and 1, such as 0.95")

    @cached_property
    def local(self) -> Local:
        return at_optimum(self.result)

    @cached_property
    def pairs(self) -> Refits:
        return bootstrap.draw(self.local, "pairs", self.samples, self.seed)

    @cached_property
    def residuals(self) -> Refits:
        return bootstrap.draw(self.local, "residuals", self.samples, self.seed)

    def row(self, of: Quantity, method: str) -> Interval:
        """The interval, or its note where there is none."""
        if method not in METHODS:
            self._unknown(of, method)
        try:
            return self.interval(of, method)
        except ScalingError as error:
            value = math.nan if not_identified(self.local, of) else self.value(of)
            return Interval(of.name, method, self.level, value, math.nan, math.nan, error.found)

    def value(self, of: Quantity) -> float:
        """The quantity at the estimate."""
        return float(of.shown(self.local.gradient(of)[0]))

    def interval(self, of: Quantity, method: str) -> Interval:
        """The interval by one method."""
        ways: dict[str, Callable[[Quantity], tuple[float, float, str]]] = {
            "delta": lambda of: (*delta.ends(self.local, of, self.level), ""),
            "sandwich": lambda of: (*delta.ends(self.local, of, self.level, sandwich=True), ""),
            "profile": self._profile,
            "bootstrap": lambda of: self._drawn(of, self.pairs),
            "residuals": lambda of: self._drawn(of, self.residuals),
        }
        if method not in ways:
            self._unknown(of, method)
        _refuse(of, self.result, method)
        lo, hi, note = ways[method](of)
        _, least, most = ends(of.law).get(str(of.expression), (False, -math.inf, math.inf))
        lo, hi = max(float(of.shown(lo)), least), min(float(of.shown(hi)), most)
        if of.expression in (of.law.explicit, of.law.response.symbol):
            problem = self.result.problem
            lo, hi = inside([lo, hi], limit([values for _, values in problem.x], problem.y)).tolist()
        return Interval(of.name, method, self.level, self.value(of), lo, hi, note)

    def _unknown(self, of: Quantity, method: str) -> None:
        raise FitError(f"find an interval of {of.name}", f"method {method!r}", f"give one of {', '.join(METHODS)}")

    def _profile(self, of: Quantity) -> tuple[float, float, str]:
        self._identified(of)
        sides = profile_likelihood.ends(self.local, of, self.level)
        words = {"wall": "ends at a wall of the box", "open": "has no end: the profile does not rise so far"}
        words["lost"] = "was not found: the refits along the profile do not arrive"
        notes = [
            f"{end} side {words[s.kind]}" for end, s in zip(("lower", "upper"), sides, strict=True) if s.kind in words
        ]
        return sides[0].value, sides[1].value, "; ".join(notes)

    def _identified(self, of: Quantity) -> None:
        why = why_not(self.local, of, walls=False)
        if why:
            raise FitError(f"find an interval of {of.name}", why, "fix what is not identified, or add rows")

    def _drawn(self, of: Quantity, refits: Refits) -> tuple[float, float, str]:
        self._identified(of)
        lo, hi = bootstrap.ends(self.local, of, refits, self.level, self.basic)
        lost = len(refits) - int(refits.converged.sum())
        return lo, hi, f"{lost} of {len(refits)} refits did not arrive and are left out" if lost else ""


def _refuse(of: Quantity, result: FitResult, method: str) -> None:
    """No interval of a fit that has not arrived, of a law that does not apply, or from residuals that are all 0."""
    if not result.outcome.success:
        raise FitError(f"find an interval of {of.name}", result.outcome.value, "look at the fit's notes first")
    fixed = {name for name, _ in result.problem.fix}
    if not of.constants:
        raise FitError(f"find an interval of {of.name}", "no constant of the law stands in it", "it is a number")
    if of.constants <= fixed:
        raise FitError(f"find an interval of {of.name}", "all its constants are fixed", "leave one free")
    if result.degrees_of_freedom <= 0 and method in ("sandwich", "bootstrap", "residuals"):
        found = "0 degrees of freedom: the curve passes through every row"
        raise FitError(f"find an interval of {of.name}", found, "add rows, or give sigma and ask for delta or profile")
    if not math.isfinite(result.objective):
        raise FitError(f"find an interval of {of.name}", "the objective is not finite", "look at the fit's notes first")
