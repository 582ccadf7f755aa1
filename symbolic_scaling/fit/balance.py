"""Starts by dominant balance: each constant is drawn where its own term is as large as those beside it.

What a grid spans has to be said beforehand; what a constant is worth follows from its formula and the rows. A constant
in a sum is drawn so that its term equals the rest of the sum at a row drawn at random, one that multiplies something in
an exponent so that the exponent runs over .05 to 40 along the rows; constants that stand beside it are drawn before.
``C`` of ``w/(C + w)`` lies among the values of w, m of ``exp(-s*(log(x) - m))`` among those of log x, and t of
``exp(t - s*log(x))`` among those of ``s*log(x)`` with the s of the same draw. Constants that enter linearly follow in
closed form.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy as sp

from .. import codegen
from ..budget import cached
from ..codegen import Compiled
from ..law import Law
from .box import Coordinate
from .objective import Objective
from .solve import Floats
from .units import exponent, power_in

__all__ = ["drawn"]

_FLATTEST, _STEEPEST = 0.05, 40.0  # how far an exponent runs along the rows
_WIDTHS = (0.0, 0.0, 2.0, 12.0)  # how far from its balance the logarithm of a constant is drawn, each as often
_PAST = 0.5  # of the way between two rows: how far a balance lies beyond them
_ROWS = 200  # along which an exponent is measured


@dataclass(frozen=True)
class _Rule:
    """How one constant is drawn: its term at 1, the power in which it stands there, and the rest of its sum, compiled.

    ``slope``: the term is part of an exponent. ``beside``: the other constants in all three. Not compiled: of order 1.
    """

    symbol: sp.Symbol
    slope: bool = False
    beside: frozenset[sp.Symbol] = frozenset()
    compiled: Compiled | None = None


def drawn(objective: Objective, symbols: tuple[sp.Symbol, ...], count: int, seed: int) -> list[Floats]:
    """Values (count,) of each of these constants, inside the box.

    Parameters
    ----------
    objective : Objective
        Its rows and box.
    symbols : tuple of Symbol
        The constants to draw.
    count, seed : int
    """
    rng = np.random.default_rng(seed)
    made = {s: np.full(count, value) for s, value in objective.fixed.items()}
    by_symbol = {c.symbol: c for c in objective.coordinates}
    for rule in _rules(objective.law, symbols):
        constants = [made.get(s, np.ones(count)) for s in objective.law.constants]
        with np.errstate(all="ignore"):
            size = _size(objective, rule, constants, rng)
        made[rule.symbol] = _placed(by_symbol[rule.symbol], size, rng)
    return [made[symbol] for symbol in symbols]


def _placed(c: Coordinate, size: Floats, rng: np.random.Generator) -> Floats:
    """Sizes with the constant's sign, inside its box."""
    size = np.where(np.isfinite(size) & (size > 0), size, 1.0)
    signs = -1.0 if c.hi <= 0 else 1.0 if c.lo >= 0 else rng.choice((-1.0, 1.0), len(size))
    return np.asarray(np.clip(size * signs, c.lo, c.hi))


def _size(objective: Objective, rule: _Rule, constants: list[Floats], rng: np.random.Generator) -> Floats:
    """The size of a constant (count,), those of the law (c, count) as far as they are drawn."""
    table, count = objective.table, len(constants[0])
    width = np.array(_WIDTHS)[rng.integers(len(_WIDTHS), size=count)]
    if rule.compiled is None:
        return np.exp(np.maximum(width, 1.0) * rng.uniform(-1, 1, count))
    if rule.slope:
        step = -(-len(table.y) // _ROWS)
        x, y = table.x[:, ::step], table.y[::step]
        term, power, _ = rule.compiled(*x, y, *(values[:, None] for values in constants))
        run = np.ptp(np.broadcast_to(term, (count, len(y))), axis=1)
        aim = rng.uniform(np.log(_FLATTEST), np.log(_STEEPEST), count)
        return np.asarray(np.exp((aim - np.log(run)) / np.broadcast_to(power, (count, len(y)))[:, 0]))
    rows = rng.integers(len(table.y), size=(2, count))
    term, power, one = rule.compiled(*table.x[:, rows[0]], table.y[rows[0]], *constants)
    _, _, two = rule.compiled(*table.x[:, rows[1]], table.y[rows[1]], *constants)
    others = np.abs(one + (two - one) * rng.uniform(-_PAST, 1 + _PAST, count))
    width = np.where((one == two) & (width == 0), 1.0, width)
    return np.asarray(np.exp((np.log(others) - np.log(np.abs(term))) / power + width * rng.uniform(-1, 1, count)))


@cached
def _rules(law: Law, symbols: tuple[sp.Symbol, ...]) -> tuple[_Rule, ...]:
    """The rules of some constants, in an order in which each follows those beside it, as far as there is one."""
    left = [_rule(law, symbol) for symbol in symbols]
    ordered: list[_Rule] = []
    while left:
        waiting = {rule.symbol for rule in left}
        free = [rule for rule in left if not rule.beside & waiting]
        ordered.append((free or sorted(left, key=lambda rule: not rule.slope))[0])
        left.remove(ordered[-1])
    return tuple(ordered)


def _rule(law: Law, symbol: sp.Symbol) -> _Rule:
    data = {*law.inputs, law.response.symbol}
    for node in _nodes(law):
        for term in sp.Add.make_args(exponent(node)):
            if term.free_symbols & data and (power := power_in(term, symbol, data)):
                return _made(law, symbol, True, (term, power, sp.Integer(0)))
    for node, rest in _sums(law):
        terms = [term for term in node.args if term.has(symbol)]
        others = rest if rest is not None else sp.Add(*(term for term in node.args if term not in terms))
        if (
            len(terms) == 1
            and (node.free_symbols | others.free_symbols) & data
            and (power := power_in(terms[0], symbol, data))
        ):
            return _made(law, symbol, False, (terms[0], power, others))
    return _Rule(symbol)


def _made(law: Law, symbol: sp.Symbol, slope: bool, parts: tuple[sp.Expr, sp.Expr, sp.Expr]) -> _Rule:
    at_one = (parts[0].subs(symbol, 1), *parts[1:])
    beside = frozenset().union(*(part.free_symbols for part in at_one)) & set(law.constants)
    arguments = (*law.inputs, law.response.symbol, *law.constants)
    return _Rule(symbol, slope, beside, codegen.compile(at_one, arguments, domain=law.domain))


def _nodes(law: Law) -> list[sp.Expr]:
    """All parts of both sides, inner ones first."""
    return [node for side in (law.form.lhs, law.form.rhs) for node in sp.postorder_traversal(side)]


def _sums(law: Law) -> list[tuple[sp.Expr, sp.Expr | None]]:
    """Sums and kinks, inner ones first; the sides of the equation last, each with the other side."""
    sides = ((law.form.lhs, law.form.rhs), (law.form.rhs, law.form.lhs))
    inner = [node for node in _nodes(law) if isinstance(node, (sp.Add, sp.Max, sp.Min))]
    whole = [(side if side.is_Add else sp.Add(side, 0, evaluate=False), other) for side, other in sides]
    return [(node, None) for node in inner if node not in law.form.args] + whole
