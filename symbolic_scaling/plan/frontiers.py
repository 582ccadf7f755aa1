"""The compute frontier of a law at its numbers.

It is what ``derive.frontier`` finds. Where that is a closed form its numbers come from exact constants with 50 digits;
where it is a root, ``codegen.evaluate`` solves it, and a fit's intervals follow the root.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import sympy as sp

from .. import derive, notation
from ..algebra.isolate import isolate
from ..errors import LawError, NoOptimum
from ..law import Cost, Law, Variable
from ..records import Derivation, Root
from .sources import Source
from .units import DIGITS, evaluated, positive

__all__ = ["Frontier", "frontier"]

HALVINGS = 60


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
        names = [s.name for s in (*law.inputs, law.response.symbol)]
        found = {name: value for name, value in self.found.found if name in names}
        letters = {*law.constants, self.cost.symbol} | set(self.cost.expression.free_symbols)
        known = letters - {*law.inputs, law.response.symbol}
        closed = {name: value for name, value in found.items() if isinstance(value, sp.Expr)}
        return closed if len(closed) == len(names) and all(v.free_symbols <= known for v in closed.values()) else None

    @cached_property
    def rooted(self) -> tuple[Root, dict[str, sp.Expr]] | None:
        """The one root of the frontier, and input or response -> an expression in it; None unless there is just one."""
        law = self.source.law
        names = [s.name for s in (*law.inputs, law.response.symbol)]
        known = {name: value for name, value in self.found.found if name in names}
        roots = [value for value in known.values() if isinstance(value, Root)]
        if len(roots) != 1 or len(known) < len(names):
            return None
        (root,) = roots
        parts = {name: root.symbol if self.found[name] is root else self.found[name] for name in names}
        closed = {name: value for name, value in parts.items() if isinstance(value, sp.Expr)}
        return (root, closed) if len(closed) == len(names) else None

    def at(self, flop: sp.Expr) -> dict[str, sp.Expr]:
        """Input or response -> number at a budget."""
        asked, law = f"plan with {self.source.law.name}", self.source.law
        if self.answers is not None:
            point = {**self.source.point, self.cost.symbol: flop, **self._letters()}
            return {name: evaluated(value, point, asked) for name, value in self.answers.items()}
        from ..codegen import evaluate

        given = {**self.source.constants, self.cost.symbol.name: sp.Rational(sp.Float(flop, DIGITS)), **self.beside}
        made = evaluate(self.found, given, target="mpmath", digits=DIGITS // 2)
        best, y = {s.name: sp.Float(made[s.name], DIGITS) for s in law.inputs}, law.response.symbol.name
        return {**best, y: sp.Float(made[y], DIGITS) if y in made else self.source.respond(best, asked)}

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

    @cached_property
    def reaching(self) -> tuple[Root, dict[str, sp.Expr]] | None:
        """The same where the response is given instead of the budget: the second input follows from it, then the cost.

        The root lies between where the second input would be unlimited and infinity.
        """
        law = self.source.law
        if self.rooted is None or law.explicit is None or len(law.inputs) != 2:
            return None
        x, z = law.inputs
        y, root = law.response.symbol, self.rooted[0]
        solved, unlimited = isolate(law.form, z, law.domain), derive.limits(law)[f"{z}->oo"]
        if root.symbol != x or solved is None or not isinstance(unlimited, sp.Expr):
            return None
        least = isolate(sp.Eq(y, unlimited, evaluate=False), x, law.domain)
        if least is None:
            return None
        price = self.cost.expression.xreplace({z: solved.value})
        condition = root.condition.xreplace({self.cost.symbol: price})
        made = Root(x, condition, (least.value, sp.oo), "the cost at a fixed response has one minimum")
        return made, {x.name: x, z.name: solved.value, "C": price}

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
    >>> from symbolic_scaling.plan import source
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
