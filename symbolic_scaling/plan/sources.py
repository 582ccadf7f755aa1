"""Where a plan's constants come from: a printed set, a fit, or numbers given; and the compute frontier at them.

A frontier is what ``derive.frontier`` finds. Where that is a closed form its numbers come from exact constants with 50
digits; where it is a root, ``codegen.evaluate`` solves it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import sympy as sp

from .. import derive, notation
from ..algebra.isolate import isolate
from ..errors import LawError, NoOptimum
from ..law import Cost, Law, Variable
from ..records import Derivation
from .records import Amount
from .units import DIGITS, evaluated, positive

if TYPE_CHECKING:
    from ..fit import FitResult

__all__ = ["Chosen", "Frontier", "Source", "chosen_source", "frontier", "source"]


HALVINGS = 60


@dataclass(frozen=True, eq=False)
class Source:
    """A law with a number for every constant, and whose numbers they are."""

    law: Law
    label: str
    constants: dict[str, sp.Expr]
    fit: FitResult | None = None

    @property
    def point(self) -> dict[sp.Symbol, sp.Expr]:
        """Symbol -> number."""
        return {symbol: self.constants[symbol.name] for symbol in self.law.constants}

    def respond(self, inputs: Mapping[str, sp.Expr], asked: str) -> sp.Float:
        """The response of an explicit law at inputs."""
        if self.law.explicit is None:
            raise LawError(asked, f"{self.law.name} is implicit", "take a law that gives its response")
        here = {symbol: inputs[symbol.name] for symbol in self.law.inputs}
        return evaluated(self.law.explicit, {**self.point, **here}, asked)

    def sure(
        self, wanted: Mapping[str, sp.Expr], values: Mapping[str, sp.Expr], methods: Sequence[str]
    ) -> dict[str, Amount]:
        """What a fit says of how sure each wanted expression is; nothing for printed constants."""
        if self.fit is None or not methods or not wanted:
            return {}
        from ..fit import interval_table

        given = {name: float(value) for name, value in values.items()}
        found: dict[str, Amount] = {}
        for row in interval_table(self.fit, wanted, values=given, methods=tuple(methods)):
            before = found.get(row.name, Amount(row.name, sp.Integer(0)))
            ends = () if math.isnan(row.lo) or math.isnan(row.hi) else ((row.method, row.lo, row.hi),)
            note = "; ".join(part for part in (before.note, f"{row.method}: {row.note}" if row.note else "") if part)
            found[row.name] = Amount(row.name, before.value, "", before.intervals + ends, note)
        return found


def source(
    law: Law | None = None,
    published: str | None = None,
    fit: FitResult | None = None,
    constants: Mapping[str, object] | None = None,
    label: str = "",
) -> Source:
    """A law with its numbers.

    Parameters
    ----------
    law : Law, optional
        The fit's own without it.
    published : str, optional
        A printed set; the law's first one where nothing else is given.
    fit : FitResult, optional
    constants : mapping of name to number, optional
    label : str
        What to call them; the set's name, or what the fit rests on, without it.

    Raises
    ------
    LawError
        If there is no such set, a constant has no number, or more than one source is named.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> source(laws.get("chinchilla"), "besiroglu2024").constants["alpha"]
    1739/5000
    """
    if sum(one is not None for one in (published, fit, constants)) > 1:
        raise LawError("choose constants", "more than one source is named", "give a published set, a fit or numbers")
    if fit is not None:
        numbers = {name: sp.Rational(repr(float(value))) for name, value in fit.estimate.items()}
        return Source(fit.law, label or f"a fit to {len(fit.problem.y)} rows", numbers, fit)
    if law is None:
        raise LawError("choose constants", "no law is named", "give --law NAME --published SET, or --fit FIT")
    if constants is not None:
        own, numbers = "given", {name: sp.Rational(str(value)) for name, value in constants.items()}
    elif published is None and not law.published:
        raise LawError(f"plan with {law.name}", "it has no published constants", "give a fit of it")
    else:
        chosen = law.published_set(published) if published else law.published[0]
        own, numbers = chosen.name, chosen.exact()
    if missing := [symbol.name for symbol in law.constants if symbol.name not in numbers]:
        raise LawError(f"plan with {law.name}, {own}", f"no number for {', '.join(missing)}", "take another set")
    return Source(law, label or own, {symbol.name: numbers[symbol.name] for symbol in law.constants})


Chosen: TypeAlias = "Source | Law | FitResult"


def chosen_source(given: Chosen, published: str | None = None) -> Source:
    """A source as it is, a law with a printed set, or a fit's own numbers."""
    if isinstance(given, Source):
        return given
    return source(given, published) if isinstance(given, Law) else source(fit=given)


@dataclass(frozen=True, eq=False)
class Frontier:
    """The frontier of a law under a cost, at numbers; ``beside`` are the numbers of the cost's own letters."""

    source: Source
    cost: Cost
    found: Derivation
    beside: dict[str, sp.Expr]

    @property
    def convention(self) -> str:
        """How the cost counts."""
        text = f"{self.cost.symbol} = {notation.text(self.cost.expression)}"
        return text if self.cost.convention == "given" else f"{text}: {self.cost.convention}"

    @cached_property
    def answers(self) -> dict[str, sp.Expr] | None:
        """Input or response -> closed form; None where one of them has none."""
        law = self.source.law
        found = {s.name: self.found[s.name] for s in (*law.inputs, law.response.symbol)}
        letters = {*law.constants, self.cost.symbol} | set(self.cost.expression.free_symbols)
        known = letters - {*law.inputs, law.response.symbol}
        closed = {name: value for name, value in found.items() if isinstance(value, sp.Expr)}
        return closed if len(closed) == len(found) and all(v.free_symbols <= known for v in closed.values()) else None

    def at(self, flop: sp.Expr) -> dict[str, sp.Expr]:
        """Input or response -> number at a budget."""
        asked, law = f"plan with {self.source.law.name}", self.source.law
        if self.answers is not None:
            point = {**self.source.point, self.cost.symbol: flop, **self._letters()}
            return {name: evaluated(value, point, asked) for name, value in self.answers.items()}
        from ..codegen import evaluate

        given = {**self.source.constants, self.cost.symbol.name: sp.Rational(sp.Float(flop, DIGITS)), **self.beside}
        made = evaluate(self.found, given, target="mpmath", digits=DIGITS // 2)
        return {s.name: sp.Float(made[s.name], DIGITS) for s in (*law.inputs, law.response.symbol)}

    def _letters(self) -> dict[sp.Symbol, sp.Expr]:
        return {s: self.beside[s.name] for s in self.cost.expression.free_symbols if s.name in self.beside}

    def spent(self, inputs: Mapping[str, sp.Expr]) -> sp.Float:
        """What inputs cost."""
        here = {symbol: inputs[symbol.name] for symbol in self.source.law.inputs}
        return evaluated(self.cost.expression, {**here, **self._letters()}, "count the cost")

    @cached_property
    def curve(self) -> Law:
        """The best response against the budget, as a law of its own."""
        if self.answers is None:
            raise LawError(f"invert the frontier of {self.source.law.name}", "it has no closed form", "take 6*N*D")
        law, y = self.source.law, self.source.law.response.symbol
        form = sp.Eq(y, self.answers[y.name].xreplace(self._letters()), evaluate=False)
        budget = Variable(self.cost.symbol, self.convention, unit="FLOP", typical=(1e12, 1e30))
        kept = tuple(p for p in law.parameters if form.has(p.symbol))
        return Law("frontier", f"frontier of {law.name}", law.source, law.response, (budget,), kept, form)

    def price_of_loss(self) -> sp.Expr:
        """The least budget as an expression in the response."""
        solved = isolate(self.curve.form, self.cost.symbol, self.curve.domain)
        if solved is None:
            raise NoOptimum(f"invert the frontier of {self.source.law.name}", "it has no closed form", "take 6*N*D")
        return solved.value

    def least(self, target: sp.Expr) -> sp.Float:
        """The least budget that reaches a response; ``Unattainable`` with the floor where none does."""
        if self.answers is None:
            return self._searched(target)
        curve, y = self.curve, self.source.law.response.symbol
        own = {symbol.name: self.source.constants[symbol.name] for symbol in curve.constants}
        derive.invert_value(curve, self.cost.symbol, target, own)
        return evaluated(self.price_of_loss(), {**self.source.point, y: target}, f"reach {y} = {target}")

    def _searched(self, target: sp.Expr) -> sp.Float:
        """The budget whose best response is the target, without a closed form: it falls, so halving finds it."""
        law, y = self.source.law, str(self.source.law.response.symbol.name)
        first, *others = (str(s.name) for s in law.inputs)
        derive.invert_value(law, first, target, self.source.constants, dict.fromkeys(others, "oo"))
        low, high = sp.Float(0, DIGITS), sp.Float(50, DIGITS)
        while self.at(sp.exp(high))[y] > target:
            low, high = high, 2 * high
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.at(sp.exp(middle))[y] > target else (low, middle)
        return sp.exp((low + high) / 2)


def frontier(
    chosen: Source, cost: Cost | sp.Expr | str | None = None, beside: Mapping[str, object] | None = None
) -> Frontier:
    """The frontier of a law under a cost.

    Raises
    ------
    LawError, NoOptimum
        As :func:`symbolic_scaling.derive.frontier`.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> made = frontier(source(laws.get("chinchilla"), "besiroglu2024"))
    >>> f"{float(made.at(sp.Rational('5.76e23'))['N']):.8g}"
    '7.2248703e+10'
    """
    from ..derive.price import price_of

    paid = price_of(chosen.law, cost)
    numbers = {name: positive(value, name) for name, value in (beside or {}).items()}
    own = {str(s.name) for s in paid.expression.free_symbols} - {s.name for s in chosen.law.inputs}
    if foreign := sorted(set(numbers) - own):
        raise LawError("price a run", f"the cost has no {', '.join(foreign)}", f"it is {paid.expression}")
    return Frontier(chosen, paid, derive.frontier(chosen.law, paid), numbers)
