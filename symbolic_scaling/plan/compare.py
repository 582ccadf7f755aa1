"""Several sets of constants at one budget, side by side, and which of their constants make the difference.

The constants of one additive term of the law move together, as a fit moves them. The ratio of two optima is shared out
over the terms by Shapley's rule: the mean, over all orders of exchanging terms, of what each exchange multiplies it by.
The shares multiply to the ratio exactly.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import sympy as sp

from ..errors import LawError, ScalingError
from ..law import Cost, Law
from .accounting import beside as _counted
from .allocate import allocate, spending
from .frontiers import frontier
from .records import Amount, Plan, Sheet
from .sources import Source
from .units import compute

__all__ = ["compare", "exchanged", "groups", "shares"]


def compare(
    sources: Sequence[Source],
    budget: object,
    cost: Cost | sp.Expr | str | None = None,
    *,
    beside: Mapping[str, object] | None = None,
    methods: Sequence[str] = ("delta",),
) -> Plan:
    """One table of the optima of several sets or fits, and the reasons why they differ from the first.

    Parameters
    ----------
    sources : sequence of Source
        Two or more.
    budget, cost, beside, methods
        As for :func:`symbolic_scaling.plan.allocate`.

    Raises
    ------
    LawError
        If there are fewer than two, or two have one label.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> from symbolic_scaling.plan import source
    >>> names = ("besiroglu2024", "hoffmann2022")
    >>> made = compare([source(laws.get("chinchilla"), name) for name in names], "5.76e23")
    >>> f"{float(made['D/N of hoffmann2022']):.5f}"
    '92.64737'
    """
    labels = [one.label for one in sources]
    if len(sources) < 2 or len(set(labels)) < len(labels):
        raise LawError("compare plans", f"the sets are {', '.join(labels)}", "give two or more different ones")
    flop = compute(budget)
    plans = [_once(allocate(one, flop, cost, beside=beside, methods=methods)) for one in sources]
    rows = tuple(
        Amount(f"{amount.name} of {one.label}", amount.value, amount.unit, amount.intervals, amount.note)
        for one, plan in zip(sources, plans, strict=True)
        for amount in plan.allocation
    )
    same = [one for one in sources[1:] if one.law.form == sources[0].law.form]
    sheets = [_table(sources, plans), _worth(sources, flop, cost, beside)]
    sheets += [made for one in same for made in _reasons(sources[0], one, flop, cost, beside)]
    found = [{amount.name: amount.value for amount in plan.allocation} for plan in plans]
    if all({"N", "D"} <= set(values) for values in found):
        sheets.append(_counted({one: (values["N"], values["D"]) for one, values in zip(labels, found, strict=True)}))
    title = f"{', '.join(labels)}: the best use of a budget"
    notes = tuple(dict.fromkeys(note for plan in plans for note in plan.notes))
    foreign = [one.label for one in sources[1:] if one.law.form != sources[0].law.form]
    if foreign:
        notes += (f"{', '.join(foreign)}: another form of law, whose constants cannot be exchanged one by one",)
    return Plan(
        title, "; ".join(dict.fromkeys(plan.convention for plan in plans)), spending(flop), rows, tuple(sheets), notes
    )


def _once(made: Plan) -> Plan:
    """A plan without the amounts that say another one in another unit."""
    return replace(made, allocation=tuple(one for one in made.allocation if not one.name.endswith(" in bits")))


def _table(sources: Sequence[Source], plans: Sequence[Plan]) -> Sheet:
    """A row for each set; an interval stands beside its number."""
    names = list(dict.fromkeys(amount.name for plan in plans for amount in plan.allocation))
    sure = any(amount.intervals for plan in plans for amount in plan.allocation)
    columns = [part for name in names for part in ((name, f"{name} within") if sure else (name,))]
    rows = []
    for one, plan in zip(sources, plans, strict=True):
        row: list[sp.Expr | str] = [one.label]
        found = {amount.name: amount for amount in plan.allocation}
        for name in names:
            amount = found.get(name)
            row.append("" if amount is None else amount.value)
            if sure:
                ends = amount.intervals if amount is not None else ()
                row.append(f"{ends[0][1]:.4g} to {ends[0][2]:.4g}" if ends else "")
        rows.append(tuple(row))
    return Sheet("The sets side by side", ("set", *columns), tuple(rows))


def _worth(
    sources: Sequence[Source], flop: sp.Expr, cost: Cost | sp.Expr | str | None, beside: Mapping[str, object] | None
) -> Sheet:
    """The compute that each set needs for the response that the first one promises at the budget."""
    lines = [frontier(one, cost, beside) for one in sources]
    y = str(sources[0].law.response.symbol.name)
    goal = lines[0].at(flop)[y]
    rows: list[tuple[sp.Expr | str, ...]] = []
    for line in lines:
        try:
            needed = line.least(goal)
            rows.append((line.source.label, needed, needed / flop))
        except ScalingError as error:
            rows.append((line.source.label, "none", error.found))
    title = f"The compute that gives the {y} = {sp.N(goal, 8)} of {sources[0].label}"
    return Sheet(title, ("set", "FLOP", "multiplier"), tuple(rows))


def _reasons(
    first: Source, other: Source, flop: sp.Expr, cost: Cost | sp.Expr | str | None, beside: Mapping[str, object] | None
) -> list[Sheet]:
    """By how much each term's constants multiply every outcome, from the first set to another."""
    line, parts = frontier(first, cost, beside), groups(first.law)
    mixed = {
        chosen: replace(line, source=replace(first, constants=constants)).at(flop)
        for chosen, constants in exchanged(parts, first, other).items()
    }
    names = list(line.at(flop))
    columns = {name: shares({chosen: found[name] for chosen, found in mixed.items()}) for name in names}
    rows: list[tuple[sp.Expr | str, ...]] = [
        (", ".join(str(s.name) for s in part), *(column[place] for column in columns.values()))
        for place, part in enumerate(parts)
    ]
    rows.append(("together", *(sp.Mul(*column) for column in columns.values())))
    title = f"What takes {first.label} to {other.label}: by which factor each term's constants move the optimum"
    return [Sheet(title, ("constants", *columns), tuple(rows))]


def groups(law: Law) -> tuple[tuple[sp.Symbol, ...], ...]:
    """The constants that stand together in one additive term of an explicit law; terms that share one are joined.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> groups(laws.get("chinchilla"))
    ((E,), (A, alpha), (B, beta))
    """
    form = law.explicit if law.explicit is not None else law.form.rhs
    found: list[set[sp.Symbol]] = []
    for term in sp.Add.make_args(form):
        joined = term.free_symbols & set(law.constants)
        apart = [part for part in found if not part & joined]
        found = [*apart, joined.union(*(part for part in found if part & joined))] if joined else found
    ordered = [tuple(s for s in law.constants if s in part) for part in found]
    return tuple(sorted(ordered, key=lambda part: law.places[part[0]]))


def exchanged(
    parts: Sequence[tuple[sp.Symbol, ...]], first: Source, other: Source
) -> dict[tuple[bool, ...], dict[str, sp.Expr]]:
    """Which parts are the other set's -> the constants of both sets mixed so."""
    found = {}
    for chosen in itertools.product((False, True), repeat=len(parts)):
        new = {s.name for part, taken in zip(parts, chosen, strict=True) for s in part if taken}
        found[chosen] = {name: (other if name in new else first).constants[name] for name in first.constants}
    return found


def shares(values: Mapping[tuple[bool, ...], sp.Expr]) -> list[sp.Expr]:
    """The factor of each part in the ratio of a positive value, from no part exchanged to all; they multiply to it.

    Examples
    --------
    >>> values = {(False, False): 1, (True, False): 2, (False, True): 8, (True, True): 16}
    >>> shares({chosen: sp.Integer(value) for chosen, value in values.items()})
    [2, 8]
    """
    logs = {chosen: sp.log(value) for chosen, value in values.items()}
    count = len(next(iter(logs)))
    found = []
    for place in range(count):
        total = sp.Integer(0)
        for chosen, log in logs.items():
            if chosen[place]:
                without = tuple(new and other_place != place for other_place, new in enumerate(chosen))
                before = sum(without)
                weight = sp.Rational(math.factorial(before) * math.factorial(count - 1 - before), math.factorial(count))
                total += weight * (log - logs[without])
        found.append(sp.exp(total))
    return found
