"""What every question shares: choosing symbols, reading extra assumptions, stating claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import sympy as sp

from .. import nodes, notation
from ..algebra.implicit import Curve
from ..algebra.isolate import isolate
from ..domain import Domain
from ..errors import LawError, Undecided
from ..law import Law
from ..records import Claim, Equal, Less, Step, Tends

__all__ = ["Given", "Maker", "choose", "elementary", "facts", "letter", "pick", "respond", "where"]

Given: TypeAlias = Iterable[str | tuple[sp.Expr, sp.Expr]]


def where(law: Law, given: Given, beside: Mapping[str, sp.Symbol] | None = None) -> Domain:
    """The law's domain with extra relations: text such as ``"a > b"``, or pairs (greater, lesser).

    ``beside`` are letters that texts may use and the law does not have.
    """
    pairs: list[tuple[sp.Expr, sp.Expr]] = []
    for item in (given,) if isinstance(given, str) else given:
        if isinstance(item, str):
            relation = notation.relation(item, {**(beside or {}), **law.symbols})
            if relation.ordered is None:
                raise LawError(f"assume {item!r}", f"{relation.op!r} is not a strict order", "write a > b or a < b")
            pairs.append(relation.ordered)
        else:
            pairs.append(item)
    return law.domain.assume(pairs)


def facts(domain: Domain) -> tuple[str, ...]:
    """The relations and ranges of a domain as text that ``notation`` reads back."""
    ranges = tuple(f"{symbol.name} in {interval}" for symbol, interval in domain.ranges)
    return ranges + tuple(sorted(f"{notation.text(more)} > {notation.text(less)}" for more, less in domain.relations))


def pick(law: Law, name: str | sp.Symbol, among: tuple[sp.Symbol, ...] | None = None) -> sp.Symbol:
    """The law's symbol called ``name``; :class:`LawError` lists the choices."""
    choices = among if among is not None else (*law.inputs, *law.constants)
    for symbol in choices:
        if symbol == name or symbol.name == str(name):
            return symbol
    have = ", ".join(symbol.name for symbol in choices)
    raise LawError(f"find {name} in the law {law.name!r}", f"there are {have}", "pick one of these")


def letter(law: Law, name: str, beside: Iterable[str] = ()) -> sp.Symbol:
    """A positive symbol called ``name``, with marks where the law, or ``beside``, has that name.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> letter(laws.get("m1"), "gap"), letter(laws.get("m1"), "beta")
    (gap, beta_2)
    """
    taken = {*law.symbols, law.response.symbol.name, *beside}
    while name in taken:
        name += "_2"
    return sp.Symbol(name, positive=True)


def choose(law: Law, over: str | sp.Symbol | Iterable[str | sp.Symbol] | None) -> tuple[sp.Symbol, ...]:
    """The symbols that ``over`` names, ``"N,D"``, one symbol or a sequence; the law's variables without it."""
    if over is None:
        return law.inputs
    names = over.split(",") if isinstance(over, str) else [over] if isinstance(over, sp.Symbol) else list(over)
    return tuple(pick(law, name.strip() if isinstance(name, str) else name) for name in names)


def respond(law: Law, domain: Domain) -> sp.Expr | Curve:
    """The response as an expression, or the curve that an implicit form defines."""
    return law.explicit if law.explicit is not None else Curve(law.form, law.response.symbol, domain)


def elementary(expression: sp.Expr) -> sp.Expr:
    """The expression with the package's own functions written out, so that claims do not rest on their derivatives."""
    own = tuple(getattr(nodes, name) for name in nodes.__all__)
    return expression.replace(lambda node: isinstance(node, own), lambda node: node.rewrite(sp.exp))


class Maker:
    """Collects the steps of one derivation and states their claims on its domain."""

    def __init__(self, law: Law, domain: Domain) -> None:
        self.law = law
        self.domain = domain
        self.steps: list[Step] = []

    def explicit(self) -> sp.Expr | None:
        """The response as an expression, the law solved for it with a step of its own where it stands in one place."""
        law, y = self.law, self.law.response.symbol
        if law.explicit is not None:
            return law.explicit
        try:
            solved = isolate(law.form, y, self.domain)
        except Undecided:
            return None
        if solved is None or solved.conditions:
            return None
        left, right = (side.subs(y, solved.value) for side in law.form.args)
        same = self.equal("put back into the law", left, right)
        self.step("isolate", f"undo what is done to {y}", law.form, sp.Eq(y, solved.value, evaluate=False), same)
        return solved.value

    def step(self, rule: str, text: str, before: sp.Basic, after: sp.Basic, *owes: Claim) -> None:
        """Record one step."""
        self.steps.append(Step(rule, text, before, after, owes))

    def equal(self, name: str, left: sp.Expr, right: sp.Expr, domain: Domain | None = None) -> Claim:
        """Claim ``left = right``."""
        return Claim(name, Equal(left, right), self.domain if domain is None else domain, self.law.source)

    def positive(self, name: str, expression: sp.Expr, direction: int = 1, domain: Domain | None = None) -> Claim:
        """Claim ``expression > 0``, or ``< 0`` for direction -1."""
        zero = sp.Integer(0)
        statement = Less(zero, expression) if direction == 1 else Less(expression, zero)
        return Claim(name, statement, self.domain if domain is None else domain, self.law.source)

    def nonnegative(self, name: str, expression: sp.Expr) -> Claim:
        """Claim ``expression >= 0``."""
        return Claim(name, Less(sp.Integer(0), expression, strict=False), self.domain, self.law.source)

    def tends(self, name: str, expression: sp.Expr, symbol: sp.Symbol, point: sp.Expr, value: sp.Expr) -> Claim:
        """Claim ``expression -> value`` as ``symbol -> point``."""
        return Claim(name, Tends(expression, symbol, point, value), self.domain, self.law.source)
