"""Which inputs make the response least under a cost, for any explicit law: Lagrange's condition, solved numerically.

Where the response is least at the cost C, ``d log y/d log x_i = multiplier * d log C/d log x_i`` for every input i. One
input pays for the others: along the surface of equal cost the slope in ``log x_i`` is
``y_i - y_p*C_i/C_p`` with the logarithmic slopes of y and C. With two inputs that is one function of one variable,
whose every change of sign on a grid is found; with more, descents from many starts end where all slopes vanish.
Each answer is certified: in 40 digits every slope has a minus on one side and a plus on the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from ... import codegen
from ...derive.price import price_of
from ...errors import DataError, NoOptimum
from ...law import Cost
from ..sources import Chosen, Source, chosen_source
from ..units import positive
from .model import DIGITS, Array, Model
from .turns import crossings, proved

__all__ = ["Spent", "spend"]

_GRID = 801
_STARTS = 16
_FAR = 700.0  # logarithms of doubles end here
_ALIKE = 1e-5


@dataclass(frozen=True)
class Spent:
    """Inputs that make the response least among their neighbours of equal cost.

    Parameters
    ----------
    inputs : tuple of (str, float)
    response, multiplier : float
        Response, and the slope of its logarithm in the logarithm of the budget.
    residual : float
        The largest slope that is left along the surface of equal cost.
    certified : bool
        Whether each slope changes from minus to plus there, in 40 digits.
    """

    inputs: tuple[tuple[str, float], ...]
    response: float
    multiplier: float
    residual: float
    certified: bool


def spend(
    source: Chosen,
    budget: object,
    cost: Cost | sp.Expr | str | None = None,
    *,
    beside: Mapping[str, object] | None = None,
    held: Mapping[str, Any] | None = None,
    spans: Mapping[str, Any] | None = None,
) -> tuple[Spent, ...]:
    """Inputs that make the response least at a budget, the best first; other minima follow.

    Parameters
    ----------
    source : Source, Law or FitResult
        A law with numbers; of a law its first printed ones.
    budget : number or str
        In the unit of the cost.
    cost : Cost, Expr or str, optional
        Such as ``"6*N*D"``; the law's own without it. It rises in each input.
    beside, held : mapping, optional
        Numbers of the cost's own letters; inputs that stay as they are. One that is not held and costs nothing, such
        as a learning rate, takes its best value.
    spans : mapping of input to (lo, hi), optional
        Where to look; a thousandfold beyond the rows of a fit, or far beyond what is typical, without it.

    Raises
    ------
    LawError
        If the law is implicit or there is no cost.
    DataError
        If an input is unknown or not positive, fewer than two are left to choose, or none of these is paid for.
    NoOptimum
        If there is no minimum inside the ranges; the cost may fall in an input.

    Examples
    --------
    >>> from symbolic_scaling import laws, plan
    >>> named = plan.source(laws.get("chinchilla"), "besiroglu2024")
    >>> best, *others = spend(named, "5.76e23", "6*N*D")
    >>> others, [f"{value:.8g}" for _, value in best.inputs], best.certified
    ([], ['7.2248703e+10', '1.3287436e+12'], True)
    """
    work = _Work(chosen_source(source), budget, cost, beside=beside or {}, held=held or {}, spans=spans or {})
    with np.errstate(all="ignore"):
        found = work.pairs() if len(work.free) == 2 else work.descents()
    if not found and work.falling:
        falls = ", ".join(work.falling)
        raise NoOptimum(work.model.asked, f"the cost falls in {falls}", "give one that rises in each input it has")
    if not found:
        where = ", ".join(f"{name} from {lo:.3g} to {hi:.3g}" for name, (lo, hi) in work.spans.items())
        raise NoOptimum(work.model.asked, f"no minimum with {where}", "give other ranges, or another budget")
    return tuple(sorted(found, key=lambda each: each.response))


class _Work:
    """One law, one cost, one budget."""

    def __init__(
        self, source: Source, budget: object, cost: Any, *, beside: Mapping[str, object], held: Mapping[str, Any],
        spans: Mapping[str, Any],
    ) -> None:  # fmt: skip
        self.model = Model(source, f"spend a budget on {source.law.name}")
        paid = price_of(source.law, cost)
        law, letters = source.law, sorted(paid.expression.free_symbols - set(source.law.inputs), key=str)
        missing = [s.name for s in letters if s.name not in beside and s.name not in source.constants]
        if missing:
            raise DataError(self.model.asked, f"no number for {missing[0]} of the cost", f"say {missing[0]}=...")
        self._own = [float(source.constants.get(s.name, positive(beside.get(s.name, 1), s.name))) for s in letters]
        self.budget = float(positive(budget, paid.symbol.name))
        opened = [s for s in law.inputs if s.name not in held]
        self.falling = [s.name for s in opened if paid.expression.diff(s).is_negative]
        self.free = tuple(s.name for s in sorted(opened, key=paid.expression.has))  # the last one pays
        if len(opened) < 2 or not paid.expression.has(*opened):
            found = f"open inputs: {', '.join(self.free) or 'none'}"
            raise DataError(self.model.asked, found, "leave two or more open, one of them in the cost")
        self.held = self.model.held(held, self.free)
        self.spans = self.model.spans(spans, self.free)
        self.places = [self.model.inputs.index(name) for name in self.free]
        arguments = (*law.inputs, *letters)
        self._cost = {t: codegen.compile(paid.expression, arguments, law.inputs, t) for t in ("numpy", "mpmath")}

    def cost_slopes(self, logs: Mapping[str, Array]) -> tuple[Array, Array]:
        """Logarithm of cost over budget, and its slopes in the logarithms of the free inputs."""
        at = np.broadcast_arrays(*(np.exp(logs[name]) for name in self.model.inputs))
        value, gradient = self._cost["numpy"].value_and_gradient(*at, *self._own)
        return np.log(value / self.budget), (gradient * np.array(at) / value)[self.places]

    def paying(self, logs: Mapping[str, Array]) -> Array:
        """The logarithm of the last free input that spends the budget beside the others."""
        lo, hi = (np.full(np.shape(logs[self.free[0]]), end) for end in (-_FAR / 2, _FAR / 2))
        for _ in range(20):
            middle = (lo + hi) / 2
            over = self.cost_slopes({**logs, self.free[-1]: middle})[0] > 0
            lo, hi = np.where(over, lo, middle), np.where(over, middle, hi)
        middle = (lo + hi) / 2
        for _ in range(4):  # Newton, to the last digits
            gap, slopes = self.cost_slopes({**logs, self.free[-1]: middle})
            middle = middle - np.where(slopes[-1] > 0, gap / slopes[-1], 0.0)
        return middle

    def surface(self, logs: Mapping[str, Array]) -> tuple[Array, Array]:
        """Logarithm of the response, and its slopes in the free inputs but the last, which pays."""
        full = {**{name: np.log(value) for name, value in self.held.items()}, **logs}
        full[self.free[-1]] = self.paying(full)
        value, slopes = self.model.slopes({name: np.exp(values) for name, values in full.items()})
        price = self.cost_slopes(full)[1]
        inside = np.abs(full[self.free[-1]]) < _FAR / 2 - 1
        kept = slopes[self.places]
        return np.log(value), np.where(inside, kept[:-1] - kept[-1] * price[:-1] / price[-1], np.nan)

    def pairs(self) -> list[Spent]:
        """All minima along the line of equal cost of two inputs."""
        first = self.free[0]
        lo, hi = np.log(self.spans[first])
        found = crossings(lambda at: self.surface({first: at})[1][0], np.linspace(lo, hi, _GRID))
        made = [self.told({first: log}) for log, rising in found if rising]
        return [each for each in made if self._inside(each)]

    def descents(self) -> list[Spent]:
        """Minima that descents from many starts reach."""
        from scipy.optimize import minimize, root
        from scipy.stats import qmc

        names, made = self.free[:-1], list[Spent]()
        lo, hi = np.log([self.spans[name] for name in names]).T

        def point(at: Array) -> tuple[float, Array]:
            value, slopes = self.surface({name: np.array([log]) for name, log in zip(names, at, strict=True)})
            return float(value[0]) if np.isfinite(value[0]) else _FAR, slopes[:, 0]

        def guarded(at: Array) -> tuple[float, Array]:
            value, slopes = point(at)
            return value, np.nan_to_num(slopes)

        for start in lo + (hi - lo) * qmc.Sobol(len(names), seed=0).random(_STARTS):
            low = minimize(guarded, start, jac=True, method="L-BFGS-B")
            end = root(lambda at: guarded(at)[1], low.x, tol=1e-14)
            if not np.isfinite(point(end.x)[1]).all():
                continue  # the last input cannot pay there
            logs = dict(zip(names, map(float, end.x), strict=True))
            if not any(_same(logs, dict(other.inputs)) for other in made):
                one = self.told(logs)
                made += [one] if one.certified and self._inside(one) else []
        return made

    def _inside(self, one: Spent) -> bool:
        return all(lo <= dict(one.inputs)[name] <= hi for name, (lo, hi) in self.spans.items())

    def told(self, logs: Mapping[str, float]) -> Spent:
        """What is to be said of a zero: its numbers and its certificate."""
        with mpmath.workdps(DIGITS):
            at = {name: mpmath.mpf(log) for name, log in logs.items()}
            response, slopes, price, full = self._precise(at)
            gaps = [slopes[k] - slopes[-1] * price[k] / price[-1] for k in range(len(slopes) - 1)]
            sure = all(self._turns(at, k) for k in range(len(gaps)))
            inputs = tuple((name, float(mpmath.exp(full[name]))) for name in self.model.inputs)
            residual = float(max(map(abs, gaps)))
            return Spent(inputs, float(response), float(slopes[-1] / price[-1]), residual, sure)

    def _turns(self, at: Mapping[str, Any], k: int) -> bool:
        """Whether the slope along the surface changes from minus to plus in the free input k."""
        name = self.free[k]

        def slope(log: Any) -> Any:
            _, slopes, price, _ = self._precise({**at, name: log})
            return slopes[k] - slopes[-1] * price[k] / price[-1]

        found = proved(slope, at[name])
        return bool(found) and found[1] < 0

    def _precise(self, at: Mapping[str, Any]) -> tuple[Any, list[Any], list[Any], dict[str, Any]]:
        """Response, slopes of log y and of log cost in the free inputs, and all logarithms, the last one paying."""
        full = {**{name: mpmath.log(value) for name, value in self.held.items()}, **at}
        start = self.paying({name: np.array([float(value)]) for name, value in full.items()})[0]
        last = mpmath.mpf(float(start))
        for _ in range(3):
            gap, price = self._precise_cost({**full, self.free[-1]: last})
            last -= gap / price[-1]
        full[self.free[-1]] = last
        response, slopes = self.model.precise(full)
        return response, [slopes[k] for k in self.places], self._precise_cost(full)[1], full

    def _precise_cost(self, full: Mapping[str, Any]) -> tuple[Any, list[Any]]:
        inputs = [mpmath.exp(full[name]) for name in self.model.inputs]
        value, gradient = self._cost["mpmath"].value_and_gradient(*inputs, *self._own, dps=DIGITS)
        every = [x * slope / value for x, slope in zip(inputs, gradient, strict=True)]
        return mpmath.log(value / self.budget), [every[k] for k in self.places]


def _same(logs: Mapping[str, float], other: Mapping[str, float]) -> bool:
    return all(abs(log - np.log(other[name])) <= _ALIKE for name, log in logs.items())
