"""A neural scaling law as data: its formula, what its letters mean and where it is claimed.

The paper's letters and signs are kept. Everything else in the package takes a :class:`Law` as an argument.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property

import sympy as sp

from .domain import Domain, Interval
from .errors import LawError
from .shown import Shown

__all__ = ["Cost", "Law", "Parameter", "PublishedSet", "Variable"]

_NAME = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True)
class Variable:
    """An input that the experimenter chooses, or the response that a law predicts.

    Parameters
    ----------
    symbol : Symbol
        Its assumptions say its sign.
    doc, unit, latex : str
        Meaning, unit and printed form.
    typical : (float, float)
        The range met in practice; tests go far beyond it.
    """

    symbol: sp.Symbol
    doc: str
    unit: str = ""
    latex: str = ""
    typical: tuple[float, float] = (1e6, 1e12)

    def __post_init__(self) -> None:
        if not 0 < self.typical[0] < self.typical[1]:
            raise LawError(f"declare variable {self.symbol}", f"typical = {self.typical}", "give 0 < lo < hi")


@dataclass(frozen=True)
class Parameter:
    """A constant that is fitted or published.

    Parameters
    ----------
    symbol : Symbol
        Positive, negative or real by its own assumptions.
    start : (float, float)
        Where a fit looks first.
    above, below : Symbol, optional
        Another parameter or the response that bounds this one.
    closed : bool
        Whether the boundary 0 is admissible in a fit (a floor of zero).
    """

    symbol: sp.Symbol
    doc: str
    latex: str = ""
    start: tuple[float, float] = (1e-3, 1e3)
    above: sp.Symbol | None = None
    below: sp.Symbol | None = None
    closed: bool = False

    def __post_init__(self) -> None:
        if self.start[0] >= self.start[1]:
            raise LawError(f"declare parameter {self.symbol}", f"start = {self.start}", "give lo < hi")
        if not all(Interval.of(self.symbol).contains(end) or (self.closed and end == 0) for end in self.start):
            raise LawError(
                f"declare parameter {self.symbol}",
                f"start {self.start} leaves {Interval.of(self.symbol)}",
                "match the symbol's sign",
            )


@dataclass(frozen=True)
class Cost:
    """What a run costs, ``symbol = expression``, and the convention behind the count."""

    symbol: sp.Symbol
    expression: sp.Expr
    convention: str


@dataclass(frozen=True)
class PublishedSet:
    """Constants as a paper prints them: strings, so that their digits are kept."""

    name: str
    source: str
    constants: tuple[tuple[str, str], ...]
    note: str = ""

    def exact(self) -> dict[str, sp.Expr]:
        """Name -> exact number; ``exp(6.0073404)`` is read as the exponential of a decimal.

        Examples
        --------
        >>> PublishedSet("demo", "", (("E", "1.69"), ("A", "exp(6)"))).exact()
        {'E': 169/100, 'A': exp(6)}
        """
        return {name: _constant(text) for name, text in self.constants}


@dataclass(frozen=True)
class Law(Shown):
    """One functional form.

    Parameters
    ----------
    name : str
        What ``laws.get`` takes: lower case, digits, hyphens.
    title, source : str
        Title, and paper with equation.
    response : Variable
        What the law predicts.
    variables, parameters : tuple
        Inputs and constants; together with the response they are all the free symbols of the form.
    form : Eq
        The equation as the paper prints it; it may be implicit in the response.
    domain : Domain
        Facts beyond the symbols' signs.
    costs : tuple of Cost
        What a run costs; frontiers minimise the response under one of them.
    published : tuple of PublishedSet
        Filled from ``laws/published.toml``.
    """

    name: str
    title: str
    source: str
    response: Variable
    variables: tuple[Variable, ...]
    parameters: tuple[Parameter, ...]
    form: sp.Equality
    domain: Domain = field(default_factory=Domain)
    costs: tuple[Cost, ...] = ()
    published: tuple[PublishedSet, ...] = ()

    def __post_init__(self) -> None:
        asked = f"declare law {self.name!r}"
        if not _NAME.fullmatch(self.name):
            raise LawError(asked, "the name is not lower case letters, digits and hyphens", "rename the law")
        if not isinstance(self.form, sp.Equality):
            raise LawError(asked, f"the form is {self.form!r}", "give Eq(left, right)")
        declared = [self.response.symbol, *self.inputs, *self.constants]
        names = [symbol.name for symbol in declared]
        doubled = sorted({name for name in names if names.count(name) > 1})
        if doubled:
            raise LawError(asked, f"declared twice: {', '.join(doubled)}", "declare each symbol once")
        undeclared = sorted(symbol.name for symbol in self.form.free_symbols - set(declared))
        unused = sorted(symbol.name for symbol in set(declared) - self.form.free_symbols)
        if undeclared or unused:
            raise LawError(
                asked, f"undeclared {undeclared}, unused {unused}", "declare exactly the symbols of the form"
            )
        object.__setattr__(self, "domain", self.domain.meet(self._bounds()))
        foreign = sorted({s.name for cost in self.costs for s in cost.expression.free_symbols - set(self.inputs)})
        if foreign:
            raise LawError(asked, f"a cost uses {', '.join(foreign)}", "use the law's variables")

    def __hash__(self) -> int:
        """By name and form, which SymPy hashes once: laws are the keys of most caches."""
        return hash((self.name, self.form))

    @cached_property
    def inputs(self) -> tuple[sp.Symbol, ...]:
        """The variables' symbols, in order."""
        return tuple(variable.symbol for variable in self.variables)

    @cached_property
    def constants(self) -> tuple[sp.Symbol, ...]:
        """The parameters' symbols, in order."""
        return tuple(parameter.symbol for parameter in self.parameters)

    @cached_property
    def places(self) -> dict[sp.Symbol, int]:
        """Where each parameter's symbol stands among :attr:`constants`."""
        return {symbol: place for place, symbol in enumerate(self.constants)}

    @property
    def symbols(self) -> dict[str, sp.Symbol]:
        """Name -> symbol for response, variables, parameters and cost symbols."""
        costs = (cost.symbol for cost in self.costs)
        return {symbol.name: symbol for symbol in (*costs, self.response.symbol, *self.inputs, *self.constants)}

    @property
    def latex_names(self) -> dict[sp.Symbol, str]:
        """Symbol -> LaTeX, where one is declared."""
        declared: tuple[Variable | Parameter, ...] = (self.response, *self.variables, *self.parameters)
        return {item.symbol: item.latex for item in declared if item.latex}

    @cached_property
    def residual(self) -> sp.Expr:
        """``left - right`` of the form; zero where the law holds."""
        return self.form.lhs - self.form.rhs

    @cached_property
    def explicit(self) -> sp.Expr | None:
        """The response as an expression of inputs and constants; None for an implicit law.

        Examples
        --------
        >>> from symbolic_scaling import laws
        >>> laws.get("m2").explicit, laws.get("m4").explicit
        (beta*x**c + eps_inf, None)
        """
        y = self.response.symbol
        rest = self.form.lhs - y
        return None if self.form.rhs.has(y) or rest.has(y) else self.form.rhs - rest

    def with_published(self, sets: tuple[PublishedSet, ...]) -> Law:
        """The same law with its printed constants."""
        return replace(self, published=sets)

    def published_set(self, name: str) -> PublishedSet:
        """The set called ``name``; :class:`LawError` names those that exist."""
        for known in self.published:
            if known.name == name:
                return known
        have = ", ".join(known.name for known in self.published) or "none"
        raise LawError(f"use the constants {name!r} of {self.name}", f"it has {have}", "pick one of these")

    def _bounds(self) -> Domain:
        """Relations that ``above`` and ``below`` of the parameters state."""
        relations = [(p.symbol, p.above) for p in self.parameters if p.above is not None]
        relations += [(p.below, p.symbol) for p in self.parameters if p.below is not None]
        return Domain((), tuple(relations))

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {sp.latex(self.form, symbol_names=self.latex_names)}$"


def _constant(text: str) -> sp.Expr:
    inner = re.fullmatch(r"exp\((.*)\)", text)
    return sp.exp(sp.Rational(inner[1])) if inner else sp.Rational(text)
