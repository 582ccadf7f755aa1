"""From a target to what reaches it: the least compute, or the one input that is left where the others are held.

The frontier's response is solved for the budget and the law for the input; where the target lies below a floor the
error of ``derive.invert_value`` says which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import sympy as sp

from .. import derive
from ..algebra.isolate import isolate
from ..errors import LawError
from ..law import Cost
from ..records import Root
from .allocate import UNKNOWN, counted, inputs_at, remarks, spending, with_ratio
from .frontiers import Frontier, frontier
from .records import Amount, Plan
from .sources import Chosen, Source, chosen_source
from .units import DIGITS, Machine, evaluated, in_bits, loss, positive

__all__ = ["invert"]


def invert(
    chosen: Chosen,
    target: object,
    cost: Cost | sp.Expr | str | None = None,
    *,
    published: str | None = None,
    beside: Mapping[str, object] | None = None,
    held: Mapping[str, object] | None = None,
    most: Mapping[str, object] | None = None,
    machine: Machine | None = None,
    methods: Sequence[str] = ("delta",),
) -> Plan:
    """What reaches a target: the least compute; with one input held, the other; with one capped, the cheapest below.

    Parameters
    ----------
    chosen : Source, Law or FitResult
    target : str or number
        In the response's unit; nats and bits are turned into one another.
    cost, published, beside, machine, methods
        As for :func:`allocate`.
    held : mapping of name to number, optional
        All inputs but one, held there; ``"oo"`` for as much as one likes.
    most : mapping of name to number, optional
        The largest value of one input.

    Raises
    ------
    Unattainable
        If no input reaches the target: the error states the floor, or the best that the held input allows.
    FitError
        If the rows of a fit do not determine what is asked.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> made = invert(laws.get("chinchilla"), 2.0, published="besiroglu2024", held={"N": "7e10"})
    >>> f"{float(made['D']):.12g}"
    '619640450782'
    """
    chosen = chosen_source(chosen, published)
    goal = loss(target, chosen.law.response.unit)
    if held and most:
        raise LawError("invert a law", "an input is held and another capped", "give one of the two")
    y = chosen.law.response
    asked = Amount(str(y.symbol.name), goal if goal.is_Rational else goal.evalf(DIGITS), y.unit)
    title = f"{chosen.law.name}, {chosen.label}: what reaches {y.symbol} = {sp.N(goal, 9)}"
    if held:
        return _at_held(chosen, goal, held, (cost, beside), said=(title, asked), methods=methods)
    line = frontier(chosen, cost, beside)
    rows, flop = _cheapest(line, goal, machine, methods)
    for name, cap in (most or {}).items():
        top = positive(cap, name)
        if name not in [s.name for s in chosen.law.inputs]:
            raise LawError(f"cap {name}", f"{chosen.law.name} has no such input", "name one of its inputs")
        if next(one.value for one in rows if one.name == name) > top:
            said = (f"{title}, {name} at most {top}", asked)
            capped = _at_held(chosen, goal, {name: top}, (cost, beside), said=said, methods=methods)
            return replace(capped, allocation=(*capped.allocation, Amount("C over the least", capped["C"] / flop)))
    found = {one.name: one.value for one in rows}
    return Plan(title, line.convention, (asked, *in_bits(asked)), rows, counted(found), remarks(chosen, found))


def _cheapest(
    line: Frontier, goal: sp.Expr, machine: Machine | None, methods: Sequence[str]
) -> tuple[tuple[Amount, ...], sp.Expr]:
    """The least budget that reaches the goal, the inputs there, with intervals where there is a fit."""
    law = line.source.law
    root, wanted = (None, {}) if line.source.fit is None else _in_response(line)
    values = {str(law.response.symbol.name): goal.evalf(DIGITS), **line.beside}
    line.source.require(wanted, values, root, asked=f"invert {law.name}")
    flop = line.least(goal)
    plain = (*inputs_at(line, flop, ())[:-1], *spending(flop, machine))
    if line.source.fit is None:
        return plain, flop
    sure = line.source.sure(with_ratio(law, wanted), values, methods, root)
    return tuple(_sure(one, sure, flop) for one in plain), flop


def _sure(one: Amount, sure: Mapping[str, Amount], flop: sp.Expr) -> Amount:
    """An amount with what is known of it; PF-days, hours and price are as sure as the budget they are a multiple of."""
    if one.name in sure:
        return replace(one, intervals=sure[one.name].intervals, note=sure[one.name].note)
    if "C" not in sure:
        return replace(one, note=UNKNOWN)
    factor = float(one.value / flop)
    return replace(one, intervals=tuple((m, factor * lo, factor * hi) for m, lo, hi in sure["C"].intervals))


def _in_response(line: Frontier) -> tuple[Root | None, dict[str, sp.Expr]]:
    """Inputs and budget as expressions in the response, perhaps through a root; nothing where neither is known."""
    if line.answers is None:
        return line.reaching or (None, {})
    price, y = line.price_of_loss(), line.source.law.response.symbol.name
    found = {name: value.xreplace({line.cost.symbol: price}) for name, value in line.answers.items() if name != y}
    return None, {**found, "C": price}


def _at_held(
    chosen: Source,
    goal: sp.Expr,
    held: Mapping[str, object],
    paid: tuple[Cost | sp.Expr | str | None, Mapping[str, object] | None],
    *,
    said: tuple[str, Amount],
    methods: Sequence[str],
) -> Plan:
    """The one input that is left, its inverse evaluated; the law's own error where there is none."""
    law, y = chosen.law, chosen.law.response.symbol
    free = [s for s in law.inputs if s.name not in held]
    if len(free) != 1:
        found = f"{len(free)} inputs are left open"
        raise LawError(f"invert {law.name}", found, f"hold all but one of {', '.join(s.name for s in law.inputs)}")
    (x,) = free
    numbers = {name: sp.oo if str(value) == "oo" else positive(value, name) for name, value in held.items()}
    solved, finite = isolate(law.form, x, law.domain), all(value.is_finite for value in numbers.values())
    wanted = {} if solved is None or not finite else {x.name: solved.value}
    given = {**numbers, y.name: goal.evalf(DIGITS)}
    chosen.require(wanted, given, asked=f"invert {law.name}")
    reached = derive.invert_value(law, x, goal, chosen.constants, numbers)
    value, sure = sp.Float(reached, DIGITS), chosen.sure(wanted, given, methods)
    if solved is not None and finite:
        here = {law.symbols[name]: number for name, number in numbers.items()}
        value = evaluated(solved.value, {**chosen.point, **here, y: goal}, f"reach {y}")
    units = {v.symbol.name: v.unit or v.doc for v in law.variables}
    known = sure.get(x.name, Amount("", sp.Integer(0)))
    inputs = {**numbers, x.name: value}
    rows = [Amount(name, number, units[name]) for name, number in numbers.items()]
    rows.append(Amount(x.name, value, units[x.name], known.intervals, known.note))
    goals = (said[1], *in_bits(said[1]))
    if not finite or (paid[0] is None and not law.costs):
        return Plan(
            said[0],
            "no cost: an input is unlimited" if law.costs else "no cost",
            goals,
            tuple(rows),
        )
    line = frontier(chosen, *paid)
    return Plan(
        said[0],
        line.convention,
        goals,
        (*rows, *spending(line.spent(inputs))),
        counted(inputs),
        remarks(chosen, inputs),
    )
