"""Expressions as a straight list of two-operand instructions, each as early and as small as its inputs allow.

Equal sub-expressions are computed once. A product is split by level, so that ``-A*alpha*x*y/S`` costs one scalar
product, one data product and two mixed passes; inside a level the factors that most products share come first, so that
common products are common values. A denominator of several products becomes one reciprocal, with the sign that most of
them need.

Worked example: ``log(beta) + c*log(x)`` with data x is ``_s0 = log(beta)`` once, then in each block
``_d0 = log(x)``, ``_m0 = c*_d0``, ``_m0 = _s0 + _m0``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import sympy as sp

from ..errors import ScalingError
from ..nodes import bernoulli_gap, entropy, expit, expm1, log1mexp, log1p, logsumexp, softplus
from .instructions import DATA, MIXED, PARAMETER, Operand, Tape
from .monomial import monomial, written
from .registers import Program, allocate

__all__ = ["plan"]

_UNARY = {
    sp.log: "log",
    sp.exp: "exp",
    sp.Abs: "absolute",
    sp.sign: "sign",
    log1p: "log1p",
    expm1: "expm1",
    log1mexp: "log1mexp",
    bernoulli_gap: "bernoulli_gap",
}
_CHAINS = {sp.Max: "maximum", sp.Min: "minimum"}


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
    tape = Tape({names[symbol]: level for symbol, level in levels.items()}, exact=exact)
    reader = _Reader(tape, names, {symbol for symbol, level in levels.items() if level == PARAMETER})
    reader.survey([*outputs, *sums])
    rows = [reader.visit(output) for output in outputs]
    watched = [reader.visit(total) for total in sums]
    return allocate(tape, rows, [operand for operand in watched if isinstance(operand, str)])


class _Reader:
    """Writes expressions onto a tape."""

    def __init__(self, tape: Tape, names: Mapping[sp.Symbol, str], parameters: set[sp.Symbol]) -> None:
        self.tape = tape
        self._parameters = parameters
        self._seen: dict[sp.Expr, Operand] = dict(names)
        self._factors: Counter[sp.Expr] = Counter()
        self._balance: Counter[sp.Expr] = Counter()

    def survey(self, outputs: Sequence[sp.Expr]) -> None:
        """Count in how many different products each factor stands, and which sign each denominator needs."""
        waiting, counted = list(outputs), set()
        while waiting:
            node = waiting.pop()
            if node in counted:
                continue
            counted.add(node)
            if not _is_product(node):
                waiting += node.args
                continue
            times, rest = node.as_coeff_Mul()
            factors = sp.Mul.make_args(rest)
            scaled = any(factor.free_symbols <= self._parameters for factor in factors)
            for factor in factors:
                self._factors[factor] += 1
                self._balance[factor] += 0 if scaled else -1 if times == -1 else 1
                waiting.append(1 / factor if _is_inverse(factor) else factor)

    def visit(self, node: sp.Expr) -> Operand:
        """The operand that holds ``node``."""
        if node not in self._seen:
            self._seen[node] = self._write(node)
        return self._seen[node]

    def _write(self, node: sp.Expr) -> Operand:
        if node.is_Rational or not (self.tape.exact or node.free_symbols):
            return self.tape.number(node)
        if node.is_Add:
            return self._sum(node)
        if _is_product(node):
            return self._product(node)
        if node.is_Pow and not isinstance(node, sp.exp):
            return self._power(node)
        return self._call(node)

    def _call(self, node: sp.Expr) -> Operand:
        if node.func is monomial:
            return written(self.tape, self.visit, node)
        apply, arguments = self.tape.apply, [self.visit(argument) for argument in node.args]
        arguments.sort(key=self.tape.level_of)
        if node.func in _UNARY:
            return apply(_UNARY[node.func], *arguments)
        if node.func in _CHAINS:
            return self.tape.fold(_CHAINS[node.func], arguments)
        if node.func is logsumexp:
            return self._logsumexp(arguments)
        if node.func is softplus:  # max(u, 0) + log1p(exp(-|u|))
            rest = apply("log1p", self.tape.fade(arguments[0]))
            return apply("add", apply("maximum", arguments[0], 0.0), rest)
        if node.func is expit:  # (1 if u >= 0 else e)/(1 + e), e = exp(-|u|)
            odds = self.tape.fade(arguments[0])
            above = apply("maximum", odds, apply("heaviside", arguments[0], 1.0))
            return apply("divide", above, apply("add", 1.0, odds))
        if node.func is entropy:  # log1p(e) + |u|*e/(1 + e), e = exp(-|u|)
            odds, size = self.tape.fade(arguments[0]), self.tape.size(arguments[0])
            rest = apply("divide", apply("multiply", size, odds), apply("add", 1.0, odds))
            return apply("add", apply("log1p", odds), rest)
        if node is sp.E or node is sp.pi:
            return apply("exp", 1.0) if node is sp.E else apply("pi")
        if node.func is sp.Heaviside:
            return apply("heaviside", self.visit(node.args[0]), 0.5)
        raise ScalingError(
            f"generate code for {node}", f"no target prints {node.func}", "use log, exp, sqrt, Abs, Min, Max and powers"
        )

    def _logsumexp(self, logs: Sequence[Operand]) -> Operand:
        """The largest taken out: no term overflows, and none is lost."""
        apply, top = self.tape.apply, self.tape.fold("maximum", logs)
        if len(logs) == 2:
            return apply("add", top, apply("log1p", self.tape.fade(apply("subtract", *logs))))
        shares = [apply("exp", apply("subtract", log, top)) for log in logs]
        return apply("add", top, apply("log", self.tape.fold("add", shares)))

    def _sum(self, node: sp.Add) -> Operand:
        level_of = self.tape.level_of
        signed = []
        for term in node.args:
            times, rest = term.as_coeff_Mul()
            signed.append((-1, self.visit(-times * rest)) if times.is_negative else (1, self.visit(term)))
        signed.sort(key=lambda pair: (level_of(pair[1]), -pair[0]))
        groups = [self._add([pair for pair in signed if level_of(pair[1]) == k]) for k in (0, PARAMETER, DATA, MIXED)]
        sign, total = self._add([group for group in groups if group is not None]) or (1, 0.0)
        return total if sign == 1 else self.tape.apply("negative", total)

    def _add(self, signed: Sequence[tuple[int, Operand]]) -> tuple[int, Operand] | None:
        """A signed operand that is the sum of signed operands."""
        if not signed:
            return None
        sign, total = signed[0]
        for other_sign, other in signed[1:]:
            if sign == other_sign:
                total = self.tape.apply("add", total, other)
            else:
                total = self.tape.apply("subtract", *((total, other) if sign == 1 else (other, total)))
                sign = 1
        return sign, total

    def _product(self, node: sp.Expr) -> Operand:
        """Level by level, the most shared factors first."""
        times, rest = node.as_coeff_Mul()
        above: list[Operand] = []
        below: list[Operand] = []
        for factor in sorted(sp.Mul.make_args(rest), key=lambda factor: -self._factors[factor]):
            if not _is_inverse(factor):
                above.append(self.visit(factor))
            elif self._factors[factor] > 1:
                flip = -1 if self._balance[factor] < 0 else 1
                above.append(self.tape.apply("divide", float(flip), self.visit(1 / factor)))
                times *= flip
            else:
                below.append(self.visit(1 / factor))
        scalars = [operand for operand in above if self.tape.level_of(operand) < DATA]
        if scalars or not (above or below):
            total = self._times(times, self.tape.fold("multiply", scalars or [1.0]))
            times = sp.Integer(1)
        elif times != -1 or not above:
            total, times = self.tape.number(times), sp.Integer(1)
        else:
            total = 1.0
        return self._times(times, self._join(total, [a for a in above if a not in scalars], below))

    def _join(self, total: Operand, above: Sequence[Operand], below: Sequence[Operand]) -> Operand:
        """``total`` times ``above`` over ``below``, level by level; a product that is there already goes first."""
        uppers = {k: [operand for operand in above if self.tape.level_of(operand) == k] for k in (DATA, MIXED)}
        parts = [self.tape.fold("multiply", upper) for upper in uppers.values() if upper]
        parts.sort(key=lambda part: not self.tape.knows("multiply", total, part))
        for part in parts:
            total = self.tape.apply("multiply", total, part)
        for level in (0, PARAMETER, DATA, MIXED):
            lower = [operand for operand in below if self.tape.level_of(operand) == level]
            if lower:
                total = self.tape.apply("divide", total, self.tape.fold("multiply", lower))
        return total

    def _times(self, number: sp.Expr, operand: Operand) -> Operand:
        return self.tape.apply("multiply", self.tape.number(number), operand)

    def _power(self, node: sp.Pow) -> Operand:
        base, exponent = self.visit(node.base), node.exp
        if exponent == sp.Rational(1, 2):
            return self.tape.apply("sqrt", base)
        if exponent.is_Integer and 2 <= exponent <= 4:
            return self.tape.fold("multiply", [base] * int(exponent))
        return self.tape.apply("power", base, self.visit(exponent))


def _is_inverse(factor: sp.Expr) -> bool:
    """A power whose exponent is a negative number."""
    return bool(factor.is_Pow and factor.exp.is_number and factor.exp.is_negative and not isinstance(factor, sp.exp))


def _is_product(node: sp.Basic) -> bool:
    return bool(node.is_Mul or _is_inverse(node))
