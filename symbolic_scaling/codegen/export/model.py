"""What is exported, before any language: functions of numbers with their gradients, roots and letters. Pure data."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

__all__ = ["Constant", "Function", "Letter", "Module", "Solve"]


@dataclass(frozen=True)
class Letter:
    """An argument: its symbol, meaning and unit."""

    symbol: sp.Symbol
    doc: str = ""
    unit: str = ""

    @property
    def text(self) -> str:
        """``name: meaning [unit]``."""
        unit = f" [{self.unit}]" if self.unit else ""
        return f"{self.symbol.name}: {self.doc or 'a number'}{unit}"


@dataclass(frozen=True)
class Solve:
    """A root: ``residual`` has one change of sign in the coordinate ``u``, sought from ``start``."""

    u: sp.Symbol
    residual: sp.Expr
    start: sp.Expr
    condition: sp.Eq


@dataclass(frozen=True)
class Function:
    """One number with its gradient.

    Parameters
    ----------
    name, doc : str
        What it is called and what it computes.
    inputs, constants : tuple of Letter
        Arguments in order.
    value, gradient : Expr, tuple of Expr
        Lowered (``codegen.lower``); the gradient in inputs, then constants. With a root both hold its coordinate.
    shown : Expr or None
        The expression as it is written, without a root.
    solve : Solve, optional
        The root that comes first.
    switch : Symbol, optional
        Where this constant is 0, ``plain`` is (value, *gradient) instead.
    """

    name: str
    doc: str
    inputs: tuple[Letter, ...]
    constants: tuple[Letter, ...]
    value: sp.Expr
    gradient: tuple[sp.Expr, ...]
    shown: sp.Expr | None = None
    solve: Solve | None = None
    switch: sp.Symbol | None = None
    plain: tuple[sp.Expr, ...] = ()

    @property
    def arguments(self) -> tuple[Letter, ...]:
        """Inputs, then constants."""
        return self.inputs + self.constants


@dataclass(frozen=True)
class Constant:
    """A number that is bound to a letter, its value as text and where it comes from."""

    name: str
    value: float
    printed: str
    origin: str


@dataclass(frozen=True)
class Module:
    """One file.

    Parameters
    ----------
    name, title, source : str
        For names in C, the first line, and the paper.
    form : Eq
        The law.
    functions : tuple of Function
    constants : tuple of Constant
        Those that are bound.
    names : tuple of (Symbol, str)
        Declared LaTeX.
    notes : tuple of str
        What else to say: provenance, answers that could not be exported.
    """

    name: str
    title: str
    source: str
    form: sp.Eq
    functions: tuple[Function, ...]
    constants: tuple[Constant, ...] = ()
    names: tuple[tuple[sp.Symbol, str], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def bound(self) -> dict[str, Constant]:
        """Name -> constant."""
        return {constant.name: constant for constant in self.constants}
