"""Two-operand instructions on named values, each computed once, with its level.

A *parameter* value depends on parameters only and is computed once a call; a *data* value on data only, once a block
whatever the number of parameter sets; a *mixed* value on both.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import sympy as sp

__all__ = ["DATA", "MIXED", "PARAMETER", "Instruction", "Operand", "Tape"]

PARAMETER, DATA, MIXED = 1, 2, 3

Operand: TypeAlias = str | float

_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "add": operator.add,
    "divide": operator.truediv,
    "multiply": operator.mul,
    "subtract": operator.sub,
}


@dataclass(frozen=True)
class Instruction:
    """``to = operation(*operands)`` at one level."""

    to: str
    operation: str
    operands: tuple[Operand, ...]
    level: int


class Tape:
    """A growing list of instructions.

    Parameters
    ----------
    levels : mapping of str to int
        Levels of the arguments.
    exact : bool
        Whether numbers stay exact ratios, for targets with more digits than a double.

    Examples
    --------
    >>> tape = Tape({"x": DATA, "c": PARAMETER}, exact=False)
    >>> tape.apply("multiply", "c", tape.apply("log", "x")), tape.apply("log", "x")
    ('_v1', '_v0')
    """

    def __init__(self, levels: Mapping[str, int], *, exact: bool) -> None:
        self.exact = exact
        self.steps: list[Instruction] = []
        self.level: dict[str, int] = dict(levels)
        self._made: dict[tuple[str, tuple[Operand, ...]], str] = {}
        self._negated: dict[Operand, Operand] = {}

    def level_of(self, operand: Operand) -> int:
        """0 for a number, else the level of a name."""
        return self.level[operand] if isinstance(operand, str) else 0

    def number(self, value: sp.Expr) -> Operand:
        """A constant: a double, or for exact targets a ratio that no rounding touches."""
        if not value.is_Rational:
            return float(value.evalf(30))
        double = float(Fraction(int(value.p), int(value.q)))
        if not self.exact or (value.is_Integer and int(double) == value):
            return double
        text = f"at.ratio({value.p}, {value.q})"
        self.level[text] = 0
        return text

    def apply(self, operation: str, *operands: Operand) -> Operand:
        """The operand that holds ``operation(*operands)``: a number, a known name or a new one."""
        names = [operand for operand in operands if isinstance(operand, str)]
        if operation in _ARITHMETIC and not names and not self.exact:
            return _ARITHMETIC[operation](*operands)  # type: ignore[arg-type]
        if operation == "multiply" and len(names) == 1 and {1.0, -1.0}.intersection(operands):
            return names[0] if 1.0 in operands else self.apply("negative", *names)
        if operation == "negative" and operands[0] in self._negated:
            return self._negated[operands[0]]
        key = (operation, operands)
        if key not in self._made:
            level = functools.reduce(operator.or_, map(self.level_of, operands), 0) or PARAMETER
            name = f"_v{len(self.steps)}"
            self.level[name] = level
            self.steps.append(Instruction(name, operation, operands, level))
            self._made[key] = name
            if operation == "negative":
                self._negated[name] = operands[0]
        return self._made[key]

    def knows(self, operation: str, *operands: Operand) -> bool:
        """Whether this value is there already."""
        return (operation, operands) in self._made

    def fold(self, operation: str, operands: Iterable[Operand]) -> Operand:
        """``operation`` applied from the left over one or more operands."""
        first, *rest = operands
        return functools.reduce(lambda total, other: self.apply(operation, total, other), rest, first)

    def size(self, operand: Operand) -> Operand:
        """``|u|``, one value for u and -u."""
        return self.apply("absolute", self._negated.get(operand, operand))

    def fade(self, operand: Operand) -> Operand:
        """``exp(-|u|)``."""
        return self.apply("exp", self.apply("negative", self.size(operand)))
