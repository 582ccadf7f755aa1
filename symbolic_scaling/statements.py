"""What can be claimed: one frozen class a kind of statement, checked when it is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import sympy as sp

from .errors import ClaimError

__all__ = ["Asymptotic", "Equal", "Exists", "Less", "Number", "Proportional", "Statement", "Tends"]


@dataclass(frozen=True)
class Equal:
    """``left = right`` on the claim's domain."""

    left: sp.Expr
    right: sp.Expr


@dataclass(frozen=True)
class Less:
    """``lesser < greater``, or ``<=`` when not strict."""

    lesser: sp.Expr
    greater: sp.Expr
    strict: bool = True


@dataclass(frozen=True)
class Tends:
    """``expression -> value`` as ``symbol`` goes to ``point`` (0 or oo) from inside its sign."""

    expression: sp.Expr
    symbol: sp.Symbol
    point: sp.Expr
    value: sp.Expr

    def __post_init__(self) -> None:
        _require_end("state a limit", self.symbol, self.point)


@dataclass(frozen=True)
class Asymptotic:
    """``left ~ right`` as ``symbol`` goes to ``point``, or ``left = O(right)``.

    Parameters
    ----------
    left, right : Expr
        Both sides.
    symbol : Symbol
        What moves, from inside its sign.
    point : Expr
        0 or oo.
    order : int
        1: the ratio goes to 1. n: ``(left - right)/t -> 0``, t the n-th term of ``right`` by size.
    bound : bool
        ``left = O(right)``: the ratio stays bounded.
    """

    left: sp.Expr
    right: sp.Expr
    symbol: sp.Symbol
    point: sp.Expr
    order: int = 1
    bound: bool = False

    def __post_init__(self) -> None:
        asked = f"state how {self.left} behaves"
        _require_end(asked, self.symbol, self.point)
        if self.right == 0:
            raise ClaimError(asked, "the right side is 0", "give the leading term; a limit for a difference")
        if not self.bound and not self.left.has(self.symbol) and not self.right.has(self.symbol):
            raise ClaimError(asked, f"{self.symbol} stands on neither side", "name the variable that moves")
        if self.order < 1 or (self.bound and self.order > 1):
            raise ClaimError(asked, f"order {self.order}", "give 1 or more; O(...) takes no order")
        if len(self.terms) < self.order:
            found = f"order {self.order}, and the right side has {len(self.terms)} terms"
            raise ClaimError(asked, found, "write as many terms as the order says")

    @property
    def terms(self) -> tuple[sp.Expr, ...]:
        """The terms of the right side; multiplied out where it shows fewer than the order asks for."""
        shown = sp.Add.make_args(self.right)
        return tuple(shown if len(shown) >= self.order else sp.Add.make_args(sp.expand_mul(self.right)))


@dataclass(frozen=True)
class Proportional:
    """``left prop right``: their ratio does not depend on ``symbol``.

    With ``values``, the printed exponents, both sides are power laws in ``symbol`` whose exponents agree as printed
    numbers do; an exponent that is one of the printed ones is the printed result.
    """

    left: sp.Expr
    right: sp.Expr
    symbol: sp.Symbol
    values: tuple[tuple[sp.Symbol, str], ...] = ()

    def __post_init__(self) -> None:
        if not self.left.has(self.symbol) and not self.right.has(self.symbol):
            found = f"{self.symbol} stands on neither side"
            raise ClaimError(f"state what {self.left} is proportional to", found, "name a variable that stands in it")


@dataclass(frozen=True)
class Number:
    """A printed number, or a relation between two numbers.

    Parameters
    ----------
    left : Expr
        The expression; symbols stand for printed inputs.
    relation : str
        ``=``, ``<``, ``<=``, ``>`` or ``>=``.
    right : Expr, optional
        The other side; missing when ``printed`` is given.
    printed : str, optional
        The printed result; its last digit is its rounding.
    values : tuple of (Symbol, str)
        Printed inputs, likewise.
    tolerance : Rational, optional
        Relative, of the printed result.
    """

    left: sp.Expr
    relation: str = "="
    right: sp.Expr | None = None
    printed: str | None = None
    values: tuple[tuple[sp.Symbol, str], ...] = ()
    tolerance: sp.Rational | None = None

    def __post_init__(self) -> None:
        if (self.right is None) == (self.printed is None):
            raise ClaimError("state a number", "needs a right side or a printed result", "give exactly one")


@dataclass(frozen=True)
class Exists:
    """There are ``symbols`` such that ``statement`` holds, for every value of all other symbols.

    ``witness`` pairs a symbol with an expression in the others that makes it hold.
    """

    symbols: tuple[sp.Symbol, ...]
    statement: Equal | Less | Tends | Asymptotic | Proportional
    witness: tuple[tuple[sp.Symbol, sp.Expr], ...] = ()

    def __post_init__(self) -> None:
        if not self.symbols:
            raise ClaimError("state an existence", "no symbol is named", "name the symbols that must exist")
        used = {*self.symbols, *(symbol for _, value in self.witness for symbol in value.free_symbols)}
        if caught := sorted(str(symbol) for symbol in used & self.bound):
            found = f"{caught[0]} moves in a limit of the statement, and stands outside it"
            raise ClaimError("state an existence", found, "give the two different names")
        for symbol, value in self.witness:
            if symbol not in self.symbols:
                raise ClaimError("state an existence", f"a witness for {symbol}", "give witnesses for its symbols only")
            if value.free_symbols & set(self.symbols):
                raise ClaimError("state an existence", f"{symbol} = {value}", "write a witness in the other symbols")

    @property
    def bound(self) -> set[sp.Symbol]:
        """The symbols that move in the statement: those of its limits, of a proportionality, of an asymptotic."""
        parts = [part for part in vars(self.statement).values() if isinstance(part, sp.Expr)]
        moving = {node.args[1] for part in parts for node in part.atoms(sp.Limit)}
        return moving | ({self.statement.symbol} if isinstance(self.statement, _Moving) else set())


_Moving = Tends | Asymptotic | Proportional

Statement: TypeAlias = Equal | Less | Tends | Asymptotic | Proportional | Number | Exists


def _require_end(asked: str, symbol: sp.Symbol, point: sp.Expr) -> None:
    if point not in (sp.Integer(0), sp.oo):
        raise ClaimError(asked, f"at {symbol} -> {point}", "take the limit at 0 or oo")
