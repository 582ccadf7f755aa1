"""The input that gives a wanted response, at numbers: a number or why there is none, never NaN or complex."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import mpmath
import sympy as sp

from ..algebra import order
from ..algebra.isolate import isolate
from ..algebra.limits import limit
from ..errors import DomainError, LawError, Unattainable, Undecided
from ..law import Law
from .common import pick

__all__ = ["Number", "invert_value"]

Number: TypeAlias = int | float | str | Fraction | sp.Expr

DIGITS = 30
SHOWN = 9
WIDEST = 10_000


def invert_value(
    law: Law,
    variable: str | sp.Symbol,
    target: Number,
    constants: Mapping[str, Number],
    at: Mapping[str, Number] | None = None,
) -> float:
    """The value of one input at which the response is ``target``.

    Parameters
    ----------
    law : Law
        Explicit or implicit.
    variable : str or Symbol
        The input that is asked for.
    target : number
        The wanted response, in the response's unit.
    constants : mapping
        Every constant of the law by name, such as ``law.published_set(...).exact()``.
    at : mapping, optional
        The other inputs by name; ``"oo"`` for as much as one likes.

    Returns
    -------
    float
        In the input's unit.

    Raises
    ------
    Unattainable
        If no input gives that response: the error states the floor, or the best that the other inputs allow.
    DomainError
        If a constant or input is missing or outside its domain.
    Undecided
        If the response falls and rises in the variable, so that two inputs may give it.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> chinchilla = laws.get("chinchilla")
    >>> refit = chinchilla.published_set("besiroglu2024").exact()
    >>> round(invert_value(chinchilla, "D", "2.0", refit, {"N": "7e10"}) / 1e11, 6)
    6.196405
    """
    x = pick(law, variable, law.inputs)
    asked = f"reach {law.response.symbol} = {target} with {x}"
    question = _Question(law, x, _exact(target, asked), _point(law, x, constants, at or {}, asked), asked)
    question.check()
    form = question.form()
    solved = isolate(form, x, law.domain)
    if solved is None:
        return question.finite(_search(question, form))
    for greater, lesser in solved.conditions:
        if not question.above(greater, lesser):
            raise question.beyond(form)
    return question.finite(question.number(solved.value))


@dataclass(frozen=True)
class _Question:
    """Which ``x`` gives the response ``goal`` at the numbers ``point`` of every other symbol, some of them oo."""

    law: Law
    x: sp.Symbol
    goal: sp.Expr
    point: Mapping[sp.Symbol, sp.Expr]
    asked: str

    def number(self, expression: sp.Expr, extra: Mapping[sp.Symbol, sp.Expr] | None = None) -> sp.Expr:
        """The real value of an expression at the point."""
        finite = {symbol: value for symbol, value in self.point.items() if value.is_finite}
        numbers = {**finite, self.law.response.symbol: self.goal, **(extra or {})}
        value = expression.evalf(DIGITS, subs=numbers)
        if not (value.is_Float or value.is_Rational) or not value.is_finite:
            raise Unattainable(
                self.asked, f"{expression} has no real value there", "check the target and the constants"
            )
        return value

    def above(self, greater: sp.Expr, lesser: sp.Expr) -> bool:
        """Whether one value exceeds another by more than the rounding of the evaluation."""
        left, right = self.number(greater), self.number(lesser)
        return bool(left - right > abs(left) * sp.Float(10) ** (5 - DIGITS))

    def check(self) -> None:
        """Check the law's own domain: a target outside its bounds is unattainable, a bad constant an error."""
        law, y = self.law, self.law.response.symbol
        zero = {p.symbol for p in law.parameters if p.closed}
        for symbol, value in [*self.point.items(), (y, self.goal)]:
            interval = law.domain.interval(symbol)
            if value.is_finite and not (symbol in zero and value == 0) and not interval.contains(sp.N(value, DIGITS)):
                kind = Unattainable if symbol == y else DomainError
                raise kind(self.asked, f"{symbol} = {value} leaves {interval}", "give a value inside")
        for greater, lesser in law.domain.relations:
            if not (greater - lesser).free_symbols <= {*self.point, y} or self.above(greater, lesser):
                continue
            if not (greater - lesser).has(y):
                raise DomainError(self.asked, f"{greater} > {lesser} does not hold", "give constants that satisfy it")
            name, bound = ("floor", lesser) if greater == y else ("ceiling", greater)
            found = f"the {name} {bound} = {sp.N(self.number(bound), SHOWN)} is not passed at any input"
            raise Unattainable(self.asked, found, f"ask for a {y} on its other side")

    def form(self) -> sp.Equality:
        """The law's form with the infinite inputs at their limit."""
        infinite = [symbol for symbol, value in self.point.items() if not value.is_finite]
        if not infinite:
            return self.law.form
        if self.law.explicit is None:
            raise LawError(self.asked, f"{self.law.name} is implicit", "give finite inputs")
        value = self.law.explicit
        for symbol in infinite:
            value = limit(value, symbol, sp.oo, self.law.domain)
        return sp.Eq(self.law.response.symbol, value, evaluate=False)

    def beyond(self, form: sp.Equality) -> Unattainable:
        """The error for a target that the other inputs do not allow, with the best that they do."""
        y = self.law.response.symbol
        if self.law.explicit is None:
            return Unattainable(self.asked, "no input gives this response", f"ask for another {y}")
        inside = self.law.explicit if form is self.law.form else form.rhs
        try:
            ends = [limit(inside, self.x, end, self.law.domain) for end in (sp.Integer(0), sp.oo)]
        except Undecided:
            return Unattainable(self.asked, "the other inputs do not allow it", "change these inputs or the target")
        values = [end if end.is_infinite else self.number(end) for end in ends]
        best = min(values) if self.goal <= min(values) else max(values)
        held = ", ".join(f"{s} = {sp.N(self.point[s], 6)}" for s in self.law.inputs if s != self.x) or "any input"
        found = f"the best {y} at {held} is {sp.N(best, SHOWN)}, approached only in the limit"
        return Unattainable(self.asked, found, "change these inputs or the target")

    def finite(self, value: sp.Expr) -> float:
        """A positive float, or the error that there is none."""
        number = float(value)
        if not 0 < number < float("inf"):
            raise Unattainable(self.asked, f"it takes {self.x} = {sp.N(value, SHOWN)}", "ask for another target")
        return number


def _exact(value: Number, asked: str) -> sp.Expr:
    """A number without rounding: a float is the decimal that it prints as."""
    if isinstance(value, sp.Expr):
        return value
    text = repr(value) if isinstance(value, float) else str(value)
    if text in ("oo", "inf"):
        return sp.oo
    try:
        return sp.Rational(text)
    except (TypeError, ValueError):
        raise DomainError(asked, f"{value!r} is not a number", "give a decimal number") from None


def _point(
    law: Law, x: sp.Symbol, constants: Mapping[str, Number], at: Mapping[str, Number], asked: str
) -> dict[sp.Symbol, sp.Expr]:
    given = {**constants, **at}
    needed = [symbol for symbol in (*law.inputs, *law.constants) if symbol != x]
    missing = [symbol.name for symbol in needed if symbol.name not in given]
    unknown = sorted(set(given) - {symbol.name for symbol in needed})
    if missing or unknown:
        raise DomainError(asked, f"missing {missing}, unknown {unknown}", "give every constant and the other inputs")
    return {symbol: _exact(given[symbol.name], asked) for symbol in needed}


def _search(question: _Question, form: sp.Equality) -> sp.Expr:
    """The zero of a strictly monotone residual, bracketed in the logarithm of x by doubling steps."""
    residual, x = form.lhs - form.rhs, question.x
    slope = order.sign(sp.diff(residual, x), question.law.domain)
    if slope is None:
        raise Undecided(question.asked, f"{question.law.name} rises or falls in {x} throughout")

    def value(u: Any) -> Any:
        return mpmath.mpf(str(question.number(residual, {x: sp.Float(str(mpmath.exp(u)), DIGITS)})))

    with mpmath.workdps(DIGITS):
        lo, hi = mpmath.mpf(-1), mpmath.mpf(1)
        while value(lo) * slope > 0 or value(hi) * slope < 0:
            lo, hi = 2 * lo, 2 * hi
            if hi > WIDEST:
                raise question.beyond(form)
        root = mpmath.findroot(value, (lo, hi), solver="anderson", tol=mpmath.mpf(10) ** (4 - DIGITS))
        return sp.Float(str(mpmath.exp(root)), DIGITS)
