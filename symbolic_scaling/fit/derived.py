"""Quantities of a fit: expressions of a law's constants, with exact gradients, for one estimate or many.

``N*`` of a frontier, ``D/N``, an exponent ``s_k``, the response at inputs: an expression from ``derive``, plain text,
or a :class:`Root` where there is no closed form. Names that are no constants of the law (inputs, a budget) take their
values from the caller. A positive quantity is judged by its logarithm. Where the response of an implicit law stands in
an expression, its derivatives come from its root; those of a :class:`Root` ``F(x, constants) = 0`` are ``-F_c/F_x``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import sympy as sp

from .. import codegen, notation
from ..algebra.order import sign
from ..budget import cached
from ..codegen import Compiled
from ..errors import FitError, ScalingError
from ..law import Law
from ..records import Root
from .solve import Floats

__all__ = ["Quantity", "What", "compile_of", "fill", "quantity"]

What: TypeAlias = "str | sp.Expr | Root | Quantity"

_HALVINGS, _POLISH = 80, 3
_INSIDE = 1e-9  # of a bracket's end, where a condition may be infinite or no number
_FAR = 690.0  # logarithms between which a root is looked for: all of floating point


@dataclass(frozen=True, eq=False)
class Quantity:
    """A function of a law's constants.

    Parameters
    ----------
    name : str
    law : Law
    expression : Expr or Root
        Free symbols: the law's constants, those of ``given``, and the response of an implicit law.
    given : tuple of (Symbol, float)
        Values of what is no constant.
    """

    name: str
    law: Law
    expression: sp.Expr | Root
    given: tuple[tuple[sp.Symbol, float], ...] = ()

    @cached_property
    def _responds(self) -> bool:
        """Whether the response of an implicit law stands in it, to be found at the inputs given."""
        y = self.law.response.symbol
        return not isinstance(self.expression, Root) and self.expression.has(y) and y not in dict(self.given)

    @cached_property
    def constants(self) -> frozenset[str]:
        """The names of the constants that it depends on."""
        expression = self.expression.condition if isinstance(self.expression, Root) else self.expression
        free = expression.free_symbols | (self.law.form.free_symbols if self._responds else set())
        return frozenset(symbol.name for symbol in free & set(self.law.constants))

    @cached_property
    def positive(self) -> bool:
        """Whether it is positive wherever it is defined, so that its logarithm is what intervals are made of.

        A constant that may be 0 in a fit is not.
        """
        expression = self.expression.symbol if isinstance(self.expression, Root) else self.expression
        closed = {p.symbol: sp.Symbol(p.symbol.name, nonnegative=True) for p in self.law.parameters if p.closed}
        return _positive(expression.xreplace({s: new for s, new in closed.items() if s.is_positive}), self.law)

    @cached_property
    def negative(self) -> bool:
        """Whether it is a constant that is negative and may not be 0."""
        return any(p.symbol == self.expression and p.symbol.is_negative and not p.closed for p in self.law.parameters)

    def __call__(self, constants: Floats) -> tuple[Floats, Floats]:
        """Values (k,) and gradient (c, k) at constants (c, k), of ``log g`` or ``-log(-g)`` where it has a sign."""
        with np.errstate(all="ignore"):
            value, gradient = self.plain(constants)
            if self.positive:
                return np.log(value), gradient / value
            if self.negative:
                return -np.log(-value), -gradient / value
        return value, gradient

    def shown(self, value: Floats | float) -> Floats:
        """The quantity itself from what a call returns."""
        with np.errstate(over="ignore"):
            made = np.exp(value) if self.positive else -np.exp(-np.asarray(value)) if self.negative else value
            return np.asarray(made, dtype=np.float64)

    def plain(self, constants: Floats) -> tuple[Floats, Floats]:
        """Values (k,) and gradient (c, k) at constants (c, k)."""
        given = [value for _, value in self.given]
        if isinstance(self.expression, Root):
            return self._root(constants, given)
        symbols = tuple(symbol for symbol, _ in self.given)
        if not self._responds:
            return fill(compile_of(self.law, self.expression, symbols, None), given, None, constants)
        inputs = [dict(self.given)[symbol] for symbol in self.law.inputs]
        y, slopes = codegen.law(self.law).value_and_gradient(*inputs, *constants[:, :, None])
        y, slopes = y[:, 0], slopes[:, :, 0]
        compiled = compile_of(self.law, self.expression, symbols, self.law.response.symbol)
        value, both = fill(compiled, given, y, constants)
        return value, both[1:] + both[0] * slopes

    def _root(self, constants: Floats, given: list[float]) -> tuple[Floats, Floats]:
        """The root by bisection of its logarithm inside its bracket, polished by Newton steps."""
        root, symbols = self.expression, tuple(symbol for symbol, _ in self.given)
        assert isinstance(root, Root)
        condition = compile_of(self.law, root.condition, symbols, root.symbol)
        lo, hi = (self._end(end, symbols, given, constants) for end in root.bracket)
        low, high = (fill(condition, given, np.exp(end), constants)[0] for end in (lo + _INSIDE, hi - _INSIDE))
        up = np.where(np.isnan(high), low < 0, high > 0)
        for _ in range(_HALVINGS):
            middle = (lo + hi) / 2
            above = (fill(condition, given, np.exp(middle), constants)[0] > 0) == up
            lo, hi = np.where(above, lo, middle), np.where(above, middle, hi)
        x = (lo + hi) / 2
        for _ in range(_POLISH):
            value, both = fill(condition, given, np.exp(x), constants)
            x = np.clip(x - np.nan_to_num(value / (both[0] * np.exp(x))), lo - 1e-9, hi + 1e-9)
        both = fill(condition, given, np.exp(x), constants)[1]
        return np.exp(x), -both[1:] / both[0]

    def _end(self, end: sp.Expr, symbols: tuple[sp.Symbol, ...], given: list[float], constants: Floats) -> Floats:
        """The logarithm of one end of a root's bracket (k,)."""
        if end in (sp.S.Zero, sp.oo):
            return np.full(constants.shape[1], _FAR if end is sp.oo else -_FAR)
        return np.log(fill(compile_of(self.law, end, symbols, None), given, None, constants)[0])


def _positive(expression: sp.Expr, law: Law) -> bool:
    """By signs, and by powers that are no integers: they are numbers of positive bases only."""
    if expression.is_positive or isinstance(expression, sp.exp):
        return True
    if expression.is_Mul or expression.is_Add:
        return all(_positive(part, law) for part in expression.args)
    if expression.is_Pow and expression.exp.is_integer is not True:
        return not expression.exp.is_Rational or expression.exp.q % 2 == 0 or _positive(expression.base, law)
    if expression.is_Pow:
        return _positive(expression.base, law)
    try:
        return sign(expression, law.domain) == 1
    except ScalingError:
        return False


def fill(compiled: Compiled, given: list[float], y: Floats | None, constants: Floats) -> tuple[Floats, Floats]:
    """Value (k,) and gradient of a compiled quantity."""
    lead = () if y is None else (y,)
    value, gradient = compiled.value_and_gradient(*given, *lead, *constants)
    k = constants.shape[1]
    return np.broadcast_to(value, (k,)), np.broadcast_to(gradient, (*np.shape(gradient)[:1], k))


@cached
def compile_of(law: Law, expression: sp.Expr, given: tuple[sp.Symbol, ...], unknown: sp.Symbol | None) -> Compiled:
    """An expression compiled with its gradient in ``unknown`` and the law's constants; ``given`` are plain numbers."""
    lead = () if unknown is None else (unknown,)
    arguments = (*given, *lead, *law.constants)
    return codegen.compile(expression, arguments, (*lead, *law.constants), scalars=given, domain=law.domain)


def quantity(
    law: Law,
    what: What,
    values: Mapping[str, float] | None = None,
    name: str = "",
    ties: Iterable[tuple[str, str]] = (),
) -> Quantity:
    """A quantity of a law's constants.

    Parameters
    ----------
    law : Law
    what : str, Expr, Root or Quantity
        A constant's name, text such as ``"A*B"`` or ``"L"`` (the response at inputs), an expression or a root of
        ``derive``; a quantity stays as it is.
    values : mapping of name to number, optional
        Of every name in it that is no constant; others are ignored.
    name : str
        What it is called; its text where not given.
    ties : iterable of (name, text)
        Constants that the law no longer has, in those that it has.

    Raises
    ------
    FitError
        If a name has no value.
    ParseError
        If the text is no expression.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> law = laws.get("chinchilla")
    >>> best = quantity(law, "alpha/(alpha + beta)")
    >>> log_value, gradient = best(np.array([[1.7], [400.0], [400.0], [0.3], [0.1]]))
    >>> float(best.shown(log_value)[0].round(12)), gradient[:, 0].round(6).tolist()
    (0.75, [0.0, 0.0, 0.0, 0.833333, -2.5])
    """
    if isinstance(what, Quantity):
        return what
    known = {str(key): value for key, value in (values or {}).items()}
    tied = {tie: notation.parse(text, law.symbols) for tie, text in ties}
    expression = _read(law, what, [*known, *tied])
    title = name or (what if isinstance(what, str) else _text(expression))
    y, constants = law.response.symbol, {**tied, **{symbol.name: symbol for symbol in law.constants}}
    whole = expression.condition if isinstance(expression, Root) else expression
    hidden = {expression.symbol} if isinstance(expression, Root) else set()
    if not isinstance(expression, Root) and whole.has(y) and y.name not in known:
        whole = expression = expression.xreplace({y: law.explicit}) if law.explicit is not None else expression
        if law.explicit is None:
            whole, hidden = whole + sp.Add(*law.inputs), {y}
    others = sorted(whole.free_symbols - hidden, key=str)
    swapped = {s: constants[s.name] for s in others if s.name in constants}
    left = [s for s in others if s.name not in constants]
    missing = [s.name for s in left if s.name not in known]
    if missing:
        wanted = ", ".join(f"{name}=..." for name in missing)
        raise FitError(f"evaluate {title}", f"no value of {', '.join(missing)}", f"give {wanted} among the values")
    if isinstance(expression, Root):
        ends = (end.xreplace(swapped) for end in expression.bracket)
        expression = Root(expression.symbol, expression.condition.xreplace(swapped), (*ends,), expression.why_unique)
    else:
        expression = expression.xreplace(swapped)
    return Quantity(title, law, expression, tuple((s, float(known[s.name])) for s in left))


def _read(law: Law, what: str | sp.Expr | Root, values: Iterable[str]) -> sp.Expr | Root:
    if not isinstance(what, str):
        return what
    declared = law.symbols
    more = {name: sp.Symbol(name, positive=True) for name in values if name not in declared}
    return notation.parse(what, {**more, **declared})


def _text(expression: sp.Expr | Root) -> str:
    if isinstance(expression, Root):
        return f"{expression.symbol.name} of {notation.text(expression.condition)} = 0"
    return notation.text(expression)
