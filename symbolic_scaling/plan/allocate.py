"""From a budget to what to train, what a run off the optimum wastes, and what one law is worth beside another.

Every formula is one of ``derive``: the frontier of the law under the cost, and its inverse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sympy as sp

from ..errors import DomainError
from ..law import Cost, Law
from .accounting import sheets_at
from .frontiers import Frontier, frontier
from .records import Amount, Plan, Sheet
from .sources import Chosen, Source, chosen_source
from .units import PF_DAY, Machine, in_bits, positive
from .units import compute as in_flop

__all__ = ["UNKNOWN", "allocate", "counted", "inputs_at", "judge", "multiplier", "remarks", "spending", "with_ratio"]

UNKNOWN = "no interval, as the optimum is neither a closed form nor one root"


def allocate(
    chosen: Chosen,
    compute: object,
    cost: Cost | sp.Expr | str | None = None,
    *,
    published: str | None = None,
    beside: Mapping[str, object] | None = None,
    machine: Machine | None = None,
    sizes: Mapping[str, object] | None = None,
    methods: Sequence[str] = ("delta",),
) -> Plan:
    """The inputs that make the response least at a budget.

    Parameters
    ----------
    chosen : Source, Law or FitResult
        A law with its numbers.
    compute : str or number
        FLOP, PF-days, or GPU-hours of a ``machine``.
    cost : Cost, Expr or str, optional
        As for :func:`symbolic_scaling.derive.frontier`; the law's own without it.
    published : str, optional
        The printed set of a law; its first one without it.
    beside : mapping of name to number, optional
        The cost's own letters, such as ``D_inf``.
    machine : Machine, optional
        Then the plan has hours and price.
    sizes : mapping, optional
        A shape, for the table of what the conventions say; one of the plan's own size without it.
    methods : sequence of str
        Of intervals, where the numbers are a fit's.

    Returns
    -------
    Plan
        Inputs, their ratio, the response, and its slope in the logarithm of the budget.

    Raises
    ------
    DomainError
        If the budget is not positive or no compute.
    LawError, NoOptimum
        If the law has no cost, or no optimum under it.
    FitError
        If the rows of a fit do not determine the optimum.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> made = allocate(laws.get("chinchilla"), "5.76e23 FLOP", published="besiroglu2024")
    >>> [f"{float(made[name]):.8g}" for name in ("N", "D", "D/N", "L")]
    ['7.2248703e+10', '1.3287436e+12', '18.391245', '1.9744411']
    """
    named = chosen_source(chosen, published)
    line, flop = frontier(named, cost, beside), in_flop(compute, machine)
    rows = inputs_at(line, flop, methods)
    spent = spending(flop, machine)
    names = {one.name: one.value for one in rows}
    sheets = counted(names, sizes)
    title = f"{named.law.name}, {named.label}: the best use of a budget"
    return Plan(title, line.convention, spent, (*rows, *in_bits(rows[-1])), sheets, remarks(named, names))


def spending(flop: sp.Expr, machine: Machine | None = None) -> tuple[Amount, ...]:
    """A budget in FLOP, PF-days and, of a machine, hours and price."""
    rows = (Amount("C", flop, "FLOP"), Amount("C in PF-days", flop / PF_DAY, "PF-days"))
    return rows if machine is None else rows + machine.amounts(flop)


def inputs_at(line: Frontier, flop: sp.Expr, methods: Sequence[str]) -> tuple[Amount, ...]:
    """Inputs, ratio and response at a budget, with intervals where there is a fit."""
    law = line.source.law
    root, wanted = line.rooted or (None, line.answers or {})
    at = line.at(flop)
    units = {v.symbol.name: v.unit or v.doc for v in (*law.variables, law.response)}
    y = law.response.symbol.name
    at, wanted = with_ratio(law, at), with_ratio(law, wanted)
    values = {line.cost.symbol.name: flop, **line.beside}
    determined(line, flop)
    known = line.source.sure(wanted, values, methods, root)
    order = [name for name in at if name != y] + [y]
    bare = Amount("", sp.Integer(0), note="" if wanted or line.source.fit is None or not methods else UNKNOWN)
    return tuple(
        Amount(name, at[name], units.get(name, ""), known.get(name, bare).intervals, known.get(name, bare).note)
        for name in order
    )


def determined(line: Frontier, flop: sp.Expr) -> None:
    """Refuse an optimum that the rows of a fit leave open."""
    root, wanted = line.rooted or (None, line.answers or {})
    values = {line.cost.symbol.name: flop, **line.beside}
    line.source.require(wanted, values, root, asked=f"plan with {line.source.law.name}")


def with_ratio(law: Law, values: Mapping[str, sp.Expr]) -> dict[str, sp.Expr]:
    """The values, and of two inputs also the second over the first."""
    names = [str(s.name) for s in law.inputs]
    if len(names) != 2 or not values:
        return dict(values)
    return {**values, f"{names[1]}/{names[0]}": values[names[1]] / values[names[0]]}


def counted(found: Mapping[str, sp.Expr], sizes: Mapping[str, object] | None = None) -> tuple[Sheet, ...]:
    """What the other conventions say of a plan of parameters and tokens; nothing of another."""
    known = "N" in found and "D" in found and found["N"].is_finite and found["D"].is_finite
    return sheets_at(found["N"], found["D"], sizes) if known else ()


def remarks(chosen: Source, found: Mapping[str, sp.Expr]) -> tuple[str, ...]:
    """What to know: no covariance; inputs beyond the rows of a fit, or beyond where the law is met in practice."""
    rows = dict(chosen.fit.problem.x) if chosen.fit is not None else {}
    said = []
    for variable in chosen.law.variables:
        name = str(variable.symbol.name)
        lo, hi = variable.typical if not rows else (float(min(rows[name])), float(max(rows[name])))
        where = "of the rows fitted" if rows else "where the law is met in practice"
        if name in found and not lo <= found[name] <= hi:
            said.append(f"{name} lies outside {lo:.4g} to {hi:.4g}, {where}")
    if chosen.fit is not None:
        return tuple(said)
    own = next((one.note for one in chosen.law.published if one.name == chosen.label and one.note), "")
    whose = "printed constants come" if chosen.law.constants else "the numbers of a formula come"
    none = f"No intervals: {whose} without their covariance; plan with --fit to have them"
    return (*said, none, *((f"{chosen.label}: {own}",) if own else ()))


def judge(
    chosen: Source,
    inputs: Mapping[str, object],
    cost: Cost | sp.Expr | str | None = None,
    beside: Mapping[str, object] | None = None,
    machine: Machine | None = None,
) -> Plan:
    """What a run off the optimum wastes: its loss beside the best one of its budget, its budget beside the least one.

    Parameters
    ----------
    chosen : Source
    inputs : mapping of name to number
        What is trained, every input of the law.
    cost, beside, machine : optional
        As for :func:`allocate`.

    Raises
    ------
    DomainError
        If an input is missing.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> from symbolic_scaling.plan import source
    >>> made = judge(source(laws.get("chinchilla"), "besiroglu2024"), {"N": "7B", "D": "2T"})
    >>> f"{float(made['C over the least']):.4f}"
    '1.8578'
    """
    law, line = chosen.law, frontier(chosen, cost, beside)
    names = [str(s.name) for s in law.inputs]
    if set(inputs) != set(names):
        raise DomainError("judge a run", f"inputs {sorted(inputs)}", f"give {', '.join(names)}")
    here = {name: positive(value, name) for name, value in inputs.items()}
    y, flop = str(law.response.symbol.name), line.spent(here)
    reached, best = chosen.respond(here, "judge a run"), {one.name: one.value for one in inputs_at(line, flop, ())}
    least = line.least(reached)
    rows = [Amount(f"{name} over the best", here[name] / best[name]) for name in names]
    rows += [
        Amount(y, reached, law.response.unit),
        Amount(f"best {y} at this budget", best[y], law.response.unit),
        Amount(f"{y} above the best", reached - best[y], law.response.unit),
        Amount("least C of this response", least, "FLOP"),
        Amount("C over the least", flop / least),
    ]
    given = tuple(Amount(name, here[name]) for name in names)
    title = f"{law.name}, {chosen.label}: a run beside the best of its budget"
    return Plan(
        title, line.convention, (*given, *spending(flop, machine)), tuple(rows), counted(here), remarks(chosen, here)
    )


def multiplier(better: Source, base: Source, budget: object, cost: Cost | sp.Expr | str | None = None) -> Plan:
    """How many times the compute ``base`` needs for the best response of ``better`` at a budget.

    Raises
    ------
    Unattainable
        If ``base`` never reaches it: its floor is in the error.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> from symbolic_scaling.plan import source
    >>> sets = [source(laws.get("chinchilla"), name) for name in ("hoffmann2022", "hoffmann2022-unrounded")]
    >>> f"{float(multiplier(*sets, '1e21')['multiplier']):.4f}"
    '0.7057'
    """
    flop, first, second = in_flop(budget), frontier(better, cost), frontier(base, cost)
    for line in (first, second):
        determined(line, flop)
    y = str(better.law.response.symbol.name)
    reached = first.at(flop)[y]
    needed = second.least(reached)
    rows = (
        Amount(y, reached, better.law.response.unit),
        Amount(f"C of {base.label}", needed, "FLOP"),
        Amount("multiplier", needed / flop),
    )
    return Plan(f"compute multiplier of {better.label} over {base.label}", first.convention, spending(flop), rows)
