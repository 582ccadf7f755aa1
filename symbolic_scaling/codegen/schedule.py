"""Expressions as a straight list of two-operand instructions, each as early and as small as its inputs allow.

Every value has a level: *parameter* (depends on parameters only, computed once a call), *data* (on data only, computed
once a block, whatever the number of parameter sets) or *mixed*. Sums and products are split by level, so that
``-A*alpha*x*y/S`` costs one scalar product, one data product and two mixed passes. Equal values are computed once.
A register allocator over live ranges then lets few buffers carry all intermediate arrays.

Worked example: ``log(beta) + c*log(x)`` with data x is ``_s0 = log(beta)`` once, then in each block
``_d0 = log(x)``, ``_m0 = c*_d0``, ``_m0 = _s0 + _m0``.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

import sympy as sp

from ..errors import ScalingError
from ..nodes import expit, expm1, log1mexp, log1p, logsumexp, softplus

__all__ = ["DATA", "MIXED", "PARAMETER", "Instruction", "Operand", "Program", "plan"]

PARAMETER, DATA, MIXED = 1, 2, 3

Operand: TypeAlias = str | float

_UNARY = {
    sp.log: "log",
    sp.exp: "exp",
    sp.Abs: "absolute",
    sp.sign: "sign",
    log1p: "log1p",
    expm1: "expm1",
    log1mexp: "log1mexp",
}
_CHAINS = {sp.Max: "maximum", sp.Min: "minimum"}
_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
}


@dataclass(frozen=True)
class Instruction:
    """``to = operation(*operands)`` at one level."""

    to: str
    operation: str
    operands: tuple[Operand, ...]
    level: int


@dataclass(frozen=True)
class Program:
    """What one call does.

    Parameters
    ----------
    once : tuple of Instruction
        Parameter level, one a call.
    block : tuple of Instruction
        Data and mixed level, once a block, after register allocation.
    copies : tuple of (str, Operand)
        Output rows that repeat another value.
    checked : tuple of str
        Arrays or scalars that must stay inside the range of doubles.
    buffers : (int, int)
        How many data and mixed buffers the block needs.
    """

    once: tuple[Instruction, ...]
    block: tuple[Instruction, ...]
    copies: tuple[tuple[str, Operand], ...]
    checked: tuple[tuple[int, str], ...]
    buffers: tuple[int, int]

    def count(self, *operations: str) -> int:
        """Array operations a block, all of them or those named."""
        return sum(not operations or step.operation in operations for step in self.block)


def plan(
    outputs: Sequence[sp.Expr],
    sums: Sequence[sp.Expr],
    names: Mapping[sp.Symbol, str],
    levels: Mapping[sp.Symbol, int],
    *,
    exact: bool = False,
) -> Program:
    """Instructions that compute ``outputs`` with shared sub-expressions, and watch ``sums``.

    Parameters
    ----------
    outputs : sequence of Expr
        Row j of the output is ``outputs[j]``.
    sums : sequence of Expr
        Values whose range the caller checks after a block.
    names, levels : mapping
        Identifier and level of every free symbol.
    exact : bool
        Whether numbers stay exact ratios, for targets with more digits than a double.

    Examples
    --------
    >>> x, c = sp.symbols("x c", positive=True)
    >>> made = plan([c * sp.log(x), sp.log(x)], [], {x: "x", c: "c"}, {x: DATA, c: PARAMETER})
    >>> for step in made.block: print(step.to, step.operation, *step.operands)
    _d0 log x
    _o0 multiply c _d0
    >>> made.copies
    (('_o1', '_d0'),)
    """
    builder = _Builder(names, levels, exact)
    made = builder.all([*outputs, *sums])
    rows, watched = made[: len(outputs)], made[len(outputs) :]
    return _allocate(builder, rows, [operand for operand in watched if isinstance(operand, str)])


class _Builder:
    """Turns expressions into instructions; one value is never computed twice."""

    def __init__(self, names: Mapping[sp.Symbol, str], levels: Mapping[sp.Symbol, int], exact: bool) -> None:
        self.exact = exact
        self.steps: list[Instruction] = []
        self.level: dict[str, int] = {names[symbol]: level for symbol, level in levels.items()}
        self._made: dict[tuple[str, tuple[Operand, ...]], str] = {}
        self._seen: dict[sp.Expr, Operand] = dict(names)
        self._shared: dict[sp.Symbol, sp.Expr] = {}

    def all(self, expressions: Sequence[sp.Expr]) -> list[Operand]:
        """One operand an expression, common parts shared."""
        fresh = sp.numbered_symbols("_shared", cls=sp.Dummy, real=True)
        replacements, reduced = sp.cse(list(expressions), symbols=fresh, order="none")
        self._shared = dict(replacements)
        return [self.visit(expression) for expression in reduced]

    def visit(self, node: sp.Expr) -> Operand:
        """The operand that holds ``node``."""
        if node not in self._seen:
            self._seen[node] = self._visit(self._shared.get(node, node))
        return self._seen[node]

    def _visit(self, node: sp.Expr) -> Operand:
        if node in self._seen:
            return self._seen[node]
        if node.is_Rational or not (self.exact or node.free_symbols):
            return self._number(node)
        if node is sp.E:
            return self.apply("exp", 1.0)
        if node.is_Add:
            return self._sum(node)
        if node.is_Mul or (node.is_Pow and node.exp.is_negative):
            return self._product(node)
        if node.is_Pow and not isinstance(node, sp.exp):
            return self._power(node)
        return self._call(node)

    def _number(self, node: sp.Expr) -> Operand:
        value = float(node.evalf(30)) if not node.is_Rational else float(Fraction(int(node.p), int(node.q)))
        if not self.exact or (node.is_Integer and int(value) == node):
            return value
        text = f"at.ratio({node.p}, {node.q})"
        self.level[text] = 0
        return text

    def _call(self, node: sp.Expr) -> Operand:
        arguments = [self.visit(argument) for argument in node.args]
        if node.func in _UNARY:
            return self.apply(_UNARY[node.func], *arguments)
        if node.func in _CHAINS:
            ordered = sorted(arguments, key=self.level_of)
            return self._fold(_CHAINS[node.func], ordered)
        if node.func is logsumexp:
            return self._logsumexp(sorted(arguments, key=self.level_of))
        if node.func is softplus:  # max(u, 0) + log1p(exp(-|u|))
            return self.apply(
                "add", self.apply("maximum", *arguments, 0.0), self.apply("log1p", self._fade(*arguments))
            )
        if node.func is expit:  # exp(min(u, 0))/(1 + exp(-|u|))
            above = self.apply("exp", self.apply("minimum", *arguments, 0.0))
            return self.apply("divide", above, self.apply("add", 1.0, self._fade(*arguments)))
        if node is sp.pi:
            return self.apply("pi")
        if node.func is sp.Heaviside:
            return self.apply("heaviside", arguments[0], 0.5)
        raise ScalingError(
            f"generate code for {node}", f"no target prints {node.func}", "use log, exp, sqrt, Abs, Min, Max and powers"
        )

    def _logsumexp(self, logs: Sequence[Operand]) -> Operand:
        """The largest taken out: no term overflows, and none is lost."""
        top = self._fold("maximum", logs)
        if len(logs) == 2:
            return self.apply("add", top, self.apply("log1p", self._fade(self.apply("subtract", *logs))))
        shares = [self.apply("exp", self.apply("subtract", log, top)) for log in logs]
        return self.apply("add", top, self.apply("log", self._fold("add", shares)))

    def _fade(self, operand: Operand) -> Operand:
        """``exp(-|u|)``, one value for u and -u."""
        for (operation, operands), name in self._made.items():
            if operation == "negative" and name == operand:
                return self._fade(operands[0])
        return self.apply("exp", self.apply("negative", self.apply("absolute", operand)))

    def _sum(self, node: sp.Add) -> Operand:
        signed = [self._signed(term) for term in node.args]
        signed.sort(key=lambda pair: (self.level_of(pair[1]), -pair[0]))
        groups = [self._add([p for p in signed if self.level_of(p[1]) == k]) for k in (0, PARAMETER, DATA, MIXED)]
        sign, total = self._add([group for group in groups if group is not None]) or (1, 0.0)
        return total if sign == 1 else self.apply("negative", total)

    def _signed(self, term: sp.Expr) -> tuple[int, Operand]:
        """A term with its sign taken off, through shared definitions that are only a change of sign."""
        times, rest = term.as_coeff_Mul()
        while self._shared.get(rest, rest).as_coeff_Mul()[0] == -1:
            times, rest = -times, -self._shared.get(rest, rest)
        return (-1, self.visit(-times * rest)) if times.is_negative else (1, self.visit(times * rest))

    def _add(self, signed: Sequence[tuple[int, Operand]]) -> tuple[int, Operand] | None:
        """A signed operand that is the sum of signed operands."""
        if not signed:
            return None
        sign, total = signed[0]
        for other_sign, other in signed[1:]:
            if sign == other_sign:
                total = self.apply("add", total, other)
            else:
                total = self.apply("subtract", *((total, other) if sign == 1 else (other, total)))
                sign = 1
        return sign, total

    def _product(self, node: sp.Expr) -> Operand:
        above: list[Operand] = []
        below: list[Operand] = []
        for factor in sp.Mul.make_args(node):
            inverse = factor.is_Pow and factor.exp.is_negative and not isinstance(factor, sp.exp)
            (below if inverse else above).append(self.visit(1 / factor if inverse else factor))
        ratios = [self._ratio(above, below, level) for level in (DATA, MIXED)]
        scalar = self._quotient(
            self._multiply([a for a in above if self.level_of(a) < DATA]),
            self._multiply([b for b in below if self.level_of(b) < DATA]),
        )
        total, under = scalar
        for upper, lower in ratios:
            total = self._multiply([part for part in (total, upper) if part is not None])
            under = self._multiply([part for part in (under, lower) if part is not None])
            total, under = self._quotient(total, under)
        return self.apply("divide", 1.0, under) if total is None and under is not None else self._known(total)

    def _ratio(self, above: list[Operand], below: list[Operand], level: int) -> tuple[Operand | None, Operand | None]:
        return self._quotient(
            self._multiply([a for a in above if self.level_of(a) == level]),
            self._multiply([b for b in below if self.level_of(b) == level]),
        )

    def _quotient(self, above: Operand | None, below: Operand | None) -> tuple[Operand | None, Operand | None]:
        """Divide where both are there, else keep what is."""
        return (above, below) if above is None or below is None else (self.apply("divide", above, below), None)

    def _multiply(self, factors: Sequence[Operand]) -> Operand | None:
        return self._fold("multiply", factors) if factors else None

    def _power(self, node: sp.Pow) -> Operand:
        base, exponent = self.visit(node.base), node.exp
        if exponent == sp.Rational(1, 2):
            return self.apply("sqrt", base)
        if exponent.is_Integer and 2 <= exponent <= 4:
            return self._fold("multiply", [base] * int(exponent))
        return self.apply("power", base, self.visit(exponent))

    def _fold(self, operation: str, operands: Iterable[Operand]) -> Operand:
        first, *rest = operands
        for other in rest:
            first = self.apply(operation, first, other)
        return first

    def _known(self, operand: Operand | None) -> Operand:
        return 1.0 if operand is None else operand

    def level_of(self, operand: Operand) -> int:
        """0 for a number, else the level of a name."""
        return self.level[operand] if isinstance(operand, str) else 0

    def apply(self, operation: str, *operands: Operand) -> Operand:
        """The operand that holds ``operation(*operands)``: a number, a known name or a new one."""
        numbers = [operand for operand in operands if not isinstance(operand, str)]
        if operation in _ARITHMETIC and len(numbers) == 2 and not self.exact:
            return _ARITHMETIC[operation](*numbers)
        if operation == "multiply" and 1.0 in numbers:
            return next(operand for operand in operands if isinstance(operand, str))
        if operation == "multiply" and -1.0 in numbers:
            return self.apply("negative", next(operand for operand in operands if isinstance(operand, str)))
        key = (operation, operands)
        if key not in self._made:
            level = functools.reduce(operator.or_, map(self.level_of, operands), 0) or PARAMETER
            name = f"_v{len(self.steps)}"
            self.level[name] = level
            self.steps.append(Instruction(name, operation, operands, level))
            self._made[key] = name
        return self._made[key]


def _allocate(builder: _Builder, rows: Sequence[Operand], watched: Sequence[str]) -> Program:
    """Names -> scalars, output rows and reused buffers."""
    once = [step for step in builder.steps if step.level == PARAMETER]
    block = [step for step in builder.steps if step.level != PARAMETER]
    place: dict[str, str] = {step.to: f"_s{count}" for count, step in enumerate(once)}
    last: dict[str, int] = {}
    for position, step in enumerate(block):
        for operand in step.operands:
            if isinstance(operand, str):
                last[operand] = position
    made = {step.to: step.level for step in block}
    for j, row in enumerate(rows):
        direct = row in made and row not in place and (made[str(row)] == MIXED or row not in last)
        if direct:
            place[str(row)] = f"_o{j}"
    end = len(block)
    copied = {row for j, row in enumerate(rows) if place.get(str(row)) != f"_o{j}"}
    last.update({name: end for name in (*copied, *watched) if isinstance(name, str)})
    free: dict[int, list[str]] = {DATA: [], MIXED: []}
    count = {DATA: 0, MIXED: 0}
    placed: list[Instruction] = []
    for position, step in enumerate(block):
        operands = tuple(place.get(o, o) if isinstance(o, str) else o for o in step.operands)
        for operand in dict.fromkeys(step.operands):
            home = place.get(operand, "") if isinstance(operand, str) else ""
            if home[:2] in ("_d", "_m") and last[str(operand)] == position:
                free[made[str(operand)]].append(home)
        if step.to not in place:
            level = step.level
            if not free[level]:
                free[level].append(f"_{'d' if level == DATA else 'm'}{count[level]}")
                count[level] += 1
            place[step.to] = free[level].pop()
        placed.append(replace(step, to=place[step.to], operands=operands))
    copies = [(f"_o{j}", place.get(str(r), r)) for j, r in enumerate(rows) if place.get(str(r)) != f"_o{j}"]
    checked = [(builder.level_of(name), place.get(name, name)) for name in dict.fromkeys(watched)]
    once = [replace(s, to=place[s.to], operands=tuple(place.get(str(o), o) for o in s.operands)) for s in once]
    return Program(tuple(once), tuple(placed), tuple(copies), tuple(checked), (count[DATA], count[MIXED]))
