"""A law or a derivation as functions to export: values and gradients lowered, roots in their coordinate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import sympy as sp

from ...domain import Domain
from ...law import Law
from ...records import Case, Derivation, Found, Reduction, Root, Series
from .. import root
from ..lower import Lowering
from ..slopes import derivative
from .model import Function, Letter, Solve
from .rooted import Coordinate

__all__ = ["letters", "of_derivation", "of_law"]


def of_law(law: Law) -> Function:
    """The response of a law, through its root where the law is implicit.

    Examples
    --------
    >>> from symbolic_scaling import laws
    >>> made = of_law(laws.get("m2"))
    >>> made.name, [letter.symbol.name for letter in made.arguments], made.value
    ('eps_x', ['x', 'beta', 'c', 'eps_inf'], beta*exp(c*log(x)) + eps_inf)
    """
    y = law.response
    known = letters(law)
    inputs, constants = (tuple(known[s] for s in some) for some in (law.inputs, law.constants))
    doc = y.doc + (f" [{y.unit}]" if y.unit else "")
    if law.explicit is not None:
        value = Lowering(law.domain).value(law.explicit)
        slopes = tuple(derivative(value, letter.symbol) for letter in inputs + constants)
        return Function(y.symbol.name, doc, inputs, constants, value, slopes, law.explicit)
    form = root.implicit(law)
    left, right, _ = form.starts()
    solve = Solve(root.U, form.moving - form.level, sp.Min(left, right), law.form)
    slopes = tuple(form.slope(form.response, letter.symbol) for letter in inputs + constants)
    plain = root.explicit_at_switch(law, form.switch, (*law.inputs, *law.constants)) if form.switch is not None else ()
    return Function(y.symbol.name, doc, inputs, constants, form.response[0], slopes, None, solve, form.switch, plain)


def of_derivation(derivation: Derivation) -> tuple[tuple[Function, ...], tuple[str, ...]]:
    """A function for every answer that is a number, and a line on each that is not.

    Examples
    --------
    >>> from symbolic_scaling import derive, laws
    >>> made, _ = of_derivation(derive.optimum(laws.get("sovit"), "x_k"))
    >>> made[0].name, made[0].value.args[0].func
    ('x_k', <class 'sympy.core.mul.Mul'>)
    """
    cases = [case for case in derivation.cases if case.found] or [Case((), derivation.found)]
    made: list[Function] = []
    missing: list[str] = []
    for number, case in enumerate(cases, 1):
        domain = derivation.law.domain.meet(Domain((), case.when)) if case.when else derivation.law.domain
        said = ", ".join(f"{more} > {less}" for more, less in case.when)
        roots = {found.symbol: found for _, found in case.found if isinstance(found, Root)}
        for key, found in case.found:
            name = _called(derivation, key) + (f"_{number}" if len(cases) > 1 else "")
            label = f"{key} of the {derivation.title}" + (f" if {said}" if said else "")
            why = _unable(found, roots)
            if why:
                missing.append(f"{label} is left out: {why}")
            else:
                made.append(_answer(derivation.law, domain, (name, label), _expression(found), roots))
    return tuple(made), tuple(missing)


def letters(law: Law) -> dict[sp.Symbol, Letter]:
    """Symbol -> what the law says of it."""
    items = [Letter(v.symbol, v.doc, v.unit) for v in (law.response, *law.variables)]
    items += [Letter(p.symbol, p.doc) for p in law.parameters]
    items += [Letter(cost.symbol, f"cost: {cost.convention}") for cost in law.costs]
    return {item.symbol: item for item in reversed(items)}


def _called(derivation: Derivation, key: str) -> str:
    """The name of an answer: derivatives are not called as what they are taken in.

    Examples
    --------
    >>> from symbolic_scaling import derive, laws
    >>> [_called(derive.gradient(laws.get("chinchilla")), key) for key in ("N", "D")]
    ['dL_dN', 'dL_dD']
    """
    y = derivation.law.response.symbol.name
    match derivation.title.split()[0]:
        case "gradient":
            return f"d{y}_d{key}"
        case "hessian":
            return f"d2{y}_d{key.replace(',', '_d')}"
        case "elasticities" | "sensitivity":
            return f"{derivation.title.split()[0]}_in_{key}"
    return f"limit_{key.replace('->', '_to_')}" if "->" in key else key


def _unable(found: Found, roots: dict[sp.Symbol, Root]) -> str:
    """Why an answer is no function of numbers; empty where it is one."""
    if isinstance(found, Reduction):
        return "it is a law, not a number"
    value = _expression(found)
    if value.has(sp.oo, -sp.oo, sp.zoo, sp.nan):
        return f"it is {value}"
    needed = [roots[symbol] for symbol in roots if value.has(symbol)]
    coupled = len(needed) > 1 or any(one.inner or one.condition.has(*(set(roots) - {one.symbol})) for one in needed)
    return "its roots are coupled; codegen.evaluate solves them" if coupled else ""


def _expression(found: Found) -> sp.Expr:
    """A root is its symbol, a series the sum of its terms."""
    if isinstance(found, Series):
        return sp.Add(*(value * found.small**power for value, power in found.terms))
    assert isinstance(found, sp.Expr | Root)
    return found.symbol if isinstance(found, Root) else found.doit()


def _answer(
    law: Law, domain: Domain, called: tuple[str, str], shown: sp.Expr, roots: dict[sp.Symbol, Root]
) -> Function:
    """An answer by its name and doc, directly or through the one root that it holds."""
    one = next((roots[symbol] for symbol in roots if shown.has(symbol)), None)
    parts = [shown] if one is None else [shown, one.condition, *one.bracket]
    inputs, constants = _arguments(law, parts, [] if one is None else [one.symbol])
    symbols = [letter.symbol for letter in inputs + constants]
    if one is None:
        value = Lowering(domain).value(shown)
        return Function(*called, inputs, constants, value, tuple(derivative(value, s) for s in symbols), shown)
    there = Coordinate(one, domain)
    value, residual = there.value(shown), there.residual
    along = value.diff(root.U) / residual.diff(root.U)
    slopes = tuple(value.diff(s) - along * residual.diff(s) for s in symbols)
    solve = Solve(root.U, residual, sp.Integer(0), sp.Eq(one.condition, 0, evaluate=False))
    return Function(*called, inputs, constants, value, slopes, None if shown.is_Symbol else shown, solve)


def _arguments(
    law: Law, parts: Iterable[sp.Expr], unknown: Sequence[sp.Symbol]
) -> tuple[tuple[Letter, ...], tuple[Letter, ...]]:
    """Inputs and constants that stand in the parts: in the law's order, then by name."""
    free = {symbol for part in parts for symbol in part.free_symbols} - set(unknown)
    known = letters(law)
    place = {symbol: at for at, symbol in enumerate((*law.inputs, *law.constants))}
    ordered = sorted(free, key=lambda symbol: (place.get(symbol, len(place)), symbol.name))
    described = [known.get(symbol, Letter(symbol)) for symbol in ordered]
    fixed = set(law.constants)
    return (
        tuple(letter for letter in described if letter.symbol not in fixed),
        tuple(letter for letter in described if letter.symbol in fixed),
    )
